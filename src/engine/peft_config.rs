//! PEFT's `adapter_config.json`.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::lora::AdapterError;
use super::lora_options::{LARGEST_RANK, LoraOptions};

/// What an adapter's configuration says about its numbers. Dropout acts in PEFT's own training alone.
#[derive(Debug, PartialEq)]
pub(crate) struct PeftConfig {
    pub(crate) rank: usize,
    pub(crate) alpha: f32,
    pub(crate) rank_stabilised: bool,
    pub(crate) target_modules: ModuleNames,
}

/// The modules that carry an adapter.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum ModuleNames {
    /// Those that have one of these names, or one behind a dot.
    Named(Vec<String>),
    /// "all-linear", or a regular expression: the tensors say which modules it means.
    Pattern(String),
}

impl ModuleNames {
    /// Whether a module carries an adapter, as far as the names say.
    pub(crate) fn contains(&self, module: &str) -> bool {
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
    /// Reads the file; refuses what this engine does not compute.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, AdapterError> {
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
        if !(1..=LARGEST_RANK).contains(&file.r) {
            return Err(AdapterError::Config(format!("r is {}, it must lie from 1 to {LARGEST_RANK}", file.r)));
        }
        if !file.lora_alpha.is_finite() {
            return Err(AdapterError::Config("lora_alpha is not finite".into()));
        }
        Ok(Self {
            rank: file.r,
            alpha: file.lora_alpha,
            rank_stabilised: file.use_rslora,
            // PEFT writes them always; without them the tensors speak for themselves.
            target_modules: file.target_modules.unwrap_or(ModuleNames::Pattern(String::new())),
        })
    }
}

/// The file of an adapter; the same options give the same bytes.
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

/// A whole number is written without a fraction, as PEFT does.
fn number(x: f32) -> Value {
    if x.fract() == 0.0 && x.abs() < 1e9 { json!(x as i64) } else { json!(x) }
}
