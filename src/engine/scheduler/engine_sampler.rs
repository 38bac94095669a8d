//! The sampler's thread and the queue in front of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::mpsc;

use super::batch::{Batch, RowEngine, Sample};
use super::{GenerateEvent, GenerateRequest, Sampler, SamplerError, SamplerLimits, SamplerLoad};
use crate::engine::{BaseModel, ComputePool, Decoder};
use crate::error_chain::panic_text;

const CRASHED: &str = "the engine failed while generating; the server's log has the cause";

/// [`Sampler`] on the embedded engine. Dropping it ends its thread; samples in flight fail.
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
    running: AtomicUsize,
    /// Samples that have been taken on and are not in the batch.
    waiting: AtomicUsize,
}

#[derive(Default)]
struct Queue {
    arrived: Vec<Sample>,
    stopped: bool,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // The queue is whole between any two statements, whoever panicked.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EngineSampler {
    /// Starts the thread of a sampler for `base`.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(pool: Arc<ComputePool>, base: Arc<BaseModel>, limits: SamplerLimits) -> std::io::Result<Self> {
        let (context, vocabulary) = (base.config.max_position_embeddings, base.config.vocab_size);
        Self::start_with(context, vocabulary, limits, move || {
            Decoder::new(pool.clone(), base.clone(), limits.cache_tokens)
        })
    }

    /// Starts a sampler on the engines that `make` gives: one now, and a fresh one after each failure.
    pub(super) fn start_with<E: RowEngine>(
        context_length: usize,
        vocabulary: usize,
        limits: SamplerLimits,
        make: impl Fn() -> E + Send + 'static,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            wake: Condvar::new(),
            running: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
        });
        let inner = shared.clone();
        let thread = std::thread::Builder::new().name("sampler".to_owned()).spawn(move || {
            // Without an engine there is nothing to go on with: refuse what comes.
            if catch_unwind(AssertUnwindSafe(|| run(&inner, limits, &make))).is_err() {
                let mut queue = inner.queue();
                queue.stopped = true;
                queue.arrived.drain(..).for_each(|sample| sample.fail(CRASHED));
            }
        })?;
        // A single sample must always fit, or it would wait for ever.
        let cache = limits.cache_tokens / Decoder::PAGE_TOKENS * Decoder::PAGE_TOKENS;
        Ok(Self { shared, limits, context_length: context_length.min(cache), vocabulary, thread: Some(thread) })
    }
}

fn run<E: RowEngine>(shared: &Shared, limits: SamplerLimits, make: &impl Fn() -> E) {
    let mut batch = Batch::new(make(), limits);
    loop {
        {
            let mut queue = shared.queue();
            while batch.is_idle() && queue.arrived.is_empty() && !queue.stopped {
                queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
            if queue.stopped {
                queue.arrived.drain(..).for_each(|sample| sample.fail("the server is stopping"));
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
        let load = batch.load();
        // Under the queue's lock, so that nobody counts a sample twice or not at all.
        let queue = shared.queue();
        shared.running.store(load.running, Ordering::Relaxed);
        shared.waiting.store(load.waiting + queue.arrived.len(), Ordering::Relaxed);
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
            // Checked here, where it is one request's fault; in the batch it would fail its neighbours.
            let unknown = |id: &&u32| usize::try_from(**id).is_ok_and(|id| id >= self.vocabulary);
            if let Some(&id) = request.prompt.iter().find(unknown) {
                return Err(SamplerError::UnknownToken { id, vocabulary: self.vocabulary });
            }
        }
        let (samples, limit) = (requests.len(), self.limits.max_waiting);
        if samples > limit {
            return Err(SamplerError::TooManySamples { samples, limit });
        }
        let mut queue = self.shared.queue();
        if queue.stopped {
            return Err(SamplerError::Stopped);
        }
        let waiting = self.shared.waiting.load(Ordering::Relaxed);
        if waiting + samples > limit {
            return Err(SamplerError::QueueFull { waiting, limit });
        }
        self.shared.waiting.store(waiting + samples, Ordering::Relaxed);
        let mut receivers = Vec::with_capacity(samples);
        for request in requests {
            let (sample, receiver) = Sample::new(request, self.context_length);
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
        SamplerLoad {
            running: self.shared.running.load(Ordering::Relaxed),
            waiting: self.shared.waiting.load(Ordering::Relaxed),
            ..SamplerLoad::default()
        }
    }
}

impl Drop for EngineSampler {
    fn drop(&mut self) {
        self.shared.queue().stopped = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported to every sample already.
            let _ = thread.join();
        }
    }
}
