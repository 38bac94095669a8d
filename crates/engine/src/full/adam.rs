//! AdamW over all parameters, with the arithmetic of [`AdamState`](crate::train::AdamState).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::weights::FullWeights;
use crate::config::ModelConfig;
use crate::files::{Values, write};
use crate::kernels::adam::{AdamStep, adam, adam_stays_finite};
use crate::kernels::{ComputePool, for_row_blocks};
use crate::model::{Parameter, parameters};
use crate::pass::WeightGradients;
use crate::train::{AdamHyper, AdamStateError, StateFile};

/// Number of values of one task.
const TASK_LEN: usize = 1 << 14;

/// State of the AdamW optimizer.
#[derive(Clone, Debug, PartialEq)]
pub struct FullAdam {
    /// Number of steps taken.
    pub step: u64,
    /// First moments: running means of the gradient, in the order and the shapes of [`FullWeights`].
    first: Vec<Vec<f32>>,
    /// Second moments: running means of the squared gradient.
    second: Vec<Vec<f32>>,
}

impl FullAdam {
    /// Creates a state with zero moments.
    pub fn new(config: &ModelConfig) -> Self {
        let zeros = || parameters(config).iter().map(|parameter| vec![0.0; parameter.len()]).collect();
        Self { step: 0, first: zeros(), second: zeros() }
    }

    /// Returns whether the moments have the shapes of these parameters.
    pub fn fits(&self, weights: &FullWeights) -> bool {
        let lengths = |values: &[Vec<f32>]| values.iter().map(Vec::len).collect::<Vec<_>>();
        [&self.first, &self.second].into_iter().all(|moments| lengths(moments) == lengths(&weights.values))
    }

    /// Serialises the state as safetensors: `step`, and `exp_avg.*` and `exp_avg_sq.*` for each parameter in its shape.
    /// Equal states have equal bytes.
    pub fn to_bytes(&self, config: &ModelConfig) -> Vec<u8> {
        let moments = [("exp_avg", &self.first), ("exp_avg_sq", &self.second)];
        let tensors = moments.into_iter().flat_map(|(prefix, moments)| {
            parameters(config).into_iter().zip(moments).map(move |(parameter, values)| {
                (format!("{prefix}.{}", parameter.name), Values::F32(parameter.shape, values))
            })
        });
        write(tensors.chain([("step".to_owned(), Values::Count(self.step))]))
    }

    /// Parses the bytes of [`FullAdam::to_bytes`].
    ///
    /// # Errors
    /// A state of another shape, or values that no gradient can produce.
    pub fn from_bytes(bytes: &[u8], config: &ModelConfig) -> Result<Self, AdamStateError> {
        let (file, parameters) = (StateFile::open(bytes, "model")?, parameters(config));
        file.check_len(1 + 2 * parameters.len())?;
        let moments = |prefix: &str| {
            let moment = |parameter: &Parameter| file.moment(&format!("{prefix}.{}", parameter.name), &parameter.shape);
            parameters.iter().map(moment).collect::<Result<Vec<_>, _>>()
        };
        Ok(Self { step: file.step()?, first: moments("exp_avg")?, second: moments("exp_avg_sq")? })
    }

    /// Applies one step of AdamW with gradients scaled by `clip`. Weight decay applies to matrices, including embedding
    /// and head, not to norms and biases. If a parameter would not be finite, returns false and changes nothing.
    pub(super) fn update(
        &mut self,
        pool: &ComputePool,
        weights: &mut FullWeights,
        gradients: &WeightGradients,
        clip: f32,
        hyper: &AdamHyper,
    ) -> bool {
        let parameters = parameters(weights.config());
        let (set, step) = (pool.instruction_set(), self.step + 1);
        let numbers = |parameter: &Parameter| match hyper.numbers(step, clip) {
            numbers if parameter.decays() => numbers,
            numbers => AdamStep { decay: 1.0, ..numbers },
        };
        // Checked first, since there is no memory for a copy of everything.
        for (index, parameter) in parameters.iter().enumerate() {
            let (p, m, v) = (&weights.values[index], &self.first[index], &self.second[index]);
            let (width, gradient, numbers) = (parameter.width(), gradients.of(parameter), numbers(parameter));
            let (rows, task_rows, finite) = (p.len() / width, task_rows(parameter), AtomicBool::new(true));
            pool.run(rows.div_ceil(task_rows), &|task| {
                let mut g = vec![0.0; width];
                for row in task * task_rows..rows.min((task + 1) * task_rows) {
                    parameter.columns.gather(&gradient[parameter.gradient_row(row)..], &mut g);
                    let values = row * width..(row + 1) * width;
                    let [p, m, v] = [p, m, v].map(|all| &all[values.clone()]);
                    if !adam_stays_finite(set, numbers, p, &g, m, v) {
                        finite.store(false, Ordering::Relaxed);
                    }
                }
            });
            if !finite.into_inner() {
                return false;
            }
        }
        for (index, parameter) in parameters.iter().enumerate() {
            let (p, m, v) = (&mut weights.values[index], &mut self.first[index], &mut self.second[index]);
            let (width, gradient, numbers) = (parameter.width(), gradients.of(parameter), numbers(parameter));
            let outputs = [(&mut p[..], width), (&mut m[..], width), (&mut v[..], width)];
            for_row_blocks(pool, parameter.len() / width, task_rows(parameter), outputs, &|block, [p, m, v]| {
                let mut g = vec![0.0; width];
                let rows = p.chunks_exact_mut(width).zip(m.chunks_exact_mut(width)).zip(v.chunks_exact_mut(width));
                for (row, ((p, m), v)) in block.zip(rows) {
                    parameter.columns.gather(&gradient[parameter.gradient_row(row)..], &mut g);
                    adam(set, numbers, p, &g, m, v);
                }
            });
        }
        self.step = step;
        true
    }
}

/// Returns the number of a parameter's rows in one task.
fn task_rows(parameter: &Parameter) -> usize {
    (TASK_LEN / parameter.width()).max(1)
}

/// Returns the global L2 norm of all gradients in double precision, summed over rows in order, then tasks, then
/// parameters.
pub(super) fn gradient_norm(pool: &ComputePool, config: &ModelConfig, gradients: &WeightGradients) -> f32 {
    let squares = |parameter: &Parameter| {
        // Padding is zero.
        let gradient = &gradients.of(parameter)[..parameter.padded_len()];
        let tasks = gradient.len().div_ceil(TASK_LEN);
        let sums: Vec<AtomicU64> = (0..tasks).map(|_| AtomicU64::new(0)).collect();
        pool.run(tasks, &|task| {
            let part = &gradient[task * TASK_LEN..gradient.len().min((task + 1) * TASK_LEN)];
            let sum: f64 = part.iter().map(|g| f64::from(*g) * f64::from(*g)).sum();
            sums[task].store(sum.to_bits(), Ordering::Relaxed);
        });
        sums.into_iter().map(|sum| f64::from_bits(sum.into_inner())).sum::<f64>()
    };
    parameters(config).iter().map(squares).sum::<f64>().sqrt() as f32
}
