//! Rows of a matrix in the file that it comes from.

use bytes::Bytes;

/// Rows of a tensor in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FileRows<T> {
    /// Bytes of all rows.
    pub(crate) data: T,
    /// Size in bytes of a row.
    pub(crate) row_bytes: usize,
    /// Size of a head whose rows are in another order: see [`FileRows::stored_row`].
    pub(crate) reordered_head: Option<usize>,
}

impl<T: AsRef<[u8]>> FileRows<T> {
    /// Returns the bytes of a row.
    pub(crate) fn row(&self, row: usize) -> &[u8] {
        &self.data.as_ref()[self.stored_row(row) * self.row_bytes..][..self.row_bytes]
    }

    /// Returns the index of a row in the file. llama.cpp stores the rows of a head, which Hugging Face has as two halves that rotate
    /// together, in turns: a row of the first half, then the one of the second half.
    fn stored_row(&self, row: usize) -> usize {
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
