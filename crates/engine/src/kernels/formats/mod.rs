//! Number formats of matrices: the layout of their weights in panels and in files, rounding, packing and unpacking.
//!
//! What a product computes from the weights is no part of a format's layout, and stands in [`products`](super::products).
//! A quantisation is a row of [`Bits`], its loads in [`pairs`](super::units::pairs) and its
//! [`Packed`], and its move from a file beside `q6k`; [`MatrixFormat`] names it. So
//! a model in a format that only files have needs no code outside of this directory but a row in the table of file types.
//!
//! Rejected: a trait object for each format. Panels of one matrix are all alike, so a format is matched once for a task, and
//! the compiler sees all sizes of a group.

mod columns;
pub(crate) mod compressed;
mod format;
mod grouped;
pub(crate) mod groups;
mod panel;
mod panels;
mod q6k;
mod quantise;
mod stored;
mod unpack;

pub use columns::StoredColumns;
pub(crate) use compressed::{CompressedPairs, expand};
pub use format::{MatrixFormat, UnknownWeightFormat, WeightFormat};
pub(crate) use groups::{Bits, Eight, Four, GROUP, Groups, PAIRS, Packed, Six, UNPACKED_PAIRS};
pub use panel::PANEL;
pub(crate) use panel::Panel;
pub use panels::Panels;
pub(crate) use panels::{Source, Weights};
#[cfg(test)]
pub(crate) use q6k::{Q6K_BYTES, Q6K_WEIGHTS};
pub use stored::are_finite_in_file;
pub(crate) use stored::{pack_groups, pack_pairs, read_blocks};
pub(crate) use unpack::{for_pairs, of_bits, unpack_numbers};
