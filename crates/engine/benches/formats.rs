//! Speed of each weight format on a model of a real size, beside the limits of this machine in the same run: the
//! bandwidth of its memory, which bounds a single stream, and the multiplications of its units, which bound a prompt.
//! With llama-bench beside it, taking turns, each format is compared with llama.cpp's of as many bits. Speeds are medians
//! of the rounds, since the bandwidth of a shared memory comes in spells; starts are those of the best round. The time to a
//! first token is that of a process which maps the file and computes logits, and its memory is what is resident then.
//!
//! Environment: `FORMATS_MODEL`, a directory with `config.json` and `bf16.gguf`, as `benches/peers/random_model.py` makes it (else
//! random weights of 107 million parameters, in `file` a mixture as in `Q4_K_M`, and no first token); `FORMATS`, a list such as `bf16,int4`
//! (all); `FORMATS_ROUNDS`, in which formats take turns (5); `LLAMA_BENCH`, the program, with llama-batched-bench beside it. Both programs
//! read weights in int8, int4 and `file` from `q8_0.gguf`, `q4_0.gguf` and `q4_k_m.gguf` of the directory; `FORMATS_OUT`, a file for
//! the figures as JSON.

#[path = "support/limits.rs"]
mod limits;
#[path = "support/pool.rs"]
mod pool;
#[path = "support/shapes.rs"]
mod shapes;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use bytes::Bytes;
use limits::{Limits, best, weights_of_layers};
use serde_json::json;
use shapes::{SHAPE_107M, SHAPE_TINY};
use trainyard_engine::testing::{ggml_name, noise, random_weights, tensor_shapes};
use trainyard_engine::{BaseModel, BatchRow, ComputePool, Decoder, MappedFile, ModelConfig, WeightFormat};
use trainyard_gguf::testing::Writer;

/// Tokens of a prompt.
const PROMPT: usize = 512;
/// Tokens that a run decodes.
const STEPS: usize = 16;
/// Streams that are decoded together.
const BATCHES: [usize; 2] = [8, 32];
/// Variable with the format whose first token a process of this program computes.
const FIRST_TOKEN: &str = "FORMATS_FIRST_TOKEN";
/// Figures of a format. Less is better of the first two; the others are tokens per second.
const FIGURES: [&str; 6] =
    ["seconds to the first token", "GB resident", "one stream", "8 streams", "32 streams", "prompt of 512"];
const FIRST: usize = 0;
const RESIDENT: usize = 1;
const ONE: usize = 2;
const EIGHT: usize = 3;
const MANY: usize = 4;
const PROMPTS: usize = 5;

fn main() {
    let measuring = env::args().any(|argument| argument == "--bench");
    let setting = |name: &str, default: &str| env::var(name).unwrap_or_else(|_| default.to_owned());
    let directory = env::var_os("FORMATS_MODEL").map(PathBuf::from);
    if let (Ok(format), Some(directory)) = (env::var(FIRST_TOKEN), &directory) {
        first_token(format.parse().unwrap_or_else(|error| panic!("{error}")), directory);
        return;
    }
    let rounds: usize =
        setting("FORMATS_ROUNDS", if measuring { "5" } else { "1" }).parse().expect("a number of rounds");
    let formats = setting("FORMATS", "f32,bf16,int8,int4,file");
    let formats = formats.split(',').map(|name| name.parse().unwrap_or_else(|error| panic!("{error}")));
    let llama = env::var_os("LLAMA_BENCH").map(PathBuf::from);
    let pool = new_pool();
    println!("{} threads, {}", pool.threads(), pool.instruction_set().name());
    let load = |config: &str, file: &[u8], format| {
        let base = BaseModel::load(config, &[("weights", file)], format, &pool).expect("a model");
        Model { format, base }
    };
    let models: Vec<Model> = match &directory {
        Some(directory) => {
            let config = config_of(directory);
            let file = |format| peer_file(format).filter(|file| directory.join(file).exists()).unwrap_or("bf16.gguf");
            formats.map(|format| load(&config, map(directory, file(format)).as_ref(), format)).collect()
        }
        None => {
            let shape = if measuring { SHAPE_107M } else { SHAPE_TINY };
            let config = ModelConfig::from_json(shape).expect("a configuration");
            let (file, mixture) = (random_weights(&config), measuring.then(|| mixture(&config)));
            let of = |format| mixture.as_ref().filter(|_| format == WeightFormat::File).unwrap_or(&file);
            formats.map(|format| load(shape, of(format), format)).collect()
        }
    };
    let memory = if measuring { 1 << 30 } else { 1 << 20 };
    let mut limits = Limits::default();
    let mut results: Vec<[[Vec<f64>; 6]; 2]> = models.iter().map(|_| Default::default()).collect();
    for _ in 0..rounds {
        limits.measure_bandwidth(&pool, memory);
        limits.measure_units(&pool, memory / 512);
        for (model, [ours, theirs]) in models.iter().zip(&mut results) {
            ours[ONE].push(model.decode(&pool, 1));
            ours[EIGHT].push(model.decode(&pool, BATCHES[0]));
            ours[MANY].push(model.decode(&pool, BATCHES[1]));
            ours[PROMPTS].push(model.prompt(&pool, PROMPT));
            let (Some(directory), Some(file)) = (&directory, peer_file(model.format)) else { continue };
            if !directory.join(file).exists() {
                continue;
            }
            let mut start = Command::new(env::current_exe().expect("this program"));
            let Start { seconds, last, .. } = run_to_first_token(start.env(FIRST_TOKEN, model.format.name()));
            ours[FIRST].push(seconds);
            ours[RESIDENT].push(last);
            if let Some(llama) = &llama {
                let speeds = peer(llama, &directory.join(file), pool.threads());
                theirs.iter_mut().zip(speeds).for_each(|(all, one)| all.push(one));
            }
        }
    }
    let [f32_peak, bf16_peak] = [&limits.f32, &limits.bf16].map(|all| best(all).unwrap_or(f64::NAN));
    let bandwidth = median(&limits.bandwidth).unwrap_or(f64::NAN);
    println!("memory {bandwidth:.1} GB/s, multiply-add f32 {f32_peak:.0} and bf16 {bf16_peak:.0} GFLOP/s\n");
    println!("{:7} {:26} {:>9} {:>8} {:>10} {:>6}", "weights", "", "", "of limit", "llama.cpp", "ratio");
    let mut rows = Vec::new();
    for (model, [ours, theirs]) in models.iter().zip(&results) {
        let peak = if model.format == WeightFormat::F32 { f32_peak } else { bf16_peak };
        for (figure, name) in FIGURES.into_iter().enumerate() {
            let less = figure <= RESIDENT;
            let of_rounds = |all: &[f64]| if less { all.iter().copied().reduce(f64::min) } else { median(all) };
            let Some(own) = of_rounds(&ours[figure]) else { continue };
            let limit = match figure {
                ONE => Some(bandwidth * 1e9 / model.base.bytes() as f64),
                PROMPTS => Some(peak * 1e9 / 2.0 / weights_of_layers(&model.base.config)),
                _ => None,
            };
            let (part, peer) = (limit.map(|limit| own / limit), of_rounds(&theirs[figure]));
            let ratio = peer.map(|peer| if less { peer / own } else { own / peer });
            let text = |value: Option<f64>, scale: f64, unit: &str, places: usize| {
                value.map_or(String::new(), |value| format!("{:.places$}{unit}", value * scale))
            };
            println!(
                "{:7} {name:26} {:>9} {:>8} {:>10} {:>6}",
                model.format.name(),
                text(Some(own), 1.0, "", if less { 2 } else { 1 }),
                text(part, 100.0, " %", 0),
                text(peer, 1.0, "", if less { 2 } else { 1 }),
                text(ratio, 1.0, "", 2)
            );
            rows.push(json!({
                "weights": model.format.name(), "work": name, "ours": own, "of_limit": part, "llama.cpp": peer,
                "ratio": ratio, "all": ours[figure], "llama.cpp_all": theirs[figure],
            }));
        }
    }
    if let Some(out) = env::var_os("FORMATS_OUT") {
        let figures = json!({
            "threads": pool.threads(), "instructions": pool.instruction_set().name(), "memory_gb_per_second": bandwidth,
            "f32_gflops": f32_peak, "bf16_gflops": bf16_peak, "rows": rows,
        });
        fs::write(out, format!("{figures:#}\n")).expect("the figures can be written");
    }
}

fn new_pool() -> Arc<ComputePool> {
    pool::new_pool(thread::available_parallelism().map_or(1, usize::from))
}

fn config_of(directory: &Path) -> String {
    fs::read_to_string(directory.join("config.json")).expect("config.json")
}

fn map(directory: &Path, file: &str) -> MappedFile {
    MappedFile::open(&directory.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns a GGUF file of random weights within ±0.025, in the types of `Q4_K_M`.
fn mixture(config: &ModelConfig) -> Vec<u8> {
    let mut noise = noise(1);
    let mut file = Writer::new("qwen3");
    for (name, shape) in tensor_shapes(config) {
        let (ggml, count) = (ggml_name(&name, config), shape.iter().product::<usize>());
        if shape.len() == 1 {
            file = file.values(&ggml, &shape, &vec![1.0; count]);
            continue;
        }
        // Number of the type, size of a block of 256 weights, and its scales in f16 with their offset.
        let in_six = ["v_proj", "down_proj", "embed_tokens"].iter().any(|part| name.contains(part));
        let (number, size, at, scales): (_, _, _, &[u16]) =
            if in_six { (14, 210, 208, &[0x65]) } else { (12, 144, 0, &[0x1b4, 0xa8e]) };
        let mut bytes: Vec<u8> = (0..count / 256 * size).map(|_| (128.0 * (noise() + 1.0)) as u8).collect();
        for block in bytes.chunks_exact_mut(size) {
            let halves = block[at..].as_chunks_mut::<2>().0;
            halves.iter_mut().zip(scales).for_each(|(half, scale)| *half = scale.to_le_bytes());
        }
        file = file.tensor(&ggml, &shape, number, bytes);
    }
    file.bytes()
}

/// Computes the logits after three tokens of a model that was not in memory, from the file that llama.cpp reads.
fn first_token(format: WeightFormat, directory: &Path) {
    let pool = new_pool();
    let file = map(directory, peer_file(format).expect("llama.cpp has the format"));
    let files = [("weights".to_owned(), Bytes::from_owner(file))];
    // This computes them.
    let _base = BaseModel::load_lazily(&config_of(directory), &files, format, &pool, &mut |_, _| ()).expect("a model");
    // With the model in memory until the end.
    std::process::exit(0);
}

/// Cost of a program that computes a token.
struct Start {
    seconds: f64,
    /// Gigabytes in memory at last, and at most.
    last: f64,
    most: f64,
}

/// Runs a program that computes a token.
fn run_to_first_token(command: &mut Command) -> Start {
    let started = Instant::now();
    let mut process = command.stdout(Stdio::null()).spawn().expect("it starts");
    let status = format!("/proc/{}/status", process.id());
    let (mut last, mut most) = (0.0, 0.0_f64);
    let ended = loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        last = line.and_then(|kilobytes| kilobytes.parse::<f64>().ok()).map_or(last, |found| found * 1024e-9);
        most = most.max(last);
        if let Some(ended) = process.try_wait().expect("it can be waited for") {
            break ended;
        }
        thread::sleep(Duration::from_millis(1));
    };
    assert!(ended.success(), "{command:?} failed");
    Start { seconds: started.elapsed().as_secs_f64(), last, most }
}

/// Returns the file of llama.cpp's format with as many bits.
fn peer_file(format: WeightFormat) -> Option<&'static str> {
    match format {
        WeightFormat::F32 => None,
        WeightFormat::Bf16 => Some("bf16.gguf"),
        WeightFormat::Int8 => Some("q8_0.gguf"),
        WeightFormat::Int4 => Some("q4_0.gguf"),
        WeightFormat::File => Some("q4_k_m.gguf"),
    }
}

/// Returns the figures of llama.cpp: those of each of [`BATCHES`] by llama-batched-bench, the others by llama-bench beside it.
fn peer(program: &Path, model: &Path, threads: usize) -> [f64; 6] {
    let (threads, prompt, steps) = (threads.to_string(), PROMPT.to_string(), STEPS.to_string());
    let mut start = Command::new(program);
    start.args(["-r", "1", "-p", "1", "-n", "0", "--no-warmup", "-t", &threads, "-m"]).arg(model).stderr(Stdio::null());
    // It frees the model before it ends.
    let Start { seconds, most, .. } = run_to_first_token(&mut start);
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
    [seconds, most, speed("n_gen"), eight, many, speed("n_prompt")]
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
    fn prompt(&self, pool: &Arc<ComputePool>, tokens: usize) -> f64 {
        let mut decoder = Decoder::new(pool.clone(), self.base.clone(), 2 * PROMPT);
        let sequence = decoder.add_sequence();
        let rows: Vec<_> = (0..tokens)
            .map(|position| BatchRow {
                token: (position * 31 % 97 % 64) as u32,
                position,
                sequence,
                adapter: None,
                want_logits: position + 1 == tokens,
            })
            .collect();
        let started = Instant::now();
        black_box(decoder.forward(&rows).expect("a prompt").row(0)[0]);
        tokens as f64 / started.elapsed().as_secs_f64()
    }
}

/// Returns the median of all rounds.
fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    Some((values[(values.len() - 1) / 2] + upper) / 2.0)
}
