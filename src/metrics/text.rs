//! Writes the text format of Prometheus, version 0.0.4.

use std::fmt::{Display, Write};

use super::instruments::HistogramReading;

/// A text to which metrics are appended.
#[derive(Debug, Default)]
pub struct Exposition(String);

/// Label names with values.
pub(crate) type Labels<'a> = &'a [(&'a str, &'a str)];

impl Exposition {
    /// Writes the samples of a counter. Its name ends in `_total`.
    pub fn counter<'a>(&mut self, name: &str, help: &str, samples: impl IntoIterator<Item = (Labels<'a>, u64)>) {
        self.metric(name, help, "counter", samples);
    }

    /// Writes the samples of a gauge.
    pub fn gauge<'a, V: Display>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (Labels<'a>, V)>,
    ) {
        self.metric(name, help, "gauge", samples);
    }

    /// Writes the samples of a histogram in seconds. Its name ends in `_seconds`.
    pub fn histogram<'a>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (Labels<'a>, HistogramReading)>,
    ) {
        self.head(name, help, "histogram");
        for (labels, reading) in samples {
            let bounds = reading.cumulative.iter().map(|(bound, count)| (bound.to_string(), *count));
            for (bound, count) in bounds.chain([("+Inf".to_owned(), reading.count)]) {
                self.sample(&format!("{name}_bucket"), &[labels, &[("le", &bound)]].concat(), count);
            }
            self.sample(&format!("{name}_sum"), labels, reading.sum);
            self.sample(&format!("{name}_count"), labels, reading.count);
        }
    }

    /// Returns the text.
    pub fn into_text(self) -> String {
        self.0
    }

    fn metric<'a, V: Display>(
        &mut self,
        name: &str,
        help: &str,
        kind: &str,
        samples: impl IntoIterator<Item = (Labels<'a>, V)>,
    ) {
        self.head(name, help, kind);
        for (labels, value) in samples {
            self.sample(name, labels, value);
        }
    }

    fn head(&mut self, name: &str, help: &str, kind: &str) {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        // Writing to a string never fails.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: Labels<'_>, value: impl Display) {
        self.0.push_str(name);
        for (index, (label, value)) in labels.iter().enumerate() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let _ = write!(self.0, "{}{label}=\"{value}\"", if index == 0 { '{' } else { ',' });
        }
        let _ = writeln!(self.0, "{} {value}", if labels.is_empty() { "" } else { "}" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_written_as_the_format_says() {
        let mut text = Exposition::default();
        text.counter("a_total", "Things.", [(&[("kind", "x\"y\\z\nw")][..], 3), (&[][..], 4)]);
        text.gauge("b", "Share\nof \\.", [(&[][..], 0.5)]);
        let reading = HistogramReading { cumulative: vec![(0.1, 1), (1.0, 3)], count: 4, sum: 4.1 };
        text.histogram("c_seconds", "Time.", [(&[("operation", "get")][..], reading)]);
        assert_eq!(
            text.into_text(),
            r#"# HELP a_total Things.
# TYPE a_total counter
a_total{kind="x\"y\\z\nw"} 3
a_total 4
# HELP b Share\nof \\.
# TYPE b gauge
b 0.5
# HELP c_seconds Time.
# TYPE c_seconds histogram
c_seconds_bucket{operation="get",le="0.1"} 1
c_seconds_bucket{operation="get",le="1"} 3
c_seconds_bucket{operation="get",le="+Inf"} 4
c_seconds_sum{operation="get"} 4.1
c_seconds_count{operation="get"} 4
"#
        );
    }
}
