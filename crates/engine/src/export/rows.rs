//! Rows of an exported tensor: those of a model's file with the update of an adapter, or values in memory.

use std::borrow::Cow;

use crate::files::{Matrix, Order};
use crate::lora::Factors;

/// Rows of a tensor in the order of the exported file.
pub(super) struct Rows<'a> {
    pub(super) source: Source<'a>,
    pub(super) rows: usize,
    pub(super) width: usize,
    /// Order in which llama.cpp has the rows, and that of the values of a row, if they are others.
    pub(super) order: Option<Order>,
    pub(super) columns: Option<Order>,
    /// Value that is added: llama.cpp stores a norm's weights as they are applied.
    pub(super) offset: f32,
}

/// Origin of rows.
pub(super) enum Source<'a> {
    /// A tensor of a file.
    File { name: String, matrix: Matrix<'a>, update: Option<Update<'a>> },
    /// Values, row by row.
    Values(Cow<'a, [f32]>),
}

/// Update of an adapter, which is added to a matrix: `scale B A`.
#[derive(Clone, Copy)]
pub(super) struct Update<'a> {
    pub(super) factors: &'a Factors,
    pub(super) rank: usize,
    pub(super) scale: f32,
}

impl Update<'_> {
    /// Adds the update of a row. `sum` is scratch of the row's width.
    fn add(&self, row: usize, values: &mut [f32], sum: &mut [f32]) {
        sum.fill(0.0);
        let factors = &self.factors.b[row * self.rank..][..self.rank];
        for (factor, a) in factors.iter().zip(self.factors.a.chunks_exact(values.len())) {
            sum.iter_mut().zip(a).for_each(|(sum, a)| *sum += factor * a);
        }
        values.iter_mut().zip(sum).for_each(|(value, sum)| *value += self.scale * *sum);
    }
}

impl<'a> Rows<'a> {
    /// Returns values in memory.
    pub(super) fn of_values(values: impl Into<Cow<'a, [f32]>>, width: usize) -> Self {
        let values = values.into();
        Self {
            rows: values.len() / width,
            width,
            source: Source::Values(values),
            order: None,
            columns: None,
            offset: 0.0,
        }
    }

    /// Computes a row of the file. `sum` is scratch of the row's width.
    pub(super) fn read(&self, row: usize, values: &mut [f32], sum: &mut [f32]) {
        let source = self.order.map_or(row, |order| order.source(row));
        match &self.source {
            Source::File { matrix, update, .. } => {
                matrix.read_row(source, values);
                if let Some(update) = update {
                    update.add(source, values, sum);
                }
            }
            Source::Values(all) => values.copy_from_slice(&all[source * self.width..][..self.width]),
        }
        if self.offset != 0.0 {
            values.iter_mut().for_each(|value| *value += self.offset);
        }
        if let Some(order) = self.columns {
            sum.copy_from_slice(values);
            values.iter_mut().enumerate().for_each(|(index, value)| *value = sum[order.source(index)]);
        }
    }
}
