//! Thread of the sampler, and its queue of arrivals.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::mpsc;

use super::SamplerLimits;
use super::batch::Batch;
use super::sample::Sample;
use crate::generate::sampler::{GenerateEvent, GenerateRequest, SampleError, Sampler, SamplerError, SamplerLoad};
use crate::generate::{Decoder, RowEngine};
use crate::kernels::ComputePool;
use crate::lora::Adapter;
use crate::model::BaseModel;
use crate::threads::panic_text;

/// Interval at which an idle sampler checks for dropped adapters whose pages it caches.
const SWEEP: Duration = Duration::from_secs(1);
const CRASHED: &str = "the engine failed while generating; the server's log has the cause";

/// [`Sampler`] on the embedded engine. Dropping it stops its thread; samples in flight fail.
pub struct EngineSampler {
    shared: Arc<Shared>,
    limits: SamplerLimits,
    context_length: usize,
    vocabulary: usize,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
}

#[derive(Default)]
struct Queue {
    arrived: Vec<Sample>,
    stopped: bool,
    /// Load after the last step, including the arrivals since then.
    load: SamplerLoad,
    /// Number of waiting samples by owner, including arrivals.
    waiting: HashMap<Arc<str>, usize>,
}

impl Queue {
    fn update(&mut self, batch: &Batch<impl RowEngine>) {
        self.load = batch.load();
        self.load.waiting += self.arrived.len();
        self.waiting.clear();
        for (owner, waiting) in batch.waiting_by_owner() {
            self.waiting.insert(owner.clone(), waiting);
        }
        for sample in &self.arrived {
            *self.waiting.entry(sample.key.owner.clone()).or_default() += 1;
        }
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // The queue is consistent between any two statements, so a poisoned lock is usable.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EngineSampler {
    /// Starts a sampler for `base` on a new thread.
    ///
    /// # Errors
    /// The system cannot create a thread.
    pub fn start(pool: Arc<ComputePool>, base: Arc<BaseModel>, limits: SamplerLimits) -> std::io::Result<Self> {
        let (context, vocabulary) = (base.config.max_position_embeddings, base.config.vocab_size);
        let states = SamplerLimits::state_pages(&base.config, base.format) * Decoder::PAGE_TOKENS;
        let context = context.min(limits.cache_tokens.saturating_sub(states));
        Self::start_with(context, vocabulary, limits, move || {
            Decoder::new(pool.clone(), base.clone(), limits.cache_tokens)
        })
    }

    /// Starts a sampler on engines that `make` creates: one now, and a new one after each failure.
    pub(super) fn start_with<E: RowEngine>(
        context_length: usize,
        vocabulary: usize,
        limits: SamplerLimits,
        make: impl Fn() -> E + Send + 'static,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(Shared { queue: Mutex::default(), wake: Condvar::new() });
        let inner = shared.clone();
        let thread = std::thread::Builder::new().name("sampler".to_owned()).spawn(move || {
            // The sampler cannot continue without an engine, so it rejects new requests.
            if catch_unwind(AssertUnwindSafe(|| run(&inner, limits, &make))).is_err() {
                let mut queue = inner.queue();
                queue.stopped = true;
                queue.arrived.drain(..).for_each(|sample| sample.fail(failed(CRASHED)));
            }
        })?;
        // A single sample must always fit; otherwise it would wait forever.
        let cache = limits.cache_tokens / Decoder::PAGE_TOKENS * Decoder::PAGE_TOKENS;
        Ok(Self { shared, limits, context_length: context_length.min(cache), vocabulary, thread: Some(thread) })
    }
}

fn failed(reason: &str) -> SampleError {
    SampleError::Failed(reason.to_owned())
}

fn run<E: RowEngine>(shared: &Shared, limits: SamplerLimits, make: &impl Fn() -> E) {
    let mut batch = Batch::new(make(), limits);
    shared.queue().update(&batch);
    loop {
        {
            let mut queue = shared.queue();
            while batch.is_idle() && queue.arrived.is_empty() && !queue.stopped {
                if !batch.keeps_adapters_pages() {
                    queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
                    continue;
                }
                queue = shared.wake.wait_timeout(queue, SWEEP).unwrap_or_else(PoisonError::into_inner).0;
                batch.drop_dead_adapters();
                queue.update(&batch);
            }
            if queue.stopped {
                queue.arrived.drain(..).for_each(|sample| sample.fail(failed("the server is stopping")));
                batch.fail_all("the server is stopping");
                return;
            }
            queue.arrived.drain(..).for_each(|sample| batch.submit(sample));
        }
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| batch.step())) {
            tracing::error!(cause = panic_text(&*panic), "the engine failed while generating");
            batch.fail_all(CRASHED);
            batch = Batch::new(make(), limits);
        }
        shared.queue().update(&batch);
    }
}

impl Sampler for EngineSampler {
    fn generate(&self, requests: Vec<GenerateRequest>) -> Result<Vec<mpsc::Receiver<GenerateEvent>>, SamplerError> {
        for request in &requests {
            let prompt = request.prompt.len();
            if prompt == 0 {
                return Err(SamplerError::EmptyPrompt);
            }
            if prompt >= self.context_length {
                return Err(SamplerError::PromptTooLong { prompt, limit: self.context_length });
            }
            // An invalid token is rejected here, as an error of its request; in the batch it would fail other samples
            // too.
            let unknown = |id: &&u32| usize::try_from(**id).is_ok_and(|id| id >= self.vocabulary);
            if let Some(&id) = request.prompt.iter().find(unknown) {
                return Err(SamplerError::UnknownToken { id, vocabulary: self.vocabulary });
            }
            if request.adapter.as_ref().is_some_and(|adapter| !adapter.is_in_memory::<Adapter>()) {
                return Err(SamplerError::AdapterLocation);
            }
        }
        let SamplerLimits { max_waiting, max_waiting_per_owner, .. } = self.limits;
        let (samples, limit) = (requests.len(), max_waiting.min(max_waiting_per_owner));
        if samples > limit {
            return Err(SamplerError::TooManySamples { samples, limit });
        }
        // Requests are large, so they are copied before the queue is locked, which would block the sampler's thread.
        let requests: Vec<_> = requests.into_iter().map(|request| Sample::new(request, self.context_length)).collect();
        let mut queue = self.shared.queue();
        if queue.stopped {
            return Err(SamplerError::Stopped);
        }
        let waiting = queue.load.waiting;
        if waiting + samples > max_waiting {
            return Err(SamplerError::QueueFull { waiting, limit: max_waiting });
        }
        for (sample, _) in &requests {
            let waiting = queue.waiting.get(&sample.key.owner).copied().unwrap_or(0);
            if waiting + samples > max_waiting_per_owner {
                return Err(SamplerError::OwnerQueueFull { waiting, limit: max_waiting_per_owner });
            }
        }
        queue.load.waiting += samples;
        let mut receivers = Vec::with_capacity(samples);
        for (sample, receiver) in requests {
            *queue.waiting.entry(sample.key.owner.clone()).or_default() += 1;
            queue.arrived.push(sample);
            receivers.push(receiver);
        }
        drop(queue);
        self.shared.wake.notify_one();
        Ok(receivers)
    }

    fn context_length(&self) -> usize {
        self.context_length
    }

    fn load(&self) -> SamplerLoad {
        self.shared.queue().load
    }
}

impl Drop for EngineSampler {
    fn drop(&mut self) {
        self.shared.queue().stopped = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has already been reported to every sample.
            let _ = thread.join();
        }
    }
}
