//! Rust identifiers for the names of a document.

use std::collections::BTreeSet;

use heck::{ToPascalCase, ToSnakeCase};

/// Names that the emitted code uses as constructors, with another meaning.
const CONSTRUCTORS: [&str; 5] = ["Self", "Some", "None", "Ok", "Err"];

/// Returns the name of a type: PascalCase, not empty, no keyword. Texts that differ only in case or punctuation have
/// the same name.
pub(crate) fn type_name(text: &str) -> String {
    let name = legal(spelled(text).to_pascal_case(), 'N');
    if CONSTRUCTORS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// Returns the name of a variant: like a type's, but it may equal a constructor, since it is always qualified by its
/// enum.
pub(crate) fn variant_name(text: &str) -> String {
    let name = legal(spelled(text).to_pascal_case(), 'N');
    if name == "Self" { format!("{name}_") } else { name }
}

/// Returns the name of a field, method or argument: snake_case, not empty, no keyword.
pub(crate) fn field_name(text: &str) -> String {
    let name = legal(spelled(text).to_snake_case(), 'n');
    if syn::parse_str::<syn::Ident>(&name).is_err() { format!("{name}_") } else { name }
}

/// Replaces characters that an identifier cannot contain by words, if they distinguish names.
fn spelled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let digit_after = |index: usize| text[index..].starts_with(|c: char| c.is_ascii_digit() || c == '.');
    for (index, character) in text.char_indices() {
        match character {
            '-' if index == 0 && digit_after(1) => out.push_str("minus "),
            '+' if digit_after(index + 1) || text.len() == 1 => out.push_str("plus "),
            '-' if index > 0 && digit_after(index + 1) && text[..index].ends_with(|c: char| c.is_ascii_digit()) => {
                out.push('_');
            }
            c if is_part(c) => out.push(c),
            _ => out.push(' '),
        }
    }
    if out.contains(|c: char| c.is_alphanumeric()) {
        return out;
    }
    // The text is punctuation only, so every character is spelt out.
    let words: Vec<_> = text.chars().take(8).map(word).collect();
    if words.is_empty() { "empty".to_owned() } else { words.join(" ") }
}

fn is_part(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    let mut buffer = [b'a'; 5];
    let length = 1 + character.encode_utf8(&mut buffer[1..]).len();
    std::str::from_utf8(&buffer[..length]).is_ok_and(|text| syn::parse_str::<syn::Ident>(text).is_ok())
}

fn word(character: char) -> String {
    let word = match character {
        '+' => "plus",
        '-' => "minus",
        '*' => "star",
        '/' => "slash",
        '<' => "less",
        '>' => "greater",
        '=' => "equal",
        '!' => "not",
        '?' => "question",
        '.' => "dot",
        ',' => "comma",
        ':' => "colon",
        ';' => "semicolon",
        '_' => "underscore",
        '%' => "percent",
        '&' => "and",
        '|' => "or",
        '#' => "hash",
        '@' => "at",
        '$' => "dollar",
        '~' => "tilde",
        '^' => "caret",
        ' ' => "space",
        '"' | '\'' => "quote",
        other => return format!("u{:x}", u32::from(other)),
    };
    word.to_owned()
}

/// Adds `prefix` to a name whose first character cannot start an identifier.
fn legal(name: String, prefix: char) -> String {
    if name.starts_with(is_start) { name } else { format!("{prefix}{name}") }
}

fn is_start(character: char) -> bool {
    // A single character is never a keyword.
    character != '_' && syn::parse_str::<syn::Ident>(character.encode_utf8(&mut [0; 4])).is_ok()
}

/// Set of names in use, for unique names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken(BTreeSet<String>);

impl Taken {
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Returns `name`, or `name` with the least number that makes it unique.
    pub(crate) fn unique(&mut self, name: String) -> String {
        if self.0.insert(name.clone()) {
            return name;
        }
        let stem = if name.ends_with(|c: char| c.is_ascii_digit()) { format!("{name}_") } else { name };
        let mut number = 2_usize;
        loop {
            let candidate = format!("{stem}{number}");
            if self.0.insert(candidate.clone()) {
                return candidate;
            }
            number += 1;
        }
    }
}
