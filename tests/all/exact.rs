//! Trainer and sampler agree on every logprob, bit for bit.

use std::sync::Arc;

use trainyard::{
    engine::{
        AdamHyper, AdamState, Adapter, BaseModel, ComputePool, SequenceInput, TrainSession,
        sampling::SamplingParameters,
        scheduler::{EngineSampler, GenerateEvent, GenerateRequest, Sampler, SamplerLimits},
    },
    model_files::ModelFiles,
};

fn seedling(pool: &ComputePool) -> Arc<BaseModel> {
    let files = ModelFiles::seedling().expect("the built-in model");
    let shards: Vec<(&str, &[u8])> = files.weights.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
    BaseModel::load(&files.config_json, &shards, pool).expect("the built-in model loads")
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
    let adapter = Adapter::new(&base.config, 8, 16.0, seed);
    let adam = AdamState::new(&adapter);
    let mut session = TrainSession::new(pool.clone(), base.clone(), adapter, adam);
    let ids = tokens(seed, 40, base.config.vocab_size);
    let scored: Vec<bool> = (0..ids.len()).map(|position| position > 3).collect();
    for _ in 0..3 {
        let sequence = SequenceInput { tokens: &ids, scored: &scored };
        session
            .forward_backward(&sequence, &mut |scores| vec![-1.0 / scores.logprobs.len() as f32; scores.logprobs.len()])
            .expect("finite");
        session.step(&AdamHyper { lr: 1e-2, ..AdamHyper::default() }).expect("a step");
    }
    session.into_parts().0
}

/// One finished sample: the prompt, what was drawn, and the logprob of each drawn token.
struct Sample {
    adapter: Option<usize>,
    prompt: Vec<u32>,
    drawn: Vec<u32>,
    logprobs: Vec<f32>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sampled_logprobs_are_those_of_the_trainer_bit_for_bit() {
    let pool = ComputePool::new(2);
    let base = seedling(&pool);
    let adapters: Vec<Arc<Adapter>> = (1..=2).map(|seed| Arc::new(trained(&pool, &base, seed))).collect();

    // Small chunks and a small cache, so that prompts are split, batches are mixed and samples wait for one another.
    let limits = SamplerLimits { cache_tokens: 2048, max_running: 12, rows_per_step: 48, ..SamplerLimits::default() };
    let sampler = EngineSampler::start(pool.clone(), base.clone(), limits).expect("a thread");
    let mut waiting = Vec::new();
    let mut started = 0;
    for request in 0_u64.. {
        let samples = [1, 3, 2, 5, 4][request as usize % 5].min(50 - started);
        if samples == 0 {
            break;
        }
        started += samples;
        let adapter = [None, Some(0), Some(1)][request as usize % 3];
        let prompt = tokens(100 + request, [3, 70, 17, 150, 1, 64, 33][request as usize % 7], base.config.vocab_size);
        let requests = (0..samples)
            .map(|index| GenerateRequest {
                owner: "owner".into(),
                adapter: adapter.map(|adapter: usize| adapters[adapter].clone()),
                prompt: prompt.clone().into(),
                max_tokens: [24, 9, 40, 1, 16][index],
                sampling: SamplingParameters {
                    seed: request,
                    sample_index: u32::try_from(index).expect("few"),
                    ..SamplingParameters::default()
                },
                stop_tokens: Vec::new(),
                min_tokens: 0,
                prompt_logprobs: None,
                constraint: None,
            })
            .collect();
        for events in sampler.generate(requests).expect("the queue has room") {
            waiting.push((adapter, prompt.clone(), events));
        }
    }
    let mut samples = Vec::new();
    for (adapter, prompt, mut events) in waiting {
        let (mut drawn, mut logprobs) = (Vec::new(), Vec::new());
        while let Some(event) = events.recv().await {
            match event {
                GenerateEvent::Token { id, logprob, .. } => {
                    drawn.push(id);
                    logprobs.push(logprob);
                }
                GenerateEvent::Prompt(_) => panic!("not asked for"),
                GenerateEvent::Finished(_) => break,
                GenerateEvent::Failed(reason) => panic!("{reason}"),
            }
        }
        samples.push(Sample { adapter, prompt, drawn, logprobs });
    }
    assert_eq!(samples.len(), 50);
    assert!(samples.iter().map(|sample| sample.drawn.len()).sum::<usize>() > 500);

    // Another number of threads: it must not matter.
    let pool = ComputePool::new(1);
    let untrained = Adapter::new(&base.config, 8, 16.0, 3407);
    let mut greatest = 0.0_f32;
    for sample in &samples {
        // Without an adapter the sampler runs the base model; the trainer starts from an adapter that adds zero.
        let adapter = sample.adapter.map_or(&untrained, |adapter| &adapters[adapter]).clone();
        let adam = AdamState::new(&adapter);
        let mut session = TrainSession::new(pool.clone(), base.clone(), adapter, adam);
        let ids = [&sample.prompt[..], &sample.drawn[..]].concat();
        let scored: Vec<bool> = (0..ids.len()).map(|position| position >= sample.prompt.len()).collect();
        let scores = session.score(&SequenceInput { tokens: &ids, scored: &scored }).expect("finite");
        for (recomputed, sampled) in scores.logprobs.iter().zip(&sample.logprobs) {
            greatest = greatest.max((recomputed - sampled).abs());
            assert_eq!(recomputed.to_bits(), sampled.to_bits(), "{recomputed} recomputed, {sampled} sampled");
        }
        assert_eq!(scores.logprobs.len(), sample.logprobs.len());
    }
    println!("greatest difference of logprobs: {greatest:?}");
}
