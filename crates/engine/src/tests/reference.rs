//! Plain reference of the model in double precision: loops over single numbers, no packing, no batching.

use std::collections::HashMap;

use super::*;
use crate::config::{Activation, DeltaConfig, ExpertConfig, HeadNorms, NormPlacement, Rotation};
use crate::model::Projection;

/// A model and an adapter in double precision.
pub(super) struct Reference {
    pub(super) config: ModelConfig,
    tensors: HashMap<String, Vec<f64>>,
    pub(super) adapter: Adapter,
    /// Change of a single adapter parameter: (layer, projection, side, index, difference).
    pub(super) nudge: Option<(usize, Projection, char, usize, f64)>,
}

fn rms_norm(x: &[f64], weight: &[f64], eps: f64) -> Vec<f64> {
    let mean = x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
    x.iter().zip(weight).map(|(x, w)| x / (mean + eps).sqrt() * w).collect()
}

fn softmax(x: &[f64]) -> Vec<f64> {
    let max = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let exp: Vec<f64> = x.iter().map(|x| (x - max).exp()).collect();
    let sum: f64 = exp.iter().sum();
    exp.into_iter().map(|x| x / sum).collect()
}

fn product(w: &[f64], x: &[f64]) -> Vec<f64> {
    w.chunks(x.len()).map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum()).collect()
}

fn gated(activation: Activation, gate: &[f64], up: Vec<f64>) -> Vec<f64> {
    let f = |x: f64| match activation {
        Activation::Silu => x / (1.0 + (-x).exp()),
        Activation::GeluTanh => {
            0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh())
        }
    };
    gate.iter().zip(up).map(|(gate, up)| f(*gate) * up).collect()
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Reference {
    pub(super) fn new(config: &ModelConfig, seed: u64, adapter: &Adapter) -> Self {
        let tensors = random_tensors(config, seed)
            .into_iter()
            .map(|(name, _, values)| (name, values.into_iter().map(f64::from).collect()))
            .collect();
        Self { config: config.clone(), tensors, adapter: adapter.clone(), nudge: None }
    }

    /// Returns a weight for modification.
    pub(super) fn tensor_mut(&mut self, name: &str) -> &mut [f64] {
        self.tensors.get_mut(name).unwrap()
    }

    /// Returns the RMS norm with the weights of a tensor.
    fn norm(&self, x: &[f64], name: &str) -> Vec<f64> {
        let weight: Vec<f64> =
            self.tensor(name).iter().map(|weight| weight + f64::from(self.config.norm_offset)).collect();
        rms_norm(x, &weight, f64::from(self.config.rms_norm_eps))
    }

    fn tensor(&self, name: &str) -> &[f64] {
        &self.tensors[name]
    }

    fn project(&self, layer: usize, projection: Projection, x: &[f64]) -> Vec<f64> {
        let factors = &self.adapter.layers[layer][projection as usize];
        let (mut a, mut b): (Vec<f64>, Vec<f64>) =
            (factors.a.iter().map(|x| f64::from(*x)).collect(), factors.b.iter().map(|x| f64::from(*x)).collect());
        if let Some((at, which, side, index, difference)) = self.nudge
            && (at, which) == (layer, projection)
        {
            (if side == 'A' { &mut a } else { &mut b })[index] += difference;
        }
        let LoraOptions { rank, alpha, rank_stabilised, .. } = *self.adapter.options();
        let scale = f64::from(alpha) / if rank_stabilised { (rank as f64).sqrt() } else { rank as f64 };
        let update = if factors.is_empty() { Vec::new() } else { product(&b, &product(&a, x)) };
        let name = format!("model.layers.{layer}.{}", projection.name(self.config.family));
        let base = product(self.tensor(&format!("{name}.weight")), x);
        let bias = self.tensors.get(&format!("{name}.bias"));
        let bias = |i: usize| bias.map_or(0.0, |bias| bias[i]);
        let update = update.into_iter().chain(std::iter::repeat(0.0));
        base.iter().zip(update).enumerate().map(|(i, (y, u))| y + bias(i) + scale * u).collect()
    }

    fn feed_forward(&self, layer: usize, x: &[f64]) -> Vec<f64> {
        let (gate, up) = if self.config.joint_projections {
            let mut gate = self.project(layer, Projection::GateUp, x);
            let up = gate.split_off(self.config.intermediate_size);
            (gate, up)
        } else {
            (self.project(layer, Projection::Gate, x), self.project(layer, Projection::Up, x))
        };
        self.project(layer, Projection::Down, &gated(self.config.activation, &gate, up))
    }

    fn experts(&self, layer: usize, experts: &ExpertConfig, x: &[f64]) -> Vec<f64> {
        let weight = |name: &str| self.tensor(&format!("model.layers.{layer}.mlp.{name}.weight"));
        let p = softmax(&product(weight("gate"), x));
        let mut best: Vec<usize> = (0..experts.count).collect();
        best.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
        best.truncate(experts.per_token);
        let divisor = if experts.normalises_weights { best.iter().map(|expert| p[*expert]).sum() } else { 1.0 };
        let mut sum = vec![0.0; x.len()];
        for expert in best {
            let weight = |part: &str| weight(&format!("experts.{expert}.{part}"));
            let gate = product(weight("gate_proj"), x);
            let hidden = gated(Activation::Silu, &gate, product(weight("up_proj"), x));
            let output = product(weight("down_proj"), &hidden);
            sum.iter_mut().zip(output).for_each(|(sum, y)| *sum += p[expert] / divisor * y);
        }
        if experts.has_shared {
            let factor = sigmoid(product(weight("shared_expert_gate"), x)[0]);
            let output = self.feed_forward(layer, x);
            sum.iter_mut().zip(output).for_each(|(sum, y)| *sum += factor * y);
        }
        sum
    }

    /// Returns the output of a delta network for all rows of its input.
    fn delta_network(&self, layer: usize, delta: &DeltaConfig, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let tensor = |name: &str| self.tensor(&format!("model.layers.{layer}.linear_attn.{name}"));
        let DeltaConfig { key_heads, value_heads, key_dim, value_dim, convolution: taps, .. } = *delta;
        let (weights, keys_len) = (tensor("conv1d.weight"), key_heads * key_dim);
        let mixed: Vec<_> = rows.iter().map(|x| self.project(layer, Projection::DeltaQueryKeyValue, x)).collect();
        let mut states = vec![vec![0.0; key_dim * value_dim]; value_heads];
        let row = |(position, x): (usize, &Vec<f64>)| {
            let tap = |channel: usize, tap: usize| {
                let row = (position + tap + 1).checked_sub(taps);
                row.map_or(0.0, |row| weights[channel * taps + tap] * mixed[row][channel])
            };
            let convolved = |channel: usize| (0..taps).map(|number| tap(channel, number)).sum::<f64>();
            let qkv: Vec<f64> =
                (0..delta.mixed()).map(|channel| convolved(channel) * sigmoid(convolved(channel))).collect();
            let gate = self.project(layer, Projection::DeltaGate, x);
            let [a, b] = [Projection::DeltaDecay, Projection::DeltaStrength].map(|part| self.project(layer, part, x));
            let unit = |x: &[f64]| {
                let root = (x.iter().map(|x| x * x).sum::<f64>() + 1e-6).sqrt();
                x.iter().map(|x| x / root).collect::<Vec<_>>()
            };
            let mut normed = Vec::new();
            for (head, state) in states.iter_mut().enumerate() {
                let of_key = |first: usize| unit(&qkv[first + head / (value_heads / key_heads) * key_dim..][..key_dim]);
                let (query, key) = (of_key(0), of_key(keys_len));
                let value = &qkv[2 * keys_len + head * value_dim..][..value_dim];
                let decay = -tensor("A_log")[head].exp() * (1.0 + (a[head] + tensor("dt_bias")[head]).exp()).ln();
                state.iter_mut().for_each(|x| *x *= decay.exp());
                let known = |state: &[f64], x: &[f64], v: usize| {
                    (0..key_dim).map(|k| state[k * value_dim + v] * x[k]).sum::<f64>()
                };
                let update: Vec<f64> =
                    (0..value_dim).map(|v| (value[v] - known(state, &key, v)) * sigmoid(b[head])).collect();
                for (k, row) in state.chunks_mut(value_dim).enumerate() {
                    row.iter_mut().zip(&update).for_each(|(x, update)| *x += key[k] * update);
                }
                let out: Vec<f64> = (0..value_dim).map(|v| known(state, &query, v) / (key_dim as f64).sqrt()).collect();
                let out = rms_norm(&out, tensor("norm.weight"), f64::from(self.config.rms_norm_eps));
                let z = &gate[head * value_dim..][..value_dim];
                normed.extend(out.into_iter().zip(z).map(|(x, z)| x * z * sigmoid(*z)));
            }
            self.project(layer, Projection::DeltaOutput, &normed)
        };
        rows.iter().enumerate().map(row).collect()
    }

    /// Returns the output of a short convolution for all rows of its input.
    fn short_convolution(&self, layer: usize, taps: usize, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let (width, prefix) = (self.config.hidden_size, format!("model.layers.{layer}.conv.conv"));
        let (weights, bias) = (self.tensor(&format!("{prefix}.weight")), self.tensors.get(&format!("{prefix}.bias")));
        let parts: Vec<_> = rows.iter().map(|x| self.project(layer, Projection::ConvolutionInput, x)).collect();
        let output = |position: usize| {
            let convolved = |channel: usize| {
                let tap = |tap: usize| {
                    let row = (position + tap + 1).checked_sub(taps);
                    row.map_or(0.0, |row| {
                        weights[channel * taps + tap] * parts[row][channel] * parts[row][2 * width + channel]
                    })
                };
                bias.map_or(0.0, |bias| bias[channel]) + (0..taps).map(tap).sum::<f64>()
            };
            let gated: Vec<f64> =
                (0..width).map(|channel| parts[position][width + channel] * convolved(channel)).collect();
            self.project(layer, Projection::ConvolutionOutput, &gated)
        };
        (0..rows.len()).map(output).collect()
    }

    fn rotate(&self, layer: usize, x: &[f64], position: usize) -> Vec<f64> {
        let rope = match self.config.rotation_of(layer) {
            Rotation::None => return x.to_vec(),
            Rotation::Full => &self.config.rope,
            Rotation::Local => self.config.local_rope.as_ref().unwrap(),
        };
        let rotated = self.config.rotated_dim;
        let half = rotated / 2;
        let mut y = x.to_vec();
        // The frequencies have their own tests.
        for (k, frequency) in rope.frequencies(rotated).into_iter().enumerate() {
            let angle = position as f64 * f64::from(frequency);
            let factor = f64::from(rope.attention_factor());
            let (cos, sin) = (angle.cos() * factor, angle.sin() * factor);
            y[k] = x[k] * cos - x[k + half] * sin;
            y[k + half] = x[k + half] * cos + x[k] * sin;
        }
        y
    }

    /// Returns the logits after every token.
    pub(super) fn logits(&self, tokens: &[u32]) -> Vec<Vec<f64>> {
        let config = &self.config;
        let dim = config.head_dim;
        let embedding = self.tensor("model.embed_tokens.weight");
        let mut stream: Vec<Vec<f64>> = tokens
            .iter()
            .map(|token| &embedding[*token as usize * config.hidden_size..][..config.hidden_size])
            .map(|row| row.iter().map(|x| x * f64::from(config.embedding_scale)).collect())
            .collect();
        for layer in 0..config.layers {
            let norm = |x: &[f64], name: &'static str| {
                self.norm(x, &format!("model.layers.{layer}.{}.weight", config.family.name_of(name)))
            };
            let placement = config.norm_placement;
            let before = |x: &[f64], name: &'static str| match placement {
                NormPlacement::Before | NormPlacement::Both => norm(x, name),
                NormPlacement::After => x.to_vec(),
            };
            let after = |y: Vec<f64>, name: &'static str| match placement {
                NormPlacement::Before => y,
                NormPlacement::After | NormPlacement::Both => norm(&y, name),
            };
            let (mut queries, mut gates, mut keys, mut values) = (vec![], vec![], vec![], vec![]);
            let (query_len, kv_len) = (config.heads * dim, config.kv_heads * dim);
            let has_attention = config.attention_layers.contains(&layer);
            let mut outputs: Vec<Vec<f64>> = vec![];
            if !has_attention {
                let rows: Vec<_> = stream.iter().map(|x| before(x, "input_layernorm")).collect();
                outputs = match (&config.delta, &config.convolution) {
                    (Some(delta), _) => self.delta_network(layer, delta, &rows),
                    (_, convolution) => self.short_convolution(layer, convolution.unwrap().taps, &rows),
                };
            }
            for (position, x) in stream.iter().enumerate().filter(|_| has_attention) {
                let x = before(x, "input_layernorm");
                let [query, key, value] = if config.joint_projections {
                    let y = self.project(layer, Projection::QueryKeyValue, &x);
                    let (query, rest) = y.split_at(query_len);
                    let (key, value) = rest.split_at(kv_len);
                    [query, key, value].map(<[f64]>::to_vec)
                } else {
                    [Projection::Query, Projection::Key, Projection::Value].map(|part| self.project(layer, part, &x))
                };
                let heads = |mut y: Vec<f64>, name: &'static str| -> Vec<Vec<f64>> {
                    if config.head_norms == HeadNorms::All {
                        y = norm(&y, name);
                    }
                    let normed = |head: &[f64]| match config.head_norms {
                        HeadNorms::Each => norm(head, name),
                        HeadNorms::All | HeadNorms::None => head.to_vec(),
                    };
                    y.chunks(dim).map(|head| self.rotate(layer, &normed(head), position)).collect()
                };
                let (query, gate) = if config.output_gate {
                    let halves = |half: usize| query.chunks(dim).skip(half).step_by(2).flatten().copied().collect();
                    (halves(0), halves(1))
                } else {
                    (query, vec![])
                };
                queries.push(heads(query, "self_attn.q_norm"));
                gates.push(gate);
                keys.push(heads(key, "self_attn.k_norm"));
                values.push(value);
            }
            for position in (0..stream.len()).filter(|_| has_attention) {
                let mut attended = vec![];
                let first = (position + 1).saturating_sub(config.window_of(layer));
                for (head, query) in queries[position].iter().enumerate() {
                    let kv = head / (config.heads / config.kv_heads);
                    let score = |key: &Vec<Vec<f64>>| {
                        query.iter().zip(&key[kv]).map(|(q, k)| q * k).sum::<f64>() * f64::from(config.query_scale)
                    };
                    let p = softmax(&keys[first..=position].iter().map(score).collect::<Vec<_>>());
                    let sum = |k: usize| p.iter().zip(&values[first..]).map(|(p, v)| p * v[kv * dim + k]).sum::<f64>();
                    attended.extend((0..dim).map(sum));
                }
                attended.iter_mut().zip(&gates[position]).for_each(|(x, gate)| *x *= sigmoid(*gate));
                outputs.push(self.project(layer, Projection::Output, &attended));
            }
            for (x, output) in stream.iter_mut().zip(outputs) {
                let output = after(output, "post_attention_layernorm");
                x.iter_mut().zip(output).for_each(|(x, y)| *x += y);
                let name = match placement {
                    NormPlacement::Both => "pre_feedforward_layernorm",
                    _ => "post_attention_layernorm",
                };
                let normed = before(x, name);
                let output = match config.experts_of(layer) {
                    None => self.feed_forward(layer, &normed),
                    Some(experts) => self.experts(layer, experts, &normed),
                };
                let output = after(output, "post_feedforward_layernorm");
                x.iter_mut().zip(output).for_each(|(x, y)| *x += y);
            }
        }
        let head = self.tensor(if config.tie_word_embeddings { "model.embed_tokens.weight" } else { "lm_head.weight" });
        let logits = |x: &Vec<f64>| {
            let x = self.norm(x, config.family.name_of("model.norm.weight"));
            head.chunks(x.len()).map(|row| row.iter().zip(&x).map(|(w, x)| w * x).sum()).collect()
        };
        stream.iter().map(logits).collect()
    }

    /// Returns logprob and entropy of each scored token.
    pub(super) fn scores(&self, tokens: &[u32], scored: &[bool]) -> Vec<(f64, f64)> {
        let logits = self.logits(tokens);
        let score = |t: usize| {
            let p = softmax(&logits[t - 1]);
            (p[tokens[t] as usize].ln(), -p.iter().map(|p| p * p.ln()).sum::<f64>())
        };
        (0..tokens.len()).filter(|t| scored[*t]).map(score).collect()
    }
}
