//! A line plot for the terminal.

use std::fmt::Write;

use textplots::{Chart, LabelBuilder, LabelFormat, Plot, Shape};

/// Draws `values` over their index, counted from 1, under `title`. Returns an empty string for fewer than two values.
pub(super) fn line_plot(title: &str, values: &[f64]) -> String {
    if values.len() < 2 {
        return String::new();
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a plot has few pixels")]
    let points: Vec<(f32, f32)> =
        values.iter().enumerate().map(|(index, &value)| ((index + 1) as f32, value as f32)).collect();
    let last = points[points.len() - 1].0;
    let lines = Shape::Lines(&points);
    let mut chart = Chart::new(110, 36, 1.0, last);
    let chart = chart
        .lineplot(&lines)
        .x_label_format(LabelFormat::Custom(Box::new(|x| format!("{x:.0}"))))
        .y_label_format(LabelFormat::Custom(Box::new(|y| format!("{y:.3}"))));
    chart.axis();
    chart.figures();
    let mut text = format!("  {title}\n");
    for line in chart.to_string().lines() {
        let _ = writeln!(text, "  {line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_has_its_title_and_its_extremes() {
        let text = line_plot("loss", &[3.25, 2.0, 1.5, 1.25]);
        assert!(text.contains("loss") && text.contains("3.250") && text.contains("1.250"), "{text}");
        assert_eq!(line_plot("loss", &[1.0]), "");
    }
}
