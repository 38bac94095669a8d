//! Tests of invariance: a token has the same bits, however it is computed.

use super::*;
use crate::generate::{BatchRow, DecodeError, Decoder, SequenceHandle};
use crate::kernels::{InstructionSet, log_softmax};
use crate::train::{AdamHyper, AdamState, Scores, SequenceInput, TrainSession};

const LENGTH: usize = 150;

fn row<'a>(
    tokens: &[u32],
    position: usize,
    sequence: SequenceHandle,
    adapter: Option<&'a Arc<Adapter>>,
) -> BatchRow<'a> {
    BatchRow { token: tokens[position], position, sequence, adapter, want_logits: true }
}

/// Returns the logits of all positions, prefilled in one call.
fn prefill(decoder: &mut Decoder, tokens: &[u32], adapter: Option<&Arc<Adapter>>) -> Vec<Vec<u32>> {
    let sequence = decoder.add_sequence();
    let rows: Vec<_> = (0..tokens.len()).map(|position| row(tokens, position, sequence, adapter)).collect();
    let logits = decoder.forward(&rows).unwrap();
    let result = (0..logits.rows()).map(|row| bits(logits.row(row))).collect();
    decoder.remove_sequence(sequence);
    result
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn logits_do_not_depend_on_threads_or_instructions() {
    let tokens = tokens(LENGTH, 77, 3);
    let mut seen: Vec<Vec<Vec<u32>>> = Vec::new();
    for (model, format, config) in family_models() {
        let run = |pool: Arc<ComputePool>| {
            let base = random_model_in(format, &config, 4, &pool);
            let adapter = Arc::new(random_adapter(&base.config, 3, 8));
            prefill(&mut Decoder::new(pool, base, 1024), &tokens, Some(&adapter))
        };
        let expected = run(ComputePool::new(1));
        for threads in [2, 3] {
            assert!(run(ComputePool::new(threads)) == expected, "{model}, {threads} threads");
        }
        for set in InstructionSet::available() {
            assert!(run(ComputePool::with_instruction_set(2, set)) == expected, "{model}, {}", set.name());
        }
        assert!(!seen.contains(&expected), "{model}: formats and families compute different things");
        seen.push(expected);
    }
}

#[test]
fn logits_do_not_depend_on_chunks_batch_mates_or_cache() {
    for (model, format, config) in family_models() {
        chunks_batch_mates_and_cache(&model, format, &config);
    }
}

fn chunks_batch_mates_and_cache(model: &str, format: WeightFormat, config: &Value) {
    let pool = ComputePool::new(2);
    let base = random_model_in(format, config, 5, &pool);
    let adapters: Vec<_> = (0..2).map(|i| Arc::new(random_adapter(&base.config, 3 + 14 * i, 9 + i as u64))).collect();
    // Each sequence has its own adapter, and one has none.
    let sequences: Vec<(Vec<u32>, Option<&Arc<Adapter>>)> = vec![
        (tokens(LENGTH, 77, 1), Some(&adapters[0])),
        (tokens(LENGTH - 20, 77, 2), None),
        (tokens(LENGTH - 60, 77, 3), Some(&adapters[1])),
        (tokens(LENGTH - 61, 77, 4), Some(&adapters[0])),
    ];
    let mut decoder = Decoder::new(pool.clone(), base.clone(), 64 * 20);
    let expected: Vec<_> = sequences.iter().map(|(tokens, adapter)| prefill(&mut decoder, tokens, *adapter)).collect();

    // All sequences together: chunks of different sizes, then single tokens, with rows of the sequences interleaved.
    let handles: Vec<_> = sequences.iter().map(|_| decoder.add_sequence()).collect();
    let mut done = vec![0; sequences.len()];
    let mut call = 0;
    while done.iter().zip(&sequences).any(|(done, (tokens, _))| *done < tokens.len()) {
        let mut rows = Vec::new();
        let mut chunks: Vec<usize> = (0..sequences.len())
            .map(|i| (sequences[i].0.len() - done[i]).min(if call % 7 < 4 { 1 } else { 3 + 11 * i + call }))
            .collect();
        let start = done.clone();
        while chunks.iter().any(|left| *left > 0) {
            for (i, (tokens, adapter)) in sequences.iter().enumerate() {
                if chunks[i] > 0 {
                    rows.push((i, done[i], row(tokens, done[i], handles[i], *adapter)));
                    (done[i], chunks[i]) = (done[i] + 1, chunks[i] - 1);
                }
            }
        }
        let batch: Vec<_> = rows.iter().map(|(_, _, row)| *row).collect();
        let logits = decoder.forward(&batch).unwrap();
        for (index, (i, position, _)) in rows.iter().enumerate() {
            assert!(
                bits(logits.row(index)) == expected[*i][*position],
                "{model}, sequence {i} position {position} from {start:?}"
            );
        }
        call += 1;
    }

    // A fork shares and copies pages, and continues alone.
    let (tokens, adapter) = &sequences[0];
    for length in [0, 64, 70, 71, 127] {
        // Recurrent states are known after the last token only.
        let fork = match decoder.fork_sequence(handles[0], length) {
            Err(DecodeError::State { .. }) if base.layout.has_states() => {
                let part = decoder.add_sequence();
                let rows: Vec<_> = (0..length).map(|position| row(tokens, position, part, *adapter)).collect();
                decoder.forward(&rows).unwrap();
                let fork = decoder.fork_sequence(part, length).unwrap();
                decoder.remove_sequence(part);
                fork
            }
            fork => fork.unwrap(),
        };
        let rows: Vec<_> = (length..LENGTH).map(|position| row(tokens, position, fork, *adapter)).collect();
        let logits = decoder.forward(&rows).unwrap();
        for (row, expected) in expected[0][length..].iter().enumerate() {
            assert!(bits(logits.row(row)) == *expected, "{model}, fork at {length}, row {row}");
        }
        decoder.remove_sequence(fork);
    }
    for handle in handles {
        decoder.remove_sequence(handle);
    }
    assert_eq!(decoder.free_tokens(), 64 * 20);
}

#[test]
fn training_scores_equal_decoding() {
    for (model, format, config) in family_models() {
        for threads in [1, 2, 3] {
            let pool = ComputePool::new(threads);
            let base = random_model_in(format, &config, 6, &pool);
            training_equals_decoding(&format!("{model}, {threads} threads"), &pool, &base);
        }
    }
}

/// Compares the log-probabilities of a training step with those of decoding, and returns the step's gradients.
pub(super) fn training_equals_decoding(
    model: &str,
    pool: &Arc<ComputePool>,
    base: &Arc<BaseModel>,
) -> Vec<(String, Vec<f32>)> {
    let adapter = random_adapter(&base.config, 8, 10);
    let tokens = tokens(LENGTH, base.config.vocab_size, 5);
    let shared = Arc::new(adapter.clone());
    let logits = prefill(&mut Decoder::new(pool.clone(), base.clone(), 1024), &tokens, Some(&shared));
    let scored: Vec<bool> = (0..LENGTH).map(|position| position % 3 == 1).collect();
    let expected: Vec<u32> = (0..LENGTH)
        .filter(|position| scored[*position])
        .map(|position| {
            let row: Vec<f32> = logits[position - 1].iter().map(|bits| f32::from_bits(*bits)).collect();
            log_softmax(&row).logprob(row[tokens[position] as usize]).to_bits()
        })
        .collect();
    let sequence = SequenceInput { tokens: &tokens, scored: &scored };
    let mut session = TrainSession::new(pool.clone(), base.clone(), adapter.clone(), AdamState::new(&adapter));
    assert_eq!(bits(&session.score(&[sequence]).unwrap()[0].logprobs), expected, "{model}");
    let scores =
        session.forward_backward(&[sequence], &mut |scores| vec![vec![1.0; scores[0].logprobs.len()]]).unwrap();
    assert_eq!(bits(&scores[0].logprobs), expected, "{model}");
    session.gradients()
}

/// Returns the files after some steps.
fn trained(
    (format, config): (WeightFormat, &Value),
    pool: Arc<ComputePool>,
    state_limit: usize,
) -> (crate::lora::PeftFiles, Vec<u8>) {
    let base = random_model_in(format, config, 7, &pool);
    let options = LoraOptions { rank: 5, alpha: 10.0, ..base.config.lora_options() };
    let adapter = Adapter::new(&base.config, &options, 3);
    let config = base.config.clone();
    let mut session = TrainSession::new(pool, base, adapter.clone(), AdamState::new(&adapter));
    session.set_state_limit(state_limit);
    for step in 0..3 {
        for length in [100, 30 + step] {
            let tokens = tokens(length, 77, step);
            let scored: Vec<bool> = (0..length).map(|position| position > 9).collect();
            let mut gradient =
                |scores: &[Scores]| vec![scores[0].logprobs.iter().map(|logprob| 0.01 * logprob).collect()];
            session.forward_backward(&[SequenceInput { tokens: &tokens, scored: &scored }], &mut gradient).unwrap();
        }
        session.step(&AdamHyper { lr: 1e-2, weight_decay: 0.1, ..AdamHyper::default() }).unwrap();
    }
    (session.adapter().to_peft("random", &config), session.adam().to_bytes())
}

#[test]
fn training_gives_the_same_bytes() {
    for (model, format, config) in family_models() {
        let run = |pool, state_limit| trained((format, &config), pool, state_limit);
        let expected = run(ComputePool::new(1), usize::MAX);
        for threads in [2, 3] {
            assert!(run(ComputePool::new(threads), usize::MAX) == expected, "{model}, {threads} threads");
        }
        assert!(run(ComputePool::new(2), 0) == expected, "{model} with layers computed twice");
        for set in InstructionSet::available() {
            let found = run(ComputePool::with_instruction_set(2, set), usize::MAX);
            assert!(found == expected, "{model}, {}", set.name());
        }
    }
}

#[test]
fn bits_are_those_of_every_processor() {
    // Hashes of the logits, and of the files after training, of all models in a format. They were recorded on x86-64, and
    // `tests/aarch64` finds the same on Arm. A change of models or of the order of a sum changes them.
    let recorded = [
        (WeightFormat::F32, "e7f89cee40b78dff", "6f12094b2cb29225"),
        (WeightFormat::Bf16, "75cd993c994768cc", "473411a916fbf449"),
        (WeightFormat::Int8, "8c01eedfde91d2af", "6623199ca5c1e7c9"),
        (WeightFormat::Int4, "1f88405a336fdb87", "d33e8d30f68b39f0"),
    ];
    let of_delta_networks = [
        (WeightFormat::F32, "800f3fe504fcefc6", "1d1d23d6ca5d539e"),
        (WeightFormat::Bf16, "a1991eac5a587cdc", "168ccef1f073dc49"),
        (WeightFormat::Int8, "e03cc2483a44224b", "4c0ec35acc54d485"),
        (WeightFormat::Int4, "ef99c22af7d99eed", "db6edd980371ad77"),
    ];
    let of_convolutions = [
        (WeightFormat::F32, "f381531f39b67174", "8f25f3eb61006b3e"),
        (WeightFormat::Bf16, "ab204fb263a42d91", "2d23bbaeafe3bb10"),
        (WeightFormat::Int8, "72edec1383ca01cf", "7e7eceb8e5421195"),
        (WeightFormat::Int4, "1f49d85f6b3d4b7a", "449a363007c30e37"),
    ];
    let of_shared_experts = [
        (WeightFormat::F32, "a45fea5fea572ef7", "5a71267c8818e035"),
        (WeightFormat::Bf16, "421ba339159f54ab", "ac67a4dc3934e77c"),
        (WeightFormat::Int8, "fd52d0334597aaae", "c058de70a15b0f01"),
        (WeightFormat::Int4, "71bb4046966209ef", "176c072e806b963b"),
    ];
    let later =
        [("qwen3_5_text", of_delta_networks), ("lfm2", of_convolutions), ("qwen3_5_moe_text", of_shared_experts)];
    hashes_are(recorded, &|config| later.iter().all(|(model_type, _)| config["model_type"] != *model_type));
    for (model_type, recorded) in later {
        hashes_are(recorded, &|config| config["model_type"] == model_type);
    }
}

/// Compares the hashes of the models in each format for which `is_included` holds with those that were recorded.
fn hashes_are(recorded: [(WeightFormat, &str, &str); 4], is_included: &dyn Fn(&Value) -> bool) {
    let pool = ComputePool::new(2);
    let found = FORMATS.map(|format| {
        let (mut logits, mut files) = (Vec::new(), Vec::new());
        let models = family_models().into_iter().filter(|(_, of, config)| *of == format && is_included(config));
        for (_, _, config) in models {
            let base = random_model_in(format, &config, 4, &pool);
            let adapter = Arc::new(random_adapter(&base.config, 3, 8));
            let mut decoder = Decoder::new(pool.clone(), base, 1024);
            logits.extend(prefill(&mut decoder, &tokens(LENGTH, 77, 3), Some(&adapter)).concat());
            let (peft, state) = trained((format, &config), pool.clone(), usize::MAX);
            files.extend([peft.adapter_model_safetensors, state].concat());
        }
        (format, fnv1a(logits.into_iter().flat_map(u32::to_le_bytes)), fnv1a(files.into_iter()))
    });
    assert_eq!(found, recorded.map(|(format, logits, files)| (format, logits.to_owned(), files.to_owned())));
}

#[test]
fn more_threads_than_tasks_change_nothing() {
    for format in FORMATS {
        let run = |threads| {
            let pool = ComputePool::new(threads);
            let base = random_model_in(format, &odd_config(), 4, &pool);
            let logits = prefill(&mut Decoder::new(pool.clone(), base, 1024), &tokens(LENGTH, 77, 3), None);
            (logits, trained((format, &odd_config()), pool, usize::MAX))
        };
        let expected = run(1);
        for threads in [96, 256] {
            assert!(run(threads) == expected, "{format}, {threads} threads");
        }
    }
}

#[test]
fn trainer_and_sampler_share_a_pool() {
    let pool = ComputePool::new(2);
    let base = random_model(&odd_config(), 8, &pool);
    let adapter = Arc::new(random_adapter(&base.config, 3, 12));
    let tokens = tokens(LENGTH, 77, 6);
    let expected = prefill(&mut Decoder::new(pool.clone(), base.clone(), 1024), &tokens, Some(&adapter));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..3 {
                trained((WeightFormat::F32, &odd_config()), pool.clone(), usize::MAX);
            }
        });
        for _ in 0..5 {
            let mut decoder = Decoder::new(pool.clone(), base.clone(), 1024);
            assert!(prefill(&mut decoder, &tokens, Some(&adapter)) == expected);
        }
    });
}
