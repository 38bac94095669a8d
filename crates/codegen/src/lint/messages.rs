//! Message helpers of the linter: descriptions of values, and suggestions for names.

use serde_json::Value;

/// Returns the description of a value, such as "the number 3" or "a list".
pub(super) fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => format!("the boolean {flag}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string {:?}", shortened(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Returns a value as JSON, shortened to a line.
pub(super) fn json(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", shortened(text)),
        Value::Array(items) if items.is_empty() => "[]".to_owned(),
        Value::Object(map) if map.is_empty() => "{}".to_owned(),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(map) => format!("an object of {} keys", map.len()),
        scalar => scalar.to_string(),
    }
}

/// Returns at most forty characters of a text.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Returns "`a`, `b` or `c`".
pub(super) fn either<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut words: Vec<_> = words.into_iter().map(|word| format!("`{word}`")).collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

/// Returns the candidate within edit distance 1 of `word`, or 2 if the word is long.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const MAX_WORD: usize = 64;
    /// Maximum number of compared candidates: among more, a suggestion is unreliable and expensive.
    const MAX_CANDIDATES: usize = 300;
    if word.len() > MAX_WORD {
        return None;
    }
    let lower: Vec<char> = word.to_lowercase().chars().collect();
    let allowed = match lower.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= allowed + 1 && *candidate != word)
        .take(MAX_CANDIDATES)
        .map(|candidate| (distance(&lower, &candidate.to_lowercase().chars().collect::<Vec<_>>()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Returns the number of insertions, removals, replacements and swaps of neighbours (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut table = vec![0; (a.len() + 1) * width];
    for (i, row) in table.chunks_mut(width).enumerate() {
        row[0] = i;
    }
    for (j, cell) in table[..width].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (table[(i - 1) * width + j] + 1)
                .min(table[i * width + j - 1] + 1)
                .min(table[(i - 1) * width + j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(table[(i - 2) * width + j - 2] + 1);
            }
            table[i * width + j] = best;
        }
    }
    table[a.len() * width + b.len()]
}
