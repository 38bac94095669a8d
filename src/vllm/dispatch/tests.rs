//! Tests of the queue and of routing, on replicas that are never called.

use super::super::client::{KeyFile, ReplicaClient, http};
use super::*;

fn replica(name: &str) -> Arc<Replica> {
    let url = format!("http://{name}:80").parse().expect("a URL");
    let replica = Replica::new(ReplicaClient::new(http().expect("a client"), url, Arc::new(KeyFile::default())));
    replica.set_state(ReplicaState::Ready);
    Arc::new(replica)
}

fn dispatcher(replicas: &[&str], in_flight: usize) -> Arc<Dispatcher> {
    let dispatcher = Dispatcher::new(QueueLimits { in_flight, waiting: 8, waiting_per_owner: 5 });
    replicas.iter().for_each(|name| dispatcher.add(replica(name)));
    Arc::new(dispatcher)
}

fn wanted(keys: &[u64]) -> Vec<(RouteKey, Vec<String>)> {
    keys.iter().map(|key| (RouteKey(*key), Vec::new())).collect()
}

fn submit(dispatcher: &Arc<Dispatcher>, owner: &str, keys: &[u64]) -> Vec<oneshot::Receiver<Slot>> {
    dispatcher.submit(&owner.into(), &wanted(keys)).expect("room")
}

#[test]
fn a_key_keeps_its_replica_until_that_has_more_than_its_share() {
    let dispatcher = dispatcher(&["a", "b", "c", "d"], 100);
    let place = |key| submit(&dispatcher, "owner", &[key]).remove(0).try_recv().expect("a place");
    let names: Vec<String> = (0..40).map(|key| place(key).replica.name.clone()).collect();
    let again: Vec<String> = (0..40).map(|key| place(key).replica.name.clone()).collect();
    assert_eq!(names, again);
    assert!(["a:80", "b:80", "c:80", "d:80"].iter().all(|name| names.iter().any(|used| used == name)), "{names:?}");
    // Without one replica, only its keys move.
    dispatcher.remove("b:80");
    let fewer: Vec<String> = (0..40).map(|key| place(key).replica.name.clone()).collect();
    for (before, after) in names.iter().zip(&fewer) {
        assert!(before == after || (before == "b:80" && after != "b:80"), "{before} {after}");
    }
    // One popular key is spread.
    let held: Vec<Slot> = (0..40).map(|_| place(7)).collect();
    for replica in dispatcher.replicas() {
        let samples = held.iter().filter(|slot| slot.replica.name == replica.name).count();
        assert!((4..=18).contains(&samples), "{samples} at {}", replica.name);
        assert_eq!(replica.in_flight.load(Ordering::Relaxed), samples);
    }
}

#[test]
fn replicas_have_a_bound_and_owners_take_turns() {
    let dispatcher = dispatcher(&["a"], 1);
    let first = submit(&dispatcher, "one", &[0]).remove(0).try_recv().expect("a place");
    let mut waiting = submit(&dispatcher, "one", &[1, 2, 3]);
    let mut other = submit(&dispatcher, "two", &[4]);
    assert_eq!(dispatcher.waiting(), 4);
    let rejected = |owner: &str, samples: usize| {
        dispatcher.submit(&owner.into(), &wanted(&vec![0; samples])).err().expect("refused")
    };
    assert!(matches!(rejected("one", 3), SamplerError::OwnerQueueFull { waiting: 3, limit: 5 }));
    assert!(matches!(rejected("three", 5), SamplerError::QueueFull { waiting: 4, limit: 8 }));
    assert!(matches!(rejected("three", 6), SamplerError::TooManySamples { samples: 6, limit: 5 }));
    assert!(waiting[0].try_recv().is_err());
    // The second sample of `one` goes away while it waits.
    drop(waiting.remove(1));
    let mut order = Vec::new();
    let mut held = Some(first);
    while dispatcher.waiting() > 0 {
        held.take();
        for (name, place) in [("one", 0), ("one", 1), ("two", 0)] {
            let receiver = if name == "one" { &mut waiting[place] } else { &mut other[place] };
            if let Ok(slot) = receiver.try_recv() {
                order.push(name);
                held = Some(slot);
            }
        }
    }
    assert_eq!(order, ["one", "two", "one"]);
}

#[test]
fn a_failed_replica_is_used_again_only_if_there_is_no_other() {
    let dispatcher = dispatcher(&["a", "b"], 10);
    let failed = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    for key in 0..20 {
        let mut place = dispatcher.resubmit(&"owner".into(), RouteKey(key), failed(&["a:80"]));
        assert_eq!(place.try_recv().expect("a place").replica.name, "b:80");
    }
    dispatcher.remove("b:80");
    let mut place = dispatcher.resubmit(&"owner".into(), RouteKey(0), failed(&["a:80"]));
    assert_eq!(place.try_recv().expect("a place").replica.name, "a:80");
    dispatcher.replicas()[0].set_state(ReplicaState::Suspect);
    let mut place = dispatcher.resubmit(&"owner".into(), RouteKey(0), Vec::new());
    assert!(place.try_recv().is_err() && dispatcher.may_respond() && !dispatcher.any_ready());
    dispatcher.replicas()[0].set_state(ReplicaState::Ready);
    dispatcher.wake();
    assert!(place.try_recv().is_ok());
    dispatcher.replicas()[0].set_state(ReplicaState::Gone);
    assert!(!dispatcher.may_respond());
}
