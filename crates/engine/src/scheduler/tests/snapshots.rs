//! Tests of snapshots: samples on an engine with recurrent states share what they can, within the memory, and without effect on
//! the output.

use proptest::prelude::*;

use super::super::batch::Batch;
use super::super::sample::Sample;
use super::*;

/// Token that ends a message.
const STOP: u32 = 0;

fn batch(limits: SamplerLimits, state_pages: usize) -> (Batch<HashEngine>, Arc<Mutex<Log>>) {
    let log = Arc::new(Mutex::new(Log::default()));
    let engine = HashEngine { state_pages, ..HashEngine::new(limits.cache_tokens, log.clone()) };
    (Batch::new(engine, limits), log)
}

fn submit(batch: &mut Batch<HashEngine>, request: GenerateRequest) -> mpsc::Receiver<GenerateEvent> {
    let (sample, receiver) = Sample::new(request, 1000);
    batch.submit(sample);
    receiver
}

/// Runs until nothing is left, and checks after each step that pages and states stay within the memory.
fn finish(batch: &mut Batch<HashEngine>) {
    for _ in 0..100_000 {
        if batch.is_idle() {
            return assert_eq!(batch.load().pages_in_use, 0);
        }
        batch.step();
        let running = batch.running.iter().filter(|running| running.done > 0).count();
        let states = (running + batch.snapshots.count()) * batch.state_pages;
        assert!(states <= batch.engine.free_pages(), "{states} pages of states");
        assert_eq!(batch.engine.sequences.len(), batch.running.len() + batch.snapshots.count());
        let load = batch.load();
        assert!(load.pages_in_use + load.pages_cached <= load.page_capacity, "{load:?}");
    }
    panic!("the batch does not come to an end");
}

fn run(batch: &mut Batch<HashEngine>, requests: Vec<GenerateRequest>) -> Vec<Vec<GenerateEvent>> {
    let receivers: Vec<_> = requests.into_iter().map(|request| submit(batch, request)).collect();
    finish(batch);
    receivers.into_iter().map(collect).collect()
}

fn tokens_of(events: &[GenerateEvent]) -> Vec<u32> {
    let token = |event: &GenerateEvent| if let GenerateEvent::Token { id, .. } = event { Some(*id) } else { None };
    events.iter().filter_map(token).collect()
}

fn rows(log: &Mutex<Log>) -> usize {
    std::mem::take(&mut log.lock().unwrap().rows).into_iter().sum()
}

fn group(prompt: &[u32], count: u32) -> Vec<GenerateRequest> {
    let one = |sample_index| {
        let mut one = request(prompt, 5, 9);
        (one.stop_tokens, one.sampling.sample_index) = (vec![STOP], sample_index);
        one
    };
    (0..count).map(one).collect()
}

#[test]
fn samples_of_one_prompt_compute_it_once() {
    let (mut batch, log) = batch(SamplerLimits::default(), 3);
    let prompt = prompt(200, 1);
    let together = run(&mut batch, group(&prompt, 8));
    let answers: usize = together.iter().map(|events| tokens_of(events).len()).sum();
    // The last token of each answer is not run.
    assert_eq!(rows(&log), 199 + 8 + answers - 8);
    for (index, events) in together.iter().enumerate() {
        let alone =
            run(&mut self::batch(SamplerLimits::default(), 0).0, group(&prompt, 8).drain(index..=index).collect());
        assert_eq!(*events, alone[0]);
    }
    assert_eq!(batch.load().prefix_hit_tokens, 7 * 199);
}

#[test]
fn the_next_turn_of_a_conversation_computes_its_new_tokens_alone() {
    let (mut batch, log) = batch(SamplerLimits::default(), 3);
    let first = prompt(150, 1);
    let ask = |tokens: &[u32]| GenerateRequest { stop_tokens: vec![STOP], max_tokens: 20, ..request(tokens, 20, 1) };
    let answer = tokens_of(&run(&mut batch, vec![ask(&first)])[0]);
    rows(&log);
    // The whole answer, whose last token has not been run, and a message.
    let whole = [&first[..], &answer, &prompt(30, 2)].concat();
    let events = run(&mut batch, vec![ask(&whole)]);
    assert_eq!(rows(&log), 1 + 30 + tokens_of(&events[0]).len() - 1);
    // Behind the messages of the prompt other tokens follow than those of the answer.
    let [mut prompt_of_two, header] = [prompt(90, 3), prompt(5, 4)];
    prompt_of_two.push(STOP);
    run(&mut batch, vec![ask(&[&prompt_of_two[..], &header].concat())]);
    rows(&log);
    let next = [&prompt_of_two[..], &prompt(40, 5)].concat();
    let events = run(&mut batch, vec![ask(&next)]);
    assert_eq!(rows(&log), 40 + tokens_of(&events[0]).len() - 1);
}

#[test]
fn snapshots_give_way_to_samples() {
    let limits = SamplerLimits { cache_tokens: 20 * PAGE, ..Default::default() };
    let (mut batch, _) = batch(limits, 4);
    for salt in 0..9 {
        let events = run(&mut batch, vec![request(&prompt(3 * PAGE + 5, salt), 10, 1)]);
        assert_eq!(events, run(&mut self::batch(limits, 0).0, vec![request(&prompt(3 * PAGE + 5, salt), 10, 1)]));
        let kept = batch.snapshots.count();
        assert!((1..=3).contains(&kept), "{kept} snapshots of eight pages in twenty");
    }
    // A sample that needs nearly all of the memory.
    let large = || vec![request(&prompt(14 * PAGE, 11), 10, 1)];
    assert_eq!(run(&mut batch, large()), run(&mut self::batch(limits, 0).0, large()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Conversations that share beginnings, in batches with little memory.
    #[test]
    fn events_are_those_of_samples_alone(
        shapes in prop::collection::vec((0usize..200, 0u32..3, 1usize..40, any::<bool>()), 1..14),
        pages in 12usize..30,
        state_pages in 1usize..4,
        rows_per_step in 5usize..100,
    ) {
        let limits = SamplerLimits { cache_tokens: pages * PAGE, rows_per_step, max_running: 5, ..Default::default() };
        let requests = || -> Vec<GenerateRequest> {
            let one = |(index, (length, salt, max_tokens, scores)): (usize, &(usize, u32, usize, bool))| {
                // Every forty tokens a message ends.
                let mut tokens = prompt(length + 1, *salt);
                tokens.iter_mut().skip(39).step_by(40).for_each(|token| *token = STOP);
                let prompt_logprobs = (*scores && index % 3 == 0).then_some(1);
                GenerateRequest { prompt_logprobs, ..request(&tokens, *max_tokens, index as u64 % 2) }
            };
            shapes.iter().enumerate().map(one).collect()
        };
        let expected: Vec<_> = requests()
            .into_iter()
            .map(|request| run(&mut batch(SamplerLimits::default(), 0).0, vec![request]).remove(0))
            .collect();
        let mut together = batch(limits, state_pages).0;
        prop_assert_eq!(&run(&mut together, requests()), &expected);
        prop_assert_eq!(&run(&mut together, requests()), &expected);
    }
}
