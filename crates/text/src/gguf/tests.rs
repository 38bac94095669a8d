use serde_json::{Value, json};
use trainyard_gguf::Header;
use trainyard_gguf::testing::Writer;

use super::*;
use crate::{ChatTemplate, Tokenizer};

/// Parts of llama.cpp's vocabularies, with its tokens (`scripts/make_golden_gguf_tokens.py`).
const GOLDEN: [(&str, &str); 13] = [
    ("command-r", include_str!("../../../../tests/golden/gguf_tokens/command-r.json")),
    ("deepseek-coder", include_str!("../../../../tests/golden/gguf_tokens/deepseek-coder.json")),
    ("deepseek-llm", include_str!("../../../../tests/golden/gguf_tokens/deepseek-llm.json")),
    ("falcon", include_str!("../../../../tests/golden/gguf_tokens/falcon.json")),
    ("gpt-2", include_str!("../../../../tests/golden/gguf_tokens/gpt-2.json")),
    ("llama-bpe", include_str!("../../../../tests/golden/gguf_tokens/llama-bpe.json")),
    ("llama-spm", include_str!("../../../../tests/golden/gguf_tokens/llama-spm.json")),
    ("mpt", include_str!("../../../../tests/golden/gguf_tokens/mpt.json")),
    ("phi-3", include_str!("../../../../tests/golden/gguf_tokens/phi-3.json")),
    ("qwen2", include_str!("../../../../tests/golden/gguf_tokens/qwen2.json")),
    ("qwen35", include_str!("../../../../tests/golden/gguf_tokens/qwen35.json")),
    ("refact", include_str!("../../../../tests/golden/gguf_tokens/refact.json")),
    ("starcoder", include_str!("../../../../tests/golden/gguf_tokens/starcoder.json")),
];

fn read(file: &Writer) -> Result<Value, GgufTokenizerError> {
    tokenizer_of_gguf(&Header::read(&file.bytes()).unwrap().metadata)
}

fn built(file: &Writer) -> Tokenizer {
    Tokenizer::from_bytes(read(file).unwrap().to_string().as_bytes()).unwrap()
}

fn list<T: serde::de::DeserializeOwned>(value: &Value) -> Vec<T> {
    serde_json::from_value(value.clone()).unwrap()
}

/// Returns a vocabulary of single bytes, tokens after them, and the merges of these.
fn byte_level(pre: &str, tokens: &[&str], merges: &[&str]) -> Writer {
    let printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let mut listed: Vec<String> =
        (0..=255).filter(|byte| printable(*byte)).map(|byte| char::from(byte).to_string()).collect();
    listed.extend(('\u{100}'..).take(256 - listed.len()).map(String::from));
    listed.extend(tokens.iter().map(|token| (*token).to_owned()));
    Writer::new("llama")
        .text(MODEL, "gpt2")
        .text("tokenizer.ggml.pre", pre)
        .texts(TOKENS, &listed)
        .texts("tokenizer.ggml.merges", merges)
}

#[test]
fn tokens_are_those_of_llama_cpp() {
    for (name, golden) in GOLDEN {
        let golden: Value = serde_json::from_str(golden).unwrap();
        let text = |key: &str| golden[key].as_str().unwrap_or_default();
        let mut file = Writer::new("llama")
            .text("general.name", text("name"))
            .text(MODEL, text("model"))
            .text("tokenizer.ggml.pre", text("pre"))
            .texts(TOKENS, &list::<String>(&golden["tokens"]))
            .integers("tokenizer.ggml.token_type", &list::<i32>(&golden["types"]));
        file = match golden["scores"].is_array() {
            true => file.floats("tokenizer.ggml.scores", &list::<f32>(&golden["scores"])),
            false => file.texts("tokenizer.ggml.merges", &list::<String>(&golden["merges"])),
        };
        let tokenizer = built(&file);
        let (texts, expected) = (list::<String>(&golden["texts"]), list::<Vec<u32>>(&golden["expected"]));
        assert!(texts.len() >= 46 && texts.len() == expected.len());
        for (text, expected) in texts.iter().zip(expected) {
            assert_eq!(tokenizer.encode_ordinary(text).unwrap(), expected, "{name} {text:?}");
            assert_eq!(tokenizer.decode(&expected), *text, "{name}");
        }
    }
}

/// Returns the pieces of a text before any merge.
fn pieces(pre: &str, text: &str) -> Vec<String> {
    let row = pre_tokenizers::find(pre).unwrap();
    let mut pieces = vec![text.to_owned()];
    for expression in row.expressions {
        let expression = fancy_regex::Regex::new(expression).unwrap();
        let cut = |piece: &String| {
            let (mut cut, mut end) = (Vec::new(), 0);
            for found in expression.find_iter(piece).map(Result::unwrap) {
                cut.extend([&piece[end..found.start()], found.as_str()].map(str::to_owned));
                end = found.end();
            }
            cut.push(piece[end..].to_owned());
            cut.retain(|piece| !piece.is_empty());
            cut
        };
        pieces = pieces.iter().flat_map(cut).collect();
    }
    pieces
}

#[test]
fn texts_are_cut_by_the_name_of_the_pre_tokenizer() {
    for (name, text, expected) in [
        ("default", "a1234, b", vec!["a", "123", "4", ",", " b"]),
        ("llama-bpe", "It'S 12345  x\n\ny", vec!["It", "'S", " ", "123", "45", " ", " x", "\n\n", "y"]),
        ("qwen2", "v12 (x)", vec!["v", "1", "2", " (", "x", ")"]),
        ("smollm", "v12's  x", vec!["v", "1", "2", "'s", " ", " x"]),
        ("gpt-2", "v12's  x", vec!["v", "12", "'s", " ", " x"]),
        ("gpt-4o", "helloWorld don't 1234/\n", vec!["hello", "World", " don't", " ", "123", "4", "/\n"]),
        ("llama4", "ABCdef", vec!["ABCdef"]),
        ("tekken", "helloWorld don't 12", vec!["hello", "World", " don", "'t", " ", "1", "2"]),
        ("deepseek-v3", "x=1234 日本 _foo", vec!["x", "=", "123", "4", " ", "日本", " _", "foo"]),
        ("bloom", "a b,c", vec!["a", " b", ",", "c"]),
        ("viking", "a1 b", vec!["a", "1", " b"]),
        ("seed-coder", "a12\n", vec!["a", "1", "2", "\n"]),
        ("bailingmoe", "a'LL\n\nb", vec!["a", "'LL", "\n\n", "b"]),
    ] {
        assert_eq!(pieces(name, text), expected, "{name}");
    }
    let names: Vec<&str> = pre_tokenizers::PRE_TOKENIZERS.iter().flat_map(|row| row.names).copied().collect();
    for name in &names {
        built(&byte_level(name, &[], &[])).encode("a b1 ' \n").unwrap();
        assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
    }
}

#[test]
fn a_tokenizer_of_a_gguf_file_becomes_one_again() {
    for row in &pre_tokenizers::PRE_TOKENIZERS {
        let name = row.names[0];
        let document = read(&byte_level(name, &["abc"], &["b c"])).unwrap();
        let again = GgmlVocabulary::read(document.to_string().as_bytes(), 257).unwrap();
        assert_eq!(document, read(&byte_level(again.pre, &["abc"], &["b c"])).unwrap(), "{name} and {}", again.pre);
    }
}

#[test]
fn a_whole_piece_is_a_token_where_merges_do_not_count() {
    let tokens = ["abc", "bc"];
    for (pre, expected) in [("llama-bpe", vec![256]), ("qwen2", vec![u32::from(b'a' - b'!'), 257])] {
        assert_eq!(built(&byte_level(pre, &tokens, &["b c"])).encode("abc").unwrap(), expected, "{pre}");
    }
}

#[test]
fn special_tokens_templates_and_ends_are_those_of_the_keys() {
    let tokens = ["<s>", "</s>", "<|im_end|>", "<tool>", "<|eot_id|>"];
    let mut kinds = vec![1; 256];
    kinds.extend([CONTROL, CONTROL, CONTROL, USER_DEFINED, 1]);
    let file = byte_level("llama-bpe", &tokens, &[])
        .integers("tokenizer.ggml.token_type", &kinds)
        .number("tokenizer.ggml.bos_token_id", 256)
        .number("tokenizer.ggml.eos_token_id", 257)
        .number("tokenizer.ggml.padding_token_id", u32::MAX)
        .text("tokenizer.chat_template", "{{ bos_token }}a")
        .texts("tokenizer.chat_templates", &["tool_use", "gone"])
        .text("tokenizer.chat_template.tool_use", "b");
    let tokenizer = built(&file);
    assert_eq!(tokenizer.opening(), [256]);
    assert_eq!(tokenizer.encode("</s><tool>").unwrap(), [257, 259]);
    let ordinary = tokenizer.encode_ordinary("</s><|eot_id|><tool>").unwrap();
    assert!(ordinary.contains(&259) && !ordinary.contains(&257) && !ordinary.contains(&260), "{ordinary:?}");
    let bytes = file.bytes();
    let metadata = Header::read(&bytes).unwrap().metadata;
    let (config, generation) = gguf_settings(&metadata).unwrap();
    let expected = json!({
        "bos_token": "<s>", "eos_token": "</s>",
        "chat_template": [{ "name": "default", "template": "{{ bos_token }}a" }, { "name": "tool_use", "template": "b" }],
    });
    assert_eq!(config, expected);
    assert_eq!(generation, json!({ "eos_token_id": [257, 258, 260] }));
    let without = file.flag("tokenizer.ggml.add_bos_token", false);
    assert!(built(&without).opening().is_empty());
}

/// Returns SentencePiece's tokens with scores.
fn sentence_piece() -> Writer {
    let tokens = ["<unk>", "<s>", "</s>", "<0x0A>", "▁", "a", "b", "▁a", "ab", "▁ab", "  "];
    let kinds = [UNKNOWN, CONTROL, CONTROL, BYTE, 1, 1, 1, 1, 1, 1, USER_DEFINED];
    Writer::new("llama")
        .text(MODEL, "llama")
        .texts(TOKENS, &tokens)
        .integers("tokenizer.ggml.token_type", &kinds)
        .floats("tokenizer.ggml.scores", &[0.0, 0.0, 0.0, 0.0, -9.0, -8.0, -7.0, -3.0, -2.0, -4.0, -1000.0])
}

#[test]
fn the_highest_score_is_joined_first() {
    let tokenizer = built(&sentence_piece());
    assert_eq!(tokenizer.opening(), [1], "the id that has no key");
    // `ab` comes before `▁a`, and then `▁ab`.
    assert_eq!(tokenizer.encode("ab").unwrap(), [9]);
    assert_eq!(tokenizer.encode("a\nb").unwrap(), [7, 3, 6]);
    assert_eq!(tokenizer.encode("a  b").unwrap(), [7, 10, 4, 6], "a space is put after a token that is found first");
    assert_eq!(tokenizer.encode("ac").unwrap(), [7, 0]);
    assert_eq!(tokenizer.decode(&[9, 3, 7]), "ab\n a");
    let plain = built(&sentence_piece().flag("tokenizer.ggml.add_space_prefix", false));
    assert_eq!(plain.encode("ab").unwrap(), [8]);
    assert_eq!(plain.encode(" ab").unwrap(), [9]);
}

#[test]
fn tokenizers_that_are_not_read_are_rejected_by_key() {
    let key = "tokenizer.ggml";
    for (file, expected) in [
        (sentence_piece().without(MODEL), "the metadata has no tokenizer.ggml.model".to_owned()),
        (sentence_piece().text(MODEL, "bert"), format!("{MODEL} is \"bert\"; \"gpt2\" and \"llama\" are read")),
        (sentence_piece().without(TOKENS), format!("the metadata has no {TOKENS}")),
        (sentence_piece().without("tokenizer.ggml.scores"), format!("the metadata has no {key}.scores")),
        (sentence_piece().floats("tokenizer.ggml.scores", &[0.0]), format!("{key}.scores has 1 values for 11 tokens")),
        (
            sentence_piece().integers("tokenizer.ggml.token_type", &[]),
            format!("{key}.token_type has 0 values for 11 tokens"),
        ),
        (sentence_piece().text(MODEL, "gpt2"), format!("the metadata has no {key}.merges")),
        (byte_level("whatever", &[], &[]), format!("{key}.pre is \"whatever\", a pre-tokenizer that is not known")),
        (byte_level("qwen2", &["x"], &[]), format!("{TOKENS} has \"x\" twice, as 87 and 256")),
        (byte_level("qwen2", &[], &[]).number(TOKENS, 3), format!("{TOKENS} is 3, not a list of texts")),
    ] {
        assert_eq!(read(&file).unwrap_err().to_string(), expected);
    }
    // Merges that no text reaches are left out, and empty tokens have a spelling.
    let strange = byte_level("qwen2", &["", "a b"], &["a", "x yz", "a b c", " b", "a b"]);
    built(&strange).encode("a b").unwrap();
}

#[test]
fn a_model_without_a_template_rejects_conversations() {
    let template = ChatTemplate::missing().unwrap();
    let message = json!({ "role": "user", "content": "a" });
    let input = crate::RenderInput { messages: vec![message], ..crate::RenderInput::default() };
    assert!(template.render(input).unwrap_err().to_string().starts_with("the model has no chat template"));
}
