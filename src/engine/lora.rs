//! LoRA adapters and their PEFT files.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde_json::json;

use super::layout::{Layout, PROJECTIONS, Projection};
use super::lora_packed::PackedAdapter;
use super::{BaseModel, ModelConfig};

/// Why adapter files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AdapterError {
    /// `adapter_config.json` cannot be read or asks for something this engine does not implement.
    #[error("adapter_config.json: {0}")]
    Config(String),
    /// `adapter_model.safetensors` cannot be read.
    #[error("adapter_model.safetensors: {0}")]
    File(String),
    /// A tensor is missing, unexpected, of the wrong shape or type, or not finite.
    #[error("adapter_model.safetensors: tensor {name}: {problem}")]
    Tensor {
        /// Name of the tensor.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// The two files of a PEFT adapter directory.
#[derive(Clone, Debug, PartialEq)]
pub struct PeftFiles {
    /// Content of `adapter_config.json`.
    pub adapter_config_json: Vec<u8>,
    /// Content of `adapter_model.safetensors`.
    pub adapter_model_safetensors: Vec<u8>,
}

/// Largest rank accepted.
const LARGEST_RANK: usize = 1024;

/// A and B of one projection, or two matrices of their shapes (gradients, optimiser moments).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Factors {
    /// `[rank, in]`
    pub(crate) a: Vec<f32>,
    /// `[out, rank]`
    pub(crate) b: Vec<f32>,
}

impl Factors {
    /// Zeros of the same shape.
    pub(crate) fn zeros_like(&self) -> Self {
        Self { a: vec![0.0; self.a.len()], b: vec![0.0; self.b.len()] }
    }
}

/// The factors of a layer's projections, in the order of [`Projection::ALL`].
pub(crate) type LayerFactors = [Factors; PROJECTIONS];

/// A LoRA adapter on the q, k, v, o, gate, up and down projections of every layer: `y = W x + (alpha / rank) B (A x)`.
#[derive(Clone)]
pub struct Adapter {
    /// Rank of the update.
    pub rank: usize,
    /// Numerator of the scale `alpha / rank`.
    pub alpha: f32,
    pub(crate) layers: Vec<LayerFactors>,
    /// Bytes of `packed` once it is made.
    packed_bytes: usize,
    /// The factors as decoding wants them, made on first use.
    packed: OnceLock<Arc<PackedAdapter>>,
}

impl PartialEq for Adapter {
    fn eq(&self, other: &Self) -> bool {
        (self.rank, self.alpha, &self.layers) == (other.rank, other.alpha, &other.layers)
    }
}

impl std::fmt::Debug for Adapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let layers = self.layers.len();
        f.debug_struct("Adapter")
            .field("rank", &self.rank)
            .field("alpha", &self.alpha)
            .field("layers", &layers)
            .finish()
    }
}

impl Adapter {
    /// A fresh adapter: A uniform in ±1/sqrt(in) (Kaiming with a = sqrt 5) drawn by counter from `seed`, B zero.
    ///
    /// # Panics
    /// If `rank` is zero.
    pub fn new(config: &ModelConfig, rank: usize, alpha: f32, seed: u64) -> Self {
        assert!(rank > 0, "an adapter has a rank of at least one");
        let layout = Layout::new(config);
        let layer = |layer: usize| {
            Projection::ALL.map(|projection| {
                let (input, output) = (projection.input(&layout).len(), projection.output(&layout).len());
                let (bound, stream) = (1.0 / (input as f64).sqrt(), (layer * PROJECTIONS + projection as usize) as u64);
                let draw = |i| (bound * (2.0 * uniform(seed, stream, i) - 1.0)) as f32;
                Factors { a: (0..(rank * input) as u64).map(draw).collect(), b: vec![0.0; output * rank] }
            })
        };
        Self::from_layers(rank, alpha, (0..config.layers).map(layer).collect(), &layout)
    }

    /// No adapter at all: of rank 0.
    pub(crate) fn none(config: &ModelConfig) -> Self {
        let layer = |_| Projection::ALL.map(|_| Factors { a: Vec::new(), b: Vec::new() });
        Self::from_layers(0, 0.0, (0..config.layers).map(layer).collect(), &Layout::new(config))
    }

    fn from_layers(rank: usize, alpha: f32, layers: Vec<LayerFactors>, layout: &Layout) -> Self {
        let packed_bytes = layers.len() * PackedAdapter::decoding_layer_bytes(rank, layout);
        Self { rank, alpha, layers, packed_bytes, packed: OnceLock::new() }
    }

    /// The factor on the update.
    pub fn scale(&self) -> f32 {
        self.alpha / self.rank as f32
    }

    /// The adapter as PEFT's two files; the same adapter gives the same bytes.
    pub fn to_peft(&self, base_model: &str, config: &ModelConfig) -> PeftFiles {
        let adapter_config = json!({
            "alora_invocation_tokens": null,
            "auto_mapping": null,
            "base_model_name_or_path": base_model,
            "bias": "none",
            "fan_in_fan_out": false,
            "inference_mode": true,
            "init_lora_weights": true,
            "layers_pattern": null,
            "layers_to_transform": null,
            "lora_alpha": number(self.alpha),
            "lora_bias": false,
            "lora_dropout": 0.0,
            "modules_to_save": null,
            "peft_type": "LORA",
            "r": self.rank,
            "revision": null,
            "target_modules": ["down_proj", "gate_proj", "k_proj", "o_proj", "q_proj", "up_proj", "v_proj"],
            "task_type": "CAUSAL_LM",
            "use_dora": false,
            "use_rslora": false,
        });
        let mut adapter_config_json = serde_json::to_vec_pretty(&adapter_config).expect("a JSON value can be written");
        adapter_config_json.push(b'\n');
        let layout = Layout::new(config);
        let tensors = peft_tensors(&self.layers, self.rank, &layout);
        PeftFiles { adapter_config_json, adapter_model_safetensors: write_safetensors(&tensors) }
    }

    /// Reads PEFT's two files; refuses names, shapes and numbers that do not fit `config`. A projection that is not among
    /// the target modules gets zeros.
    pub fn from_peft(config: &ModelConfig, adapter_config: &[u8], safetensors: &[u8]) -> Result<Self, AdapterError> {
        let (rank, alpha) = read_peft_config(adapter_config)?;
        let file = SafeTensors::deserialize(safetensors).map_err(|error| AdapterError::File(error.to_string()))?;
        let mut views: HashMap<String, TensorView<'_>> = file.tensors().into_iter().collect();
        let layout = Layout::new(config);
        let mut layers = Vec::with_capacity(config.layers);
        for layer in 0..config.layers {
            let mut factors = Vec::with_capacity(PROJECTIONS);
            for projection in Projection::ALL {
                let (input, output) = (projection.input(&layout).len(), projection.output(&layout).len());
                let name = parameter_name(layer, projection);
                let names = [peft_name(&name, 'A'), peft_name(&name, 'B')];
                let found = names.clone().map(|name| views.remove(&name));
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
            let problem = "belongs to no q, k, v, o, gate, up or down projection of this model".into();
            return Err(AdapterError::Tensor { name: name.clone(), problem });
        }
        Ok(Self::from_layers(rank, alpha, layers, &layout))
    }

    /// Memory of the parameters in bytes.
    pub fn bytes(&self) -> usize {
        self.parameters() * size_of::<f32>()
    }

    /// Memory that an adapter takes once it has been used for decoding, in bytes: the parameters and their packed copy.
    /// The same before and after that first use, so that it can be counted up and down.
    pub fn resident_bytes(&self) -> usize {
        self.bytes() + self.packed_bytes
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.layers.iter().flatten().map(|factors| factors.a.len() + factors.b.len()).sum()
    }

    /// Whether the adapter was made for a model of this shape.
    pub fn fits(&self, config: &ModelConfig) -> bool {
        let layout = Layout::new(config);
        let fits = |(projection, factors): (Projection, &Factors)| {
            factors.a.len() == self.rank * projection.input(&layout).len()
                && factors.b.len() == projection.output(&layout).len() * self.rank
        };
        self.layers.len() == config.layers
            && self.layers.iter().all(|layer| Projection::ALL.into_iter().zip(layer).all(fits))
    }

    /// Whether the factors are packed for decoding.
    pub fn is_packed(&self) -> bool {
        self.packed.get().is_some()
    }

    /// Packs the factors for decoding, on this thread, unless they are packed already or were not made for this model.
    /// The first use would do it too, while others wait.
    pub fn pack(&self, base: &BaseModel) {
        if !self.is_packed() && self.fits(&base.config) {
            self.packed(base);
        }
    }

    /// The factors packed for decoding.
    pub(crate) fn packed(&self, base: &BaseModel) -> &Arc<PackedAdapter> {
        self.packed.get_or_init(|| Arc::new(PackedAdapter::for_decoding(self, &base.layout, base.format)))
    }

    /// The factors, to change them; forgets the packed ones.
    pub(crate) fn layers_mut(&mut self) -> &mut [LayerFactors] {
        self.packed = OnceLock::new();
        &mut self.layers
    }
}

/// Name of a projection's parameters, as in `layers.0.self_attn.q_proj`.
pub(crate) fn parameter_name(layer: usize, projection: Projection) -> String {
    format!("layers.{layer}.{}", projection.name())
}

fn peft_name(parameter: &str, side: char) -> String {
    format!("base_model.model.model.{parameter}.lora_{side}.weight")
}

/// All factors by PEFT's names.
pub(crate) fn named_values(layers: &[LayerFactors]) -> Vec<(String, Vec<f32>)> {
    let mut values = Vec::new();
    for (layer, factors) in layers.iter().enumerate() {
        for (projection, Factors { a, b }) in Projection::ALL.into_iter().zip(factors) {
            let parameter = parameter_name(layer, projection);
            values.push((peft_name(&parameter, 'A'), a.clone()));
            values.push((peft_name(&parameter, 'B'), b.clone()));
        }
    }
    values
}

/// A whole number is written without a fraction, as PEFT does.
fn number(x: f32) -> serde_json::Value {
    if x.fract() == 0.0 && x.abs() < 1e9 { json!(x as i64) } else { json!(x) }
}

/// A uniform draw from [0, 1) that depends on its arguments alone (SplitMix64 over a counter).
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

/// All factors as tensors with PEFT's names.
fn peft_tensors(layers: &[LayerFactors], rank: usize, layout: &Layout) -> Vec<NamedTensor> {
    let mut tensors = Vec::new();
    for (layer, factors) in layers.iter().enumerate() {
        for (projection, Factors { a, b }) in Projection::ALL.into_iter().zip(factors) {
            let parameter = parameter_name(layer, projection);
            let (input, output) = (projection.input(layout).len(), projection.output(layout).len());
            tensors.push(NamedTensor::f32(peft_name(&parameter, 'A'), vec![rank, input], a));
            tensors.push(NamedTensor::f32(peft_name(&parameter, 'B'), vec![output, rank], b));
        }
    }
    tensors
}

/// Tensors as safetensors bytes, sorted by element type and name.
pub(crate) fn write_safetensors(tensors: &[NamedTensor]) -> Vec<u8> {
    let views = tensors.iter().map(|NamedTensor { name, dtype, shape, bytes }| {
        (name, TensorView::new(*dtype, shape.clone(), bytes).expect("shape and values agree"))
    });
    // One entry: several would be written in random order.
    let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    safetensors::serialize(views, Some(metadata)).expect("tensors with distinct names can be written")
}

/// A tensor of a known shape with finite values.
fn read_tensor(name: &str, view: &TensorView<'_>, shape: [usize; 2]) -> Result<Vec<f32>, AdapterError> {
    let problem = |problem: String| AdapterError::Tensor { name: name.to_owned(), problem };
    if view.shape() != shape {
        return Err(problem(format!("has shape {:?}, the model and rank ask for {shape:?}", view.shape())));
    }
    let convert: fn(&[u8]) -> f32 = match view.dtype() {
        Dtype::F32 => |bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
        Dtype::BF16 => |bytes| f32::from_le_bytes([0, 0, bytes[0], bytes[1]]),
        Dtype::F16 => |bytes| super::weights::half_to_f32(u16::from_le_bytes([bytes[0], bytes[1]])),
        other => return Err(problem(format!("has element type {other:?}; F32, F16 and BF16 are read"))),
    };
    let size = view.data().len() / (shape[0] * shape[1]);
    let values: Vec<f32> = view.data().chunks_exact(size).map(convert).collect();
    match values.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(problem(format!("has the value {} at [{}, {}]", values[i], i / shape[1], i % shape[1]))),
        None => Ok(values),
    }
}

fn read_peft_config(bytes: &[u8]) -> Result<(usize, f32), AdapterError> {
    #[derive(serde::Deserialize)]
    struct File {
        peft_type: String,
        r: usize,
        lora_alpha: f32,
        #[serde(default)]
        use_dora: bool,
        #[serde(default)]
        use_rslora: bool,
        #[serde(default)]
        fan_in_fan_out: bool,
        bias: Option<String>,
        rank_pattern: Option<serde_json::Map<String, serde_json::Value>>,
        alpha_pattern: Option<serde_json::Map<String, serde_json::Value>>,
        modules_to_save: Option<Vec<String>>,
    }
    let file: File = serde_json::from_slice(bytes).map_err(|error| AdapterError::Config(error.to_string()))?;
    let refuse = |what: &str| Err(AdapterError::Config(format!("{what} is not supported")));
    if file.peft_type != "LORA" {
        return refuse(&format!("peft_type {}", file.peft_type));
    }
    for (set, name) in
        [(file.use_dora, "use_dora"), (file.use_rslora, "use_rslora"), (file.fan_in_fan_out, "fan_in_fan_out")]
    {
        if set {
            return refuse(name);
        }
    }
    if let Some(bias) = file.bias.filter(|bias| bias != "none") {
        return refuse(&format!("bias {bias}"));
    }
    for (pattern, name) in [(file.rank_pattern, "rank_pattern"), (file.alpha_pattern, "alpha_pattern")] {
        if pattern.is_some_and(|pattern| !pattern.is_empty()) {
            return refuse(name);
        }
    }
    if file.modules_to_save.is_some_and(|modules| !modules.is_empty()) {
        return refuse("modules_to_save");
    }
    if !(1..=LARGEST_RANK).contains(&file.r) {
        return Err(AdapterError::Config(format!("r is {}, it must lie from 1 to {LARGEST_RANK}", file.r)));
    }
    if !file.lora_alpha.is_finite() {
        return Err(AdapterError::Config("lora_alpha is not finite".into()));
    }
    Ok((file.r, file.lora_alpha))
}
