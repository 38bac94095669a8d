//! Philox4x32-10: a counter-based random generator (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1,
//! 2, 3", 2011). The numbers are a pure function of key and counter, so they do not depend on the order of calls.

const MULTIPLIERS: [u32; 2] = [0xd251_1f53, 0xcd9e_8d57];
const WEYL: [u32; 2] = [0x9e37_79b9, 0xbb67_ae85];
const ROUNDS: u32 = 10;

/// Returns the four words at `counter` of the stream `key`.
pub fn philox4x32(key: [u32; 2], counter: [u32; 4]) -> [u32; 4] {
    let mut words = counter;
    let mut key = key;
    for round in 0..ROUNDS {
        if round > 0 {
            key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
        }
        let [low0, high0] = multiply(MULTIPLIERS[0], words[0]);
        let [low1, high1] = multiply(MULTIPLIERS[1], words[2]);
        words = [high1 ^ words[1] ^ key[0], low1, high0 ^ words[3] ^ key[1], low0];
    }
    words
}

/// Returns the low and the high half of the product.
fn multiply(left: u32, right: u32) -> [u32; 2] {
    let product = u64::from(left) * u64::from(right);
    [product as u32, (product >> 32) as u32]
}

/// Returns a number in [0, 1) with 53 random bits, for the token at `position` of sample `sample_index` under `seed`.
pub fn uniform(seed: u64, sample_index: u32, position: u64) -> f64 {
    let words =
        philox4x32([seed as u32, (seed >> 32) as u32], [position as u32, (position >> 32) as u32, sample_index, 0]);
    let bits = (u64::from(words[0]) << 32) | u64::from(words[1]);
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors of the Random123 distribution (`kat_vectors`).
    #[test]
    fn known_answers() {
        assert_eq!(philox4x32([0; 2], [0; 4]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox4x32([u32::MAX; 2], [u32::MAX; 4]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        assert_eq!(
            philox4x32([0xa409_3822, 0x299f_31d0], [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn every_part_of_the_key_counts() {
        let base = uniform(1, 2, 3);
        assert_eq!(base, uniform(1, 2, 3));
        for other in [uniform(1 << 40, 2, 3), uniform(1, 3, 3), uniform(1, 2, 4), uniform(1, 2, 3 + (1 << 33))] {
            assert!((0.0..1.0).contains(&other));
            assert_ne!(base, other);
        }
    }
}
