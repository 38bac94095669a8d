//! Tests of sequences computed together, against the same sequences one by one.

use proptest::prelude::*;

use super::*;
use crate::kernels::InstructionSet;
use crate::lora::{LayerFactors, present};
use crate::train::{AdamState, Scores, SequenceInput, TrainSession};

/// Tokens and scored marks.
type Sequence = (Vec<u32>, Vec<bool>);

fn session(pool: &Arc<ComputePool>, base: &Arc<BaseModel>) -> TrainSession {
    let adapter = random_adapter(&base.config, 3, 10);
    TrainSession::new(pool.clone(), base.clone(), adapter.clone(), AdamState::new(&adapter))
}

fn inputs(sequences: &[Sequence]) -> Vec<SequenceInput<'_>> {
    sequences.iter().map(|(tokens, scored)| SequenceInput { tokens, scored }).collect()
}

/// Returns a sequence that continues the first `shared` tokens of another.
fn branch(of: &Sequence, shared: usize, own: usize, seed: usize) -> Sequence {
    let mut own = tokens(own, 77, seed);
    // A token other than the one with which the other continues.
    if own.first().is_some_and(|first| of.0.get(shared) == Some(first)) {
        own[0] = (own[0] + 1) % 77;
    }
    let tokens = [&of.0[..shared], &own].concat();
    let scored = (0..tokens.len()).map(|position| position >= shared.max(1)).collect();
    (tokens, scored)
}

/// Returns sequences with forks at odd and even positions, within pages and between them; forks of forks; branches of
/// one token; prefixes of other sequences; equal sequences; several roots; and one without scored tokens.
fn forest() -> Vec<Sequence> {
    let root = branch(&(vec![], vec![]), 0, 150, 1);
    let mut scored_in_part = branch(&root, 77, 60, 2);
    scored_in_part.1.iter_mut().enumerate().for_each(|(position, scored)| *scored &= position % 3 != 0);
    let fork = branch(&scored_in_part, 101, 70, 3);
    let other = branch(&(vec![], vec![]), 0, 71, 4);
    let unscored = (tokens(20, 77, 5), vec![false; 20]);
    let longer = branch(&root, 150, 30, 6);
    vec![
        root.clone(),
        branch(&root, 64, 2, 7),
        branch(&root, 63, 90, 8),
        scored_in_part.clone(),
        fork.clone(),
        branch(&fork, 170, 2, 9),
        other.clone(),
        unscored,
        branch(&other, 1, 3, 10),
        scored_in_part,
        longer,
        branch(&root, 149, 1, 11),
        branch(&root, 149, 1, 12),
        branch(&root, 149, 2, 13),
        branch(&fork, 128, 65, 14),
        root,
    ]
}

fn bits(scores: &[Scores]) -> Vec<(Vec<u32>, Vec<u32>)> {
    let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect();
    scores.iter().map(|scores| (bits(&scores.logprobs), bits(&scores.entropies))).collect()
}

fn weight(sequence: usize, index: usize) -> f32 {
    ((sequence * 5 + index * 37) % 11) as f32 / 10.0 - 0.4
}

fn weights(first: usize, scores: &[Scores]) -> Vec<Vec<f32>> {
    let of_sequence = |(sequence, scores): (usize, &Scores)| {
        (0..scores.logprobs.len()).map(|index| weight(first + sequence, index)).collect()
    };
    scores.iter().enumerate().map(of_sequence).collect()
}

/// Returns scores and gradients, computed with all sequences together and one by one.
fn both_ways(mut session: TrainSession, sequences: &[Sequence]) -> ([Vec<Scores>; 2], [Vec<LayerFactors>; 2]) {
    let inputs = inputs(sequences);
    let together = session.forward_backward(&inputs, &mut |scores| weights(0, scores)).unwrap();
    let gradient = session.factor_gradients();
    session.zero_gradients();
    let mut alone = Vec::new();
    for (index, input) in inputs.iter().enumerate() {
        alone.extend(session.forward_backward(&[*input], &mut |scores| weights(index, scores)).unwrap());
    }
    ([together, alone], [gradient, session.factor_gradients()])
}

/// Returns the L2 norm of the difference of two gradients, relative to that of the gradient.
fn difference([found, expected]: &[Vec<LayerFactors>; 2]) -> f64 {
    let values = |layers: &[LayerFactors]| -> Vec<f64> {
        let factors = layers.iter().flatten().flat_map(|factors| factors.a.iter().chain(&factors.b));
        factors.map(|x| f64::from(*x)).collect()
    };
    let (found, expected) = (values(found), values(expected));
    let norm = |squares: &mut dyn Iterator<Item = f64>| squares.map(|x| x * x).sum::<f64>().sqrt();
    let apart = norm(&mut found.iter().zip(&expected).map(|(x, y)| x - y));
    if apart == 0.0 { 0.0 } else { apart / norm(&mut expected.into_iter()) }
}

#[test]
fn together_and_alone_are_the_same_to_the_bit() {
    let sequences = forest();
    for (model, format, config) in family_models() {
        let base = random_model_in(format, &config, 6, &ComputePool::new(1));
        let pool = ComputePool::new(2);
        let mut alone = session(&pool, &base);
        let expected: Vec<Scores> =
            inputs(&sequences).iter().flat_map(|input| alone.score(&[*input]).unwrap()).collect();
        let mut pools: Vec<_> = [1, 2, 3].map(ComputePool::new).into();
        pools.extend(InstructionSet::available().into_iter().map(|set| ComputePool::with_instruction_set(2, set)));
        for pool in pools {
            let mut together = session(&pool, &base);
            let plan = together.plan(&inputs(&sequences), true).unwrap();
            assert!(plan.unique_tokens * 2 < plan.tokens, "{plan:?}");
            let found = together.score(&inputs(&sequences)).unwrap();
            assert!(bits(&found) == bits(&expected), "{model}, {} threads", pool.threads());
            let found = together.forward_backward(&inputs(&sequences), &mut |scores| weights(0, scores)).unwrap();
            assert!(bits(&found) == bits(&expected), "{model}, {} threads, with the gradient", pool.threads());
        }
    }
}

#[test]
fn gradients_together_are_the_sum_of_those_alone() {
    let sequences = forest();
    let pool = ComputePool::new(2);
    for (model, format, config) in family_models() {
        let base = random_model_in(format, &config, 6, &pool);
        let (_, gradients) = both_ways(session(&pool, &base), &sequences);
        let apart = difference(&gradients);
        assert!(
            gradients[1].iter().flat_map(present).all(|(_, factors)| factors.a.iter().any(|x| *x != 0.0)),
            "{model}"
        );
        // Rounding to bf16 between layers magnifies the last bit of a sum.
        let limit = if format == WeightFormat::F32 { 2e-6 } else { 1e-2 };
        assert!(apart < limit, "{model}: {apart}");
    }
}

#[test]
fn gradients_together_do_not_depend_on_threads_or_memory() {
    let sequences = forest();
    for (model, format, config) in family_models() {
        let base = random_model_in(format, &config, 6, &ComputePool::new(1));
        let gradient = |pool: Arc<ComputePool>, state_limit| {
            let mut session = session(&pool, &base);
            session.set_state_limit(state_limit);
            session.forward_backward(&inputs(&sequences), &mut |scores| weights(0, scores)).unwrap();
            session.factor_gradients()
        };
        let expected = gradient(ComputePool::new(1), usize::MAX);
        for threads in [2, 3, 7] {
            assert!(gradient(ComputePool::new(threads), usize::MAX) == expected, "{model}, {threads} threads");
        }
        assert!(gradient(ComputePool::new(2), 0) == expected, "{model} with layers computed twice");
        for set in InstructionSet::available() {
            let found = gradient(ComputePool::with_instruction_set(2, set), usize::MAX);
            assert!(found == expected, "{model}, {}", set.name());
        }
    }
}

#[test]
fn memory_is_planned_for_every_family() {
    let pool = ComputePool::new(2);
    let sequences = forest();
    for (model, format, config) in family_models() {
        let mut session = session(&pool, &random_model_in(format, &config, 6, &pool));
        for gradient in [false, true] {
            let plan = session.plan(&inputs(&sequences), gradient).unwrap();
            if gradient {
                session.forward_backward(&inputs(&sequences), &mut |scores| weights(0, scores)).unwrap();
            } else {
                session.score(&inputs(&sequences)).unwrap();
            }
            let taken = session.taken_bytes();
            // The plan of other formats has the rounded factors too, which are the threads' memory.
            let is_close = format != WeightFormat::F32 || plan.bytes < taken * 5 / 4;
            assert!(taken <= plan.bytes && is_close, "{model}: {taken} {plan:?}");
        }
    }
}

#[test]
fn memory_is_kept_from_call_to_call_and_follows_different_tokens() {
    let pool = ComputePool::new(2);
    let base = random_model(&odd_config(), 6, &pool);
    let mut session = session(&pool, &base);
    let sequences = forest();
    let root = sequences[0].clone();
    let plan = session.plan(&inputs(&sequences), true).unwrap();
    assert_eq!(
        plan.tokens,
        sequences
            .iter()
            .map(|(tokens, scored)| { if scored.contains(&true) { tokens.len() - 1 } else { 0 } })
            .sum::<usize>()
    );
    session.forward_backward(&inputs(&sequences), &mut |scores| weights(0, scores)).unwrap();
    let taken = session.taken_bytes();
    assert!(taken <= plan.bytes && plan.bytes < taken * 5 / 4, "{taken} {plan:?}");
    session.forward_backward(&inputs(&sequences[2..]), &mut |scores| weights(0, scores)).unwrap();
    assert_eq!(session.taken_bytes(), taken);
    let copies = vec![root.clone(); 20];
    let (once, often) = (session.plan(&inputs(&[root]), true).unwrap(), session.plan(&inputs(&copies), true).unwrap());
    assert_eq!((once.bytes, once.unique_tokens), (often.bytes, often.unique_tokens));
    assert_eq!(often.tokens, 20 * once.tokens);
    // Sequences that do not fit are rejected with the numbers, before any work.
    let session = session.with_memory_limit(plan.bytes / 3);
    let rejection = session.plan(&inputs(&sequences), true).unwrap_err().to_string();
    assert!(
        rejection.contains("16 sequences of ") && rejection.contains(&format!("{}", plan.unique_tokens)),
        "{rejection}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Random trees over few tokens, so that sequences also coincide by chance.
    #[test]
    fn random_trees(
        forks in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1usize..80, 0usize..1000), 2..9),
        threads in 1usize..4,
    ) {
        let mut sequences: Vec<Sequence> = Vec::new();
        for (of, shared, own, seed) in forks {
            let empty = (vec![], vec![]);
            let of = if sequences.is_empty() { &empty } else { of.get(&sequences) };
            let mut next = branch(of, shared.index(of.0.len() + 1), own, seed);
            next.1.iter_mut().enumerate().for_each(|(position, scored)| *scored &= (position + seed) % 4 != 0);
            sequences.push(next);
        }
        let pool = ComputePool::new(threads);
        let base = random_model(&odd_config(), 6, &pool);
        let ([together, alone], gradients) = both_ways(session(&pool, &base), &sequences);
        prop_assert_eq!(bits(&together), bits(&alone));
        let apart = difference(&gradients);
        prop_assert!(apart < 1e-6, "{}", apart);
    }
}
