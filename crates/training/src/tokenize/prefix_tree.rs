//! Prefix tree of a rollout's sampled tokens: each token is trained once for each prefix that leads to it.

use std::collections::HashMap;

use super::TokenizedSequence;

/// A token after its prefix.
#[derive(Debug, Clone, Copy)]
struct Node {
    id: usize,
    /// Logprob at sampling time; `None` for context.
    sampled: Option<f32>,
    /// Whether a sequence already trains the token.
    claimed: bool,
}

/// Prefix tree of token ids.
#[derive(Debug, Default)]
pub(super) struct PrefixTree {
    /// Nodes by the id of their parent and their token. Id 0 is the root, which has no node.
    nodes: HashMap<(usize, u32), Node>,
}

impl PrefixTree {
    /// Adds tokens sampled after a prompt. If a token was sampled twice after one prefix, the first sample with a
    /// logprob counts.
    pub(super) fn add(&mut self, prompt: &[u32], ids: &[u32], logprobs: &[f32]) {
        let mut at = 0;
        for token in prompt {
            at = self.step(at, *token).id;
        }
        for (token, logprob) in ids.iter().zip(logprobs) {
            let node = self.step(at, *token);
            if node.sampled.is_none_or(f32::is_nan) {
                node.sampled = Some(*logprob);
            }
            at = node.id;
        }
    }

    fn step(&mut self, parent: usize, token: u32) -> &mut Node {
        let id = self.nodes.len() + 1;
        self.nodes.entry((parent, token)).or_insert(Node { id, sampled: None, claimed: false })
    }

    /// Returns the sequence that trains those sampled tokens of `tokens` that no earlier sequence trains, up to the
    /// last of them; `None` if there are none. A sequence of more than `max_length` tokens is not trained, so it leaves
    /// its tokens to later sequences.
    pub(super) fn claim(&mut self, tokens: &[u32], max_length: usize) -> Option<TokenizedSequence> {
        let mut sequence = TokenizedSequence::default();
        let (mut at, mut path, mut length) = (0, Vec::with_capacity(tokens.len()), 0);
        for (index, token) in tokens.iter().enumerate() {
            let key = (at, *token);
            let node = self.nodes.get(&key)?;
            // No token precedes the first one, so it cannot be trained.
            let trained = node.sampled.filter(|_| !node.claimed && index > 0);
            sequence.tokens.push(*token);
            sequence.mask.push(trained.is_some());
            sequence.logprobs.push(trained.unwrap_or(f32::NAN));
            at = node.id;
            path.push(key);
            if trained.is_some() {
                length = index + 1;
            }
        }
        sequence.tokens.truncate(length);
        sequence.mask.truncate(length);
        sequence.logprobs.truncate(length);
        if length <= max_length {
            for (key, _) in path.iter().zip(&sequence.mask).filter(|(_, trained)| **trained) {
                self.nodes.entry(*key).and_modify(|node| node.claimed = true);
            }
        }
        (length > 0).then_some(sequence)
    }
}
