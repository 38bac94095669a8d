//! Rules that every history must obey, whatever the network did.

use std::collections::{BTreeMap, BTreeSet};

/// Request of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A create under a key; the object belongs to `parent` if there is one.
    Create { key: String, parent: Option<String> },
    /// The removal of an object and of all that belongs to it.
    Delete { id: String },
    /// Whether an object is there.
    Read { id: String },
    /// The events of a job.
    Events { job: String },
    /// The checkpoints of a model.
    Checkpoints { model: String },
    /// The removal of a checkpoint.
    DeleteCheckpoint { model: String, step: u64 },
}

/// Response that the client received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Response {
    Created(String),
    /// Made, or there.
    Done,
    /// There is no such object.
    Absent,
    /// Each event in words, its id first.
    Events(Vec<String>),
    /// Step and id of each checkpoint.
    Checkpoints(Vec<(u64, String)>),
    /// The service rejected it for a reason of the request.
    Rejected,
    /// No response, or one that promises nothing.
    Unknown,
}

/// A request and its response. The moments of a history are numbers in the order of time.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub invoked: u64,
    pub returned: u64,
    pub operation: Operation,
    pub response: Response,
}

/// When an object may and must be there.
#[derive(Default)]
struct Life {
    /// Its first acknowledgement.
    created: Option<u64>,
    /// Its first removal that was asked for, and the first that was acknowledged.
    asked: Option<u64>,
    deleted: Option<u64>,
}

/// Violations of the rules in a history. `listed` has every object that exists at its end.
pub(crate) fn check(history: &[Entry], listed: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    creates(history, listed, &mut faults);
    existence(history, listed, &mut faults);
    events(history, &mut faults);
    checkpoints(history, &mut faults);
    faults
}

/// Each key creates one object, and there is no object that no key created.
fn creates(history: &[Entry], listed: &BTreeSet<String>, faults: &mut Vec<String>) {
    let mut made: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
    for entry in history {
        if let (Operation::Create { key, .. }, Response::Created(id)) = (&entry.operation, &entry.response) {
            made.entry(key).or_default().insert(id);
        }
    }
    for (key, ids) in made.iter().filter(|(_, ids)| ids.len() > 1) {
        faults.push(format!("{key} created {ids:?}"));
    }
    let known: BTreeSet<&String> = made.values().flatten().copied().collect();
    faults.extend(listed.iter().filter(|id| !known.contains(id)).map(|id| format!("nobody was told of {id}")));
}

fn earliest(moment: &mut Option<u64>, other: u64) {
    *moment = Some(moment.map_or(other, |moment| moment.min(other)));
}

/// An object is there from its acknowledgement to its removal, and never again.
fn existence(history: &[Entry], listed: &BTreeSet<String>, faults: &mut Vec<String>) {
    let mut parents: BTreeMap<&String, &String> = BTreeMap::new();
    let mut lives: BTreeMap<&String, Life> = BTreeMap::new();
    for entry in history {
        match (&entry.operation, &entry.response) {
            (Operation::Create { parent, .. }, Response::Created(id)) => {
                earliest(&mut lives.entry(id).or_default().created, entry.returned);
                parents.extend(parent.as_ref().map(|parent| (id, parent)));
            }
            (Operation::Delete { id }, response) => {
                let life = lives.entry(id).or_default();
                earliest(&mut life.asked, entry.invoked);
                // It was removed before, by a request whose response was lost.
                if matches!(response, Response::Done | Response::Absent) {
                    earliest(&mut life.deleted, entry.returned);
                }
            }
            _ => {}
        }
    }
    // What is seen to be gone has been removed.
    for entry in history {
        if let (
            Operation::Read { id } | Operation::Events { job: id } | Operation::Checkpoints { model: id },
            Response::Absent,
        ) = (&entry.operation, &entry.response)
        {
            earliest(&mut lives.entry(id).or_default().deleted, entry.returned);
        }
    }
    let span = |id: &String| {
        let lives = [Some(id), parents.get(id).copied()].map(|id| id.and_then(|id| lives.get(id)));
        let first = |moment: fn(&Life) -> Option<u64>| lives.iter().flatten().filter_map(|life| moment(life)).min();
        (lives[0].and_then(|life| life.created), first(|life| life.asked), first(|life| life.deleted))
    };
    for entry in history {
        let (Operation::Read { id } | Operation::Events { job: id } | Operation::Checkpoints { model: id }) =
            &entry.operation
        else {
            continue;
        };
        let (created, asked, deleted) = span(id);
        match &entry.response {
            Response::Absent if created.is_some_and(|created| created < entry.invoked) => {
                if asked.is_none_or(|asked| asked > entry.returned) {
                    faults.push(format!("{id} was acknowledged and is lost: {entry:?}"));
                }
            }
            Response::Done | Response::Events(_) | Response::Checkpoints(_) => {
                if deleted.is_some_and(|deleted| deleted < entry.invoked) {
                    faults.push(format!("{id} was deleted and is back: {entry:?}"));
                }
            }
            _ => {}
        }
    }
    for id in lives.keys().copied() {
        let (created, asked, deleted) = span(id);
        if created.is_some() && asked.is_none() && !listed.contains(id) {
            faults.push(format!("{id} was acknowledged and is not listed"));
        }
        if deleted.is_some() && listed.contains(id) {
            faults.push(format!("{id} was deleted and is listed"));
        }
    }
}

/// All readers of a job's events see one log, which only grows.
fn events(history: &[Entry], faults: &mut Vec<String>) {
    let mut logs: BTreeMap<&String, Vec<(&Entry, &Vec<String>)>> = BTreeMap::new();
    for entry in history {
        if let (Operation::Events { job }, Response::Events(events)) = (&entry.operation, &entry.response) {
            logs.entry(job).or_default().push((entry, events));
        }
    }
    for (job, reads) in logs {
        let (_, longest) = reads.iter().max_by_key(|(_, events)| events.len()).expect("a read");
        if longest.iter().collect::<BTreeSet<_>>().len() < longest.len() {
            faults.push(format!("job {job} has an event twice: {longest:?}"));
        }
        for (_, events) in reads.iter().filter(|(_, events)| !longest.starts_with(events)) {
            faults.push(format!("job {job} has two logs: {events:?} and {longest:?}"));
        }
        for (early, before) in &reads {
            for (late, after) in &reads {
                if early.returned < late.invoked && after.len() < before.len() {
                    faults.push(format!("job {job} had {} events, later {}", before.len(), after.len()));
                }
            }
        }
    }
}

/// A step of a model is always the same checkpoint, and never comes back.
fn checkpoints(history: &[Entry], faults: &mut Vec<String>) {
    let mut known: BTreeMap<(&String, u64), BTreeSet<&String>> = BTreeMap::new();
    let mut deleted: BTreeMap<(&String, u64), u64> = BTreeMap::new();
    for entry in history {
        if let (Operation::DeleteCheckpoint { model, step }, Response::Done) = (&entry.operation, &entry.response) {
            let moment = deleted.entry((model, *step)).or_insert(entry.returned);
            *moment = (*moment).min(entry.returned);
        }
    }
    for entry in history {
        let (Operation::Checkpoints { model }, Response::Checkpoints(steps)) = (&entry.operation, &entry.response)
        else {
            continue;
        };
        for (step, id) in steps {
            known.entry((model, *step)).or_default().insert(id);
            if deleted.get(&(model, *step)).is_some_and(|deleted| *deleted < entry.invoked) {
                faults.push(format!("step {step} of {model} was deleted and is back: {entry:?}"));
            }
        }
    }
    for ((model, step), ids) in known.iter().filter(|(_, ids)| ids.len() > 1) {
        faults.push(format!("step {step} of {model} was {ids:?}"));
    }
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;

    fn text(text: &str) -> String {
        text.to_owned()
    }

    fn create(key: &str, parent: Option<&str>) -> Operation {
        Operation::Create { key: text(key), parent: parent.map(text) }
    }

    fn created(id: &str) -> Response {
        Response::Created(text(id))
    }

    fn log(events: &[&str]) -> Response {
        Response::Events(events.iter().map(|event| text(event)).collect())
    }

    /// One request after the other.
    fn history(entries: &[(Operation, Response)]) -> Vec<Entry> {
        let entries = entries.iter().cloned().zip((0..).step_by(2));
        let entry = |((operation, response), invoked)| Entry { invoked, returned: invoked + 1, operation, response };
        entries.map(entry).collect()
    }

    #[track_caller]
    fn finds(entries: &[(Operation, Response)], listed: &[&str], fault: &str) {
        let faults = check(&history(entries), &listed.iter().map(|id| text(id)).collect());
        assert!(
            if fault.is_empty() { faults.is_empty() } else { faults.iter().any(|found| found.contains(fault)) },
            "{faults:?}"
        );
    }

    #[test]
    fn rules_find_each_kind_of_fault() {
        let (model, job) = ((create("a", None), created("m")), (create("b", Some("m")), created("j")));
        let read = |id: &str, response| (Operation::Read { id: text(id) }, response);
        let delete = |response| (Operation::Delete { id: text("m") }, response);
        let events = |log| (Operation::Events { job: text("j") }, log);
        let step = |id: &str| (Operation::Checkpoints { model: text("m") }, Response::Checkpoints(vec![(1, text(id))]));
        let step_gone = (Operation::DeleteCheckpoint { model: text("m"), step: 1 }, Response::Done);
        let lost = (create("a", None), Response::Unknown);
        finds(&[lost, model.clone(), model.clone(), job.clone(), read("m", Response::Done)], &["m", "j"], "");
        finds(&[model.clone(), (create("a", None), created("n"))], &["m", "n"], "a created");
        finds(from_ref(&model), &["m", "n"], "nobody was told of n");
        finds(&[model.clone(), read("m", Response::Absent)], &["m"], "is lost");
        finds(from_ref(&model), &[], "is not listed");
        finds(&[model.clone(), job.clone(), delete(Response::Unknown), read("j", Response::Absent)], &[], "");
        finds(&[model.clone(), delete(Response::Done), read("m", Response::Done)], &[], "is back");
        finds(&[model.clone(), job.clone(), delete(Response::Done), events(log(&["1"]))], &[], "is back");
        finds(
            &[model.clone(), delete(Response::Unknown), read("m", Response::Absent), read("m", Response::Done)],
            &[],
            "is back",
        );
        finds(&[model.clone(), delete(Response::Done)], &["m"], "is listed");
        let both = [model.clone(), job.clone()];
        let after = |more: &[(Operation, Response)]| [&both[..], more].concat();
        finds(&after(&[events(log(&["1"])), events(log(&["1", "2"]))]), &["m", "j"], "");
        finds(&after(&[events(log(&["1", "2"])), events(log(&["1"]))]), &["m", "j"], "later 1");
        finds(&after(&[events(log(&["1"])), events(log(&["3", "2"]))]), &["m", "j"], "two logs");
        finds(&after(&[events(log(&["1", "1"]))]), &["m", "j"], "twice");
        finds(&[model.clone(), step("x"), step("y")], &["m"], "step 1 of m was");
        finds(&[model, step("x"), step_gone, step("x")], &["m"], "step 1 of m was deleted and is back");
    }
}
