//! Packed sequences of a reinforcement learning job. A request of many megabytes may have as many tokens.

use std::ops::Range;

use super::learner::Sequence;

/// One training sequence. `tokens` and `mask` have the same length.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainSequence {
    /// Token ids.
    pub tokens: Vec<u32>,
    /// Whether each token is trained; never true for the first.
    pub mask: Vec<bool>,
    /// Logprob of each trained token at sampling time; NaN where there is none.
    pub logprobs: Vec<f32>,
    /// Advantage of every trained token.
    pub advantage: f64,
    /// Weight of every trained token.
    pub weight: f64,
}

impl TrainSequence {
    /// Returns the number of trained tokens.
    pub fn trained_tokens(&self) -> usize {
        self.mask.iter().filter(|trained| **trained).count()
    }

    /// Returns the input of a learner.
    pub fn input(&self) -> Sequence<'_> {
        Sequence { tokens: &self.tokens, scored: &self.mask }
    }
}

/// Number, advantage and weight of a sequence's trained tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stake {
    /// Number of trained tokens.
    pub trained_tokens: usize,
    /// Advantage of each token.
    pub advantage: f64,
    /// Weight of each token.
    pub weight: f64,
}

/// Sequences in order, stored in two or three bytes per token and four per logprob.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrainSequences {
    /// Tokens of each sequence, and its logprobs where it has any.
    bytes: Vec<u8>,
    /// Offset of each sequence in `bytes`.
    starts: Vec<usize>,
    stakes: Vec<Stake>,
}

impl TrainSequences {
    /// Returns the number of sequences.
    pub fn len(&self) -> usize {
        self.stakes.len()
    }

    /// Returns the stakes of all sequences, in order.
    pub fn stakes(&self) -> &[Stake] {
        &self.stakes
    }

    /// Returns the stakes of all sequences for modification.
    pub fn stakes_mut(&mut self) -> &mut [Stake] {
        &mut self.stakes
    }

    /// Appends a sequence.
    pub fn push(&mut self, sequence: &TrainSequence) {
        self.starts.push(self.bytes.len());
        let tokens = sequence.tokens.iter().zip(&sequence.mask);
        self.number(sequence.tokens.len() as u64);
        for (token, trained) in tokens {
            self.number(u64::from(*token) << 1 | u64::from(*trained));
        }
        if sequence.logprobs.iter().any(|logprob| !logprob.is_nan()) {
            self.bytes.extend(sequence.logprobs.iter().flat_map(|logprob| logprob.to_le_bytes()));
        }
        let TrainSequence { advantage, weight, .. } = *sequence;
        self.stakes.push(Stake { trained_tokens: sequence.trained_tokens(), advantage, weight });
    }

    /// Returns an iterator over all sequences.
    pub fn iter(&self) -> impl Iterator<Item = TrainSequence> {
        self.range(0..self.len())
    }

    /// Returns an iterator over a range of the sequences.
    ///
    /// # Panics
    /// The range is out of bounds.
    pub fn range(&self, range: Range<usize>) -> impl Iterator<Item = TrainSequence> {
        range.map(|index| self.unpack(index))
    }

    fn unpack(&self, index: usize) -> TrainSequence {
        let end = self.starts.get(index + 1).copied().unwrap_or(self.bytes.len());
        let mut bytes = &self.bytes[self.starts[index]..end];
        let length = read_number(&mut bytes) as usize;
        let (mut tokens, mut mask) = (Vec::with_capacity(length), Vec::with_capacity(length));
        for _ in 0..length {
            let number = read_number(&mut bytes);
            tokens.push((number >> 1) as u32);
            mask.push(number & 1 == 1);
        }
        let Stake { trained_tokens, advantage, weight } = self.stakes[index];
        let (known, _) = bytes.as_chunks();
        let logprobs = match known {
            [] => vec![f32::NAN; trained_tokens],
            known => known.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        };
        TrainSequence { tokens, mask, logprobs, advantage, weight }
    }

    /// Appends a number in LEB128: seven bits per byte, lowest bits first.
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

fn read_number(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let [byte, rest @ ..] = *bytes {
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

impl FromIterator<TrainSequence> for TrainSequences {
    fn from_iter<T: IntoIterator<Item = TrainSequence>>(sequences: T) -> Self {
        let mut packed = Self::default();
        sequences.into_iter().for_each(|sequence| packed.push(&sequence));
        packed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    prop_compose! {
        fn sequence()(
            tokens in prop::collection::vec((any::<u32>(), any::<bool>()), 0..20),
            logprob in prop::option::of(any::<u32>().prop_map(f32::from_bits)),
            advantage in any::<f64>(),
            weight in any::<f64>(),
        ) -> TrainSequence {
            let (tokens, mask): (Vec<u32>, Vec<bool>) = tokens.into_iter().unzip();
            let trained = mask.iter().filter(|trained| **trained).count();
            // If there is one, the first token has it and the others have none.
            let logprob = |index: usize| logprob.filter(|_| index == 0).unwrap_or(f32::NAN);
            TrainSequence { logprobs: (0..trained).map(logprob).collect(), tokens, mask, advantage, weight }
        }
    }

    /// Returns a form of the sequence in which NaN equals itself.
    fn comparable(sequence: &TrainSequence) -> (Vec<u32>, Vec<bool>, Vec<Option<u32>>, [u64; 2]) {
        let logprobs = sequence.logprobs.iter().map(|logprob| (!logprob.is_nan()).then(|| logprob.to_bits()));
        let stake = [sequence.advantage.to_bits(), sequence.weight.to_bits()];
        (sequence.tokens.clone(), sequence.mask.clone(), logprobs.collect(), stake)
    }

    proptest! {
        #[test]
        fn packed_sequences_unpack_to_themselves(sequences in prop::collection::vec(sequence(), 0..6)) {
            let packed: TrainSequences = sequences.iter().cloned().collect();
            prop_assert_eq!(packed.len(), sequences.len());
            let back: Vec<_> = packed.iter().map(|sequence| comparable(&sequence)).collect();
            prop_assert_eq!(back, sequences.iter().map(comparable).collect::<Vec<_>>());
            for (stake, sequence) in packed.stakes().iter().zip(&sequences) {
                prop_assert_eq!(stake.trained_tokens, sequence.trained_tokens());
            }
        }
    }

    #[test]
    fn text_without_logprobs_takes_little() {
        let sequence = TrainSequence {
            tokens: (0..1000).map(|token| token % 8000).collect(),
            mask: vec![true; 1000],
            logprobs: vec![f32::NAN; 1000],
            advantage: 1.0,
            weight: 1.0,
        };
        let packed: TrainSequences = std::iter::once(sequence).collect();
        assert!(packed.bytes.len() <= 2002, "{}", packed.bytes.len());
    }
}
