//! AdamW with a limit of the global gradient norm, with the arithmetic of `torch.optim.AdamW` and `clip_grad_norm_`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use safetensors::{Dtype, SafeTensors};

use crate::config::Family;
use crate::files::{Values, read_f32, write};
use crate::kernels::ComputePool;
use crate::kernels::adam::{AdamStep, adam, adam_stays_finite};
use crate::lora::{Adapter, Factors, LayerFactors, each_factor, parameter_name, present};
use crate::model::Projection;

/// Settings of one optimizer step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamHyper {
    /// Learning rate.
    pub lr: f32,
    /// Decay rate of the first moment.
    pub beta1: f32,
    /// Decay rate of the second moment.
    pub beta2: f32,
    /// Epsilon added to the root of the second moment.
    pub eps: f32,
    /// Decoupled weight decay, on every LoRA tensor, or on every matrix in full training.
    pub weight_decay: f32,
    /// Maximum global L2 norm of the gradient.
    pub clip_norm: f32,
}

impl Default for AdamHyper {
    fn default() -> Self {
        Self { lr: 5e-6, beta1: 0.9, beta2: 0.99, eps: 1e-8, weight_decay: 0.0, clip_norm: 1.0 }
    }
}

/// Error of a saved optimizer state that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("optimiser state: {0}")]
pub struct AdamStateError(pub String);

/// State of the AdamW optimizer.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamState {
    /// Number of steps taken.
    pub step: u64,
    /// First moments: running means of the gradient.
    first: Vec<LayerFactors>,
    /// Second moments: running means of the squared gradient.
    second: Vec<LayerFactors>,
}

impl AdamState {
    /// Creates a state with zero moments of an adapter's shape.
    pub fn new(adapter: &Adapter) -> Self {
        let zeros = || adapter.layers.iter().map(|layer| layer.each_ref().map(Factors::zeros_like)).collect();
        Self { step: 0, first: zeros(), second: zeros() }
    }

    /// Returns whether the moments have an adapter's shape.
    pub fn fits(&self, adapter: &Adapter) -> bool {
        let same = |moments: &[LayerFactors]| {
            let lengths = |layers: &[LayerFactors]| -> Vec<_> {
                layers.iter().flatten().map(|factors| (factors.a.len(), factors.b.len())).collect()
            };
            lengths(moments) == lengths(&adapter.layers)
        };
        same(&self.first) && same(&self.second)
    }

    /// Serialises the state as safetensors: `step`, `exp_avg.*` and `exp_avg_sq.*`, one flat tensor per factor. Equal
    /// states have equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut tensors = vec![("step".to_owned(), Values::Count(self.step))];
        for (prefix, moments) in [("exp_avg", &self.first), ("exp_avg_sq", &self.second)] {
            tensors.extend(each_factor(moments).map(|(layer, projection, side, values)| {
                (moment_name(prefix, layer, projection, side), Values::F32(vec![values.len()], values))
            }));
        }
        write(tensors.into_iter())
    }

    /// Parses the bytes of [`AdamState::to_bytes`]; a state of another shape is an error.
    pub fn from_bytes(bytes: &[u8], adapter: &Adapter) -> Result<Self, AdamStateError> {
        let file = StateFile::open(bytes, "adapter")?;
        let mut state = Self { step: file.step()?, ..Self::new(adapter) };
        file.check_len(1 + 4 * adapter.layers.iter().flat_map(present).count())?;
        for (prefix, moments) in [("exp_avg", &mut state.first), ("exp_avg_sq", &mut state.second)] {
            for (layer, factors) in moments.iter_mut().enumerate() {
                let targeted = Projection::ALL.into_iter().zip(factors).filter(|(_, factors)| !factors.is_empty());
                for (projection, Factors { a, b }) in targeted {
                    for (side, values) in [('A', a), ('B', b)] {
                        *values = file.moment(&moment_name(prefix, layer, projection, side), &[values.len()])?;
                    }
                }
            }
        }
        Ok(state)
    }

    /// Applies one step of AdamW to `adapter` with gradients scaled by `clip`. If a parameter would not be finite,
    /// returns false and changes nothing.
    pub(crate) fn update(
        &mut self,
        pool: &ComputePool,
        adapter: &mut Adapter,
        gradients: &[LayerFactors],
        clip: f32,
        hyper: &AdamHyper,
    ) -> bool {
        let step = self.step + 1;
        let numbers = hyper.numbers(step, clip);
        let set = pool.instruction_set();
        // Checking first costs arithmetic, but no copy of all tensors.
        let finite = AtomicBool::new(true);
        let tensors: Vec<_> = adapter
            .layers
            .iter()
            .flatten()
            .zip(gradients.iter().flatten())
            .zip(self.first.iter().flatten().zip(self.second.iter().flatten()))
            .flat_map(|((p, g), (m, v))| [(&p.a, &g.a, &m.a, &v.a), (&p.b, &g.b, &m.b, &v.b)])
            .collect();
        pool.run(tensors.len(), &|tensor| {
            let (p, g, m, v) = tensors[tensor];
            if !adam_stays_finite(set, numbers, p, g, m, v) {
                finite.store(false, Ordering::Relaxed);
            }
        });
        if !finite.into_inner() {
            return false;
        }
        let tensors: Vec<_> = adapter
            .layers_mut()
            .iter_mut()
            .flatten()
            .zip(gradients.iter().flatten())
            .zip(self.first.iter_mut().flatten().zip(self.second.iter_mut().flatten()))
            .flat_map(|((p, g), (m, v))| {
                [(&mut p.a, &g.a, &mut m.a, &mut v.a), (&mut p.b, &g.b, &mut m.b, &mut v.b)].map(Mutex::new)
            })
            .collect();
        pool.run(tensors.len(), &|tensor| {
            let mut guard = tensors[tensor].lock().expect("every tensor is changed by one task");
            let (p, g, m, v) = &mut *guard;
            adam(set, numbers, p, g, m, v);
        });
        self.step = step;
        true
    }
}

/// A saved state that is being read.
pub(crate) struct StateFile<'a> {
    tensors: SafeTensors<'a>,
    /// What the state belongs to, for messages.
    owner: &'static str,
}

impl<'a> StateFile<'a> {
    pub(crate) fn open(bytes: &'a [u8], owner: &'static str) -> Result<Self, AdamStateError> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| AdamStateError(error.to_string()))?;
        Ok(Self { tensors, owner })
    }

    /// Checks the number of tensors.
    pub(crate) fn check_len(&self, expected: usize) -> Result<(), AdamStateError> {
        let (found, owner) = (self.tensors.len(), self.owner);
        let error = || AdamStateError(format!("{found} tensors, the {owner} asks for {expected}"));
        if found == expected { Ok(()) } else { Err(error()) }
    }

    fn find(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Result<&'a [u8], AdamStateError> {
        let view = self.tensors.tensor(name).map_err(|_| AdamStateError(format!("tensor {name} is missing")))?;
        if view.dtype() == dtype && view.shape() == shape {
            return Ok(view.data());
        }
        let (owner, found) = (self.owner, format!("{:?} {:?}", view.dtype(), view.shape()));
        Err(AdamStateError(format!("tensor {name} is {found}, the {owner} asks for {dtype:?} {shape:?}")))
    }

    pub(crate) fn step(&self) -> Result<u64, AdamStateError> {
        let bytes = self.find("step", Dtype::U64, &[1])?.first_chunk();
        Ok(bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes)))
    }

    /// Reads a first or second moment, whichever the name says.
    pub(crate) fn moment(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, AdamStateError> {
        let mut values = vec![0.0; shape.iter().product()];
        read_f32(self.find(name, Dtype::F32, shape)?, &mut values);
        let is_square = name.starts_with("exp_avg_sq.");
        if !values.iter().all(|value| value.is_finite() && (!is_square || *value >= 0.0)) {
            return Err(AdamStateError(format!("tensor {name} has values no gradient can give")));
        }
        Ok(values)
    }
}

/// Returns the name of a factor's moment. Only this file reads it, so projections have the names of one family.
fn moment_name(prefix: &str, layer: usize, projection: Projection, side: char) -> String {
    format!("{prefix}.{}.lora_{side}", parameter_name(layer, projection, Family::Llama))
}

/// Returns the global L2 norm of all gradients: a sum of squares per tensor in double precision, tensors in order.
pub(crate) fn gradient_norm(pool: &ComputePool, gradients: &[LayerFactors]) -> f32 {
    let tensors: Vec<&Vec<f32>> = gradients.iter().flatten().flat_map(|factors| [&factors.a, &factors.b]).collect();
    let squares: Vec<_> = tensors.iter().map(|_| Mutex::new(0.0)).collect();
    pool.run(tensors.len(), &|tensor| {
        let sum = tensors[tensor].iter().map(|g| f64::from(*g) * f64::from(*g)).sum::<f64>();
        *squares[tensor].lock().expect("every sum is formed by one task") = sum;
    });
    let squares: Vec<f64> = squares.into_iter().map(|sum| sum.into_inner().unwrap_or(f64::NAN)).collect();
    squares.chunks_exact(2).map(|factors| factors[0] + factors[1]).sum::<f64>().sqrt() as f32
}

/// Returns the factor that limits a gradient of norm `norm` to `limit`, as `clip_grad_norm_` computes it.
pub(crate) fn clip_factor(norm: f32, limit: f32) -> f32 {
    (limit / (norm + 1e-6)).min(1.0)
}

impl AdamHyper {
    /// Returns the constants of step `step`, counted from 1, with gradients scaled by `clip`.
    pub(crate) fn numbers(&self, step: u64, clip: f32) -> AdamStep {
        // torch computes the corrections in double precision and applies them in single precision.
        let exponent = step.min(i32::MAX as u64) as i32;
        let correction1 = 1.0 - f64::from(self.beta1).powi(exponent);
        let correction2 = 1.0 - f64::from(self.beta2).powi(exponent);
        let Self { lr, beta1, beta2, eps, weight_decay, .. } = *self;
        AdamStep {
            clip,
            decay: (1.0 - f64::from(lr) * f64::from(weight_decay)) as f32,
            beta1,
            beta2,
            step_size: (f64::from(lr) / correction1) as f32,
            root2: correction2.sqrt() as f32,
            eps,
        }
    }

    /// Returns the name of the first invalid setting.
    pub(crate) fn invalid(&self) -> Option<&'static str> {
        let Self { lr, beta1, beta2, eps, weight_decay, clip_norm } = *self;
        [
            ("lr", lr.is_finite() && lr >= 0.0),
            ("beta1", (0.0..1.0).contains(&beta1)),
            ("beta2", (0.0..1.0).contains(&beta2)),
            ("eps", eps.is_finite() && eps > 0.0),
            ("weight_decay", weight_decay.is_finite() && weight_decay >= 0.0),
            ("clip_norm", clip_norm > 0.0),
        ]
        .into_iter()
        .find_map(|(name, valid)| (!valid).then_some(name))
    }
}
