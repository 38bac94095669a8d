//! Dimensions and their padding.
//!
//! Kernels work on whole vectors, so every width is rounded up. The padding holds zeros, which no operation changes:
//! weights, norms and gradients are zero there. Each head is padded separately.

use std::ops::Range;

use crate::kernels::LANES;

/// A dimension of `blocks * width` values, each block padded to whole vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    blocks: usize,
    width: usize,
    padded: usize,
    /// Number of blocks, the first ones, whose values are in another order: see [`Axis::with_rotated`].
    reordered: usize,
    /// Number of rotated pairs of values of such a block.
    pairs: usize,
    /// Whether blocks of the first and of the second half take turns: see [`Axis::in_turns`].
    in_turns: bool,
}

impl Axis {
    pub(crate) fn new(blocks: usize, width: usize) -> Self {
        Self { blocks, width, padded: width.next_multiple_of(LANES), reordered: 0, pairs: 0, in_turns: false }
    }

    /// Returns an axis without values.
    pub(super) const fn none() -> Self {
        Self { blocks: 0, width: LANES, padded: LANES, reordered: 0, pairs: 0, in_turns: false }
    }

    /// Returns the axis of heads of which the first `blocks` rotate their first `rotated` values alone. The kernels rotate
    /// each value of a head's first half with the one at the same index in the second half. So the second half of the
    /// rotated values changes sides with those between it and the head's second half.
    pub(super) fn with_rotated(self, blocks: usize, rotated: usize) -> Self {
        Self { reordered: if rotated < self.width { blocks } else { 0 }, pairs: rotated / 2, ..self }
    }

    /// Returns the axis of blocks of two kinds that take turns, as each head's query and gate do. The padded values have all blocks
    /// of the first kind, then all of the second. Blocks of [`Axis::with_rotated`] are counted in this order.
    pub(super) fn in_turns(self) -> Self {
        Self { in_turns: true, ..self }
    }

    /// Returns the block of the values that is a block of the padded ones.
    fn source(self, padded: usize) -> usize {
        let half = self.blocks / 2;
        if self.in_turns { padded % half * 2 + padded / half } else { padded }
    }

    /// Returns the block of the padded values that is a block of the values: the inverse of [`Axis::source`].
    fn target(self, block: usize) -> usize {
        if self.in_turns { block % 2 * (self.blocks / 2) + block / 2 } else { block }
    }

    /// Returns the part of a block in which the padded values have the values in another order: the first `pairs` come last.
    fn moved(self, block: usize) -> Option<Range<usize>> {
        (block < self.reordered).then_some(self.pairs..self.width / 2 + self.pairs)
    }

    /// Returns the number of values.
    pub(crate) fn len(self) -> usize {
        self.blocks * self.width
    }

    /// Returns the number of values, padding included.
    pub(crate) fn padded_len(self) -> usize {
        self.blocks * self.padded
    }

    /// Returns whether every value is at its index.
    pub(crate) fn is_plain(self) -> bool {
        self.width == self.padded && self.reordered == 0 && !self.in_turns
    }

    /// Returns the index of the value at an index of the padded ones; `None` for padding.
    pub(crate) fn index(self, padded: usize) -> Option<usize> {
        let (block, offset) = (padded / self.padded, padded % self.padded);
        let offset = match self.moved(block) {
            Some(moved) if moved.contains(&offset) => moved.start + (offset - moved.start + self.pairs) % moved.len(),
            _ => offset,
        };
        (offset < self.width).then_some(self.source(block) * self.width + offset)
    }

    /// Returns the index of a value among the padded ones.
    pub(crate) fn padded_index(self, index: usize) -> usize {
        let (block, offset) = (self.target(index / self.width), index % self.width);
        let offset = match self.moved(block) {
            Some(moved) if moved.contains(&offset) => {
                moved.start + (offset - moved.start + moved.len() - self.pairs) % moved.len()
            }
            _ => offset,
        };
        block * self.padded + offset
    }

    /// Copies values to their padded indices.
    pub(crate) fn spread(self, values: &[f32], padded: &mut [f32]) {
        for (block, padded) in padded.chunks_exact_mut(self.padded).enumerate().take(self.blocks) {
            padded[..self.width].copy_from_slice(&values[self.source(block) * self.width..][..self.width]);
            if let Some(moved) = self.moved(block) {
                padded[moved].rotate_left(self.pairs);
            }
        }
    }

    /// Copies values from their padded indices, the inverse of [`Axis::spread`].
    pub(crate) fn gather(self, padded: &[f32], values: &mut [f32]) {
        for (block, padded) in padded.chunks_exact(self.padded).enumerate().take(self.blocks) {
            let values = &mut values[self.source(block) * self.width..][..self.width];
            values.copy_from_slice(&padded[..self.width]);
            if let Some(moved) = self.moved(block) {
                values[moved].rotate_right(self.pairs);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_partly_rotated_heads_have_indices() {
        // Three of six heads of ten values, six of which rotate: values 3 to 5 are the second half of these.
        let axis = Axis::new(6, 10).with_rotated(3, 6);
        let head: Vec<usize> = (0..10).map(|index| axis.padded_index(index)).collect();
        assert_eq!(head, [0, 1, 2, 5, 6, 7, 3, 4, 8, 9]);
        let queries_and_gates = Axis::new(6, 10).in_turns();
        assert_eq!([0, 10, 20].map(|index| queries_and_gates.padded_index(index)), [0, 3 * 16, 16]);
        for axis in [
            axis,
            Axis::new(6, 10).with_rotated(3, 10),
            Axis::new(2, 7),
            Axis::new(3, 96).with_rotated(2, 72),
            queries_and_gates,
            queries_and_gates.with_rotated(3, 4),
        ] {
            let values: Vec<f32> = (0..axis.len()).map(|index| index as f32 + 1.0).collect();
            let (mut padded, mut back) = (vec![0.0; axis.padded_len()], vec![0.0; axis.len()]);
            axis.spread(&values, &mut padded);
            axis.gather(&padded, &mut back);
            assert_eq!(back, values);
            for (at, value) in padded.iter().enumerate() {
                let index = axis.index(at);
                assert_eq!(index.map_or(0.0, |index| values[index]), *value, "{axis:?} {at}");
                assert!(index.is_none_or(|index| axis.padded_index(index) == at), "{axis:?} {at}");
            }
        }
        assert_eq!(axis.padded_index(35), 3 * 16 + 5, "the other heads do not rotate");
    }
}
