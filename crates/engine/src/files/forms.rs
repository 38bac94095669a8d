//! Forms in which the files of a model have its tensors, by their headers alone.

use std::collections::BTreeMap;

use bytes::Bytes;
use safetensors::SafeTensors;
use serde::Serialize;
use trainyard_gguf::Header;

use super::element_types::ElementType;
use super::error::LoadError;
use super::header;
use crate::config::decoder_name;

/// Tensors of one form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredForm {
    /// Name of the element type.
    pub name: String,
    /// Number of tensors.
    pub tensors: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Whether they are blocks of a GGUF file, whose weights share scales.
    #[serde(skip)]
    pub is_quantised: bool,
}

/// Name of the form of tensors that are not read, since they are of a part that is none of the decoder.
const OTHER_PARTS: &str = "other parts";

/// Returns the forms of all tensors, the largest first. Of the files of a model whose decoder `is_text_part`, tensors of other parts
/// have a form of their own.
///
/// # Errors
/// A header is damaged.
pub fn stored_forms(files: &[(String, Bytes)], is_text_part: bool) -> Result<Vec<StoredForm>, LoadError> {
    let (mut forms, mut seen) = (BTreeMap::<String, StoredForm>::new(), 0);
    let mut add = |name: String, bytes: u64, is_quantised: bool| {
        let new = || StoredForm { name: name.clone(), tensors: 0, bytes: 0, is_quantised };
        let form = forms.entry(name.clone()).or_insert_with(new);
        form.tensors += 1;
        form.bytes += bytes;
    };
    for (file, bytes) in files {
        if trainyard_gguf::is_gguf(bytes) {
            let gguf = |source| LoadError::Gguf { file: file.clone(), source };
            for tensor in Header::read(bytes).map_err(|error| gguf(error.into()))?.tensors {
                let count = tensor.shape.iter().fold(1, |product: usize, size| product.saturating_mul(*size));
                match ElementType::of_number(tensor.element) {
                    Some(element) => {
                        let bytes = (count / element.elements * element.bytes) as u64;
                        add(element.name.to_owned(), bytes, element.is_quantised());
                    }
                    None => add(format!("type {}", tensor.element), 0, false),
                }
            }
            continue;
        }
        header::check(bytes, seen).map_err(|source| LoadError::Header { file: file.clone(), source })?;
        let (_, metadata) =
            SafeTensors::read_metadata(bytes).map_err(|source| LoadError::File { file: file.clone(), source })?;
        for (name, info) in metadata.tensors() {
            let is_read = !is_text_part || decoder_name(&name).is_some();
            let form = if is_read { format!("{:?}", info.dtype) } else { OTHER_PARTS.to_owned() };
            add(form, (info.data_offsets.1 - info.data_offsets.0) as u64, false);
            seen += 1;
        }
    }
    let mut forms: Vec<StoredForm> = forms.into_values().collect();
    forms.sort_by_key(|form| std::cmp::Reverse(form.bytes));
    Ok(forms)
}
