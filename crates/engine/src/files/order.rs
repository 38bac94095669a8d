//! Orders of rows and of their values in which llama.cpp stores matrices.

use crate::config::ModelConfig;

/// An order of indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The halves of each head of so many rows, which rotate together, take turns: a row of the first half, then the one of the
    /// second half.
    Halves(usize),
    /// From index `first` on, the first head of each group, then the second of each; Hugging Face has one group after the other.
    Tiles {
        first: usize,
        groups: usize,
        /// Number of heads of a group.
        each: usize,
        /// Number of indices of a head.
        width: usize,
    },
}

impl Order {
    /// Returns the index in the file of an index of Hugging Face's.
    pub(crate) fn stored(self, index: usize) -> usize {
        match self {
            Self::Halves(head) => {
                let (first, within) = (index / head * head, index % head);
                first + if within < head / 2 { 2 * within } else { 2 * (within - head / 2) + 1 }
            }
            Self::Tiles { first, groups, each, width } => {
                tiled(index, first, width, |head| head % each * groups + head / each)
            }
        }
    }

    /// Returns the index of Hugging Face's that is an index in the file: the inverse of [`Order::stored`].
    pub(crate) fn source(self, index: usize) -> usize {
        match self {
            Self::Halves(head) => {
                let (first, within) = (index / head * head, index % head);
                first + within % 2 * (head / 2) + within / 2
            }
            Self::Tiles { first, groups, each, width } => {
                tiled(index, first, width, |head| head % groups * each + head / groups)
            }
        }
    }

    /// Returns whether so many indices are whole heads.
    pub(crate) fn is_of(self, len: usize) -> bool {
        match self {
            Self::Halves(head) => head > 0 && head.is_multiple_of(2) && len.is_multiple_of(head),
            Self::Tiles { first, groups, each, width } => len == first + groups * each * width,
        }
    }
}

/// Returns an index whose head, of those from `first` on, is replaced by another.
fn tiled(index: usize, first: usize, width: usize, replace: impl Fn(usize) -> usize) -> usize {
    match index.checked_sub(first) {
        None => index,
        Some(index) => first + replace(index / width) * width + index % width,
    }
}

/// Returns the order of the rows of a tensor, by Hugging Face's name, and that of the values of a row; `None` if it is the same. A
/// vector is one row.
pub(crate) fn orders(name: &str, config: &ModelConfig) -> [Option<Order>; 2] {
    let is_rotated = name.contains(".self_attn.q_proj.") || name.contains(".self_attn.k_proj.");
    if is_rotated && config.family.traits().gguf_reorders_heads {
        return [Some(Order::Halves(config.head_dim)), None];
    }
    let Some(delta) = config.delta.as_ref().filter(|delta| delta.key_heads != delta.value_heads) else {
        return [None; 2];
    };
    let tiles = |first: usize, width: usize| {
        Some(Order::Tiles { first, groups: delta.key_heads, each: delta.value_heads / delta.key_heads, width })
    };
    match name.rsplit_once(".linear_attn.").map_or("", |(_, part)| part) {
        "in_proj_qkv.weight" | "conv1d.weight" => [tiles(delta.mixed() - delta.values(), delta.value_dim), None],
        "in_proj_z.weight" => [tiles(0, delta.value_dim), None],
        "in_proj_a.weight" | "in_proj_b.weight" => [tiles(0, 1), None],
        "A_log" | "dt_bias" => [None, tiles(0, 1)],
        "out_proj.weight" => [None, tiles(0, delta.value_dim)],
        _ => [None; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_in_a_file_is_that_of_its_source() {
        let tiles = Order::Tiles { first: 4, groups: 2, each: 3, width: 2 };
        // Heads 0 to 2 are the first group.
        let found: Vec<usize> = (0..16).map(|index| tiles.source(index)).collect();
        assert_eq!(found, [0, 1, 2, 3, 4, 5, 10, 11, 6, 7, 12, 13, 8, 9, 14, 15]);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|index| Order::Halves(6).source(index)), [0, 3, 1, 4, 2, 5]);
        for (order, len) in [(tiles, 16), (Order::Halves(6), 18)] {
            assert!(order.is_of(len) && !order.is_of(len + 1), "{order:?}");
            assert!((0..len).all(|index| order.stored(order.source(index)) == index), "{order:?}");
        }
    }
}
