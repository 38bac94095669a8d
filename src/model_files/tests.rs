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
    let files = ModelFiles::from_directory("tiny/model", directory.path()).unwrap();
    let tokenizer = files.tokenizer().unwrap();
    assert_eq!(files.end_of_turn(&tokenizer).unwrap(), [2], "the tokenizer's end token stands above config.json");
    assert_eq!(files.weights, [(WEIGHTS.to_owned(), Bytes::from_static(b"weights"))]);

    std::fs::write(directory.path().join(GENERATION_CONFIG), r#"{"eos_token_id": [2, 0]}"#).unwrap();
    let files = ModelFiles::from_directory("tiny/model", directory.path()).unwrap();
    assert_eq!(files.end_of_turn(&tokenizer).unwrap(), [0, 2]);
}

#[test]
fn a_gguf_file_stands_in_for_safetensors() {
    let directory = tempfile::tempdir().unwrap();
    write_model(directory.path());
    let read = || ModelFiles::from_directory("tiny/model", directory.path());
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
    assert!(matches!(ModelFiles::from_directory("tiny/model", directory.path()), Err(ModelFilesError::NoWeights(_))));
}

#[test]
fn sampling_defaults_are_read_and_their_faults_named() {
    let seedling = ModelFiles::seedling().unwrap().generation_defaults().unwrap();
    let all = GenerationDefaults { temperature: Some(1.0), top_p: Some(1.0), ..GenerationDefaults::default() };
    assert_eq!(seedling, all, "the built-in model is sampled from its whole distribution");
    let directory = tempfile::tempdir().unwrap();
    write_model(directory.path());
    let read = || ModelFiles::from_directory("tiny/model", directory.path()).unwrap().generation_defaults();
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
    let error = ModelFiles::from_directory("tiny/model", directory.path()).unwrap_err();
    assert!(matches!(error, ModelFilesError::NoChatTemplate(_)), "{error}");
    let config = r#"{"chat_template": [{"name": "rag", "template": "a"}, {"name": "default", "template": "b"}]}"#;
    std::fs::write(directory.path().join(TOKENIZER_CONFIG), config).unwrap();
    assert_eq!(ModelFiles::from_directory("tiny/model", directory.path()).unwrap().chat_template, "b");
}

#[test]
fn faults_name_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let message = || ModelFiles::from_directory("tiny/model", directory.path()).unwrap_err().to_string();
    assert!(message().contains(CONFIG));
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
    let files = ModelFiles::from_directory("tiny/model", directory.path()).unwrap();
    assert_eq!(
        files.weights.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["1.safetensors", "2.safetensors"]
    );
}
