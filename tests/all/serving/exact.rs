//! Trainer and sampler agree on every logprob, bit for bit.

use std::sync::Arc;

use tokio::sync::mpsc::Receiver;
use trainyard::engine::sampler::{AdapterHash, AdapterRef, GenerateEvent, GenerateRequest, Sampler};
use trainyard::engine::sampling::SamplingParameters;
use trainyard::engine::scheduler::{EngineSampler, SamplerLimits};
use trainyard::engine::{
    AdamHyper, AdamState, Adapter, BaseModel, ComputePool, LoraOptions, SequenceInput, TrainSession, WeightFormat,
};

use crate::serving::random_models::{ModelDirectory, families};

/// A model that is sampled with one number of threads and trained with another.
struct Case<'a> {
    config_json: &'a str,
    shards: Vec<(&'a str, &'a [u8])>,
    format: WeightFormat,
    sampling_threads: usize,
    training_threads: usize,
}

impl Case<'_> {
    fn load(&self, pool: &ComputePool) -> Arc<BaseModel> {
        BaseModel::load(self.config_json, &self.shards, self.format, pool).expect("the model loads")
    }
}

/// Token ids that look random but are the same in every run.
fn tokens(seed: u64, count: usize, vocabulary: usize) -> Vec<u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            u32::try_from(state % vocabulary as u64).expect("a token id")
        })
        .collect()
}

/// An adapter that training has moved away from zero.
fn trained(pool: &Arc<ComputePool>, base: &Arc<BaseModel>, seed: u64) -> Adapter {
    let adapter = Adapter::new(&base.config, &LoraOptions::default(), seed);
    let adam = AdamState::new(&adapter);
    let mut session = TrainSession::new(pool.clone(), base.clone(), adapter, adam);
    let ids = tokens(seed, 40, base.config.vocab_size);
    let scored: Vec<bool> = (0..ids.len()).map(|position| position > 3).collect();
    for _ in 0..3 {
        let sequence = SequenceInput { tokens: &ids, scored: &scored };
        session
            .forward_backward(&[sequence], &mut |scores| {
                let count = scores[0].logprobs.len();
                vec![vec![-1.0 / count as f32; count]]
            })
            .expect("finite");
        session.step(&AdamHyper { lr: 1e-2, ..AdamHyper::default() }).expect("a step");
    }
    session.into_parts().0
}

/// One finished sample: the prompt, what was drawn, and the logprob of each token but the first of all, or of each drawn
/// one where those of the prompt were not asked for.
struct Sample {
    adapter: Option<usize>,
    prompt: Vec<u32>,
    drawn: Vec<u32>,
    logprobs: Vec<f32>,
}

/// A sample on its way.
struct Started {
    adapter: Option<usize>,
    prompt: Vec<u32>,
    events: Receiver<GenerateEvent>,
}

impl Started {
    async fn finish(mut self) -> Sample {
        let (mut drawn, mut logprobs) = (Vec::new(), Vec::new());
        while let Some(event) = self.events.recv().await {
            match event {
                GenerateEvent::Prompt(tokens) => logprobs.extend(tokens.iter().filter_map(|token| token.logprob)),
                GenerateEvent::Token { id, logprob, .. } => {
                    drawn.push(id);
                    logprobs.push(logprob);
                }
                GenerateEvent::Finished(_) => break,
                GenerateEvent::Failed(reason) => panic!("{reason}"),
            }
        }
        Sample { adapter: self.adapter, prompt: self.prompt, drawn, logprobs }
    }
}

/// The requests of a case: several samples of a prompt, base model and adapters by turns, some with the prompt's own
/// log-probabilities. `round` lengthens the prompts, so that those of the round before are their beginnings.
fn requests(round: usize, vocabulary: usize, adapters: &[Arc<Adapter>]) -> Vec<(Option<usize>, Vec<GenerateRequest>)> {
    let sets = (0..12_usize).map(|number| {
        let adapter = [None, Some(0), Some(1)][number % 3];
        let length = [3, 70, 17, 150, 1, 64, 33][number % 7] + 10 * round;
        let prompt: Arc<[u32]> = tokens(100 + number as u64, length, vocabulary).into();
        let samples = [1, 3, 2, 5, 4][number % 5];
        let samples = (0..samples).map(|index| GenerateRequest {
            owner: ["one", "other"][number % 2].into(),
            adapter: adapter.map(|adapter: usize| {
                let hash = AdapterHash { config: [0; 32], weights: [adapter as u8; 32] };
                AdapterRef::in_memory(hash, adapters[adapter].clone())
            }),
            prompt: prompt.clone(),
            max_tokens: [24, 9, 40, 1, 16][index],
            sampling: SamplingParameters {
                seed: number as u64,
                sample_index: u32::try_from(index).expect("few"),
                ..SamplingParameters::default()
            },
            stop_tokens: Vec::new(),
            min_tokens: 0,
            prompt_logprobs: (number % 4 == 1 && index == 0).then_some(0),
            constraint: None,
            grammar: None,
            is_streamed: false,
            cached_tokens: None,
        });
        (adapter, samples.collect())
    });
    sets.collect()
}

/// Samples under every adversity there is: prompts in chunks, mixed batches, prompts and their beginnings from the cache,
/// too little room for all. Then the trainer computes the same logprobs: it must get the same bits.
async fn agree(name: &str, case: &Case<'_>) {
    let pool = ComputePool::new(case.sampling_threads);
    let base = case.load(&pool);
    let adapters: Vec<Arc<Adapter>> = (1..=2).map(|seed| Arc::new(trained(&pool, &base, seed))).collect();
    let limits = SamplerLimits { cache_tokens: 1024, max_running: 12, rows_per_step: 48, ..SamplerLimits::default() };
    let sampler = EngineSampler::start(pool, base.clone(), limits).expect("a thread");
    let mut samples = Vec::new();
    for round in 0..2 {
        let mut started = Vec::new();
        for (adapter, requests) in requests(round, base.config.vocab_size, &adapters) {
            let prompt = requests[0].prompt.to_vec();
            for events in sampler.generate(requests).expect("the queue has room") {
                started.push(Started { adapter, prompt: prompt.clone(), events });
            }
        }
        for started in started {
            samples.push(started.finish().await);
        }
    }
    let load = sampler.load();
    assert!(load.preemptions > 0, "{name}: nobody was ever suspended: {load:?}");
    assert!(load.prefix_hit_tokens > 500, "{name}: hardly anything came from the cache: {load:?}");
    drop(sampler);

    let pool = ComputePool::new(case.training_threads);
    let base = case.load(&pool);
    let untrained = Adapter::new(&base.config, &LoraOptions::default(), 3407);
    let mut greatest = 0.0_f32;
    let mut compared = 0;
    for sample in &samples {
        // Without an adapter the sampler runs the base model; the trainer starts from an adapter that adds zero.
        let adapter = sample.adapter.map_or(&untrained, |adapter| &adapters[adapter]).clone();
        let adam = AdamState::new(&adapter);
        let mut session = TrainSession::new(pool.clone(), base.clone(), adapter, adam);
        let ids = [&sample.prompt[..], &sample.drawn[..]].concat();
        let first = ids.len() - sample.logprobs.len();
        assert!(first == 1 || first == sample.prompt.len(), "{name}: a logprob is missing");
        let scored: Vec<bool> = (0..ids.len()).map(|position| position >= first).collect();
        let scores = session.score(&[SequenceInput { tokens: &ids, scored: &scored }]).expect("finite").remove(0);
        assert_eq!(scores.logprobs.len(), sample.logprobs.len());
        for (recomputed, sampled) in scores.logprobs.iter().zip(&sample.logprobs) {
            greatest = greatest.max((recomputed - sampled).abs());
            assert_eq!(recomputed.to_bits(), sampled.to_bits(), "{name}: {recomputed} recomputed, {sampled} sampled");
        }
        compared += scores.logprobs.len();
    }
    assert!(compared > 1000, "{name}: only {compared} logprobs");
    println!(
        "{name}, {} and {} threads: greatest difference of {compared} logprobs {greatest:?}; {} suspended, {} prompt \
         tokens from the cache",
        case.sampling_threads, case.training_threads, load.preemptions, load.prefix_hit_tokens
    );
}

fn case(
    directory: &ModelDirectory,
    format: WeightFormat,
    sampling_threads: usize,
    training_threads: usize,
) -> Case<'_> {
    let shards = vec![("model.safetensors", &directory.weights[..])];
    Case { config_json: &directory.config_json, shards, format, sampling_threads, training_threads }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sampled_logprobs_are_those_of_the_trainer_bit_for_bit() {
    let config_json = include_str!("../../../assets/seedling/config.json");
    let weights: &[u8] = include_bytes!("../../../assets/seedling/model.safetensors");
    let (shards, format) = (vec![("model.safetensors", weights)], WeightFormat::F32);
    let case = Case { config_json, shards, format, sampling_threads: 2, training_threads: 1 };
    agree("seedling", &case).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_they_are_with_every_family() {
    for directory in families() {
        agree(directory.name, &case(&directory, WeightFormat::F32, 2, 1)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_they_are_with_every_number_of_threads() {
    let directory = &families()[0];
    for (sampling, training) in [(1, 3), (2, 2), (3, 1)] {
        agree(directory.name, &case(directory, WeightFormat::F32, sampling, training)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_they_are_with_every_weight_format() {
    // Tied embeddings and not.
    for directory in [&families()[0], &families()[2]] {
        for format in [WeightFormat::Bf16, WeightFormat::Int8, WeightFormat::Int4] {
            agree(&format!("{} in {format}", directory.name), &case(directory, format, 2, 1)).await;
        }
    }
}
