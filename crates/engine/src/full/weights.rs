//! Parameters of a model as f32: the values that training changes and that a checkpoint stores.

use std::sync::Arc;

use crate::config::ModelConfig;
use crate::files::{LoadError, Tensors, Values, write};
use crate::kernels::{ComputePool, WeightFormat};
use crate::model::{BaseModel, Parameter, parameters};

/// Error of stored parameters that cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum FullWeightsError {
    #[error("the stored weights do not fit the model: {0}")]
    Load(#[from] LoadError),
    #[error("tensor {name} has the value {value} at index {index}; weights must be finite")]
    NotFinite {
        name: String,
        /// Index in the tensor, row by row.
        index: usize,
        value: f32,
    },
}

/// All parameters of a model as f32, by Hugging Face's names.
#[derive(Clone)]
pub struct FullWeights {
    config: ModelConfig,
    /// In the order of [`parameters`].
    pub(super) values: Vec<Vec<f32>>,
    /// The model with these weights (see [`FullWeights::of_model`]).
    pub(super) packed: Option<Arc<BaseModel>>,
}

impl PartialEq for FullWeights {
    fn eq(&self, other: &Self) -> bool {
        self.config == other.config && self.values == other.values
    }
}

impl std::fmt::Debug for FullWeights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FullWeights").field("config", &self.config).finish_non_exhaustive()
    }
}

impl FullWeights {
    /// Reads safetensors or GGUF files (name, bytes): those of a base model, or the result of [`FullWeights::to_bytes`].
    ///
    /// # Errors
    /// A tensor that is missing, has another shape or type, is not part of the model, or is not finite.
    pub fn read(config: &ModelConfig, shards: &[(&str, &[u8])]) -> Result<Self, FullWeightsError> {
        let mut tensors = Tensors::of_files(config, shards)?;
        let mut values = Vec::new(); // Grown on demand: the stated count is not yet checked against the files.
        for Parameter { name, shape, .. } in parameters(config) {
            let read = tensors.values(&name, &shape)?;
            if let Some(index) = read.iter().position(|value| !value.is_finite()) {
                return Err(FullWeightsError::NotFinite { name, index, value: read[index] });
            }
            values.push(read);
        }
        tensors.finish(config)?;
        Ok(Self { config: config.clone(), values, packed: None })
    }

    /// Serialises the parameters as f32 safetensors, which every Hugging Face reader accepts as the model's weights.
    /// Equal parameters have equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        write(
            parameters(&self.config)
                .into_iter()
                .zip(&self.values)
                .map(|(parameter, values)| (parameter.name, Values::F32(parameter.shape, values))),
        )
    }

    /// Keeps the model that these weights were read from, until they change, if packing them would give a matrix another format,
    /// and round it once more. So its log-probabilities are those of training before the first step.
    #[must_use]
    pub fn of_model(self, base: &Arc<BaseModel>) -> Self {
        Self { packed: base.has_other_formats.then(|| base.clone()), ..self }
    }

    /// Packs the parameters in a number format. The result equals that of reading [`FullWeights::to_bytes`] as a model,
    /// bit for bit, unless it is a model that was kept.
    pub fn pack(&self, format: WeightFormat, pool: &ComputePool) -> Arc<BaseModel> {
        if let Some(base) = self.packed.as_ref().filter(|base| base.format == format) {
            return base.clone();
        }
        let parameters = parameters(&self.config);
        let named = parameters
            .iter()
            .zip(&self.values)
            .map(|(parameter, values)| (&parameter.name[..], &parameter.shape[..], &values[..]));
        BaseModel::pack(self.config.clone(), Tensors::of_values(named), format, pool)
            .expect("the parameters are those of the model")
    }

    /// Returns the model's shape.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// Returns every parameter's name and values, row by row.
    pub fn named(&self) -> impl Iterator<Item = (String, &[f32])> {
        parameters(&self.config).into_iter().zip(&self.values).map(|(parameter, values)| (parameter.name, &values[..]))
    }

    /// Returns the number of parameters.
    pub fn parameters(&self) -> usize {
        self.values.iter().map(Vec::len).sum()
    }
}
