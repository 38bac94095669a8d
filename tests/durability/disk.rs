//! A full disk stops nothing for good: reads go on, writes say so, and the job ends once there is room.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::job::{Client, end_of, template};
use crate::server::{Server, Start};
use crate::{figure, scale};

/// The whole disk.
const DISK: usize = 24 << 20;
/// Longest time from room to the end of the job: a lease that nobody renewed runs out in 15 s.
const JOB_TIME: Duration = Duration::from_secs(120);

/// Takes all the room that there is on a disk; again, when something has made room since.
struct Filler {
    path: PathBuf,
    file: File,
}

impl Filler {
    fn new(directory: &Path) -> Self {
        let path = directory.join("filler");
        let file = File::create(&path).expect("a file");
        Self { path, file }
    }

    fn fill(&mut self) {
        // What is left after large pieces is filled with small ones.
        for size in [1 << 20, 4096, 512] {
            let piece = vec![1; size];
            while self.file.write_all(&piece).is_ok() {}
        }
    }

    fn remove(self) {
        std::fs::remove_file(self.path).expect("the file is removed");
    }
}

#[tokio::test]
async fn a_job_on_a_full_disk_goes_on_when_there_is_room() {
    let template = template().await;
    for cycle in 0..scale() {
        let directory = template.copy();
        let data = directory.path().join("data");
        let start = Start { disk_bytes: Some(DISK), ..Default::default() };
        let mut server = match Server::start(&data, &template.directory, &start) {
            Ok(server) => server,
            Err(log) => panic!("the server did not start: {}", log.join("\n")),
        };
        // Only the process sees its disk; this is the way there from outside.
        let disk = PathBuf::from(format!("/proc/{}/root{}", server.pid(), data.display()));
        let http = Client::new(&template.key);
        let (path, body) = template.supervised(&template.models[0], "long.jsonl");
        let url = format!("{}{path}", server.root);
        let (status, job) = http.call("POST", &url, Some(&body)).await.expect("an answer");
        assert!(status < 300, "{status} {job}");
        let job = job["id"].as_str().expect("an id").to_owned();
        let begun = Instant::now();
        while http.events(&server.root, &job).await.expect("events").len() < 5 + cycle % 7 {
            assert!(begun.elapsed() < JOB_TIME, "{}", server.log());
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let mut filler = Filler::new(&disk);
        // Until the job has met the full disk. What it could not write it removes, which makes room.
        while !server.log().contains("job paused") {
            filler.fill();
            let now = http.events(&server.root, &job).await.expect("reads go on");
            assert!(end_of(&now).is_none(), "the disk was never full, or the job failed: {:?}", now.last());
            assert!(begun.elapsed() < JOB_TIME, "{}", server.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let told = http.events(&server.root, &job).await.expect("reads go on");
        let (path, body) = template.request(crate::job::Kind::Rl, &template.models[1]);
        let mut accepted = Vec::new();
        loop {
            filler.fill();
            let answer = http.call("POST", &format!("{}{path}", server.root), Some(&body)).await;
            match answer.expect("an answer") {
                // In room that a write which failed has left.
                (200, created) => accepted.push(created["id"].as_str().expect("an id").to_owned()),
                (503 | 507, _) => break,
                (status, answer) => panic!("a write on a full disk: {status} {answer}"),
            }
            assert!(begun.elapsed() < JOB_TIME, "writes succeed on a full disk: {}", server.log());
        }
        assert!(server.runs());
        filler.remove();
        let freed = Instant::now();
        let events = loop {
            let events = http.events(&server.root, &job).await.expect("events");
            if end_of(&events).is_some() {
                break events;
            }
            assert!(freed.elapsed() < JOB_TIME, "the job does not go on: {}", server.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert_eq!(end_of(&events), Some("training_ended"), "{:?}\n{}", events.last(), server.log());
        assert_eq!(events.len(), 402, "an event per step and one at each end");
        assert_eq!(events[..told.len()], told[..], "what was told stays as it was told");
        for created in accepted {
            let known = http.call("GET", &format!("{}/v1/preview/training-jobs/{created}", server.root), None).await;
            assert_eq!(known.expect("an answer").0, 200, "an accepted job is lost");
        }
        println!("cycle {cycle}: the job ended {:?} after there was room", freed.elapsed());
        server.kill();
    }
    figure("full disks", scale());
}
