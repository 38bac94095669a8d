//! Numbers of sixteen bits: bf16, the upper half of an f32, and f16.
//!
//! Conversions live at the bottom, below the vectors, since the portable vectors are made of them and the others are
//! compared with those. Units of the processor treat subnormal numbers as zero; so no number here that a product reads is
//! one: see [`MIN_FACTOR`].

/// Bits of 2^-56 as an f32.
pub(crate) const MIN_FACTOR: u32 = (127 - 56) << 23;
/// Bits of an f32 without its sign.
pub(crate) const MAGNITUDE: u32 = 0x7fff_ffff;

/// Returns the bf16 nearest to `x` (ties to even) in the upper half; zero below 2^-56 in magnitude.
#[inline(always)]
pub(crate) fn rounded(x: f32) -> u32 {
    let bits = x.to_bits();
    let even = (bits >> 16) & 1;
    let rounded = bits.wrapping_add(0x7fff + even) & 0xffff_0000;
    let nan = (bits | 0x0040_0000) & 0xffff_0000;
    let magnitude = bits & MAGNITUDE;
    let value = if magnitude > 0x7f80_0000 { nan } else { rounded };
    if magnitude < MIN_FACTOR { 0 } else { value }
}

/// Returns the result of [`rounded`] as a bf16.
pub fn bf16_bits(x: f32) -> u16 {
    (rounded(x) >> 16) as u16
}

/// Returns the result of [`rounded`] as a number.
pub fn round_to_bf16(x: f32) -> f32 {
    f32::from_bits(rounded(x))
}

/// Returns one or two values as a pair.
#[inline(always)]
pub(crate) fn pair_of(x: &[f32]) -> u32 {
    rounded(x[0]) | x.get(1).map_or(0, |second| rounded(*second) >> 16)
}

/// Largest finite f16.
pub(crate) const MAX_F16: f32 = 65504.0;

/// Returns the f16 nearest to a finite `x` of at most [`MAX_F16`], ties to even.
#[inline(always)]
pub(crate) fn f16_bits(x: f32) -> u16 {
    // Adding this power of two leaves a multiple of the last place that an f16 of this magnitude has.
    let magnitude = x.abs();
    let exponent = (magnitude.to_bits() >> 23).max(127 - 14);
    let rounder = f32::from_bits((exponent + 13) << 23);
    let rounded = (magnitude + rounder) - rounder;
    // In units of 2^112, the exponents of f32 are those of f16, also of subnormal ones.
    let bits = (rounded * f32::from_bits((127 - 112) << 23)).to_bits() >> 13;
    bits as u16 | (x.to_bits() >> 16 & 0x8000) as u16
}

/// Returns the value of a finite f16.
#[inline(always)]
pub(crate) fn f16_value(bits: u16) -> f32 {
    let magnitude = f32::from_bits(u32::from(bits & 0x7fff) << 13) * f32::from_bits((127 + 112) << 23);
    f32::from_bits(magnitude.to_bits() | u32::from(bits & 0x8000) << 16)
}

/// Returns the value of a bf16.
pub(crate) fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// Returns the value of an f16.
pub(crate) fn half_to_f32(bits: u16) -> f32 {
    if bits & 0x7c00 < 0x7c00 {
        return f16_value(bits);
    }
    // Infinity or NaN.
    f32::from_bits(u32::from(bits & 0x8000) << 16 | 0x7f80_0000 | u32::from(bits & 0x3ff) << 13)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_f16_is_read_and_written_back() {
        for bits in (0..=0xffff_u16).filter(|bits| bits & 0x7c00 != 0x7c00) {
            let exponent = i32::from(bits >> 10 & 31);
            let mantissa = f64::from(bits & 1023) + if exponent == 0 { 0.0 } else { 1024.0 };
            let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
            let value = sign * mantissa * 2f64.powi(exponent.max(1) - 25);
            assert_eq!(f64::from(f16_value(bits)), value);
            assert_eq!(f16_bits(value as f32), bits);
            // A quarter of the way to the next one is rounded back, three quarters are not.
            if bits & 0x7fff < 0x7bff {
                let next = f64::from(f16_value(bits + 1));
                assert_eq!(f16_bits((value + 0.25 * (next - value)) as f32), bits);
                assert_eq!(f16_bits((value + 0.75 * (next - value)) as f32), bits + 1);
                let even = if bits % 2 == 0 { bits } else { bits + 1 };
                assert_eq!(f16_bits((value + 0.5 * (next - value)) as f32), even);
            }
        }
    }
}
