//! Tests of forced tokens: they take fewer steps, and every event has the bits that it has without them.

use proptest::prelude::*;

use super::super::batch::Batch;
use super::super::sample::Sample;
use super::*;
use crate::kernels::{ComputePool, InstructionSet};
use crate::tests::{family_models, random_adapter, random_model_in};

/// Limits without forced tokens and drafts.
pub(super) fn plain(limits: SamplerLimits) -> SamplerLimits {
    SamplerLimits { forced_rows: 0, draft_rows: 0, ..limits }
}

/// Limits without drafts.
fn undrafted() -> SamplerLimits {
    SamplerLimits { draft_rows: 0, ..Default::default() }
}

/// Constraint whose allowed tokens are a hash of the tokens before: mostly one, else a few.
#[derive(Clone)]
struct Script {
    seed: u64,
    /// Number of accepted tokens.
    accepted: u64,
    hash: u64,
    /// Percentage of positions with one allowed token.
    forced: u64,
    trouble: Trouble,
}

/// Event after a number of tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Trouble {
    None,
    Finishes(u64),
    Fails(u64),
    RejectsToken(u64),
    Panics(u64),
    OutsideVocabulary(u64),
}

impl Script {
    fn new(seed: u64, forced: u64, trouble: Trouble) -> Self {
        Self { seed, accepted: 0, hash: seed, forced, trouble }
    }

    fn bits(&self, salt: u64) -> u64 {
        let mixed = (self.hash ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ (mixed >> 32)
    }
}

impl TokenConstraint for Script {
    fn allowed(&mut self, mask: &mut TokenMask) -> Result<(), String> {
        mask.clear();
        if self.trouble == Trouble::Fails(self.accepted) {
            return Err("asked to fail".to_owned());
        }
        assert_ne!(self.trouble, Trouble::Panics(self.accepted), "asked to panic");
        if self.trouble == Trouble::OutsideVocabulary(self.accepted) {
            mask.insert(1_000_000);
            return Ok(());
        }
        let count = if self.bits(1) % 100 < self.forced { 1 } else { 2 + self.bits(2) % 6 };
        // Token 13 makes the test engine panic; token 0 is a stop token.
        let id = |index| (self.bits(3 + index) % VOCABULARY as u64) as u32;
        (0..count).map(id).for_each(|id| mask.insert(if id == 13 { 14 } else { id }));
        Ok(())
    }

    fn accept(&mut self, token: u32) -> Result<(), String> {
        if self.trouble == Trouble::RejectsToken(self.accepted) {
            return Err("asked to reject".to_owned());
        }
        self.accepted += 1;
        self.hash = self.bits(u64::from(token) + 100) ^ self.seed;
        Ok(())
    }

    fn check(&mut self, token: u32) -> Result<(), String> {
        self.accept(token)
    }

    fn is_finished(&self) -> bool {
        self.trouble == Trouble::Finishes(self.accepted)
    }
}

fn trouble() -> impl Strategy<Value = Trouble> {
    (0..8, 1..30_u64).prop_map(|(kind, at)| match kind {
        0 => Trouble::Finishes(at),
        1 => Trouble::Fails(at),
        2 => Trouble::RejectsToken(at),
        3 => Trouble::Panics(at),
        4 => Trouble::OutsideVocabulary(at),
        _ => Trouble::None,
    })
}

fn sampling() -> impl Strategy<Value = SamplingParameters> {
    let filters = (prop::sample::select(vec![0.0_f32, 0.7, 1.3]), prop::sample::select(vec![1.0_f32, 0.6]), 0..6_usize);
    let penalties = (prop::sample::select(vec![0.0_f32, 0.8]), prop::sample::select(vec![1.0_f32, 1.4]));
    (filters, penalties, any::<u64>(), 0..4_usize, any::<bool>()).prop_map(
        |((temperature, top_p, top_k), (penalty, repetition_penalty), seed, top_logprobs, is_biased)| {
            SamplingParameters {
                temperature,
                top_p,
                top_k,
                presence_penalty: penalty,
                frequency_penalty: penalty,
                repetition_penalty,
                logit_bias: if is_biased { vec![(4, 3.0), (5, f32::NEG_INFINITY), (7, -100.0)] } else { vec![] },
                seed,
                top_logprobs,
                ..SamplingParameters::default()
            }
        },
    )
}

/// Request that can be made twice.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) length: usize,
    pub(super) max_tokens: usize,
    pub(super) min_tokens: usize,
    pub(super) sampling: SamplingParameters,
    /// Seed, percentage of forced positions, and trouble of the constraint.
    pub(super) script: Option<(u64, u64, Trouble)>,
    pub(super) prompt_logprobs: Option<usize>,
}

pub(super) fn asked() -> impl Strategy<Value = Asked> {
    let script = (any::<u64>(), prop::sample::select(vec![20_u64, 80, 97, 100]), trouble());
    let lengths = (1..140_usize, 0..90_usize, 0..20_usize);
    (lengths, sampling(), prop::option::weighted(0.8, script), prop::option::weighted(0.2, 0..3_usize)).prop_map(
        |((length, max_tokens, min_tokens), sampling, script, prompt_logprobs)| Asked {
            length,
            max_tokens,
            min_tokens,
            sampling,
            script,
            prompt_logprobs,
        },
    )
}

impl Asked {
    pub(super) fn request(&self) -> GenerateRequest {
        let constraint = self.script.map(|(seed, forced, trouble)| Script::new(seed, forced, trouble));
        GenerateRequest {
            min_tokens: self.min_tokens,
            sampling: self.sampling.clone(),
            prompt_logprobs: self.prompt_logprobs,
            constraint: constraint.map(|script| Box::new(script) as Box<dyn TokenConstraint>),
            ..request(&prompt(self.length, self.length as u32 % 3), self.max_tokens, 0)
        }
    }
}

/// Runs the requests, one more at each step, and returns their events and the load at the end.
pub(super) fn run<E: RowEngine>(
    engine: E,
    limits: SamplerLimits,
    requests: Vec<GenerateRequest>,
) -> (Vec<Vec<GenerateEvent>>, SamplerLoad) {
    let mut batch = Batch::new(engine, limits);
    let receivers: Vec<_> = requests
        .into_iter()
        .map(|request| {
            let (sample, receiver) = Sample::new(request, 512);
            batch.submit(sample);
            batch.step();
            receiver
        })
        .collect();
    while !batch.is_idle() {
        batch.step();
    }
    (receivers.into_iter().map(collect).collect(), batch.load())
}

fn run_hashed(limits: SamplerLimits, asked: &[Asked]) -> (Vec<Vec<GenerateEvent>>, SamplerLoad) {
    // Penalties and a biased grammar may leave token 13.
    let engine = HashEngine { panic_on: None, ..HashEngine::new(limits.cache_tokens, Arc::default()) };
    run(engine, limits, asked.iter().map(Asked::request).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn forced_tokens_change_no_event(asked in prop::collection::vec(asked(), 1..10)) {
        let (expected, _) = run_hashed(plain(SamplerLimits::default()), &asked);
        for limits in [
            SamplerLimits::default(),
            SamplerLimits { forced_rows: 3, rows_per_step: 20, max_running: 3, ..Default::default() },
            SamplerLimits { rows_per_step: 1, ..Default::default() },
            // Little more than the longest sample: others are suspended and resumed.
            SamplerLimits { cache_tokens: 5 * PAGE, ..Default::default() },
        ] {
            let (events, load) = run_hashed(limits, &asked);
            prop_assert_eq!(&events, &expected, "{:?}", limits);
            prop_assert_eq!(load.pages_in_use, 0);
        }
    }
}

#[test]
fn forced_tokens_take_no_step_of_their_own() {
    let asked = Asked {
        length: 10,
        max_tokens: 80,
        min_tokens: 80,
        sampling: SamplingParameters { top_logprobs: 2, ..Default::default() },
        script: Some((1, 100, Trouble::None)),
        prompt_logprobs: None,
    };
    let (expected, load) = run_hashed(plain(SamplerLimits::default()), std::slice::from_ref(&asked));
    assert_eq!((load.steps, load.forced_tokens), (80, 0));
    let (events, load) = run_hashed(undrafted(), std::slice::from_ref(&asked));
    assert_eq!(events, expected);
    // The first token is sampled with the prompt's logits, and the last of each run with the logits after it.
    assert!(load.steps <= 4, "{load:?}");
    assert_eq!(load.forced_tokens + load.steps, 80);
    let (events, load) = run_hashed(SamplerLimits { forced_rows: 3, ..undrafted() }, &[asked]);
    assert_eq!(events, expected);
    assert!((21..=24).contains(&load.steps), "{load:?}");
}

#[test]
fn forced_rows_stay_within_their_limits_and_are_divided() {
    let asked = |seed| Asked {
        length: 3,
        max_tokens: 60,
        min_tokens: 60,
        sampling: SamplingParameters::default(),
        script: Some((seed, 100, Trouble::None)),
        prompt_logprobs: None,
    };
    let all: Vec<Asked> = (0..6).map(asked).collect();
    let log = Arc::new(Mutex::new(Log::default()));
    let limits = SamplerLimits { forced_rows: 12, ..undrafted() };
    let engine = HashEngine { panic_on: None, ..HashEngine::new(limits.cache_tokens, log.clone()) };
    let endless = |asked: &Asked| GenerateRequest { stop_tokens: vec![], ..asked.request() };
    let (events, load) = run(engine, limits, all.iter().map(endless).collect());
    assert!(events.iter().all(|events| events.len() == 61));
    assert!(log.lock().unwrap().rows.iter().all(|rows| *rows <= 6 + 12));
    // Each sample gets a sixth of the twelve rows, so it advances by three tokens in a step.
    assert!((20..=32).contains(&load.steps), "{load:?}");
}

#[test]
fn weights_that_are_not_finite_fail_a_forced_token_as_any_other() {
    struct Broken(HashEngine);
    impl RowEngine for Broken {
        type Sequence = u32;
        fn add_sequence(&mut self, pages: &[usize]) -> u32 {
            self.0.add_sequence(pages)
        }
        fn fork_sequence(&mut self, parent: u32, length: usize) -> Result<u32, RowError> {
            self.0.fork_sequence(parent, length)
        }
        fn remove_sequence(&mut self, sequence: u32) {
            self.0.remove_sequence(sequence);
        }
        fn truncate_sequence(&mut self, sequence: u32, length: usize) {
            self.0.truncate_sequence(sequence, length);
        }
        fn page(&self, sequence: u32, index: usize) -> usize {
            self.0.page(sequence, index)
        }
        fn replace_page(&mut self, sequence: u32, index: usize, page: usize) {
            self.0.replace_page(sequence, index, page);
        }
        fn retain_page(&mut self, page: usize) {
            self.0.retain_page(page);
        }
        fn release_page(&mut self, page: usize) {
            self.0.release_page(page);
        }
        fn free_pages(&self) -> usize {
            self.0.free_pages()
        }
        fn total_pages(&self) -> usize {
            self.0.total_pages()
        }

        fn state_pages(&self) -> usize {
            0
        }
        fn run(
            &mut self,
            rows: &[BatchRow<'_, u32>],
            sample: &(dyn Fn(usize, &Logits<'_>) + Sync),
        ) -> Result<(), RowError> {
            let wanted: Vec<usize> = rows.iter().filter(|row| row.want_logits).map(|row| row.position).collect();
            self.0.run(rows, &|index, logits| {
                let broken = |(row, position): (usize, &usize)| match position {
                    20.. => vec![f32::NAN; VOCABULARY],
                    _ => logits.row(row).to_vec(),
                };
                let data = wanted.iter().enumerate().flat_map(broken).collect::<Vec<f32>>();
                sample(index, &Logits::new(&data, VOCABULARY));
            })
        }
    }
    let asked = Asked {
        length: 10,
        max_tokens: 40,
        min_tokens: 40,
        sampling: SamplingParameters::default(),
        script: Some((1, 100, Trouble::None)),
        prompt_logprobs: None,
    };
    let run = |limits: SamplerLimits| {
        let engine = HashEngine { panic_on: None, ..HashEngine::new(limits.cache_tokens, Arc::default()) };
        run(Broken(engine), limits, vec![asked.request()]).0.remove(0)
    };
    let expected = run(plain(SamplerLimits::default()));
    assert_eq!(expected.len(), 12);
    assert_eq!(expected.last(), Some(&GenerateEvent::Failed(SampleError::NotFinite)));
    assert_eq!(run(SamplerLimits::default()), expected);
}

/// Id of a token, bits of its logprob, ids of the likeliest tokens with the bits of theirs.
type TokenBits = (u32, u32, Vec<(u32, u32)>);

/// Returns the tokens of each sample, none of which may have failed.
pub(super) fn bits(events: &[Vec<GenerateEvent>]) -> Vec<Vec<TokenBits>> {
    let token = |event: &GenerateEvent| match event {
        GenerateEvent::Token { id, logprob, top } => {
            Some((*id, logprob.to_bits(), top.iter().map(|(id, logprob)| (*id, logprob.to_bits())).collect()))
        }
        GenerateEvent::Failed(error) => panic!("{error}"),
        _ => None,
    };
    events.iter().map(|events| events.iter().filter_map(token).collect()).collect()
}

#[test]
fn forced_tokens_have_the_bits_of_sampled_ones_in_every_format() {
    for (model, format, config) in family_models() {
        let run = |pool: Arc<ComputePool>, limits: SamplerLimits| {
            let base = random_model_in(format, &config, 5, &pool);
            let adapters = [None, Some(Arc::new(random_adapter(&base.config, 3, 8)))];
            let request = |index: usize| GenerateRequest {
                adapter: adapters[index % 2].clone().map(refer),
                stop_tokens: vec![],
                constraint: Some(Box::new(Script::new(index as u64, 80, Trouble::None))),
                sampling: SamplingParameters {
                    temperature: [1.0, 0.0, 0.8][index % 3],
                    top_p: [1.0, 0.9][index % 2],
                    frequency_penalty: [0.0, 0.5][index % 2],
                    seed: index as u64,
                    top_logprobs: 2,
                    ..Default::default()
                },
                ..request(&prompt(20 + 30 * index, index as u32), 50, 0)
            };
            let decoder = Decoder::new(pool, base, limits.cache_tokens);
            let (events, load) = run(decoder, limits, (0..4).map(request).collect());
            assert_eq!(load.forced_tokens > 0, limits.forced_rows > 0, "{model}: {load:?}");
            bits(&events)
        };
        let expected = run(ComputePool::new(1), plain(SamplerLimits::default()));
        assert!(expected.iter().all(|tokens| tokens.len() == 50));
        for limits in [
            SamplerLimits::default(),
            SamplerLimits { forced_rows: 2, rows_per_step: 9, ..Default::default() },
            SamplerLimits { cache_tokens: 4 * PAGE, ..Default::default() },
        ] {
            assert_eq!(run(ComputePool::new(2), limits), expected, "{model}, {limits:?}");
        }
        for set in InstructionSet::available() {
            let pool = ComputePool::with_instruction_set(2, set);
            assert_eq!(run(pool, SamplerLimits::default()), expected, "{model}, {}", set.name());
        }
    }
}
