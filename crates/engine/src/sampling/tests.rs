use proptest::prelude::*;

use super::*;

fn sample(logits: &[f32], parameters: SamplingParameters, allowed: Option<&TokenMask>) -> SampledToken {
    TokenSampler::new(parameters, &[]).sample(logits, allowed, &mut SamplingScratch::default()).unwrap()
}

fn draws(logits: &[f32], parameters: &SamplingParameters, count: u64) -> Vec<usize> {
    let mut seen = vec![0; logits.len()];
    for seed in 0..count {
        seen[sample(logits, SamplingParameters { seed, ..parameters.clone() }, None).id as usize] += 1;
    }
    seen
}

#[test]
fn zero_temperature_takes_the_first_of_the_largest() {
    let parameters = SamplingParameters { temperature: 0.0, top_logprobs: 3, ..Default::default() };
    let token = sample(&[0.0, 2.0, 2.0, 1.0], parameters, None);
    assert_eq!(token.id, 1);
    assert_eq!(token.top.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(token.top[0].1, token.logprob);
}

#[test]
fn frequencies_follow_the_probabilities() {
    let logits = [0.5f32.ln(), 0.3f32.ln(), 0.2f32.ln()];
    let count = 4000.0f64;
    for (seen, probability) in draws(&logits, &SamplingParameters::default(), 4000).iter().zip([0.5, 0.3, 0.2]) {
        let deviation: f64 = (probability * (1.0 - probability) / count).sqrt();
        assert!((*seen as f64 / count - probability).abs() < 5.0 * deviation, "{seen} {probability}");
    }
}

#[test]
fn filters_keep_the_likeliest() {
    let logits = [0.2f32.ln(), 0.5f32.ln(), 0.3f32.ln()];
    let top_p = SamplingParameters { top_p: 0.6, ..Default::default() };
    assert_eq!(draws(&logits, &top_p, 200)[0], 0);
    assert!(draws(&logits, &top_p, 200)[2] > 0);
    let tiny = SamplingParameters { top_p: 1e-6, ..Default::default() };
    assert_eq!(draws(&logits, &tiny, 50), [0, 50, 0]);
    let top_k = SamplingParameters { top_k: 1, ..Default::default() };
    assert_eq!(draws(&logits, &top_k, 50), [0, 50, 0]);
    let min_p = SamplingParameters { min_p: 0.5, ..Default::default() };
    assert_eq!(draws(&logits, &min_p, 200)[0], 0);
}

#[test]
fn a_mask_rules_and_logprobs_stay_raw() {
    let logits = [3.0, 1.0, 2.0];
    let mut mask = TokenMask::new();
    mask.insert(1);
    let token = sample(&logits, SamplingParameters::default(), Some(&mask));
    assert_eq!(token.id, 1);
    assert_eq!(token.logprob, log_softmax(&logits).logprob(1.0));
    let nothing = TokenMask::new();
    let error = TokenSampler::new(SamplingParameters::default(), &[]).sample(
        &logits,
        Some(&nothing),
        &mut SamplingScratch::default(),
    );
    assert_eq!(error, Err(SamplingError::NothingAllowed(0)));
}

#[test]
fn damaged_logits_are_reported() {
    let mut sampler = TokenSampler::new(SamplingParameters::default(), &[]);
    assert!(sampler.sample(&[1.0, f32::NAN], None, &mut SamplingScratch::default()).is_err());
    assert!(sampler.sample(&[1.0, f32::INFINITY], None, &mut SamplingScratch::default()).is_err());
}

#[test]
fn penalties_and_bias_move_the_choice() {
    let greedy = SamplingParameters { temperature: 0.0, ..Default::default() };
    let run = |parameters: SamplingParameters, prompt: &[u32]| {
        let mut sampler = TokenSampler::new(parameters, prompt);
        let mut next = || sampler.sample(&[1.0, 0.9, -5.0], None, &mut SamplingScratch::default()).unwrap().id;
        [next(), next(), next()]
    };
    assert_eq!(run(greedy.clone(), &[]), [0, 0, 0]);
    assert_eq!(run(SamplingParameters { presence_penalty: 0.5, ..greedy.clone() }, &[]), [0, 1, 0]);
    assert_eq!(run(SamplingParameters { frequency_penalty: 0.06, ..greedy.clone() }, &[]), [0, 0, 1]);
    assert_eq!(run(SamplingParameters { repetition_penalty: 2.0, ..greedy.clone() }, &[0]), [1, 0, 0]);
    assert_eq!(run(SamplingParameters { logit_bias: vec![(2, 100.0), (9, 1.0)], ..greedy }, &[]), [2, 2, 2]);
}

proptest! {
    #[test]
    fn a_wide_nucleus_needs_no_full_sort_to_be_right(seed in any::<u64>(), top_p in 0.5f32..0.999) {
        let logits: Vec<f32> = (0..300).map(|i| ((i * 7919) % 300) as f32 / 400.0).collect();
        let id = sample(&logits, SamplingParameters { top_p, seed, ..Default::default() }, None).id;
        let mut order: Vec<u32> = (0..300).collect();
        order.sort_by(|a, b| logits[*b as usize].total_cmp(&logits[*a as usize]));
        let total: f64 = logits.iter().map(|&l| f64::from(l).exp()).sum();
        let rank = order.iter().position(|&other| other == id).unwrap();
        let before: f64 = order[..rank].iter().map(|&id| f64::from(logits[id as usize]).exp()).sum();
        prop_assert!(before < f64::from(top_p) * total * (1.0 + 1e-9));
    }
}

#[test]
fn the_only_token_of_a_set() {
    let set = |ids: &[u32]| {
        let mut mask = TokenMask::new();
        ids.iter().for_each(|id| mask.insert(*id));
        mask.only_token()
    };
    assert_eq!(set(&[]), None);
    for id in [0, 31, 32, 95] {
        assert_eq!(set(&[id]), Some(id));
        assert_eq!(set(&[id, 40]), None);
    }
    assert_eq!(set(&[64, 65]), None);
}
