//! Jobs whose process is killed end with the same bytes as jobs that are left alone.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::job::{Kind, Over, Round, Template, template};
use crate::server::{Fault, Start};
use crate::{Random, figure, scale, spread};

/// Time limit of a disturbed run, longer than a lease.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Every durable call of an undisturbed job: its name, and which of its thread's calls of that name it is.
pub(crate) async fn points(template: &Template, kind: Kind) -> Vec<(String, usize)> {
    let mut round = Round::new(template, kind);
    let trace = round.data().with_file_name("trace");
    let over = round.disturbed(&Start { trace: Some(&trace), ..Default::default() }, TIMEOUT).await;
    assert_eq!(over, Over::JobEnded, "{}", round.log);
    let points = calls(&trace);
    assert!(points.len() > 100, "a trace of {} points is not one of a training job", points.len());
    points
}

/// The calls in a trace, as [`points`] gives them.
pub(crate) fn calls(trace: &Path) -> Vec<(String, usize)> {
    let mut most: BTreeMap<String, usize> = BTreeMap::new();
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in std::fs::read_to_string(trace).expect("the trace").lines() {
        let mut words = line.split_whitespace();
        let (Some(thread), Some(call)) = (words.next(), words.next()) else { continue };
        let Some((call, _)) = call.split_once('(') else { continue };
        let count = counts.entry((thread.to_owned(), call.to_owned())).or_default();
        *count += 1;
        let most = most.entry(call.to_owned()).or_default();
        *most = (*most).max(*count);
    }
    most.into_iter().flat_map(|(call, most)| (1..=most).map(move |k| (call.clone(), k))).collect()
}

#[tokio::test]
async fn a_job_killed_at_any_durable_call_ends_with_the_same_bytes() {
    let template = template().await;
    let mut killed = 0;
    let mut tried = 0;
    for kind in [Kind::Sft, Kind::Rl] {
        for (call, k) in spread(&points(template, kind).await, 15 * scale()) {
            let what = format!("{kind:?} killed at {call} {k}");
            let mut round = Round::new(template, kind);
            let fault = Fault::kill(&call, k);
            let over = round.disturbed(&Start { fault: Some(&fault), ..Default::default() }, TIMEOUT).await;
            assert_ne!(over, Over::Time, "{what}: {}", round.log);
            killed += usize::from(matches!(over, Over::Gone | Over::NoStart));
            tried += 1;
            round.finish().await;
            round.verify(&what).await;
        }
    }
    println!("{killed} of {tried} kills hit a run");
    figure("kills of a training process, SQLite", killed);
    // Which thread makes a call differs from run to run, so that some points are never reached.
    assert!(killed * 2 > tried, "only {killed} of {tried} kills hit a run");
}

#[tokio::test]
async fn a_job_killed_at_any_time_ends_with_the_same_bytes() {
    let template = template().await;
    let mut random = Random::new(1);
    let mut recoveries = Vec::new();
    for number in 0..10 * scale() {
        let kind = if number % 2 == 0 { Kind::Sft } else { Kind::Rl };
        let mut round = Round::new(template, kind);
        let time = Duration::from_millis(random.below(400) as u64);
        let what = format!("{kind:?} killed after {time:?}");
        let mut server = round.serve();
        let root = server.root.clone();
        round.follow(&mut server, &root, time).await;
        server.kill();
        let (told, begun) = (round.told.len(), Instant::now());
        let mut server = round.serve();
        let root = server.root.clone();
        while round.told.len() <= told && crate::job::end_of(&round.told).is_none() {
            round.follow(&mut server, &root, Duration::from_millis(1)).await;
            assert!(begun.elapsed() < TIMEOUT, "{what}: {}", server.log());
        }
        recoveries.push(begun.elapsed());
        server.stop();
        round.finish().await;
        round.verify(&what).await;
    }
    recoveries.sort();
    let worst = recoveries[recoveries.len() * 99 / 100];
    figure("kills of a training process, SQLite", recoveries.len());
    println!("{} kills; from the restart to the next event at most {worst:?} in 99 of 100", recoveries.len());
}

#[tokio::test]
async fn a_job_killed_again_while_it_recovers_ends_with_the_same_bytes() {
    let template = template().await;
    let mut random = Random::new(2);
    let points = points(template, Kind::Sft).await;
    let mut kills = 0;
    for number in 0..5 * scale() {
        let mut round = Round::new(template, Kind::Sft);
        let mut what = String::from("killed at");
        // Attempts since the job last made a step: a job that kills the service three times without one is given up.
        let mut fruitless = 0;
        for _ in 0..1 + number % 5 {
            let told = round.told.len();
            if fruitless >= 2 {
                let mut server = round.serve();
                let root = server.root.clone();
                let begun = Instant::now();
                while round.told.len() < told + 3 && crate::job::end_of(&round.told).is_none() {
                    round.follow(&mut server, &root, Duration::from_millis(1)).await;
                    assert!(begun.elapsed() < TIMEOUT, "{what}: {}", server.log());
                }
                what += " a step,";
                server.kill();
                kills += 1;
            } else {
                let (call, k) = &points[random.below(points.len())];
                let fault = Fault::kill(call, *k);
                let over = round.disturbed(&Start { fault: Some(&fault), ..Default::default() }, TIMEOUT).await;
                what += &format!(" {call} {k} ({over:?}),");
                kills += usize::from(matches!(over, Over::Gone | Over::NoStart));
            }
            fruitless = if round.told.len() > told + 1 { 0 } else { fruitless + 1 };
        }
        round.finish().await;
        round.verify(&what).await;
    }
    figure("kills of a training process, SQLite", kills);
}
