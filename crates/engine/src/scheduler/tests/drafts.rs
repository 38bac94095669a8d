//! Tests of drafts: right ones take no step of their own, and every event has the bits that it has without them.

use proptest::prelude::*;

use super::forced::{Asked, asked, bits, plain, run};
use super::*;
use crate::kernels::ComputePool;
use crate::tests::{family_models, random_adapter, random_model_in};

/// Runs the requests on an engine whose logits depend on the last `memory` tokens, so that completions repeat themselves.
fn run_repeating(limits: SamplerLimits, memory: usize, asked: &[Asked]) -> (Vec<Vec<GenerateEvent>>, SamplerLoad) {
    let engine = HashEngine::new(limits.cache_tokens, Arc::default());
    let engine = HashEngine { panic_on: None, memory, ..engine };
    run(engine, limits, asked.iter().map(Asked::request).collect())
}

fn greedy(length: usize, max_tokens: usize) -> Asked {
    Asked {
        length,
        max_tokens,
        min_tokens: max_tokens,
        sampling: SamplingParameters { temperature: 0.0, top_logprobs: 2, ..Default::default() },
        script: None,
        prompt_logprobs: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn drafts_change_no_event(
        asked in prop::collection::vec((asked(), any::<bool>()), 1..10),
        memory in prop::sample::select(vec![1_usize, 2, usize::MAX]),
    ) {
        // Half of the samples choose the likeliest token, so that many drafts are right.
        let likeliest = |(asked, is_greedy): &(Asked, bool)| {
            let mut asked = asked.clone();
            if *is_greedy {
                asked.sampling.temperature = 0.0;
            }
            asked
        };
        let asked: Vec<Asked> = asked.iter().map(likeliest).collect();
        let (expected, _) = run_repeating(plain(SamplerLimits::default()), memory, &asked);
        for limits in [
            SamplerLimits::default(),
            SamplerLimits { draft_rows: 3, rows_per_step: 20, max_running: 3, ..Default::default() },
            SamplerLimits { rows_per_step: 1, ..Default::default() },
            SamplerLimits { forced_rows: 0, rows_per_step: 1000, draft_rows: 1000, ..Default::default() },
            // Little more than the longest sample: others are suspended and resumed.
            SamplerLimits { cache_tokens: 5 * PAGE, ..Default::default() },
        ] {
            let (events, load) = run_repeating(limits, memory, &asked);
            prop_assert_eq!(&events, &expected, "{:?}", limits);
            prop_assert_eq!(load.pages_in_use, 0);
        }
    }
}

#[test]
fn right_drafts_take_no_step_of_their_own() {
    let asked = greedy(10, 400);
    let (expected, load) = run_repeating(plain(SamplerLimits::default()), 1, std::slice::from_ref(&asked));
    assert_eq!((load.steps, load.drafted_tokens), (400, 0));
    let (events, load) = run_repeating(SamplerLimits::default(), 1, std::slice::from_ref(&asked));
    assert_eq!(events, expected);
    assert!(load.steps < 100 && load.accepted_tokens + load.steps == 400, "{load:?}");
}

#[test]
fn wrong_drafts_are_few() {
    // Contexts repeat, and what follows them does not: the logits depend on all tokens, of which few are likely.
    let mut asked = greedy(100, 400);
    asked.sampling = SamplingParameters { top_k: 2, logit_bias: vec![(4, 9.0), (5, 9.0)], ..asked.sampling };
    asked.sampling.temperature = 1.0;
    let (expected, _) = run_repeating(plain(SamplerLimits::default()), usize::MAX, std::slice::from_ref(&asked));
    let (events, load) = run_repeating(SamplerLimits::default(), usize::MAX, &[asked]);
    assert_eq!(events, expected);
    let wrong = load.drafted_tokens - load.accepted_tokens;
    assert!(load.drafted_tokens > 20 && wrong <= load.accepted_tokens + 30, "{load:?}");
}

#[test]
fn a_completion_is_drafted_from_earlier_ones() {
    let limits = SamplerLimits { max_running: 1, ..Default::default() };
    let (events, load) = run_repeating(limits, usize::MAX, &vec![greedy(30, 60); 3]);
    assert!(events[1..].iter().all(|other| *other == events[0]));
    assert!(load.accepted_tokens > 90 && load.steps < 60 + 2 * 15, "{load:?}");
}

#[test]
fn drafted_tokens_have_the_bits_of_others_in_every_format() {
    let mut accepted = 0;
    for (model, format, config) in family_models() {
        // With recurrent states nothing is drafted.
        let states = SamplerLimits::state_pages(&ModelConfig::from_json(&config.to_string()).unwrap(), format);
        let mut run = |pool: Arc<ComputePool>, limits: SamplerLimits| {
            let base = random_model_in(format, &config, 5, &pool);
            let adapters = [None, Some(Arc::new(random_adapter(&base.config, 3, 8)))];
            let request = |index: usize| GenerateRequest {
                adapter: adapters[index % 2].clone().map(refer),
                stop_tokens: vec![],
                sampling: SamplingParameters {
                    temperature: [0.0, 0.0, 0.3, 1.0][index],
                    seed: index as u64,
                    top_logprobs: 2,
                    ..Default::default()
                },
                ..request(&prompt(20 + 30 * index, index as u32), 70, 0)
            };
            let decoder = Decoder::new(pool, base, limits.cache_tokens);
            let (events, load) = run(decoder, limits, (0..4).map(request).collect());
            assert_eq!(load.drafted_tokens > 0, limits.draft_rows > 0 && states == 0, "{model}: {load:?}");
            accepted += load.accepted_tokens;
            bits(&events)
        };
        let expected = run(ComputePool::new(1), plain(SamplerLimits::default()));
        assert!(expected.iter().all(|tokens| tokens.len() == 70));
        for limits in
            [SamplerLimits::default(), SamplerLimits { cache_tokens: (4 + states) * PAGE, ..Default::default() }]
        {
            assert_eq!(run(ComputePool::new(2), limits), expected, "{model}, {limits:?}");
        }
    }
    assert!(accepted > 100, "{accepted}");
}
