//! Comparison of unions: the correspondence of old and new alternatives, and their discriminators.

use std::collections::BTreeMap;

use crate::diff::Comparison;
use crate::diff::document::Node;
use crate::diff::schemas::overlap::are_disjoint;
use crate::diff::schemas::shape::Union;
use crate::diff::schemas::{Change, Shape};
use crate::ir::schema::Direction;

/// Returns the name of a schema for a message.
fn name(variant: &Node<'_>) -> String {
    match variant.component() {
        Some(name) => format!("`{name}`"),
        None => match (variant.text("title"), variant.value.get("type")) {
            (Some(title), _) => format!("`{title}`"),
            (None, Some(kind)) => format!("of type {}", kind.to_string().trim_matches('"')),
            (None, None) => "without a name".to_owned(),
        },
    }
}

impl<'a> Comparison<'a> {
    /// Compares a schema that became one alternative of several, or the reverse. Returns whether that was the change.
    pub(super) fn union_of_one(
        &mut self,
        old: &[Node<'a>],
        older: &Shape<'a>,
        newer: &Shape<'a>,
        new: &[Node<'a>],
        direction: Direction,
    ) -> bool {
        match (older.unions.is_empty(), newer.unions.is_empty()) {
            (true, false) if newer.is_only_a_union() => {
                let variants = &newer.unions[0].variants;
                let Some(kept) =
                    variants.iter().position(|variant| self.same(old, std::slice::from_ref(variant), direction))
                else {
                    return false;
                };
                for (_, variant) in variants.iter().enumerate().filter(|(index, _)| *index != kept) {
                    self.variant_added(variant, &newer.unions[0], std::slice::from_ref(&variants[kept]), direction);
                }
                true
            }
            (false, true) if older.is_only_a_union() => {
                let variants = &older.unions[0].variants;
                let Some(kept) =
                    variants.iter().position(|variant| self.same(std::slice::from_ref(variant), new, direction))
                else {
                    return false;
                };
                for (_, variant) in variants.iter().enumerate().filter(|(index, _)| *index != kept) {
                    self.variant_removed(variant, direction);
                }
                true
            }
            _ => false,
        }
    }

    /// Judges a new alternative of `union`, beside those that it had before.
    fn variant_added(&mut self, variant: &Node<'a>, union: &Union<'a>, others: &[Node<'a>], direction: Direction) {
        // A discriminator selects one alternative, so several cannot match.
        let exactly_one = union.exclusive && union.discriminator.is_none() && direction == Direction::Request;
        let overlaps = |other: &&Node<'a>| !are_disjoint(std::slice::from_ref(variant), std::slice::from_ref(*other));
        if let Some(other) = others.iter().filter(|_| exactly_one).find(overlaps) {
            let message = format!("the alternative {} is new and overlaps with the one {}", name(variant), name(other));
            let reason = "exactly one alternative may match, so clients that send a value that fits both are refused";
            return self.breaking(variant, "alternative-overlaps", message, reason);
        }
        let message = format!("the alternative {} is new", name(variant));
        self.judge(direction, Change::Widened, variant, "alternative-added", message);
    }

    fn variant_removed(&mut self, variant: &Node<'a>, direction: Direction) {
        let message = format!("the alternative {} is gone", name(variant));
        self.judge(direction, Change::Narrowed, variant, "alternative-removed", message);
    }

    pub(super) fn unions(&mut self, old: &Shape<'a>, new: &Shape<'a>, direction: Direction) {
        for (older, newer) in old.unions.iter().zip(&new.unions) {
            self.union(older, newer, direction);
        }
        for added in new.unions.iter().skip(old.unions.len()) {
            let message = "the value must be one of several alternatives now";
            self.judge(direction, Change::Narrowed, &added.at, "alternatives-added", message);
        }
        for removed in old.unions.iter().skip(new.unions.len()) {
            let message = "the value need not be one of the alternatives any more";
            self.judge(direction, Change::Widened, &removed.at, "alternatives-removed", message);
        }
    }

    fn union(&mut self, old: &Union<'a>, new: &Union<'a>, direction: Direction) {
        match (old.exclusive, new.exclusive) {
            (false, true) => {
                let message = "`anyOf` became `oneOf`: a value may fit one alternative only";
                self.judge(direction, Change::Narrowed, &new.at, "alternatives-exclusive", message);
            }
            (true, false) => {
                let message = "`oneOf` became `anyOf`: a value may fit several alternatives";
                self.judge(direction, Change::Widened, &new.at, "alternatives-inclusive", message);
            }
            _ => {}
        }
        self.discriminators(old, new, direction);
        let mut gone: Vec<&Node<'a>> = old.variants.iter().collect();
        let mut come: Vec<&Node<'a>> = new.variants.iter().collect();
        // Pairs alternatives by discriminator value, then by name, then by meaning; finally the last one on each side.
        if let (Some(older), Some(newer)) = (mapping(old), mapping(new)) {
            for (value, target) in &older {
                let Some(now) = newer.get(value) else { continue };
                self.pair_up(&mut gone, &mut come, direction, |one, other, _| {
                    one.pointer == *target && other.pointer == *now
                });
            }
        }
        self.pair_up(&mut gone, &mut come, direction, |one, other, _| {
            one.component().is_some_and(|name| other.component() == Some(name))
        });
        self.pair_up(&mut gone, &mut come, direction, |one, other, comparison| {
            comparison.same(std::slice::from_ref(one), std::slice::from_ref(other), direction)
        });
        if gone.len() == 1 && come.len() == 1 {
            self.pair_up(&mut gone, &mut come, direction, |_, _, _| true);
        }
        for variant in gone {
            self.variant_removed(variant, direction);
        }
        let kept = |variant: &&Node<'a>| !come.iter().any(|added| added.pointer == variant.pointer);
        let others: Vec<Node<'a>> = new.variants.iter().filter(kept).cloned().collect();
        for variant in come {
            self.variant_added(variant, new, &others, direction);
        }
    }

    /// Removes the variants that correspond from both lists and compares them.
    fn pair_up(
        &mut self,
        gone: &mut Vec<&Node<'a>>,
        come: &mut Vec<&Node<'a>>,
        direction: Direction,
        belong: impl Fn(&Node<'a>, &Node<'a>, &mut Self) -> bool,
    ) {
        let mut index = 0;
        while let Some(older) = gone.get(index).copied() {
            match come.iter().position(|newer| belong(older, newer, self)) {
                Some(position) => {
                    let newer = come.remove(position);
                    gone.remove(index);
                    self.schema(std::slice::from_ref(older), std::slice::from_ref(newer), direction);
                }
                None => index += 1,
            }
        }
    }

    fn discriminators(&mut self, old: &Union<'a>, new: &Union<'a>, direction: Direction) {
        const RULE: &str = "discriminator";
        let (older, newer) = match (&old.discriminator, &new.discriminator) {
            (None, None) => return,
            (None, Some(newer)) => {
                let message = "a property tells the alternatives apart now";
                return self.judge(direction, Change::Narrowed, newer, RULE, message);
            }
            (Some(older), None) => {
                let message = "no property tells the alternatives apart any more";
                return self.judge(direction, Change::Widened, older, RULE, message);
            }
            (Some(older), Some(newer)) => (older, newer),
        };
        if older.text("propertyName") != newer.text("propertyName") {
            let property = |node: &Node<'a>| node.text("propertyName").unwrap_or_default().to_owned();
            let message = format!(
                "the property that tells the alternatives apart went from `{}` to `{}`",
                property(older),
                property(newer)
            );
            self.judge(direction, Change::Altered, &newer.child_or_self("propertyName"), RULE, message);
        }
        let (before, after) = (mapping(old).unwrap_or_default(), mapping(new).unwrap_or_default());
        for (value, target) in &before {
            let Some(now) = after.get(value) else {
                let message = format!("`{value}` no longer names an alternative");
                let reason = "programs that send it, or tell by it, do not find their alternative";
                self.breaking(&older.child_or_self("mapping"), RULE, message, reason);
                continue;
            };
            // Alternatives are compared by their schemas; any other target must stay the same.
            let is_alternative =
                |union: &Union<'a>, pointer: &String| union.variants.iter().any(|variant| variant.pointer == *pointer);
            if target != now && !(is_alternative(old, target) && is_alternative(new, now)) {
                let message = format!("`{value}` names another schema");
                self.judge(direction, Change::Altered, &newer.child_or_self("mapping"), RULE, message);
            }
        }
        for value in after.keys().filter(|value| !before.contains_key(*value)) {
            let message = format!("`{value}` names an alternative now");
            self.judge(direction, Change::Widened, &newer.child_or_self("mapping"), RULE, message);
        }
        self.rest(older, newer, &["propertyName", "mapping"]);
    }
}

/// Returns the discriminator value of each alternative and the pointer of its schema: from the document's mapping, or
/// else by the name of the component.
fn mapping(union: &Union<'_>) -> Option<BTreeMap<String, String>> {
    let discriminator = union.discriminator.as_ref()?;
    let mut mapping = BTreeMap::new();
    for (value, target) in discriminator.map("mapping") {
        let target = target.value.as_str().unwrap_or_default();
        let pointer = match target.strip_prefix('#') {
            Some(pointer) => pointer.to_owned(),
            None => format!("/components/schemas/{target}"),
        };
        mapping.insert(value, pointer);
    }
    for variant in &union.variants {
        if let Some(name) = variant.component()
            && !mapping.values().any(|pointer| *pointer == variant.pointer)
        {
            mapping.insert(name, variant.pointer.clone());
        }
    }
    Some(mapping)
}
