#!/usr/bin/env python3
"""Writes docs/images/quickstart.svg: the last screen of `trainyard quickstart`.

    venv/bin/pip install -r scripts/pictures_requirements.txt
    venv/bin/python scripts/picture_quickstart.py [target/release/trainyard]

Runs the program in a pseudo terminal, interprets its output with pyte, and exports the screen with rich.
"""
import fcntl
import os
import pty
import struct
import sys
import termios
from itertools import groupby
from pathlib import Path

import pyte
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/images/quickstart.svg"
ROWS, COLUMNS = 43, 106
# Rich's template loads a font from the network; the readers' own fonts replace it.
TEMPLATE = CONSOLE_SVG_FORMAT[: CONSOLE_SVG_FORMAT.index("@font-face")] + CONSOLE_SVG_FORMAT[CONSOLE_SVG_FORMAT.index(".{unique_id}-matrix") :]
TEMPLATE = TEMPLATE.replace("Fira Code", "ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono")


def final_screen(program: str) -> pyte.Screen:
    """Runs quickstart to its end in a terminal of ROWS by COLUMNS."""
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    process, terminal = pty.fork()
    if process == 0:
        os.execv(program, [program, "quickstart"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    is_open = False
    while True:
        try:
            output = os.read(terminal, 65536)
        except OSError:  # The terminal is closed when the program ends.
            break
        if not output:
            break
        stream.feed(output)
        # On a terminal the service stays open until Ctrl-C.
        if not is_open and any("stays open until Ctrl-C" in line for line in screen.display):
            is_open = True
            os.write(terminal, b"\x03")
    _, status = os.waitpid(process, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit("\n".join(screen.display))
    return screen


def style(cell: pyte.screens.Char) -> str:
    colour = "" if cell.fg == "default" else cell.fg if cell.fg.isalpha() else f"#{cell.fg}"
    # A run of its own for the dots of a plot: fonts give them another width than letters.
    dots = "not underline" if "\u2800" <= cell.data <= "\u28ff" else ""
    return " ".join(filter(None, ["bold" if cell.bold else "", dots, colour]))


def styled(screen: pyte.Screen, row: int) -> Text:
    """One row of the screen, a span for each run of cells that look the same."""
    line = Text()
    for look, cells in groupby((screen.buffer[row][column] for column in range(screen.columns)), key=style):
        line.append("".join(cell.data for cell in cells), look)
    line.rstrip()
    return line


def main() -> None:
    program = str(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/trainyard").resolve())
    screen = final_screen(program)
    lines = [styled(screen, row) for row in range(ROWS)]
    while lines and not lines[-1].plain.strip():
        lines.pop()
    while lines and not lines[0].plain.strip():
        lines.pop(0)
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"), force_terminal=True)
    for line in lines:
        console.print(line, no_wrap=True, highlight=False)
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(console.export_svg(title="trainyard quickstart", code_format=TEMPLATE))
    print(PICTURE.relative_to(ROOT), f"{PICTURE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
