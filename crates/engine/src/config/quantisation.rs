//! `quantization_config` of a `config.json`: linear maps that the files store as integers.

use serde_json::Value;

use super::error::{ConfigError, reject, require};
use super::fields::Fields;

const NAME: &str = "quantization_config";

/// Quantisation of the linear maps in a model's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantisation {
    /// Order of the integers.
    pub packing: Packing,
    /// Bits of an integer, 4 or 8.
    pub bits: usize,
}

/// Order in which integers share words of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Those of consecutive inputs share a word (GPTQ).
    Gptq {
        /// Whether each zero point is stored less one: `checkpoint_format` is `gptq`, not `gptq_v2`.
        zeros_less_one: bool,
    },
    /// Those of consecutive outputs share a word, even ones first (AWQ, version `gemm`).
    Awq,
    /// Those of consecutive inputs share a word, and rows are outputs (compressed-tensors, format `pack-quantized`).
    PackQuantised {
        /// Whether zero points are stored; without, each is half of the numbers' range.
        has_zeros: bool,
    },
}

/// Reads the quantisation; `None` if the files have plain weights.
pub(super) fn read(file: &Fields<'_>) -> Result<Option<Quantisation>, ConfigError> {
    if file.get(NAME).is_none() {
        return Ok(None);
    }
    let fields = file.inner(NAME, "quantization_config.")?;
    let method = fields.text("quant_method")?;
    let (packing, allowed, reason) = match method {
        Some("gptq") => {
            let format = fields.text("checkpoint_format")?.unwrap_or("gptq");
            let is_known = matches!(format, "gptq" | "gptq_v2");
            require(is_known, fields.name("checkpoint_format"), format, "gptq and gptq_v2 are read")?;
            (Packing::Gptq { zeros_less_one: format == "gptq" }, &[4, 8][..], "gptq is read with 4 and 8 bits")
        }
        Some("awq") => {
            let version = fields.text("version")?.or(fields.text("format")?).unwrap_or("gemm");
            require(version.eq_ignore_ascii_case("gemm"), fields.name("version"), version, "gemm is read")?;
            (Packing::Awq, &[4][..], "awq is read with 4 bits")
        }
        Some("compressed-tensors") => return read_compressed_tensors(&fields).map(Some),
        _ => {
            let reason = "weights are plain, or quantised by gptq, awq or compressed-tensors";
            return Err(reject(fields.name("quant_method"), method, reason));
        }
    };
    let bits = fields.count("bits")?.filter(|bits| allowed.contains(bits));
    let bits = bits.ok_or_else(|| reject(fields.name("bits"), fields.get("bits"), reason))?;
    Ok(Some(Quantisation { packing, bits }))
}

/// Reads the quantisation of compressed-tensors: one or more groups of maps whose weights are quantised alike.
fn read_compressed_tensors(fields: &Fields<'_>) -> Result<Quantisation, ConfigError> {
    let format = fields.text("format")?;
    require(format == Some("pack-quantized"), fields.name("format"), format, "pack-quantized is read")?;
    for field in ["kv_cache_scheme", "transform_config"] {
        let value = fields.get(field).filter(|value| value.as_object().is_none_or(|object| !object.is_empty()));
        require(value.is_none(), fields.name(field), value, "it must be absent or null")?;
    }
    let groups = fields.inner("config_groups", "quantization_config.config_groups.")?;
    let mut found = None;
    for (name, group) in groups.iter() {
        let reject = |field: &str, value: &Value, reason| {
            Err(reject(format!("quantization_config.config_groups.{name}.{field}"), value, reason))
        };
        for field in ["input_activations", "output_activations"] {
            if !group[field].is_null() {
                return reject(field, &group[field], "activations must not be quantised");
            }
        }
        let weights = &group["weights"];
        if weights["type"] != "int" {
            return reject("weights.type", &weights["type"], "weights are int");
        }
        if !["group", "channel"].iter().any(|strategy| weights["strategy"] == *strategy) {
            return reject("weights.strategy", &weights["strategy"], "group and channel are read");
        }
        let bits = match weights["num_bits"].as_u64() {
            Some(4) => 4,
            Some(8) => 8,
            _ => return reject("weights.num_bits", &weights["num_bits"], "weights have 4 or 8 bits"),
        };
        let packing = Packing::PackQuantised { has_zeros: weights["symmetric"] == false };
        let quantisation = Quantisation { packing, bits };
        if found.is_some_and(|found| found != quantisation) {
            return reject("weights", weights, "all groups have the same num_bits and symmetric");
        }
        found = Some(quantisation);
    }
    let reason = "there must be a group";
    found.ok_or_else(|| reject(fields.name("config_groups"), fields.get("config_groups"), reason))
}
