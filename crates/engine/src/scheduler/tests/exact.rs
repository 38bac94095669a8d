//! Tests of the scheduler on the real engine: whatever is reused, split, suspended or mixed, the bits equal those of a
//! sample alone.

use super::super::batch::Batch;
use super::super::sample::Sample;
use super::*;
use crate::kernels::ComputePool;
use crate::model::BaseModel;
use crate::tests::{family_configs, odd_config, random_adapter, random_model_in, tokens};

const VOCABULARY: usize = 77;

struct Scene {
    pool: Arc<ComputePool>,
    base: Arc<BaseModel>,
    adapters: [Option<Arc<Adapter>>; 3],
}

/// Output of a sample: tokens and the bits of their logprobs, and those of the prompt.
type Said = (Vec<(u32, u32)>, Vec<Option<u32>>);

impl Scene {
    fn new(config: &serde_json::Value) -> Self {
        let pool = ComputePool::new(2);
        let base = random_model_in(WeightFormat::Bf16, config, 5, &pool);
        let adapter = |rank, seed| Some(Arc::new(random_adapter(&base.config, rank, seed)));
        Self { adapters: [None, adapter(8, 1), adapter(3, 2)], pool, base }
    }

    fn batch(&self, limits: SamplerLimits) -> Batch<Decoder> {
        Batch::new(Decoder::new(self.pool.clone(), self.base.clone(), limits.cache_tokens), limits)
    }

    /// Returns the `index`-th request: prompts from two token streams, with the base model and two adapters.
    fn request(&self, index: usize) -> GenerateRequest {
        let length = [130, 64, 200, 65, 70, 128, 30, 150][index % 8];
        let prompt: Arc<[u32]> = tokens(length, VOCABULARY, 3 + index % 2).into();
        GenerateRequest {
            adapter: self.adapters[index % 3].clone().map(refer),
            stop_tokens: vec![],
            prompt_logprobs: index.is_multiple_of(5).then_some(2),
            sampling: SamplingParameters { seed: index as u64, ..Default::default() },
            ..request(&prompt, 60 + index % 40, 0)
        }
    }

    fn alone(&self, index: usize) -> Said {
        let limits = SamplerLimits { rows_per_step: 1000, ..Default::default() };
        self.run(&mut self.batch(limits), &[index]).remove(0)
    }

    fn run(&self, batch: &mut Batch<Decoder>, indices: &[usize]) -> Vec<Said> {
        let receivers: Vec<_> = indices
            .iter()
            .map(|index| {
                let (sample, receiver) = Sample::new(self.request(*index), 512);
                batch.submit(sample);
                batch.step();
                receiver
            })
            .collect();
        while !batch.is_idle() {
            batch.step();
        }
        assert_eq!(batch.load().pages_in_use, 0);
        receivers.into_iter().map(said).collect()
    }
}

fn said(receiver: mpsc::Receiver<GenerateEvent>) -> Said {
    let mut said: Said = Default::default();
    for event in collect(receiver) {
        match event {
            GenerateEvent::Prompt(tokens) => {
                said.1.extend(tokens.iter().map(|token| token.logprob.map(f32::to_bits)));
            }
            GenerateEvent::Token { id, logprob, .. } => said.0.push((id, logprob.to_bits())),
            GenerateEvent::Finished(reason) => assert_eq!(reason, FinishReason::Length),
            GenerateEvent::Failed(reason) => panic!("{reason}"),
        }
    }
    said
}

#[test]
fn reused_split_suspended_and_mixed_samples_have_the_bits_of_lone_ones() {
    reused_split_suspended_and_mixed(&odd_config(), 9);
}

#[test]
fn samples_with_recurrent_states_have_the_bits_of_lone_ones() {
    let mut models = 0;
    for (_, config) in family_configs() {
        let states =
            SamplerLimits::state_pages(&ModelConfig::from_json(&config.to_string()).unwrap(), WeightFormat::Bf16);
        if states == 0 {
            continue;
        }
        models += 1;
        reused_split_suspended_and_mixed(&config, 9 + 2 * states);
    }
    assert_eq!(models, 5, "three of delta networks and two of convolutions");
}

/// Compares samples in batches with those of a batch of one, and of a cache with so many pages, where some have to wait for others.
fn reused_split_suspended_and_mixed(config: &serde_json::Value, pages: usize) {
    let scene = Scene::new(config);
    let indices: Vec<usize> = (0..24).collect();
    let alone: Vec<Said> = indices.iter().map(|index| scene.alone(*index)).collect();
    assert!(alone.iter().all(|(completion, _)| completion.len() >= 60));
    assert_eq!(alone[5].1.len(), 128);
    for limits in [
        SamplerLimits::default(),
        SamplerLimits { rows_per_step: 23, max_running: 7, ..Default::default() },
        // Little more than the longest sample: others are suspended and resumed.
        SamplerLimits { cache_tokens: pages * PAGE, rows_per_step: 50, ..Default::default() },
    ] {
        let mut batch = scene.batch(limits);
        assert_eq!(scene.run(&mut batch, &indices), alone, "{limits:?}");
        let suspended = batch.preemptions;
        assert_eq!(suspended > 0, limits.cache_tokens == pages * PAGE, "{suspended} suspended under {limits:?}");
        // A second time, with the prefixes that the first round has left in the tree.
        let backwards: Vec<usize> = indices.iter().rev().copied().collect();
        let mut again = scene.run(&mut batch, &backwards);
        again.reverse();
        assert_eq!(again, alone, "{limits:?}");
    }
}
