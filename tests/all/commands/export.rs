//! `trainyard export`: forms of a trained step, on the store of a service.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use trainyard::engine::{Adapter, BaseModel, BatchRow, ComputePool, Decoder, ModelConfig, WeightFormat};

use super::{finish, program};
use crate::support::process::{Process, Site};
use crate::support::row;

/// Names and contents of the files of a directory.
type Files = BTreeMap<String, Vec<u8>>;

const SEEDLING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/seedling");

fn files(directory: &Path) -> Files {
    let entries = std::fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry"));
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().expect("text"), std::fs::read(entry.path()).expect("a file"))
    };
    entries.map(file).collect()
}

/// A site with a model of one trained step.
async fn trained() -> Site {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let model = site.model(&server, "agent").await;
    let job = site.start_sft(&server, &model, &[row("red?", "blue"), row("one?", "two")]).await;
    site.finished(&server, &job).await;
    server.stop();
    site
}

/// Runs an export: exit code, standard output, standard error.
async fn export(site: &Site, model: &str, form: &str, out: &Path, more: &[&str]) -> (i32, String, String) {
    let (data, out) = (site.data().display().to_string(), out.display().to_string());
    let arguments = ["export", model, "--form", form, "--out", &out, "--data-dir", &data];
    finish(program(site, &[&arguments[..], more].concat())).await
}

async fn exported(site: &Site, form: &str, more: &[&str]) -> Files {
    let mut found: Option<Files> = None;
    for turn in 0..2 {
        let out = site.path().join(format!("{form}-{}-{turn}", more.concat()));
        let (code, shown, told) = export(site, "p/agent:step1", form, &out, more).await;
        assert_eq!(code, 0, "{form} {more:?}: {told}");
        let files = files(&out);
        let listed: Vec<&str> = shown.lines().filter_map(|line| line.rsplit('/').next()).collect();
        assert_eq!(listed, files.keys().collect::<Vec<_>>(), "{form}");
        assert!(found.as_ref().is_none_or(|first| *first == files), "{form}: an export again has the same bytes");
        found = Some(files);
    }
    found.expect("two exports")
}

fn base(config: &[u8], weights: &[(&str, &[u8])], pool: &ComputePool) -> Arc<BaseModel> {
    let config = std::str::from_utf8(config).expect("text");
    BaseModel::load(config, weights, WeightFormat::F32, pool).expect("a model")
}

fn logits(pool: &Arc<ComputePool>, base: &Arc<BaseModel>, adapter: Option<&Arc<Adapter>>) -> Vec<f32> {
    let mut decoder = Decoder::new(pool.clone(), base.clone(), 64);
    let sequence = decoder.add_sequence();
    let row = |position| BatchRow { token: 40 + position as u32, position, sequence, adapter, want_logits: true };
    let found = decoder.forward(&(0..32).map(row).collect::<Vec<_>>()).expect("finite logits");
    (0..found.rows()).flat_map(|row| found.row(row).to_vec()).collect()
}

fn distance(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
}

#[tokio::test]
async fn a_step_is_exported_in_every_form() {
    let site = trained().await;
    let peft = exported(&site, "peft", &[]).await;
    assert_eq!(
        peft.keys().collect::<Vec<_>>(),
        ["LICENSE", "README.md", "adapter_config.json", "adapter_model.safetensors"]
    );
    let merged = exported(&site, "merged", &["--weights", "f32"]).await;
    let gguf = exported(&site, "gguf", &["--weights", "f32"]).await;
    let mixture = exported(&site, "gguf", &["--weights", "q4_k_m"]).await;
    assert!(mixture["agent-step1-q4_k_m.gguf"].len() < gguf["agent-step1-f32.gguf"].len() / 3);
    let adapter_gguf = exported(&site, "adapter-gguf", &[]).await;

    let pool = ComputePool::new(2);
    let seedling = files(Path::new(SEEDLING));
    let plain = base(&seedling["config.json"], &[("base", &seedling["model.safetensors"])], &pool);
    let adapter = Adapter::from_peft(&plain.config, &peft["adapter_config.json"], &peft["adapter_model.safetensors"]);
    let adapter = Arc::new(adapter.expect("an adapter"));
    let expected = logits(&pool, &plain, Some(&adapter));
    assert!(distance(&expected, &logits(&pool, &plain, None)) > 0.01, "the adapter has an effect");
    let whole = base(&merged["config.json"], &[("merged", &merged["model.safetensors"])], &pool);
    let found = logits(&pool, &whole, None);
    assert!(distance(&expected, &found) <= 2e-4, "{}", distance(&expected, &found));
    let of_gguf = base(&merged["config.json"], &[("gguf", &gguf["agent-step1-f32.gguf"])], &pool);
    assert_eq!(logits(&pool, &of_gguf, None), found, "the GGUF file has the merged tensors to the bit");

    for name in ["tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "generation_config.json"] {
        assert_eq!(merged[name], seedling[name], "{name}");
    }
    let config: Value = serde_json::from_slice(&merged["config.json"]).expect("JSON");
    assert_eq!((&config["torch_dtype"], &config["tie_word_embeddings"]), (&"float32".into(), &true.into()));
    ModelConfig::from_json(&config.to_string()).expect("a configuration");
    let text = |files: &Files, name: &str| String::from_utf8(files[name].clone()).expect("text");
    let modelfile = text(&gguf, "Modelfile");
    assert_eq!(
        modelfile,
        "FROM ./agent-step1-f32.gguf\nTEMPLATE \"\"\"{{- range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n\
         {{ end }}<|im_start|>assistant\n\"\"\"\nPARAMETER stop \"<|im_end|>\"\nPARAMETER temperature 1\nPARAMETER top_p 1\n"
    );
    assert!(text(&adapter_gguf, "Modelfile").ends_with("ADAPTER ./agent-step1-adapter-f16.gguf\n"));
    for name in ["tokenizer.ggml.merges", "tokenizer.chat_template", "trainyard.manifest_sha256"] {
        let file = &gguf["agent-step1-f32.gguf"];
        assert!(file.windows(name.len()).any(|window| window == name.as_bytes()), "{name}");
    }
    for files in [&peft, &merged, &gguf, &adapter_gguf] {
        let card = text(files, "README.md");
        assert!(card.starts_with("---\nbase_model: \"trainyard/seedling\"\n"), "{card}");
        for part in ["# p/agent, step 1", "(sft)", "SHA-256 of the manifest", "\"learning_rate\""] {
            assert!(card.contains(part), "{part}: {card}");
        }
    }
    // The base model itself, whose weights are exact in bf16.
    let out = site.path().join("base");
    let (code, _, told) = export(&site, "p/agent:step0", "merged", &out, &[]).await;
    assert_eq!(code, 0, "{told}");
    let again = base(&files(&out)["config.json"], &[("base", &files(&out)["model.safetensors"])], &pool);
    assert_eq!(logits(&pool, &again, None), logits(&pool, &plain, None));
}

#[tokio::test]
async fn an_export_that_cannot_be_says_why_and_leaves_nothing() {
    let site = trained().await;
    let out = site.path().join("out");
    let refused = async |model: &str, form: &str, more: &[&str], reason: &str| {
        let (code, shown, told) = export(&site, model, form, &out, more).await;
        assert!(code != 0 && shown.is_empty() && told.contains(reason), "{model} {form} {more:?}: {told}");
        assert!(!out.exists());
    };
    refused("p/nobody", "peft", &[], "there is no model \"p/nobody\" in this store; it has p/agent").await;
    refused("p/agent:step7", "peft", &[], "p/agent has no step 7; its steps are 1, 0").await;
    refused("p/agent:step0", "peft", &[], "step 0 is the base model itself and has no adapter").await;
    refused("p/agent", "peft", &["--weights", "f16"], "leave --weights out").await;
    refused("p/agent", "merged", &["--weights", "q8_0"], "export f32, f16 or bf16, or a GGUF file").await;
    refused("p/agent", "gguf", &["--weights", "q5_k_m"], "llama-quantize model.gguf out.gguf q5_k_m").await;
    std::fs::create_dir(&out).expect("a directory");
    std::fs::write(out.join("mine"), "x").expect("a file");
    let (code, _, told) = export(&site, "p/agent", "peft", &out, &[]).await;
    assert!(code == 1 && told.contains("holds something; name a directory"), "{told}");
    assert_eq!(files(&out).keys().collect::<Vec<_>>(), ["mine"]);
}

#[tokio::test]
async fn a_killed_export_leaves_all_or_nothing() {
    let site = trained().await;
    let (whole, started) = (site.path().join("whole"), Instant::now());
    assert_eq!(export(&site, "p/agent", "merged", &whole, &[]).await.0, 0);
    let (duration, whole) = (started.elapsed(), files(&whole));
    let (data, mut none) = (site.data().display().to_string(), 0);
    for turn in 1..=12 {
        let out = site.path().join(format!("out-{turn}"));
        let place = out.display().to_string();
        let arguments = ["export", "p/agent", "--form", "merged", "--out", &place, "--data-dir", &data];
        let mut running = program(&site, &arguments).spawn().expect("a process");
        tokio::time::sleep(duration * turn / 10).await;
        running.kill().expect("a signal");
        tokio::task::spawn_blocking(move || running.wait()).await.expect("no panic").expect("an end");
        match out.exists() {
            true => assert_eq!(files(&out), whole, "killed after {:?}", duration * turn / 10),
            false => none += 1,
        }
    }
    assert!(none > 0, "some were killed before their end");
}
