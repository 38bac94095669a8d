"""Bars of ratios in an SVG file, for the benches beside peers."""

from pathlib import Path


def write_bars(path, title, bars):
    """Writes a bar for each work, peer and ratio, and a line where both are equal."""
    longest = max([ratio for _, _, ratio in bars] + [1.0])
    left, scale, row = 470, 380 / longest, 24
    height = 60 + row * len(bars)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + 450}" height="{height}" font-family="sans-serif" '
             f'font-size="12"><rect width="100%" height="100%" fill="white"/>'
             f'<text x="12" y="22" font-size="14">{title}</text>']
    for place, (name, peer, ratio) in enumerate(bars):
        y = 40 + row * place
        parts.append(f'<text x="12" y="{y + 14}">{name}</text><text x="{left - 8}" y="{y + 14}" text-anchor="end" '
                     f'fill="#555">{peer}</text><rect x="{left}" y="{y + 2}" width="{scale * ratio:.1f}" height="16" '
                     f'fill="#1f6feb" opacity="0.8"/><text x="{left + scale * ratio + 6:.1f}" y="{y + 14}">{ratio:.2f}</text>')
    x = left + scale
    parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="36" y2="{height - 16}" stroke="#d1603d"/></svg>\n')
    Path(path).write_text("\n".join(parts))
