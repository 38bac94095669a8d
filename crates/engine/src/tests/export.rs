//! Tests of exported files: a merged model computes what its base does with the adapter, and GGUF files have its tensors.

use bytes::Bytes;

use super::*;
use crate::export::{ElementType, ExportError, MergedModel, MetadataValue, TensorFile, adapter_gguf};
use crate::files::read_gguf;

/// Largest difference of logits between a merged model and its base with the adapter.
const LIMIT: f32 = 2e-4;

struct Case {
    json: String,
    config: ModelConfig,
    base: Vec<u8>,
    adapter: Adapter,
}

fn case(json: &Value) -> Case {
    let json = json.to_string();
    let config = ModelConfig::from_json(&json).unwrap();
    let base = safetensors_file(&random_tensors(&config, 5));
    let adapter = random_adapter(&config, 3, 8);
    Case { json, config, base, adapter }
}

impl Case {
    fn merged(&self) -> MergedModel<'_> {
        MergedModel::new(&self.json, &[("model.safetensors", &self.base)], Some(&self.adapter)).unwrap()
    }
}

fn written(pool: &ComputePool, file: &TensorFile<'_>) -> Vec<u8> {
    let (mut bytes, mut progress) = (Vec::new(), 0);
    file.write(pool, &mut bytes, &mut |count| progress += count).unwrap();
    assert_eq!((bytes.len() as u64, progress), (file.bytes(), file.bytes()), "{}", file.name());
    bytes
}

#[test]
fn a_merged_model_computes_what_its_base_does_with_the_adapter() {
    let pool = ComputePool::new(2);
    for (name, json) in family_configs() {
        let case = case(&json);
        let base = BaseModel::load(&case.json, &[("model.safetensors", &case.base)], WeightFormat::F32, &pool).unwrap();
        let expected = prompt_logits(&pool, &base, Some(&case.adapter));
        let merged = case.merged();
        let files = merged.safetensors(ElementType::F32).unwrap();
        assert!(files.index_json.is_none());
        let file = written(&pool, &files.files[0]);
        assert_eq!(file, written(&ComputePool::new(3), &files.files[0]), "{name}: the same bytes on other threads");
        let config = String::from_utf8(merged.config_json(ElementType::F32).unwrap()).unwrap();
        let again = BaseModel::load(&config, &[("model.safetensors", &file)], WeightFormat::F32, &pool).unwrap();
        let found = prompt_logits(&pool, &again, None);
        let distance = expected.iter().zip(&found).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
        assert!(distance <= LIMIT, "{name}: {distance}");
        let without = prompt_logits(&pool, &base, None);
        assert!(without.iter().zip(&found).any(|(one, other)| (one - other).abs() > 100.0 * LIMIT), "{name}");
    }
}

/// Returns the values of all tensors of a model by name.
fn values(config: &ModelConfig, files: &[(&str, &[u8])]) -> Vec<(String, Vec<f32>)> {
    let mut tensors = crate::files::Tensors::of_files(config, files).unwrap();
    tensor_shapes(config)
        .into_iter()
        .map(|(name, shape)| {
            let values = tensors.values(&name, &shape).unwrap();
            (name, values)
        })
        .collect()
}

#[test]
fn shards_have_the_tensors_of_one_file() {
    let pool = ComputePool::new(2);
    let case = case(&odd_config());
    let merged = case.merged();
    let whole = written(&pool, &merged.safetensors(ElementType::Bf16).unwrap().files[0]);
    let shards = merged.sharded(ElementType::Bf16, 4000).unwrap();
    let index: Value = serde_json::from_slice(&shards.index_json.unwrap()).unwrap();
    assert!(shards.files.len() > 3);
    let files: Vec<(&str, Vec<u8>)> = shards.files.iter().map(|file| (file.name(), written(&pool, file))).collect();
    assert_eq!(files[0].0, format!("model-00001-of-{:05}.safetensors", files.len()));
    for (name, file) in &files {
        let names: Vec<String> =
            safetensors::SafeTensors::deserialize(file).unwrap().names().into_iter().map(str::to_owned).collect();
        assert!(names.iter().all(|tensor| index["weight_map"][tensor] == *name));
    }
    let borrowed: Vec<(&str, &[u8])> = files.iter().map(|(name, file)| (*name, &file[..])).collect();
    assert_eq!(values(&case.config, &borrowed), values(&case.config, &[("model.safetensors", &whole)]));
}

/// Models that llama.cpp computes as they are.
fn ggml_configs() -> Vec<(&'static str, Value)> {
    let mut configs = family_configs();
    configs.retain(|(name, _)| *name != "ministral3");
    for (name, config) in &mut configs {
        match *name {
            "qwen3_5 with groups" => {
                (config["linear_key_head_dim"], config["attention_bias"]) = (32.into(), false.into());
            }
            "smollm3" => config["no_rope_layer_interval"] = 4.into(),
            "olmo3" => {
                config["layer_types"] = json!(["sliding_attention", "sliding_attention"]);
                config["rope_local_base_freq"] = config["rope_theta"].clone();
            }
            "gemma3" => {
                config["sliding_window_pattern"] = 6.into();
                config["query_pre_attn_scalar"] = 10.into();
            }
            _ => {}
        }
        if matches!(config["model_type"].as_str(), Some("olmo2" | "olmo3" | "phi3" | "lfm2")) {
            config["hidden_size"] = 40.into();
        }
    }
    // Biases of reordered rows are not read, layers of two kinds not written, and convolutions have no biases there.
    let others = ["llama with biases", "qwen3_moe with a plain layer", "lfm2 with biases"];
    configs.retain(|(name, _)| !others.contains(name));
    configs
}

#[test]
fn a_gguf_file_has_the_tensors_of_the_merged_model() {
    let pool = ComputePool::new(2);
    for (name, json) in ggml_configs() {
        let case = case(&json);
        let merged = case.merged();
        let file = merged.gguf("model.gguf".into(), ElementType::F32, []).unwrap();
        let gguf = written(&pool, &file);
        assert_eq!(gguf, written(&pool, &merged.gguf("model.gguf".into(), ElementType::F32, []).unwrap()), "{name}");
        let safetensors = written(&pool, &merged.safetensors(ElementType::F32).unwrap().files[0]);
        let expected = values(&case.config, &[("model.safetensors", &safetensors)]);
        let found = values(&case.config, &[("model.gguf", &gguf)]);
        assert_eq!(expected.len(), found.len());
        for ((tensor, expected), (_, found)) in expected.iter().zip(&found) {
            // A norm is stored as it is applied, so its last bits beside one are rounded.
            let offset = if tensor.ends_with("norm.weight") { case.config.norm_offset } else { 0.0 };
            let offset = if tensor.ends_with("linear_attn.norm.weight") { 0.0 } else { offset };
            if tensor.ends_with("A_log") {
                // The file has powers, so last bits are rounded.
                let is_near = |(left, right): (&f32, &f32)| (left - right).abs() < 1e-6;
                assert!(expected.iter().zip(found).all(is_near), "{name}: {tensor}");
                continue;
            }
            let applied = |values: &[f32]| values.iter().map(|value| (value + offset).to_bits()).collect::<Vec<_>>();
            assert!(applied(expected) == applied(found), "{name}: {tensor}");
        }
        BaseModel::load(&case.json, &[("model.gguf", &gguf)], WeightFormat::F32, &pool).unwrap();
    }
}

#[test]
fn integers_of_a_gguf_file_are_near_its_weights() {
    let pool = ComputePool::new(2);
    let mut json = odd_config();
    (json["hidden_size"], json["intermediate_size"]) = (64.into(), 96.into());
    let case = case(&json);
    let merged = case.merged();
    let exact = written(&pool, &merged.safetensors(ElementType::F32).unwrap().files[0]);
    let exact = values(&case.config, &[("model.safetensors", &exact)]);
    for (element, limit) in
        [(ElementType::F16, 1e-3), (ElementType::Bf16, 8e-3), (ElementType::Q8_0, 1e-2), (ElementType::Q4_0, 0.15)]
    {
        let file = written(&pool, &merged.gguf("model.gguf".into(), element, []).unwrap());
        for ((name, exact), (_, found)) in exact.iter().zip(values(&case.config, &[("model.gguf", &file)])) {
            let largest = exact.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
            let apart = exact.iter().zip(&found).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
            let limit = if name.ends_with("norm.weight") { 0.0 } else { limit * largest };
            assert!(apart <= limit, "{element} {name}: {apart} of {limit}");
        }
    }
    // The tied embedding keeps eight bits, and rows of 40 values no blocks.
    let file = written(&pool, &merged.gguf("model.gguf".into(), ElementType::Q4_0, []).unwrap());
    let (_, embedding) = &read_gguf(&file, &case.config).unwrap()["model.embed_tokens.weight"];
    assert_eq!(embedding.bytes(), 77 * 64 / 32 * 34);
}

/// Every row of a mixture has blocks: of 256, or else of 32.
#[test]
fn a_mixture_is_near_its_weights_and_the_same_on_any_number_of_threads() {
    let pool = ComputePool::new(2);
    let mut json = odd_config();
    for (hidden, inner) in [(256, 512), (64, 96)] {
        (json["hidden_size"], json["intermediate_size"]) = (hidden.into(), inner.into());
        let case = case(&json);
        let merged = case.merged();
        let exact = written(&pool, &merged.safetensors(ElementType::F32).unwrap().files[0]);
        let exact = values(&case.config, &[("model.safetensors", &exact)]);
        let file = written(&pool, &merged.gguf("model.gguf".into(), ElementType::Q4K, []).unwrap());
        assert_eq!(
            file,
            written(&ComputePool::new(1), &merged.gguf("model.gguf".into(), ElementType::Q4K, []).unwrap())
        );
        for ((name, exact), (_, found)) in exact.iter().zip(values(&case.config, &[("model.gguf", &file)])) {
            let squares = |values: &mut dyn Iterator<Item = f32>| values.map(|value| value * value).sum::<f32>();
            let error = squares(&mut exact.iter().zip(&found).map(|(one, other)| one - other));
            let relative = (error / squares(&mut exact.iter().copied())).sqrt();
            let limit = if name.ends_with("norm.weight") { 0.0 } else { 0.1 };
            assert!(relative <= limit, "{hidden} {name}: {relative}");
        }
    }
}

#[test]
fn metadata_of_a_gguf_file_is_in_its_order() {
    let case = case(&odd_config());
    let texts = MetadataValue::Texts(vec!["a".to_owned(), "b".to_owned()]);
    let added =
        [("tokenizer.ggml.tokens".to_owned(), texts), ("general.name".to_owned(), MetadataValue::Text("x".into()))];
    let file = written(&ComputePool::new(1), &case.merged().gguf("m".into(), ElementType::Q8_0, added).unwrap());
    let at = |text: &str| file.windows(text.len()).position(|window| window == text.as_bytes()).unwrap();
    assert!(at("qwen3.attention.head_count_kv") < at("general.quantization_version"));
    assert!(at("tokenizer.ggml.tokens") < at("general.name"));
}

#[test]
fn models_that_llama_cpp_computes_otherwise_are_refused() {
    let refused = |name: &str| {
        let (_, json) = family_configs().into_iter().find(|(found, _)| *found == name).unwrap();
        let case = case(&json);
        case.merged().gguf("model.gguf".into(), ElementType::F32, []).unwrap_err().to_string()
    };
    for (name, reason) in [
        ("smollm3", "every 4th"),
        ("gemma3", "every 6th"),
        ("olmo3", "every 4th"),
        ("qwen3_moe with a plain layer", "experts in every layer"),
    ] {
        let error = refused(name);
        assert!(error.contains(reason) && error.ends_with("export it merged"), "{name}: {error}");
    }
}

#[test]
fn an_adapter_as_gguf_has_the_rows_of_its_model() {
    let pool = ComputePool::new(2);
    for (name, json) in ggml_configs() {
        let case = case(&json);
        let mut options = *case.adapter.options();
        options.rank_stabilised = true;
        let adapter = random_adapter_of(&case.config, &options, 4);
        let metadata = [("general.name".to_owned(), MetadataValue::Text("x".to_owned()))];
        let file = adapter_gguf("a.gguf".into(), &case.config, &adapter, ElementType::F32, metadata).unwrap();
        let file = written(&pool, &file);
        // A base of zeros, merged, has the update alone, in the order of llama.cpp's rows.
        let zeros: Vec<_> = tensor_shapes(&case.config)
            .into_iter()
            .map(|(name, shape)| {
                let zeros = vec![0.0; shape.iter().product()];
                (name, shape, zeros)
            })
            .collect();
        let zeros = safetensors_file(&zeros);
        let merged = MergedModel::new(&case.json, &[("zeros", &zeros)], Some(&adapter)).unwrap();
        let merged = written(&pool, &merged.gguf("m.gguf".into(), ElementType::F32, []).unwrap());
        let (factors, updates) = (raw_tensors(&file), raw_tensors(&merged));
        let alpha = adapter.scale() * options.rank as f32;
        let mut compared = 0;
        for (update, shape, values) in updates {
            let factor = |side| factors.iter().find(|(name, ..)| *name == format!("{update}.lora_{side}"));
            let (Some((_, a_shape, a)), Some((_, b_shape, b))) = (factor('a'), factor('b')) else { continue };
            assert_eq!((a_shape, b_shape), (&vec![3, shape[1]], &vec![shape[0], 3]), "{name} {update}");
            for (index, value) in values.iter().enumerate() {
                let (row, column) = (index / shape[1], index % shape[1]);
                let sum: f32 = (0..3).map(|k| b[row * 3 + k] * a[k * shape[1] + column]).sum();
                assert!((alpha / 3.0 * sum - value).abs() <= 1e-5, "{name} {update} {row} {column}");
            }
            compared += 2;
        }
        assert_eq!(compared, factors.len(), "{name}");
    }
}

/// Reads the F32 tensors of a GGUF file as they are.
fn raw_tensors(file: &[u8]) -> Vec<(String, Vec<usize>, Vec<f32>)> {
    let number = |at: usize, bytes: usize| {
        file[at..][..bytes].iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte))
    };
    let (tensors, entries) = (number(8, 8), number(16, 8));
    let mut at = 24;
    let text = |at: &mut usize| {
        let length = number(*at, 8);
        *at += 8 + length;
        String::from_utf8(file[*at - length..*at].to_vec()).unwrap()
    };
    for _ in 0..entries {
        text(&mut at);
        at += 4;
        match number(at - 4, 4) {
            8 => drop(text(&mut at)),
            // A list of numbers of four bytes.
            9 => at += 12 + 4 * number(at + 4, 8),
            _ => at += 4,
        }
    }
    let mut infos = Vec::new();
    for _ in 0..tensors {
        let name = text(&mut at);
        let dimensions = number(at, 4);
        let mut shape: Vec<usize> = (0..dimensions).map(|index| number(at + 4 + 8 * index, 8)).collect();
        shape.reverse();
        at += 4 + 8 * dimensions + 4 + 8;
        infos.push((name, shape, number(at - 8, 8)));
    }
    let start = at.next_multiple_of(32);
    let read = |(name, shape, offset): (String, Vec<usize>, usize)| {
        let mut values = vec![0.0; shape.iter().product()];
        crate::files::read_f32(&file[start + offset..][..4 * values.len()], &mut values);
        (name, shape, values)
    };
    infos.into_iter().map(read).collect()
}

#[test]
fn values_beyond_the_element_type_and_files_that_cannot_be_written_are_errors() {
    let json = odd_config();
    let config = ModelConfig::from_json(&json.to_string()).unwrap();
    let mut tensors = random_tensors(&config, 5);
    let (name, ..) = tensors[3].clone();
    tensors[3].2[7] = 1e5;
    let base = Bytes::from(safetensors_file(&tensors));
    let merged = MergedModel::new(&json.to_string(), &[("model.safetensors", &base)], None).unwrap();
    let pool = ComputePool::new(2);
    let files = merged.safetensors(ElementType::F16).unwrap();
    let error = files.files[0].write(&pool, &mut Vec::new(), &mut |_| ()).unwrap_err();
    let ExportError::Range { name: found, index: 7, .. } = &error else { panic!("{error}") };
    assert_eq!(*found, name);
    let mut short = [0; 100];
    let error = merged.safetensors(ElementType::F32).unwrap().files[0].write(&pool, &mut &mut short[..], &mut |_| ());
    assert!(matches!(error, Err(ExportError::Write(_))));
    assert!(matches!(merged.safetensors(ElementType::Q8_0), Err(ExportError::NoSafetensors(ElementType::Q8_0))));
    let other = random_adapter(&ModelConfig::from_json(&case(&family_configs()[2].1).json).unwrap(), 2, 1);
    assert!(matches!(MergedModel::new(&json.to_string(), &[("base", &base)], Some(&other)), Err(ExportError::Adapter)));
}
