//! Reads the system calls that strace recorded: changes of files with their data, and the requests and answers between
//! them.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::server::Fault;

/// The calls that a recording needs: changes of files, syncs, descriptors, sockets, and calls that replay rejects.
const CALLS: &str = "openat,?open,?creat,close,write,pwrite64,writev,pwritev,pwritev2,lseek,ftruncate,?truncate,fallocate,\
                     fsync,fdatasync,sync_file_range,?rename,?renameat,renameat2,?unlink,unlinkat,?mkdir,mkdirat,?rmdir,\
                     ?link,linkat,?symlink,symlinkat,copy_file_range,sendfile,io_uring_setup,mmap,msync,sendto,sendmsg,\
                     recvfrom";
/// Longest time until strace has written the end of a process that has ended.
const WRITE_TIME: Duration = Duration::from_secs(60);
/// The header that names a request, and its answer too.
const REQUEST_ID: &str = "x-request-id: ";

/// The options with which strace records a program: each string whole and in hexadecimal digits, each descriptor with
/// its path. The program may be disturbed at the same time.
pub(crate) fn options(file: &Path, fault: Option<&Fault>) -> Vec<OsString> {
    let options = ["-f", "-y", "-xx", "-s", "67108864", "-e", &format!("trace={CALLS}"), "-o"];
    // strace 6.1 injects nothing with `--seccomp-bpf`.
    let disturb = fault.map_or("--seccomp-bpf".to_owned(), |fault| format!("--inject={}", fault.injection()));
    [OsString::from(disturb)].into_iter().chain(options.map(Into::into)).chain([file.into()]).collect()
}

/// A change of the files, of the descriptors, or a sync.
#[derive(Debug)]
pub(crate) enum Action {
    Open {
        path: PathBuf,
        create: bool,
        truncate: bool,
        append: bool,
        descriptor: i64,
    },
    Close {
        descriptor: i64,
    },
    Seek {
        descriptor: i64,
        position: u64,
    },
    Write {
        descriptor: i64,
        path: PathBuf,
        offset: Option<u64>,
        data: Vec<u8>,
    },
    Truncate {
        descriptor: i64,
        length: u64,
    },
    Sync {
        descriptor: i64,
        path: PathBuf,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
    Remove {
        path: PathBuf,
    },
    MakeDirectory {
        path: PathBuf,
    },
    /// The file's bytes change without a call from now on.
    MapShared {
        path: PathBuf,
    },
}

/// A system call that succeeded.
#[derive(Debug)]
pub(crate) struct Call {
    /// The process, by its number among the recorded ones.
    pub process: usize,
    /// The line at which it began.
    pub entered: usize,
    /// The line at which it had ended.
    pub returned: usize,
    pub action: Action,
}

/// Changes by processes in their order. Each line of their traces has a position.
#[derive(Default)]
pub(crate) struct Recording {
    pub calls: Vec<Call>,
    /// The position after which a request of this name was known.
    pub received: HashMap<String, usize>,
    /// The position at which an answer of this name was sent.
    pub answered: HashMap<String, usize>,
    /// Positions at which each process first wrote to its standard output.
    pub printed: HashMap<usize, usize>,
    /// Positions at which each process had ended.
    pub ends: Vec<usize>,
    /// Files that a process was changing when it ended: nobody knows whether it did.
    pub uncertain: HashSet<PathBuf>,
    /// Positions so far.
    pub length: usize,
}

impl Recording {
    /// Adds the trace of the next process, which has ended.
    pub(crate) fn add(&mut self, file: &Path, root: &Path) {
        let text = whole_trace(file);
        let (process, mut unfinished) = (self.ends.len(), HashMap::new());
        for line in text.lines() {
            let position = self.length;
            self.length += 1;
            let (thread, text) = line.split_once(' ').expect("a thread and its call");
            let text = text.trim_start();
            if let Some(begun) = text.strip_suffix(" <unfinished ...>") {
                unfinished.insert(thread, (position, begun));
                self.note_answers(begun, position);
            } else if let Some((_, rest)) = text.strip_prefix("<... ").and_then(|text| text.split_once(" resumed>")) {
                let (entered, begun) = unfinished.remove(thread).expect("a call that began");
                self.call(process, entered, &format!("{begun}{rest}"), root);
            } else if text.contains('(') {
                self.note_answers(text, position);
                self.call(process, position, text, root);
            }
        }
        self.uncertain.extend(unfinished.into_values().filter_map(|(_, begun)| changed_file(begun, root)));
        self.ends.push(self.length);
    }

    /// Notes the beginning of answers, and of the standard output.
    fn note_answers(&mut self, text: &str, position: usize) {
        let process = self.ends.len();
        let Some((name, arguments)) = text.split_once('(') else { return };
        if !matches!(name, "write" | "writev" | "sendto" | "sendmsg") {
            return;
        }
        if arguments.starts_with("1<") {
            self.printed.entry(process).or_insert(position);
        }
        for id in request_ids(arguments) {
            self.answered.entry(id).or_insert(position);
        }
    }

    fn call(&mut self, process: usize, entered: usize, text: &str, root: &Path) {
        let (name, rest) = text.split_once('(').expect("a call");
        let (arguments, result) = rest.rsplit_once(" = ").expect("a result");
        let arguments = arguments.trim_end().strip_suffix(')').unwrap_or(arguments);
        let returned = self.length - 1;
        if name == "recvfrom" {
            for id in request_ids(arguments) {
                self.received.entry(id).or_insert(returned);
            }
            return;
        }
        let digits = result.split(['<', ' ']).next().expect("a number");
        let Ok(result) = digits.parse::<i64>() else {
            // An address, or the call of a process that ended in it.
            self.uncertain.extend(changed_file(text, root));
            if let Some(action) = (name == "mmap").then(|| mapped(arguments, root)).flatten() {
                self.calls.push(Call { process, entered, returned, action });
            }
            return;
        };
        if result >= 0
            && let Some(action) = action(name, arguments, result, root)
        {
            self.calls.push(Call { process, entered, returned, action });
        }
    }
}

/// The file that a call changes, if it is below the root.
fn changed_file(text: &str, root: &Path) -> Option<PathBuf> {
    let (name, arguments) = text.split_once('(')?;
    let changes = ["write", "pwrite64", "writev", "ftruncate"].contains(&name);
    changes.then(|| path_of(arguments)).filter(|path| path.starts_with(root))
}

/// The trace, once strace has written the end of the process.
fn whole_trace(file: &Path) -> String {
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let process = text.split_whitespace().next().unwrap_or_default();
        let mut ends = text.lines().rev().take(64).filter_map(|line| line.split_once("+++"));
        if ends.any(|(thread, _)| thread.trim() == process) {
            assert!(!text.contains("\"..."), "strace shortened a string");
            return text;
        }
        assert!(begun.elapsed() < WRITE_TIME, "strace does not write the end of the process");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The names of requests in the text of a call.
fn request_ids(text: &str) -> Vec<String> {
    let header = hexadecimal(REQUEST_ID);
    let values = text.split(&header).skip(1).map(|rest| rest.split("\\x0d").next().expect("a value"));
    values.map(|value| String::from_utf8(bytes(value)).expect("an id is text")).collect()
}

fn action(name: &str, arguments: &str, result: i64, root: &Path) -> Option<Action> {
    let parts: Vec<&str> = arguments.split(", ").collect();
    let below = |path: PathBuf| path.starts_with(root).then_some(path);
    let target = || below(path_of(parts[0]));
    let number = |index: usize| parts[index].parse().expect("a number");
    Some(match name {
        "openat" | "open" => {
            let at = usize::from(name == "openat");
            let flags: Vec<&str> = parts[at + 1].split('|').collect();
            let path = below(if at == 1 { joined(parts[0], parts[1]) } else { PathBuf::from(text(parts[0])) })?;
            assert!(!flags.contains(&"O_TMPFILE") && !flags.contains(&"O_DIRECT"), "{arguments}");
            let [create, truncate, append] = ["O_CREAT", "O_TRUNC", "O_APPEND"].map(|flag| flags.contains(&flag));
            Action::Open { path, create, truncate, append, descriptor: result }
        }
        "close" => Action::Close { descriptor: descriptor(parts[0]) },
        "lseek" => {
            target()?;
            Action::Seek { descriptor: descriptor(parts[0]), position: result.unsigned_abs() }
        }
        "write" | "pwrite64" | "writev" => {
            let path = target()?;
            let mut data = if name == "writev" {
                let buffers = arguments.split("iov_base=\"").skip(1);
                buffers.flat_map(|rest| bytes(rest.split('"').next().expect("a string"))).collect()
            } else {
                bytes(quoted(parts[1]))
            };
            data.truncate(usize::try_from(result).expect("a length"));
            let offset = (name == "pwrite64").then(|| number(3));
            Action::Write { descriptor: descriptor(parts[0]), path, offset, data }
        }
        "ftruncate" => {
            target()?;
            Action::Truncate { descriptor: descriptor(parts[0]), length: number(1) }
        }
        "fsync" | "fdatasync" => {
            let path = target()?;
            Action::Sync { descriptor: descriptor(parts[0]), path }
        }
        "rename" => Action::Rename { from: below(text(parts[0]).into())?, to: text(parts[1]).into() },
        "renameat" | "renameat2" => {
            Action::Rename { from: below(joined(parts[0], parts[1]))?, to: joined(parts[2], parts[3]) }
        }
        "unlink" | "rmdir" => Action::Remove { path: below(text(parts[0]).into())? },
        "unlinkat" => Action::Remove { path: below(joined(parts[0], parts[1]))? },
        "mkdir" => Action::MakeDirectory { path: below(text(parts[0]).into())? },
        "mkdirat" => Action::MakeDirectory { path: below(joined(parts[0], parts[1]))? },
        "mmap" => return mapped(arguments, root),
        "sendto" | "sendmsg" => return None,
        // Nothing of the program makes these changes; a replay would have to know them.
        _ => {
            let hex = hexadecimal(root.to_str().expect("text"));
            assert!(name != "io_uring_setup" && !arguments.contains(&hex), "no replay of {name}({arguments})");
            return None;
        }
    })
}

/// A writable mapping of a file.
fn mapped(arguments: &str, root: &Path) -> Option<Action> {
    let parts: Vec<&str> = arguments.split(", ").collect();
    let writes = parts[2].contains("PROT_WRITE") && parts[3].contains("MAP_SHARED") && parts[4].contains('<');
    let path = writes.then(|| path_of(parts[4]))?;
    path.starts_with(root).then_some(Action::MapShared { path })
}

/// The number of `5<PATH>`.
fn descriptor(text: &str) -> i64 {
    text.split('<').next().and_then(|number| number.parse().ok()).expect("a descriptor")
}

/// The path of `5<PATH>`.
fn path_of(text: &str) -> PathBuf {
    let path = text.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map_or("", |(path, _)| path);
    if path.starts_with("\\x") { String::from_utf8(bytes(path)).expect("a path is text").into() } else { path.into() }
}

fn joined(directory: &str, path: &str) -> PathBuf {
    path_of(directory).join(text(path))
}

fn quoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).expect("a string")
}

fn text(argument: &str) -> String {
    String::from_utf8(bytes(quoted(argument))).expect("a path is text")
}

/// The text as strace writes it.
fn hexadecimal(text: &str) -> String {
    text.bytes().map(|byte| format!("\\x{byte:02x}")).collect()
}

/// The bytes of `\x61\x62`.
fn bytes(hex: &str) -> Vec<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).expect("a hexadecimal digit") as u8;
    let (codes, rest) = hex.as_bytes().as_chunks::<4>();
    assert!(rest.is_empty(), "{hex:?}");
    codes
        .iter()
        .map(|code| {
            assert_eq!(&code[..2], b"\\x");
            (digit(code[2]) << 4) | digit(code[3])
        })
        .collect()
}
