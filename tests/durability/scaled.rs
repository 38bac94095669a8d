//! Workers that share nothing but a PostgreSQL database and a bucket.

use std::net::SocketAddr;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rustix::process::Signal;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use trainyard::server::open_metadata;

use crate::clocks::{Clock, HEARTBEAT};
use crate::frozen::freeze_at;
use crate::job::{Client, ENTITY, JOB_TIME, Kind, Round, template};
use crate::postgres::{PostgresServer, address};
use crate::server::{Server, Start, Task, binary};
use crate::takeover::{Handover, begun_in_time};
use crate::time_limits::Limited;
use crate::{Random, figure, s3, scale};

/// Rounds at once.
const WIDTH: usize = 4;
/// Longest time until PostgreSQL ends a transaction that was left alone; it does after 5 s.
const IDLE_TIME: Duration = Duration::from_secs(30);
const LEASE: Duration = Duration::from_secs(15);

/// The database server and that of the buckets.
struct Site {
    postgres: PostgresServer,
    s3: SocketAddr,
}

/// One for all tests of the process, with a database and a bucket for each round: the bucket's server walks through all of
/// it to list a little.
async fn site() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    let root = template().await.directory.join("s3");
    SITE.get_or_init(|| {
        std::fs::create_dir_all(&root).expect("the target directory can be written");
        let (tell, told) = std::sync::mpsc::channel();
        // The tests have a runtime each.
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
                tell.send(listener.local_addr().expect("its address")).expect("somebody listens");
                s3::serve(listener, &root).await.expect("the bucket is served");
            });
        });
        Site { postgres: PostgresServer::start(), s3: told.recv_timeout(Duration::from_secs(60)).expect("an address") }
    })
}

/// A database and a bucket of their own.
pub(crate) struct Storage {
    /// Address of the database server.
    pub postgres: SocketAddr,
    /// Address of the server of the bucket.
    pub s3: SocketAddr,
    name: String,
}

impl Storage {
    pub(crate) async fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let Site { postgres, s3 } = site().await;
        let name = format!("round_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut connection = PgConnection::connect(&postgres.address("postgres")).await.expect("PostgreSQL answers");
        let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::raw_sql(create).execute(&mut connection).await.expect("a database can be made");
        let storage = Self { postgres: ([127, 0, 0, 1], postgres.port()).into(), s3: *s3, name };
        let place = template().await.directory.join("s3").join(storage.bucket());
        std::fs::create_dir(place).expect("a bucket can be made");
        storage
    }

    /// The name of the database is none of a bucket.
    fn bucket(&self) -> String {
        self.name.replace('_', "-")
    }

    /// The address of the database for a process that reaches its server here.
    pub(crate) fn database(&self, postgres: SocketAddr) -> String {
        address(postgres.port(), &self.name)
    }

    /// The variables of a process that reaches the servers here.
    pub(crate) fn environment(&self, postgres: SocketAddr, s3: SocketAddr) -> Vec<(&'static str, String)> {
        vec![
            ("TRAINYARD_DATABASE", self.database(postgres)),
            ("TRAINYARD_ARTIFACTS", format!("s3://{}/yard", self.bucket())),
            ("AWS_ENDPOINT_URL", format!("http://{s3}")),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "test".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "test-secret".to_owned()),
        ]
    }
}

/// A round on a database and a prefix of its own, with a server that answers.
struct Yard {
    round: Round<'static>,
    server: Server,
    database: String,
}

impl Yard {
    async fn new(kind: Kind) -> Self {
        Self::with(kind, true).await
    }

    /// With artifacts in the bucket, or else in the data directory.
    async fn with(kind: Kind, bucket: bool) -> Self {
        let storage = Storage::new().await;
        let database = storage.database(storage.postgres);
        let mut environment = storage.environment(storage.postgres, storage.s3);
        if !bucket {
            // The address of the database alone.
            environment.truncate(1);
        }
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (template, data) = (template().await, directory.path().join("data"));
        let created = Command::new(binary())
            .args(["keys", "create", "--entity", ENTITY, "--data-dir"])
            .arg(&data)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .output_limited();
        let key = String::from_utf8(created.stdout).expect("text").trim().to_owned();
        let start = Start { task: Task::Serve, environment: &environment, ..Default::default() };
        let server = Server::ready(&data, &template.directory, &start);
        let model = Client::new(&key).create_model(&server.root, "scaled").await.expect("a model");
        Self { round: Round::on(template, kind, directory, &key, vec![model], environment), server, database }
    }

    /// As [`Round::verify`].
    async fn verify(round: Round<'_>, database: &str, what: &str) {
        let mut connection = PgConnection::connect(database).await.expect("PostgreSQL answers");
        let jobs = sqlx::query("SELECT id::text FROM jobs").fetch_all(&mut connection).await.expect("jobs");
        let jobs: Vec<String> = jobs.iter().map(|row| row.get(0)).collect();
        let address = database.parse().expect("an address");
        let metadata = open_metadata(&round.data(), Some(&address)).await.expect("the database opens");
        round.verify_jobs(what, &jobs, &*metadata).await;
        let whole = round.command(&["fsck"]);
        let words = [&whole.stdout, &whole.stderr].map(|words| String::from_utf8_lossy(words));
        assert!(whole.status.success(), "{what}: {words:?}");
    }
}

/// Claims of the job, by workers that have gone since or not.
fn claims(log: &str) -> usize {
    log.matches("job claimed").count()
}

/// Kills a worker after some events; `false` if the job had ended.
async fn kill(kind: Kind, events: usize) -> bool {
    let what = format!("{kind:?} killed after {events} events");
    let Yard { mut round, mut server, database } = Yard::new(kind).await;
    let owner = round.start(Task::Work, &[]);
    round.reach(&mut server, events).await;
    round.log += &owner.log();
    owner.kill();
    let root = server.root.clone();
    let hit = !round.look(&root).await;
    let next = round.start(Task::Work, &[]);
    round.reach_end(&mut server, &what).await;
    assert_eq!(claims(&next.log()), usize::from(hit), "{what}: {}", next.log());
    for server in [next, server] {
        round.log += &server.log();
        assert!(server.stop().success(), "{what}: {}", round.log);
    }
    Yard::verify(round, &database, &what).await;
    hit
}

#[tokio::test]
async fn a_worker_of_a_shared_database_frozen_at_any_call_stops_no_other() {
    // A worker speaks to the database and to the bucket by these.
    let calls = ["sendto", "recvfrom", "sendto,recvfrom,writev"];
    let points: Vec<(&str, usize)> = (0..2 * WIDTH * scale()).map(|n| (calls[n % calls.len()], 3 + 7 * n)).collect();
    let mut hits = 0;
    for points in points.chunks(WIDTH) {
        let rounds = points.iter().map(async |(call, k)| {
            let Yard { mut round, mut server, database } = Yard::new(Kind::Sft).await;
            let (hit, _) = freeze_at(&mut round, &mut server, call, *k).await;
            round.log += &server.log();
            assert!(server.stop().success(), "{}", round.log);
            Yard::verify(round, &database, &format!("frozen at {call} {k}")).await;
            usize::from(hit)
        });
        hits += join_all(rounds).await.into_iter().sum::<usize>();
    }
    println!("{hits} of {} freezes hit a job", points.len());
    figure("freezes of a worker, PostgreSQL and S3", hits);
    assert!(hits * 3 > points.len(), "only {hits} of {} freezes hit a job", points.len());
}

#[tokio::test]
async fn a_killed_worker_of_a_shared_database_leaves_the_same_bytes() {
    let mut random = Random::new(5);
    let rounds: Vec<_> = (0..4 * scale())
        .map(|number| (if number % 2 == 0 { Kind::Sft } else { Kind::Rl }, 1 + random.below(6)))
        .collect();
    for rounds in rounds.chunks(WIDTH) {
        join_all(rounds.iter().map(async |(kind, events)| while !kill(*kind, *events).await {})).await;
    }
    figure("kills of a training process, PostgreSQL and S3", rounds.len());
    println!("{} kills of workers that share a database and a bucket", rounds.len());
}

/// Transactions that have locked a job and that nobody has gone on with for a moment.
async fn left_alone(connection: &mut PgConnection) -> i64 {
    let left = sqlx::query_scalar(
        "SELECT count(*) FROM pg_stat_activity AS session
         WHERE datname = current_database() AND state = 'idle in transaction'
         AND state_change < clock_timestamp() - interval '30 milliseconds'
         AND EXISTS (SELECT 1 FROM pg_locks WHERE pg_locks.pid = session.pid AND relation = 'jobs'::regclass
                     AND mode IN ('RowShareLock', 'RowExclusiveLock'))",
    );
    left.fetch_one(connection).await.expect("PostgreSQL tells")
}

/// Freezes a worker in the middle of a write, and wakes it when the job is another's. How long its lock was there, and
/// how long the job was nobody's; nothing if the job ended before that.
async fn freeze(kind: Kind, events: usize) -> Option<(Duration, Duration)> {
    let what = format!("{kind:?} frozen in a write after {events} events");
    let Yard { mut round, mut server, database } = Yard::new(kind).await;
    let owner = round.start(Task::Work, &[]);
    round.reach(&mut server, events).await;
    let mut connection = PgConnection::connect(&database).await.expect("PostgreSQL answers");
    let root = server.root.clone();
    owner.freeze();
    let mut frozen = Instant::now();
    loop {
        tokio::time::sleep(Duration::from_millis(35)).await;
        if left_alone(&mut connection).await > 0 {
            break;
        }
        if round.look(&root).await {
            return None;
        }
        owner.signal(Signal::CONT);
        tokio::time::sleep(Duration::from_millis(3)).await;
        owner.freeze();
        frozen = Instant::now();
    }
    let mut handover = Handover { waiting: round.start(Task::Work, &[]), round, server, owner, frozen };
    while left_alone(&mut connection).await > 0 {
        assert!(frozen.elapsed() < IDLE_TIME, "{what}: its lock stays");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let locked = frozen.elapsed();
    handover.taken(&what).await;
    let taken = frozen.elapsed();
    handover.owner.signal(Signal::CONT);
    handover.round.reach_end(&mut handover.server, &what).await;
    let woken = Instant::now();
    while !handover.owner.log().contains("leaving it") {
        assert!(woken.elapsed() < JOB_TIME, "{what}: {}", handover.owner.log());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(!handover.owner.log().contains("checkpoint published"), "{what}: {}", handover.owner.log());
    Yard::verify(handover.wake_owner().end(&what).await, &database, &what).await;
    Some((locked, taken))
}

#[tokio::test]
async fn an_owner_frozen_in_a_transaction_holds_up_nobody_and_writes_nothing() {
    let mut random = Random::new(6);
    let rounds: Vec<_> = (0..2 * scale()).map(|_| 2 + random.below(30)).collect();
    figure("freezes of a worker, PostgreSQL and S3", rounds.len());
    for rounds in rounds.chunks(WIDTH) {
        let frozen = async |events: &usize| {
            begun_in_time("frozen in a transaction", async || freeze(Kind::Long, *events).await).await
        };
        for (locked, taken) in join_all(rounds.iter().map(frozen)).await {
            println!(
                "frozen in a transaction: its locks were gone after {locked:?}, the job taken over after {taken:?}"
            );
        }
    }
}

#[tokio::test]
async fn the_clock_of_a_worker_means_nothing_to_postgresql() {
    let mut rounds = [1, -1].into_iter().cycle().take(scale());
    let mut next = rounds.next();
    while let Some(hours) = next {
        let what = format!("a worker's clock set by {hours} h");
        let (database, clock, handover) = begun_in_time(&what, async || {
            // S3 itself rejects requests of another time.
            let Yard { round, server, database } = Yard::with(Kind::Long, false).await;
            let clock = Clock::new(round.data().parent().expect("a directory"), "clock");
            let handover = Handover::begin(round, server, 3, &clock.environment(), &[]).await?;
            Some((database, clock, handover))
        })
        .await;
        clock.set(hours);
        tokio::time::sleep_until((handover.frozen + HEARTBEAT).into()).await;
        handover.owner.signal(Signal::CONT);
        let paused = handover.frozen.elapsed();
        let rest = handover.wake_owner();
        let round = rest.end(&what).await;
        // Frozen in the middle of a write, which the database ends for want of a word.
        if round.log.contains("idle-in-transaction") {
            continue;
        }
        // Unless this machine had no time for the worker.
        assert!(paused > LEASE / 2 || claims(&round.log) == 1, "{what}: taken from its worker\n{}", round.log);
        Yard::verify(round, &database, &what).await;
        next = rounds.next();
    }
}
