//! Number formats of matrices: the layout of their weights in panels and in files, rounding, packing and unpacking.
//!
//! What a product computes from the weights is no part of a format's layout, and stands in [`products`](super::products).
//! A quantisation is a row of [`BlockFormat`], and its move from a file beside `nibbles`; numbers of other bits also have a
//! [`Packed`] and its loads in [`pairs`](super::units::pairs). So
//! a model in a format that only files have needs no code outside of this directory but a row in the table of file types.
//!
//! Rejected: a trait object for each format. Panels of one matrix are all alike, so a format is matched once for a task, and
//! the compiler sees all sizes of a group.

mod columns;
pub(crate) mod compressed;
mod format;
mod grouped;
pub(crate) mod groups;
mod nibbles;
mod panel;
mod panels;
mod q6k;
mod quantise;
mod stored;
mod unpack;

pub use columns::StoredColumns;
pub(crate) use compressed::{CompressedPairs, expand};
pub use format::{MatrixFormat, UnknownWeightFormat, WeightFormat};
pub(crate) use grouped::{transpose_pairs, transposed_pair};
pub use groups::BlockFormat;
pub(crate) use groups::{
    Eight, Five, FiveUnsigned, Four, FourUnsigned, GROUP, Groups, Numbers, PAIRS, Packed, Six, UNPACKED_PAIRS,
};
pub(crate) use panel::Panel;
pub use panel::{PANEL, Segment};
pub use panels::Panels;
pub(crate) use panels::{Source, Weights};
pub use stored::are_finite_in_file;
pub(crate) use stored::{pack_groups, pack_pairs};
pub(crate) use unpack::{for_pairs, of_numbers, unpack_numbers};
