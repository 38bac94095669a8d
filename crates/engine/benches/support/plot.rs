//! Line plots side by side in one SVG file.

use std::fmt::Write;

/// One plot: curves over the same axis, which is drawn in steps of equal ratio.
pub(crate) struct Plot {
    pub title: String,
    pub x: String,
    pub y: String,
    pub curves: Vec<Curve>,
}

/// Points from left to right.
pub(crate) struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

const COLOURS: [&str; 4] = ["#1f6feb", "#d1603d", "#6a9a3b", "#8a63d2"];
const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 320.0;

/// The plots, two in a row.
pub(crate) fn svg(plots: &[Plot]) -> String {
    let rows = plots.len().div_ceil(2);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        2.0 * WIDTH,
        rows as f64 * HEIGHT
    );
    for (index, plot) in plots.iter().enumerate() {
        let (left, top) = ((index % 2) as f64 * WIDTH, (index / 2) as f64 * HEIGHT);
        let _ = writeln!(text, "<g transform=\"translate({left},{top})\">");
        draw(&mut text, plot);
        text.push_str("</g>\n");
    }
    text + "</svg>\n"
}

fn draw(text: &mut String, plot: &Plot) {
    let (left, right, top, bottom) = (64.0, WIDTH - 16.0, 48.0, HEIGHT - 44.0);
    let points = || plot.curves.iter().flat_map(|curve| &curve.points);
    // The first value may be zero (none): it is drawn one step before the next one.
    let mut values: Vec<f64> = points().map(|(x, _)| *x).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let position = |x: f64| {
        let index = values.iter().position(|value| *value == x).unwrap_or(0) as f64;
        left + 12.0 + (right - left - 24.0) * index / (values.len().max(2) - 1) as f64
    };
    let limit = nice(points().map(|(_, y)| *y).fold(0.0, f64::max));
    let height = |y: f64| bottom - (bottom - top) * y / limit;
    let _ = writeln!(text, "<text x=\"{left}\" y=\"20\" font-size=\"14\">{}</text>", plot.title);
    let _ = writeln!(text, "<text x=\"{left}\" y=\"38\" fill=\"#555\">{}</text>", plot.y);
    for step in 0..=4 {
        let value = limit * f64::from(step) / 4.0;
        let y = height(value);
        let _ = writeln!(text, "<line x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>");
        let label = if limit < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") };
        let _ = writeln!(text, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 6.0, y + 4.0);
    }
    for value in &values {
        let x = position(*value);
        let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>", bottom + 16.0);
    }
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{}</text>",
        (left + right) / 2.0,
        bottom + 34.0,
        plot.x
    );
    for (index, curve) in plot.curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let line: Vec<String> =
            curve.points.iter().map(|(x, y)| format!("{:.1},{:.1}", position(*x), height(*y))).collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            line.join(" ")
        );
        for (x, y) in &curve.points {
            let _ = writeln!(
                text,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>",
                position(*x),
                height(*y)
            );
        }
        if plot.curves.len() > 1 {
            let y = 20.0 + 16.0 * index as f64;
            let _ = writeln!(
                text,
                "<text x=\"{right}\" y=\"{y}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>",
                curve.name
            );
        }
    }
}

/// The next number with one or two digits that four steps divide well.
fn nice(largest: f64) -> f64 {
    let scale = 10f64.powf(largest.max(1e-9).log10().floor());
    [1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 6.0, 8.0, 10.0]
        .map(|step| step * scale)
        .into_iter()
        .find(|limit| *limit >= largest)
        .unwrap_or(10.0 * scale)
}
