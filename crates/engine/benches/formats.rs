//! Speed of each weight format on a model of a real size, beside the limits of this machine in the same run: the
//! bandwidth of its memory, which bounds a single stream, and the multiplications of its units, which bound a prompt.
//! With llama-bench beside it, taking turns, each format is compared with llama.cpp's of as many bits. Figures are those
//! of the best round.
//!
//! Environment: `FORMATS_MODEL`, a directory with `config.json` and `bf16.gguf`, as `benches/peers/random_model.py` makes it (else
//! random weights of 107 million parameters); `FORMATS`, a list such as `bf16,int4` (all); `FORMATS_ROUNDS`, in which
//! formats take turns (5); `LLAMA_BENCH`, the program, with llama-batched-bench beside it, which read `bf16.gguf`, `q8_0.gguf` and
//! `q4_0.gguf` of the directory.

#[path = "support/limits.rs"]
mod limits;
#[path = "support/shapes.rs"]
mod shapes;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use limits::{Limits, best, weights_of_layers};
use shapes::{SHAPE_107M, SHAPE_TINY};
use trainyard_engine::testing::random_weights;
use trainyard_engine::{BaseModel, BatchRow, ComputePool, Decoder, ModelConfig, WeightFormat};

/// Tokens of a prompt.
const PROMPT: usize = 512;
/// Tokens that a run decodes.
const STEPS: usize = 16;
/// Streams that are decoded together.
const BATCHES: [usize; 2] = [8, 32];

fn main() {
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let setting = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let rounds: usize =
        setting("FORMATS_ROUNDS", if measuring { "5" } else { "1" }).parse().expect("a number of rounds");
    let formats = setting("FORMATS", "f32,bf16,int8,int4");
    let formats: Vec<WeightFormat> =
        formats.split(',').map(|name| name.parse().unwrap_or_else(|error| panic!("{error}"))).collect();
    let directory = std::env::var_os("FORMATS_MODEL").map(PathBuf::from);
    let llama = std::env::var_os("LLAMA_BENCH").map(PathBuf::from);
    let (config, file) = match &directory {
        Some(directory) => (
            std::fs::read_to_string(directory.join("config.json")).expect("config.json"),
            std::fs::read(directory.join("bf16.gguf")).expect("bf16.gguf"),
        ),
        None => {
            let shape = if measuring { SHAPE_107M } else { SHAPE_TINY };
            (shape.to_owned(), random_weights(&ModelConfig::from_json(shape).expect("a configuration")))
        }
    };
    let pool = ComputePool::new(std::thread::available_parallelism().map_or(1, usize::from));
    let parsed = ModelConfig::from_json(&config).expect("a configuration");
    println!("{} threads, {}", pool.threads(), pool.instruction_set().name());
    let models: Vec<Model> = formats
        .into_iter()
        .map(|format| {
            let started = Instant::now();
            let base = BaseModel::load(&config, &[("weights", &file)], format, &pool).expect("a model");
            println!(
                "{format}: {:.2} GB, packed in {:.2} s",
                base.bytes() as f64 / 1e9,
                started.elapsed().as_secs_f64()
            );
            Model { format, base }
        })
        .collect();
    drop(file);
    let memory = if measuring { 1 << 30 } else { 1 << 20 };
    let mut limits = Limits::default();
    let mut results: Vec<[Vec<f64>; 8]> = models.iter().map(|_| Default::default()).collect();
    for _ in 0..rounds {
        limits.measure_bandwidth(&pool, memory);
        limits.measure_units(&pool, memory / 512);
        for (model, results) in models.iter().zip(&mut results) {
            let [eight, many] = BATCHES.map(|streams| model.decode(&pool, streams));
            let mut measured = vec![model.decode(&pool, 1), eight, many, model.prompt(&pool)];
            if let (Some(llama), Some(directory), Some(file)) = (&llama, &directory, peer_file(model.format)) {
                measured.extend(peer(llama, &directory.join(file), pool.threads()));
            }
            results.iter_mut().zip(measured).for_each(|(all, one)| all.push(one));
        }
    }
    let [bandwidth, f32_peak, bf16_peak] =
        [&limits.bandwidth, &limits.f32, &limits.bf16].map(|all| best(all).unwrap_or(f64::NAN));
    println!("memory {bandwidth:.1} GB/s, multiply-add f32 {f32_peak:.0} and bf16 {bf16_peak:.0} GFLOP/s\n");
    println!(
        "{:6} {:>11} {:>8} {:>9} {:>6} {:>11} {:>9} {:>6} {:>11} {:>9} {:>6} {:>11} {:>8} {:>9} {:>6}",
        "format",
        "one stream",
        "of read",
        "llama.cpp",
        "ratio",
        format!("{} streams", BATCHES[0]),
        "llama.cpp",
        "ratio",
        format!("{} streams", BATCHES[1]),
        "llama.cpp",
        "ratio",
        "prompt",
        "of peak",
        "llama.cpp",
        "ratio"
    );
    for (model, results) in models.iter().zip(&results) {
        let [one, eight, many, prompt, peer_one, peer_prompt, peer_eight, peer_many] =
            results.each_ref().map(|all| best(all));
        let [Some(one), Some(eight), Some(many), Some(prompt)] = [one, eight, many, prompt] else { continue };
        let peak = if model.format == WeightFormat::F32 { f32_peak } else { bf16_peak };
        let read = one * model.base.bytes() as f64 / 1e9 / bandwidth;
        let multiplied = prompt * 2.0 * weights_of_layers(&parsed) / 1e9 / peak;
        let beside = |ours: f64, peer: Option<f64>| match peer {
            Some(peer) => format!("{peer:9.1} {:6.2}", ours / peer),
            None => format!("{:>9} {:>6}", "", ""),
        };
        println!(
            "{:6} {one:11.1} {:7.0}% {} {eight:11.1} {} {many:11.1} {} {prompt:11.0} {:7.0}% {}",
            model.format.name(),
            100.0 * read,
            beside(one, peer_one),
            beside(eight, peer_eight),
            beside(many, peer_many),
            100.0 * multiplied,
            beside(prompt, peer_prompt)
        );
    }
}

/// Returns the file of llama.cpp's format with as many bits.
fn peer_file(format: WeightFormat) -> Option<&'static str> {
    match format {
        WeightFormat::F32 => None,
        WeightFormat::Bf16 => Some("bf16.gguf"),
        WeightFormat::Int8 => Some("q8_0.gguf"),
        WeightFormat::Int4 => Some("q4_0.gguf"),
    }
}

/// Returns tokens per second of llama.cpp: a stream and a prompt by llama-bench, and each of [`BATCHES`] by
/// llama-batched-bench beside it.
fn peer(program: &Path, model: &Path, threads: usize) -> [f64; 4] {
    let (threads, prompt, steps) = (threads.to_string(), PROMPT.to_string(), STEPS.to_string());
    let output =
        |command: &mut Command| command.args(["-t", &threads, "-m"]).arg(model).output().expect("it runs").stdout;
    let runs = output(Command::new(program).args(["-r", "1", "-o", "json", "-p", &prompt, "-n", &steps]));
    let runs: Vec<serde_json::Value> = serde_json::from_slice(&runs).expect("llama-bench writes JSON");
    let speed = |field: &str| {
        let run = runs.iter().find(|run| run[field].as_u64() > Some(0));
        run.and_then(|run| run["avg_ts"].as_f64()).expect("a speed")
    };
    let mut batched = Command::new(program.with_file_name("llama-batched-bench"));
    let batches = BATCHES.map(|streams| streams.to_string()).join(",");
    batched.args(["--output-format", "jsonl", "-c", "1024", "-npp", "1", "-npl", &batches, "-ntg", &steps]);
    let lines = String::from_utf8(output(&mut batched)).expect("text");
    let runs: Vec<serde_json::Value> = lines
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let [eight, many] = BATCHES.map(|streams| {
        let run = runs.iter().find(|run| run["pl"] == streams);
        run.and_then(|run| run["speed_tg"].as_f64()).expect("llama-batched-bench writes a line of JSON for each batch")
    });
    [speed("n_gen"), speed("n_prompt"), eight, many]
}

struct Model {
    format: WeightFormat,
    base: Arc<BaseModel>,
}

impl Model {
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
