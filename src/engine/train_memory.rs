//! The buffers of a training session, and how much memory a sequence needs before any of it is taken.

use std::sync::OnceLock;

use super::backward::BackwardScratch;
use super::forward::{LayerState, Scratch};
use super::kernels::Buffer;
use super::kernels::attention::{PAGE, backward_scratch_len, turned_len};
use super::kv_cache::KvCache;
use super::rotary::RotaryTable;
use super::weights::BaseModel;

/// Rows whose logits exist at the same time.
pub(crate) const HEAD_CHUNK: usize = 256;

/// Buffers kept from call to call.
pub(crate) struct Memory {
    pub(crate) cache: KvCache,
    pub(crate) pages: Vec<usize>,
    pub(crate) rotary: RotaryTable,
    /// Residual stream.
    pub(crate) x: Buffer,
    /// Its gradient.
    pub(crate) dx: Buffer,
    /// Residual stream before each layer.
    pub(crate) inputs: Vec<Buffer>,
    /// One state per layer, or a single one.
    pub(crate) states: Vec<LayerState>,
    pub(crate) scratch: Scratch,
    pub(crate) backward: BackwardScratch,
    /// Final norm of the rows that predict scored tokens, and the gradient of each row's log-probability.
    pub(crate) predictors: Buffer,
    pub(crate) d_predictors: Buffer,
    pub(crate) logits: Buffer,
}

impl Memory {
    /// Bytes taken, without the threads' own scratch and the rotary table.
    #[cfg(test)]
    pub(crate) fn taken_bytes(&self) -> usize {
        let states = self.states.iter().flat_map(|state| {
            let LayerState { qkv, query, key, attention, middle, gate_up, inner } = state;
            [qkv, query, key, attention, middle, gate_up].into_iter().chain(inner)
        });
        let own = [&self.x, &self.dx, &self.predictors, &self.d_predictors, &self.logits];
        let scratch = [&self.scratch.normed, &self.scratch.hidden];
        let buffers = states.chain(own).chain(scratch).chain(&self.inputs).chain(self.backward.buffers());
        let floats: usize = buffers.map(|buffer| buffer.len()).sum();
        let pages = self.pages.iter().map(|page| self.cache.page_len(*page)).sum::<usize>();
        (floats + pages) * size_of::<f32>()
    }

    /// Nothing yet.
    pub(crate) fn new(base: &BaseModel) -> Self {
        let layers = base.config.layers;
        Self {
            cache: KvCache::new(base.layout.attention, layers, base.config.max_position_embeddings.div_ceil(PAGE)),
            pages: Vec::new(),
            rotary: RotaryTable::default(),
            x: Buffer::default(),
            dx: Buffer::default(),
            inputs: (0..layers).map(|_| Buffer::default()).collect(),
            states: Vec::new(),
            scratch: Scratch::default(),
            backward: BackwardScratch::default(),
            predictors: Buffer::default(),
            d_predictors: Buffer::default(),
            logits: Buffer::default(),
        }
    }
}

/// What determines the memory of a sequence.
pub(crate) struct Demand<'a> {
    pub(crate) base: &'a BaseModel,
    pub(crate) inner_widths: [usize; 4],
    pub(crate) threads: usize,
    /// Rows run: the sequence up to its last scored token.
    pub(crate) rows: usize,
    /// Scored tokens.
    pub(crate) scored: usize,
    /// Whether a backward pass follows.
    pub(crate) gradient: bool,
}

impl Demand<'_> {
    /// Bytes of one layer's state.
    pub(crate) fn state_bytes(&self) -> usize {
        bytes(self.rows, LayerState::row_len(&self.base.layout, self.inner_widths))
    }

    /// Bytes of all buffers with `states` layer states.
    pub(crate) fn bytes(&self, states: usize) -> usize {
        let Self { base, rows, scored, .. } = *self;
        let (layout, layers) = (&base.layout, base.config.layers);
        let hidden = layout.hidden.padded_len();
        let mut parts = vec![
            self.state_bytes().saturating_mul(states),
            bytes(rows.div_ceil(PAGE) * PAGE, layers.saturating_mul(layout.attention.page_len() / PAGE)),
            bytes(rows, base.config.head_dim), // rotary table
            bytes(rows, hidden + Scratch::row_len(layout)),
            bytes(scored, hidden),
            bytes(scored.min(HEAD_CHUNK), layout.vocab.padded_len()),
        ];
        if self.gradient {
            let threads = self.threads.min(base.config.kv_heads);
            parts.extend([
                bytes(rows, layers.saturating_add(1).saturating_mul(hidden)), // each layer's input, and the gradient
                bytes(rows, BackwardScratch::row_len(layout, self.inner_widths)),
                bytes(scored, hidden),
                bytes(threads, backward_scratch_len(rows)),
                bytes(1, turned_len(rows, layout.attention)),
            ]);
        }
        parts.into_iter().fold(0, usize::saturating_add)
    }
}

fn bytes(rows: usize, row_len: usize) -> usize {
    rows.saturating_mul(row_len).saturating_mul(size_of::<f32>())
}

/// Half of this machine's memory in bytes; 8 GiB where that is unknown.
pub(crate) fn default_limit() -> usize {
    static LIMIT: OnceLock<usize> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let total = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_bytes(&text));
        total.map_or(8 << 30, |total| total / 2)
    })
}

/// `MemTotal` of `/proc/meminfo`, which is in KiB.
fn total_bytes(meminfo: &str) -> Option<usize> {
    let value = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: usize = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_machines_memory() {
        assert_eq!(total_bytes("MemTotal:       16303428 kB\nMemFree: 1 kB\n"), Some(16_303_428 * 1024));
        for text in ["", "MemFree: 1 kB", "MemTotal: many kB", "MemTotal: 5 MB", "MemTotal: 18446744073709551615 kB"] {
            assert_eq!(total_bytes(text), None, "{text}");
        }
    }
}
