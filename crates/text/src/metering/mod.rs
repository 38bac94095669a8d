//! Limits of memory and time for templates, which come from strangers.
//!
//! Fuel limits the instructions of a rendering. An instruction may copy texts and lists of any size, so each one that
//! does so is preceded by a charge to the rendering's [`Allowance`], before anything is allocated. [`instructions`]
//! inserts the charges, [`costs`] computes them, and [`values`] has lists and maps of limited depth.

mod allowance;
mod costs;
mod filters;
mod instructions;
mod source;
mod values;

pub(super) use self::costs::{shown, weigh};
pub(super) use self::filters::install;
pub(super) use self::instructions::metered;
pub(super) use self::source::{COMPILE_STACK, prepared};
pub(super) use self::values::of_json;

#[cfg(test)]
mod tests;
