//! Merges of a vocabulary, in the order in which they are applied.

use std::borrow::Cow;
use std::collections::HashMap;

/// Length in bytes of the longest token that merges make. Published vocabularies have a tenth; each token is cut at each of its
/// characters, which takes time that grows with the square of its length.
const MAX_LENGTH: usize = 1024;

/// Returns the merges that have two parts and make a token of tokens. A file may have others, which no text reaches.
pub(super) fn known<'a>(merges: &[&'a str], ids: &HashMap<Cow<'_, str>, usize>) -> Vec<&'a str> {
    let mut whole = String::new();
    let mut is_known = |merge: &&str| {
        let Some((left, right)) = merge.split_once(' ').filter(|(_, right)| !right.contains(' ')) else { return false };
        whole.clear();
        whole.extend([left, right]);
        [left, right, whole.as_str()].iter().all(|part| ids.contains_key(*part))
    };
    merges.iter().copied().filter(|merge| is_known(merge)).collect()
}

/// Returns the merges of a vocabulary with scores: each cut of a token into two, the highest score first. Of one token's, the
/// one with the longest left part comes first, as in `transformers`. Tokens for which `joined` is false have no part in any.
pub(super) fn by_score(
    tokens: &[Cow<'_, str>],
    ids: &HashMap<Cow<'_, str>, usize>,
    scores: &[f64],
    joined: &dyn Fn(usize) -> bool,
) -> Vec<String> {
    let is_part = |part: &str| ids.get(part).is_some_and(|id| joined(*id));
    let mut cuts = Vec::new();
    for (id, token) in tokens.iter().enumerate().filter(|(id, token)| token.len() <= MAX_LENGTH && joined(*id)) {
        for (at, _) in token.char_indices().skip(1) {
            let (left, right) = token.split_at(at);
            if is_part(left) && is_part(right) {
                cuts.push((scores[id], at, id));
            }
        }
    }
    cuts.sort_unstable_by(|(score, at, id), (other, other_at, other_id)| {
        other.total_cmp(score).then(other_at.cmp(at)).then(id.cmp(other_id))
    });
    let merge = |(_, at, id): (f64, usize, usize)| {
        let (left, right) = tokens[id].split_at(at);
        format!("{left} {right}")
    };
    cuts.into_iter().map(merge).filter(|merge| merge.matches(' ').count() == 1).collect()
}
