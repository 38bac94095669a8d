use super::*;

/// Writes a model directory with the tokenizer of the golden files. The weights are not valid.
pub(crate) fn write_model(directory: &Path) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/tiny_tokenizer");
    for file in [TOKENIZER, TOKENIZER_CONFIG, CHAT_TEMPLATE] {
        std::fs::copy(golden.join(file), directory.join(file)).unwrap();
    }
    std::fs::write(directory.join(CONFIG), r#"{"eos_token_id": 0}"#).unwrap();
    std::fs::write(directory.join(WEIGHTS), b"weights").unwrap();
}

#[test]
fn the_built_in_model_is_complete() {
    let files = ModelFiles::seedling().unwrap();
    let tokenizer = files.tokenizer().unwrap();
    files.template().unwrap();
    let ends = files.end_of_turn(&tokenizer).unwrap();
    assert_eq!(ends, [tokenizer.token_to_id("<|im_end|>").unwrap()]);
    assert_eq!(files.weights.len(), 1);
}

#[test]
fn a_directory_is_read() {
    let directory = tempfile::tempdir().unwrap();
    write_model(directory.path());
    let files = ModelFiles::from_path("tiny/model", directory.path()).unwrap();
    let tokenizer = files.tokenizer().unwrap();
    assert_eq!(files.end_of_turn(&tokenizer).unwrap(), [2], "the tokenizer's end token stands above config.json");
    assert_eq!(files.weights, [(WEIGHTS.to_owned(), Bytes::from_static(b"weights"))]);

    std::fs::write(directory.path().join(GENERATION_CONFIG), r#"{"eos_token_id": [2, 0]}"#).unwrap();
    let files = ModelFiles::from_path("tiny/model", directory.path()).unwrap();
    assert_eq!(files.end_of_turn(&tokenizer).unwrap(), [0, 2]);
}

#[test]
fn a_gguf_file_stands_in_for_safetensors() {
    let directory = tempfile::tempdir().unwrap();
    write_model(directory.path());
    let read = || ModelFiles::from_path("tiny/model", directory.path());
    std::fs::write(directory.path().join("b.gguf"), b"GGUF").unwrap();
    assert_eq!(read().unwrap().weights[0].0, WEIGHTS, "safetensors come first");
    std::fs::remove_file(directory.path().join(WEIGHTS)).unwrap();
    assert_eq!(read().unwrap().weights, [("b.gguf".to_owned(), Bytes::from_static(b"GGUF"))]);
    std::fs::write(directory.path().join("a.gguf"), b"GGUF").unwrap();
    let error = read().unwrap_err().to_string();
    assert!(error.contains("several .gguf files: a.gguf, b.gguf"), "{error}");
}

#[test]
fn a_directory_without_weights_is_read_without_them() {
    let directory = tempfile::tempdir().unwrap();
    write_model(directory.path());
    std::fs::remove_file(directory.path().join(WEIGHTS)).unwrap();
    let files = ModelFiles::without_weights("tiny/model", directory.path()).unwrap();
    assert!(files.weights.is_empty());
    files.tokenizer().unwrap();
    assert!(matches!(ModelFiles::from_path("tiny/model", directory.path()), Err(ModelFilesError::NoWeights(_))));
}

#[test]
fn sampling_defaults_are_read_and_their_faults_named() {
    let seedling = ModelFiles::seedling().unwrap().generation_defaults().unwrap();
    let all = GenerationDefaults { temperature: Some(1.0), top_p: Some(1.0), ..GenerationDefaults::default() };
    assert_eq!(seedling, all, "the built-in model is sampled from its whole distribution");
    let directory = tempfile::tempdir().unwrap();
    write_model(directory.path());
    let read = || ModelFiles::from_path("tiny/model", directory.path()).unwrap().generation_defaults();
    assert_eq!(read().unwrap(), GenerationDefaults::default());
    std::fs::write(directory.path().join(GENERATION_CONFIG), r#"{"top_p": 1.5}"#).unwrap();
    let error = read().unwrap_err().to_string();
    assert!(error.starts_with("tiny/model: generation_config.json: top_p: 1.5"), "{error}");
}

#[test]
fn an_embedded_template_is_found() {
    let directory = tempfile::tempdir().unwrap();
    write_model(directory.path());
    std::fs::remove_file(directory.path().join(CHAT_TEMPLATE)).unwrap();
    let files = ModelFiles::from_path("tiny/model", directory.path()).unwrap();
    assert_eq!(files.chat_template, None);
    files.template().unwrap();
    let config = r#"{"chat_template": [{"name": "rag", "template": "a"}, {"name": "default", "template": "b"}]}"#;
    // The tokenizer's is taken where both have one.
    for (file, text, expected) in
        [(CHAT_TEMPLATE_JSON, r#"{"chat_template": "c"}"#, "c"), (TOKENIZER_CONFIG, config, "b")]
    {
        std::fs::write(directory.path().join(file), text).unwrap();
        let files = ModelFiles::from_path("tiny/model", directory.path()).unwrap();
        assert_eq!(files.chat_template.as_deref(), Some(expected), "{file}");
    }
}

#[test]
fn faults_name_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let message = || ModelFiles::from_path("tiny/model", directory.path()).unwrap_err().to_string();
    assert!(message().contains("the directory is empty; a base model is config.json"), "{}", message());
    write_model(directory.path());
    std::fs::remove_file(directory.path().join(WEIGHTS)).unwrap();
    assert!(message().contains(WEIGHTS_INDEX));
    std::fs::write(directory.path().join(WEIGHTS_INDEX), r#"{"weight_map": {"a": "../b.safetensors"}}"#).unwrap();
    assert!(message().contains("../b.safetensors"));
    let shards = r#"{"weight_map": {"a": "2.safetensors", "b": "1.safetensors", "c": "2.safetensors"}}"#;
    std::fs::write(directory.path().join(WEIGHTS_INDEX), shards).unwrap();
    assert!(message().contains("1.safetensors"));
    std::fs::write(directory.path().join("1.safetensors"), b"1").unwrap();
    std::fs::write(directory.path().join("2.safetensors"), b"2").unwrap();
    let files = ModelFiles::from_path("tiny/model", directory.path()).unwrap();
    assert_eq!(
        files.weights.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["1.safetensors", "2.safetensors"]
    );
}

/// Returns metadata of a tokenizer with the tokens `a` and `</s>`, and of a model of one layer.
fn gguf() -> trainyard_gguf::testing::Writer {
    let mut file = trainyard_gguf::testing::Writer::new("llama")
        .text("tokenizer.ggml.model", "gpt2")
        .texts("tokenizer.ggml.tokens", &["a", "</s>"])
        .integers("tokenizer.ggml.token_type", &[1, 3])
        .texts::<&str>("tokenizer.ggml.merges", &[])
        .number("tokenizer.ggml.eos_token_id", 1)
        .text("tokenizer.chat_template", "of the file")
        .float("llama.attention.layer_norm_rms_epsilon", 1e-5)
        .values("token_embd.weight", &[2, 4], &[0.0; 8]);
    for (key, number) in [
        ("context_length", 16),
        ("embedding_length", 4),
        ("block_count", 1),
        ("feed_forward_length", 4),
        ("attention.head_count", 1),
    ] {
        file = file.number(&format!("llama.{key}"), number);
    }
    file
}

#[test]
fn a_gguf_file_is_enough_and_files_beside_it_are_used_in_place_of_its_metadata() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.gguf");
    std::fs::write(&path, gguf().bytes()).unwrap();
    let read = |path: &Path| ModelFiles::from_path("local/model", path).unwrap();
    let files = read(&path);
    assert_eq!(files.origin, WeightOrigin::Gguf(path.clone()));
    assert_eq!(files.chat_template.as_deref(), Some("of the file"));
    let tokenizer = files.tokenizer().unwrap();
    assert_eq!((tokenizer.vocab_size(), files.end_of_turn(&tokenizer).unwrap()), (2, vec![1]));
    assert_eq!(files.weights.len(), 1);
    assert_eq!(files.origin.modified("local/model").len(), 1);
    // The hash is that of the weights, whoever makes files of them.
    assert_eq!(read(directory.path()).sha256(), files.sha256());
    let small = ModelFiles::without_weights("local/model", &path).unwrap();
    assert_eq!((small.weights.len(), &small.config_json), (0, &files.config_json));

    write_model(directory.path());
    std::fs::remove_file(directory.path().join(WEIGHTS)).unwrap();
    let beside = read(&path);
    assert_eq!(beside.config_json, r#"{"eos_token_id": 0}"#);
    assert_ne!(beside.chat_template, files.chat_template);
    assert!(beside.tokenizer().unwrap().vocab_size() > 2);
    assert_ne!(beside.sha256(), files.sha256());
    std::fs::remove_file(directory.path().join(CHAT_TEMPLATE)).unwrap();
    assert_eq!(read(&path).chat_template.as_deref(), Some("of the file"));
}

#[test]
fn parts_are_one_model_and_other_parts_of_it_are_none() {
    let directory = tempfile::tempdir().unwrap();
    let part = |number: u16| gguf().short("split.no", number).short("split.count", 2).bytes();
    let names = ["m-00001-of-00002.gguf", "m-00002-of-00002.gguf"];
    std::fs::write(directory.path().join(names[0]), part(0)).unwrap();
    let message = || ModelFiles::from_path("a/b", directory.path()).unwrap_err().to_string();
    assert!(message().contains("m-00002-of-00002.gguf is not beside it"), "{}", message());
    std::fs::write(directory.path().join(names[1]), part(1)).unwrap();
    std::fs::write(directory.path().join("mmproj-model.gguf"), "GGUF").unwrap();
    for path in [directory.path().to_owned(), directory.path().join(names[0]), directory.path().join(names[1])] {
        let files = ModelFiles::from_path("a/b", &path).unwrap();
        assert_eq!(files.weights.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), names);
    }
    std::fs::write(directory.path().join(names[1]), part(0)).unwrap();
    assert!(message().contains("part 1 of 2, and its name says that it is part 2 of 2"), "{}", message());
}
