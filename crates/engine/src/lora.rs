//! LoRA adapters and their PEFT files.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use safetensors::{Dtype, SafeTensors, tensor::TensorView};

use super::layout::{Layout, PROJECTIONS, Projection};
pub use super::lora_error::AdapterError;
use super::lora_options::{LoraOptions, TargetModules};
use super::lora_packed::PackedAdapter;
use super::peft_config::{self, PeftConfig};
use super::tensors::{read_bf16, read_f16, read_f32};
use super::{BaseModel, ModelConfig};

/// Maximum size in bytes of a file's header, which has the names and shapes of its tensors; that of a hundred layers
/// takes a tenth of it.
const MAX_HEADER: u64 = 2 << 20;

/// Files of a PEFT adapter directory.
#[derive(Clone, Debug, PartialEq)]
pub struct PeftFiles {
    /// Content of `adapter_config.json`.
    pub adapter_config_json: Vec<u8>,
    /// Content of `adapter_model.safetensors`.
    pub adapter_model_safetensors: Vec<u8>,
}

/// Factors A and B of one projection, or two matrices of their shapes (gradients, optimizer moments). Both are empty if
/// the projection has no adapter.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Factors {
    /// A: `[rank, in]`
    pub(crate) a: Vec<f32>,
    /// B: `[out, rank]`
    pub(crate) b: Vec<f32>,
}

impl Factors {
    /// Returns zeros of the same shape.
    pub(crate) fn zeros_like(&self) -> Self {
        Self { a: vec![0.0; self.a.len()], b: vec![0.0; self.b.len()] }
    }

    /// Returns whether the projection has no adapter.
    pub(crate) fn is_empty(&self) -> bool {
        self.a.is_empty()
    }
}

/// Factors of a layer's projections, in the order of [`Projection::ALL`].
pub(crate) type LayerFactors = [Factors; PROJECTIONS];

/// Returns the projections of a layer that have an adapter.
pub(crate) fn present(layer: &LayerFactors) -> impl Iterator<Item = (Projection, &Factors)> {
    Projection::ALL.into_iter().zip(layer).filter(|(_, factors)| !factors.is_empty())
}

/// A LoRA adapter on the same projections of every layer: `y = W x + scale B (A x)`.
#[derive(Clone)]
pub struct Adapter {
    options: LoraOptions,
    pub(crate) layers: Vec<LayerFactors>,
    /// Size of `packed` in bytes, once it is computed.
    packed_bytes: usize,
    /// Factors packed for decoding, computed at the first use.
    packed: OnceLock<Arc<PackedAdapter>>,
}

impl PartialEq for Adapter {
    fn eq(&self, other: &Self) -> bool {
        (self.options, &self.layers) == (other.options, &other.layers)
    }
}

impl std::fmt::Debug for Adapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let layers = self.layers.len();
        f.debug_struct("Adapter").field("options", &self.options).field("layers", &layers).finish()
    }
}

impl Adapter {
    /// Creates an adapter with random A and zero B. A is uniform in ±1/sqrt(in) (Kaiming with a = sqrt 5), from a
    /// counter-based generator with `seed`. The values of a projection do not depend on the other targets. Targets that
    /// the model lacks ([`TargetModules::of_model`]) are left out.
    ///
    /// # Panics
    /// If [`LoraOptions::check`] rejects the options.
    pub fn new(config: &ModelConfig, options: &LoraOptions, seed: u64) -> Self {
        assert_eq!(options.check(), Ok(()), "the options make an adapter");
        let options = LoraOptions { targets: options.targets.and(TargetModules::of_model(config)), ..*options };
        let (layout, rank) = (Layout::new(config), options.rank);
        let layer = |layer: usize| {
            Projection::ALL.map(|projection| {
                if !options.targets.contains(projection) {
                    return Factors::default();
                }
                let (input, output) = (projection.input(&layout).len(), projection.output(&layout).len());
                let (bound, stream) = (1.0 / (input as f64).sqrt(), stream(layer, projection));
                let draw = |i| (bound * (2.0 * uniform(seed, stream, i) - 1.0)) as f32;
                Factors { a: (0..(rank * input) as u64).map(draw).collect(), b: vec![0.0; output * rank] }
            })
        };
        Self::from_layers(options, (0..config.layers).map(layer).collect(), &layout)
    }

    /// Returns an adapter without targets, which has no effect.
    pub fn none(config: &ModelConfig) -> Self {
        let options = LoraOptions { rank: 1, targets: TargetModules::NONE, ..LoraOptions::default() };
        Self::new(config, &options, 0)
    }

    fn from_layers(options: LoraOptions, layers: Vec<LayerFactors>, layout: &Layout) -> Self {
        let packed_bytes = layers.len() * PackedAdapter::decoding_layer_bytes(&options, layout);
        Self { options, layers, packed_bytes, packed: OnceLock::new() }
    }

    /// Returns the options.
    pub fn options(&self) -> &LoraOptions {
        &self.options
    }

    /// Returns the factor on the update.
    pub fn scale(&self) -> f32 {
        self.options.scale()
    }

    /// Serialises the adapter as PEFT's two files. Equal adapters have equal bytes.
    pub fn to_peft(&self, base_model: &str, config: &ModelConfig) -> PeftFiles {
        let adapter_config_json = peft_config::write(&self.options, base_model);
        let layout = Layout::new(config);
        let tensors = peft_tensors(&self.layers, self.options.rank, &layout);
        PeftFiles { adapter_config_json, adapter_model_safetensors: write_safetensors(&tensors) }
    }

    /// Parses PEFT's two files. Names, shapes and values that do not match `config` are errors. The targets are the
    /// projections that have tensors in any layer; in layers without them, their factors are zero.
    pub fn from_peft(config: &ModelConfig, adapter_config: &[u8], safetensors: &[u8]) -> Result<Self, AdapterError> {
        let peft = PeftConfig::read(adapter_config)?;
        let PeftConfig { rank, alpha, rank_stabilised, .. } = peft;
        check_header(safetensors)?;
        let file = SafeTensors::deserialize(safetensors).map_err(|error| AdapterError::File(error.to_string()))?;
        let mut views: HashMap<String, TensorView<'_>> = file.tensors().into_iter().collect();
        let layout = Layout::new(config);
        let possible = TargetModules::of_model(config);
        let carries = |projection: &Projection| {
            possible.contains(*projection)
                && (0..config.layers).any(|layer| {
                    let name = parameter_name(layer, *projection);
                    ['A', 'B'].into_iter().any(|side| views.contains_key(&peft_name(&name, side)))
                })
        };
        let names =
            Projection::ALL.into_iter().filter(carries).map(|projection| TargetModules::NAMES[projection as usize]);
        let targets = TargetModules::from_names(names)
            .map_err(|_| AdapterError::File("it holds no tensor of a projection of this model".into()))?;
        let mut layers = Vec::with_capacity(config.layers);
        for layer in 0..config.layers {
            let mut factors = Vec::with_capacity(PROJECTIONS);
            for projection in Projection::ALL {
                let (input, output) = (projection.input(&layout).len(), projection.output(&layout).len());
                if !targets.contains(projection) {
                    factors.push(Factors::default());
                    continue;
                }
                let name = parameter_name(layer, projection);
                let names = [peft_name(&name, 'A'), peft_name(&name, 'B')];
                let found = names.clone().map(|name| views.remove(&name));
                if found.iter().any(Option::is_some)
                    && let Some(problem) = peft.exclusion(layer, &format!("model.{name}"))?
                {
                    return Err(AdapterError::Tensor { name: names[0].clone(), problem: problem.into() });
                }
                factors.push(match found {
                    [Some(a), Some(b)] => Factors {
                        a: read_tensor(&names[0], &a, [rank, input])?,
                        b: read_tensor(&names[1], &b, [output, rank])?,
                    },
                    [None, None] => Factors { a: vec![0.0; rank * input], b: vec![0.0; output * rank] },
                    [a, _] => {
                        let name = names[usize::from(a.is_some())].clone();
                        return Err(AdapterError::Tensor {
                            name,
                            problem: "is missing while its partner is there".into(),
                        });
                    }
                });
            }
            let Ok(factors) = <LayerFactors>::try_from(factors) else { unreachable!("one pair for each projection") };
            layers.push(factors);
        }
        if let Some(name) = views.keys().min() {
            let problem = format!("belongs to no {possible} of this model");
            return Err(AdapterError::Tensor { name: name.clone(), problem });
        }
        Ok(Self::from_layers(LoraOptions { rank, alpha, targets, rank_stabilised }, layers, &layout))
    }

    /// Returns the number of parameters of an adapter with these options.
    pub fn parameters_of(config: &ModelConfig, options: &LoraOptions) -> usize {
        let layout = Layout::new(config);
        let targets = options.targets.and(TargetModules::of_model(config));
        let carrying = Projection::ALL.into_iter().filter(|projection| targets.contains(*projection));
        let sides = carrying.map(|projection| projection.input(&layout).len() + projection.output(&layout).len());
        config.layers * options.rank * sides.sum::<usize>()
    }

    /// Returns the size of the parameters in bytes.
    pub fn bytes(&self) -> usize {
        self.parameters() * size_of::<f32>()
    }

    /// Returns the memory of an adapter after its first use for decoding, in bytes: the parameters and their packed
    /// copy. The value is the same before that use, so that a total of adapters stays consistent.
    pub fn resident_bytes(&self) -> usize {
        self.bytes() + self.packed_bytes
    }

    /// Returns the number of parameters.
    pub fn parameters(&self) -> usize {
        self.layers.iter().flatten().map(|factors| factors.a.len() + factors.b.len()).sum()
    }

    /// Returns whether the adapter matches the shape of this model.
    pub fn fits(&self, config: &ModelConfig) -> bool {
        let layout = Layout::new(config);
        let fits = |(projection, factors): (Projection, &Factors)| {
            let rank = if self.options.targets.contains(projection) { self.options.rank } else { 0 };
            factors.a.len() == rank * projection.input(&layout).len()
                && factors.b.len() == projection.output(&layout).len() * rank
        };
        self.layers.len() == config.layers
            && self.options.targets.are_in(TargetModules::of_model(config))
            && self.layers.iter().all(|layer| Projection::ALL.into_iter().zip(layer).all(fits))
    }

    /// Returns whether the factors are packed for decoding.
    pub fn is_packed(&self) -> bool {
        self.packed.get().is_some()
    }

    /// Packs the factors for decoding, on this thread. It has no effect if they are packed already or the adapter does
    /// not match the model. Without it, the first use packs them while other requests wait.
    pub fn pack(&self, base: &BaseModel) {
        if !self.is_packed() && self.fits(&base.config) {
            self.packed(base);
        }
    }

    /// Returns the factors packed for decoding; packs them if necessary.
    pub(crate) fn packed(&self, base: &BaseModel) -> &Arc<PackedAdapter> {
        self.packed.get_or_init(|| Arc::new(PackedAdapter::for_decoding(self, &base.layout, base.format)))
    }

    /// Returns the factors for modification, and drops the packed ones.
    pub(crate) fn layers_mut(&mut self) -> &mut [LayerFactors] {
        self.packed = OnceLock::new();
        &mut self.layers
    }
}

/// Rejects a header that would take much more memory to parse than an adapter's names and shapes.
fn check_header(safetensors: &[u8]) -> Result<(), AdapterError> {
    let length = safetensors.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    match length {
        Some(length) if length > MAX_HEADER => {
            Err(AdapterError::File(format!("its header has {length} bytes, more than {MAX_HEADER}")))
        }
        _ => Ok(()),
    }
}

/// Returns the name of a projection's parameters, such as `layers.0.self_attn.q_proj`.
pub(crate) fn parameter_name(layer: usize, projection: Projection) -> String {
    format!("layers.{layer}.{}", projection.name())
}

fn peft_name(parameter: &str, side: char) -> String {
    format!("base_model.model.model.{parameter}.lora_{side}.weight")
}

/// Returns all factors by PEFT's names.
pub(crate) fn named_values(layers: &[LayerFactors]) -> Vec<(String, Vec<f32>)> {
    let mut values = Vec::new();
    for (layer, factors) in layers.iter().enumerate() {
        for (projection, Factors { a, b }) in present(factors) {
            let parameter = parameter_name(layer, projection);
            values.push((peft_name(&parameter, 'A'), a.clone()));
            values.push((peft_name(&parameter, 'B'), b.clone()));
        }
    }
    values
}

/// Returns the stream of random numbers for a projection's initial A. A model has each once.
fn stream(layer: usize, projection: Projection) -> u64 {
    let place = match projection {
        Projection::Query | Projection::QueryKeyValue => 0,
        Projection::Key => 1,
        Projection::Value => 2,
        Projection::Output => 3,
        Projection::Gate | Projection::GateUp => 4,
        Projection::Up => 5,
        Projection::Down => 6,
    };
    (7 * layer + place) as u64
}

/// Returns a uniform number in [0, 1) that depends on the arguments only (SplitMix64 of a counter).
fn uniform(seed: u64, stream: u64, counter: u64) -> f64 {
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let key = mix(mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ stream.wrapping_mul(0xd1b5_4a32_d192_ed03));
    (mix(key.wrapping_add(counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15))) >> 11) as f64
        / (1u64 << 53) as f64
}

/// A tensor to write.
pub(crate) struct NamedTensor {
    pub(crate) name: String,
    pub(crate) dtype: Dtype,
    pub(crate) shape: Vec<usize>,
    /// Elements in little-endian order.
    pub(crate) bytes: Vec<u8>,
}

impl NamedTensor {
    pub(crate) fn f32(name: String, shape: Vec<usize>, values: &[f32]) -> Self {
        Self { name, dtype: Dtype::F32, shape, bytes: values.iter().flat_map(|x| x.to_le_bytes()).collect() }
    }
}

/// Returns all factors as tensors with PEFT's names.
fn peft_tensors(layers: &[LayerFactors], rank: usize, layout: &Layout) -> Vec<NamedTensor> {
    let mut tensors = Vec::new();
    for (layer, factors) in layers.iter().enumerate() {
        for (projection, Factors { a, b }) in present(factors) {
            let parameter = parameter_name(layer, projection);
            let (input, output) = (projection.input(layout).len(), projection.output(layout).len());
            tensors.push(NamedTensor::f32(peft_name(&parameter, 'A'), vec![rank, input], a));
            tensors.push(NamedTensor::f32(peft_name(&parameter, 'B'), vec![output, rank], b));
        }
    }
    tensors
}

/// Serialises tensors as safetensors, sorted by element type and name.
pub(crate) fn write_safetensors(tensors: &[NamedTensor]) -> Vec<u8> {
    let views = tensors.iter().map(|NamedTensor { name, dtype, shape, bytes }| {
        (name, TensorView::new(*dtype, shape.clone(), bytes).expect("shape and values agree"))
    });
    // Only one metadata entry, since several would be written in random order.
    let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    safetensors::serialize(views, Some(metadata)).expect("tensors with distinct names can be written")
}

/// Reads a tensor of a known shape; its values must be finite.
fn read_tensor(name: &str, view: &TensorView<'_>, shape: [usize; 2]) -> Result<Vec<f32>, AdapterError> {
    let problem = |problem: String| AdapterError::Tensor { name: name.to_owned(), problem };
    if view.shape() != shape {
        return Err(problem(format!("has shape {:?}, the model and rank ask for {shape:?}", view.shape())));
    }
    let read = match view.dtype() {
        Dtype::F32 => read_f32,
        Dtype::BF16 => read_bf16,
        Dtype::F16 => read_f16,
        other => return Err(problem(format!("has element type {other:?}; F32, F16 and BF16 are read"))),
    };
    let mut values = vec![0.0; shape[0] * shape[1]];
    read(view.data(), &mut values);
    match values.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(problem(format!("has the value {} at [{}, {}]", values[i], i / shape[1], i % shape[1]))),
        None => Ok(values),
    }
}
