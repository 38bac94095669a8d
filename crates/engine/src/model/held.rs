//! Matrices of a GGUF file that are quantised there or rounded here, and the formats in which a model holds them.

use std::collections::BTreeMap;
use std::fmt;

use crate::kernels::MatrixFormat;

/// Matrices of a GGUF file that are quantised there or rounded here: how many of each type a model holds in which format, and their bytes.
#[derive(Clone, Debug, Default)]
pub struct HeldMatrices(BTreeMap<Form, Size>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    /// Name of the type in the file.
    kind: &'static str,
    /// Name of the format.
    format: &'static str,
    /// Whether the values are those of the file.
    is_exact: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Size {
    matrices: usize,
    file_bytes: usize,
    bytes: usize,
}

impl HeldMatrices {
    /// Adds a matrix, with its bytes in the file and in memory.
    pub(super) fn add(&mut self, kind: &'static str, is_exact: bool, format: MatrixFormat, [file, held]: [usize; 2]) {
        let form = Form { kind, format: format.name(), is_exact };
        let size = self.0.entry(form).or_default();
        size.matrices += 1;
        size.file_bytes += file;
        size.bytes += held;
    }

    /// Returns whether the file has no such matrices, or is no GGUF file.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for HeldMatrices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (Form { kind, format, is_exact }, Size { matrices, file_bytes, bytes })) in
            self.0.iter().enumerate()
        {
            let separator = if index == 0 { "" } else { "; " };
            let values = if *is_exact { "exact" } else { "rounded" };
            let [file, held] = [file_bytes, bytes].map(|bytes| *bytes as f64 / 1e6);
            write!(f, "{separator}{matrices} in {kind} as {format}, {values}, {held:.1} MB for {file:.1} MB")?;
        }
        Ok(())
    }
}
