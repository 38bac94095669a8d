use serde_json::json;

use super::*;
use crate::training::config::LearningRates;
use crate::training::dataset::{DatasetLimits, read_rows};
use crate::training::golden::Tiny;

fn prepare(text: &str, config: &SftConfig, max_length: usize) -> Result<PreparedSft, PrepareSftError> {
    let tiny = Tiny::new();
    prepare_sft(read_rows(text.as_bytes(), DatasetLimits::default()), config, &tiny.model(), max_length)
}

fn row(question: &str, answer: &str) -> String {
    json!({"messages": [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]}).to_string()
        + "\n"
}

#[test]
fn batches_keep_file_order_and_a_short_last_one() {
    let text: String = ["yes", "no", "maybe", "yes no", "no yes"].map(|answer| row("q", answer)).concat();
    for (batch_size, sizes) in [(2, vec![2, 2, 1]), (1, vec![1; 5]), (4, vec![4, 1]), (100, vec![5])] {
        let prepared = prepare(&text, &SftConfig { batch_size, ..SftConfig::default() }, 64).unwrap();
        assert_eq!(prepared.batches.iter().map(|batch| batch.rows.len()).collect::<Vec<_>>(), sizes);
        assert!(prepared.batches.iter().all(|batch| batch.learning_rate == 5e-5));
        let answers: Vec<u32> =
            prepared.batches.iter().flat_map(|batch| &batch.rows).map(|row| row.tokens[row.tokens.len() - 3]).collect();
        assert_eq!(answers[..3], [269, 267, 264]);
    }
    assert!(prepare("", &SftConfig::default(), 64).unwrap().batches.is_empty());
}

#[test]
fn long_rows_are_dropped_from_their_batch() {
    let text =
        row("q", "yes") + &row("q", &"no ".repeat(60)) + &row("q", &"no ".repeat(60)) + &row("q", &"no ".repeat(60));
    let batches = prepare(&text, &SftConfig::default(), 64).unwrap().batches;
    assert_eq!(batches.iter().map(|batch| (batch.rows.len(), batch.dropped)).collect::<Vec<_>>(), [(1, 1), (0, 2)]);
}

#[test]
fn each_batch_has_its_learning_rate() {
    let text = row("q", "yes").repeat(5);
    let config = |rates: &[f64]| SftConfig { batch_size: 2, learning_rate: LearningRates::PerBatch(rates.to_vec()) };
    let batches = prepare(&text, &config(&[1.0, 0.0, 3.0, 4.0]), 64).unwrap().batches;
    assert_eq!(batches.iter().map(|batch| batch.learning_rate).collect::<Vec<_>>(), [1.0, 0.0, 3.0]);
    let error = prepare(&text, &config(&[1.0]), 64).unwrap_err().to_string();
    assert!(error.contains("1 values") && error.contains("3 batches"), "{error}");
}

#[test]
fn rich_rows_are_rendered_and_bad_ones_named() {
    let call = json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let rich = json!({"messages": [
        {"role": "user", "content": [{"type": "text", "text": "parts"}]}, {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "sunny"}, {"role": "assistant", "content": "naïve ☃"}],
        "tools": [{"function": {"name": "f"}, "type": "function"}]});
    let prepared = prepare(&rich.to_string(), &SftConfig::default(), 1000).unwrap();
    assert!(prepared.batches[0].rows[0].trained_tokens() > 10);
    let image = json!({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]});
    let error = prepare(&format!("{}{image}", row("q", "a")), &SftConfig::default(), 64).unwrap_err().to_string();
    assert!(error.starts_with("line 2 of the training data: messages[0].content[0]"), "{error}");
    assert!(matches!(
        prepare("{", &SftConfig::default(), 64),
        Err(PrepareSftError::Dataset(DatasetError::Json { line: 1, .. }))
    ));
}

#[test]
fn other_template_families_are_found() {
    let llama = "{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{{ m.content }}<|eot_id|>{% endfor %}";
    let gemma = "{% for m in messages %}<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n{{ m.content }}<end_of_turn>\n{% endfor %}";
    let mistral = "{% for m in messages %}{% if m.role == 'user' %}[INST] {{ m.content }} [/INST]{% else %}{{ m.content }}</s>{% endif %}{% endfor %}";
    for (template, trained) in [(llama, "\n\nyes<|eot_id|>"), (gemma, "\nyes<end_of_turn>\n"), (mistral, "yes</s>")] {
        let tiny = Tiny::with_template(template);
        let text = row("no", "yes");
        let rows = read_rows(text.as_bytes(), DatasetLimits::default());
        let prepared = prepare_sft(rows, &SftConfig::default(), &tiny.model(), 1000).unwrap();
        let row = &prepared.batches[0].rows[0];
        let ids: Vec<u32> =
            row.tokens.iter().zip(&row.trained).filter(|(_, trained)| **trained).map(|(id, _)| *id).collect();
        assert_eq!(tiny.model().tokenizer.decode(&ids), trained);
    }
    let plain = Tiny::with_template("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}");
    assert!(matches!(TurnHeaders::detect(&plain.model()), Err(PrepareSftError::UnknownTemplate)));
}
