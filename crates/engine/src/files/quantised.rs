//! Matrices of safetensors files with quantised weights.
//!
//! A weight is `scale * (number - zero)`. Scale and zero point belong to an output and a group of inputs. Numbers and zero
//! points are packed into words of 32 bits. Formats: those that GPTQModel, AutoAWQ and compressed-tensors write. Of a map
//! `NAME` the files have:
//!
//! | | GPTQ, AWQ | compressed-tensors |
//! |---|---|---|
//! | numbers | `NAME.qweight` | `NAME.weight_packed` |
//! | zero points | `NAME.qzeros` | `NAME.weight_zero_point`; without it half of the range |
//! | scales | `NAME.scales` `[groups, outputs]` | `NAME.weight_scale` `[outputs, groups]` |
//! | group of each input, unless they are runs | `NAME.g_idx` | `NAME.weight_g_idx` |
//! | outputs and inputs | | `NAME.weight_shape` |

use safetensors::Dtype;

use super::error::LoadError;
use crate::config::{Packing, Quantisation};
use crate::kernels::{bf16_to_f32, half_to_f32};

/// Position in a word of AWQ of each of eight consecutive outputs.
const AWQ_POSITIONS: [usize; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

/// A tensor as it is stored.
pub(crate) struct Part<'a> {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) data: &'a [u8],
    pub(crate) dtype: Dtype,
}

/// The stored parts of a matrix.
pub(crate) struct Parts<'a> {
    pub(crate) numbers: Part<'a>,
    pub(crate) zeros: Option<Part<'a>>,
    pub(crate) scales: Part<'a>,
    pub(crate) group_indices: Option<Part<'a>>,
}

/// Ends of the parts' names.
pub(crate) struct Suffixes {
    pub(crate) numbers: &'static str,
    pub(crate) zeros: &'static str,
    pub(crate) scales: &'static str,
    pub(crate) group_indices: &'static str,
    /// Sizes that those of the numbers say already.
    pub(crate) sizes: Option<&'static str>,
}

impl Packing {
    /// Returns whether tables of groups have outputs as their rows.
    fn has_output_rows(self) -> bool {
        matches!(self, Self::PackQuantised { .. })
    }

    pub(crate) fn suffixes(self) -> Suffixes {
        match self {
            Self::Gptq { .. } | Self::Awq => Suffixes {
                numbers: ".qweight",
                zeros: ".qzeros",
                scales: ".scales",
                group_indices: ".g_idx",
                sizes: None,
            },
            Self::PackQuantised { .. } => Suffixes {
                numbers: ".weight_packed",
                zeros: ".weight_zero_point",
                scales: ".weight_scale",
                group_indices: ".weight_g_idx",
                sizes: Some(".weight_shape"),
            },
        }
    }
}

/// A matrix `[outputs, inputs]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct QuantisedMatrix<'a> {
    quantisation: Quantisation,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    numbers: &'a [u8],
    /// `None` if each is half of the numbers' range.
    zeros: Option<&'a [u8]>,
    scales: &'a [u8],
    scale_type: Dtype,
    /// Group of each input; `None` if groups are equal runs of inputs.
    group_indices: Option<&'a [u8]>,
    groups: usize,
    group_size: usize,
}

impl Part<'_> {
    fn expect_shape(&self, expected: &[usize]) -> Result<(), LoadError> {
        let (name, found, expected) = (self.name.clone(), self.shape.clone(), expected.to_vec());
        if found == expected { Ok(()) } else { Err(LoadError::Shape { name, found, expected }) }
    }

    /// Returns rows and columns.
    fn matrix(&self) -> Result<[usize; 2], LoadError> {
        let dimensions = self.shape.clone().try_into();
        dimensions.map_err(|found| LoadError::NotMatrix { name: self.name.clone(), found })
    }

    fn expect_type(&self, types: &'static [Dtype]) -> Result<(), LoadError> {
        if types.contains(&self.dtype) {
            return Ok(());
        }
        let expected = types.iter().map(|dtype| format!("{dtype:?}")).collect::<Vec<_>>().join(" or ");
        Err(LoadError::QuantisedType { name: self.name.clone(), found: format!("{:?}", self.dtype), expected })
    }
}

impl<'a> QuantisedMatrix<'a> {
    /// Returns the matrix of its parts.
    ///
    /// # Errors
    /// A part has another shape or element type, or `g_idx` names a group that is not there.
    pub(crate) fn new(quantisation: Quantisation, parts: Parts<'a>) -> Result<Self, LoadError> {
        let Parts { numbers, zeros, scales, group_indices } = parts;
        let per_word = 32 / quantisation.bits;
        for words in [Some(&numbers), zeros.as_ref(), group_indices.as_ref()].into_iter().flatten() {
            words.expect_type(&[Dtype::I32])?;
        }
        scales.expect_type(&[Dtype::F16, Dtype::BF16, Dtype::F32])?;
        let [rows, columns] = numbers.matrix()?;
        // Beside an empty dimension the other one has any size.
        let (inputs, outputs) = match quantisation.packing {
            Packing::Gptq { .. } => (rows.saturating_mul(per_word), columns),
            Packing::Awq => (rows, columns.saturating_mul(per_word)),
            Packing::PackQuantised { .. } => (columns.saturating_mul(per_word), rows),
        };
        let output_rows = quantisation.packing.has_output_rows();
        let shape = |groups, outputs| if output_rows { [outputs, groups] } else { [groups, outputs] };
        let groups = scales.matrix()?[usize::from(output_rows)];
        scales.expect_shape(&shape(groups, outputs))?;
        if let Some(zeros) = &zeros {
            zeros.expect_shape(&shape(groups, outputs / per_word))?;
        }
        let is_even = group_indices.is_some() || (groups > 0 && inputs.is_multiple_of(groups));
        if groups == 0 || !outputs.is_multiple_of(per_word) || !is_even {
            return Err(LoadError::Groups { name: scales.name, found: scales.shape, inputs, outputs });
        }
        if let Some(indices) = &group_indices {
            indices.expect_shape(&[inputs])?;
            let mut numbers = (0..inputs).map(|input| word(indices.data, input));
            if let Some(group) = numbers.find(|group| *group as usize >= groups) {
                return Err(LoadError::Group { name: indices.name.clone(), group, groups });
            }
        }
        Ok(Self {
            quantisation,
            inputs,
            outputs,
            numbers: numbers.data,
            zeros: zeros.map(|zeros| zeros.data),
            scales: scales.data,
            scale_type: scales.dtype,
            group_indices: group_indices.map(|indices| indices.data),
            groups,
            group_size: inputs.div_ceil(groups),
        })
    }

    /// Returns the number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        let optional = [self.zeros, self.group_indices].into_iter().flatten();
        self.numbers.len() + self.scales.len() + optional.map(<[u8]>::len).sum::<usize>()
    }

    /// Reads the weights of an output as f32.
    pub(crate) fn read_row(&self, output: usize, values: &mut [f32]) {
        let bits = self.quantisation.bits;
        // Divisions by a power of two, which no constant tells the compiler: a model has billions of weights.
        let per_word = (32 / bits).trailing_zeros();
        let (mut group, mut group_end, mut zero, mut scale) = (usize::MAX, 0, 0, 0.0);
        for (input, value) in values[..self.inputs].iter_mut().enumerate() {
            if input == group_end {
                let next = self.group_indices.map_or(group.wrapping_add(1), |indices| word(indices, input) as usize);
                group_end += if self.group_indices.is_some() { 1 } else { self.group_size };
                if next != group {
                    group = next;
                    (zero, scale) =
                        (self.zero(group, output), self.scale(self.table_index(group, output, self.outputs)));
                }
            }
            let (index, position) = match self.quantisation.packing {
                Packing::Gptq { .. } => ((input >> per_word) * self.outputs + output, input & ((1 << per_word) - 1)),
                Packing::Awq => (input * (self.outputs / 8) + output / 8, AWQ_POSITIONS[output % 8]),
                Packing::PackQuantised { .. } => {
                    (output * (self.inputs >> per_word) + (input >> per_word), input & ((1 << per_word) - 1))
                }
            };
            let number = part(word(self.numbers, index), position, bits);
            *value = scale * (number - zero) as f32;
        }
    }

    fn zero(&self, group: usize, output: usize) -> i32 {
        let Quantisation { packing, bits } = self.quantisation;
        let per_word = 32 / bits;
        let Some(zeros) = self.zeros else { return 1 << (bits - 1) };
        let packed = word(zeros, self.table_index(group, output / per_word, self.outputs / per_word));
        match packing {
            // The tools add and subtract one of all numbers of a word at once, carries included.
            Packing::Gptq { zeros_less_one: true } => {
                part(packed.wrapping_add(u32::MAX / ((1 << bits) - 1)), output % per_word, bits)
            }
            Packing::Gptq { zeros_less_one: false } | Packing::PackQuantised { .. } => {
                part(packed, output % per_word, bits)
            }
            Packing::Awq => part(packed, AWQ_POSITIONS[output % 8], bits),
        }
    }

    /// Returns the index in a table of groups and `width` columns.
    fn table_index(&self, group: usize, column: usize, width: usize) -> usize {
        if self.quantisation.packing.has_output_rows() { column * self.groups + group } else { group * width + column }
    }

    fn scale(&self, index: usize) -> f32 {
        if self.scale_type == Dtype::F32 {
            return f32::from_bits(word(self.scales, index));
        }
        let bits = u16::from_le_bytes([self.scales[2 * index], self.scales[2 * index + 1]]);
        if self.scale_type == Dtype::BF16 { bf16_to_f32(bits) } else { half_to_f32(bits) }
    }
}

/// Returns a word of 32 bits in little-endian order.
fn word(data: &[u8], index: usize) -> u32 {
    u32::from_le_bytes(data.as_chunks().0[index])
}

/// Returns one of the numbers of a word.
fn part(word: u32, position: usize, bits: usize) -> i32 {
    (word >> (position * bits) & ((1 << bits) - 1)) as i32
}
