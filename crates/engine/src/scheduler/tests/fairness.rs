//! Tests of fairness: no sample waits forever, and none waits for more than another owner's share.

use super::super::batch::Batch;
use super::super::sample::Sample;
use super::*;

struct Scene {
    batch: Batch<HashEngine>,
    receivers: Vec<mpsc::Receiver<GenerateEvent>>,
}

impl Scene {
    fn new(limits: SamplerLimits) -> Self {
        Self { batch: Batch::new(HashEngine::new(limits.cache_tokens, Arc::default()), limits), receivers: Vec::new() }
    }

    /// Submits a sample and returns its index.
    fn submit(&mut self, owner: &str, length: usize, max_tokens: usize) -> usize {
        let salt = self.receivers.len() as u32;
        let request = GenerateRequest {
            owner: owner.into(),
            stop_tokens: vec![],
            ..request(&prompt(length, salt), max_tokens, u64::from(salt))
        };
        let (sample, receiver) = Sample::new(request, 1000);
        self.batch.submit(sample);
        self.receivers.push(receiver);
        self.receivers.len() - 1
    }

    /// Returns the number of steps until the first token of a sample.
    fn steps_until_first_token(&mut self, sample: usize) -> usize {
        for step in 1..10_000 {
            self.batch.step();
            if self.receivers[sample].try_recv().is_ok() {
                return step;
            }
        }
        panic!("the sample gets no token");
    }

    fn running_of(&self, owner: &str) -> usize {
        self.batch.running.iter().filter(|running| &*running.sample.key.owner == owner).count()
    }

    fn finish(mut self) {
        while !self.batch.is_idle() {
            self.batch.step();
        }
        for receiver in self.receivers {
            assert!(matches!(collect(receiver).last(), Some(GenerateEvent::Finished(_))));
        }
    }
}

#[test]
fn a_thousand_samples_of_one_owner_do_not_delay_anothers_first() {
    let mut scene = Scene::new(SamplerLimits { max_running: 8, ..Default::default() });
    for _ in 0..1000 {
        scene.submit("crowd", 20, 500);
    }
    for _ in 0..50 {
        scene.batch.step();
    }
    let late = scene.submit("late", 20, 500);
    assert!(scene.steps_until_first_token(late) <= 2, "it takes the place of the crowd's youngest");
    for _ in 0..7 {
        scene.submit("late", 20, 500);
    }
    scene.batch.step();
    assert_eq!((scene.running_of("crowd"), scene.running_of("late")), (4, 4));
    for _ in 0..100 {
        scene.batch.step();
        assert_eq!((scene.running_of("crowd"), scene.running_of("late")), (4, 4), "shares are kept, nobody is moved");
    }
}

#[test]
fn owners_share_the_cache() {
    let mut scene = Scene::new(SamplerLimits { cache_tokens: 20 * PAGE, ..Default::default() });
    for _ in 0..6 {
        scene.submit("hoarder", 3 * PAGE, 700);
    }
    for _ in 0..20 {
        scene.batch.step();
    }
    let late = scene.submit("late", 5 * PAGE, 100);
    assert!(scene.steps_until_first_token(late) <= 4);
    scene.finish();
}

#[test]
fn long_prompts_of_one_owner_do_not_hold_up_anothers_short_one() {
    let limits = SamplerLimits { rows_per_step: 64, prompt_rows_beside_completions: 64, ..Default::default() };
    let mut scene = Scene::new(limits);
    for _ in 0..10 {
        scene.submit("long", 900, 10);
    }
    for _ in 0..3 {
        scene.batch.step();
    }
    let short = scene.submit("short", 30, 10);
    assert!(scene.steps_until_first_token(short) <= 2);
    scene.finish();
}

#[test]
fn completions_go_on_beside_a_long_prompt() {
    let limits = SamplerLimits { rows_per_step: 64, prompt_rows_beside_completions: 16, ..Default::default() };
    let mut scene = Scene::new(limits);
    let talking = scene.submit("a", 10, 500);
    scene.steps_until_first_token(talking);
    scene.submit("a", 900, 1);
    for _ in 0..40 {
        scene.batch.step();
        assert!(scene.receivers[talking].try_recv().is_ok(), "a token with each step");
    }
    scene.finish();
}

#[test]
fn a_large_sample_neither_blocks_small_ones_nor_starves() {
    for other in ["same", "another"] {
        let mut scene = Scene::new(SamplerLimits { cache_tokens: 16 * PAGE, ..Default::default() });
        for _ in 0..6 {
            scene.submit("same", PAGE, 40);
        }
        scene.batch.step();
        let large = scene.submit("same", 13 * PAGE, 20);
        let small = scene.submit(other, 10, 40);
        assert!(scene.steps_until_first_token(small) <= 2, "the small one passes");
        let mut steps = 0;
        // Small samples keep arriving.
        while scene.receivers[large].try_recv().is_err() {
            scene.submit(other, PAGE, 40);
            scene.batch.step();
            steps += 1;
            assert!(steps < 400, "the large sample starves");
        }
        scene.finish();
    }
}

#[test]
fn cancelled_samples_leave_with_the_next_step() {
    let mut scene = Scene::new(SamplerLimits { max_running: 2, ..Default::default() });
    for _ in 0..5 {
        scene.submit("a", 100, 500);
    }
    scene.batch.step();
    assert_eq!((scene.batch.load().running, scene.batch.load().waiting), (2, 3));
    scene.receivers.clear();
    scene.batch.step();
    assert_eq!(scene.batch.load().pages_in_use, 0);
    assert!(scene.batch.is_idle());
    assert_eq!(scene.batch.owners.count(), 0);
}

#[test]
fn each_owner_may_have_only_so_many_waiting() {
    let limits = SamplerLimits { max_waiting: 100, max_waiting_per_owner: 3, max_running: 1, ..Default::default() };
    let (sampler, _) = sampler(limits);
    let endless = |owner: &str| GenerateRequest { owner: owner.into(), stop_tokens: vec![], ..request(&[1], 900, 0) };
    let mut receivers = Vec::new();
    let rejection = loop {
        match sampler.generate(vec![endless("greedy")]) {
            Ok(more) => receivers.extend(more),
            Err(error) => break error,
        }
        assert!(receivers.len() < 100);
    };
    assert_eq!(rejection, SamplerError::OwnerQueueFull { waiting: 3, limit: 3 });
    assert!(sampler.generate(vec![endless("modest")]).is_ok());
}
