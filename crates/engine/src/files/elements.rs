//! Elements of tensors as f32.

use crate::kernels::{bf16_to_f32, half_to_f32};

/// Reads f32 in little-endian order.
pub(crate) fn read_f32(bytes: &[u8], values: &mut [f32]) {
    values.iter_mut().zip(bytes.as_chunks().0).for_each(|(value, bytes)| *value = f32::from_le_bytes(*bytes));
}

/// Reads bf16 in little-endian order as f32.
pub(crate) fn read_bf16(bytes: &[u8], values: &mut [f32]) {
    let bits = bytes.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
    values.iter_mut().zip(bits).for_each(|(value, bits)| *value = bf16_to_f32(bits));
}

/// Reads f16 in little-endian order as f32.
pub(crate) fn read_f16(bytes: &[u8], values: &mut [f32]) {
    let bits = bytes.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
    values.iter_mut().zip(bits).for_each(|(value, bits)| *value = half_to_f32(bits));
}
