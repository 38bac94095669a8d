//! Speed of each weight format on a model of a real size, beside the limits of this machine in the same run: the
//! bandwidth of its memory, which bounds a single stream, and the multiplications of its units, which bound a prompt.
//!
//! Environment: `FORMATS_SHAPE`, `107m`, `0.6b` (the default), `1.7b`, `1b` or `4b`; `FORMATS`, a list such as `bf16,int4`;
//! `FORMATS_ROUNDS`, in which formats take turns (5). Weights are random; only the shape matters.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use trainyard_engine::kernels::{AlignedBuffer, peak};
use trainyard_engine::testing::random_weights;
use trainyard_engine::{BaseModel, BatchRow, ComputePool, Decoder, ModelConfig, WeightFormat};

/// Tokens of a prompt.
const PROMPT: usize = 512;
/// Tokens that a run decodes.
const STEPS: usize = 16;

fn main() {
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let setting = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let shape = setting("FORMATS_SHAPE", if measuring { "0.6b" } else { "tiny" });
    let rounds: usize =
        setting("FORMATS_ROUNDS", if measuring { "5" } else { "1" }).parse().expect("a number of rounds");
    let formats = setting("FORMATS", "f32,bf16,int8,int4");
    let formats: Vec<WeightFormat> =
        formats.split(',').map(|name| name.parse().unwrap_or_else(|error| panic!("{error}"))).collect();
    let config = shape_of(&shape);
    let pool = ComputePool::new(std::thread::available_parallelism().map_or(1, usize::from));
    let parsed = ModelConfig::from_json(&config).expect("a configuration");
    let file = random_weights(&parsed);
    println!("{shape}, {} threads, {}", pool.threads(), pool.instruction_set().name());
    let models: Vec<Model> = formats
        .into_iter()
        .map(|format| {
            let started = Instant::now();
            let base = BaseModel::load(&config, &[("random", &file)], format, &pool).expect("a model");
            let model = Model { format, load: started.elapsed().as_secs_f64(), base };
            println!("{format}: {:.2} GB, packed in {:.2} s", model.base.bytes() as f64 / 1e9, model.load);
            model
        })
        .collect();
    drop(file);
    let memory = if measuring { 1 << 30 } else { 1 << 20 };
    let mut limits = Limits::default();
    let mut results: Vec<[Vec<f64>; 3]> = models.iter().map(|_| Default::default()).collect();
    for _ in 0..rounds {
        limits.measure(&pool, memory);
        for (model, results) in models.iter().zip(&mut results) {
            let measured = [model.decode(&pool, 1), model.decode(&pool, 8), model.prompt(&pool)];
            results.iter_mut().zip(measured).for_each(|(all, one)| all.push(one));
        }
    }
    let [bandwidth, f32_peak, bf16_peak] =
        [&mut limits.bandwidth, &mut limits.f32, &mut limits.bf16].map(|all| median(all));
    println!("memory {bandwidth:.1} GB/s, multiply-add f32 {f32_peak:.0} and bf16 {bf16_peak:.0} GFLOP/s\n");
    println!(
        "{:6} {:>12} {:>8} {:>14} {:>12} {:>8}",
        "format", "one stream", "of read", "8 streams", "prompt", "of peak"
    );
    for (model, [one, eight, prompt]) in models.iter().zip(&mut results) {
        let (one, eight, prompt) = (median(one), median(eight), median(prompt));
        let peak = if model.format == WeightFormat::F32 { f32_peak } else { bf16_peak };
        let read = one * model.bytes_per_token() / 1e9 / bandwidth;
        let multiplied = prompt * 2.0 * parsed_weights(&parsed) / 1e9 / peak;
        println!(
            "{:6} {one:8.1} t/s {:7.0}% {eight:10.1} t/s {prompt:8.0} t/s {:7.0}%",
            model.format.name(),
            100.0 * read,
            100.0 * multiplied
        );
    }
}

struct Model {
    format: WeightFormat,
    load: f64,
    base: Arc<BaseModel>,
}

impl Model {
    /// Bytes of weights that a token reads.
    fn bytes_per_token(&self) -> f64 {
        self.base.bytes() as f64
    }

    /// Returns tokens per second of `streams` streams after a short context.
    fn decode(&self, pool: &Arc<ComputePool>, streams: usize) -> f64 {
        let mut decoder = Decoder::new(pool.clone(), self.base.clone(), streams * 256);
        let sequences: Vec<_> = (0..streams).map(|_| decoder.add_sequence()).collect();
        let mut step = |position: usize| {
            let rows: Vec<_> = sequences
                .iter()
                .map(|&sequence| BatchRow {
                    token: (position * 7 % 50) as u32,
                    position,
                    sequence,
                    adapter: None,
                    want_logits: true,
                })
                .collect();
            black_box(decoder.forward(&rows).expect("a step").row(0)[0]);
        };
        (0..4).for_each(&mut step);
        let started = Instant::now();
        (4..4 + STEPS).for_each(&mut step);
        (STEPS * streams) as f64 / started.elapsed().as_secs_f64()
    }

    /// Returns tokens per second of a prompt.
    fn prompt(&self, pool: &Arc<ComputePool>) -> f64 {
        let mut decoder = Decoder::new(pool.clone(), self.base.clone(), 2 * PROMPT);
        let sequence = decoder.add_sequence();
        let rows: Vec<_> = (0..PROMPT)
            .map(|position| BatchRow {
                token: (position * 31 % 97 % 64) as u32,
                position,
                sequence,
                adapter: None,
                want_logits: position + 1 == PROMPT,
            })
            .collect();
        let started = Instant::now();
        black_box(decoder.forward(&rows).expect("a prompt").row(0)[0]);
        PROMPT as f64 / started.elapsed().as_secs_f64()
    }
}

/// Weights of the linear maps that a token of a prompt multiplies; the head is not among them.
fn parsed_weights(config: &ModelConfig) -> f64 {
    let (hidden, inner) = (config.hidden_size, config.intermediate_size);
    let attention = (2 * config.heads + 2 * config.kv_heads) * config.head_dim * hidden;
    (config.layers * (attention + 3 * hidden * inner)) as f64
}

/// Limits of this machine, one value a round.
#[derive(Default)]
struct Limits {
    /// GB/s that all threads read.
    bandwidth: Vec<f64>,
    /// GFLOP/s in f32.
    f32: Vec<f64>,
    /// GFLOP/s in bf16.
    bf16: Vec<f64>,
}

impl Limits {
    fn measure(&mut self, pool: &ComputePool, bytes: usize) {
        let set = pool.instruction_set();
        let (threads, steps) = (pool.threads(), bytes / 512);
        let timed = |work: &(dyn Fn(usize) + Sync)| {
            let started = Instant::now();
            pool.run(threads, work);
            started.elapsed().as_secs_f64()
        };
        let words = AlignedBuffer::<u32>::new(bytes / 4);
        let parts: Vec<&[u32]> = words.chunks(words.len().div_ceil(threads)).collect();
        let read = |thread: usize| {
            let sums = parts[thread].chunks_exact(64).fold([0_u32; 64], |mut sums, line| {
                sums.iter_mut().zip(line).for_each(|(sum, word)| *sum ^= word);
                sums
            });
            black_box(sums);
        };
        timed(&read); // the first pass is slowed by page faults
        self.bandwidth.push(bytes as f64 / 1e9 / timed(&read));
        let count = (2 * threads * steps) as f64 / 1e9;
        self.f32.push(
            count * peak::F32_STEP as f64
                / timed(&|_| {
                    black_box(peak::multiply_f32(set, steps));
                }),
        );
        self.bf16.push(
            count * peak::BF16_STEP as f64
                / timed(&|_| {
                    black_box(peak::multiply_bf16(set, steps));
                }),
        );
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns the configuration of a shape.
fn shape_of(name: &str) -> String {
    // hidden, layers, heads, key heads, head size, inner, vocabulary, tied
    let (model, hidden, layers, heads, kv_heads, head, inner, vocabulary, tied) = match name {
        "tiny" => ("qwen3", 64, 2, 4, 2, 16, 96, 512, true),
        "107m" => ("qwen3", 768, 12, 12, 4, 64, 2304, 32000, true),
        "0.6b" => ("qwen3", 1024, 28, 16, 8, 128, 3072, 151_936, true),
        "1b" => ("llama", 2048, 16, 32, 8, 64, 8192, 128_256, true),
        "1.7b" => ("qwen3", 2048, 28, 16, 8, 128, 6144, 151_936, true),
        "4b" => ("qwen3", 2560, 36, 32, 8, 128, 9728, 151_936, true),
        _ => panic!("{name:?} is none of 107m, 0.6b, 1b, 1.7b and 4b"),
    };
    format!(
        r#"{{"model_type": "{model}", "hidden_act": "silu", "attention_bias": false, "hidden_size": {hidden},
        "num_hidden_layers": {layers}, "num_attention_heads": {heads}, "num_key_value_heads": {kv_heads}, "head_dim": {head},
        "intermediate_size": {inner}, "vocab_size": {vocabulary}, "max_position_embeddings": 40960, "rms_norm_eps": 1e-6,
        "rope_theta": 1000000.0, "tie_word_embeddings": {tied}, "eos_token_id": 2}}"#
    )
}
