//! Tests of prefixes: shared between requests of one owner with one adapter, evicted without room, and without effect
//! on the output.

use proptest::prelude::*;

use super::super::batch::Batch;
use super::super::sample::Sample;
use super::*;
use crate::lora::LoraOptions;
use crate::sampling::score;

type Receiver = mpsc::Receiver<GenerateEvent>;

fn batch(limits: SamplerLimits) -> (Batch<HashEngine>, Arc<Mutex<Log>>) {
    let log = Arc::new(Mutex::new(Log::default()));
    (Batch::new(HashEngine::new(limits.cache_tokens, log.clone()), limits), log)
}

fn adapter() -> Arc<Adapter> {
    let config = ModelConfig::from_json(&crate::tests::odd_config().to_string()).unwrap();
    Arc::new(Adapter::new(&config, &LoraOptions::new(1, 1.0), 0))
}

fn submit(batch: &mut Batch<HashEngine>, request: GenerateRequest) -> Receiver {
    let (sample, receiver) = Sample::new(request, 1000);
    batch.submit(sample);
    receiver
}

fn finish(batch: &mut Batch<HashEngine>) {
    for _ in 0..100_000 {
        if batch.is_idle() {
            return audit(batch);
        }
        batch.step();
        audit(batch);
    }
    panic!("the batch does not come to an end");
}

/// Checks that every page has as many users as there are sequences with it, plus one if it is in the tree.
fn audit(batch: &Batch<HashEngine>) {
    let mut users = vec![0; batch.engine.pages.len()];
    batch.engine.sequences.values().flat_map(|(pages, _)| pages).for_each(|page| users[*page] += 1);
    let in_tree = batch.tree.check();
    in_tree.iter().for_each(|page| users[*page] += 1);
    let counted: Vec<usize> = batch.engine.pages.iter().map(|page| page.users).collect();
    assert_eq!(counted, users);
    assert_eq!(batch.engine.sequences.len(), batch.running.len());
    let load = batch.load();
    assert_eq!(load.pages_in_use + load.pages_cached + batch.engine.free_pages(), batch.engine.total_pages());
    if batch.running.is_empty() {
        assert_eq!(load.pages_in_use, 0);
    }
}

fn prompt_rows(log: &Mutex<Log>) -> usize {
    std::mem::take(&mut log.lock().unwrap().prompt_rows)
}

#[test]
fn a_later_request_takes_the_longest_known_prefix() {
    let (mut batch, log) = batch(SamplerLimits::default());
    for (length, rows) in
        [(3 * PAGE + 10, 3 * PAGE + 9), (3 * PAGE + 10, 9), (3 * PAGE, PAGE - 1), (PAGE / 2, PAGE / 2 - 1)]
    {
        let alone = collect_alone(request(&prompt(length, 1), 5, 1));
        let receiver = submit(&mut batch, request(&prompt(length, 1), 5, 1));
        finish(&mut batch);
        assert_eq!(collect(receiver), alone, "{length} tokens");
        assert_eq!(prompt_rows(&log), rows, "{length} tokens");
    }
    // A conversation continues: its response is cached as well as its prompt.
    let first = GenerateRequest { stop_tokens: vec![], ..request(&prompt(PAGE - 2, 5), 80, 1) };
    let receiver = submit(&mut batch, first);
    finish(&mut batch);
    prompt_rows(&log);
    let completion = collect(receiver).into_iter().filter_map(|event| match event {
        GenerateEvent::Token { id, .. } => Some(id),
        _ => None,
    });
    let next: Vec<u32> = prompt(PAGE - 2, 5).into_iter().chain(completion).chain([1, 2, 3]).collect();
    let _receiver = submit(&mut batch, request(&next, 1, 1));
    finish(&mut batch);
    assert_eq!(prompt_rows(&log), next.len() - 1 - 2 * PAGE);
}

fn collect_alone(request: GenerateRequest) -> Vec<GenerateEvent> {
    let (mut batch, _) = batch(SamplerLimits::default());
    let receiver = submit(&mut batch, request);
    finish(&mut batch);
    collect(receiver)
}

#[test]
fn nothing_is_shared_with_another_owner_or_adapter() {
    let (mut batch, log) = batch(SamplerLimits::default());
    let (left, right) = (adapter(), adapter());
    let tokens = prompt(3 * PAGE, 1);
    let rows = |batch: &mut Batch<HashEngine>, owner: &str, adapter: Option<&Arc<Adapter>>| {
        let request =
            GenerateRequest { owner: owner.into(), adapter: adapter.cloned().map(refer), ..request(&tokens, 1, 1) };
        let receiver = submit(batch, request);
        finish(batch);
        drop(receiver);
        prompt_rows(&log)
    };
    let cold = tokens.len() - 1;
    for (owner, adapter) in [("a", None), ("b", None), ("a", Some(&left)), ("a", Some(&right)), ("b", Some(&left))] {
        assert_eq!(rows(&mut batch, owner, adapter), cold, "{owner} comes first");
    }
    for (owner, adapter) in [("a", None), ("b", None), ("a", Some(&left)), ("a", Some(&right)), ("b", Some(&left))] {
        assert_eq!(rows(&mut batch, owner, adapter), PAGE - 1, "{owner} comes again");
    }
}

#[test]
fn another_owners_prompt_that_is_just_computed_is_not_waited_for() {
    let limits = SamplerLimits { rows_per_step: 16, prompt_rows_beside_completions: 16, ..Default::default() };
    let (mut batch, log) = batch(limits);
    let tokens = prompt(3 * PAGE, 1);
    let _receivers: Vec<_> = ["a", "a", "b"]
        .map(|owner| submit(&mut batch, GenerateRequest { owner: owner.into(), ..request(&tokens, 1, 1) }))
        .into();
    batch.step();
    let owners: Vec<&str> = batch.running.iter().map(|running| &*running.sample.key.owner).collect();
    assert_eq!(owners, ["a", "b"], "the second of a waits for the first, b waits for nobody");
    finish(&mut batch);
    assert_eq!(prompt_rows(&log), 2 * (tokens.len() - 1) + PAGE - 1);
}

#[test]
fn an_adapter_that_is_gone_leaves_no_pages() {
    let (mut batch, _) = batch(SamplerLimits::default());
    let adapter = adapter();
    for adapter in [None, Some(adapter.clone())] {
        submit(&mut batch, GenerateRequest { adapter: adapter.map(refer), ..request(&prompt(4 * PAGE, 1), 1, 1) });
        batch.step();
        finish(&mut batch);
    }
    batch.drop_dead_adapters();
    assert_eq!(batch.load().pages_cached, 0, "nobody waited for the answers");
    let receivers: Vec<_> = [None, Some(adapter.clone())]
        .map(|adapter| {
            submit(&mut batch, GenerateRequest { adapter: adapter.map(refer), ..request(&prompt(4 * PAGE, 1), 1, 1) })
        })
        .into();
    finish(&mut batch);
    drop(receivers);
    batch.drop_dead_adapters();
    assert_eq!(batch.load().pages_cached, 8);
    drop(adapter);
    batch.drop_dead_adapters();
    audit(&batch);
    assert_eq!(batch.load().pages_cached, 4, "the base model's stay");
    assert!(!batch.keeps_adapters_pages());
}

#[test]
fn prefixes_make_room_for_samples_and_the_oldest_goes_first() {
    let (mut batch, log) = batch(SamplerLimits { cache_tokens: 8 * PAGE, ..Default::default() });
    let mut ask = |salt, expected| {
        let receiver = submit(&mut batch, request(&prompt(3 * PAGE + 1, salt), 1, 1));
        finish(&mut batch);
        drop(receiver);
        assert_eq!(prompt_rows(&log), expected, "prompt {salt}");
    };
    let cold = 3 * PAGE;
    ask(1, cold);
    ask(2, cold);
    ask(1, 0);
    ask(3, cold); // two pages of 2 are evicted, from its end
    ask(1, 0);
    ask(2, 2 * PAGE);
}

#[test]
fn prompts_are_scored_whatever_is_known_of_them() {
    for limits in [
        SamplerLimits::default(),
        SamplerLimits { rows_per_step: 7, ..Default::default() },
        SamplerLimits { cache_tokens: 16 * PAGE, ..Default::default() },
    ] {
        let (mut batch, log) = batch(limits);
        let tokens = prompt(300, 1);
        for again in 0..2 {
            // The last request only scores its prompt.
            let limits_of_completions: [usize; 3] = [4, 4, 0];
            let receivers: Vec<_> = (0..3)
                .zip(limits_of_completions)
                .map(|(seed, most)| {
                    submit(&mut batch, GenerateRequest { prompt_logprobs: Some(3), ..request(&tokens, most, seed) })
                })
                .collect();
            finish(&mut batch);
            assert!(again == 0 || log.lock().unwrap().rows.iter().sum::<usize>() >= tokens.len());
            for (receiver, most) in receivers.into_iter().zip(limits_of_completions) {
                let events = collect(receiver);
                let drawn = events.iter().filter(|event| matches!(event, GenerateEvent::Token { .. })).count();
                assert!(drawn <= most && (drawn > 0) == (most > 0), "{drawn} of {most} tokens");
                let chunks = events.iter().map_while(|event| match event {
                    GenerateEvent::Prompt(tokens) => Some(tokens.clone()),
                    _ => None,
                });
                let scored: Vec<PromptToken> = chunks.flatten().collect();
                assert_eq!(scored.len(), tokens.len(), "{limits:?}");
                assert_eq!(scored[0], PromptToken { id: tokens[0], logprob: None, top: vec![] });
                for position in 1..tokens.len() {
                    let known = logits(&tokens[..position]);
                    let (logprob, top) = score(&known, tokens[position], 3, &mut Default::default()).unwrap();
                    let expected = PromptToken { id: tokens[position], logprob: Some(logprob), top };
                    assert_eq!(scored[position], expected, "token {position}");
                }
                assert!(matches!(events.last(), Some(GenerateEvent::Finished(_))));
            }
        }
    }
}

#[test]
fn no_stop_token_comes_too_early() {
    // Token 0 ends the sample and is by far the likeliest.
    let mut early = request(&[1, 2], 30, 1);
    early.sampling.logit_bias.push((0, 100.0));
    let events = collect_alone(early);
    assert_eq!(events.len(), 2);
    let mut late = GenerateRequest { min_tokens: 7, ..request(&[1, 2], 30, 1) };
    late.sampling.logit_bias.push((0, 100.0));
    let events = collect_alone(late);
    assert_eq!(events.len(), 9, "seven others, the stop token and the end");
    assert!(matches!(events[7], GenerateEvent::Token { id: 0, .. }));
    // A complete grammar ends the sample nevertheless.
    let constraint: Option<Box<dyn TokenConstraint>> = Some(Box::new(ThreeEven(0)));
    let events = collect_alone(GenerateRequest { min_tokens: 7, constraint, ..request(&[1, 2], 30, 1) });
    assert_eq!(events.len(), 4);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    /// For any order of events, outputs equal those of single samples, and no page is lost or freed twice.
    #[test]
    fn completions_and_pages_are_right_whatever_happens(
        requests in prop::collection::vec((0u32..3, 0u32..3, 1usize..400, 1usize..90, 0usize..6, any::<bool>()), 1..24),
        capacity in 16usize..28,
        max_running in 1usize..9,
        rows_per_step in 1usize..200,
    ) {
        let limits = SamplerLimits { cache_tokens: capacity * PAGE, max_running, rows_per_step, ..Default::default() };
        let (mut batch, _) = batch(limits);
        let adapters = [None, Some(adapter()), Some(adapter())];
        let mut receivers = Vec::new();
        for (seed, (owner, salt, length, max_tokens, steps, cancelled)) in requests.into_iter().enumerate() {
            // The longer prompts with the same salt start with the shorter ones.
            let make = || GenerateRequest {
                owner: format!("owner {owner}").into(),
                adapter: adapters[salt as usize].clone().map(refer),
                stop_tokens: vec![],
                ..request(&prompt(length, salt), max_tokens, seed as u64)
            };
            let receiver = submit(&mut batch, make());
            if !cancelled || seed % 3 != 0 {
                receivers.push((make(), receiver));
            }
            for _ in 0..steps {
                batch.step();
                audit(&batch);
            }
        }
        finish(&mut batch);
        for (request, receiver) in receivers {
            prop_assert_eq!(collect(receiver), collect_alone(request));
        }
        drop(adapters);
        batch.drop_dead_adapters();
        audit(&batch);
        while batch.tree.evict().is_some_and(|page| { batch.engine.release_page(page); true }) {}
        prop_assert_eq!(batch.engine.free_pages(), capacity, "all pages come back");
    }
}
