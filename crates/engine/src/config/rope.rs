//! Rotary embedding: `rope_scaling`, `rope_parameters` and `rope_theta` of a `config.json`.
//!
//! `transformers` 4 writes `rope_theta` beside `rope_scaling`; version 5 writes both into `rope_parameters`. Both may
//! call the kind `rope_type` or `type`. If several are present, the precedence is that of version 5. Families whose layers
//! with a sliding window rotate differently have `rope_local_base_freq` in version 4, and both in `rope_parameters` in
//! version 5.

use serde_json::Value;

use super::error::{ConfigError, reject, require};
use super::family::{Family, Traits};
use super::fields::Fields;

/// Modification of the frequencies `rope_theta ^ (-2k / rotated_dim)`.
#[derive(Clone, Debug, PartialEq)]
pub enum RopeScaling {
    /// No modification (`default`).
    None,
    /// Division of all frequencies by a factor (`linear`).
    Linear {
        /// Divisor.
        factor: f64,
    },
    /// Scaling by the length of a sequence that exceeds `max_position_embeddings` (`dynamic`). Sequences end at that
    /// length, so only the scaling at exactly that length remains, which is one up to rounding.
    Dynamic {
        /// Ratio of the longest sequence to the trained length.
        factor: f64,
    },
    /// Division of low frequencies by a factor, with high ones unchanged and those in between interpolated (`llama3`).
    Llama3 {
        /// Divisor of the low frequencies.
        factor: f64,
        /// Factor of low frequencies, those with wavelengths above `original / low_freq_factor`.
        low_freq_factor: f64,
        /// Factor of high frequencies, those with wavelengths below `original / high_freq_factor`.
        high_freq_factor: f64,
        /// Sequence length in pretraining, in tokens.
        original_max_position_embeddings: f64,
    },
    /// Like `Llama3`, with a ramp over dimensions instead of wavelengths, and larger cosines and sines (`yarn`,
    /// <https://arxiv.org/abs/2309.00071>).
    Yarn {
        /// Divisor of the low frequencies.
        factor: f64,
        /// First and last dimension of the ramp.
        ramp: (f64, f64),
        /// Factor on cosines and sines.
        attention_factor: f64,
    },
    /// Division of each frequency by a factor of its own, and larger cosines and sines (`longrope`,
    /// <https://arxiv.org/abs/2402.13753>). Longer sequences than the limit have other factors. With a factor of one on cosines
    /// and sines, these are also the factors in a GGUF file of Llama 3.
    LongRope {
        /// Divisors, `rotated_dim / 2` of them.
        short_factors: Vec<f64>,
        /// Factor on cosines and sines.
        attention_factor: f64,
        /// Maximum length of a sequence with these factors, in tokens.
        limit: usize,
    },
}

/// Rotary embedding of a layer's queries and keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// Base of the frequencies.
    pub theta: f64,
    /// Scaling of the frequencies.
    pub scaling: RopeScaling,
}

/// Rotation of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rotation {
    /// None.
    None,
    /// By [`ModelConfig::rope`](super::ModelConfig::rope).
    Full,
    /// By [`ModelConfig::local_rope`](super::ModelConfig::local_rope).
    Local,
}

/// Returns the layers without rotary embedding: those with a zero in `no_rope_layers`, or every fourth
/// (`no_rope_layer_interval`).
pub(super) fn layers_without_rope(file: &Fields<'_>, layers: usize) -> Result<Vec<usize>, ConfigError> {
    let field = "no_rope_layers";
    let Some(listed) = file.get(field) else {
        let interval = file.count("no_rope_layer_interval")?.unwrap_or(4);
        require(interval > 0, "no_rope_layer_interval", interval, "it must be at least 1")?;
        return Ok((0..layers).filter(|layer| (layer + 1).is_multiple_of(interval)).collect());
    };
    let reason = "it must list a 1 or a 0 for each layer";
    let flags = listed.as_array().filter(|flags| flags.len() >= layers).ok_or_else(|| reject(field, listed, reason))?;
    let mut without = Vec::new();
    for (layer, flag) in flags[..layers].iter().enumerate() {
        match flag.as_u64() {
            Some(0) => without.push(layer),
            Some(1) => {}
            _ => return Err(reject(field, listed, reason)),
        }
    }
    Ok(without)
}

/// Names of rotary parameters by the kind of a layer: the object in `rope_parameters`, its prefix, and the base beside it.
const FULL: [&str; 3] = ["full_attention", "rope_parameters.full_attention.", "rope_theta"];
const LOCAL: [&str; 3] = ["sliding_attention", "rope_parameters.sliding_attention.", "rope_local_base_freq"];

/// Returns the parameters of a model whose layers have the same rotary embedding.
fn parameters<'a>(file: &Fields<'a>) -> Result<Fields<'a>, ConfigError> {
    match file.get("rope_scaling") {
        Some(_) => file.inner("rope_scaling", "rope_scaling."),
        None => file.inner("rope_parameters", "rope_parameters."),
    }
}

/// Reads the width of the part of a head that is rotated.
pub(super) fn rotated_dim(file: &Fields<'_>, family: Family, head_dim: usize) -> Result<usize, ConfigError> {
    let Some(default) = family.traits().rotated_part else { return Ok(head_dim) };
    let field = "partial_rotary_factor";
    let parameters = parameters(file)?;
    let part = parameters.number(field)?.or(file.number(field)?).unwrap_or(default);
    let rotated = (head_dim as f64 * part) as usize;
    let valid = part <= 1.0 && rotated >= 2 && rotated.is_multiple_of(2);
    require(valid, field, part, "it must leave an even part of the head, at most the whole")?;
    Ok(rotated)
}

/// Returns the first position whose query is scaled; `None` if none is.
pub(super) fn first_late_query(file: &Fields<'_>, family: Family) -> Result<Option<usize>, ConfigError> {
    if !family.traits().scales_late_queries {
        return Ok(None);
    }
    let parameters = parameters(file)?;
    let reason = "this model_type has no default of it";
    require(parameters.iter().next().is_some(), "rope_parameters", file.get("rope_parameters"), reason)?;
    if parameters.number("llama_4_scaling_beta")?.is_none_or(|beta| beta == 0.0) {
        return Ok(None);
    }
    let field = "original_max_position_embeddings";
    let first = parameters.count(field)?.filter(|first| *first > 0);
    first.map(Some).ok_or_else(|| reject(parameters.name(field), parameters.get(field), "it must be at least 1"))
}

/// Reads the rotary embedding, and that of layers with a sliding window where it may differ.
pub(super) fn read(
    file: &Fields<'_>,
    family: Family,
    rotated_dim: usize,
    max_position_embeddings: usize,
) -> Result<(Rope, Option<Rope>), ConfigError> {
    let traits = family.traits();
    let of = |parameters: Fields<'_>, beside: &str, default: f64| {
        let theta = file.number(beside)?.unwrap_or(default);
        rope(file, &parameters, traits, theta, rotated_dim, max_position_embeddings)
    };
    let Some(local_theta) = traits.local_rope_theta else {
        let parameters = parameters(file)?;
        for (name, value) in parameters.iter() {
            require(!value.is_object(), parameters.name(name), value, "every layer has the same rotary embedding")?;
        }
        return Ok((of(parameters, "rope_theta", traits.rope_theta)?, None));
    };
    let parameters = file.inner("rope_parameters", "rope_parameters.")?;
    for (name, value) in parameters.iter() {
        let known = [FULL[0], LOCAL[0]].contains(&name.as_str());
        require(known, parameters.name(name), value, "there are full_attention and sliding_attention")?;
    }
    let full = match file.get("rope_scaling") {
        Some(_) => file.inner("rope_scaling", "rope_scaling.")?,
        None => parameters.inner(FULL[0], FULL[1])?,
    };
    let local = of(parameters.inner(LOCAL[0], LOCAL[1])?, LOCAL[2], local_theta)?;
    Ok((of(full, FULL[2], traits.rope_theta)?, Some(local)))
}

/// Reads a rotary embedding; `theta` is its base unless the parameters have one.
fn rope(
    file: &Fields<'_>,
    parameters: &Fields<'_>,
    traits: Traits,
    theta: f64,
    rotated_dim: usize,
    max_position_embeddings: usize,
) -> Result<Rope, ConfigError> {
    let theta = parameters.number("rope_theta")?.unwrap_or(theta);
    require(theta >= 1.0, "rope_theta", theta, "it must be at least 1")?;
    for fields in [file, parameters] {
        let part = fields.number("partial_rotary_factor")?;
        let name = fields.name("partial_rotary_factor");
        require(
            traits.rotated_part.is_some() || part.is_none_or(|part| part == 1.0),
            name,
            part,
            "the whole head is rotated",
        )?;
    }
    // The value beside the parameters takes precedence over the one inside, and with `longrope` its default does too.
    let field = "original_max_position_embeddings";
    let original = file.number(field)?.or(match traits.has_longrope {
        true => Some(4096.0),
        false => parameters.number(field)?,
    });
    let original = original.unwrap_or(max_position_embeddings as f64);
    require(original >= 1.0, field, original, "it must be at least 1")?;

    let kind = parameters.get("rope_type").or_else(|| parameters.get("type"));
    let scaling = match kind.map_or(Some("default"), Value::as_str) {
        Some("default") => RopeScaling::None,
        // No file of Hugging Face has it: the factors of a GGUF file, which llama.cpp's converter computes.
        Some("factors") => RopeScaling::LongRope {
            short_factors: factors(parameters, "factors", rotated_dim)?,
            attention_factor: 1.0,
            limit: max_position_embeddings,
        },
        Some("longrope") if traits.has_longrope => {
            longrope(parameters, rotated_dim, original, max_position_embeddings)?
        }
        _ if traits.has_longrope => {
            return Err(reject(parameters.name("rope_type"), kind, "default and longrope are implemented"));
        }
        Some("linear") => RopeScaling::Linear { factor: positive(parameters, "factor")? },
        Some("dynamic") => {
            require(rotated_dim > 2, "head_dim", rotated_dim, "rope_type dynamic needs more than 2")?;
            RopeScaling::Dynamic { factor: positive(parameters, "factor")? }
        }
        Some("llama3") => {
            let low_freq_factor = positive(parameters, "low_freq_factor")?;
            let high_freq_factor = positive(parameters, "high_freq_factor")?;
            let name = parameters.name("high_freq_factor");
            require(high_freq_factor > low_freq_factor, name, high_freq_factor, "it must exceed low_freq_factor")?;
            RopeScaling::Llama3 {
                factor: positive(parameters, "factor")?,
                low_freq_factor,
                high_freq_factor,
                original_max_position_embeddings: original,
            }
        }
        Some("yarn") => yarn(parameters, theta, rotated_dim, original)?,
        _ => {
            let reason = "default, linear, dynamic, llama3 and yarn are implemented";
            return Err(reject(parameters.name("rope_type"), kind, reason));
        }
    };
    Ok(Rope { theta, scaling })
}

/// Returns a required number above zero.
fn positive(parameters: &Fields<'_>, field: &str) -> Result<f64, ConfigError> {
    let number = parameters.number(field)?;
    let positive = number.filter(|number| *number > 0.0);
    positive.ok_or_else(|| reject(parameters.name(field), number, "this rope_type needs a number above 0"))
}

fn longrope(
    parameters: &Fields<'_>,
    rotated_dim: usize,
    original: f64,
    max_position_embeddings: usize,
) -> Result<RopeScaling, ConfigError> {
    // Those of longer sequences are not used.
    factors(parameters, "long_factor", rotated_dim)?;
    let factor = parameters.number("factor")?.unwrap_or(max_position_embeddings as f64 / original);
    let by_length = if factor <= 1.0 { 1.0 } else { (1.0 + factor.ln() / original.ln()).sqrt() };
    let attention_factor = parameters.number("attention_factor")?.unwrap_or(by_length);
    let field = parameters.name("attention_factor");
    require(attention_factor > 0.0 && attention_factor.is_finite(), field, attention_factor, "it must lie above 0")?;
    let short_factors = factors(parameters, "short_factor", rotated_dim)?;
    Ok(RopeScaling::LongRope { short_factors, attention_factor, limit: original as usize })
}

/// Returns a required list with a number above zero for each rotated pair.
fn factors(parameters: &Fields<'_>, field: &str, rotated_dim: usize) -> Result<Vec<f64>, ConfigError> {
    let value = parameters.get(field);
    let listed = value.and_then(Value::as_array).filter(|listed| listed.len() == rotated_dim / 2);
    let number = |value: &Value| value.as_f64().filter(|number| *number > 0.0);
    let factors: Option<Vec<f64>> = listed.and_then(|listed| listed.iter().map(number).collect());
    let reason = "it must list a number above 0 for each pair of rotated values of a head";
    factors.ok_or_else(|| reject(parameters.name(field), value, reason))
}

fn yarn(parameters: &Fields<'_>, theta: f64, rotated_dim: usize, original: f64) -> Result<RopeScaling, ConfigError> {
    require(theta > 1.0, "rope_theta", theta, "rope_type yarn needs more than 1")?;
    let factor = positive(parameters, "factor")?;
    let dim = rotated_dim as f64;
    // Zero counts as absent, in this formula and in `transformers`.
    let or_default = |field: &str, default: f64| -> Result<f64, ConfigError> {
        let value = parameters.number(field)?.filter(|value| *value != 0.0).unwrap_or(default);
        require(value > 0.0, parameters.name(field), value, "it must lie above 0")?;
        Ok(value)
    };
    let (fast, slow) = (or_default("beta_fast", 32.0)?, or_default("beta_slow", 1.0)?);
    // Returns the dimension that completes `rotations` rotations over the trained length.
    let dimension =
        |rotations: f64| dim * (original / (rotations * 2.0 * std::f64::consts::PI)).ln() / (2.0 * theta.ln());
    let (mut first, mut last) = (dimension(fast), dimension(slow));
    if parameters.flag("truncate")?.unwrap_or(true) {
        (first, last) = (first.floor(), last.ceil());
    }
    let scale = |multiplier: f64| if factor <= 1.0 { 1.0 } else { 0.1 * multiplier * factor.ln() + 1.0 };
    let (mscale, mscale_all_dim) = (parameters.number("mscale")?, parameters.number("mscale_all_dim")?);
    let attention_factor = match (parameters.number("attention_factor")?, mscale, mscale_all_dim) {
        (Some(factor), ..) => factor,
        (None, Some(one), Some(all)) if one != 0.0 && all != 0.0 => scale(one) / scale(all),
        _ => scale(1.0),
    };
    let field = parameters.name("attention_factor");
    require(attention_factor > 0.0 && attention_factor.is_finite(), field, attention_factor, "it must lie above 0")?;
    Ok(RopeScaling::Yarn { factor, ramp: (first.max(0.0), last.min(dim - 1.0)), attention_factor })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Result<(f64, RopeScaling), ConfigError> {
        let (rope, local) = super::read(&Fields::document(&value).unwrap(), Family::Llama, 64, 4096)?;
        assert_eq!(local, None);
        Ok((rope.theta, rope.scaling))
    }

    #[test]
    fn layers_with_a_window_have_their_own() {
        let read = |family: Family, value: Value| {
            super::read(&Fields::document(&value).unwrap(), family, 64, 4096)
                .map(|(full, local)| (full, local.unwrap()))
        };
        let plain = |theta| Rope { theta, scaling: RopeScaling::None };
        let linear = |theta| Rope { theta, scaling: RopeScaling::Linear { factor: 8.0 } };
        assert_eq!(read(Family::Gemma3, json!({})).unwrap(), (plain(1e6), plain(1e4)));
        assert_eq!(read(Family::Olmo3, json!({})).unwrap(), (plain(5e5), plain(5e5)));
        let fourth = json!({"rope_theta": 2e6, "rope_local_base_freq": 3e4, "rope_scaling": {"rope_type": "linear", "factor": 8.0}});
        assert_eq!(read(Family::Gemma3, fourth).unwrap(), (linear(2e6), plain(3e4)));
        let fifth = json!({"rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 2e6},
            "sliding_attention": {"rope_type": "default", "rope_theta": 3e4}}});
        assert_eq!(read(Family::Gemma3, fifth).unwrap(), (linear(2e6), plain(3e4)));
        let half =
            json!({"rope_theta": 2e6, "rope_parameters": {"sliding_attention": {"rope_type": "linear", "factor": 8}}});
        assert_eq!(read(Family::Olmo3, half).unwrap(), (plain(2e6), linear(5e5)));
        let flat = json!({"rope_parameters": {"rope_type": "default"}});
        assert!(read(Family::Olmo3, flat).unwrap_err().to_string().contains("rope_parameters.rope_type"));
        let other = json!({"rope_parameters": {"sliding_attention": {"rope_type": "su"}}});
        let error = read(Family::Gemma3, other).unwrap_err().to_string();
        assert!(error.contains("rope_parameters.sliding_attention.rope_type"), "{error}");
    }

    #[test]
    fn both_positions_and_both_names_are_read() {
        let expected = (5e5, RopeScaling::Linear { factor: 4.0 });
        for fields in [
            json!({"rope_theta": 5e5, "rope_scaling": {"type": "linear", "factor": 4}}),
            json!({"rope_theta": 500_000, "rope_scaling": {"rope_type": "linear", "factor": 4.0}}),
            json!({"rope_parameters": {"rope_type": "linear", "rope_theta": 5e5, "factor": 4.0}}),
            json!({"rope_theta": 1.0, "rope_scaling": null,
                "rope_parameters": {"rope_type": "linear", "rope_theta": 5e5, "factor": 4.0}}),
        ] {
            assert_eq!(read(fields.clone()).unwrap(), expected, "{fields}");
        }
        for fields in [json!({}), json!({"rope_scaling": {}}), json!({"rope_parameters": {"type": "default"}})] {
            assert_eq!(read(fields).unwrap(), (10_000.0, RopeScaling::None));
        }
    }

    #[test]
    fn the_trained_length_beside_the_parameters_stands_above_that_inside() {
        let inside = json!({"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
            "original_max_position_embeddings": 8192});
        let length = |fields: Value| match read(fields).unwrap().1 {
            RopeScaling::Llama3 { original_max_position_embeddings, .. } => original_max_position_embeddings,
            other => panic!("{other:?}"),
        };
        assert_eq!(length(json!({"rope_scaling": inside})), 8192.0);
        assert_eq!(length(json!({"rope_scaling": inside, "original_max_position_embeddings": 2048})), 2048.0);
        let mut without = inside.clone();
        without["original_max_position_embeddings"] = Value::Null;
        assert_eq!(length(json!({"rope_scaling": without})), 4096.0);
    }

    #[test]
    fn unsupported_and_invalid_rope_settings_are_named() {
        let llama3 = |field: &str, value: Value| {
            let mut scaling = json!({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                "high_freq_factor": 4.0, "original_max_position_embeddings": 8192});
            scaling[field] = value;
            json!({ "rope_scaling": scaling })
        };
        for (fields, named) in [
            (json!({"rope_theta": 0.5}), "rope_theta = 0.5"),
            (json!({"rope_scaling": {"rope_type": "longrope", "factor": 2.0}}), "rope_scaling.rope_type"),
            (json!({"rope_scaling": {"type": "su"}}), "rope_scaling.rope_type = \"su\""),
            (json!({"rope_scaling": {"rope_type": 3}}), "rope_scaling.rope_type = 3"),
            (json!({"rope_scaling": "linear"}), "rope_scaling"),
            (
                json!({"rope_parameters": {"full_attention": {"rope_type": "default"}}}),
                "rope_parameters.full_attention",
            ),
            (json!({"rope_scaling": {"rope_type": "linear"}}), "rope_scaling.factor"),
            (json!({"rope_scaling": {"rope_type": "linear", "factor": 0}}), "rope_scaling.factor"),
            (json!({"rope_scaling": {"rope_type": "yarn", "factor": "4"}}), "rope_scaling.factor"),
            (json!({"rope_scaling": {"rope_type": "yarn", "factor": 4, "truncate": 1}}), "rope_scaling.truncate"),
            (json!({"rope_scaling": {"rope_type": "yarn", "factor": 4, "beta_fast": -1}}), "rope_scaling.beta_fast"),
            (json!({"partial_rotary_factor": 0.5}), "partial_rotary_factor = 0.5"),
            (json!({"rope_parameters": {"partial_rotary_factor": 0.5}}), "rope_parameters.partial_rotary_factor"),
            (json!({"original_max_position_embeddings": 0}), "original_max_position_embeddings"),
            (llama3("low_freq_factor", 4.0.into()), "rope_scaling.high_freq_factor"),
            (llama3("high_freq_factor", Value::Null), "rope_scaling.high_freq_factor"),
            (llama3("factor", (-8).into()), "rope_scaling.factor"),
        ] {
            let error = read(fields.clone()).unwrap_err().to_string();
            assert!(error.contains(named), "{fields}: {error}");
        }
    }
}
