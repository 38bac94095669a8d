//! Detection of the instruction sets of this CPU. Which one is the fastest is in part measured, so this stands above the kernels
//! that measure, and no instruction set names it.

use std::str::FromStr;
use std::sync::OnceLock;

use super::instruction_set::InstructionSet;
#[cfg(target_arch = "aarch64")]
use super::neon::{Neon, NeonBf16};
#[cfg(target_arch = "x86_64")]
use super::peak::is_f32_faster;
use super::simd::Portable;
#[cfg(target_arch = "x86_64")]
use super::tiles::Tiles;
#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Avx512Bf16};

impl InstructionSet {
    /// Returns the instruction sets of this CPU, fastest first.
    pub fn available() -> Vec<Self> {
        let mut sets = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            static IS_F32_FASTER: OnceLock<bool> = OnceLock::new();
            if let Some(unit) = Avx512Bf16::detect() {
                let faster = *IS_F32_FASTER.get_or_init(|| is_f32_faster(Self::Avx512Bf16(unit)));
                static TILES: OnceLock<Option<Tiles>> = OnceLock::new();
                let tiles = *TILES.get_or_init(Tiles::detect);
                if tiles.is_some() {
                    sets.push(Self::Avx512Bf16(unit.with_f32(faster).with_tiles(tiles)));
                }
                sets.push(Self::Avx512Bf16(unit.with_f32(faster)));
                #[cfg(test)]
                sets.push(Self::Avx512Bf16(unit.with_f32(!faster)));
            }
            sets.extend(Avx512::detect().map(Self::Avx512));
            sets.extend(Avx2::detect().map(Self::Avx2));
        }
        #[cfg(target_arch = "aarch64")]
        {
            sets.extend(NeonBf16::detect().map(Self::NeonBf16));
            sets.extend(Neon::detect().map(Self::Neon));
        }
        sets.push(Self::Portable(Portable));
        sets
    }

    /// Returns the fastest instruction set of this CPU.
    pub fn best() -> Self {
        static BEST: OnceLock<InstructionSet> = OnceLock::new();
        *BEST.get_or_init(|| Self::available()[0])
    }
}

/// Error of an instruction set that this CPU does not have.
#[derive(Debug, thiserror::Error)]
#[error("this processor has no {name:?}; write one of {}", available.join(", "))]
pub struct MissingInstructionSet {
    name: String,
    available: Vec<&'static str>,
}

impl FromStr for InstructionSet {
    type Err = MissingInstructionSet;

    /// Returns the instruction set of this name if this CPU has it.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let available = Self::available();
        available.iter().find(|set| set.name() == name).copied().ok_or_else(|| MissingInstructionSet {
            name: name.to_owned(),
            available: available.iter().map(|set| set.name()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_set_is_found_by_its_name_or_its_error_names_those_there_are() {
        for set in InstructionSet::available() {
            assert_eq!(set.name().parse::<InstructionSet>().unwrap().name(), set.name());
        }
        let error = "mmx".parse::<InstructionSet>().unwrap_err().to_string();
        assert!(
            error.starts_with("this processor has no \"mmx\"; write one of ") && error.ends_with("portable"),
            "{error}"
        );
    }
}
