//! A base model with an adapter merged into its weights.

use serde_json::{Map, Value};

use super::rows::{Rows, Source, Update};
use super::{ElementType, ExportError};
use crate::config::{ModelConfig, decoder_config};
use crate::files::{LoadError, SHARED_GATE, Tensors};
use crate::lora::Adapter;
use crate::model::{LayerPart, Projection, Role, parameters};

/// A base model with an adapter merged into its weights, which are computed when they are written.
pub struct MergedModel<'a> {
    pub(super) config: ModelConfig,
    /// `config.json` of the decoder.
    pub(super) document: Map<String, Value>,
    pub(super) tensors: Vec<MergedTensor>,
    files: Tensors<'a>,
    adapter: Option<&'a Adapter>,
}

impl std::fmt::Debug for MergedModel<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MergedModel").field("config", &self.config).finish_non_exhaustive()
    }
}

/// A tensor of the model: a vector or a matrix.
pub(super) struct MergedTensor {
    /// Hugging Face's name.
    pub(super) name: String,
    pub(super) shape: Vec<usize>,
    /// Layer and projection that an adapter may change.
    projection: Option<(usize, Projection)>,
}

impl<'a> MergedModel<'a> {
    /// Returns the model of `config.json` and weight files (name, bytes of safetensors or GGUF), with an adapter unless the files are
    /// a checkpoint of all weights.
    ///
    /// # Errors
    /// The configuration is not supported, the files are not those of the model, or the adapter has another shape.
    pub fn new(
        config_json: &str,
        files: &[(&str, &'a [u8])],
        adapter: Option<&'a Adapter>,
    ) -> Result<Self, ExportError> {
        let config = ModelConfig::from_json(config_json).map_err(LoadError::from)?;
        if adapter.is_some_and(|adapter| !adapter.fits(&config)) {
            return Err(ExportError::Adapter);
        }
        // `from_json` has read it as an object. That of a text part is a model of its own.
        let document: Value = serde_json::from_str(config_json).unwrap_or_default();
        let document = match decoder_config(&document).ok().flatten().unwrap_or(document) {
            Value::Object(document) => document,
            _ => Map::new(),
        };
        let tensors = tensors(&config);
        let mut checked = Tensors::of_files(&config, files)?;
        for MergedTensor { name, shape, .. } in &tensors {
            checked.find(name, shape)?;
            checked.mark_read(&[name]);
        }
        checked.finish(&config)?;
        let files = Tensors::of_files(&config, files)?;
        Ok(Self { config, document, tensors, files, adapter })
    }

    /// Returns the shape of the model.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// Returns the number of weights.
    pub fn parameters(&self) -> usize {
        self.tensors.iter().map(|tensor| tensor.shape.iter().product::<usize>()).sum()
    }

    /// Returns `config.json` of the merged model as safetensors: that of the base, or of the decoder that is a part of it, with the element type of the weights, and
    /// without a quantisation.
    ///
    /// # Errors
    /// Safetensors have no such element type.
    pub fn config_json(&self, element: ElementType) -> Result<Vec<u8>, ExportError> {
        let (_, dtype) = element.safetensors().ok_or(ExportError::NoSafetensors(element))?;
        let mut document = self.document.clone();
        document.remove("quantization_config");
        // Version 5 of `transformers` writes the short name, and reads both.
        let field = if document.contains_key("dtype") { "dtype" } else { "torch_dtype" };
        document.insert(field.to_owned(), dtype.into());
        document.insert("tie_word_embeddings".to_owned(), self.config.tie_word_embeddings.into());
        let mut bytes = serde_json::to_vec_pretty(&document).expect("a JSON value can be written");
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Returns the rows of a tensor in the order of Hugging Face.
    pub(super) fn rows(&self, tensor: &MergedTensor) -> Result<Rows<'a>, ExportError> {
        let MergedTensor { name, shape, projection } = tensor;
        let update = self.adapter.zip(*projection).and_then(|(adapter, (layer, projection))| {
            let factors = &adapter.layers[layer][projection as usize];
            let update = Update { factors, rank: adapter.options().rank, scale: adapter.scale() };
            (!factors.is_empty()).then_some(update)
        });
        let matrix = self.files.find(name, shape)?;
        let width = shape.last().copied().unwrap_or(1);
        Ok(Rows {
            source: Source::File { name: name.clone(), matrix, update },
            rows: shape.iter().product::<usize>() / width.max(1),
            width,
            order: None,
            columns: None,
            offset: 0.0,
        })
    }
}

/// Returns all tensors of a model, in the order of its layers.
fn tensors(config: &ModelConfig) -> Vec<MergedTensor> {
    let feed_forward = [Projection::Gate, Projection::Up, Projection::GateUp, Projection::Down];
    let mut all = Vec::new();
    for parameter in parameters(config) {
        let projection = match parameter.role {
            Role::Layer(layer, LayerPart::Weight(projection)) => Some((layer, projection)),
            _ => None,
        };
        // Full training, whose parameters these are, has no experts.
        if let Some((layer, part)) = projection.filter(|(_, part)| feed_forward.contains(part))
            && let Some(experts) = config.experts_of(layer)
        {
            let prefix = format!("model.layers.{layer}.mlp");
            let mut tensor = |name: String, shape: [usize; 2]| {
                all.push(MergedTensor { name, shape: shape.to_vec(), projection: None });
            };
            let (hidden, inner) = (config.hidden_size, experts.intermediate_size);
            if part == Projection::Gate {
                tensor(format!("{prefix}.gate.weight"), [experts.count, hidden]);
            }
            let (name, shape) = match part {
                Projection::Gate => ("gate_proj", [inner, hidden]),
                Projection::Down => ("down_proj", [hidden, inner]),
                _ => ("up_proj", [inner, hidden]),
            };
            (0..experts.count).for_each(|expert| tensor(format!("{prefix}.experts.{expert}.{name}.weight"), shape));
            if !experts.has_shared {
                continue;
            }
            if part == Projection::Gate {
                tensor(format!("model.layers.{layer}.{SHARED_GATE}.weight"), [1, hidden]);
            }
        }
        all.push(MergedTensor { name: parameter.name, shape: parameter.shape, projection });
    }
    all
}
