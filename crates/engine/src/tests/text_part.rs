//! Tests of decoders inside models that read images too: they compute what the decoder alone does, under other names.

use std::collections::BTreeSet;

use safetensors::SafeTensors;

use super::*;
use crate::export::{ElementType, MergedModel};
use crate::files::LoadError;
use crate::lora::PeftFiles;

/// Beginnings of tensor names in the files of such models: of the layers, and of the head.
const LAYOUTS: [[&str; 2]; 4] = [
    ["model.language_model.", "lm_head."],
    ["language_model.model.", "language_model.lm_head."],
    ["model.text_model.", "lm_head."],
    ["model.", "lm_head."],
];

/// Returns a model that reads images, around a decoder of another kind each.
fn wrappers() -> Vec<(&'static str, Value, Value)> {
    let classes = [
        ("gemma3", "gemma3", "Gemma3ForConditionalGeneration"),
        ("mistral", "mistral3", "Mistral3ForConditionalGeneration"),
        ("ministral3", "mistral3", "Mistral3ForConditionalGeneration"),
        ("qwen2", "llava_onevision", "LlavaOnevisionForConditionalGeneration"),
        ("llama with biases", "llava", "LlavaForConditionalGeneration"),
        ("qwen3_5", "qwen3_5", "Qwen3_5ForConditionalGeneration"),
        ("qwen3_5_moe", "qwen3_5_moe", "Qwen3_5MoeForConditionalGeneration"),
        ("lfm2", "lfm2_vl", "Lfm2VlForConditionalGeneration"),
    ];
    let configs = family_configs();
    let wrapper = |(name, model_type, class): (&'static str, &str, &str)| {
        let (_, decoder) = configs.iter().find(|(family, _)| *family == name).unwrap();
        let whole = json!({
            "model_type": model_type, "architectures": [class], "text_config": decoder, "eos_token_id": [1, 7],
            "vision_config": { "model_type": "siglip_vision_model", "hidden_size": 1152 },
        });
        (name, decoder.clone(), whole)
    };
    classes.into_iter().map(wrapper).collect()
}

/// Returns the decoder's file with other names, beside tensors that no decoder has.
fn whole_file(file: &[u8], [layers, head]: [&str; 2]) -> Vec<u8> {
    let tensors = SafeTensors::deserialize(file).unwrap();
    let name = |name: &str| match name.strip_prefix("model.") {
        Some(rest) => format!("{layers}{rest}"),
        None => format!("{head}{}", name.strip_prefix("lm_head.").unwrap()),
    };
    let decoder = tensors.tensors().into_iter().map(|(tensor, view)| (name(&tensor), view));
    let vision = [
        "model.vision_tower.layers.0.self_attn.q_proj.weight",
        "multi_modal_projector.norm.weight",
        "visual.x",
        "mtp.layers.0.self_attn.q_proj.weight",
    ];
    // Nothing of them is read, not even the type.
    let vision = vision.map(|name| (name.to_owned(), TensorView::new(Dtype::U8, vec![3], &[1, 2, 3]).unwrap()));
    safetensors::serialize(decoder.chain(vision), None).unwrap()
}

fn load(config: &Value, file: &[u8], pool: &ComputePool) -> Result<Arc<BaseModel>, LoadError> {
    BaseModel::load(&config.to_string(), &[("model.safetensors", file)], WeightFormat::Bf16, pool)
}

/// Returns the bits of logits.
fn bits(pool: &Arc<ComputePool>, base: &Arc<BaseModel>, adapter: Option<&Adapter>) -> Vec<u32> {
    prompt_logits(pool, base, adapter).into_iter().map(f32::to_bits).collect()
}

/// Returns an adapter's files with other names of its tensors.
fn renamed(files: &PeftFiles, module: &str) -> PeftFiles {
    let tensors = SafeTensors::deserialize(&files.adapter_model_safetensors).unwrap();
    let name =
        |name: &str| name.replace("base_model.model.model.language_model.", &format!("base_model.model.{module}."));
    let tensors = tensors.tensors().into_iter().map(|(tensor, view)| (name(&tensor), view)).collect::<Vec<_>>();
    PeftFiles { adapter_model_safetensors: safetensors::serialize(tensors, None).unwrap(), ..files.clone() }
}

#[test]
fn a_text_part_has_the_bits_of_the_decoder_alone() {
    let pool = ComputePool::new(2);
    for (name, decoder, whole) in wrappers() {
        let config = ModelConfig::from_json(&decoder.to_string()).unwrap();
        let file = safetensors_file(&random_tensors(&config, 5));
        let alone = load(&decoder, &file, &pool).unwrap();
        let adapter = random_adapter(&config, 3, 8);
        let expected = [bits(&pool, &alone, None), bits(&pool, &alone, Some(&adapter))];
        assert_ne!(expected[0], expected[1]);
        for layout in LAYOUTS {
            let part = load(&whole, &whole_file(&file, layout), &pool).unwrap();
            assert_eq!(part.config, ModelConfig { is_text_part: true, ..config.clone() }, "{name}");
            let found = [bits(&pool, &part, None), bits(&pool, &part, Some(&adapter))];
            assert_eq!(found, expected, "{name}, {layout:?}");
        }
    }
}

#[test]
fn adapters_have_the_names_that_vllm_and_peft_expect() {
    for (name, decoder, whole) in wrappers() {
        let [alone, part] = [decoder, whole].map(|config| ModelConfig::from_json(&config.to_string()).unwrap());
        let adapter = random_adapter(&part, 3, 8);
        let files = adapter.to_peft("acme/vision", &part);
        let names = |files: &PeftFiles| -> BTreeSet<String> {
            let tensors = SafeTensors::deserialize(&files.adapter_model_safetensors).unwrap();
            tensors.names().into_iter().map(str::to_owned).collect()
        };
        let written = names(&files);
        assert!(written.contains("base_model.model.model.language_model.layers.1.self_attn.q_proj.lora_A.weight"));
        assert!(written.iter().all(|name| name.starts_with("base_model.model.model.language_model.layers.")));
        let plain = names(&adapter.to_peft("acme/vision", &alone));
        assert_eq!(
            written,
            plain.iter().map(|name| name.replace("model.layers", "model.language_model.layers")).collect()
        );
        // A vision tower has modules with the names of the decoder's.
        let config: Value = serde_json::from_slice(&files.adapter_config_json).unwrap();
        let targets = config["target_modules"].as_str().unwrap();
        assert!(targets.starts_with(r".*language_model.*\.(") && targets.contains("q_proj"), "{targets}");

        let read =
            |files: &PeftFiles| Adapter::from_peft(&part, &files.adapter_config_json, &files.adapter_model_safetensors);
        assert_eq!(read(&files).unwrap(), adapter, "{name}");
        let older = renamed(&files, "language_model.model");
        assert_eq!(read(&older).unwrap(), adapter, "{name}");
        let mut of_decoder = renamed(&files, "model");
        of_decoder.adapter_config_json = adapter.to_peft("acme/vision", &alone).adapter_config_json;
        assert_eq!(read(&of_decoder).unwrap(), adapter, "{name}");
        let error = Adapter::from_peft(&alone, &files.adapter_config_json, &files.adapter_model_safetensors);
        assert!(error.unwrap_err().to_string().contains("no tensor of a projection of this model"));
    }
}

#[test]
fn adapters_of_other_parts_are_rejected_by_name() {
    let (_, _, whole) = wrappers().remove(0);
    let config = ModelConfig::from_json(&whole.to_string()).unwrap();
    let files = random_adapter(&config, 3, 8).to_peft("acme/vision", &config);
    for name in [
        "base_model.model.model.vision_tower.encoder.layers.0.self_attn.q_proj.lora_A.weight",
        // Under two names of the module with the layers.
        "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight",
    ] {
        let tensors = SafeTensors::deserialize(&files.adapter_model_safetensors).unwrap();
        let other = TensorView::new(Dtype::F32, vec![1], &[0; 4]).unwrap();
        let tensors = tensors.tensors().into_iter().chain([(name.to_owned(), other)]);
        let file = safetensors::serialize(tensors, None).unwrap();
        let error = Adapter::from_peft(&config, &files.adapter_config_json, &file).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("belongs to no"), "{error}");
    }
}

#[test]
fn a_merged_text_part_is_a_decoder_alone() {
    let pool = ComputePool::new(2);
    for (name, decoder, whole) in wrappers() {
        let config = ModelConfig::from_json(&decoder.to_string()).unwrap();
        let file = safetensors_file(&random_tensors(&config, 5));
        let adapter = random_adapter(&config, 3, 8);
        let merged = |config: &Value, file: &[u8]| {
            let json = config.to_string();
            let merged = MergedModel::new(&json, &[("model.safetensors", file)], Some(&adapter)).unwrap();
            let (config, mut bytes) = (merged.config_json(ElementType::F32).unwrap(), Vec::new());
            merged.safetensors(ElementType::F32).unwrap().files[0].write(&pool, &mut bytes, &mut |_| ()).unwrap();
            (serde_json::from_slice::<Value>(&config).unwrap(), bytes)
        };
        let (config, bytes) = merged(&whole, &whole_file(&file, LAYOUTS[0]));
        assert_eq!(bytes, merged(&decoder, &file).1, "{name}");
        let class = config["architectures"][0].as_str().unwrap();
        assert!(class.ends_with("ForCausalLM"), "{class}");
        assert_eq!((&config["model_type"], &config["eos_token_id"]), (&decoder["model_type"], &json!([1, 7])));
        load(&config, &bytes, &pool).unwrap();
    }
}

#[test]
fn fields_beside_the_decoder_hold_for_it() {
    let (_, decoder, mut whole) = wrappers().remove(1);
    let read = |config: &Value| ModelConfig::from_json(&config.to_string()).unwrap();
    assert!(!read(&whole).tie_word_embeddings && decoder["tie_word_embeddings"] == false);
    // As `transformers` 5 writes it, with files that have no head.
    whole["tie_word_embeddings"] = true.into();
    assert!(read(&whole).tie_word_embeddings);
    whole["quantization_config"] = json!({ "quant_method": "gptq", "bits": 4 });
    assert!(read(&whole).quantisation.is_some());
}

#[test]
fn other_models_are_rejected_by_what_was_found() {
    let (_, _, whole) = wrappers().remove(0);
    let error = |change: fn(&mut Value)| {
        let mut config = whole.clone();
        change(&mut config);
        ModelConfig::from_json(&config.to_string()).unwrap_err().to_string()
    };
    let unknown = error(|config| config["text_config"]["model_type"] = "mamba".into());
    assert!(unknown.contains(r#"text_config.model_type = "mamba""#) && unknown.contains("gemma3_text"), "{unknown}");
    let absent = error(|config| config["text_config"]["model_type"] = Value::Null);
    assert!(absent.contains("text_config.model_type = null"), "{absent}");
    let field = error(|config| config["text_config"]["final_logit_softcapping"] = 30.into());
    assert!(field.contains("text_config.final_logit_softcapping = 30"), "{field}");
    let class = error(|config| config["architectures"] = json!(["ColPaliForRetrieval"]));
    assert!(class.contains("ColPaliForRetrieval") && class.contains("ForConditionalGeneration"), "{class}");
    let no_object = error(|config| config["text_config"] = "gemma".into());
    assert!(no_object.contains(r#"text_config = "gemma""#), "{no_object}");
    let outer = error(|config| config["text_config"] = Value::Null);
    assert!(outer.contains(r#"model_type = "gemma3""#), "{outer}");
}
