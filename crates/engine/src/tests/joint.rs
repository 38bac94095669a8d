//! Tests of joint projections against a model of another family with the same matrices, each on its own.

use super::*;
use crate::config::Family;
use crate::generate::{BatchRow, Decoder};
use crate::model::Projection;
use crate::train::{AdamState, Scores, SequenceInput, TrainSession};

const LENGTH: usize = 90;
/// Joint projections, and the projections with their rows, in order.
const JOINT: [(Projection, &[Projection]); 2] = [
    (Projection::QueryKeyValue, &[Projection::Query, Projection::Key, Projection::Value]),
    (Projection::GateUp, &[Projection::Gate, Projection::Up]),
];

/// Returns the parts of a joint projection's rows, each of `width` values.
fn parts<'a>(
    config: &ModelConfig,
    projections: &'a [Projection],
    rows: &'a [f32],
    width: usize,
) -> impl Iterator<Item = (Projection, &'a [f32])> {
    let layout = crate::model::Layout::new(config);
    let mut rest = rows;
    projections.iter().map(move |projection| {
        let (part, tail) = rest.split_at(projection.output(&layout).len() * width);
        rest = tail;
        (*projection, part)
    })
}

/// Returns the bits of all logits.
fn logits(pool: &Arc<ComputePool>, base: &Arc<BaseModel>, adapter: Adapter, tokens: &[u32]) -> Vec<Vec<u32>> {
    let mut decoder = Decoder::new(pool.clone(), base.clone(), 128);
    let (sequence, adapter) = (decoder.add_sequence(), Arc::new(adapter));
    let row = |position: usize| BatchRow {
        token: tokens[position],
        position,
        sequence,
        adapter: Some(&adapter),
        want_logits: true,
    };
    let logits = decoder.forward(&(0..tokens.len()).map(row).collect::<Vec<_>>()).unwrap();
    (0..logits.rows()).map(|row| logits.row(row).iter().map(|x| x.to_bits()).collect()).collect()
}

#[test]
fn they_compute_what_separate_ones_do() {
    let pool = ComputePool::new(2);
    let mut json = odd_config();
    json["model_type"] = "phi3".into();
    let joint_config = ModelConfig::from_json(&json.to_string()).unwrap();
    let tensors = random_tensors(&joint_config, 3);
    let joint_file = safetensors_file(&tensors);
    let joint_json = json.to_string();
    json["model_type"] = "llama".into();
    let config = ModelConfig::from_json(&json.to_string()).unwrap();
    let mut separate = Vec::new();
    for (name, shape, values) in tensors {
        match JOINT.iter().find(|(joint, _)| name.contains(joint.name(Family::Phi3))) {
            None => separate.push((name, shape, values)),
            Some((joint, projections)) => {
                for (projection, part) in parts(&config, projections, &values, shape[1]) {
                    let name = name.replace(joint.name(Family::Phi3), projection.name(config.family));
                    separate.push((name, vec![part.len() / shape[1], shape[1]], part.to_vec()));
                }
            }
        }
    }
    let file = safetensors_file(&separate);
    let (rank, tokens) = (5, tokens(LENGTH, 77, 4));
    let joint_adapter = random_adapter(&joint_config, rank, 7);
    let mut adapter = random_adapter(&config, rank, 8);
    for (layer, joint_layer) in adapter.layers_mut().iter_mut().zip(&joint_adapter.layers) {
        for projection in [Projection::Output, Projection::Down] {
            layer[projection as usize] = joint_layer[projection as usize].clone();
        }
        for (joint, projections) in JOINT {
            let factors = &joint_layer[joint as usize];
            for (projection, part) in parts(&config, projections, &factors.b, rank) {
                layer[projection as usize].a.clone_from(&factors.a);
                layer[projection as usize].b = part.to_vec();
            }
        }
    }
    for format in FORMATS {
        let joint_base = BaseModel::load(&joint_json, &[("model", &joint_file)], format, &pool).unwrap();
        let base = BaseModel::load(&json.to_string(), &[("model", &file)], format, &pool).unwrap();
        let expected = logits(&pool, &base, adapter.clone(), &tokens);
        assert!(logits(&pool, &joint_base, joint_adapter.clone(), &tokens) == expected, "{format}");

        let scored: Vec<bool> = (0..LENGTH).map(|position| position > 0).collect();
        let gradients = |base: Arc<BaseModel>, adapter: &Adapter| {
            let mut session = TrainSession::new(pool.clone(), base, adapter.clone(), AdamState::new(adapter));
            let mut ones = |scores: &[Scores]| vec![vec![1.0; scores[0].logprobs.len()]];
            session.forward_backward(&[SequenceInput { tokens: &tokens, scored: &scored }], &mut ones).unwrap();
            session.factor_gradients()
        };
        let (found, expected) = (gradients(joint_base, &joint_adapter), gradients(base, &adapter));
        // Sums in another order may be rounded to another bf16.
        let tolerance = if format == WeightFormat::F32 { 1e-4 } else { 1e-3 };
        for (found, expected) in found.iter().zip(&expected) {
            for (joint, projections) in JOINT {
                let found = &found[joint as usize];
                let expected: Vec<_> = projections.iter().map(|projection| &expected[*projection as usize]).collect();
                let b: Vec<f32> = expected.iter().flat_map(|factors| factors.b.iter().copied()).collect();
                let largest = b.iter().fold(0f32, |largest, x| largest.max(x.abs()));
                let apart = |x: &f32, y: &f32| (x - y).abs() / largest;
                assert!(
                    largest > 0.0 && found.b.iter().zip(&b).all(|(x, y)| apart(x, y) < tolerance),
                    "{format} {joint:?}"
                );
                // The gradient of the common A is the sum of those of its copies.
                let sum = |i: usize| expected.iter().map(|factors| factors.a[i]).sum::<f32>();
                let largest = found.a.iter().fold(0f32, |largest, x| largest.max(x.abs()));
                let close = |(i, x): (usize, &f32)| (x - sum(i)).abs() < tolerance * largest;
                assert!(largest > 0.0 && found.a.iter().enumerate().all(close), "{format} {joint:?}");
            }
        }
    }
}
