//! `quantization_config` of a `config.json`: linear maps that the files store as integers.

use super::fields::Fields;
use super::{ConfigError, refuse, require};

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
        _ => return Err(refuse(fields.name("quant_method"), method, "weights are plain, or quantised by gptq or awq")),
    };
    let bits = fields.count("bits")?.filter(|bits| allowed.contains(bits));
    let bits = bits.ok_or_else(|| refuse(fields.name("bits"), fields.get("bits"), reason))?;
    Ok(Some(Quantisation { packing, bits }))
}
