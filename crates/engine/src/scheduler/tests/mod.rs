//! Tests of the scheduler on a small engine whose logits depend on the tokens of the sequence only.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::mpsc;

use super::*;
use crate::generate::sampler::*;
use crate::generate::{BatchRow, Decoder, Logits, RowEngine, RowError};
use crate::lora::Adapter;
use crate::sampling::{SamplingParameters, TokenMask};

mod drafts;
mod exact;
mod fairness;
mod forced;
mod prefix;
mod snapshots;

const VOCABULARY: usize = 50;
const PAGE: usize = Decoder::PAGE_TOKENS;

/// Returns the logits of a sequence: a hash of its tokens.
fn logits(tokens: &[u32]) -> Vec<f32> {
    let mut hash = 0x9e37_79b9u32;
    for &token in tokens {
        hash = (hash ^ token).wrapping_mul(0x0100_0193).rotate_left(7);
    }
    (0..VOCABULARY as u32)
        .map(|id| ((hash ^ id.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35) >> 16) as f32 / 16384.0)
        .collect()
}

#[derive(Default)]
struct Log {
    rows: Vec<usize>,
    prompt_rows: usize,
    forks: usize,
    live: usize,
}

/// Tokens of a page, and the adapter with which they were computed.
#[derive(Clone, Default)]
struct Page {
    tokens: Vec<u32>,
    adapter: usize,
    users: usize,
}

struct HashEngine {
    sequences: HashMap<u32, (Vec<usize>, usize)>,
    pages: Vec<Page>,
    next: u32,
    log: Arc<Mutex<Log>>,
    panic_on: Option<u32>,
    /// Number of last tokens that the logits depend on.
    memory: usize,
    state_pages: usize,
}

impl HashEngine {
    fn new(cache_tokens: usize, log: Arc<Mutex<Log>>) -> Self {
        let pages = vec![Page::default(); cache_tokens / PAGE];
        Self { sequences: HashMap::new(), pages, next: 0, log, panic_on: Some(13), memory: usize::MAX, state_pages: 0 }
    }

    fn take_page(&mut self) -> Option<usize> {
        let page = self.pages.iter().position(|page| page.users == 0)?;
        self.pages[page] = Page { users: 1, ..Page::default() };
        Some(page)
    }

    fn add(&mut self, pages: Vec<usize>, length: usize) -> u32 {
        self.next += 1;
        self.sequences.insert(self.next, (pages, length));
        self.log.lock().unwrap().live = self.sequences.len();
        self.next
    }
}

impl RowEngine for HashEngine {
    type Sequence = u32;

    fn add_sequence(&mut self, pages: &[usize]) -> u32 {
        assert!(self.state_pages == 0 || pages.is_empty(), "states are not in pages");
        pages.iter().for_each(|page| self.retain_page(*page));
        self.add(pages.to_vec(), pages.len() * PAGE)
    }

    fn fork_sequence(&mut self, parent: u32, length: usize) -> Result<u32, RowError> {
        let Some((_, known)) = self.sequences.get(&parent) else { return Err(RowError::Failed("it is gone".into())) };
        assert!(self.state_pages == 0 || length == *known, "states are known at the end only");
        let mut pages = self.sequences[&parent].0[..length.div_ceil(PAGE)].to_vec();
        let partial = if length.is_multiple_of(PAGE) { None } else { pages.pop() };
        pages.clone().into_iter().for_each(|page| self.retain_page(page));
        if let Some(partial) = partial {
            let copy = self.take_page().ok_or(RowError::CacheFull)?;
            let tokens = self.pages[partial].tokens[..length % PAGE].to_vec();
            self.pages[copy] = Page { tokens, adapter: self.pages[partial].adapter, users: 1 };
            pages.push(copy);
        }
        self.log.lock().unwrap().forks += 1;
        Ok(self.add(pages, length))
    }

    fn remove_sequence(&mut self, sequence: u32) {
        let (pages, _) = self.sequences.remove(&sequence).expect("a sequence is removed once");
        pages.into_iter().for_each(|page| self.release_page(page));
        self.log.lock().unwrap().live = self.sequences.len();
    }

    fn truncate_sequence(&mut self, sequence: u32, length: usize) {
        assert!(self.state_pages == 0, "states are not shortened");
        let (pages, old) = self.sequences.get_mut(&sequence).unwrap();
        assert!(length <= *old && length.div_ceil(PAGE) == pages.len());
        *old = length;
        self.pages[*pages.last().unwrap()].tokens.truncate(length - (pages.len() - 1) * PAGE);
    }

    fn page(&self, sequence: u32, index: usize) -> usize {
        self.sequences[&sequence].0[index]
    }

    fn replace_page(&mut self, sequence: u32, index: usize, page: usize) {
        let own = self.page(sequence, index);
        assert_eq!(self.pages[own].tokens, self.pages[page].tokens);
        assert_eq!(self.pages[own].adapter, self.pages[page].adapter);
        self.retain_page(page);
        self.sequences.get_mut(&sequence).unwrap().0[index] = page;
        self.release_page(own);
    }

    fn retain_page(&mut self, page: usize) {
        assert!(self.pages[page].users > 0, "a free page has no content");
        self.pages[page].users += 1;
    }

    fn release_page(&mut self, page: usize) {
        self.pages[page].users = self.pages[page].users.checked_sub(1).expect("a page is released once");
    }

    fn free_pages(&self) -> usize {
        self.pages.iter().filter(|page| page.users == 0).count()
    }

    fn total_pages(&self) -> usize {
        self.pages.len()
    }

    fn state_pages(&self) -> usize {
        self.state_pages
    }

    fn run(
        &mut self,
        rows: &[BatchRow<'_, u32>],
        sample: &(dyn Fn(usize, &Logits<'_>) + Sync),
    ) -> Result<(), RowError> {
        let new_pages = rows.iter().filter(|row| row.position.is_multiple_of(PAGE)).count();
        if new_pages > self.free_pages() {
            return Err(RowError::CacheFull);
        }
        let mut results = Vec::new();
        for row in rows {
            assert_ne!(Some(row.token), self.panic_on, "asked to panic");
            let adapter = row.adapter.map_or(0, |adapter| Arc::as_ptr(adapter) as usize);
            if row.position.is_multiple_of(PAGE) {
                let page = self.take_page().unwrap();
                self.pages[page].adapter = adapter;
                self.sequences.get_mut(&row.sequence).unwrap().0.push(page);
            }
            let (pages, length) = self.sequences.get_mut(&row.sequence).unwrap();
            assert_eq!(*length, row.position);
            let last = &mut self.pages[*pages.last().unwrap()];
            assert_eq!((last.users, last.tokens.len()), (1, row.position % PAGE), "what is written is one sequence's");
            last.tokens.push(row.token);
            *length += 1;
            if row.want_logits {
                let pages = pages.iter().map(|page| &self.pages[*page]);
                assert!(pages.clone().all(|page| page.adapter == adapter), "keys and values are the adapter's own");
                let tokens: Vec<u32> = pages.flat_map(|page| page.tokens.iter().copied()).collect();
                results.push(logits(&tokens[tokens.len().saturating_sub(self.memory)..]));
            }
        }
        let mut log = self.log.lock().unwrap();
        log.rows.push(rows.len());
        log.prompt_rows += rows.len() - results.len();
        drop(log);
        let (count, data) = (results.len(), results.concat());
        (0..count).for_each(|index| sample(index, &Logits::new(&data, VOCABULARY)));
        Ok(())
    }
}

fn sampler(limits: SamplerLimits) -> (EngineSampler, Arc<Mutex<Log>>) {
    let log = Arc::new(Mutex::new(Log::default()));
    let inner = log.clone();
    let make = move || HashEngine::new(limits.cache_tokens, inner.clone());
    (EngineSampler::start_with(1000, VOCABULARY, limits, make).unwrap(), log)
}

fn request(prompt: &[u32], max_tokens: usize, seed: u64) -> GenerateRequest {
    GenerateRequest {
        owner: "owner".into(),
        adapter: None,
        prompt: prompt.into(),
        max_tokens,
        // Token 13 makes the test engine panic.
        sampling: SamplingParameters { seed, top_logprobs: 2, logit_bias: vec![(13, -1e9)], ..Default::default() },
        stop_tokens: vec![0],
        min_tokens: 0,
        prompt_logprobs: None,
        constraint: None,
        grammar: None,
        is_streamed: false,
        cached_tokens: None,
    }
}

fn refer(adapter: Arc<Adapter>) -> AdapterRef {
    AdapterRef::in_memory(AdapterHash { config: [0; 32], weights: [0; 32] }, adapter)
}

fn collect(mut receiver: mpsc::Receiver<GenerateEvent>) -> Vec<GenerateEvent> {
    std::iter::from_fn(|| receiver.blocking_recv()).collect()
}

fn one(sampler: &EngineSampler, request: GenerateRequest) -> Vec<GenerateEvent> {
    collect(sampler.generate(vec![request]).unwrap().remove(0))
}

fn prompt(length: usize, salt: u32) -> Vec<u32> {
    (0..length as u32).map(|i| (i * 7 + salt) % 12 + 1).collect()
}

#[test]
fn alone_or_in_any_batch_the_completion_is_the_same() {
    let (alone, _) = sampler(SamplerLimits { rows_per_step: 1000, max_running: 1, ..Default::default() });
    let expected: Vec<_> = (0..24).map(|i| one(&alone, request(&prompt(i * 11 + 1, i as u32), 40, i as u64))).collect();
    assert!(expected.iter().any(|events| events.last() == Some(&GenerateEvent::Finished(FinishReason::Stop))));
    assert!(expected.iter().any(|events| events.last() == Some(&GenerateEvent::Finished(FinishReason::Length))));
    for limits in [
        SamplerLimits::default(),
        SamplerLimits { rows_per_step: 3, ..Default::default() },
        SamplerLimits { rows_per_step: 1, max_running: 5, ..Default::default() },
        // Room for little more than the longest sample: others are suspended and computed again.
        SamplerLimits { cache_tokens: 6 * PAGE, ..Default::default() },
    ] {
        let (together, log) = sampler(limits);
        let requests = (0..24).map(|i| request(&prompt(i * 11 + 1, i as u32), 40, i as u64)).collect();
        let got: Vec<_> = together.generate(requests).unwrap().into_iter().map(collect).collect();
        assert_eq!(got, expected, "{limits:?}");
        let most = log.lock().unwrap().rows.iter().copied().max().unwrap();
        assert!(most <= limits.rows_per_step.max(limits.max_running), "{most} rows under {limits:?}");
    }
}

#[test]
fn samples_of_one_request_share_the_prompt() {
    let (sampler, log) = sampler(SamplerLimits::default());
    let tokens: Arc<[u32]> = prompt(600, 1).into();
    let group = |n: u32| {
        (0..n)
            .map(|sample_index| {
                let mut one = request(&[], 5, 9);
                one.prompt = tokens.clone();
                one.sampling.sample_index = sample_index;
                one
            })
            .collect::<Vec<_>>()
    };
    let got: Vec<_> = sampler.generate(group(8)).unwrap().into_iter().map(collect).collect();
    let log = log.lock().unwrap();
    assert_eq!(log.forks, 7);
    assert_eq!(log.prompt_rows, 599);
    drop(log);
    assert_ne!(got[0], got[1], "samples differ");
    assert_eq!(one(&sampler, group(3).pop().unwrap()), got[2], "a sample does not depend on its siblings");
}

#[test]
fn limits_are_kept() {
    let (sampler, _) = sampler(SamplerLimits { max_waiting: 2, ..Default::default() });
    let reject = |requests| sampler.generate(requests).err().unwrap();
    assert_eq!(reject(vec![request(&[], 1, 0)]), SamplerError::EmptyPrompt);
    assert_eq!(
        reject(vec![request(&prompt(1000, 0), 1, 0)]),
        SamplerError::PromptTooLong { prompt: 1000, limit: 1000 }
    );
    let three = (0..3).map(|_| request(&[1], 1, 0)).collect();
    assert_eq!(reject(three), SamplerError::TooManySamples { samples: 3, limit: 2 });
    let events = one(&sampler, GenerateRequest { stop_tokens: vec![], ..request(&prompt(990, 0), usize::MAX, 0) });
    assert_eq!(events.len(), 11, "the context's last ten tokens and the end");
    assert_eq!(events[10], GenerateEvent::Finished(FinishReason::Length));
}

#[test]
fn a_full_queue_rejects_and_recovers() {
    let limits = SamplerLimits { max_waiting: 4, max_running: 1, ..Default::default() };
    let (sampler, _) = sampler(limits);
    let endless = || GenerateRequest { stop_tokens: vec![], ..request(&[1], 900, 0) };
    let mut receivers = Vec::new();
    let rejection = loop {
        match sampler.generate(vec![endless()]) {
            Ok(more) => receivers.extend(more),
            Err(error) => break error,
        }
        assert!(receivers.len() < 1000);
    };
    assert!(matches!(rejection, SamplerError::QueueFull { limit: 4, .. }));
    drop(receivers);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while sampler.generate(vec![request(&[1], 1, 0)]).is_err() {
        assert!(std::time::Instant::now() < deadline, "cancelled samples still fill the queue");
        std::thread::yield_now();
    }
}

#[test]
fn dropped_receivers_free_their_sequence() {
    let (sampler, log) = sampler(SamplerLimits::default());
    let mut receivers = sampler.generate((0..4).map(|i| request(&prompt(50, i), 900, 1)).collect()).unwrap();
    receivers.truncate(1);
    collect(receivers.remove(0));
    one(&sampler, request(&[1], 1, 0));
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while log.lock().unwrap().live > 0 {
        assert!(std::time::Instant::now() < deadline);
        let _ = one(&sampler, request(&[1], 1, 0));
    }
}

#[test]
fn a_panic_fails_the_samples_and_not_the_sampler() {
    let (sampler, _) = sampler(SamplerLimits::default());
    let events = one(&sampler, request(&[13], 5, 0));
    assert!(matches!(events.as_slice(), [GenerateEvent::Failed(_)]), "{events:?}");
    assert!(one(&sampler, request(&[1], 5, 0)).len() > 1, "it goes on with a fresh engine");
}

#[test]
fn dropping_the_sampler_ends_its_samples() {
    let (sampler, _) = sampler(SamplerLimits { rows_per_step: 1, ..Default::default() });
    let receivers = sampler.generate((0..8).map(|i| request(&prompt(900, i), 900, 1)).collect()).unwrap();
    drop(sampler);
    for receiver in receivers {
        let last = collect(receiver).pop();
        assert!(matches!(last, Some(GenerateEvent::Failed(_) | GenerateEvent::Finished(_))), "{last:?}");
    }
}

/// Constraint to even tokens, three times.
struct ThreeEven(usize);

impl TokenConstraint for ThreeEven {
    fn allowed(&mut self, mask: &mut TokenMask) -> Result<(), String> {
        (2..VOCABULARY as u32).step_by(2).for_each(|id| mask.insert(id));
        Ok(())
    }

    fn accept(&mut self, token: u32) -> Result<(), String> {
        self.0 += 1;
        if token.is_multiple_of(2) { Ok(()) } else { Err("odd".to_owned()) }
    }

    fn check(&mut self, token: u32) -> Result<(), String> {
        self.accept(token)
    }

    fn is_finished(&self) -> bool {
        self.0 == 3
    }
}

#[test]
fn constraints_rule_the_tokens() {
    let (sampler, _) = sampler(SamplerLimits::default());
    let events = one(&sampler, GenerateRequest { constraint: Some(Box::new(ThreeEven(0))), ..request(&[1, 2], 50, 3) });
    assert_eq!(events.len(), 4);
    assert_eq!(events[3], GenerateEvent::Finished(FinishReason::Stop));
    assert!(events[..3].iter().all(|event| matches!(event, GenerateEvent::Token { id, .. } if id % 2 == 0)));
}

/// Constraint that panics at the second token.
struct Panics(usize);

impl TokenConstraint for Panics {
    fn allowed(&mut self, mask: &mut TokenMask) -> Result<(), String> {
        assert!(self.0 == 0, "asked to panic");
        mask.insert(2);
        Ok(())
    }

    fn accept(&mut self, _: u32) -> Result<(), String> {
        self.0 += 1;
        Ok(())
    }

    fn check(&mut self, token: u32) -> Result<(), String> {
        self.accept(token)
    }

    fn is_finished(&self) -> bool {
        false
    }
}

#[test]
fn a_panic_of_one_samples_constraint_fails_that_sample_alone() {
    let (sampler, _) = sampler(SamplerLimits::default());
    let free = || GenerateRequest { stop_tokens: vec![], ..request(&[1, 2], 30, 3) };
    let constrained = GenerateRequest { constraint: Some(Box::new(Panics(0))), ..free() };
    let receivers = sampler.generate(vec![free(), constrained, free()]).unwrap();
    let got: Vec<_> = receivers.into_iter().map(collect).collect();
    assert!(matches!(got[1].as_slice(), [GenerateEvent::Token { id: 2, .. }, GenerateEvent::Failed(_)]), "{got:?}");
    for index in [0, 2] {
        assert_eq!(got[index].last(), Some(&GenerateEvent::Finished(FinishReason::Length)));
    }
}

#[test]
fn tokens_outside_the_vocabulary_fail_their_request_alone() {
    let (sampler, _) = sampler(SamplerLimits::default());
    let neighbour = sampler.generate(vec![request(&[1], 100, 0)]).unwrap().remove(0);
    let rejection = sampler.generate(vec![request(&[1, 50], 1, 0)]).err();
    assert_eq!(rejection, Some(SamplerError::UnknownToken { id: 50, vocabulary: VOCABULARY }));
    assert!(matches!(collect(neighbour).last(), Some(GenerateEvent::Finished(_))));
    let events = one(&sampler, GenerateRequest { stop_tokens: vec![4_000_000_000], ..request(&[49], 3, 0) });
    assert_eq!(events.last(), Some(&GenerateEvent::Finished(FinishReason::Length)));
}

#[test]
fn the_cache_stays_within_its_bytes_where_heads_are_padded() {
    let config = |head_dim: usize| {
        let json = serde_json::json!({"model_type": "qwen3", "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
            "num_key_value_heads": 2, "head_dim": head_dim, "intermediate_size": 64, "vocab_size": 50,
            "max_position_embeddings": 100});
        ModelConfig::from_json(&json.to_string()).unwrap()
    };
    // 2 layers, keys and values, 2 heads, 16 values of 4 bytes: 512 bytes for each token in f32.
    for head_dim in [8, 16] {
        for (weights, pages) in [(WeightFormat::F32, 10), (WeightFormat::Bf16, 20), (WeightFormat::Int4, 20)] {
            let limits = SamplerLimits::with_cache_bytes(&config(head_dim), weights, 10 * PAGE * 512 + 5);
            assert_eq!(limits.cache_tokens, pages * PAGE);
        }
    }
    assert_eq!(SamplerLimits::with_cache_bytes(&config(8), WeightFormat::F32, 0).cache_tokens, PAGE);
}
