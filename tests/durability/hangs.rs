//! Processes that hang are ended by force, whatever keeps them from their end.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::job::template;
use crate::server::{Fault, Server};
use crate::threads::is_stopped;
use crate::time_limits::{Limited, wait_within};

/// As when strace 6.1 is asked to detach from a process at the moment in which it kills it: strace waits for a thread of
/// the process, and the process for strace.
#[tokio::test]
async fn a_tracer_that_hangs_is_ended_with_the_process_that_waits_for_it() {
    let template = template().await;
    let directory = template.copy();
    let mut server = Server::undisturbed(&directory.path().join("data"), &template.directory);
    // It never comes to this call.
    let tracer = server.disturb(&Fault::kill("futex", 60_000));
    let frozen = Pid::from_raw(tracer.pid().try_into().expect("a number")).expect("not zero");
    kill_process(frozen, Signal::STOP).expect("strace runs");
    let begun = Instant::now();
    while !is_stopped(tracer.pid()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "strace cannot be stopped");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    server.signal(Signal::KILL);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(server.runs(), "its threads wait for strace");
    drop(tracer);
    assert_eq!(server.stop().signal(), Some(Signal::KILL.as_raw()));
}

#[test]
fn a_process_that_hangs_is_killed_with_those_that_it_has_started() {
    let mut command = Command::new("sh");
    let mut child = command.args(["-c", "sleep 1000 & wait"]).stdout(Stdio::piped()).spawn_limited();
    assert_eq!(wait_within(Duration::from_millis(300), &mut child, "a shell"), None);
    let output = child.wait_with_output().expect("nobody holds its standard output any more");
    assert_eq!(output.status.signal(), Some(Signal::KILL.as_raw()));
}

#[test]
fn a_process_that_ends_in_time_is_left_alone() {
    let output = Command::new("sh").args(["-c", "cat; echo end; exit 3"]).output_limited();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(3), &b"end\n"[..]));
    let mut child = Command::new("sh").args(["-c", "sleep 0.1; exit 4"]).spawn_limited();
    let status = wait_within(Duration::from_secs(60), &mut child, "a shell");
    assert_eq!(status.and_then(|status| status.code()), Some(4));
}
