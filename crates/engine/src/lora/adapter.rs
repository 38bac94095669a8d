//! LoRA adapters and their PEFT files.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::error::AdapterError;
use super::factors::{Factors, LayerFactors, each_factor, layers_modules, parameter_name, peft_name};
use super::packed::PackedAdapter;
use super::peft_config;
use super::peft_config::PeftConfig;
use super::{LoraOptions, TargetModules};
use crate::config::{LayerKind, ModelConfig};
use crate::files::{Values, read_bf16, read_f16, read_f32, write};
use crate::model::{BaseModel, Layout, PROJECTIONS, Projection};

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

/// A LoRA adapter on the same projections of every layer that has them: `y = W x + scale B (A x)`.
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
    /// the model lacks ([`ModelConfig::lora_targets`]) are left out.
    ///
    /// # Panics
    /// If [`LoraOptions::check`] rejects the options.
    pub fn new(config: &ModelConfig, options: &LoraOptions, seed: u64) -> Self {
        assert_eq!(options.check(), Ok(()), "the options make an adapter");
        let options = LoraOptions { targets: options.targets.and(config.lora_targets()), ..*options };
        let (layout, rank) = (Layout::new(config), options.rank);
        let layer = |layer: usize| {
            Projection::ALL.map(|projection| {
                if !projection.is_targeted_in(options.targets, config, config.kind_of(layer)) {
                    return Factors::default();
                }
                let (input, output) = (projection.input(&layout).len(), projection.output(&layout).len());
                let (bound, stream) = (1.0 / (input as f64).sqrt(), stream(layer, projection));
                let draw = |i| (bound * (2.0 * uniform(seed, stream, i) - 1.0)) as f32;
                Factors { a: (0..(rank * input) as u64).map(draw).collect(), b: vec![0.0; output * rank] }
            })
        };
        Self::from_layers(options, (0..config.layers).map(layer).collect(), config)
    }

    /// Returns an adapter without targets, which has no effect.
    pub fn none(config: &ModelConfig) -> Self {
        let options = LoraOptions { rank: 1, targets: TargetModules::NONE, ..LoraOptions::default() };
        Self::new(config, &options, 0)
    }

    fn from_layers(options: LoraOptions, layers: Vec<LayerFactors>, config: &ModelConfig) -> Self {
        let layout = Layout::new(config);
        let of_kind = |kind| config.layers_of(kind) * PackedAdapter::decoding_layer_bytes(&options, kind, &layout);
        let packed_bytes = LayerKind::ALL.into_iter().map(of_kind).sum();
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
        PeftFiles {
            adapter_config_json: peft_config::write(&self.options, base_model, config.is_text_part),
            adapter_model_safetensors: write_peft(&self.layers, self.options.rank, config),
        }
    }

    /// Parses PEFT's two files. Names, shapes and values that do not match `config` are errors. The targets are the
    /// projections that have tensors in any layer; in layers without them, their factors are zero.
    pub fn from_peft(config: &ModelConfig, adapter_config: &[u8], safetensors: &[u8]) -> Result<Self, AdapterError> {
        let peft = PeftConfig::read(adapter_config)?;
        let PeftConfig { rank, alpha, rank_stabilised, .. } = peft;
        // A larger header would take much more memory to parse than an adapter's names and shapes.
        let header = safetensors.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        if header > MAX_HEADER {
            return Err(AdapterError::File(format!("its header has {header} bytes, more than {MAX_HEADER}")));
        }
        let file = SafeTensors::deserialize(safetensors).map_err(|error| AdapterError::File(error.to_string()))?;
        let mut views: HashMap<String, TensorView<'_>> = file.tensors().into_iter().collect();
        let layout = Layout::new(config);
        let possible = config.lora_targets();
        let module = layers_module(config, views.keys());
        let carries = |projection: &Projection| {
            projection.is_targeted(possible, config.family)
                && (0..config.layers).filter(|layer| projection.is_in(config, config.kind_of(*layer))).any(|layer| {
                    let name = parameter_name(layer, *projection, config.family);
                    ['A', 'B'].into_iter().any(|side| views.contains_key(&peft_name(module, &name, side)))
                })
        };
        let names = Projection::ALL
            .into_iter()
            .filter(carries)
            .map(|projection| TargetModules::NAMES[projection.target(config.family)]);
        let targets = TargetModules::from_names(names)
            .map_err(|_| AdapterError::File("it holds no tensor of a projection of this model".into()))?;
        let mut layers = Vec::with_capacity(config.layers);
        for layer in 0..config.layers {
            let mut factors = Vec::with_capacity(PROJECTIONS);
            for projection in Projection::ALL {
                let (input, output) = (projection.input(&layout).len(), projection.output(&layout).len());
                if !projection.is_targeted_in(targets, config, config.kind_of(layer)) {
                    factors.push(Factors::default());
                    continue;
                }
                let name = parameter_name(layer, projection, config.family);
                let names = [peft_name(module, &name, 'A'), peft_name(module, &name, 'B')];
                let found = names.clone().map(|name| views.remove(&name));
                if found.iter().any(Option::is_some)
                    && let Some(problem) = peft.exclusion(layer, &format!("{module}.{name}"))?
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
        Ok(Self::from_layers(LoraOptions { rank, alpha, targets, rank_stabilised }, layers, config))
    }

    /// Returns the number of parameters of an adapter with these options.
    pub fn parameters_of(config: &ModelConfig, options: &LoraOptions) -> usize {
        let layout = Layout::new(config);
        let sides = |kind: LayerKind| {
            let carrying = Projection::ALL.into_iter().filter(|projection| {
                projection.is_targeted_in(options.targets.and(config.lora_targets()), config, kind)
            });
            carrying.map(|projection| projection.input(&layout).len() + projection.output(&layout).len()).sum::<usize>()
        };
        let of_kind = |kind| config.layers_of(kind) * options.rank * sides(kind);
        LayerKind::ALL.into_iter().map(of_kind).sum()
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
        let fits = |layer: usize, projection: Projection, factors: &Factors| {
            let targeted = projection.is_targeted_in(self.options.targets, config, config.kind_of(layer));
            let rank = if targeted { self.options.rank } else { 0 };
            factors.a.len() == rank * projection.input(&layout).len()
                && factors.b.len() == projection.output(&layout).len() * rank
        };
        self.layers.len() == config.layers
            && self.options.targets.are_in(config.lora_targets())
            && self.layers.iter().enumerate().all(|(layer, factors)| {
                Projection::ALL.into_iter().zip(factors).all(|(projection, factors)| fits(layer, projection, factors))
            })
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
        let pack = || PackedAdapter::for_decoding(&self.options, &self.layers, &base.config, base.format);
        self.packed.get_or_init(|| Arc::new(pack()))
    }

    /// Returns the factors for modification, and drops the packed ones.
    pub(crate) fn layers_mut(&mut self) -> &mut [LayerFactors] {
        self.packed = OnceLock::new();
        &mut self.layers
    }
}

/// Returns the module that has the layers in an adapter's names. If there are several, the tensors of the others are left over.
fn layers_module<'a>(config: &ModelConfig, names: impl Iterator<Item = &'a String> + Clone) -> &'static str {
    let modules = layers_modules(config.is_text_part);
    let is_there = |module: &&&str| {
        let beginning = format!("base_model.model.{module}.layers.");
        names.clone().any(|name| name.starts_with(&beginning))
    };
    modules.iter().find(is_there).unwrap_or(&modules[0])
}

/// Returns the stream of random numbers for a projection's initial A. A layer has each once.
fn stream(layer: usize, projection: Projection) -> u64 {
    // Delta networks and convolutions have streams of their own behind all others.
    let of_delta = |index: u64| (1 << 32) + 5 * layer as u64 + index;
    let of_convolution = |index: u64| (1 << 33) + 2 * layer as u64 + index;
    let index = match projection {
        Projection::DeltaQueryKeyValue => return of_delta(0),
        Projection::DeltaGate => return of_delta(1),
        Projection::DeltaDecay => return of_delta(2),
        Projection::DeltaStrength => return of_delta(3),
        Projection::DeltaOutput => return of_delta(4),
        Projection::ConvolutionInput => return of_convolution(0),
        Projection::ConvolutionOutput => return of_convolution(1),
        Projection::Query | Projection::QueryKeyValue => 0,
        Projection::Key => 1,
        Projection::Value => 2,
        Projection::Output => 3,
        Projection::Gate | Projection::GateUp => 4,
        Projection::Up => 5,
        Projection::Down => 6,
    };
    (7 * layer + index) as u64
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

/// Serialises all factors with PEFT's names.
fn write_peft(layers: &[LayerFactors], rank: usize, config: &ModelConfig) -> Vec<u8> {
    let (layout, module) = (&Layout::new(config), layers_modules(config.is_text_part)[0]);
    write(each_factor(layers).map(|(layer, projection, side, values)| {
        let shape = match side {
            'A' => vec![rank, projection.input(layout).len()],
            _ => vec![projection.output(layout).len(), rank],
        };
        (peft_name(module, &parameter_name(layer, projection, config.family), side), Values::F32(shape, values))
    }))
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
