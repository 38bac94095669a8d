//! Rust identifiers for whatever a document calls its things.

use std::collections::BTreeSet;

use heck::{ToPascalCase, ToSnakeCase};

/// Names that mean something else where the emitted code uses them as constructors.
const CONSTRUCTORS: [&str; 5] = ["Self", "Some", "None", "Ok", "Err"];

/// A type: PascalCase, never empty, never a keyword. Equal for texts that differ in case or punctuation.
pub fn type_name(text: &str) -> String {
    let name = legal(spelled(text).to_pascal_case(), 'N');
    if CONSTRUCTORS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// A variant: as a type, but always named together with its enum.
pub fn variant_name(text: &str) -> String {
    let name = legal(spelled(text).to_pascal_case(), 'N');
    if name == "Self" { format!("{name}_") } else { name }
}

/// A field, method or argument: snake_case, never empty, never a keyword.
pub fn field_name(text: &str) -> String {
    let name = legal(spelled(text).to_snake_case(), 'n');
    if syn::parse_str::<syn::Ident>(&name).is_err() { format!("{name}_") } else { name }
}

/// The text with words for what an identifier cannot hold but tells names apart.
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
    // Nothing but punctuation: its words are all there is.
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

/// `prefix` before a name that cannot start as it does.
fn legal(name: String, prefix: char) -> String {
    if name.starts_with(is_start) { name } else { format!("{prefix}{name}") }
}

fn is_start(character: char) -> bool {
    // `self` is the one word of which this is not true, and it is longer.
    character != '_' && syn::parse_str::<syn::Ident>(character.encode_utf8(&mut [0; 4])).is_ok()
}

/// Names given so far, of which each is given once.
#[derive(Clone, Debug, Default)]
pub struct Taken(BTreeSet<String>);

impl Taken {
    /// `name`, or `name` with the least number that makes it new.
    pub fn unique(&mut self, name: String) -> String {
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
