//! Kernels on single rows: norms, rotary embedding, SwiGLU, softmax, each with its backward pass.
//!
//! Sums use [`LANES`] partial sums, element `i` in lane `i % LANES`; the lanes are then added in one fixed tree.

use super::units::{LANES, Simd, kernel};

// No closures in this module: a closure is not compiled for the instruction set of the function around it.

/// Loads fewer than sixteen values as a vector, padded with `fill`.
#[inline(always)]
pub(crate) fn load_part<S: Simd>(simd: S, part: &[f32], fill: f32) -> S::V {
    let mut vector = [fill; LANES];
    vector[..part.len()].copy_from_slice(part);
    simd.load(&vector)
}

/// Writes the first values of a vector.
#[inline(always)]
pub(crate) fn store_part<S: Simd>(simd: S, v: S::V, part: &mut [f32]) {
    let mut vector = [0.0; LANES];
    simd.store(v, &mut vector);
    part.copy_from_slice(&vector[..part.len()]);
}

/// Keeps the first `count` lanes and makes the others zero.
#[inline(always)]
pub(crate) fn first_lanes<S: Simd>(simd: S, v: S::V, count: usize) -> S::V {
    let mut vector = [0.0; LANES];
    simd.store(v, &mut vector);
    vector[count..].fill(0.0);
    simd.load(&vector)
}

#[inline(always)]
pub(super) fn dot_generic<S: Simd>(simd: S, x: &[f32], y: &[f32]) -> f32 {
    let ((x, x_rest), (y, y_rest)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    assert!(x.len() == y.len() && x_rest.len() == y_rest.len());
    let mut sum = simd.zero();
    for (x, y) in x.iter().zip(y) {
        sum = simd.mul_add(simd.load(x), simd.load(y), sum);
    }
    if !x_rest.is_empty() {
        sum = simd.mul_add(load_part(simd, x_rest, 0.0), load_part(simd, y_rest, 0.0), sum);
    }
    simd.sum(sum)
}

kernel! {
    /// Returns the sum of `x[i] * y[i]`.
    pub fn dot(x: &[f32], y: &[f32]) -> f32 = dot_generic;
}

/// A norm of rows: division by the root of the mean square, and weights.
#[derive(Clone, Copy)]
pub struct RmsNorm<'a> {
    /// Weights, padded like rows.
    pub weight: &'a [f32],
    /// Number of values of a row without padding.
    pub width: usize,
    /// Epsilon that is added to the mean square before the root.
    pub eps: f32,
}

impl RmsNorm<'_> {
    /// Returns the reciprocal of the root of a row.
    #[inline(always)]
    pub(super) fn scale<S: Simd>(self, simd: S, x: &[f32]) -> f32 {
        1.0 / (dot_generic(simd, x, x) / self.width as f32 + self.eps).sqrt()
    }
}

#[inline(always)]
fn rms_norm_generic<S: Simd>(simd: S, x: &[f32], norm: RmsNorm<'_>, y: &mut [f32]) {
    let scale = simd.splat(norm.scale(simd, x));
    let vectors = x.as_chunks::<LANES>().0.iter().zip(norm.weight.as_chunks::<LANES>().0);
    for ((x, weight), y) in vectors.zip(y.as_chunks_mut::<LANES>().0) {
        simd.store(simd.mul(simd.mul(simd.load(x), scale), simd.load(weight)), y);
    }
}

kernel! {
    /// Computes `y = x / sqrt(mean(x^2) + eps) * weight`. Rows are padded with zeros.
    pub fn rms_norm(x: &[f32], norm: RmsNorm<'_>, y: &mut [f32]) = rms_norm_generic;
}

#[inline(always)]
fn rms_norm_backward_generic<S: Simd>(
    simd: S,
    x: &[f32],
    norm: RmsNorm<'_>,
    dy: &[f32],
    dx: &mut [f32],
    accumulate: bool,
) {
    let scale = norm.scale(simd, x);
    let (x, weight, dy) = (x.as_chunks::<LANES>().0, norm.weight.as_chunks::<LANES>().0, dy.as_chunks::<LANES>().0);
    let mut sum = simd.zero();
    for ((x, weight), dy) in x.iter().zip(weight).zip(dy) {
        sum = simd.mul_add(simd.mul(simd.load(dy), simd.load(weight)), simd.load(x), sum);
    }
    let slope = simd.splat(simd.sum(sum) * scale * scale * scale / norm.width as f32);
    let scale = simd.splat(scale);
    for (((x, weight), dy), dx) in x.iter().zip(weight).zip(dy).zip(dx.as_chunks_mut::<LANES>().0) {
        let gradient = simd.mul(simd.load(dy), simd.load(weight));
        let mut value = simd.neg_mul_add(simd.load(x), slope, simd.mul(gradient, scale));
        if accumulate {
            value = simd.add(simd.load(dx), value);
        }
        simd.store(value, dx);
    }
}

kernel! {
    /// Computes `dx (+)= d rms_norm / d x` applied to `dy`.
    pub fn rms_norm_backward(x: &[f32], norm: RmsNorm<'_>, dy: &[f32], dx: &mut [f32], accumulate: bool) =
        rms_norm_backward_generic;
}

/// Normalisation and rotation of a query or key head.
#[derive(Clone, Copy)]
pub struct HeadNorm<'a> {
    /// Norm weight, `head_dim` values; `None` if heads have no norm.
    pub weight: Option<&'a [f32]>,
    /// Epsilon added to the mean square.
    pub eps: f32,
    /// Cosines of the position's angles, `head_dim / 2` values.
    pub cos: &'a [f32],
    /// Sines of the position's angles.
    pub sin: &'a [f32],
    /// Factor on the result.
    pub scale: f32,
}

#[inline(always)]
fn head_norm_rope_generic<S: Simd>(simd: S, x: &[f32], norm: HeadNorm<'_>, y: &mut [f32]) {
    let half = norm.cos.len();
    let dim = 2 * half;
    let (x0, x1) = x[..dim].split_at(half);
    let (y, padding) = y.split_at_mut(dim);
    let (y0, y1) = y.split_at_mut(half);
    let (cos, sin) = (&norm.cos[..half], &norm.sin[..half]);
    // Plain products and sums, element by element, so the bits do not depend on the vectorisation.
    if let Some(weight) = norm.weight {
        let scale = norm.scale / (dot_generic(simd, &x[..dim], &x[..dim]) / dim as f32 + norm.eps).sqrt();
        let (w0, w1) = weight[..dim].split_at(half);
        for k in 0..half {
            let (a, b) = (x0[k] * scale * w0[k], x1[k] * scale * w1[k]);
            y0[k] = a * cos[k] - b * sin[k];
            y1[k] = b * cos[k] + a * sin[k];
        }
    } else {
        for k in 0..half {
            let (a, b) = (x0[k] * norm.scale, x1[k] * norm.scale);
            y0[k] = a * cos[k] - b * sin[k];
            y1[k] = b * cos[k] + a * sin[k];
        }
    }
    padding.fill(0.0);
}

kernel! {
    /// Applies the RMS norm of a head, if it has one, then the rotary embedding of its halves (pairs are `k` and
    /// `k + head_dim / 2`, the convention of Hugging Face), then the scale. Values of `y` beyond `head_dim` are set to
    /// zero.
    pub fn head_norm_rope(x: &[f32], norm: HeadNorm<'_>, y: &mut [f32]) = head_norm_rope_generic;
}

#[inline(always)]
fn head_norm_rope_backward_generic<S: Simd>(simd: S, x: &[f32], norm: HeadNorm<'_>, dy: &[f32], dx: &mut [f32]) {
    let half = norm.cos.len();
    let dim = 2 * half;
    let x = &x[..dim];
    let (dy0, dy1) = dy[..dim].split_at(half);
    let (dx, padding) = dx.split_at_mut(dim);
    let (cos, sin) = (&norm.cos[..half], &norm.sin[..half]);
    {
        let (dx0, dx1) = dx.split_at_mut(half);
        for k in 0..half {
            dx0[k] = (dy0[k] * cos[k] + dy1[k] * sin[k]) * norm.scale;
            dx1[k] = (dy1[k] * cos[k] - dy0[k] * sin[k]) * norm.scale;
        }
    }
    if let Some(weight) = norm.weight {
        let scale = 1.0 / (dot_generic(simd, x, x) / dim as f32 + norm.eps).sqrt();
        for (dx, weight) in dx.iter_mut().zip(weight) {
            *dx *= weight;
        }
        let slope = dot_generic(simd, dx, x) * scale * scale * scale / dim as f32;
        for (dx, x) in dx.iter_mut().zip(x) {
            *dx = *dx * scale - x * slope;
        }
    }
    padding.fill(0.0);
}

kernel! {
    /// Computes `dx = d head_norm_rope / d x` applied to `dy`.
    pub fn head_norm_rope_backward(x: &[f32], norm: HeadNorm<'_>, dy: &[f32], dx: &mut [f32]) =
        head_norm_rope_backward_generic;
}

#[inline(always)]
pub(super) fn sigmoid<S: Simd>(simd: S, x: S::V) -> S::V {
    let one = simd.splat(1.0);
    simd.div(one, simd.add(one, simd.exp(simd.sub(simd.zero(), x))))
}

/// Returns the derivative of `silu(x) = x s`, with `s = sigmoid(x)`: `s (1 + x (1 - s))`.
#[inline(always)]
pub(super) fn silu_slope<S: Simd>(simd: S, x: S::V, s: S::V) -> S::V {
    let one = simd.splat(1.0);
    simd.mul(s, simd.mul_add(x, simd.sub(one, s), one))
}

#[inline(always)]
fn swiglu_generic<S: Simd>(simd: S, gate: &[f32], up: &[f32], y: &mut [f32]) {
    let vectors = gate.as_chunks::<LANES>().0.iter().zip(up.as_chunks::<LANES>().0);
    for ((gate, up), y) in vectors.zip(y.as_chunks_mut::<LANES>().0) {
        let gate = simd.load(gate);
        simd.store(simd.mul(simd.mul(gate, sigmoid(simd, gate)), simd.load(up)), y);
    }
}

kernel! {
    /// Computes `y = gate * sigmoid(gate) * up`; the length must be whole vectors.
    pub fn swiglu(gate: &[f32], up: &[f32], y: &mut [f32]) = swiglu_generic;
}

#[inline(always)]
fn swiglu_backward_generic<S: Simd>(simd: S, gate: &mut [f32], up: &mut [f32], dy: &[f32]) {
    let vectors = gate.as_chunks_mut::<LANES>().0.iter_mut().zip(up.as_chunks_mut::<LANES>().0);
    for ((gate, up), dy) in vectors.zip(dy.as_chunks::<LANES>().0) {
        let (g, u, d) = (simd.load(gate), simd.load(up), simd.load(dy));
        let s = sigmoid(simd, g);
        simd.store(simd.mul(d, simd.mul(g, s)), up);
        simd.store(simd.mul(simd.mul(d, u), silu_slope(simd, g, s)), gate);
    }
}

kernel! {
    /// Replaces `gate` and `up` by their gradients; `dy` is the gradient of [`swiglu`]'s output.
    pub fn swiglu_backward(gate: &mut [f32], up: &mut [f32], dy: &[f32]) = swiglu_backward_generic;
}

/// Factor and cubic coefficient of the argument of [`geglu`]'s sigmoid: `2 sqrt(2 / pi) (x + 0.044715 x^3)`.
const GELU: (f32, f32) = (1.595_769_2, 0.044_715);

/// Returns `x * x` times the cubic coefficient, and the sigmoid.
#[inline(always)]
fn gelu_parts<S: Simd>(simd: S, x: S::V) -> (S::V, S::V) {
    let cubic = simd.mul(simd.splat(GELU.1), simd.mul(x, x));
    (cubic, sigmoid(simd, simd.mul(simd.splat(GELU.0), simd.mul_add(x, cubic, x))))
}

#[inline(always)]
fn geglu_generic<S: Simd>(simd: S, gate: &[f32], up: &[f32], y: &mut [f32]) {
    let vectors = gate.as_chunks::<LANES>().0.iter().zip(up.as_chunks::<LANES>().0);
    for ((gate, up), y) in vectors.zip(y.as_chunks_mut::<LANES>().0) {
        let gate = simd.load(gate);
        let (_, s) = gelu_parts(simd, gate);
        simd.store(simd.mul(simd.mul(gate, s), simd.load(up)), y);
    }
}

kernel! {
    /// Computes `y = gelu(gate) * up` with `gelu(x) = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2`, which is x times a
    /// sigmoid; the length must be whole vectors.
    pub fn geglu(gate: &[f32], up: &[f32], y: &mut [f32]) = geglu_generic;
}

#[inline(always)]
fn geglu_backward_generic<S: Simd>(simd: S, gate: &mut [f32], up: &mut [f32], dy: &[f32]) {
    let one = simd.splat(1.0);
    let vectors = gate.as_chunks_mut::<LANES>().0.iter_mut().zip(up.as_chunks_mut::<LANES>().0);
    for ((gate, up), dy) in vectors.zip(dy.as_chunks::<LANES>().0) {
        let (g, u, d) = (simd.load(gate), simd.load(up), simd.load(dy));
        let (cubic, s) = gelu_parts(simd, g);
        // d gelu(g) / d g = s + g s (1 - s) z', where z' = 2 sqrt(2 / pi) (1 + 3 * 0.044715 g^2)
        let inner = simd.mul(simd.splat(GELU.0), simd.mul_add(simd.splat(3.0), cubic, one));
        let slope = simd.mul_add(simd.mul(simd.mul(g, s), simd.sub(one, s)), inner, s);
        simd.store(simd.mul(d, simd.mul(g, s)), up);
        simd.store(simd.mul(simd.mul(d, u), slope), gate);
    }
}

kernel! {
    /// Replaces `gate` and `up` by their gradients; `dy` is the gradient of [`geglu`]'s output.
    pub fn geglu_backward(gate: &mut [f32], up: &mut [f32], dy: &[f32]) = geglu_backward_generic;
}

#[inline(always)]
pub(crate) fn largest<S: Simd>(simd: S, x: &[f32]) -> f32 {
    let (vectors, rest) = x.as_chunks::<LANES>();
    let mut largest = simd.splat(f32::NEG_INFINITY);
    for x in vectors {
        largest = simd.max(largest, simd.load(x));
    }
    if !rest.is_empty() {
        largest = simd.max(largest, load_part(simd, rest, f32::NEG_INFINITY));
    }
    simd.largest(largest)
}

#[inline(always)]
fn softmax_generic<S: Simd>(simd: S, row: &mut [f32], valid: usize) -> [f32; 2] {
    let (row, rest) = row.split_at_mut(valid);
    rest.fill(0.0);
    let largest = largest(simd, row);
    let max = simd.splat(largest);
    let mut sum = simd.zero();
    let (vectors, tail) = row.as_chunks_mut::<LANES>();
    for x in &mut *vectors {
        let value = simd.exp(simd.sub(simd.load(x), max));
        sum = simd.add(sum, value);
        simd.store(value, x);
    }
    if !tail.is_empty() {
        let value = simd.exp(simd.sub(load_part(simd, tail, 0.0), max));
        sum = simd.add(sum, first_lanes(simd, value, tail.len()));
        store_part(simd, value, tail);
    }
    let scale = 1.0 / simd.sum(sum);
    for x in row {
        *x *= scale;
    }
    [largest, scale]
}

kernel! {
    /// Computes the softmax of the first `valid` values in place and sets the others to zero. Returns the largest value and the
    /// reciprocal of the sum: the probability of x is `exp(x - largest) * reciprocal`.
    pub fn softmax(row: &mut [f32], valid: usize) -> [f32; 2] = softmax_generic;
}

#[inline(always)]
fn softmax_backward_generic<S: Simd>(_simd: S, p: &[f32], dp: &mut [f32], delta: f32, valid: usize) {
    let (dp, rest) = dp.split_at_mut(valid);
    rest.fill(0.0);
    for (dp, p) in dp.iter_mut().zip(p) {
        *dp = p * (*dp - delta);
    }
}

kernel! {
    /// Replaces the first `valid` values of `dp` by the gradient of [`softmax`]'s argument and sets the others to zero.
    /// `delta` is the sum of `p * dp`.
    pub fn softmax_backward(p: &[f32], dp: &mut [f32], delta: f32, valid: usize) = softmax_backward_generic;
}

#[inline(always)]
fn softmax_part_backward_generic<S: Simd>(simd: S, x: &mut [f32], dp: &mut [f32], [max, scale]: [f32; 2], delta: f32) {
    let (max, scale, delta) = (simd.splat(max), simd.splat(scale), simd.splat(delta));
    let ((x, x_tail), (dp, dp_tail)) = (x.as_chunks_mut::<LANES>(), dp.as_chunks_mut::<LANES>());
    assert!(x.len() == dp.len() && x_tail.len() == dp_tail.len());
    for (x, dp) in x.iter_mut().zip(dp) {
        let p = simd.mul(simd.exp(simd.sub(simd.load(x), max)), scale);
        simd.store(p, x);
        simd.store(simd.mul(p, simd.sub(simd.load(dp), delta)), dp);
    }
    if !x_tail.is_empty() {
        let p = simd.mul(simd.exp(simd.sub(load_part(simd, x_tail, 0.0), max)), scale);
        let gradient = simd.mul(p, simd.sub(load_part(simd, dp_tail, 0.0), delta));
        store_part(simd, p, x_tail);
        store_part(simd, gradient, dp_tail);
    }
}

kernel! {
    /// Replaces a part of a [`softmax`]'s arguments by their probabilities, from the constants that it returned, and `dp` by the
    /// gradient of the arguments. `delta` is the sum of `p * dp` over all arguments.
    pub fn softmax_part_backward(x: &mut [f32], dp: &mut [f32], constants: [f32; 2], delta: f32) =
        softmax_part_backward_generic;
}

/// Returns `logit - max`, at least -87: there a probability is zero for all purposes, and the limit keeps masked logits
/// (minus infinity) out of products.
#[inline(always)]
pub(crate) fn distance<S: Simd>(simd: S, logit: S::V, max: f32) -> S::V {
    simd.max(simd.splat(-87.0), simd.sub(logit, simd.splat(max)))
}

#[inline(always)]
fn log_softmax_generic<S: Simd>(simd: S, logits: &[f32]) -> LogSoftmax {
    let max = largest(simd, logits);
    let (mut sum, mut weighted) = (simd.zero(), simd.zero());
    let (vectors, tail) = logits.as_chunks::<LANES>();
    for x in vectors {
        let distance = distance(simd, simd.load(x), max);
        let value = simd.exp(distance);
        sum = simd.add(sum, value);
        weighted = simd.mul_add(value, distance, weighted);
    }
    if !tail.is_empty() {
        let distance = distance(simd, load_part(simd, tail, max), max);
        let value = first_lanes(simd, simd.exp(distance), tail.len());
        sum = simd.add(sum, value);
        weighted = simd.mul_add(value, distance, weighted);
    }
    let sum = simd.sum(sum);
    let log_sum = sum.ln();
    LogSoftmax { max, log_sum, entropy: log_sum - simd.sum(weighted) / sum }
}

kernel! {
    /// Computes [`log_softmax`](super::log_softmax) with a given instruction set.
    pub fn log_softmax_with(logits: &[f32]) -> LogSoftmax = log_softmax_generic;
}

/// Normaliser of a row of logits, with all values that a logprob needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogSoftmax {
    /// Largest logit of the row.
    pub max: f32,
    /// Natural logarithm of the sum of `exp(logit - max)`.
    pub log_sum: f32,
    /// Entropy of the distribution in nats.
    pub entropy: f32,
}

impl LogSoftmax {
    /// Returns the logprob of an entry whose logit is `logit`.
    pub fn logprob(&self, logit: f32) -> f32 {
        (logit - self.max) - self.log_sum
    }

    /// Returns whether the logits of the row are finite.
    pub fn is_finite(&self) -> bool {
        self.max.is_finite() && self.log_sum.is_finite()
    }
}
