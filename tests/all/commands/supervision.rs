//! Health checks of containers, and notifications to systemd.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::{finish, program};
use crate::support::process::{Process, Site};
use crate::time_limits::{Limited, wait_within};

/// Runs `trainyard health` with an address in the environment: exit code and standard error.
async fn health(site: &Site, variable: &str, address: &str) -> (i32, String) {
    let mut command = program(site, &["health", "--timeout", "20"]);
    command.env_remove("TRAINYARD_LISTEN").env(variable, address);
    let (code, shown, told) = finish(command).await;
    assert_eq!(shown, "");
    (code, told)
}

#[tokio::test]
async fn health_is_0_for_a_server_that_accepts_requests_and_1_for_any_other() {
    let site = Site::new();
    let mut server = Process::serve(site.path(), &["--drain-notice", "60"]);
    let root = server.root.clone();
    let listen = root.strip_prefix("http://").expect("an address").to_owned();
    for (variable, address) in [("TRAINYARD_BASE_URL", &root), ("TRAINYARD_LISTEN", &listen)] {
        assert_eq!(health(&site, variable, address).await, (0, format!("{root}/health answers\n")));
    }
    server.signal(Signal::TERM);
    let (code, told) = loop {
        let (code, told) = health(&site, "TRAINYARD_BASE_URL", &root).await;
        if code != 0 {
            break (code, told);
        }
    };
    assert_eq!((code, told), (1, format!("error: {root}/health answers 503: the server is shutting down\n")));
    assert!(server.runs());
    server.kill();
    let (code, told) = health(&site, "TRAINYARD_BASE_URL", &root).await;
    assert!(code == 1 && told.contains("/health does not answer: "), "{code} {told}");

    // A server of another program, and one that accepts connections and is silent.
    let other = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", other.local_addr().expect("bound"));
    let answering = std::thread::spawn(move || {
        let (mut connection, _) = other.accept().expect("a connection");
        let mut head = [0; 1024];
        let read = connection.read(&mut head).expect("a request");
        connection.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").expect("sent");
        String::from_utf8_lossy(&head[..read]).to_lowercase()
    });
    let (code, told) = health(&site, "TRAINYARD_BASE_URL", &address).await;
    assert!(code == 1 && told.contains("answers 404: is it a Trainyard server?"), "{code} {told}");
    let head = answering.join().expect("no panic");
    assert!(head.starts_with("get /health ") && !head.contains("authorization"), "{head}");

    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", silent.local_addr().expect("bound"));
    let (code, _, told) = finish(program(&site, &["health", "--base-url", &address, "--timeout", "1"])).await;
    assert!(code == 1 && told.contains("does not answer: "), "{code} {told}");
}

#[tokio::test]
async fn the_service_manager_hears_of_the_start_and_of_the_stop() {
    let site = Site::new();
    let path = site.path().join("notify");
    let socket = UnixDatagram::bind(&path).expect("a socket");
    socket.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
    let data = site.data().display().to_string();
    for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["worker"]] {
        let mut command = program(&site, arguments);
        command.args(["--threads", "1", "--data-dir", &data]).env("NOTIFY_SOCKET", &path).stderr(Stdio::null());
        let mut child = command.spawn_limited();
        let hear = || {
            let mut message = [0; 256];
            let length = socket.recv(&mut message).expect("a message");
            String::from_utf8_lossy(&message[..length]).trim().to_owned()
        };
        assert_eq!(hear(), "READY=1", "{arguments:?}");
        let id = Pid::from_raw(child.id().try_into().expect("a process id")).expect("not zero");
        kill_process(id, Signal::TERM).expect("the process is there");
        assert_eq!(hear(), "STOPPING=1", "{arguments:?}");
        let status = wait_within(Duration::from_secs(60), &mut child, "a process that was asked to stop");
        assert!(status.is_some_and(|status| status.success()), "{arguments:?}");
    }
}
