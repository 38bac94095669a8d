//! Tests of the memory that is computed from a shape, against models and sessions of that shape.

use super::*;
use crate::full;
use crate::kernels::InstructionSet;
use crate::memory::{ModelMemory, UnsharedSequences};
use crate::testing::random_weights;
use crate::train::{AdamState, SequenceInput, TrainSession, TrainingMethod};

#[test]
fn the_memory_of_a_shape_is_that_of_the_model() {
    // Small matrices gain nothing from compression.
    let set = InstructionSet::available().into_iter().find(|set| !set.compresses()).unwrap();
    let pool = ComputePool::with_instruction_set(2, set);
    for (name, format, json) in family_models() {
        let json = json.to_string();
        let config = ModelConfig::from_json(&json).unwrap();
        let file = random_weights(&config);
        let base = BaseModel::load(&json, &[("model.safetensors", &file)], format, &pool).unwrap();
        let memory = ModelMemory::new(&config, format, set, 2);
        let weights: usize = tensor_shapes(&config).iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
        assert_eq!(ModelMemory::parameters(&config), weights, "{name}");
        assert_eq!(memory.weights(), base.bytes(), "{name}");

        let options = LoraOptions { rank: 5, ..config.lora_options() };
        let adapter = Adapter::new(&config, &options, 1);
        let adam = AdamState::new(&adapter);
        let mut session = TrainSession::new(pool.clone(), base.clone(), adapter, adam);
        let scored: Vec<bool> = (0..40).map(|position| position > 0).collect();
        let tokens = [vec![0; 40], vec![1; 40]];
        let sequences = tokens.each_ref().map(|tokens| SequenceInput { tokens, scored: &scored });
        let (plan, found) = (session.plan(&sequences, true).unwrap(), memory.lora(&options, &sequences));
        assert_eq!(
            (found.sequence_bytes, found.recomputes, found.fits()),
            (plan.bytes, plan.recomputes, true),
            "{name}"
        );
        let unshared = memory.job(&TrainingMethod::Lora(options), &UnsharedSequences::new(&[40, 40], 300).inputs());
        assert_eq!(unshared, Some(found), "{name}");
        assert!(found.bytes > memory.weights() + memory.copies() + plan.bytes, "{name}");
        session.forward_backward(&sequences, &mut |scores| scores.iter().map(|_| vec![-1.0; 39]).collect()).unwrap();
        let with_copies = memory.weights() + memory.copies();
        // Experts that no token chose have no copies.
        let is_alike = if config.experts.is_some() { with_copies >= base.bytes() } else { with_copies == base.bytes() };
        assert!(is_alike, "{name}: {with_copies}, {}", base.bytes());

        match memory.full(&sequences[..1]) {
            None => assert!(config.experts.is_some()),
            Some(full) => assert!(full.bytes > memory.weights() + full::memory_needed(&config, format), "{name}"),
        }
        // A page of keys and values, and another.
        assert!(memory.serving(1, 65) - memory.serving(1, 64) >= 64 * memory.token(), "{name}");
    }
}
