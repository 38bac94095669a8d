//! Schemas, judged by the way their values travel.
//!
//! Two rules give every verdict: what a request may hold must not become less, because clients send it; what a
//! response may hold must not become more, because clients have to read it.

mod limits;
mod objects;
mod shape;
mod unions;
mod values;

use std::collections::{HashMap, HashSet};

use super::{Comparison, Severity, document::Place};
use shape::Shape;

/// Which way a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Direction {
    /// From client to server.
    Request,
    /// From server to client.
    Response,
}

/// How the set of allowed values changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Fewer values.
    Narrowed,
    /// More values.
    Widened,
    /// Other values.
    Altered,
}

/// Two schemas, each the sum of one or more places, and a direction.
type Pair = (String, String, Direction);

/// What the walk over schemas remembers: it ends on recursive schemas, and looks at no pair twice.
#[derive(Default)]
pub(super) struct Memory<'a> {
    /// Found and not yet compared. A list, because a chain of references can be longer than the stack.
    pending: Vec<(Vec<Place<'a>>, Vec<Place<'a>>, Direction)>,
    seen: HashSet<Pair>,
    same: HashMap<Pair, bool>,
}

fn pair(old: &[Place<'_>], new: &[Place<'_>], direction: Direction) -> Pair {
    let name = |places: &[Place<'_>]| {
        places
            .iter()
            .map(|place| format!("{}{}", place.pointer, if place.value == true { "?" } else { "" }))
            .collect::<Vec<_>>()
            .join(" ")
    };
    (name(old), name(new), direction)
}

impl<'a> Comparison<'a> {
    /// Has two schemas compared. Several places are one schema that all of them have a say in, as under `allOf`.
    pub(super) fn schema(&mut self, old: &[Place<'a>], new: &[Place<'a>], direction: Direction) {
        if self.schemas.seen.insert(pair(old, new, direction)) {
            self.schemas.pending.push((old.to_vec(), new.to_vec(), direction));
        }
    }

    /// Compares the schemas that were found, and those found on the way.
    pub(super) fn pending_schemas(&mut self) {
        while let Some((old, new, direction)) = self.schemas.pending.pop() {
            self.compare_schemas(&old, &new, direction);
        }
    }

    fn compare_schemas(&mut self, old: &[Place<'a>], new: &[Place<'a>], direction: Direction) {
        let (older, newer) = (Shape::of(old), Shape::of(new));
        self.nullable(&older, &newer, direction);
        if self.union_of_one(old, &older, &newer, new, direction) || !self.types(&older, &newer, direction) {
            return;
        }
        self.formats(&older, &newer, direction);
        self.enumerations(&older, &newer, direction);
        self.limits(&older, &newer, direction);
        self.patterns(&older, &newer, direction);
        self.defaults(&older, &newer);
        self.objects(&older, &newer, direction);
        self.items(&older, &newer, direction);
        self.unions(&older, &newer, direction);
        self.negations(&older, &newer, direction);
        for key in ["readOnly", "writeOnly"] {
            let flag = |shape: &Shape<'_>| shape.all(key).iter().any(|place| place.value == true);
            if flag(&older) != flag(&newer) {
                let reason = "it travels this way as before";
                self.safe(newer.place(key), "one-way", format!("`{key}` changed"), reason);
            }
        }
        for key in older.other_keywords(&newer) {
            self.keyword(key, older.first(key), newer.first(key));
        }
    }

    /// Whether two schemas allow the same, words for people aside. Finds nothing.
    fn same(&mut self, old: &[Place<'a>], new: &[Place<'a>], direction: Direction) -> bool {
        let pair = pair(old, new, direction);
        if let Some(same) = self.schemas.same.get(&pair) {
            return *same;
        }
        // A recursive schema is the same as another when nothing else tells them apart.
        self.schemas.same.insert(pair.clone(), true);
        let mut attempt = Self::default();
        std::mem::swap(&mut attempt.schemas.same, &mut self.schemas.same);
        attempt.schema(old, new, direction);
        attempt.pending_schemas();
        std::mem::swap(&mut attempt.schemas.same, &mut self.schemas.same);
        let same = attempt.findings.iter().all(super::Finding::is_text);
        self.schemas.same.insert(pair, same);
        same
    }

    /// Gives the verdict on a change of the allowed values.
    fn judge(
        &mut self,
        direction: Direction,
        change: Change,
        at: &Place<'a>,
        rule: &'static str,
        message: impl Into<String>,
    ) {
        let (severity, reason) = match (direction, change) {
            (Direction::Request, Change::Narrowed) => {
                (Severity::Breaking, "clients that send what was allowed before are refused")
            }
            (Direction::Request, Change::Widened) => (Severity::Safe, "the server accepts all that it accepted before"),
            (Direction::Request, Change::Altered) => {
                (Severity::Breaking, "clients that send what was right before are refused or misunderstood")
            }
            (Direction::Response, Change::Narrowed) => {
                (Severity::Safe, "clients can already read everything that is still sent")
            }
            (Direction::Response, Change::Widened) => {
                (Severity::Breaking, "clients receive what they were told would never come")
            }
            (Direction::Response, Change::Altered) => {
                (Severity::Breaking, "clients that read by the old document cannot read the answer")
            }
        };
        self.find(severity, at, rule, message.into(), reason);
    }
}
