//! Artifacts in a bucket: a real S3 server in this process, and what happens to requests on their way.

mod fault_proxy;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::LazyLock;

use hyper_util::rt::{TokioExecutor, TokioIo};
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tokio::net::TcpListener;

use self::fault_proxy::{Fault, FaultProxy};
use super::super::{ArtifactId, Artifacts};
use super::*;
use crate::garbage;
use crate::metadata::Files;
use crate::sqlite::SqliteMetadata;
use trainyard_runtime::error_chain;

const BUCKET: &str = "yard";
/// Bytes of a part of an upload here: the least that S3 takes.
const PART: usize = 5 << 20;
/// Two parts and a bit.
const LARGE: usize = 2 * PART + 5;
/// Bytes of one request for reading where that is what is looked at.
const WINDOW: usize = 64 << 10;
/// Two windows and a bit.
const LONG: usize = 2 * WINDOW + 5;

/// Repetitions of the table of faults.
fn scale() -> usize {
    std::env::var("TRAINYARD_FAULTS").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1)
}

/// A server with an empty bucket.
struct Server {
    root: tempfile::TempDir,
    address: SocketAddr,
}

impl Server {
    async fn start() -> Self {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join(BUCKET)).unwrap();
        let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(root.path()).unwrap());
        builder.set_auth(SimpleAuth::from_single("key", "secret"));
        let service = builder.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                let service = service.clone();
                tokio::spawn(async move {
                    let server = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                    // A client that goes away is no fault of the server.
                    server.serve_connection(TokioIo::new(socket), service).await.ok()
                });
            }
        });
        Self { root, address }
    }

    fn files(&self, kind: &str) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut directories = vec![self.root.path().join(BUCKET).join("some/prefix").join(kind)];
        while let Some(directory) = directories.pop() {
            let Ok(entries) = std::fs::read_dir(directory) else { continue };
            for entry in entries.map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    directories.push(entry.path())
                } else {
                    files.push(entry.path())
                }
            }
        }
        files
    }
}

fn open(address: SocketAddr, deadline: Duration) -> Artifacts {
    let builder = AmazonS3Builder::new()
        .with_endpoint(format!("http://{address}"))
        .with_region("us-east-1")
        .with_access_key_id("key")
        .with_secret_access_key("secret");
    let timeouts = Timeouts { connect: Duration::from_secs(1), request: Duration::from_millis(800), total: deadline };
    let bucket = Artifacts::bucket(builder, true, BUCKET, &Path::from("some/prefix"), timeouts).unwrap();
    Artifacts { part_size: PART as u64, ..bucket }
}

const PATIENT: Duration = Duration::from_secs(30);

static CONTENT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut state = 1_u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(LARGE).collect()
});

fn content(length: usize) -> &'static [u8] {
    &CONTENT[..length]
}

async fn write_in_pieces(artifacts: &Artifacts, content: &[u8]) -> Result<ArtifactId, ArtifactError> {
    let mut writer = artifacts.writer();
    for piece in content.chunks(3 << 20) {
        writer.write(piece).await?;
    }
    writer.finish().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_come_back_under_their_hash() {
    let server = Server::start().await;
    let artifacts = open(server.address, PATIENT);
    for length in [0, 1, 100_000, PART, LARGE] {
        let (put, piecewise) = (
            artifacts.put(content(length)).await.unwrap(),
            write_in_pieces(&artifacts, content(length)).await.unwrap(),
        );
        for id in [put, piecewise] {
            assert_eq!(id.hash(), ArtifactId::of(content(length)).hash());
            assert!(artifacts.get(id).await.unwrap() == content(length), "{length} bytes");
            artifacts.verify(id).await.unwrap();
        }
    }
    let listed = artifacts.list().await.unwrap();
    assert_eq!(listed.len(), 10);
    assert_eq!(listed.iter().map(|stored| stored.bytes).max(), Some(LARGE as u64));
    assert!(server.files("incoming").is_empty() && server.files("clock").is_empty());
    for stored in listed {
        artifacts.delete(stored.id).await.unwrap();
        artifacts.delete(stored.id).await.unwrap();
        assert!(matches!(artifacts.get(stored.id).await, Err(ArtifactError::NotFound(id)) if id == stored.id));
        assert!(matches!(artifacts.verify(stored.id).await, Err(ArtifactError::NotFound(_))));
    }
    assert!(server.files("sha256").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn published_artifacts_are_never_replaced() {
    let server = Server::start().await;
    let artifacts = open(server.address, PATIENT);
    let id = artifacts.put("first").await.unwrap();
    // Only its own writer can have put something there, so this is no failure; but nothing changes.
    artifacts.create(&id.location(), "other".into()).await.unwrap();
    assert_eq!(artifacts.get(id).await.unwrap(), "first");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damage_in_the_bucket_is_noticed() {
    let server = Server::start().await;
    let artifacts = open(server.address, PATIENT);
    for length in [1000, LARGE] {
        let id = artifacts.put(content(length)).await.unwrap();
        let file = server.files("sha256").into_iter().find(|file| file.ends_with(id.to_string())).unwrap();
        let mut damaged = content(length).to_vec();
        damaged[length - 1] ^= 1;
        std::fs::write(&file, &damaged).unwrap();
        for outcome in [artifacts.get(id).await.map(drop), artifacts.verify(id).await] {
            assert!(matches!(outcome, Err(ArtifactError::Corrupt { expected, .. }) if expected == id), "{outcome:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bucket_is_swept_and_held() {
    let server = Server::start().await;
    let artifacts = open(server.address, PATIENT);
    let metadata = SqliteMetadata::open(&server.root.path().join("metadata.db")).await.unwrap();
    let id = artifacts.put("never published").await.unwrap();
    assert_eq!(garbage::sweep(&metadata, &artifacts, garbage::GRACE).await.unwrap(), 0);
    let lock = artifacts.lock_retention().await.unwrap();
    assert_eq!(garbage::collect(&metadata, &artifacts, &[id]).await.unwrap(), 0);
    lock.release().await.unwrap();
    assert_eq!(artifacts.get(id).await.unwrap(), "never published");
    // What was uploaded and not yet copied to its name when the writer was killed.
    artifacts.create(&Path::from("incoming/00000000000000000000000000000000"), "left".into()).await.unwrap();
    assert_eq!(garbage::sweep(&metadata, &artifacts, Duration::ZERO).await.unwrap(), 1);
    assert!(server.files("").is_empty(), "{:?}", server.files(""));
    assert!(metadata.artifact_references(None, 1).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_is_told_in_time_and_passes() {
    let server = Server::start().await;
    let proxy = FaultProxy::start(server.address).await;
    let artifacts = open(proxy.address, Duration::from_secs(2));
    let id = artifacts.put("before").await.unwrap();
    for fault in [Fault::Stall, Fault::ResetBefore, Fault::Error, Fault::SlowDown] {
        proxy.always(Some(fault));
        let begun = std::time::Instant::now();
        let (put, get, head, ping) =
            tokio::join!(artifacts.put("x"), artifacts.get(id), artifacts.verify(id), artifacts.delete(id));
        for outcome in [put.map(drop), get.map(drop), head, ping] {
            let error = outcome.expect_err("there is no answer");
            assert!(error.is_transient(), "{fault:?}: {error:?}");
        }
        assert!(begun.elapsed() < Duration::from_secs(8), "{fault:?} took {:?}", begun.elapsed());
        proxy.always(None);
        assert_eq!(artifacts.get(id).await.unwrap(), "before");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_keys_and_buckets_are_said_at_once() {
    let server = Server::start().await;
    let begun = std::time::Instant::now();
    let builder = AmazonS3Builder::new()
        .with_endpoint(format!("http://{}", server.address))
        .with_region("us-east-1")
        .with_access_key_id("key")
        .with_secret_access_key("another");
    let timeouts = Timeouts { connect: PATIENT, request: PATIENT, total: PATIENT };
    let artifacts = Artifacts::bucket(builder, true, BUCKET, &Path::default(), timeouts).unwrap();
    let rejected = artifacts.ping().await.expect_err("the key is wrong");
    assert!(error_chain(&rejected).contains("SignatureDoesNotMatch"), "{rejected:?}");
    let rejected = artifacts.put("x").await.expect_err("the key is wrong");
    assert!(!rejected.is_transient(), "{rejected:?}");
    let missing = AmazonS3Builder::new()
        .with_endpoint(format!("http://{}", server.address))
        .with_region("us-east-1")
        .with_access_key_id("key")
        .with_secret_access_key("secret");
    let artifacts = Artifacts::bucket(missing, true, "elsewhere", &Path::default(), timeouts).unwrap();
    let rejected = artifacts.ping().await.expect_err("there is no such bucket");
    assert!(error_chain(&rejected).contains("NoSuchBucket"), "{rejected:?}");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

/// Operation during which one request fails.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Put(usize),
    Pieces(usize),
    Get(usize),
    Verify(usize),
    Copy(usize),
    List,
    Delete,
    RetentionLock,
}

const OPERATIONS: [Operation; 12] = [
    Operation::Put(1000),
    Operation::Put(LARGE),
    Operation::Pieces(1000),
    Operation::Pieces(LARGE),
    Operation::Get(1000),
    Operation::Get(LONG),
    Operation::Verify(1000),
    Operation::Verify(LONG),
    Operation::Copy(1000),
    Operation::List,
    Operation::Delete,
    Operation::RetentionLock,
];

impl Operation {
    /// Whether what comes back is proven. Without TLS nothing proves a list of names, or a response that is only read to
    /// see that there is one.
    fn proves_its_responses(self) -> bool {
        matches!(self, Self::Get(_) | Self::Copy(_))
    }

    /// Size of the artifact that has to exist before, if one has to.
    fn needs(self) -> usize {
        match self {
            Self::Get(length) | Self::Verify(length) | Self::Copy(length) => length,
            Self::Put(_) | Self::Pieces(_) | Self::List | Self::Delete | Self::RetentionLock => 1000,
        }
    }

    /// Does it and checks what it did. `known` is there before.
    async fn run(self, artifacts: &Artifacts, known: ArtifactId) -> Result<(), ArtifactError> {
        match self {
            Self::Put(length) => {
                let id = artifacts.put(content(length)).await?;
                assert_eq!(id.hash(), ArtifactId::of(content(length)).hash());
            }
            Self::Pieces(length) => {
                write_in_pieces(artifacts, content(length)).await?;
            }
            Self::Get(length) => assert!(artifacts.get(known).await? == content(length)),
            Self::Verify(_) => artifacts.verify(known).await?,
            Self::Copy(length) => {
                let directory = tempfile::tempdir().unwrap();
                let local = Artifacts::open_directory(directory.path()).unwrap();
                assert_eq!(artifacts.copy_to(known, &local).await?, length as u64);
                assert!(local.get(known).await? == content(length));
            }
            Self::List => assert_eq!(artifacts.list().await?.iter().filter(|stored| stored.id == known).count(), 1),
            Self::Delete => {
                artifacts.delete(known).await?;
                assert!(matches!(artifacts.get(known).await, Err(ArtifactError::NotFound(_))));
            }
            Self::RetentionLock => {
                let lock = artifacts.lock_retention().await?;
                assert!(artifacts.is_retention_locked().await?);
                lock.release().await?;
            }
        }
        Ok(())
    }
}

/// Each kind of fault, at each request of each operation: it succeeds all the same, and what is then in the bucket is
/// whole and nothing else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_fault_at_any_request_changes_nothing() {
    let mut tables = tokio::task::JoinSet::new();
    for operation in OPERATIONS {
        tables.spawn(faults_in(operation));
    }
    let happened: usize = tables.join_all().await.iter().sum();
    assert!(happened > 200 * scale(), "only {happened} faults happened");
}

/// Returns how many faults happened.
async fn faults_in(operation: Operation) -> usize {
    let server = Server::start().await;
    let proxy = FaultProxy::start(server.address).await;
    let (artifacts, direct) = (open(proxy.address, PATIENT), open(server.address, PATIENT));
    let piece = if operation.needs() == LONG { WINDOW } else { PART };
    let artifacts = Artifacts { part_size: piece as u64, ..artifacts };
    let mut happened = 0;
    let faults =
        Fault::ALL.into_iter().filter(|fault| *fault != Fault::FlipResponse || operation.proves_its_responses());
    for fault in std::iter::repeat_n(faults, scale()).flatten() {
        let mut index = 0;
        loop {
            let known = direct.put(content(operation.needs())).await.unwrap();
            proxy.fault_at(index, fault);
            let outcome = operation.run(&artifacts, known).await;
            assert!(outcome.is_ok(), "{operation:?}, {fault:?} at request {index}: {outcome:?}");
            happened += proxy.faults();
            for stored in direct.list().await.unwrap() {
                direct.verify(stored.id).await.unwrap();
                direct.delete(stored.id).await.unwrap();
            }
            index += 1;
            if index >= proxy.requests() {
                break;
            }
        }
    }
    // Uploads whose end was not heard of may have left something, which a sweep finds.
    direct.remove_unfinished(Duration::ZERO).await.unwrap();
    for kind in ["sha256", "incoming", "clock", "holds"] {
        assert!(server.files(kind).is_empty(), "{operation:?} left {kind}: {:?}", server.files(kind));
    }
    happened
}
