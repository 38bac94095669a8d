//! Ctrl-C, closed pipes, and servers that are none.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::{asking, finish, program, run};
use crate::support::process::{Process, Site};
use crate::support::{http, row};
use crate::time_limits::Limited;

fn interrupt(child: &Child) {
    let id = Pid::from_raw(child.id().try_into().expect("a process id")).expect("not zero");
    kill_process(id, Signal::INT).expect("the process is there");
}

/// Exit code and standard error of a process that ends by itself.
async fn ended(mut child: Child) -> (Option<i32>, String) {
    let end = tokio::task::spawn_blocking(move || {
        let mut told = String::new();
        child.stderr.take().expect("standard error").read_to_string(&mut told).expect("text");
        (child.wait().expect("it ends").code(), told)
    });
    end.await.expect("no panic")
}

#[tokio::test]
async fn ctrl_c_ends_the_watching_and_not_the_job() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    let model = site.model(&server, "long").await;
    let lesson: Vec<Value> = (0..4000).map(|number| row(&format!("{number}?"), "left right up down")).collect();
    let job = site.start_sft(&server, &model, &lesson).await;
    let mut watch = asking(&site, &root, &["jobs", "watch", &job]);
    let mut watch = watch.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn_limited();
    let mut lines = BufReader::new(watch.stdout.take().expect("standard output")).lines();
    assert!(lines.next().expect("a step").expect("text").contains("] 1/4000"));
    interrupt(&watch);
    let (code, told) = ended(watch).await;
    assert_eq!(code, Some(130), "{told}");
    assert!(told.contains("the job runs on"), "{told}");
    for remedy in [format!("trainyard jobs watch {job}"), format!("trainyard jobs cancel {job}")] {
        assert!(told.contains(&remedy), "{told}");
    }
    assert_eq!(site.status(&server, &job).await, "running");

    // A reader that goes away ends the watching without a word.
    let mut watch = asking(&site, &root, &["jobs", "watch", &job]);
    let mut watch = watch.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn_limited();
    drop(watch.stdout.take());
    assert_eq!(ended(watch).await, (Some(141), String::new()));
    assert_eq!(site.status(&server, &job).await, "running");
    run(&site, &root, &["jobs", "cancel", &job]).await;
    server.stop();
}

#[tokio::test]
async fn a_closed_pipe_is_a_quiet_end() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    for arguments in [&["models", "bases"][..], &["models", "list", "--json"], &["spec"], &["completions", "bash"]] {
        let mut command = asking(&site, &root, arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn_limited();
        drop(child.stdout.take());
        assert_eq!(ended(child).await, (Some(0), String::new()), "{arguments:?}");
    }
    // Standard error too may be gone.
    let mut child = asking(&site, &root, &["jobs", "list"]);
    let mut child = child.stderr(Stdio::piped()).spawn_limited();
    drop(child.stderr.take());
    let code = tokio::task::spawn_blocking(move || child.wait()).await.expect("no panic").expect("it ends").code();
    assert_eq!(code, Some(0), "that there are no jobs cannot be said");
    server.stop();
}

#[tokio::test]
async fn a_server_that_is_none_is_told() {
    let site = Site::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let root = format!("http://{}", listener.local_addr().expect("an address"));
    let other = std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().expect("a client");
        let _ = connection.read(&mut [0; 4096]);
        let page = "<h1>Welcome</h1>";
        write!(
            connection,
            "HTTP/1.1 404 Not Found\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
            page.len()
        )
        .expect("it reads");
    });
    let (code, _, told) = run(&site, &root, &["models", "list"]).await;
    assert!(
        code == 1 && told.contains("not from a Trainyard server") && told.contains("The response: <h1>Welcome</h1>"),
        "{code} {told}"
    );
    other.join().expect("no panic");
    let (code, _, told) = run(&site, "localhost:8000", &["models", "list"]).await;
    assert!(code == 1 && told.contains("write http://localhost:8000"), "{code} {told}");
}

#[tokio::test]
async fn a_quickstart_keeps_its_service_open_until_ctrl_c() {
    let site = Site::new();
    let temporary = site.path().join("temporary");
    std::fs::create_dir(&temporary).expect("a directory");
    let mut quickstart = program(&site, &["quickstart", "--rounds", "1", "--keep"]);
    let quickstart = quickstart.env("TMPDIR", &temporary).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut quickstart = quickstart.spawn_limited();
    let lines = BufReader::new(quickstart.stdout.take().expect("standard output")).lines();
    let mut links = lines.map(|line| line.expect("text")).filter(|line| line.contains("/dashboard/#code="));
    let _of_the_start = links.next().expect("a link at the start");
    let link = links.next().expect("a link at the end");
    let (root, fragment) = link.trim().split_once("/dashboard/#code=").expect("a link");
    let (code, job) = fragment.split_once("/jobs/").expect("a code and a job");
    // As the page does it.
    let http = http();
    let marked = |request: reqwest::RequestBuilder| request.header("x-trainyard-dashboard", "1");
    let session = || marked(http.post(format!("{root}/dashboard/session"))).json(&serde_json::json!({ "code": code }));
    let answer = session().send().await.expect("the service is open");
    assert_eq!(answer.status(), 200);
    let cookie = answer.headers()["set-cookie"].to_str().expect("ASCII").split(';').next().expect("a pair").to_owned();
    let job = http.get(format!("{root}/v1/preview/training-jobs/{job}")).header("cookie", cookie);
    let job: Value = marked(job).send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!((&job["status"], &job["kind"]), (&"succeeded".into(), &"rl".into()), "{job}");
    assert_eq!(session().send().await.expect("an answer").status(), 401, "the link signs in once");
    interrupt(&quickstart);
    let (code, told) = ended(quickstart).await;
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(std::fs::read_dir(&temporary).expect("it is there").count(), 0, "{told}");
}

#[tokio::test]
async fn a_quickstart_that_is_interrupted_leaves_nothing() {
    let site = Site::new();
    let temporary = site.path().join("temporary");
    std::fs::create_dir(&temporary).expect("a directory");
    let mut quickstart = program(&site, &["quickstart"]);
    let quickstart = quickstart.env("TMPDIR", &temporary).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut quickstart = quickstart.spawn_limited();
    let mut lines = BufReader::new(quickstart.stdout.take().expect("standard output")).lines();
    assert!(lines.next().expect("a line").expect("text").starts_with("The service listens on "));
    assert_eq!(std::fs::read_dir(&temporary).expect("it is there").count(), 1);
    // In the midst of a job, if one has begun by then.
    while lines.next().expect("a line").expect("text").trim() != "2. Supervised fine-tuning on 324 examples:" {}
    std::thread::sleep(Duration::from_millis(500));
    let interrupted = Instant::now();
    interrupt(&quickstart);
    let (code, told) = ended(quickstart).await;
    assert_eq!(code, Some(130), "{told}");
    assert!(interrupted.elapsed() < Duration::from_secs(20), "{:?}", interrupted.elapsed());
    assert_eq!(std::fs::read_dir(&temporary).expect("it is there").count(), 0, "{told}");
    let (code, _, told) = finish(program(&site, &["quickstart", "--keep", "/dev/null"])).await;
    assert!(code == 1 && told.contains("cannot make the directory"), "{code} {told}");
}
