//! PEFT's `adapter_config.json`.

use fancy_regex::{Regex, RegexBuilder};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::error::AdapterError;
use super::{LoraOptions, MAX_RANK};

/// Options that change no result of a finished adapter: descriptions of its origin, settings of PEFT's own training and
/// initialisation, and parameters of options that are rejected when they are on. They may have any value.
const WITHOUT_EFFECT: [&str; 17] = [
    "auto_mapping",
    "base_model_name_or_path",
    "corda_config",
    "ensure_weight_tying",
    "eva_config",
    "inference_mode",
    "loftq_config",
    "lora_dropout",
    "lora_ga_config",
    "megatron_core",
    "merge_weights",
    "peft_version",
    "qalora_group_size",
    "revision",
    "runtime_config",
    "task_type",
    "velora_config",
];

/// Values of `init_lora_weights` that leave the base weights as they are. The others subtract the initial update from
/// them, so the adapter belongs to base weights that only its author has.
const PLAIN_INITIALISATIONS: [&str; 4] = ["gaussian", "eva", "orthogonal", "mica"];

/// Maximum length of a regular expression in bytes.
const MAX_PATTERN: usize = 4096;
/// Maximum number of steps of a regular expression on one module name.
const MAX_PATTERN_STEPS: usize = 100_000;

/// Adapter configuration. Every option of PEFT's `LoraConfig` is honoured, has no effect on a finished adapter, or is
/// rejected by name.
#[derive(Debug)]
pub struct PeftConfig {
    /// `r`.
    pub rank: usize,
    /// `lora_alpha`.
    pub alpha: f32,
    /// `use_rslora`: the adapter is scaled by `alpha / sqrt(rank)` instead of `alpha / rank`.
    pub rank_stabilised: bool,
    /// `target_modules`; `None` for all modules with tensors.
    targets: Option<ModuleNames>,
    /// `exclude_modules`.
    excluded: Option<ModuleNames>,
    /// `layers_to_transform`; `None` for all layers.
    layers: Option<Vec<i64>>,
}

/// Names of modules.
#[derive(Debug)]
enum ModuleNames {
    /// Modules whose name equals one of these, or ends with one after a dot.
    Named(Vec<String>),
    /// Modules whose whole name matches a regular expression.
    Pattern { option: &'static str, regex: Box<Regex> },
}

impl ModuleNames {
    /// Reads an option that is a list of names or a regular expression.
    fn read(option: &'static str, value: Value) -> Result<Self, AdapterError> {
        let Value::String(pattern) = value else { return Ok(Self::Named(typed(option, value)?)) };
        if pattern.len() > MAX_PATTERN {
            return Err(problem(option, format!("the pattern has {} bytes, at most {MAX_PATTERN}", pattern.len())));
        }
        let mut builder = RegexBuilder::new(&format!(r"\A(?:{pattern})\z"));
        let regex = builder.backtrack_limit(MAX_PATTERN_STEPS).build();
        let regex = regex.map_err(|error| problem(option, format!("the pattern cannot be read: {error}")))?;
        Ok(Self::Pattern { option, regex: Box::new(regex) })
    }

    fn contain(&self, module: &str) -> Result<bool, AdapterError> {
        let is_suffix = |name: &String| {
            module.strip_suffix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        match self {
            Self::Named(names) => Ok(names.iter().any(is_suffix)),
            Self::Pattern { option, regex } => {
                regex.is_match(module).map_err(|error| problem(option, format!("the pattern fails: {error}")))
            }
        }
    }

    fn contain_whole(&self, module: &str) -> bool {
        matches!(self, Self::Named(names) if names.iter().any(|name| name == module))
    }
}

impl PeftConfig {
    /// Parses the file.
    ///
    /// # Errors
    /// [`AdapterError::Config`] for options that the engine does not implement, such as DoRA or a bias, and for unknown
    /// options that are neither null, false nor empty.
    pub fn read(bytes: &[u8]) -> Result<Self, AdapterError> {
        let mut options: Map<String, Value> =
            serde_json::from_slice(bytes).map_err(|error| AdapterError::Config(error.to_string()))?;
        let mut take = |option: &str| options.remove(option).filter(|value| !value.is_null());
        let required =
            |option: &'static str, value: Option<Value>| value.ok_or_else(|| problem(option, "the option is missing"));
        let peft_type: String = typed("peft_type", required("peft_type", take("peft_type"))?)?;
        if peft_type != "LORA" {
            return Err(problem("peft_type", format!("{peft_type} is not supported; LORA is")));
        }
        let rank: usize = typed("r", required("r", take("r"))?)?;
        if !(1..=MAX_RANK).contains(&rank) {
            return Err(problem("r", format!("it is {rank}, it must lie from 1 to {MAX_RANK}")));
        }
        let alpha: f32 = typed("lora_alpha", required("lora_alpha", take("lora_alpha"))?)?;
        if !alpha.is_finite() {
            return Err(problem("lora_alpha", "it is not finite"));
        }
        let rank_stabilised = take("use_rslora").map(|value| typed("use_rslora", value)).transpose()?;
        let (targets, excluded) = (take("target_modules"), take("exclude_modules"));
        let (layers, pattern) = (take("layers_to_transform"), take("layers_pattern"));
        let (bias, initialisation) = (take("bias"), take("init_lora_weights"));
        check_bias(bias)?;
        check_initialisation(initialisation)?;
        // All that the code above has not taken.
        for (option, value) in &options {
            if !WITHOUT_EFFECT.contains(&option.as_str()) && !is_off(value) {
                return Err(problem(option, "the option is not supported, and it may change the adapter's results"));
            }
        }
        // PEFT always writes the targets; without them, or with this word, the tensors determine the modules.
        let all_linear = |value: &Value| value.as_str().is_some_and(|text| text.eq_ignore_ascii_case("all-linear"));
        let named_targets = targets.as_ref().is_none_or(Value::is_array);
        let targets = targets.filter(|value| !all_linear(value));
        Ok(Self {
            rank,
            alpha,
            rank_stabilised: rank_stabilised.unwrap_or(false),
            targets: targets.map(|value| ModuleNames::read("target_modules", value)).transpose()?,
            excluded: excluded
                .filter(|value| !is_off(value))
                .map(|value| ModuleNames::read("exclude_modules", value))
                .transpose()?,
            layers: read_layers(layers, pattern, named_targets)?,
        })
    }

    /// Returns the reason for which a module of a layer has no adapter; `None` if it may have one.
    ///
    /// # Errors
    /// A regular expression takes too many steps.
    pub(crate) fn exclusion(&self, layer: usize, module: &str) -> Result<Option<&'static str>, AdapterError> {
        if let Some(excluded) = &self.excluded
            && excluded.contain(module)?
        {
            return Ok(Some("belongs to a module that exclude_modules names"));
        }
        if let Some(targets) = &self.targets {
            if targets.contain_whole(module) {
                return Ok(None);
            }
            if !targets.contain(module)? {
                return Ok(Some("belongs to no module that target_modules names"));
            }
        }
        let is_layer = |index: &i64| usize::try_from(*index) == Ok(layer);
        match &self.layers {
            Some(layers) if !layers.iter().any(is_layer) => {
                Ok(Some("belongs to a layer that layers_to_transform does not name"))
            }
            _ => Ok(None),
        }
    }
}

fn problem(option: &str, problem: impl std::fmt::Display) -> AdapterError {
    AdapterError::Config(format!("{option}: {problem}"))
}

fn typed<T: DeserializeOwned>(option: &str, value: Value) -> Result<T, AdapterError> {
    serde_json::from_value(value).map_err(|error| problem(option, error))
}

/// Returns whether a value switches an option off.
fn is_off(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) | Value::Number(_) => false,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

fn check_bias(bias: Option<Value>) -> Result<(), AdapterError> {
    match bias {
        None => Ok(()),
        Some(bias) if bias == "none" => Ok(()),
        Some(bias) => Err(problem("bias", format!("{bias} is not supported; \"none\" is"))),
    }
}

/// Rejects an initialisation that changes the base weights.
fn check_initialisation(initialisation: Option<Value>) -> Result<(), AdapterError> {
    match initialisation {
        None | Some(Value::Bool(_)) => Ok(()),
        Some(Value::String(name)) if PLAIN_INITIALISATIONS.contains(&name.to_lowercase().as_str()) => Ok(()),
        Some(other) => Err(problem(
            "init_lora_weights",
            format!(
                "{other} is not supported, because it changes the weights of the base model; save the adapter with \
                 path_initial_model_for_weight_conversion, which makes it one for the original weights"
            ),
        )),
    }
}

/// Reads the layers that have an adapter. `named_targets` tells whether `target_modules` is a list.
fn read_layers(
    layers: Option<Value>,
    pattern: Option<Value>,
    named_targets: bool,
) -> Result<Option<Vec<i64>>, AdapterError> {
    let pattern: Vec<String> = match pattern {
        None => Vec::new(),
        Some(Value::String(name)) => Vec::from_iter((!name.is_empty()).then_some(name)),
        Some(names) => typed("layers_pattern", names)?,
    };
    let Some(layers) = layers.filter(|value| value.as_array().is_none_or(|list| !list.is_empty())) else {
        return match pattern.is_empty() {
            true => Ok(None),
            false => Err(problem("layers_pattern", "the option needs layers_to_transform")),
        };
    };
    if !named_targets {
        return Err(problem("layers_to_transform", "the option needs target_modules as a list"));
    }
    if !pattern.is_empty() && !pattern.iter().any(|name| matches!(name.as_str(), "layers" | "model.layers")) {
        return Err(problem("layers_pattern", "no name is that of the model's layers, which are in \"layers\""));
    }
    let layers = if layers.is_array() { layers } else { Value::Array(vec![layers]) };
    typed("layers_to_transform", layers).map(Some)
}

/// Writes the file of an adapter. Equal options have equal bytes.
pub(crate) fn write(options: &LoraOptions, base_model: &str, is_text_part: bool) -> Vec<u8> {
    let LoraOptions { rank, alpha, targets, rank_stabilised } = *options;
    let mut target_modules: Vec<&str> = targets.names().collect();
    target_modules.sort_unstable();
    // Other parts of the model have modules of the same names.
    let target_modules = match is_text_part {
        true => json!(format!(r".*language_model.*\.({})", target_modules.join("|"))),
        false => json!(target_modules),
    };
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
