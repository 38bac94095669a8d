//! Rows of a matrix in the file that it comes from.

use bytes::Bytes;

use super::order::Order;

/// Rows of a tensor in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FileRows<T> {
    /// Bytes of all rows.
    pub(crate) data: T,
    /// Size in bytes of a row.
    pub(crate) row_bytes: usize,
    /// Order of the rows in the file, if it is another.
    pub(crate) order: Option<Order>,
}

impl<T: AsRef<[u8]>> FileRows<T> {
    /// Returns the bytes of a row.
    pub(crate) fn row(&self, row: usize) -> &[u8] {
        let row = self.order.map_or(row, |order| order.stored(row));
        &self.data.as_ref()[row * self.row_bytes..][..self.row_bytes]
    }
}

impl FileRows<&[u8]> {
    /// Returns the rows in the file that contains them; `None` if that is none of `files`.
    pub(crate) fn in_files(self, files: &[Bytes]) -> Option<FileRows<Bytes>> {
        let Self { data, row_bytes, order } = self;
        let file = files.iter().find(|file| file.as_ptr_range().contains(&data.as_ptr()))?;
        Some(FileRows { data: file.slice_ref(data), row_bytes, order })
    }
}
