//! A PostgreSQL server of its own in a temporary directory, on a free port. It ends with the process that started it,
//! however that ends.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use super::time_limits::{Limited, wait_within};

/// PostgreSQL does not run as root; `nobody` has this number everywhere.
const NOBODY: u32 = 65534;
/// Longest time that a server may take to start, recovery included, and to stop.
const START_TIME: Duration = Duration::from_secs(60);

/// Runs the server and obeys the lines it reads, until there are no more: the pipe closes when its writer dies.
const KEEPER: &str = r#"
start() {
    "$bin/postgres" -D "$directory/data" -p "$port" -k "$directory" -c listen_addresses=127.0.0.1 \
        -c max_connections=300 -c full_page_writes=off -c fsync=off >>"$directory/log" 2>&1 &
    server=$!
}
start
while read -r order; do
    case $order in
        kill) kill -QUIT "$server"; wait "$server" 2>/dev/null; rm -f "$directory/data/postmaster.pid" ;;
        start) start ;;
    esac
    echo done
done
kill -QUIT "$server" 2>/dev/null; wait "$server" 2>/dev/null
rm -rf "$directory"
"#;

/// A running server.
pub(super) struct PostgresServer {
    directory: PathBuf,
    port: u16,
    orders: Option<ChildStdin>,
    /// In a mutex, because tests share the server.
    answers: Mutex<Receiver<String>>,
    keeper: Child,
}

impl PostgresServer {
    /// Starts a server with an empty database `postgres` whose owner is `trainyard`, without a password.
    ///
    /// # Panics
    /// When PostgreSQL is not installed or does not start; the message says why.
    pub(super) fn start() -> Self {
        let bin = binaries();
        let directory = tempfile::Builder::new().prefix("postgres-").tempdir().expect("a temporary directory").keep();
        let as_root = rustix::process::geteuid().is_root();
        if as_root {
            chown(&directory, Some(NOBODY), Some(NOBODY)).expect("the directory changes its owner");
        }
        let command = |program: &Path| {
            let mut command = Command::new(program);
            command.current_dir(&directory);
            if as_root {
                command.uid(NOBODY).gid(NOBODY);
            }
            command
        };
        let made = command(&bin.join("initdb"))
            .args(["-U", "trainyard", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(directory.join("data"))
            .output_limited();
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("its number").port();
        // It has no time limit of its own: it serves all tests of this process.
        let mut keeper = command(Path::new("/bin/sh"))
            .args(["-c", KEEPER])
            .env("bin", &bin)
            .env("directory", &directory)
            .env("port", port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let orders = keeper.stdin.take();
        let lines = BufReader::new(keeper.stdout.take().expect("its output")).lines();
        let (answer, answers) = mpsc::channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| answer.send(line)));
        let server = Self { directory, port, orders, answers: Mutex::new(answers), keeper };
        server.wait_until_ready();
        server
    }

    /// The port on 127.0.0.1.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// The address of a database, whether it exists or not.
    pub(super) fn address(&self, database: &str) -> String {
        address(self.port, database)
    }

    /// Kills the server in the middle of whatever it does, as `pg_ctl stop -m immediate`.
    pub(super) fn kill(&mut self) {
        self.order("kill");
    }

    /// Starts it after [`Self::kill`] and waits until it has recovered.
    pub(super) fn start_again(&mut self) {
        self.order("start");
        self.wait_until_ready();
    }

    fn order(&mut self, order: &str) {
        let orders = self.orders.as_mut().expect("it runs");
        writeln!(orders, "{order}").expect("the keeper listens");
        let answer = self.answers.get_mut().expect("no panic").recv_timeout(START_TIME);
        assert_eq!(answer.as_deref(), Ok("done"), "PostgreSQL does not obey: {order}");
    }

    fn wait_until_ready(&self) {
        let begun = Instant::now();
        // The last line of this file says so, since PostgreSQL 10.
        while !fs::read_to_string(self.directory.join("data/postmaster.pid")).is_ok_and(|text| text.contains("ready")) {
            let log = fs::read_to_string(self.directory.join("log")).unwrap_or_default();
            assert!(begun.elapsed() < START_TIME, "PostgreSQL does not start:\n{log}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        // Without its input the keeper stops the server and removes the directory.
        drop(self.orders.take());
        wait_within(START_TIME, &mut self.keeper, "PostgreSQL that was asked to stop");
    }
}

/// The address of a database behind a port of this machine.
pub(super) fn address(port: u16, database: &str) -> String {
    format!("postgres://trainyard@127.0.0.1:{port}/{database}")
}

/// Directory of `initdb` and `postgres`: Debian keeps them out of the search path.
fn binaries() -> PathBuf {
    if let Some(directory) = std::env::var_os("TRAINYARD_TEST_POSTGRES_BIN") {
        return directory.into();
    }
    let number = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|entry| entry.path());
    let debian = versions.max_by_key(number).map(|version| version.join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    debian
        .into_iter()
        .chain(std::env::split_paths(&path))
        .find(|directory| directory.join("initdb").exists())
        .expect("PostgreSQL is needed: apt-get install postgresql, or name its programs in TRAINYARD_TEST_POSTGRES_BIN")
}
