//! How the linter speaks: values in words, and the name that was probably meant.

use serde_json::Value;

/// "the number 3", "a list": what stands there.
pub fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => format!("the boolean {flag}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string {:?}", shortened(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A value as JSON, not longer than a line.
pub fn json(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", shortened(text)),
        Value::Array(items) if items.len() > 4 => format!("a list of {}", items.len()),
        Value::Object(map) if map.len() > 4 => format!("an object of {} keys", map.len()),
        Value::Array(items) => format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let entries: Vec<_> = map.iter().map(|(key, value)| format!("{key}: {}", json(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// At most forty characters of a text.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// "`a`, `b` or `c`".
pub fn either<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut words: Vec<_> = words.into_iter().map(|word| format!("`{word}`")).collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

/// The candidate that is one slip of the keyboard away from `word`, or two in a long word.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
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
        .filter(|candidate| candidate.len() <= LONGEST && *candidate != word)
        .map(|candidate| (distance(&lower, &candidate.to_lowercase().chars().collect::<Vec<_>>()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Letters to insert, remove, replace or swap with their neighbour (optimal string alignment).
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
