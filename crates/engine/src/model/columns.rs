//! Columns of linear maps: the rows of matrices in files.

use std::ops::Range;

use bytes::Bytes;

use super::axis::Axis;
use crate::files::FileRows;
use crate::kernels::StoredColumns;

/// Matrices with the same input, whose rows are the columns of one map.
pub(crate) struct SideBySide<M>(Vec<Part<M>>);

struct Part<M> {
    columns: Range<usize>,
    output: Axis,
    matrix: M,
}

impl<M> SideBySide<M> {
    /// Returns the map of matrices, each with its output.
    pub(crate) fn new(matrices: impl Iterator<Item = (Axis, M)>) -> Self {
        let mut first = 0;
        let part = |(output, matrix): (Axis, M)| {
            let columns = first..first + output.padded_len();
            first = columns.end;
            Part { columns, output, matrix }
        };
        Self(matrices.map(part).collect())
    }

    /// Returns the position of the matrix of a column, which may be padding of it.
    pub(crate) fn matrix(&self, column: usize) -> Option<usize> {
        self.0.iter().position(|part| part.columns.contains(&column))
    }

    /// Returns matrix and row of a column; `None` for padding.
    pub(crate) fn row(&self, column: usize) -> Option<(&M, usize)> {
        let part = &self.0[self.matrix(column)?];
        Some((&part.matrix, part.output.index(column - part.columns.start)?))
    }
}

impl SideBySide<FileRows<&[u8]>> {
    /// Returns the map in the files that contain it; `None` if a matrix is in none of `files`.
    pub(crate) fn in_files(&self, files: &[Bytes]) -> Option<SideBySide<FileRows<Bytes>>> {
        let part = |part: &Part<FileRows<&[u8]>>| {
            let matrix = part.matrix.in_files(files)?;
            Some(Part { columns: part.columns.clone(), output: part.output, matrix })
        };
        self.0.iter().map(part).collect::<Option<_>>().map(SideBySide)
    }
}

impl<T: AsRef<[u8]> + Send + Sync> StoredColumns for SideBySide<FileRows<T>> {
    fn column(&self, column: usize) -> Option<&[u8]> {
        self.row(column).map(|(rows, row)| rows.row(row))
    }
}
