//! Safetensors in Hugging Face's layout, in several files if they are large.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use serde_json::json;

use super::tensor_file::{Tensor, TensorFile};
use super::{ElementType, ExportError, MergedModel};

/// Size in bytes above which `transformers` begins another file.
const SHARD_BYTES: usize = 5_000_000_000;

/// Safetensors of a model.
#[derive(Debug)]
pub struct SafetensorsFiles<'a> {
    /// Files with weights, in order.
    pub files: Vec<TensorFile<'a>>,
    /// `model.safetensors.index.json`; `None` if there is one file.
    pub index_json: Option<Vec<u8>>,
}

impl<'a> MergedModel<'a> {
    /// Returns the model as safetensors, in files of at most 5 GB.
    ///
    /// # Errors
    /// Safetensors have no such element type.
    pub fn safetensors(&self, element: ElementType) -> Result<SafetensorsFiles<'a>, ExportError> {
        self.sharded(element, SHARD_BYTES)
    }

    /// Returns the model in files of at most `limit` bytes of weights; a larger tensor has its own.
    pub(crate) fn sharded(&self, element: ElementType, limit: usize) -> Result<SafetensorsFiles<'a>, ExportError> {
        let (dtype, _) = element.safetensors().ok_or(ExportError::NoSafetensors(element))?;
        let bytes: Vec<usize> =
            self.tensors.iter().map(|tensor| element.row_bytes(tensor.shape.iter().product())).collect();
        let shards = shards(&bytes, limit);
        let name = |index: usize| match shards.len() {
            1 => "model.safetensors".to_owned(),
            count => format!("model-{:05}-of-{count:05}.safetensors", index + 1),
        };
        let (mut files, mut weight_map) = (Vec::new(), BTreeMap::new());
        for (index, shard) in shards.iter().enumerate() {
            let (mut header, mut offset, mut tensors) =
                (r#"{"__metadata__":{"format":"pt"}"#.to_owned(), 0, Vec::new());
            for (tensor, bytes) in self.tensors[shard.clone()].iter().zip(&bytes[shard.clone()]) {
                let (named, shape, end) = (json!(tensor.name), json!(tensor.shape), offset + bytes);
                // Writing to a text cannot fail.
                let _ =
                    write!(header, r#",{named}:{{"dtype":"{dtype}","shape":{shape},"data_offsets":[{offset},{end}]}}"#);
                offset = end;
                tensors.push(Tensor { element, parts: vec![self.rows(tensor)?] });
                weight_map.insert(tensor.name.clone(), name(index));
            }
            header.push('}');
            // Readers map the file, and elements are to be aligned there.
            let header = format!("{header:width$}", width = header.len().next_multiple_of(8));
            let head = [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat();
            files.push(TensorFile::new(name(index), head, tensors, 1));
        }
        let index_json = (files.len() > 1).then(|| {
            let index = json!({ "metadata": { "total_size": bytes.iter().sum::<usize>() }, "weight_map": weight_map });
            let mut bytes = serde_json::to_vec_pretty(&index).expect("a JSON value can be written");
            bytes.push(b'\n');
            bytes
        });
        Ok(SafetensorsFiles { files, index_json })
    }
}

/// Divides tensors of these sizes into runs of at most `limit` bytes; a larger tensor is a run.
fn shards(bytes: &[usize], limit: usize) -> Vec<Range<usize>> {
    let (mut shards, mut first, mut sum) = (Vec::new(), 0, 0);
    for (index, bytes) in bytes.iter().enumerate() {
        if index > first && sum + bytes > limit {
            shards.push(first..index);
            (first, sum) = (index, 0);
        }
        sum += bytes;
    }
    shards.push(first..bytes.len());
    shards
}
