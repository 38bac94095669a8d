//! Columns of linear maps in the files that they come from.

use std::ops::Range;

use bytes::Bytes;

use super::kernels::StoredColumns;
use super::layout::Axis;

/// Rows of a tensor in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FileRows<T> {
    /// Bytes of all rows.
    pub(crate) data: T,
    /// Size in bytes of a row.
    pub(crate) row_bytes: usize,
    /// Size of a head whose rows are in another order: see [`FileRows::place`].
    pub(crate) reordered_head: Option<usize>,
}

impl<T: AsRef<[u8]>> FileRows<T> {
    /// Returns the bytes of a row.
    pub(crate) fn row(&self, row: usize) -> &[u8] {
        &self.data.as_ref()[self.place(row) * self.row_bytes..][..self.row_bytes]
    }

    /// Returns the place of a row. llama.cpp stores the rows of a head, which Hugging Face has as two halves that rotate
    /// together, in turns: a row of the first half, then the one of the second half.
    fn place(&self, row: usize) -> usize {
        let Some(head) = self.reordered_head else { return row };
        let (first, within) = (row / head * head, row % head);
        first + if within < head / 2 { 2 * within } else { 2 * (within - head / 2) + 1 }
    }
}

impl FileRows<&[u8]> {
    /// Returns the rows in the file that contains them; `None` if that is none of `files`.
    pub(crate) fn in_files(self, files: &[Bytes]) -> Option<FileRows<Bytes>> {
        let Self { data, row_bytes, reordered_head } = self;
        let file = files.iter().find(|file| file.as_ptr_range().contains(&data.as_ptr()))?;
        Some(FileRows { data: file.slice_ref(data), row_bytes, reordered_head })
    }
}

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

    /// Returns matrix and row of a column; `None` for padding.
    pub(crate) fn row(&self, column: usize) -> Option<(&M, usize)> {
        let part = self.0.iter().find(|part| part.columns.contains(&column))?;
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
