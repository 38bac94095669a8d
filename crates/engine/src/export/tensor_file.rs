//! Files of tensors behind a header, written a part at a time.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use super::rows::{Rows, Source};
use super::{ElementType, ExportError};
use crate::kernels::ComputePool;

/// Size of the f32 that a task computes, in bytes.
const TASK_BYTES: usize = 1 << 18;
/// Number of tasks whose rows are in memory together.
const TASKS: usize = 64;

/// Progress of a file: called with the number of bytes that were just written.
pub type WriteProgress<'a> = dyn FnMut(u64) + 'a;

/// A tensor of a file.
pub(super) struct Tensor<'a> {
    pub(super) element: ElementType,
    /// Rows of equal width, one after the other.
    pub(super) parts: Vec<Rows<'a>>,
}

/// A file of tensors whose length is known before it is written.
pub struct TensorFile<'a> {
    name: String,
    head: Vec<u8>,
    /// The tensors after the header, each of which begins at a multiple of `alignment` from there.
    tensors: Vec<Tensor<'a>>,
    alignment: usize,
}

impl std::fmt::Debug for TensorFile<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (tensors, bytes) = (self.tensors.len(), self.bytes());
        f.debug_struct("TensorFile")
            .field("name", &self.name)
            .field("tensors", &tensors)
            .field("bytes", &bytes)
            .finish()
    }
}

impl Tensor<'_> {
    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(|rows| rows.rows * self.element.row_bytes(rows.width)).sum()
    }
}

impl<'a> TensorFile<'a> {
    pub(super) fn new(name: String, head: Vec<u8>, tensors: Vec<Tensor<'a>>, alignment: usize) -> Self {
        Self { name, head, tensors, alignment }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        let padded = |tensor: &Tensor<'_>| tensor.bytes().next_multiple_of(self.alignment);
        (self.head.len() + self.tensors.iter().map(padded).sum::<usize>()) as u64
    }

    /// Writes the file. Its memory is that of a few rows.
    ///
    /// # Errors
    /// A weight of the base is not finite, a merged one cannot be held by the element type, or the file cannot be written.
    pub fn write(
        &self,
        pool: &ComputePool,
        file: &mut dyn Write,
        progress: &mut WriteProgress<'_>,
    ) -> Result<(), ExportError> {
        let mut write = |bytes: &[u8]| -> std::io::Result<()> {
            file.write_all(bytes)?;
            progress(bytes.len() as u64);
            Ok(())
        };
        write(&self.head)?;
        let mut buffer = Vec::new();
        for tensor in &self.tensors {
            for rows in &tensor.parts {
                write_rows(tensor.element, rows, pool, &mut buffer, &mut write)?;
            }
            let bytes = tensor.bytes();
            write(&vec![0; bytes.next_multiple_of(self.alignment) - bytes])?;
        }
        Ok(())
    }
}

/// A value that the element type cannot hold.
#[derive(Clone, Copy)]
struct Beyond {
    index: usize,
    value: f32,
}

fn write_rows(
    element: ElementType,
    rows: &Rows<'_>,
    pool: &ComputePool,
    buffer: &mut Vec<u8>,
    write: &mut dyn FnMut(&[u8]) -> std::io::Result<()>,
) -> Result<(), ExportError> {
    let (width, row_bytes) = (rows.width, element.row_bytes(rows.width));
    let rows_of_task = (TASK_BYTES / (width * size_of::<f32>()).max(1)).max(1);
    for first in (0..rows.rows).step_by(rows_of_task * TASKS) {
        let count = (rows_of_task * TASKS).min(rows.rows - first);
        buffer.resize(count * row_bytes, 0);
        let beyond: Mutex<Option<Beyond>> = Mutex::new(None);
        let tasks: Vec<Mutex<&mut [u8]>> = buffer.chunks_mut(rows_of_task * row_bytes).map(Mutex::new).collect();
        pool.run(tasks.len(), &|task| {
            let mut bytes = tasks[task].lock().unwrap_or_else(PoisonError::into_inner);
            let (mut values, mut sum) = (vec![0.0; width], vec![0.0; width]);
            for (index, bytes) in bytes.chunks_exact_mut(row_bytes).enumerate() {
                let row = first + task * rows_of_task + index;
                rows.read(row, &mut values, &mut sum);
                if let Some(column) = values.iter().position(|value| !element.holds(*value)) {
                    let found = Beyond { index: row * width + column, value: values[column] };
                    let mut beyond = beyond.lock().unwrap_or_else(PoisonError::into_inner);
                    if beyond.is_none_or(|other| found.index < other.index) {
                        *beyond = Some(found);
                    }
                    return;
                }
                element.encode(&values, bytes);
            }
        });
        drop(tasks);
        let name = match &rows.source {
            Source::File { name, matrix, .. } => {
                matrix.check_finite(name)?;
                name.as_str()
            }
            Source::Values(_) => "of the adapter",
        };
        if let Some(Beyond { index, value }) = beyond.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(ExportError::Range { name: name.to_owned(), index, value, element });
        }
        write(buffer)?;
    }
    Ok(())
}
