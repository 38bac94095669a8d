use proptest::prelude::*;

use super::*;

/// Splits a text into pieces of these character counts, and the rest.
pub(crate) fn pieces(text: &str, cuts: &[usize]) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut rest = characters.as_slice();
    let mut pieces = Vec::new();
    for &cut in cuts {
        let (piece, tail) = rest.split_at(cut.min(rest.len()));
        pieces.push(piece.iter().collect());
        rest = tail;
    }
    pieces.push(rest.iter().collect());
    pieces
}

fn run(stops: &[String], pieces: &[String]) -> (String, bool) {
    let mut matcher = StopMatcher::new(stops.to_vec(), false);
    let mut text = String::new();
    for piece in pieces {
        match matcher.push(piece) {
            Stopped::No(more) => text.push_str(&more),
            Stopped::Yes(last) => return (text + &last, true),
        }
    }
    (text + &matcher.finish(), false)
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn nothing_of_a_stop_text_leaks() {
    let mut matcher = StopMatcher::new(strings(&["END"]), false);
    assert_eq!(matcher.push("aE"), Stopped::No("a".to_owned()));
    assert_eq!(matcher.push("N"), Stopped::No(String::new()));
    assert_eq!(matcher.push("?E"), Stopped::No("EN?".to_owned()));
    assert_eq!(matcher.push("NDx"), Stopped::Yes(String::new()));
}

#[test]
fn a_stop_text_may_stay() {
    let mut matcher = StopMatcher::new(strings(&["END"]), true);
    assert_eq!(matcher.push("aEN"), Stopped::No("a".to_owned()));
    assert_eq!(matcher.push("Dx"), Stopped::Yes("END".to_owned()));
}

#[test]
fn the_first_complete_stop_wins() {
    assert_eq!(run(&strings(&["abcd", "bc", "c"]), &strings(&["xabcd"])), ("xa".to_owned(), true));
    assert_eq!(run(&strings(&["ab"]), &strings(&["xa"])), ("xa".to_owned(), false));
    assert_eq!(run(&[], &strings(&["xa", "b"])), ("xab".to_owned(), false));
}

proptest! {
    #[test]
    fn any_split_gives_the_same(
        text in "[abé☃]{0,24}",
        stops in prop::collection::vec("[abé☃]{0,4}", 0..4),
        cuts in prop::collection::vec(1usize..4, 0..24),
    ) {
        let pieces = pieces(&text, &cuts);
        let single: Vec<String> = text.chars().map(String::from).collect();
        let whole = run(&stops, std::slice::from_ref(&text));
        prop_assert_eq!(&run(&stops, &pieces), &whole);
        prop_assert_eq!(&run(&stops, &single), &whole);
        prop_assert!(text.starts_with(&whole.0));
        for stop in stops.iter().filter(|stop| !stop.is_empty()) {
            prop_assert!(!whole.0.contains(stop.as_str()), "{stop:?} leaked into {:?}", whole.0);
        }
    }
}
