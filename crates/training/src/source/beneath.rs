//! Opens files beneath a directory that the operator allows.
//!
//! A path is resolved from a descriptor of the directory, one component at a time, by the kernel or by [`walk`]. Links
//! that are absolute or lead outside of the directory are rejected, also if they are made during the call: nothing is
//! checked by name and opened by name afterwards.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path};

use rustix::fs::{Mode, OFlags, open, openat, readlinkat};
use rustix::io::Errno;

/// Opening of a file to read. It returns at once for pipes and devices too, which are rejected afterwards.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
/// Opening of a directory to search.
const DIRECTORY: OFlags = SEARCH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Access to a directory that may be searched; elsewhere than on Linux it must be readable too.
#[cfg(target_os = "linux")]
const SEARCH: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const SEARCH: OFlags = OFlags::RDONLY;
/// Maximum number of symbolic links on a path, as in Linux.
const MAX_LINKS: usize = 40;

/// Opens the regular file `path` beneath `root`, or `root` itself if the path is empty. `root` may be reached by
/// symbolic links; links beneath it must be relative and stay beneath it.
///
/// # Errors
/// [`ErrorKind::CrossesDevices`] for a link that is absolute or leads outside, [`ErrorKind::InvalidInput`] for a file
/// that is not regular, for links in a circle and for a name with a NUL, and the errors of the operating system.
pub(super) fn open_file(root: &Path, path: &Path) -> io::Result<File> {
    if path.as_os_str().is_empty() {
        return regular(open(root, FILE, Mode::empty()));
    }
    regular(resolve(open(root, DIRECTORY, Mode::empty())?, path))
}

fn regular(opened: Result<OwnedFd, Errno>) -> io::Result<File> {
    let file = match opened {
        Ok(file) => File::from(file),
        // A socket or a device without a driver, or a circle.
        Err(Errno::NXIO | Errno::NODEV | Errno::LOOP) => return Err(ErrorKind::InvalidInput.into()),
        Err(error) => return Err(error.into()),
    };
    if file.metadata()?.is_file() { Ok(file) } else { Err(ErrorKind::InvalidInput.into()) }
}

#[cfg(target_os = "linux")]
fn resolve(root: OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    use rustix::fs::{ResolveFlags, openat2};

    match openat2(&root, path, FILE, Mode::empty(), ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS) {
        // A kernel before 5.6, a container whose filter rejects the call, or a rename during it.
        Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => walk(root, path),
        opened => opened,
    }
}

#[cfg(not(target_os = "linux"))]
fn resolve(root: OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    walk(root, path)
}

/// Resolves a path without the help of the kernel: opens each component without following links, and follows relative
/// links itself.
fn walk(root: OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    // The open directories from the root to the current one, and the components to resolve, the next one last.
    let mut directories = vec![root];
    let mut rest = components(path)?;
    let mut links = 0;
    while let Some(name) = rest.pop() {
        if name == ".." {
            directories.pop();
        }
        // `..` in the root leads outside.
        let directory = directories.last().ok_or(Errno::XDEV)?;
        if name == ".." {
            continue;
        }
        match readlinkat(directory, &name, Vec::new()) {
            Ok(target) => {
                links += 1;
                if links > MAX_LINKS {
                    return Err(Errno::LOOP);
                }
                let target = OsString::from_vec(target.into_bytes());
                rest.extend(components(Path::new(&target))?);
            }
            // Not a link. If it has become one since, it is not followed but an error.
            Err(Errno::INVAL) if rest.is_empty() => {
                return openat(directory, &name, FILE | OFlags::NOFOLLOW, Mode::empty());
            }
            Err(Errno::INVAL) => {
                let opened = openat(directory, &name, DIRECTORY | OFlags::NOFOLLOW, Mode::empty())?;
                directories.push(opened);
            }
            Err(error) => return Err(error),
        }
    }
    // The path ends in a directory.
    directories.pop().ok_or(Errno::XDEV)
}

/// Returns the components of a relative path, the first one last.
fn components(path: &Path) -> Result<Vec<OsString>, Errno> {
    let names = path.components().rev().filter(|part| *part != Component::CurDir);
    let name = |part: Component<'_>| match part {
        Component::RootDir | Component::Prefix(_) => Err(Errno::XDEV),
        part => Ok(part.as_os_str().to_owned()),
    };
    names.map(name).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    type Opens = fn(&Path, &Path) -> io::Result<File>;

    /// Opens without the help of the kernel.
    fn open_by_walk(root: &Path, path: &Path) -> io::Result<File> {
        regular(walk(open(root, DIRECTORY, Mode::empty())?, path))
    }

    const WAYS: [(&str, Opens); 2] = [("as the system does", open_file), ("by walk", open_by_walk)];

    fn content(opens: Opens, root: &Path, path: &str) -> Result<String, ErrorKind> {
        let file = opens(root, Path::new(path)).map_err(|error| error.kind())?;
        io::read_to_string(file).map_err(|error| error.kind())
    }

    /// Creates `data` with `sets/rows`, and `secret/rows` beside it.
    fn tree() -> (tempfile::TempDir, PathBuf) {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("data");
        std::fs::create_dir_all(root.join("sets")).unwrap();
        std::fs::create_dir(outer.path().join("secret")).unwrap();
        std::fs::write(root.join("sets/rows"), "rows").unwrap();
        std::fs::write(outer.path().join("secret/rows"), "secret").unwrap();
        (outer, root)
    }

    #[test]
    fn links_are_followed_as_long_as_they_stay_beneath() {
        let (outer, root) = tree();
        let links = [
            ("file", "sets/rows"),
            ("directory", "./sets"),
            ("sets/up", "../directory/rows"),
            ("away", "../secret/rows"),
            ("sets/away", "../../secret"),
            ("there-and-back", "../data/sets/rows"),
            ("loop", "loop"),
        ];
        for (name, target) in links {
            symlink(target, root.join(name)).unwrap();
        }
        symlink(root.join("sets/rows"), root.join("absolute")).unwrap();
        symlink(&root, outer.path().join("alias")).unwrap();
        let alias = outer.path().join("alias");
        for (way, opens) in WAYS {
            for path in ["sets/rows", "./sets//rows", "file", "directory/rows", "sets/up", "directory/up"] {
                assert_eq!(content(opens, &root, path).as_deref(), Ok("rows"), "{path} {way}");
                assert_eq!(content(opens, &alias, path).as_deref(), Ok("rows"), "{path} {way}: the root is a link");
            }
            for path in ["away", "sets/away/rows", "there-and-back", "absolute", "../secret/rows"] {
                assert_eq!(content(opens, &root, path), Err(ErrorKind::CrossesDevices), "{path} {way}");
            }
            assert_eq!(content(opens, &root, "none"), Err(ErrorKind::NotFound), "{way}");
            assert_eq!(content(opens, &root, "sets/rows/x"), Err(ErrorKind::NotADirectory), "{way}");
            assert_eq!(content(opens, &root, "sets"), Err(ErrorKind::InvalidInput), "{way}: a directory");
            assert_eq!(content(opens, &root, "loop"), Err(ErrorKind::InvalidInput), "{way}");
            assert_eq!(content(opens, &root, "nul\0"), Err(ErrorKind::InvalidInput), "{way}");
        }
        assert_eq!(content(open_file, &root.join("sets/rows"), "").as_deref(), Ok("rows"), "a file is allowed");
        assert_eq!(content(open_file, &root, ""), Err(ErrorKind::InvalidInput));
    }

    #[test]
    fn a_pipe_is_rejected_without_waiting_for_its_writer() {
        let (_outer, root) = tree();
        let pipe = root.join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        for (way, opens) in WAYS {
            for path in ["pipe", "socket"] {
                assert_eq!(content(opens, &root, path), Err(ErrorKind::InvalidInput), "{path} {way}");
            }
            assert_eq!(content(opens, Path::new("/dev"), "null"), Err(ErrorKind::InvalidInput), "{way}");
        }
        assert_eq!(content(open_file, &pipe, ""), Err(ErrorKind::InvalidInput));
    }

    /// Exchanges two paths. For a moment one of them is missing.
    fn exchange(left: &Path, right: &Path, spare: &Path) {
        for (from, to) in [(left, spare), (right, left), (spare, right)] {
            std::fs::rename(from, to).unwrap();
        }
    }

    #[test]
    fn a_link_swapped_in_meanwhile_is_never_followed_outside() {
        const SWAPS: usize = 4000;
        let (_outer, root) = tree();
        std::fs::write(root.join("plain"), "rows").unwrap();
        symlink("../secret/rows", root.join("plain-link")).unwrap();
        symlink("../secret", root.join("sets-link")).unwrap();
        for (way, opens) in WAYS {
            let over = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    // An even number: in the end everything is in its place.
                    for _ in 0..SWAPS {
                        exchange(&root.join("plain"), &root.join("plain-link"), &root.join("spare"));
                        exchange(&root.join("sets"), &root.join("sets-link"), &root.join("spare"));
                    }
                    over.store(true, Ordering::Relaxed);
                });
                while !over.load(Ordering::Relaxed) {
                    for path in ["plain", "sets/rows"] {
                        if let Ok(text) = content(opens, &root, path) {
                            assert_eq!(text, "rows", "{path} {way}");
                        }
                    }
                }
            });
            for path in ["plain", "sets/rows"] {
                assert_eq!(content(opens, &root, path).as_deref(), Ok("rows"), "{path} {way}");
            }
        }
    }
}
