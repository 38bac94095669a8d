//! PEFT's `adapter_config.json`.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::lora_error::AdapterError;
use super::lora_options::{LoraOptions, MAX_RANK};

/// Adapter configuration. Dropout is ignored: it affects PEFT's own training only.
#[derive(Debug, PartialEq)]
pub struct PeftConfig {
    /// `r`.
    pub rank: usize,
    /// `lora_alpha`.
    pub alpha: f32,
    /// `use_rslora`: the adapter is scaled by `alpha / sqrt(rank)` instead of `alpha / rank`.
    pub rank_stabilised: bool,
    /// `target_modules`.
    pub target_modules: ModuleNames,
}

/// Modules that have an adapter.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum ModuleNames {
    /// Modules whose name equals one of these, or ends with one after a dot.
    Named(Vec<String>),
    /// "all-linear" or a regular expression; the tensors determine the modules.
    Pattern(String),
}

impl ModuleNames {
    /// Returns whether a module has an adapter, as far as the names determine it.
    pub fn contains(&self, module: &str) -> bool {
        let is_suffix = |name: &String| {
            module.strip_suffix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        match self {
            Self::Named(names) => names.iter().any(is_suffix),
            Self::Pattern(_) => true,
        }
    }
}

impl PeftConfig {
    /// Parses the file.
    ///
    /// # Errors
    /// [`AdapterError`] for options that the engine does not implement, such as DoRA or a bias.
    pub fn read(bytes: &[u8]) -> Result<Self, AdapterError> {
        #[derive(Deserialize)]
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
            rank_pattern: Option<Map<String, Value>>,
            alpha_pattern: Option<Map<String, Value>>,
            modules_to_save: Option<Vec<String>>,
            target_modules: Option<ModuleNames>,
        }
        let file: File = serde_json::from_slice(bytes).map_err(|error| AdapterError::Config(error.to_string()))?;
        let refuse = |what: &str| Err(AdapterError::Config(format!("{what} is not supported")));
        if file.peft_type != "LORA" {
            return refuse(&format!("peft_type {}", file.peft_type));
        }
        for (set, name) in [(file.use_dora, "use_dora"), (file.fan_in_fan_out, "fan_in_fan_out")] {
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
        if !(1..=MAX_RANK).contains(&file.r) {
            return Err(AdapterError::Config(format!("r is {}, it must lie from 1 to {MAX_RANK}", file.r)));
        }
        if !file.lora_alpha.is_finite() {
            return Err(AdapterError::Config("lora_alpha is not finite".into()));
        }
        Ok(Self {
            rank: file.r,
            alpha: file.lora_alpha,
            rank_stabilised: file.use_rslora,
            // PEFT always writes them; without them, the tensors determine the modules.
            target_modules: file.target_modules.unwrap_or(ModuleNames::Pattern(String::new())),
        })
    }
}

/// Writes the file of an adapter. Equal options have equal bytes.
pub(crate) fn write(options: &LoraOptions, base_model: &str) -> Vec<u8> {
    let LoraOptions { rank, alpha, targets, rank_stabilised } = *options;
    let mut target_modules: Vec<&str> = targets.names().collect();
    target_modules.sort_unstable();
    let config = json!({
        "alora_invocation_tokens": null,
        "auto_mapping": null,
        "base_model_name_or_path": base_model,
        "bias": "none",
        "fan_in_fan_out": false,
        "inference_mode": true,
        "init_lora_weights": true,
        "layers_pattern": null,
        "layers_to_transform": null,
        "lora_alpha": number(alpha),
        "lora_bias": false,
        "lora_dropout": 0.0,
        "modules_to_save": null,
        "peft_type": "LORA",
        "r": rank,
        "revision": null,
        "target_modules": target_modules,
        "task_type": "CAUSAL_LM",
        "use_dora": false,
        "use_rslora": rank_stabilised,
    });
    let mut bytes = serde_json::to_vec_pretty(&config).expect("a JSON value can be written");
    bytes.push(b'\n');
    bytes
}

/// Writes a whole number without a fraction, as PEFT does.
fn number(x: f32) -> Value {
    if x.fract() == 0.0 && x.abs() < 1e9 { json!(x as i64) } else { json!(x) }
}
