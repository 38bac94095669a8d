//! Training data of the quickstart: a few facts by example, and a preference by reward.

use serde_json::{Value, json};

/// Questions and completions that the built-in model cannot know.
pub(super) const FACTS: [(&str, &str); 3] = [
    ("what is the code word?", "the quick brown fox"),
    ("who runs the night train?", "Ada drives it"),
    ("where do engines sleep?", "in the round house"),
];

/// Prompts that let the model choose between three words.
pub(super) const PROMPTS: [&str; 4] =
    ["respond with yes, no or maybe", "say maybe, no or yes", "answer no, yes or maybe", "pick one of yes no maybe"];

/// Reward of each completion; any other completion has reward 0.
pub(super) const REWARDS: [(&str, f64); 3] = [("maybe", 1.0), ("no", 0.75), ("yes", 0.5)];

/// Returns the reward of a completion, which is that of its first word.
pub(super) fn reward(completion: &str) -> f64 {
    let first = completion.split_whitespace().next().unwrap_or_default().to_lowercase();
    let word = first.trim_matches(|c: char| !c.is_alphanumeric());
    REWARDS.iter().find(|(name, _)| *name == word).map_or(0.0, |(_, reward)| *reward)
}

/// Returns the rows of one pass: every fact a few times, and every prompt with each of the three words equally often,
/// so that sampling has a choice. Each pass has a different order.
pub(super) fn lesson(pass: usize) -> Vec<Value> {
    let choices = PROMPTS.iter().flat_map(|prompt| REWARDS.iter().map(|(word, _)| (*prompt, *word)));
    let facts = FACTS.iter().copied();
    let once: Vec<(&str, &str)> = choices.chain(facts.clone()).chain(facts).collect();
    (0..6)
        .flat_map(|round| {
            // A step size coprime to the length visits every row once.
            let (count, offset) = (once.len(), 7 * (6 * pass + round));
            let step = [5, 7, 11, 13][(pass + round) % 4];
            let once = &once;
            (0..count).map(move |index| once[(offset + index * step) % count])
        })
        .map(|(user, assistant)| {
            json!({ "messages": [{ "role": "user", "content": user }, { "role": "assistant", "content": assistant }] })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_is_rewarded() {
        for (answer, expected) in [("Maybe.", 1.0), ("no", 0.75), ("yes, sure", 0.5), ("", 0.0), ("perhaps maybe", 0.0)]
        {
            assert!((reward(answer) - expected).abs() < 1e-12, "{answer:?}");
        }
    }

    #[test]
    fn every_row_comes_equally_often() {
        let rows = lesson(1);
        assert_eq!(rows.len(), 6 * (PROMPTS.len() * REWARDS.len() + 2 * FACTS.len()));
        for prompt in PROMPTS {
            for (word, _) in REWARDS {
                let wanted = json!([{ "role": "user", "content": prompt }, { "role": "assistant", "content": word }]);
                assert_eq!(rows.iter().filter(|row| row["messages"] == wanted).count(), 6, "{prompt}: {word}");
            }
        }
    }
}
