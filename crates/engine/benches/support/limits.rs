//! Peak of this machine, in the run whose figures are stated as parts of it.

use std::hint::black_box;
use std::time::Instant;

use trainyard_engine::kernels::{AlignedBuffer, peak};
use trainyard_engine::{ComputePool, ModelConfig};

/// Returns the number of weights of the layers' linear maps.
pub(crate) fn weights_of_layers(config: &ModelConfig) -> f64 {
    let (hidden, inner) = (config.hidden_size, config.intermediate_size);
    let attention = (2 * config.heads + 2 * config.kv_heads) * config.head_dim * hidden;
    (config.layers * (attention + 3 * hidden * inner)) as f64
}

/// Limits of this machine, one value a round.
#[derive(Default)]
pub(crate) struct Limits {
    /// GB/s that all threads read.
    pub(crate) bandwidth: Vec<f64>,
    /// GFLOP/s in f32.
    pub(crate) f32: Vec<f64>,
    /// GFLOP/s in bf16.
    pub(crate) bf16: Vec<f64>,
}

impl Limits {
    /// Measures a round of reading so many bytes.
    #[allow(dead_code, reason = "training reads no weight only once")]
    pub(crate) fn measure_bandwidth(&mut self, pool: &ComputePool, bytes: usize) {
        let set = pool.instruction_set();
        let mut words = AlignedBuffer::<f32>::new(bytes / 4);
        words.fill(1.0); // memory that was never written is not read from memory
        let parts: Vec<&[f32]> = words.chunks(words.len().div_ceil(pool.threads())).collect();
        let read = |thread: usize| {
            black_box(peak::read(set, parts[thread]));
        };
        self.bandwidth.push(bytes as f64 / 1e9 / timed(pool, &read));
    }

    /// Measures a round of so many steps of multiply-adds.
    pub(crate) fn measure_units(&mut self, pool: &ComputePool, steps: usize) {
        let set = pool.instruction_set();
        let count = (2 * pool.threads() * steps) as f64 / 1e9;
        let f32 = timed(pool, &|_| {
            black_box(peak::multiply_f32(set, steps));
        });
        self.f32.push(count * peak::F32_STEP as f64 / f32);
        let bf16 = timed(pool, &|_| {
            black_box(peak::multiply_bf16(set, steps));
        });
        // Products of bf16 are computed the fastest way.
        let mut bf16 = (count * peak::BF16_STEP as f64 / bf16).max(count * peak::F32_STEP as f64 / f32);
        let tile_steps = steps * peak::BF16_STEP / peak::TILE_STEP;
        if peak::multiply_tiles(set, 1).is_some() {
            let tiles = timed(pool, &|_| {
                black_box(peak::multiply_tiles(set, tile_steps));
            });
            let count = (2 * pool.threads() * tile_steps) as f64 / 1e9;
            bf16 = bf16.max(count * peak::TILE_STEP as f64 / tiles);
        }
        self.bf16.push(bf16);
    }
}

/// Returns the seconds that a task for each thread takes.
fn timed(pool: &ComputePool, work: &(dyn Fn(usize) + Sync)) -> f64 {
    let started = Instant::now();
    pool.run(pool.threads(), work);
    started.elapsed().as_secs_f64()
}

/// Returns the best of all rounds: other work on the machine only ever slows a round.
pub(crate) fn best(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::max)
}
