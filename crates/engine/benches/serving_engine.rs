//! What serving costs the engine as work grows: decoding by rows, by adapters, by context, and prompts by the part that is
//! already in the cache, completions by the part that their grammar forces, and completions by the text that they repeat. With
//! llama-bench beside it, taking turns, a prompt and a single stream are compared.
//!
//! Environment: `SERVING_MODEL`, a directory in Hugging Face format (else random weights of 107 million parameters);
//! `SERVING_WEIGHTS`, `f32`, `bf16` (the default) or `int8`; `SERVING_OUT`, a path without ending for the JSON and SVG files;
//! `LLAMA_BENCH` and `LLAMA_MODEL`, the program and a GGUF file of the same model.

#[path = "support/plot.rs"]
mod plot;
#[path = "support/pool.rs"]
mod pool;
#[path = "support/shapes.rs"]
mod shapes;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;
use std::{env, fs};

use plot::{Curve, Plot, svg};
use pool::new_pool;
use serde_json::{Value, json};
use shapes::{SHAPE_107M, SHAPE_TINY};
use trainyard_engine::sampler::{GenerateEvent, GenerateRequest, Sampler, TokenConstraint};
use trainyard_engine::sampling::{SamplingParameters, TokenMask};
use trainyard_engine::scheduler::{EngineSampler, SamplerLimits};
use trainyard_engine::testing::random_weights;
use trainyard_engine::{
    Adapter, BaseModel, BatchRow, ComputePool, Decoder, LoraOptions, ModelConfig, SequenceHandle, WeightFormat,
};

/// Model and load of a measurement.
struct Setup {
    pool: Arc<ComputePool>,
    base: Arc<BaseModel>,
    /// Runs of which the median is taken.
    rounds: usize,
    /// Tokens decoded in a run.
    steps: usize,
}

type Handle<'a> = (SequenceHandle, Option<&'a Arc<Adapter>>);

fn main() {
    let measuring = env::args().any(|argument| argument == "--bench");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = new_pool(threads);
    let format = env::var("SERVING_WEIGHTS").unwrap_or_else(|_| "bf16".to_owned());
    let weights: WeightFormat = format.parse().expect("SERVING_WEIGHTS is f32, bf16 or int8");
    let base = load(measuring, weights, &pool);
    let (rounds, steps) = if measuring { (5, 16) } else { (1, 2) };
    let setup = Setup { pool, base, rounds, steps };
    let sizes = |largest: usize| (0..).map(|power| 1 << power).take_while(move |size| *size <= largest);
    let (largest_batch, largest_context) = if measuring { (64, 8192) } else { (4, 256) };
    // A run decodes some tokens beyond the context it starts from.
    let room = setup.base.config.max_position_embeddings.saturating_sub(rounds * steps);
    let largest_context = largest_context.min(room);

    println!("{threads} threads, {}, {format}", setup.pool.instruction_set().name());
    let decode: Vec<_> = sizes(largest_batch).map(|rows| (rows, setup.decode(rows, 128, 0))).collect();
    show("rows in the batch", "tokens/s", &decode);
    let adapters: Vec<_> = [0]
        .into_iter()
        .chain(sizes(largest_batch))
        .map(|count| (count, setup.decode(largest_batch, 32, count)))
        .collect();
    show(&format!("adapters among {largest_batch} rows"), "tokens/s", &adapters);
    let contexts = sizes(largest_context).filter(|context| *context >= 128);
    let context: Vec<_> = contexts.map(|context| (context, 1e3 / setup.decode(1, context, 0))).collect();
    show("context of one stream", "ms a token", &context);
    let prompt = if measuring { 512 } else { 128 };
    let shared: Vec<_> =
        [0, 25, 50, 75].map(|percent| (percent, 1e3 * setup.first_token(prompt, prompt * percent / 100))).to_vec();
    show(&format!("percent of {prompt} tokens in the cache"), "ms to the first token", &shared);
    let forced = setup.forced_tokens();
    let drafted = setup.drafted_tokens();
    let eight = setup.eight_adapters();
    println!("\n8 streams with 8 adapters against none: {eight:.2}");
    let peer = peer(&setup, prompt);

    let plot = |title: &str, x: &str, y: &str, points: &[(usize, f64)]| Plot {
        title: title.to_owned(),
        x: x.to_owned(),
        y: y.to_owned(),
        curves: vec![Curve { name: String::new(), points: points.iter().map(|(x, y)| (*x as f64, *y)).collect() }],
    };
    let picture = svg(&[
        plot("Decoding", "rows in the batch", "tokens/s", &decode),
        plot("Many adapters", &format!("adapters among {largest_batch} rows"), "tokens/s", &adapters),
        plot("Long context", "tokens of context, one stream", "ms a token", &context),
        plot(
            "Shared prefix",
            &format!("percent of {prompt} prompt tokens in the cache"),
            "ms to the first token",
            &shared,
        ),
    ]);
    let results = json!({
        "threads": threads, "instructions": setup.pool.instruction_set().name(), "weights": format,
        "decode_tokens_per_second_by_rows": decode, "decode_tokens_per_second_by_adapters": adapters,
        "milliseconds_per_token_by_context": context, "milliseconds_to_first_token_by_cached_percent": shared,
        "forced_tokens": forced, "drafted_tokens": drafted, "eight_adapters_against_none": eight, "peer": peer,
    });
    if let Some(out) = env::var("SERVING_OUT").ok().or_else(|| measuring.then(|| "target/serving_engine".to_owned())) {
        fs::write(format!("{out}.json"), format!("{results:#}\n")).expect("the results can be written");
        fs::write(format!("{out}.svg"), picture).expect("the picture can be written");
        println!("\nwritten: {out}.json, {out}.svg");
    }
}

fn load(measuring: bool, weights: WeightFormat, pool: &ComputePool) -> Arc<BaseModel> {
    let (config, files) = match env::var("SERVING_MODEL") {
        Ok(directory) => read_directory(Path::new(&directory)),
        Err(_) => {
            let shape = if measuring { SHAPE_107M } else { SHAPE_TINY };
            (
                shape.to_owned(),
                vec![(
                    "random weights".to_owned(),
                    random_weights(&ModelConfig::from_json(shape).expect("a configuration")),
                )],
            )
        }
    };
    let shards: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    BaseModel::load(&config, &shards, weights, pool).expect("a model")
}

fn read_directory(directory: &Path) -> (String, Vec<(String, Vec<u8>)>) {
    let config = fs::read_to_string(directory.join("config.json")).expect("SERVING_MODEL has a config.json");
    let entries =
        fs::read_dir(directory).expect("SERVING_MODEL is a directory").map(|entry| entry.expect("an entry").path());
    let weights = entries.filter(|path| path.extension().is_some_and(|extension| extension == "safetensors"));
    let files = weights.map(|path| (path.display().to_string(), fs::read(&path).expect("a weight file"))).collect();
    (config, files)
}

impl Setup {
    fn token(&self, position: usize) -> u32 {
        ((position * 7919 + 13) % self.base.config.vocab_size) as u32
    }

    /// Runs tokens `from..to` of a sequence.
    fn prefill(&self, decoder: &mut Decoder, (sequence, adapter): Handle<'_>, from: usize, to: usize) {
        let row = |position| {
            let want_logits = position + 1 == to;
            BatchRow { token: self.token(position), position, sequence, adapter, want_logits }
        };
        let rows: Vec<_> = (from..to).map(row).collect();
        for rows in rows.chunks(512) {
            black_box(decoder.forward(rows).expect("a prompt").rows());
        }
    }

    /// Tokens a second of `rows` streams after `context` tokens, the first ones with `adapters` different adapters.
    fn decode(&self, rows: usize, context: usize, adapters: usize) -> f64 {
        let adapters: Vec<_> = (0..adapters)
            .map(|seed| Arc::new(Adapter::new(&self.base.config, &LoraOptions::default(), seed as u64)))
            .collect();
        let length = context + self.rounds * self.steps;
        let mut decoder = Decoder::new(self.pool.clone(), self.base.clone(), rows * length.next_multiple_of(64));
        let streams: Vec<Handle<'_>> = (0..rows)
            .map(|row| {
                let adapter = if adapters.is_empty() { None } else { adapters.get(row % adapters.len()) };
                (decoder.add_sequence(), adapter)
            })
            .collect();
        streams.iter().for_each(|stream| self.prefill(&mut decoder, *stream, 0, context));
        let mut position = context;
        let speeds = (0..self.rounds).map(|_| {
            let start = Instant::now();
            for _ in 0..self.steps {
                let token = self.token(position);
                let row = |(sequence, adapter)| BatchRow { token, position, sequence, adapter, want_logits: true };
                let batch: Vec<_> = streams.iter().copied().map(row).collect();
                black_box(decoder.forward(&batch).expect("a step").rows());
                position += 1;
            }
            (rows * self.steps) as f64 / start.elapsed().as_secs_f64()
        });
        median(speeds.collect())
    }

    /// Speed of eight streams with an adapter each against that without, in turns.
    fn eight_adapters(&self) -> f64 {
        let one = Self { rounds: 1, steps: 4 * self.steps, pool: self.pool.clone(), base: self.base.clone() };
        let ratios = (0..self.rounds).map(|_| one.decode(8, 128, 8) / one.decode(8, 128, 0));
        median(ratios.collect())
    }

    /// Seconds until the logits after a prompt, of which the first `cached` tokens are in the cache.
    fn first_token(&self, prompt: usize, cached: usize) -> f64 {
        let mut decoder = Decoder::new(self.pool.clone(), self.base.clone(), 2 * (prompt + 64));
        let parent = decoder.add_sequence();
        self.prefill(&mut decoder, (parent, None), 0, cached.max(1));
        let seconds = (0..self.rounds).map(|_| {
            let start = Instant::now();
            let sequence = decoder.fork_sequence(parent, cached).expect("room");
            self.prefill(&mut decoder, (sequence, None), cached, prompt);
            decoder.remove_sequence(sequence);
            start.elapsed().as_secs_f64()
        });
        median(seconds.collect())
    }
}

/// Constraint that forces tokens in runs of twelve, as keys and punctuation of JSON come in runs.
struct Runs {
    vocabulary: u32,
    /// Number of free tokens after each run; `None` for free tokens only.
    free: Option<u32>,
    accepted: u32,
}

impl TokenConstraint for Runs {
    fn allowed(&mut self, mask: &mut TokenMask) -> Result<(), String> {
        match self.free {
            Some(free) if self.accepted % (12 + free) < 12 => {
                mask.clear();
                mask.insert(self.accepted * 7919 % self.vocabulary);
            }
            _ => mask.fill(self.vocabulary as usize),
        }
        Ok(())
    }

    fn accept(&mut self, _: u32) -> Result<(), String> {
        self.accepted += 1;
        Ok(())
    }

    fn check(&mut self, token: u32) -> Result<(), String> {
        self.accept(token)
    }

    fn is_finished(&self) -> bool {
        false
    }
}

impl Setup {
    /// Speed of completions whose constraint forces a part of the tokens, beside sampling these tokens as all others, in
    /// turns: one stream and eight.
    fn forced_tokens(&self) -> Value {
        let (forcing, plain) = (self.sampler(SamplerLimits::default().forced_rows, 0), self.sampler(0, 0));
        println!("\n{:>36}  tokens/s  without  ratio  steps/token", "streams, percent of tokens forced");
        let mut results = Vec::new();
        for streams in [1, 8] {
            for (percent, free) in [(0, None), (50, Some(12)), (75, Some(4))] {
                let constrain = |_: u64, request: &mut GenerateRequest| {
                    let vocabulary = self.base.config.vocab_size as u32;
                    request.constraint = Some(Box::new(Runs { vocabulary, free, accepted: 0 }));
                };
                let mut result = self.in_turns((&forcing, &plain), streams, &percent.to_string(), constrain);
                result["percent"] = json!(percent);
                results.push(result);
            }
        }
        json!(results)
    }

    /// Speed of completions of which tokens are drafted, beside a step for each token, in turns: one stream and eight.
    fn drafted_tokens(&self) -> Value {
        let rows = SamplerLimits::default().draft_rows;
        let plain = self.sampler(0, 0);
        println!("\n{:>36}  tokens/s  without  ratio  steps/token", "streams, answers");
        let mut results = Vec::new();
        for streams in [1, 8] {
            for completions in ["repeat themselves", "repeat others", "8 words at random", "never repeat"] {
                // Words whose order no draft can know, and all of which follow each other.
                let words: Vec<(u32, f32)> = (0..8).map(|position| (self.token(position), 100.0)).collect();
                let drafting = self.sampler(0, rows);
                let set = |round: u64, request: &mut GenerateRequest| {
                    let sampling = &mut request.sampling;
                    // A sampler remembers completions: each round has others, but where they repeat others.
                    match completions {
                        "repeat themselves" => {
                            sampling.temperature = 0.0;
                            request.prompt = request.prompt.iter().map(|token| token ^ round as u32).collect();
                        }
                        "repeat others" => sampling.seed = 1,
                        "8 words at random" => (sampling.seed, sampling.logit_bias) = (round, words.clone()),
                        _ => sampling.seed = round,
                    }
                };
                if completions == "repeat others" {
                    self.completions(&drafting, streams, |request| set(0, request));
                }
                let mut result = self.in_turns((&drafting, &plain), streams, completions, set);
                result["answers"] = json!(completions);
                results.push(result);
            }
        }
        json!(results)
    }

    /// Speed of the completions of two samplers in turns, and the steps per token of a completion of the first. `set` changes
    /// each request of a round.
    fn in_turns(
        &self,
        (quick, plain): (&EngineSampler, &EngineSampler),
        streams: u32,
        label: &str,
        set: impl Fn(u64, &mut GenerateRequest),
    ) -> Value {
        let (mut with, mut without, mut ratios, mut steps) = (Vec::new(), Vec::new(), Vec::new(), 0.0);
        for round in 0..self.rounds as u64 {
            let speed;
            (speed, steps) = self.completions(quick, streams, |request| set(round, request));
            let single = self.completions(plain, streams, |request| set(round, request)).0;
            with.push(speed);
            without.push(single);
            ratios.push(speed / single);
        }
        let (with, without, ratio) = (median(with), median(without), median(ratios));
        println!("{:>36}  {with:.0}  {without:.0}  {ratio:.2}  {steps:.2}", format!("{streams}, {label}"));
        json!({"streams": streams, "tokens_per_second": with, "without": without, "ratio": ratio,
            "steps_per_token": steps})
    }

    fn sampler(&self, forced_rows: usize, draft_rows: usize) -> EngineSampler {
        let limits = SamplerLimits { forced_rows, draft_rows, ..SamplerLimits::default() };
        EngineSampler::start(self.pool.clone(), self.base.clone(), limits).expect("a thread")
    }

    /// Tokens a second of some completions, and the steps per token of a completion. `set` changes each request.
    fn completions(&self, sampler: &EngineSampler, streams: u32, set: impl Fn(&mut GenerateRequest)) -> (f64, f64) {
        let prompt: Arc<[u32]> = (0..128).map(|position| self.token(position)).collect();
        let tokens = 8 * self.steps;
        let requests = (0..streams).map(|sample_index| {
            let mut request = GenerateRequest {
                owner: "bench".into(),
                adapter: None,
                prompt: prompt.clone(),
                max_tokens: tokens,
                sampling: SamplingParameters { sample_index, ..SamplingParameters::default() },
                stop_tokens: Vec::new(),
                min_tokens: 0,
                prompt_logprobs: None,
                constraint: None,
                grammar: None,
                is_streamed: false,
                cached_tokens: None,
            };
            set(&mut request);
            request
        });
        let before = sampler.load().steps;
        let start = Instant::now();
        let receivers = sampler.generate(requests.collect()).expect("room");
        let mut received = 0;
        for mut receiver in receivers {
            while let Some(event) = receiver.blocking_recv() {
                received += usize::from(matches!(event, GenerateEvent::Token { .. }));
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(received, tokens * streams as usize);
        let steps = sampler.load().steps - before;
        (received as f64 / seconds, steps as f64 / tokens as f64)
    }
}

/// A prompt and a single stream beside llama-bench, in turns; null where there is none.
fn peer(setup: &Setup, prompt: usize) -> Value {
    let (Ok(program), Ok(model)) = (env::var("LLAMA_BENCH"), env::var("LLAMA_MODEL")) else {
        return Value::Null;
    };
    let work = [("prefill", prompt, 0), ("decode", 0, 128)];
    let results = work.map(|(name, prompt, generated)| {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..setup.rounds {
            let one = Setup { rounds: 1, steps: 128, pool: setup.pool.clone(), base: setup.base.clone() };
            ours.push(if prompt > 0 { prompt as f64 / one.first_token(prompt, 0) } else { one.decode(1, 1, 0) });
            theirs.push(llama_bench(&program, &model, prompt, generated, setup.pool.threads()));
        }
        let ratio = median(ours.iter().zip(&theirs).map(|(ours, theirs)| ours / theirs).collect());
        println!(
            "{name}: {:.0} tokens/s, llama.cpp {:.0}, ratio {ratio:.2}",
            median(ours.clone()),
            median(theirs.clone())
        );
        json!({"work": name, "tokens_per_second": ours, "llama_tokens_per_second": theirs, "ratio": ratio})
    });
    json!(results)
}

fn llama_bench(program: &str, model: &str, prompt: usize, generated: usize, threads: usize) -> f64 {
    let [prompt, generated, threads] = [prompt, generated, threads].map(|count| count.to_string());
    let output = Command::new(program)
        .args(["-m", model, "-p", &prompt, "-n", &generated, "-t", &threads, "-r", "1", "-o", "json"])
        .output()
        .expect("LLAMA_BENCH can be run");
    assert!(output.status.success(), "llama-bench failed: {}", String::from_utf8_lossy(&output.stderr));
    let results: Value = serde_json::from_slice(&output.stdout).expect("llama-bench prints JSON");
    results[0]["avg_ts"].as_f64().expect("llama-bench prints a speed")
}

fn show(x: &str, y: &str, points: &[(usize, f64)]) {
    println!("\n{x:>36}  {y}");
    for (value, result) in points {
        println!("{value:>36}  {result:.1}");
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
