//! Suggestions for unknown names.

/// Maximum length of a compared name: the time of a comparison grows with the square of the length.
const MAX_WORD: usize = 64;

/// Returns the name most similar to `unknown`: at most one letter in four differs, ignoring case and separators.
pub fn nearest<'a>(unknown: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if unknown.len() > MAX_WORD {
        return None;
    }
    let unknown = letters(unknown);
    let distance = |name: &'a str| {
        let known = letters(name);
        let distance = strsim::osa_distance(&unknown, &known);
        (4 * distance <= unknown.len().max(known.len())).then_some((distance, name))
    };
    names.into_iter().filter_map(distance).min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the suggestion for an unknown name, as the end of a sentence.
pub fn instead<'a>(unknown: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(name) = nearest(unknown, names.clone()) {
        return format!("did you mean `{name}`?");
    }
    let names: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.is_empty() {
        true => "leave it out".to_owned(),
        false => format!("known are {}", names.join(", ")),
    }
}

/// Returns an unknown name for a message: cut to 64 characters, without control characters.
pub fn shown(unknown: &str) -> String {
    let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let mut text: String = unknown.chars().take(MAX_WORD).map(printable).collect();
    if unknown.chars().nth(MAX_WORD).is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 8] =
        ["learning_rate", "loss_fn", "max_tokens", "min_tokens", "n", "stop", "temperature", "top_p"];

    #[test]
    fn a_slip_finds_the_name_that_was_meant() {
        for (slip, meant) in [
            ("learning_rat", "learning_rate"),
            ("laerning_rate", "learning_rate"),
            ("learningRate", "learning_rate"),
            ("LEARNING-RATE", "learning_rate"),
            ("temprature", "temperature"),
            ("max_token", "max_tokens"),
            ("max_new_tokens", "max_tokens"),
            ("lossfn", "loss_fn"),
            ("top_a", "top_p"),
            ("stops", "stop"),
        ] {
            assert_eq!(nearest(slip, NAMES), Some(meant), "{slip}");
        }
    }

    #[test]
    fn other_names_are_no_slips() {
        for other in ["", "k", "store", "future_option", "nvext", "☃", &"learning_rate".repeat(1000)] {
            assert_eq!(nearest(other, NAMES), None, "{other}");
        }
        assert_eq!(instead("x", ["a", "b"]), "known are `a`, `b`");
        assert_eq!(instead("x", []), "leave it out");
    }

    #[test]
    fn suggestions_are_short_and_printable() {
        assert_eq!(shown("a\u{1}b\nc"), "a\u{fffd}b\u{fffd}c");
        assert_eq!(shown(&"é".repeat(100)).chars().count(), 65);
    }
}
