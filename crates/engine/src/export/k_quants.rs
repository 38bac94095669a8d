//! Integers with scales for groups of a block of 256 weights, as llama.cpp has them: Q4_K and Q6_K.
//!
//! The scale of a group is found by least squares: weights are rounded on several grids near that of the largest weight, the best
//! scale (and offset) for each rounding is computed, and the one with the least weighted error is taken. The scales of a block
//! then become integers with a scale in f16, and the weights are rounded again, with these.
//!
//! llama.cpp's reference takes the same grids and weights, so its files differ in few numbers if at all: where sums of f32 in
//! another order decide.

use crate::kernels::{f16_bits, half_to_f32};

/// Number of weights of a block.
const BLOCK: usize = 256;
/// Size in bytes of a block.
const Q4_K_BYTES: usize = 144;
const Q6_K_BYTES: usize = 210;

/// Number of weights that share a scale in Q4_K, and in Q6_K.
const GROUP_4: usize = 32;
const GROUP_6: usize = 16;
/// Largest number of four bits, and of the scales of Q4_K.
const LEVELS_4: f32 = 15.0;
const SCALES_4: f32 = 63.0;
/// Bound of the numbers of Q6_K, which are signed, and of its scales.
const LEVELS_6: f32 = 32.0;
const SCALES_6: f32 = 128.0;
/// Magnitude of scales below which a group is zero.
const NO_SCALE: f32 = 1e-15;

/// Divides; zero for a divisor of zero.
fn divided(value: f32, divisor: f32) -> f32 {
    if divisor == 0.0 { 0.0 } else { value / divisor }
}

/// Rounds to Q4_K: numbers from 0 to 15, a scale and an offset for 32 of them.
pub(super) fn q4_k(values: &[f32], bytes: &mut [u8]) {
    for (values, block) in values.as_chunks::<BLOCK>().0.iter().zip(bytes.as_chunks_mut::<Q4_K_BYTES>().0) {
        let groups = values.as_chunks::<GROUP_4>().0;
        let found: Vec<Affine> = groups.iter().map(Affine::of).collect();
        let largest = |part: fn(&Affine) -> f32| found.iter().map(part).fold(0.0, f32::max);
        let (largest_scale, largest_offset) = (largest(|found| found.scale), largest(|found| found.offset));
        let to_number = |value: f32, largest: f32| (divided(SCALES_4, largest) * value).round_ties_even().min(SCALES_4);
        let (scale, offset) = (f16_bits(largest_scale / SCALES_4), f16_bits(largest_offset / SCALES_4));
        block.fill(0);
        block[..2].copy_from_slice(&scale.to_le_bytes());
        block[2..4].copy_from_slice(&offset.to_le_bytes());
        let (head, numbers) = block.split_at_mut(16);
        let mut levels = [0; BLOCK];
        for (index, (group, found)) in groups.iter().zip(&found).enumerate() {
            let scale_number = to_number(found.scale, largest_scale);
            let offset_number = to_number(found.offset, largest_offset);
            set_scales(&mut head[4..], index, scale_number as u8, offset_number as u8);
            let (scale, offset) = (half_to_f32(scale) * scale_number, half_to_f32(offset) * offset_number);
            for (level, value) in levels[index * GROUP_4..].iter_mut().zip(group) {
                *level = divided(value + offset, scale).round_ties_even().clamp(0.0, LEVELS_4) as u8;
            }
        }
        // Two groups share bytes.
        for (pair, bytes) in levels.as_chunks::<64>().0.iter().zip(numbers.as_chunks_mut::<32>().0) {
            let (low, high) = pair.split_at(GROUP_4);
            for (byte, (low, high)) in bytes.iter_mut().zip(low.iter().zip(high)) {
                *byte = low | high << 4;
            }
        }
    }
}

/// Packs a scale and an offset of six bits. The upper two bits of the last four groups are in the bytes of the first four.
fn set_scales(packed: &mut [u8], group: usize, scale: u8, offset: u8) {
    if group < 4 {
        packed[group] |= scale;
        packed[group + 4] |= offset;
    } else {
        packed[group + 4] = scale & 15 | offset << 4;
        packed[group - 4] |= scale >> 4 << 6;
        packed[group] |= offset >> 4 << 6;
    }
}

/// A grid of a group: `scale · number − offset`.
struct Affine {
    scale: f32,
    offset: f32,
}

impl Affine {
    /// Returns the grid of least error, in which large weights count more.
    fn of(values: &[f32; GROUP_4]) -> Self {
        let mean_square = values.iter().map(|value| value * value).sum::<f32>() / GROUP_4 as f32;
        let weights = values.map(|value| mean_square.sqrt() + value.abs());
        let least = values.iter().copied().fold(0.0, f32::min);
        let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        if most == least {
            return Self { scale: 0.0, offset: -least };
        }
        let sum_weights: f32 = weights.iter().sum();
        let sum_values: f32 = weights.iter().zip(values).map(|(weight, value)| weight * value).sum();
        let round = |inverse: f32, least: f32| {
            values.map(|value| (inverse * (value - least)).round_ties_even().clamp(0.0, LEVELS_4))
        };
        let error = |numbers: &[f32; GROUP_4], scale: f32, least: f32| -> f32 {
            let each = numbers.iter().zip(values).zip(&weights);
            each.map(|((number, value), weight)| weight * (scale * number + least - value).powi(2)).sum()
        };
        let inverse = LEVELS_4 / (most - least);
        let mut best = (error(&round(inverse, least), 1.0 / inverse, least), 1.0 / inverse, least);
        for step in 0..=20 {
            // The next grids begin at the best offset so far.
            let numbers = round((-1.0 + 0.1 * step as f32 + LEVELS_4) / (most - best.2), best.2);
            let (mut sum, mut sum_squares, mut sum_products) = (0.0, 0.0, 0.0);
            for ((number, value), weight) in numbers.iter().zip(values).zip(&weights) {
                sum += weight * number;
                sum_squares += weight * number * number;
                sum_products += weight * number * value;
            }
            let determinant = sum_weights * sum_squares - sum * sum;
            if determinant <= 0.0 {
                continue;
            }
            let mut scale = (sum_weights * sum_products - sum_values * sum) / determinant;
            let mut offset = (sum_squares * sum_values - sum * sum_products) / determinant;
            // The format has no positive one.
            if offset > 0.0 {
                (scale, offset) = (sum_products / sum_squares, 0.0);
            }
            let found = error(&numbers, scale, offset);
            if found < best.0 {
                best = (found, scale, offset);
            }
        }
        Self { scale: best.1, offset: -best.2 }
    }
}

/// Rounds to Q6_K: numbers from -32 to 31, a scale for 16 of them.
pub(super) fn q6_k(values: &[f32], bytes: &mut [u8]) {
    for (values, block) in values.as_chunks::<BLOCK>().0.iter().zip(bytes.as_chunks_mut::<Q6_K_BYTES>().0) {
        let groups = values.as_chunks::<GROUP_6>().0;
        let scales: Vec<f32> = groups.iter().map(symmetric_scale).collect();
        let larger = |largest: f32, scale: &f32| if scale.abs() > largest.abs() { *scale } else { largest };
        let largest = scales.iter().fold(0.0, larger);
        block.fill(0);
        if largest.abs() < NO_SCALE {
            continue;
        }
        let to_number = -SCALES_6 / largest;
        let scale = f16_bits(1.0 / to_number);
        block[Q6_K_BYTES - 2..].copy_from_slice(&scale.to_le_bytes());
        let mut levels = [0; BLOCK];
        for (index, (group, found)) in groups.iter().zip(&scales).enumerate() {
            let number = (to_number * found).round_ties_even().min(SCALES_6 - 1.0);
            block[192 + index] = (number as i8).cast_unsigned();
            let scale = half_to_f32(scale) * number;
            if scale == 0.0 {
                continue;
            }
            for (level, value) in levels[index * GROUP_6..].iter_mut().zip(group) {
                *level = (symmetric(value / scale) + LEVELS_6) as u8;
            }
        }
        let (low, rest) = block.split_at_mut(128);
        for (half, levels) in levels.as_chunks::<128>().0.iter().enumerate() {
            for index in 0..32 {
                let level = |quarter: usize| levels[quarter * 32 + index];
                low[half * 64 + index] = level(0) & 15 | (level(2) & 15) << 4;
                low[half * 64 + 32 + index] = level(1) & 15 | (level(3) & 15) << 4;
                rest[half * 32 + index] = level(0) >> 4 | level(1) >> 4 << 2 | level(2) >> 4 << 4 | level(3) >> 4 << 6;
            }
        }
    }
}

/// Returns the nearest number of six bits.
fn symmetric(value: f32) -> f32 {
    value.round_ties_even().clamp(-LEVELS_6, LEVELS_6 - 1.0)
}

/// Returns the scale of least error of a group, in which a weight counts by its square.
fn symmetric_scale(values: &[f32; GROUP_6]) -> f32 {
    let larger = |largest: f32, value: &f32| if value.abs() > largest.abs() { *value } else { largest };
    let largest = values.iter().fold(0.0, larger);
    if largest.abs() < NO_SCALE {
        return 0.0;
    }
    let sums = |inverse: f32| {
        values.iter().fold((0.0, 0.0), |(products, squares), value| {
            let (weight, number) = (value * value, symmetric(inverse * value));
            (products + weight * value * number, squares + weight * number * number)
        })
    };
    let (products, squares) = sums(-LEVELS_6 / largest);
    let mut scale = if squares == 0.0 { 0.0 } else { products / squares };
    let mut best = scale * products;
    for step in (-9..=9).filter(|step| *step != 0) {
        let (products, squares) = sums(-(LEVELS_6 + 0.1 * step as f32) / largest);
        if squares > 0.0 && products * products > best * squares {
            scale = products / squares;
            best = scale * products;
        }
    }
    scale
}

#[cfg(test)]
mod tests {
    use super::super::ElementType;
    use super::*;

    /// Blocks of llama.cpp's reference functions (`quantize_row_q4_K_ref` and so on), made of the same values.
    #[test]
    fn blocks_are_those_of_llama_cpp() {
        let values: Vec<f32> = (0..BLOCK as i32).map(|i| ((i * i * 7 + i * 13) % 101 - 37) as f32 * 0.03125).collect();
        for (element, count, expected) in
            [(ElementType::Q4K, 256, Q4_K), (ElementType::Q6K, 256, Q6_K), (ElementType::Q5_0, 32, Q5_0)]
        {
            let mut bytes = vec![0; element.row_bytes(count)];
            element.encode(&values[..count], &mut bytes);
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hex, expected, "{element}");
        }
    }

    #[test]
    fn equal_and_absent_weights_have_finite_blocks() {
        for (value, element) in [0.0, 0.5, -0.5, 1e-30, 4e6]
            .into_iter()
            .flat_map(|value| [ElementType::Q4K, ElementType::Q6K].map(|element| (value, element)))
        {
            let mut bytes = vec![0; element.row_bytes(BLOCK)];
            element.encode(&[value; BLOCK], &mut bytes);
            let scale = if element == ElementType::Q4K { &bytes[..2] } else { &bytes[Q6_K_BYTES - 2..] };
            assert!(half_to_f32(u16::from_le_bytes([scale[0], scale[1]])).is_finite(), "{element} {value}");
        }
    }

    const Q4_K: &str = "a41ab624fdfdfcfcfdf9f8fcff7ccfcd10b378607aa6f46507cca3add8269628ddb3bcd7158406ba808893d03fb064291192460bf30d398808ab\
         6048517dcb3bdd8269628dda3acc70564f6aa706873bd03fb06429112b68b637da9f8781bc0a7b1dd2b9b2dd2b9b2dd2a8a1cb0968f96aa70687\
         3b01f903409e10b3886079a6f47407cca3bcd8269628dcb3bcd71484";
    const Q6_K: &str = "0bcce47a9d0f076549825b70241faf9468b85acb74f50fa213c70914b1e397d4ff4d793e1b41907c312af05f47bca58c004afaf24107b4289456\
         70f1d9a84ecb13b2e297d4ff4d793e1b41907c312af07c529e23be014afbf34107b429945770f029377e9c401c3e7749f0d096e4b81509ce17ae\
         0ef67cc55cc76fe0ea71ec90bb6295c724c59256dd407690b1490589006250614e069d017795865318d356895358d35689ee18e5b149b1245577\
         505d2468d2016200189458930127001da561a48481979a8083a480959a8183a48381ab0f";
    const Q5_0: &str = "40afeb04726d4a455bda29300392adb554a40caf4fac";
}
