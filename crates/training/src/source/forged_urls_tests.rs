//! Obfuscated URLs of this machine or its network: none of them may cause a connection.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::net::TcpListener;

use super::{DataSource, Lookup, SourceError, SourceLimits};

/// Addresses that must not be reachable through this service.
const ADDRESSES: [Ipv4Addr; 8] = [
    Ipv4Addr::LOCALHOST,
    Ipv4Addr::UNSPECIFIED,
    Ipv4Addr::new(127, 255, 255, 254),
    Ipv4Addr::new(10, 0, 0, 1),
    Ipv4Addr::new(172, 16, 0, 1),
    Ipv4Addr::new(192, 168, 0, 1),
    Ipv4Addr::new(100, 64, 0, 1),
    // Metadata service of cloud machines.
    Ipv4Addr::new(169, 254, 169, 254),
];

/// Returns spellings that a URL parser may read as this address.
fn spellings(address: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets();
    let whole = address.to_bits();
    let plain = address.to_string();
    let other_digits = |digits: &[char; 10]| {
        plain.chars().map(|c| c.to_digit(10).map_or(c, |digit| digits[digit as usize])).collect::<String>()
    };
    let (high, low) = (whole >> 16, whole & 0xffff);
    let v6 = |segments: [u32; 8]| Ipv6Addr::from(segments.map(|segment| segment as u16)).to_string();
    vec![
        format!("{plain}."),
        whole.to_string(),
        format!("{whole:#x}"),
        format!("{whole:#X}").replace("0X", "0x"),
        format!("0{whole:o}"),
        format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("{a:#x}.{b}.0{c:o}.{d}"),
        format!("{a}.{}", whole & 0x00ff_ffff),
        format!("{a}.{b}.{low}"),
        format!("{a:#x}.{:#x}", whole & 0x00ff_ffff),
        format!("000{a:o}.{b}.{c}.{d}"),
        plain.chars().map(|c| format!("%{:02x}", c as u32)).collect(),
        plain.replace('.', "。"),
        plain.replace('.', "．"),
        plain.replace('.', "%e3%80%82"),
        other_digits(&['０', '１', '２', '３', '４', '５', '６', '７', '８', '９']),
        other_digits(&['⓪', '①', '②', '③', '④', '⑤', '⑥', '⑦', '⑧', '⑨']),
        format!("[::ffff:{plain}]"),
        format!("[::ffff:{high:x}:{low:x}]"),
        format!("[0:0:0:0:0:FFFF:{high:X}:{low:X}]"),
        format!("[::{plain}]"),
        format!("[{}]", v6([0x64, 0xff9b, 0, 0, 0, 0, high, low])),
        format!("[{}]", v6([0x2002, high, low, 0, 0, 0, 0, 1])),
        format!("[{}]", v6([0x2001, 0, 0, 0, 0, 0, !high, !low])),
        format!("[::ffff:0:{plain}]"),
        plain,
    ]
}

/// Names and IPv6 addresses that denote this machine or its network.
const HOSTS: &[&str] = &[
    "localhost",
    "LOCALHOST",
    "localhost.",
    "LocalHost..",
    "a.localhost",
    "a.localhost.",
    "localhost.localdomain",
    "ip6-localhost",
    "loopback",
    "broadcasthost",
    "intranet",
    "printer.local",
    "printer.local.",
    "host.internal",
    "metadata",
    "metadata.google.internal",
    "METADATA.GOOGLE.INTERNAL.",
    "instance-data",
    "kubernetes.default.svc",
    "ｌｏｃａｌｈｏｓｔ",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "loc%61lhost",
    "local\u{ad}host",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::1%25lo]",
    "[fe80::1]",
    "[fe80::1%25eth0]",
    "[fd00::1]",
    "[fc00::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[100::1]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[::ffff:0:0]",
    "[5f00::1]",
    "255.255.255.255",
    "224.0.0.1",
    "0",
    "0x0",
    "198.18.0.1",
    "192.0.0.1",
];

/// Returns all forged URLs, with the port of the listener.
fn forged(port: u16) -> BTreeSet<String> {
    let hosts = ADDRESSES.into_iter().flat_map(spellings).chain(HOSTS.iter().map(|host| (*host).to_owned()));
    let mut urls = BTreeSet::new();
    for host in hosts {
        urls.extend(["https", "http"].map(|scheme| format!("{scheme}://{host}:{port}/rows.jsonl")));
    }
    let here = format!("127.0.0.1:{port}");
    for forged in [
        "https://example.com@HERE/",
        "https://example.com:443@HERE/",
        "https://a:b@HERE/",
        "https://@HERE/",
        "https://HERE#@example.com/",
        "https://HERE?@example.com/",
        "https://HERE\\@example.com/",
        "https://HERE/@example.com/",
        "https:\\\\HERE/",
        "https:/HERE/",
        "https:HERE/",
        "https:///HERE/",
        " https://HERE/",
        "https://HERE/ ",
        "HTTPS://HERE/",
        "ht\ntps://HERE/",
        "https://\tHERE/",
        "https://HERE/../x",
        "https://HERE%2f@example.com/",
        "//HERE/",
        "HERE",
        "gopher://HERE/_x",
        "ftp://HERE/",
        "ftps://HERE/",
        "sftp://HERE/",
        "ws://HERE/",
        "wss://HERE/",
        "dict://HERE/d:x",
        "ldap://HERE/",
        "tftp://HERE/",
        "smb://HERE/x",
        "redis://HERE/",
        "s3://HERE/x",
        "hf://HERE/x",
        "jar:http://HERE/!/x",
        "view-source:http://HERE/",
        "blob:http://HERE/x",
        "data:,x",
        "javascript:fetch('http://HERE/')",
        "about:blank",
        "file:///etc/passwd",
        "file://HERE/etc/passwd",
        "file://localhost/etc/passwd",
        "file:/etc/passwd",
        "unix:/run/x.sock",
        "http+unix://%2frun%2fx.sock/",
        "wandb-artifact:///a/b/c:v0",
    ] {
        urls.insert(forged.replace("HERE", &here));
    }
    urls
}

#[tokio::test]
async fn no_spelling_of_this_network_makes_a_connection() {
    let canary = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = canary.local_addr().expect("an address").port();
    // Only if the machine has IPv6.
    let canary6 = TcpListener::bind(("::1", port)).await.ok();
    let source = DataSource::default();
    let limits = SourceLimits { total: Duration::from_secs(5), idle: Duration::from_secs(5), ..Default::default() };
    let urls = forged(port);
    assert!(urls.len() >= 450, "{} URLs", urls.len());
    for url in &urls {
        let opened = source.open(url, &limits).await;
        assert!(opened.is_err(), "{url} was read");
    }
    let touched = async {
        match &canary6 {
            Some(canary6) => {
                tokio::select! { touched = canary.accept() => touched, touched = canary6.accept() => touched }
            }
            None => canary.accept().await,
        }
    };
    let touched = tokio::time::timeout(Duration::from_millis(200), touched).await;
    assert!(touched.is_err(), "somebody connected: {touched:?}");
}

/// Number of lookups by the resolvers below.
static REBOUND: AtomicUsize = AtomicUsize::new(0);
static MOVED: AtomicUsize = AtomicUsize::new(0);

/// A public address that is not in use.
const PUBLIC: IpAddr = IpAddr::V6(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 1));
/// Address of this machine.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn resolved(addresses: &[IpAddr], port: u16) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>> {
    let addresses = addresses.iter().map(|address| SocketAddr::new(*address, port)).collect();
    Box::pin(std::future::ready(Ok(addresses)))
}

/// Resolves to a public address once, and then to this machine's.
fn rebinding(_name: String, port: u16) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>> {
    resolved(&[if REBOUND.fetch_add(1, Ordering::SeqCst) == 0 { PUBLIC } else { HERE }], port)
}

/// Resolves to both addresses at once.
fn mixing(_name: String, port: u16) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>> {
    resolved(&[PUBLIC, HERE], port)
}

/// Resolves to this machine's address once, and then to another.
fn moving(_name: String, port: u16) -> BoxFuture<'static, std::io::Result<Vec<SocketAddr>>> {
    resolved(&[if MOVED.fetch_add(1, Ordering::SeqCst) == 0 { HERE } else { PUBLIC }], port)
}

fn short() -> SourceLimits {
    SourceLimits { total: Duration::from_secs(2), idle: Duration::from_secs(1), ..Default::default() }
}

#[tokio::test]
async fn a_name_that_changes_its_address_makes_no_connection() {
    let canary = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("https://rebind.example:{}/rows.jsonl", canary.local_addr().expect("an address").port());
    let of = |lookup| DataSource { lookup: Lookup(lookup), ..DataSource::default() };
    let rebound = of(rebinding);
    assert!(rebound.open(&url, &short()).await.is_err());
    assert_eq!(REBOUND.load(Ordering::SeqCst), 1);
    // The next request gets the other address and is rejected.
    for source in [rebound, of(mixing)] {
        let rejected = source.open(&url, &short()).await;
        assert!(matches!(rejected, Err(SourceError::Rejected { .. })));
    }
    let touched = tokio::time::timeout(Duration::from_millis(200), canary.accept()).await;
    assert!(touched.is_err(), "somebody connected: {touched:?}");
}

/// Only this test's resolver knows the name: without its address there would be no connection.
#[tokio::test]
async fn connections_use_the_checked_address() {
    let canary = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let root = format!("https://rebind.example:{}/", canary.local_addr().expect("an address").port());
    let allowed = DataSource::new(&[&root]).expect("a prefix");
    let source = DataSource { lookup: Lookup(moving), ..allowed };
    let (url, limits) = (format!("{root}rows.jsonl"), short());
    let (opened, connected) =
        tokio::join!(source.open(&url, &limits), tokio::time::timeout(Duration::from_secs(5), canary.accept()));
    assert!(connected.is_ok_and(|connected| connected.is_ok()), "it connects to the address that it was told");
    assert!(opened.is_err(), "nobody speaks TLS there");
    assert_eq!(MOVED.load(Ordering::SeqCst), 1);
}
