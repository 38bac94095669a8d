//! Measures the engine: training and decoding speed on a model directory.
//!
//! `cargo run --release --example engine_speed -- MODEL_DIRECTORY [THREADS [f32|bf16|int8]]`, where the directory holds `config.json` and
//! safetensors files; without a weight file, random weights of the configuration's shape are used.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use trainyard::engine::testing::random_weights;
use trainyard::engine::{
    AdamHyper, AdamState, Adapter, BaseModel, BatchRow, ComputePool, Decoder, LoraOptions, ModelConfig, SequenceInput,
    TrainSession, WeightFormat,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("usage: engine_speed MODEL_DIRECTORY [THREADS [f32|bf16|int8]]")?;
    let available = std::thread::available_parallelism()?.get();
    let threads = arguments.next().map_or(Ok(available), |threads| threads.parse())?;
    let format = arguments.next().map_or(Ok(WeightFormat::F32), |format| format.parse())?;
    let pool = ComputePool::new(threads);
    let config = std::fs::read_to_string(Path::new(&directory).join("config.json"))?;
    let start = Instant::now();
    let base = load(Path::new(&directory), &config, format, &pool)?;
    let (name, seconds) = (pool.instruction_set().name(), start.elapsed().as_secs_f64());
    println!("{threads} threads, {name}, {format}; loaded {} MB in {seconds:.1} s", base.bytes() >> 20);
    let adapter = Adapter::new(&base.config, &LoraOptions::default(), 1);
    for (sequences, length) in [(4, 256), (1, 1024)] {
        train(&pool, &base, &adapter, sequences, length)?;
    }
    for batch in [1, 8, 16] {
        decode(&pool, &base, Arc::new(adapter.clone()), batch)?;
    }
    Ok(())
}

fn tokens(count: usize, vocab_size: usize, first: usize) -> Vec<u32> {
    (0..count).map(|i| ((i * 7919 + first) % vocab_size) as u32).collect()
}

fn train(
    pool: &Arc<ComputePool>,
    base: &Arc<BaseModel>,
    adapter: &Adapter,
    sequences: usize,
    length: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut session = TrainSession::new(pool.clone(), base.clone(), adapter.clone(), AdamState::new(adapter));
    // They share nothing: each begins with another token.
    let tokens: Vec<_> = (0..sequences).map(|sequence| tokens(length, base.config.vocab_size, 13 + sequence)).collect();
    let scored: Vec<bool> = (0..length).map(|position| position > 0).collect();
    let batch: Vec<_> = tokens.iter().map(|tokens| SequenceInput { tokens, scored: &scored }).collect();
    let hyper = AdamHyper { lr: 1e-4, ..AdamHyper::default() };
    let mut seconds = Vec::new();
    for _ in 0..7 {
        let start = Instant::now();
        session.forward_backward(&batch, &mut |scores| {
            scores.iter().map(|scores| vec![-1.0; scores.logprobs.len()]).collect()
        })?;
        session.step(&hyper)?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    report(&format!("train {sequences}x{length}"), sequences * length, seconds);
    Ok(())
}

fn decode(
    pool: &Arc<ComputePool>,
    base: &Arc<BaseModel>,
    adapter: Arc<Adapter>,
    batch: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    const PROMPT: usize = 128;
    let mut decoder = Decoder::new(pool.clone(), base.clone(), batch * 256);
    let sequences: Vec<_> = (0..batch).map(|_| decoder.add_sequence()).collect();
    let prompt = tokens(PROMPT, base.config.vocab_size, 13);
    let mut seconds = Vec::new();
    for sequence in &sequences {
        let start = Instant::now();
        let row = |position: usize| BatchRow {
            token: prompt[position],
            position,
            sequence: *sequence,
            adapter: Some(&adapter),
            want_logits: position + 1 == PROMPT,
        };
        decoder.forward(&(0..PROMPT).map(row).collect::<Vec<_>>())?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    report(&format!("prefill {PROMPT} with adapter"), PROMPT, seconds);
    for adapter in [Some(&adapter), None] {
        let (mut seconds, start_at) = (Vec::new(), decoder.sequence_length(sequences[0]).unwrap_or(PROMPT));
        for position in start_at..start_at + 40 {
            let start = Instant::now();
            let row = |sequence| BatchRow { token: 17, position, sequence, adapter, want_logits: true };
            decoder.forward(&sequences.iter().copied().map(row).collect::<Vec<_>>())?;
            seconds.push(start.elapsed().as_secs_f64());
        }
        let with = if adapter.is_some() { " with adapter" } else { "" };
        report(&format!("decode batch {batch}{with}"), batch, seconds);
    }
    Ok(())
}

fn report(what: &str, tokens: usize, mut seconds: Vec<f64>) {
    seconds.sort_by(f64::total_cmp);
    let (median, best) = (seconds[seconds.len() / 2], seconds[0]);
    println!("{what}: {:.0} tokens/s median, {:.0} best", tokens as f64 / median, tokens as f64 / best);
}

fn load(
    directory: &Path,
    config: &str,
    format: WeightFormat,
    pool: &ComputePool,
) -> Result<Arc<BaseModel>, Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "safetensors") {
            files.push((path.display().to_string(), std::fs::read(&path)?));
        }
    }
    if files.is_empty() {
        files.push(("random weights".to_owned(), random_weights(&ModelConfig::from_json(config)?)));
    }
    let shards: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    Ok(BaseModel::load(config, &shards, format, pool)?)
}
