//! Tensors of model files by their names: safetensors, GGUF, or values in memory.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use safetensors::{Dtype, SafeTensors};

use super::element_types::ElementType;
use super::elements::{read_bf16, read_f16, read_f32};
use super::error::LoadError;
use super::experts::{MAX_EXPERTS, experts_of};
use super::names::{EMBEDDING, HEAD};
use super::quantised::{Part, Parts, QuantisedMatrix};
use super::rows::FileRows;
use super::{gguf, header};
use crate::config::{ModelConfig, Packing, Quantisation, decoder_name};
use crate::kernels::{ComputePool, MatrixFormat, WeightFormat, are_finite_in_file};

/// Size in bytes of the part of a matrix that a task checks.
const CHECKED_BYTES: usize = 1 << 20;

/// Tensors by name, from files or memory.
pub(crate) struct Tensors<'a> {
    stored: HashMap<String, Stored<'a>>,
    /// Names of the tensors that have been read.
    used: HashSet<String>,
    /// Files of which matrices may be used later; none if the tensors are borrowed.
    pub(crate) files: Vec<Bytes>,
    /// Called with (bytes of tensors read so far, bytes of all tensors).
    pub(crate) progress: Option<&'a mut dyn FnMut(u64, u64)>,
    done: u64,
    total: u64,
}

struct Stored<'a> {
    shape: Vec<usize>,
    elements: Elements<'a>,
}

/// Elements of a tensor, row by row.
#[derive(Clone, Copy, PartialEq)]
enum Elements<'a> {
    /// Bytes of a safetensors file.
    Bytes(&'a [u8], Dtype),
    Gguf(gguf::Tensor<'a>),
    Quantised(QuantisedMatrix<'a>),
    F32(&'a [f32]),
}

impl Elements<'_> {
    fn bytes(&self) -> u64 {
        match self {
            Self::Bytes(data, _) => data.len() as u64,
            Self::Gguf(tensor) => tensor.bytes() as u64,
            Self::Quantised(matrix) => matrix.bytes() as u64,
            Self::F32(values) => size_of_val(*values) as u64,
        }
    }
}

impl Stored<'_> {
    /// Returns whether all elements of a file are zero.
    fn is_zero(&self) -> bool {
        matches!(self.elements, Elements::Bytes(data, _) if data.iter().all(|byte| *byte == 0))
    }
}

/// Replaces the parts of each quantised matrix by the matrix, under the name of a plain one. Parts beside a plain matrix stay:
/// [`Tensors::finish`] rejects them.
fn join_quantised(stored: &mut HashMap<String, Stored<'_>>, quantisation: Quantisation) -> Result<(), LoadError> {
    let suffixes = quantisation.packing.suffixes();
    let names: Vec<String> =
        stored.keys().filter_map(|name| name.strip_suffix(suffixes.numbers)).map(str::to_owned).collect();
    for name in names {
        let weight = format!("{name}.weight");
        if stored.contains_key(&weight) {
            continue;
        }
        let mut take = |suffix| {
            let name = format!("{name}{suffix}");
            let Some(Stored { shape, elements: Elements::Bytes(data, dtype) }) = stored.remove(&name) else {
                return Err(LoadError::Missing(name));
            };
            Ok(Part { name, shape, data, dtype })
        };
        let parts = Parts {
            numbers: take(suffixes.numbers)?,
            zeros: match quantisation.packing {
                Packing::PackQuantised { has_zeros: false } => None,
                _ => Some(take(suffixes.zeros)?),
            },
            scales: take(suffixes.scales)?,
            group_indices: take(suffixes.group_indices).ok(),
        };
        if let Some(sizes) = suffixes.sizes {
            stored.remove(&format!("{name}{sizes}"));
        }
        let matrix = QuantisedMatrix::new(quantisation, parts)?;
        let shape = vec![matrix.outputs, matrix.inputs];
        stored.insert(weight, Stored { shape, elements: Elements::Quantised(matrix) });
    }
    Ok(())
}

/// Returns a tensor of a safetensors file by its name, or the matrices of experts by theirs, which classes such as
/// `Qwen3_5MoeForCausalLM` have in one.
fn of_safetensors(name: String, shape: Vec<usize>, data: &[u8], dtype: Dtype) -> Vec<(String, Stored<'_>)> {
    let elements = |data| Elements::Bytes(data, dtype);
    match (&shape[..], name.split_once(".mlp.experts.")) {
        (&[experts, rows, columns], Some((layer, part @ ("gate_up_proj" | "down_proj"))))
            if !data.is_empty() && experts <= MAX_EXPERTS =>
        {
            let matrices =
                experts_of(&format!("{layer}.mlp"), &format!("{part}.weight"), [experts, rows, columns], data);
            let stored = |(name, shape, data)| (name, Stored { shape, elements: elements(data) });
            matrices.into_iter().map(stored).collect()
        }
        _ => vec![(name, Stored { shape, elements: elements(data) })],
    }
}

impl<'a> Tensors<'a> {
    /// Returns the tensors of all files.
    pub(crate) fn of_files(config: &ModelConfig, shards: &[(&str, &'a [u8])]) -> Result<Self, LoadError> {
        let (mut stored, mut unread) = (HashMap::new(), Vec::new());
        let is_other = |name: &str| config.family.traits().other_parts.iter().any(|part| name.starts_with(part));
        for &(file, bytes) in shards {
            if trainyard_gguf::is_gguf(bytes) {
                let tensors =
                    gguf::read(bytes, config).map_err(|source| LoadError::Gguf { file: file.to_owned(), source })?;
                let of_gguf = |(name, (shape, tensor))| (name, Stored { shape, elements: Elements::Gguf(tensor) });
                stored.extend(tensors.into_iter().map(of_gguf));
                continue;
            }
            header::check(bytes, stored.len()).map_err(|source| LoadError::Header { file: file.to_owned(), source })?;
            let tensors =
                SafeTensors::deserialize(bytes).map_err(|source| LoadError::File { file: file.to_owned(), source })?;
            stored.extend(
                tensors
                    .tensors()
                    .into_iter()
                    .filter_map(|(name, view)| {
                        // Tensors of other parts of a model are not read.
                        let own = match config.is_text_part {
                            true => decoder_name(&name),
                            false => Some(name.clone()).filter(|name| !is_other(name)),
                        };
                        if own.is_none() {
                            unread.push(name);
                        }
                        Some(of_safetensors(own?, view.shape().to_vec(), view.data(), view.dtype()))
                    })
                    .flatten(),
            );
        }
        if let Some(name) = unread.first() {
            tracing::info!(tensors = unread.len(), first = name, "tensors of other parts of the model are not read");
        }
        if let Some(quantisation) = config.quantisation {
            join_quantised(&mut stored, quantisation)?;
        }
        Ok(Self::new(stored))
    }

    /// Returns tensors in memory, each with name, shape and elements.
    pub(crate) fn of_values(values: impl Iterator<Item = (&'a str, &'a [usize], &'a [f32])>) -> Self {
        let stored = |(name, shape, values): (&str, &[usize], &'a [f32])| {
            (name.to_owned(), Stored { shape: shape.to_vec(), elements: Elements::F32(values) })
        };
        Self::new(values.map(stored).collect())
    }

    fn new(stored: HashMap<String, Stored<'a>>) -> Self {
        let total = stored.values().map(|tensor| tensor.elements.bytes()).sum();
        Self { stored, used: HashSet::new(), files: Vec::new(), progress: None, done: 0, total }
    }

    /// Returns the format in which a model of these tensors is held: in place of that of the file, f32 or bf16 if no weights of a GGUF
    /// file are quantised.
    pub(crate) fn format(&self, format: WeightFormat) -> WeightFormat {
        let is_quantised =
            |tensor: &Stored<'_>| matches!(tensor.elements, Elements::Gguf(gguf) if gguf.element.is_quantised());
        let is_f32 = |tensor: &Stored<'_>| match tensor.elements {
            Elements::Bytes(_, dtype) => dtype == Dtype::F32,
            Elements::Gguf(gguf) => gguf.element.is_f32(),
            Elements::Quantised(_) => false,
            Elements::F32(_) => true,
        };
        let mut matrices = self.stored.values().filter(|tensor| tensor.shape.len() > 1);
        match format {
            WeightFormat::File if self.stored.values().any(is_quantised) => WeightFormat::File,
            WeightFormat::File if matrices.all(is_f32) => WeightFormat::F32,
            WeightFormat::File => WeightFormat::Bf16,
            other => other,
        }
    }

    /// Returns a tensor as rows of its last dimension; a vector is a row.
    pub(crate) fn find(&self, name: &str, expected: &[usize]) -> Result<Matrix<'a>, LoadError> {
        let Stored { shape, elements } = self.stored.get(name).ok_or_else(|| LoadError::Missing(name.to_owned()))?;
        if shape != expected {
            let (found, expected) = (shape.clone(), expected.to_vec());
            return Err(LoadError::Shape { name: name.to_owned(), found, expected });
        }
        let width = expected.last().copied().unwrap_or(1);
        let rows = expected.iter().product::<usize>() / width.max(1);
        match *elements {
            Elements::Bytes(_, Dtype::F32 | Dtype::F16 | Dtype::BF16)
            | Elements::Gguf(_)
            | Elements::Quantised(_)
            | Elements::F32(_) => Ok(Matrix { elements: *elements, rows, width, not_finite: AtomicBool::new(false) }),
            Elements::Bytes(_, other) => {
                Err(LoadError::ElementType { name: name.to_owned(), found: format!("{other:?}") })
            }
        }
    }

    /// Returns all values of a tensor, row by row.
    pub(crate) fn values(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, LoadError> {
        let matrix = self.find(name, shape)?;
        let mut values = vec![0.0; shape.iter().product()];
        values.chunks_exact_mut(matrix.width).enumerate().for_each(|(row, values)| matrix.read_row(row, values));
        self.mark_read(&[name]);
        Ok(values)
    }

    /// Returns all values of a tensor, row by row, which must be finite.
    pub(crate) fn finite_values(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, LoadError> {
        let matrix = self.find(name, shape)?;
        let mut values = vec![0.0; shape.iter().product()];
        values.chunks_exact_mut(matrix.width).enumerate().for_each(|(row, values)| matrix.read_row(row, values));
        matrix.check_finite(name)?;
        self.mark_read(&[name]);
        Ok(values)
    }

    pub(crate) fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Matrix<'a>, LoadError> {
        self.find(name, &[rows, columns])
    }

    /// Returns the values of a vector, which must be finite.
    pub(crate) fn vector(&mut self, name: &str, len: usize) -> Result<Vec<f32>, LoadError> {
        self.finite_values(name, &[len])
    }

    /// Marks tensors as parts of the model.
    pub(crate) fn mark_read(&mut self, names: &[&str]) {
        self.used.extend(names.iter().map(|name| (*name).to_owned()));
        self.done +=
            names.iter().filter_map(|name| self.stored.get(*name)).map(|tensor| tensor.elements.bytes()).sum::<u64>();
        if let Some(progress) = &mut self.progress {
            progress(self.done, self.total);
        }
    }

    /// Rejects tensors that were not read and could have changed the result.
    pub(crate) fn finish(self, config: &ModelConfig) -> Result<(), LoadError> {
        let mut left: Vec<&str> =
            self.stored.keys().map(String::as_str).filter(|name| !self.used.contains(*name)).collect();
        // Old Llama files have a table that can be derived from config.json.
        left.retain(|name| !name.ends_with("rotary_emb.inv_freq"));
        if config.tie_word_embeddings
            && let Some(at) = left.iter().position(|name| *name == HEAD)
        {
            let (head, embedding) = (&self.stored[HEAD], &self.stored[EMBEDDING]);
            if (&head.shape, head.elements) != (&embedding.shape, embedding.elements) {
                return Err(LoadError::NotTied);
            }
            left.swap_remove(at);
        }
        // Some tools give every quantised map a bias, of zeros where the model has none.
        left.retain(|name| !(config.quantisation.is_some() && name.ends_with(".bias") && self.stored[*name].is_zero()));
        let Some(name) = left.iter().min() else { return Ok(()) };
        let hint = if name.ends_with("_norm.weight") {
            " (see model_type: families differ in their norms)"
        } else if ["scale", "scales", "scale_inv", "qweight", "qzeros", "g_idx", "packed"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            " (quantised weights need a quantization_config of gptq, awq or compressed-tensors)"
        } else if name.contains("self_attn.") && name.ends_with(".bias") {
            " (see attention_bias)"
        } else if name.contains("mlp.") && name.ends_with(".bias") {
            " (see mlp_bias)"
        } else {
            ""
        };
        let model_type = config.family.model_type();
        Err(LoadError::Unexpected { model_type, name: (*name).to_owned(), hint, count: left.len() })
    }
}

/// Rows of a tensor as f32.
pub(crate) struct Matrix<'a> {
    elements: Elements<'a>,
    rows: usize,
    width: usize,
    /// Whether a value of a row that was read is infinite or NaN. Values in memory are not checked: only files come from
    /// elsewhere.
    not_finite: AtomicBool,
}

impl<'a> Matrix<'a> {
    /// Returns the rows and their format if the file has them in the form of [`StoredColumns`](crate::kernels::StoredColumns).
    pub(crate) fn stored(&self) -> Option<(MatrixFormat, FileRows<&'a [u8]>)> {
        match self.elements {
            Elements::Bytes(data, Dtype::BF16) => {
                let rows = FileRows { data, row_bytes: self.width * size_of::<u16>(), order: None };
                Some((MatrixFormat::Bf16, rows))
            }
            Elements::Gguf(tensor) => tensor.stored(),
            _ => None,
        }
    }

    /// Returns the type of a matrix of a GGUF file.
    pub(crate) fn gguf_type(&self) -> Option<&'static ElementType> {
        if let Elements::Gguf(tensor) = self.elements { Some(tensor.element) } else { None }
    }

    /// Returns the type of a quantised matrix of a GGUF file.
    pub(crate) fn quantised_type(&self) -> Option<&'static ElementType> {
        self.gguf_type().filter(|element| element.is_quantised())
    }

    /// Returns the size in bytes in the file.
    pub(crate) fn bytes(&self) -> usize {
        self.elements.bytes() as usize
    }

    /// Notes whether rows in the form of a format are finite.
    pub(crate) fn check_stored(&self, pool: &ComputePool, format: MatrixFormat, rows: FileRows<&[u8]>) {
        let rows_of_task = (CHECKED_BYTES / rows.row_bytes.max(1)).max(1);
        let parts: Vec<&[u8]> = rows.data.chunks((rows_of_task * rows.row_bytes).max(1)).collect();
        pool.run(parts.len(), &|index| {
            if !are_finite_in_file(pool.instruction_set(), format, parts[index]) {
                self.not_finite.store(true, Ordering::Relaxed);
            }
        });
    }

    /// Reads a row, and notes whether it is finite.
    pub(crate) fn read_row(&self, row: usize, values: &mut [f32]) {
        self.convert_row(row, values);
        if !matches!(self.elements, Elements::F32(_)) && !are_finite(&values[..self.width]) {
            self.not_finite.store(true, Ordering::Relaxed);
        }
    }

    /// Checks the rows that were read.
    ///
    /// # Errors
    /// A value is infinite or NaN. The error names the first one of the tensor.
    pub(crate) fn check_finite(&self, name: &str) -> Result<(), LoadError> {
        if !self.not_finite.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut values = vec![0.0; self.width];
        for row in 0..self.rows {
            self.convert_row(row, &mut values);
            if let Some(column) = values.iter().position(|value| !value.is_finite()) {
                let (index, value) = (row * self.width + column, values[column]);
                return Err(LoadError::NotFinite { name: name.to_owned(), index, value });
            }
        }
        Err(LoadError::Changed(name.to_owned()))
    }

    fn convert_row(&self, row: usize, values: &mut [f32]) {
        let (first, width) = (row * self.width, self.width);
        match self.elements {
            Elements::F32(elements) => values[..width].copy_from_slice(&elements[first..][..width]),
            Elements::Gguf(tensor) => tensor.read_row(row, values),
            Elements::Quantised(matrix) => matrix.read_row(row, values),
            Elements::Bytes(data, Dtype::F32) => read_f32(&data[first * 4..][..width * 4], values),
            Elements::Bytes(data, Dtype::BF16) => read_bf16(&data[first * 2..][..width * 2], values),
            // `Tensors::find` rejects all others.
            Elements::Bytes(data, _) => read_f16(&data[first * 2..][..width * 2], values),
        }
    }
}

/// Returns whether every value is finite. Without a branch for each value, it costs little beside the conversion.
fn are_finite(values: &[f32]) -> bool {
    values.iter().fold(0, |largest: u32, value| largest.max(value.to_bits() & 0x7fff_ffff)) < f32::INFINITY.to_bits()
}
