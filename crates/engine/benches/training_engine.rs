//! What training costs the engine: steps of fine-tuning and of reinforcement learning, their memory, and how both grow with
//! the tokens of a step, the completions of a group and the rank of the adapter.
//!
//! Every scenario runs in a process of its own, so that its memory is its own. Environment: `TRAINING_SCENARIO`, to run one
//! and print a line of JSON, as in `sft:54m:4x256:bf16` (model, sequences x tokens, weights) or `rl:107m:8x64+512:f32:16`
//! (completions x tokens + prompt that they share, weights, rank), where a directory of `benches/peers/random_model.py` may
//! stand in place of a model's name; `TRAINING_ROUNDS`, steps of which the median is taken;
//! `TRAINING_THREADS`; `TRAINING_OUT`, a path without ending for the JSON and SVG files.

#[path = "support/limits.rs"]
mod limits;
#[path = "support/plot.rs"]
mod plot;
#[path = "support/pool.rs"]
mod pool;
#[path = "support/shapes.rs"]
mod shapes;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use limits::{Limits, best, weights_of_layers};
use plot::{Curve, Plot, svg};
use pool::new_pool;
use serde_json::{Value, json};
use shapes::{SHAPE_54M, SHAPE_107M, SHAPE_600M, SHAPE_TINY};
use trainyard_engine::testing::random_weights;
use trainyard_engine::{
    AdamHyper, AdamState, Adapter, BaseModel, LoraOptions, MappedFile, ModelConfig, Scores, SequenceInput,
    TrainSession, WeightFormat,
};

const SCENARIO: &str = "TRAINING_SCENARIO";
/// Steps of a measurement of the peak.
const PEAK_STEPS: usize = 1 << 20;
const ROUNDS: &str = "TRAINING_ROUNDS";

fn main() {
    if let Ok(text) = env::var(SCENARIO) {
        println!("{}", Scenario::parse(&text).run());
        return;
    }
    let measuring = env::args().any(|argument| argument == "--bench");
    let (models, steps, rollouts): (&[&str], _, _) =
        if measuring { (&["54m", "107m", "0.6b"], "4x256", "8x64+512") } else { (&["tiny"], "2x32", "2x16+32") };
    let mut results = Vec::new();
    println!("{:>28} {:>10} {:>12} {:>9} {:>8} {:>8}", "scenario", "tokens", "tokens/s", "ms", "MB", "of peak");
    for model in models {
        for weights in ["f32", "bf16"] {
            results.push(measure(&format!("sft:{model}:{steps}:{weights}"), measuring));
            results.push(measure(&format!("rl:{model}:{rollouts}:{weights}"), measuring));
        }
    }

    let model = models[0];
    let powers = |from: usize, to: usize| (from..=to).map(|power| 1 << power).collect::<Vec<usize>>();
    let (sequences, groups, ranks) =
        if measuring { (powers(0, 6), powers(1, 5), powers(2, 7)) } else { (powers(0, 1), powers(1, 2), powers(2, 3)) };
    let (length, completion, prompt) = if measuring { (256, 64, 512) } else { (32, 16, 32) };
    let grow = |name: &str, sizes: &[usize], scenario: &dyn Fn(usize) -> String| {
        println!("\n{name}");
        sizes.iter().map(|size| (*size, measure(&scenario(*size), measuring))).collect::<Vec<_>>()
    };
    let by_tokens = grow("tokens of a step", &sequences, &|count| format!("sft:{model}:{count}x{length}:bf16"));
    let by_group =
        grow("completions of a group", &groups, &|count| format!("rl:{model}:{count}x{completion}+{prompt}:bf16"));
    let by_rank = grow("rank of the adapter", &ranks, &|rank| format!("sft:{model}:{steps}:bf16:{rank}"));

    let figure = |result: &Value, name: &str| result[name].as_f64().unwrap_or(0.0);
    let plot = |title: &str, x: &str, y: &str, scale: f64, points: &[(usize, Value)], name: &str, factor: f64| Plot {
        title: title.to_owned(),
        x: x.to_owned(),
        y: y.to_owned(),
        curves: vec![Curve {
            name: String::new(),
            points: points.iter().map(|(x, result)| (*x as f64 * scale, figure(result, name) * factor)).collect(),
        }],
    };
    let (speed, memory) = ("tokens_per_second", "peak_bytes");
    let tokens = length as f64;
    let picture = svg(&[
        plot("Larger steps", "tokens of a step", "tokens/s", tokens, &by_tokens, speed, 1.0),
        plot("Memory of larger steps", "tokens of a step", "MB", tokens, &by_tokens, memory, 1e-6),
        plot("Groups on a shared prompt", "completions of the group", "tokens/s", 1.0, &by_group, speed, 1.0),
        plot("Memory of groups", "completions of the group", "MB", 1.0, &by_group, memory, 1e-6),
        plot("Higher rank", "rank of the adapter", "tokens/s", 1.0, &by_rank, speed, 1.0),
        plot("Memory of higher rank", "rank of the adapter", "MB", 1.0, &by_rank, memory, 1e-6),
    ]);
    let of = |points: Vec<(usize, Value)>| points.into_iter().map(|(_, result)| result).collect::<Vec<_>>();
    let results = json!({
        "steps": results, "by_tokens": of(by_tokens), "by_group": of(by_group), "by_rank": of(by_rank),
    });
    if let Some(out) = env::var("TRAINING_OUT").ok().or_else(|| measuring.then(|| "target/training_engine".to_owned()))
    {
        fs::write(format!("{out}.json"), format!("{results:#}\n")).expect("the results can be written");
        fs::write(format!("{out}.svg"), picture).expect("the picture can be written");
        println!("\nwritten: {out}.json, {out}.svg");
    }
}

/// Runs a scenario in a process of its own and shows its result.
fn measure(scenario: &str, measuring: bool) -> Value {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.env(SCENARIO, scenario);
    if !measuring {
        command.env(ROUNDS, "1");
    }
    let output = command.output().expect("this program can be run again");
    assert!(output.status.success(), "{scenario} failed: {}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).expect("a scenario prints JSON");
    let figure = |name: &str| result[name].as_f64().unwrap_or(f64::NAN);
    println!(
        "{scenario:>28} {:>10.0} {:>12.0} {:>9.1} {:>8.0} {:>7.0}%",
        figure("tokens"),
        figure("tokens_per_second"),
        1e3 * figure("median_seconds"),
        figure("peak_bytes") * 1e-6,
        100.0 * figure("of_peak")
    );
    result
}

/// One training step, again and again.
struct Scenario {
    name: String,
    /// `config.json`.
    config: String,
    /// The weights; random ones if there is none.
    file: Option<PathBuf>,
    weights: WeightFormat,
    rank: usize,
    /// Tokens that all sequences begin with; they are not scored.
    prompt: usize,
    sequences: usize,
    /// Tokens of each sequence after the prompt.
    length: usize,
    /// Whether sequences are rollouts with an advantage, or examples.
    rollouts: bool,
}

impl Scenario {
    /// # Panics
    /// If the text is no scenario.
    fn parse(text: &str) -> Self {
        let parts: Vec<&str> = text.split(':').collect();
        let (kind, model, size, weights, rank) = match parts[..] {
            [kind, model, size, weights] => (kind, model, size, weights, "8"),
            [kind, model, size, weights, rank] => (kind, model, size, weights, rank),
            _ => panic!("{SCENARIO} is kind:model:size:weights or kind:model:size:weights:rank, not {text}"),
        };
        let number =
            |text: &str| text.parse::<usize>().unwrap_or_else(|_| panic!("{text} is no number, in {SCENARIO}"));
        let (sequences, lengths) = size.split_once('x').expect("a size is sequences x tokens");
        let (length, prompt) =
            lengths.split_once('+').map_or((lengths, 0), |(length, prompt)| (length, number(prompt)));
        let directory = Path::new(model);
        let known = |shape: &str| (shape.to_owned(), None);
        let (config, file) = match model {
            "tiny" => known(SHAPE_TINY),
            "54m" => known(SHAPE_54M),
            "107m" => known(SHAPE_107M),
            "0.6b" => known(SHAPE_600M),
            _ => (
                fs::read_to_string(directory.join("config.json")).unwrap_or_else(|error| {
                    panic!("models are tiny, 54m, 107m, 0.6b and directories, not {model}: {error}")
                }),
                Some(directory.join("bf16.gguf")),
            ),
        };
        Self {
            name: text.to_owned(),
            config,
            file,
            weights: weights.parse().expect("weights are f32, bf16 or int8"),
            rank: number(rank),
            prompt,
            sequences: number(sequences),
            length: number(length),
            rollouts: match kind {
                "sft" => false,
                "rl" => true,
                other => panic!("kinds are sft and rl, not {other}"),
            },
        }
    }

    fn run(&self) -> Value {
        let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
        let rounds = number(ROUNDS).unwrap_or(5).max(1);
        let threads =
            number("TRAINING_THREADS").unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let pool = new_pool(threads);
        let load =
            |file: &[u8]| BaseModel::load(&self.config, &[("weights", file)], self.weights, &pool).expect("a model");
        let base = match &self.file {
            Some(file) => load(MappedFile::open(file).expect("bf16.gguf").as_ref()),
            None => load(&random_weights(&ModelConfig::from_json(&self.config).expect("a configuration"))),
        };
        forget_peak();

        let vocab_size = base.config.vocab_size;
        let (layer_weights, head_weights) =
            (weights_of_layers(&base.config), (base.config.hidden_size * vocab_size) as f64);
        let options = LoraOptions { rank: self.rank, alpha: 2.0 * self.rank as f32, ..LoraOptions::default() };
        let adapter = Adapter::new(&base.config, &options, 1);
        let (parameters, state) = (adapter.parameters(), AdamState::new(&adapter));
        let mut session = TrainSession::new(pool.clone(), base, adapter, state);
        let token = |position: usize| ((position * 7919 + 13) % vocab_size) as u32;
        let tokens: Vec<Vec<u32>> = (0..self.sequences)
            .map(|index| {
                let own = self.prompt + index * self.length;
                (0..self.prompt).chain(own..own + self.length).map(token).collect()
            })
            .collect();
        let scored: Vec<bool> = (0..self.prompt + self.length).map(|position| position >= self.prompt.max(1)).collect();
        let sequences: Vec<_> = tokens.iter().map(|tokens| SequenceInput { tokens, scored: &scored }).collect();
        let count = tokens.iter().map(Vec::len).sum::<usize>();

        let mut gradient = |scores: &[Scores]| {
            // An example's tokens are all wanted; every second rollout is better than the rest of its group.
            let weight = |index: usize| if self.rollouts && index % 2 == 1 { 1.0 } else { -1.0 } / count as f32;
            scores.iter().enumerate().map(|(index, scores)| vec![weight(index); scores.logprobs.len()]).collect()
        };
        let hyper = AdamHyper { lr: 1e-4, ..AdamHyper::default() };
        let mut step = || {
            let start = Instant::now();
            session.forward_backward(&sequences, &mut gradient).expect("a gradient");
            session.step(&hyper).expect("a step");
            start.elapsed().as_secs_f64()
        };
        step(); // takes memory and turns the weights
        let mut limits = Limits::default();
        let mut seconds = Vec::with_capacity(rounds);
        for _ in 0..rounds {
            limits.measure_units(&pool, PEAK_STEPS);
            seconds.push(step());
        }
        seconds.sort_by(f64::total_cmp);
        let median = seconds[rounds / 2];
        let peak = best(if self.weights == WeightFormat::F32 { &limits.f32 } else { &limits.bf16 }).unwrap_or(f64::NAN);
        // Forward and gradient of the input multiply each weight once; the head has those of the scored tokens.
        let unique = self.prompt + self.sequences * self.length;
        let scored = self.sequences * scored.iter().filter(|scored| **scored).count();
        let weights = unique as f64 * layer_weights + scored as f64 * head_weights;
        json!({
            "scenario": self.name, "threads": threads, "instructions": pool.instruction_set().name(),
            "tokens": count, "unique_tokens": unique,
            "tokens_per_second": count as f64 / median, "best_tokens_per_second": count as f64 / seconds[0],
            "median_seconds": median, "seconds": seconds,
            "trained_parameters": parameters, "peak_bytes": peak_bytes(),
            "peak_gflops": peak, "of_peak": 4.0 * weights / median / 1e9 / peak,
        })
    }
}

/// Lets the peak of this process's memory begin anew, where the system can.
fn forget_peak() {
    const PEAK: &str = "5";
    let _ = fs::write("/proc/self/clear_refs", PEAK);
}

/// Most memory that this process has held at once; null where the system does not say.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
