//! A GGUF file alone is a base model: shape, tokenizer and template come from its metadata.

use std::fs;
use std::path::{Path, PathBuf};

use safetensors::SafeTensors;
use serde_json::{Value, json};
use trainyard::engine::WeightFormat;
use trainyard::engine::testing::noise;
use trainyard::server::Service;
use trainyard_gguf::testing::Writer;

use crate::support::{Model, SEEDLING, TestService, base_model, row, settings, text};

/// Numbers of element types, as in `ggml.h`.
const Q8_0: u32 = 8;
const Q4_K: u32 = 12;
const Q6_K: u32 = 14;
const IQ4_XS: u32 = 23;
const BF16: u32 = 30;
const CONTROL: i32 = 3;
const USER_DEFINED: i32 = 4;

fn asset(file: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/seedling").join(file))
        .expect("the built-in model's file")
}

fn asset_json(file: &str) -> Value {
    serde_json::from_slice(&asset(file)).expect("JSON")
}

/// Metadata of the built-in model, as llama.cpp's converter writes them.
fn metadata() -> Writer {
    let (config, tokenizer) = (asset_json("config.json"), asset_json("tokenizer.json"));
    let mut writer = Writer::new("qwen3").text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "qwen2");
    for (key, field) in [
        ("context_length", "max_position_embeddings"),
        ("embedding_length", "hidden_size"),
        ("block_count", "num_hidden_layers"),
        ("feed_forward_length", "intermediate_size"),
        ("attention.head_count", "num_attention_heads"),
        ("attention.head_count_kv", "num_key_value_heads"),
        ("attention.key_length", "head_dim"),
        ("attention.value_length", "head_dim"),
    ] {
        let number = config[field].as_u64().and_then(|number| u32::try_from(number).ok()).expect("a number");
        writer = writer.number(&format!("qwen3.{key}"), number);
    }
    let mut tokens = vec![String::new(); 1536];
    let mut kinds = vec![1; 1536];
    let id = |id: &Value| usize::try_from(id.as_u64().expect("an id")).expect("small");
    for (token, number) in tokenizer["model"]["vocab"].as_object().expect("a vocabulary") {
        tokens[id(number)].clone_from(token);
    }
    for added in tokenizer["added_tokens"].as_array().expect("tokens") {
        tokens[id(&added["id"])] = text(&added["content"]).to_owned();
        kinds[id(&added["id"])] = if added["special"] == true { CONTROL } else { USER_DEFINED };
    }
    let merges = tokenizer["model"]["merges"].as_array().expect("merges").iter();
    let merges: Vec<String> = merges.map(|merge| format!("{} {}", text(&merge[0]), text(&merge[1]))).collect();
    writer
        .float("qwen3.attention.layer_norm_rms_epsilon", 1e-6)
        .float("qwen3.rope.freq_base", 10_000.0)
        .texts("tokenizer.ggml.tokens", &tokens)
        .integers("tokenizer.ggml.token_type", &kinds)
        .texts("tokenizer.ggml.merges", &merges)
        .number("tokenizer.ggml.eos_token_id", 2)
}

/// llama.cpp's name of a tensor.
fn name(hugging_face: &str) -> String {
    let fixed = match hugging_face {
        "model.embed_tokens.weight" => "token_embd.weight",
        "model.norm.weight" => "output_norm.weight",
        _ => "",
    };
    if !fixed.is_empty() {
        return fixed.to_owned();
    }
    let (layer, part) =
        hugging_face.strip_prefix("model.layers.").and_then(|rest| rest.split_once('.')).expect("a layer");
    let part = part.strip_suffix(".weight").expect("a weight");
    let part = match part {
        "input_layernorm" => "attn_norm",
        "post_attention_layernorm" => "ffn_norm",
        "self_attn.q_proj" => "attn_q",
        "self_attn.k_proj" => "attn_k",
        "self_attn.v_proj" => "attn_v",
        "self_attn.o_proj" => "attn_output",
        "self_attn.q_norm" => "attn_q_norm",
        "self_attn.k_norm" => "attn_k_norm",
        "mlp.gate_proj" => "ffn_gate",
        "mlp.up_proj" => "ffn_up",
        "mlp.down_proj" => "ffn_down",
        other => panic!("{other}"),
    };
    format!("blk.{layer}.{part}.weight")
}

/// Blocks of eight bits with a scale for each 32 numbers.
fn q8_0(values: &[f32]) -> Vec<u8> {
    let block = |values: &[f32]| {
        let scale = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs())) / 127.0;
        // The scale is an f16; a power of two is one in both forms.
        let scale = scale.max(1e-4).log2().ceil().exp2();
        let half = (((scale.to_bits() >> 23) + 15 - 127) as u16) << 10;
        let numbers = values.iter().map(move |value| ((value / scale).round() as i8).cast_unsigned());
        half.to_le_bytes().into_iter().chain(numbers).collect::<Vec<u8>>()
    };
    values.chunks(32).flat_map(block).collect()
}

/// Adds the built-in model's tensors, those for which `is_in` is true.
fn with_tensors(mut writer: Writer, element: u32, is_in: impl Fn(&str) -> bool) -> Writer {
    let file = asset("model.safetensors");
    for (hugging_face, view) in SafeTensors::deserialize(&file).expect("safetensors").tensors() {
        if !is_in(&hugging_face) {
            continue;
        }
        let (pairs, _) = view.data().as_chunks::<2>();
        let values: Vec<f32> =
            pairs.iter().map(|pair| f32::from_bits(u32::from(u16::from_le_bytes(*pair)) << 16)).collect();
        writer = match (view.shape(), element) {
            ([_], _) => writer.values(&name(&hugging_face), view.shape(), &values),
            (shape, BF16) => writer.tensor(&name(&hugging_face), shape, BF16, view.data().to_vec()),
            (shape, _) => writer.tensor(&name(&hugging_face), shape, Q8_0, q8_0(&values)),
        };
    }
    writer
}

fn write(directory: &Path, name: &str, writer: &Writer) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, writer.bytes()).expect("a file");
    path
}

#[tokio::test]
async fn a_file_alone_chats_as_its_model_does() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let template = String::from_utf8(asset("chat_template.jinja")).expect("UTF-8");
    let file = with_tensors(metadata(), BF16, |_| true).text("tokenizer.chat_template", &template);
    let path = write(directory.path(), "seedling.gguf", &file);
    // A directory that has nothing but the file.
    let alone = directory.path().join("alone");
    fs::create_dir(&alone).expect("a directory");
    write(&alone, "model.gguf", &file);
    let service = TestService::start_with(|settings| {
        settings.weights = Some(WeightFormat::F32);
        settings.base_models.push(base_model("local/seedling", &path));
        settings.base_models.push(base_model("tiny/directory", &alone));
    })
    .await;
    for prompt in ["red?", "What's 12 plus 30, <tool_call>?"] {
        let options = json!({ "temperature": 0, "max_tokens": 12, "logprobs": true });
        let of = async |model: &str| service.chat(model, prompt, options.clone()).await["choices"].clone();
        let expected = of(SEEDLING).await;
        assert_eq!(of("local/seedling").await, expected);
        assert_eq!(of("tiny/directory").await, expected);
    }
    let listed = service.get("/v1/models").await.ok();
    assert!(listed.to_string().contains("local/seedling"), "{listed}");
    service.stop().await;
}

#[tokio::test]
async fn a_file_without_a_template_in_parts_completes_and_does_not_chat() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let part = |writer: Writer, number: u16| writer.short("split.no", number).short("split.count", 2);
    let is_first = |name: &str| name.contains("layers.0") || name.contains("embed");
    let first = part(with_tensors(metadata(), Q8_0, is_first), 0);
    let second = part(with_tensors(Writer::default(), Q8_0, |name| !is_first(name)), 1);
    let names = [1, 2].map(|number| format!("seedling-{number:05}-of-00002.gguf"));
    write(directory.path(), &names[0], &first);
    let second = write(directory.path(), &names[1], &second);
    let service =
        TestService::start_with(|settings| settings.base_models.push(base_model("tiny/parts", &second))).await;
    let body = json!({ "model": "tiny/parts", "prompt": "red?", "max_tokens": 5, "seed": 1 });
    let completed = service.post("/v1/completions", &body).await.ok();
    assert!(completed["usage"]["completion_tokens"].as_u64().is_some_and(|count| count > 0), "{completed}");
    let body = json!({ "model": "tiny/parts", "messages": [{ "role": "user", "content": "red?" }] });
    let error = service.post("/v1/chat/completions", &body).await.rejected(422);
    assert!(text(&error["message"]).starts_with("the model has no chat template: put chat_template.jinja"), "{error}");
    // The check of the sampler asks for no chat.
    service.get("/v1/system-check").await.ok();
    service.stop().await;
    fs::write(directory.path().join("chat_template.jinja"), asset("chat_template.jinja")).expect("a file");
    let service =
        TestService::start_with(|settings| settings.base_models.push(base_model("tiny/parts", directory.path()))).await;
    service.chat("tiny/parts", "red?", json!({ "max_tokens": 2 })).await;
    service.stop().await;
}

/// Adds random tensors of a model of 256 values in the types of `Q4_K_M`, of which some have no kernel.
fn with_mixture(writer: Writer) -> Writer {
    const HIDDEN: usize = 256;
    let mut noise = noise(5);
    let mut writer = [
        ("embedding_length", HIDDEN),
        ("feed_forward_length", HIDDEN),
        ("attention.key_length", 64),
        ("attention.value_length", 64),
        ("block_count", 2),
    ]
    .into_iter()
    .fold(writer, |writer, (key, number)| writer.number(&format!("qwen3.{key}"), number as u32))
    .values("output_norm.weight", &[HIDDEN], &[1.0; HIDDEN]);
    // Size of a block, and the scales in f16 within it.
    let mut matrix = |writer: Writer, name: String, rows: usize, element: u32| {
        let (size, at, scales): (usize, usize, &[u16]) = match element {
            Q4_K => (144, 0, &[0x06b4, 0x128e]),
            Q6_K => (210, 208, &[0x0265]),
            // IQ4_XS
            _ => (136, 0, &[0x0265]),
        };
        let mut bytes: Vec<u8> = (0..rows * size).map(|_| (128.0 * (noise() + 1.0)) as u8).collect();
        for block in bytes.chunks_exact_mut(size) {
            let halves = block[at..].as_chunks_mut::<2>().0;
            halves.iter_mut().zip(scales).for_each(|(half, scale)| *half = scale.to_le_bytes());
        }
        writer.tensor(&format!("{name}.weight"), &[rows, HIDDEN], element, bytes)
    };
    writer = matrix(writer, "token_embd".to_owned(), 1536, Q6_K);
    for layer in 0..2 {
        for (norm, width) in [("attn_norm", HIDDEN), ("ffn_norm", HIDDEN), ("attn_q_norm", 64), ("attn_k_norm", 64)] {
            writer = writer.values(&format!("blk.{layer}.{norm}.weight"), &[width], &vec![1.0; width]);
        }
        for (name, rows, element) in [
            ("attn_q", 256, Q4_K),
            ("attn_k", 128, IQ4_XS),
            ("attn_v", 128, Q6_K),
            ("attn_output", 256, Q4_K),
            ("ffn_gate", 256, Q4_K),
            ("ffn_up", 256, Q4_K),
            ("ffn_down", 256, Q6_K),
        ] {
            writer = matrix(writer, format!("blk.{layer}.{name}"), rows, element);
        }
    }
    writer
}

#[tokio::test]
async fn a_mixture_of_types_is_trained_on_what_was_sampled() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let template = String::from_utf8(asset("chat_template.jinja")).expect("UTF-8");
    let file = with_mixture(metadata()).text("tokenizer.chat_template", &template);
    let path = write(directory.path(), "mixture.gguf", &file);
    let service =
        TestService::start_with(|settings| settings.base_models.push(base_model("local/mixture", &path))).await;
    let bases = service.get("/v1/preview/base-models").await.ok();
    let bases = bases["data"].as_array().expect("base models");
    let weights = |name: &str| bases.iter().find(|base| base["id"] == name).map(|base| base["weights"].clone());
    assert_eq!((weights("local/mixture"), weights(SEEDLING)), (Some(json!("file")), Some(json!("f32"))));
    for memory in bases.iter().map(|base| &base["memory"]) {
        let bytes = |needs: &Value| needs.as_u64().unwrap_or_else(|| panic!("a size: {memory}"));
        let (weights, serving, lora) = (&memory["weight_bytes"], &memory["serving_bytes"], &memory["lora"]["bytes"]);
        assert!(bytes(weights) < bytes(serving).min(bytes(lora)), "{memory}");
    }

    let body = json!({ "project": "tests", "name": "mixed", "base_model": "local/mixture" });
    let created = service.post("/v1/preview/models", &body).await.ok();
    let name = format!("wandb-artifact:///{}/tests/mixed", text(&created["entity"]));
    let model = Model { id: text(&created["id"]).to_owned(), name };
    let untrained = service.first_tokens(&model.name, "red?").await;
    let lesson = service.start_sft(&model, &[row("red?", "blue green")], json!({ "learning_rate": 5e-3 })).await;
    service.finished(&lesson).await;
    assert_ne!(service.first_tokens(&model.name, "red?").await, untrained, "it learned from rows");

    let groups = service.rollouts(&model.name, "red?", &[0.0, 0.25, 1.0, 0.5]).await;
    let job = service.start_rl(&model, json!([groups]), json!({ "learning_rate": 5e-3 })).await;
    let events = service.finished(&job).await;
    let step = events.iter().find(|event| event["type"] == "gradient_step").expect("a step");
    assert_eq!(step["data"]["logprob_mismatch/max_abs"], 0.0, "{step}");
    assert_eq!(service.get(&format!("/v1/preview/training-jobs/{job}")).await.ok()["trainer"], "file");
    service.stop().await;
}

/// The error of a service that is opened with a base model.
async fn rejection(path: &Path) -> String {
    let data = tempfile::tempdir().expect("a temporary directory");
    let mut settings = settings(&data);
    settings.base_models.push(base_model("tiny/other", path));
    match Service::open(&settings, &mut |_, _, _| {}).await {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{} was accepted", path.display()),
    }
}

#[tokio::test]
async fn a_place_without_a_model_says_what_is_missing_and_how_to_get_it() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| directory.path().join(name);
    let whole = with_tensors(metadata(), BF16, |_| true);
    let folder = |name: &str| {
        fs::create_dir(path(name)).expect("a directory");
        path(name)
    };
    let empty = folder("empty");
    let other = folder("other");
    fs::write(other.join("notes.txt"), "").expect("a file");
    let no_tokenizer = folder("no-tokenizer");
    fs::write(no_tokenizer.join("config.json"), asset("config.json")).expect("a file");
    fs::write(no_tokenizer.join("model.safetensors"), asset("model.safetensors")).expect("a file");
    let two = folder("two");
    fs::write(two.join("a.gguf"), "GGUF").expect("a file");
    fs::write(two.join("b.gguf"), "GGUF").expect("a file");
    fs::write(path("weights.safetensors"), asset("model.safetensors")).expect("a file");
    fs::write(path("short.gguf"), "GGUF").expect("a file");
    for (place, expected) in [
        (path("nowhere"), ["nothing is there", "--base-model tiny/other"]),
        (empty, ["the directory is empty", "hf download tiny/other --local-dir"]),
        (other, ["it has notes.txt", "or one .gguf file"]),
        (no_tokenizer, ["no tokenizer.json is there", "hf download tiny/other tokenizer.json"]),
        (two, ["several .gguf files: a.gguf, b.gguf", "name one, as in --base-model NAME="]),
        (path("weights.safetensors"), ["does not begin as GGUF", "the directory that has config.json"]),
        (path("short.gguf"), ["short.gguf", "the file ends in the middle of the version"]),
        (
            write(directory.path(), "x-00001-of-00002.gguf", &whole),
            ["x-00002-of-00002.gguf is not beside it", "trainyard models pull ORGANIZATION/NAME:x-00001-of"],
        ),
        (
            write(directory.path(), "renamed.gguf", &whole.clone().short("split.no", 0).short("split.count", 3)),
            ["part 1 of 3", "part 1 of 1"],
        ),
        (
            write(directory.path(), "unknown.gguf", &whole.clone().text("tokenizer.ggml.pre", "whatever")),
            ["tokenizer.ggml.pre is \"whatever\"", "hf download tiny/other tokenizer.json"],
        ),
        (
            write(directory.path(), "mute.gguf", &whole.clone().without("tokenizer.ggml.model")),
            ["the metadata has no tokenizer.ggml.model", "hf download tiny/other tokenizer.json"],
        ),
        (
            write(directory.path(), "mamba.gguf", &whole.clone().text("general.architecture", "mamba")),
            ["general.architecture is \"mamba\"", "smollm3"],
        ),
    ] {
        let message = rejection(&place).await;
        assert!(expected.iter().all(|part| message.contains(part)), "{message}");
        assert!(!message.contains("os error"), "{message}");
    }
}
