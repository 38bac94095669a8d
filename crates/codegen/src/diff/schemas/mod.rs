//! Comparison of schemas by the direction of their values.
//!
//! Two rules decide every verdict. A request must not accept less, because clients send it. A response must not return
//! more, because clients must be able to read it.

mod limits;
mod objects;
mod overlap;
mod shape;
mod unions;
mod values;

use std::collections::{HashMap, HashSet};

use crate::diff::document::Node;
use crate::diff::schemas::shape::Shape;
use crate::diff::{Comparison, Severity};
use crate::ir::schema::Direction;

/// Change of the set of allowed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Fewer values.
    Narrowed,
    /// More values.
    Widened,
    /// Other values.
    Altered,
}

/// Two schemas, each the conjunction of one or more nodes, and a direction.
type Pair = (String, String, Direction);

/// State of the walk over schemas: it terminates on recursive schemas and compares no pair twice.
#[derive(Default)]
pub(super) struct Memory<'a> {
    /// Pairs not yet compared. A list instead of recursion, because a chain of references can be longer than the stack.
    pending: Vec<(Vec<Node<'a>>, Vec<Node<'a>>, Direction)>,
    seen: HashSet<Pair>,
    same: HashMap<Pair, bool>,
}

fn pair(old: &[Node<'_>], new: &[Node<'_>], direction: Direction) -> Pair {
    let name = |nodes: &[Node<'_>]| {
        nodes
            .iter()
            .map(|node| format!("{}{}", node.pointer, if node.value == true { "?" } else { "" }))
            .collect::<Vec<_>>()
            .join(" ")
    };
    (name(old), name(new), direction)
}

impl<'a> Comparison<'a> {
    /// Queues the comparison of two schemas. Several nodes form one schema that must satisfy all of them, as under
    /// `allOf`.
    pub(super) fn schema(&mut self, old: &[Node<'a>], new: &[Node<'a>], direction: Direction) {
        if self.schemas.seen.insert(pair(old, new, direction)) {
            self.schemas.pending.push((old.to_vec(), new.to_vec(), direction));
        }
    }

    /// Compares the queued schemas, and those that these comparisons queue.
    pub(super) fn pending_schemas(&mut self) {
        while let Some((old, new, direction)) = self.schemas.pending.pop() {
            self.compare_schemas(&old, &new, direction);
        }
    }

    fn compare_schemas(&mut self, old: &[Node<'a>], new: &[Node<'a>], direction: Direction) {
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
            let flag = |shape: &Shape<'_>| shape.all(key).iter().any(|node| node.value == true);
            if flag(&older) != flag(&newer) {
                let reason = "it travels this way as before";
                self.safe(newer.node(key), "one-way", format!("`{key}` changed"), reason);
            }
        }
        for key in older.other_keywords(&newer) {
            self.keyword(key, older.first(key), newer.first(key));
        }
    }

    /// Returns whether two schemas allow the same values, documentation ignored. It adds no findings.
    fn same(&mut self, old: &[Node<'a>], new: &[Node<'a>], direction: Direction) -> bool {
        let pair = pair(old, new, direction);
        if let Some(same) = self.schemas.same.get(&pair) {
            return *same;
        }
        // Assumes that a recursive schema equals another, unless another difference is found.
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

    /// Adds a finding for a change of the allowed values.
    fn judge(
        &mut self,
        direction: Direction,
        change: Change,
        at: &Node<'a>,
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
