//! Memory limit of the process.

use std::path::Path;
use std::sync::OnceLock;

/// Returns the memory of the machine in bytes, or the limit of this process's control group if that is less; `None` if
/// neither is known.
pub fn machine_memory() -> Option<usize> {
    available(Path::new("/"))
}

/// Returns half of the memory available to this process, in bytes; 8 GiB if that is unknown.
pub(crate) fn default_limit() -> usize {
    static LIMIT: OnceLock<usize> = OnceLock::new();
    *LIMIT.get_or_init(|| machine_memory().map_or(8 << 30, |bytes| bytes / 2))
}

/// Returns the machine's memory or the limit of the process's control group, whichever is less; `root` is `/`.
fn available(root: &Path) -> Option<usize> {
    let total = std::fs::read_to_string(root.join("proc/meminfo")).ok().and_then(|text| total_bytes(&text));
    total.into_iter().chain(group_limit(root)).min()
}

/// Parses `MemTotal` of `/proc/meminfo`, which is in KiB.
fn total_bytes(meminfo: &str) -> Option<usize> {
    let value = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: usize = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Returns the least limit of the process's control group and its ancestors. Lines of `/proc/self/cgroup` are
/// `number:controllers:path`; version 2 has no controllers there (`man 7 cgroups`).
fn group_limit(root: &Path) -> Option<usize> {
    let groups = std::fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = groups.lines().filter_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let (mount, file) = match controllers {
            "" => (root.join("sys/fs/cgroup"), "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (root.join("sys/fs/cgroup/memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        // In a container, the path may be that of the host, which is not mounted; the mount's root is the group then.
        let group = mount.join(path.trim_start_matches('/'));
        let around = group.ancestors().take_while(|directory| directory.starts_with(&mount));
        // "max" is not a number; version 1 has a very large number instead.
        around.filter_map(|directory| std::fs::read_to_string(directory.join(file)).ok()?.trim().parse().ok()).min()
    });
    limits.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_machines_memory() {
        assert_eq!(total_bytes("MemTotal:       16303428 kB\nMemFree: 1 kB\n"), Some(16_303_428 * 1024));
        for text in ["", "MemFree: 1 kB", "MemTotal: many kB", "MemTotal: 5 MB", "MemTotal: 18446744073709551615 kB"] {
            assert_eq!(total_bytes(text), None, "{text}");
        }
    }

    #[test]
    fn the_control_group_may_allow_less() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        assert_eq!(available(root.path()), None);
        write("proc/meminfo", "MemTotal: 1000 kB\n");
        assert_eq!(available(root.path()), Some(1_024_000));
        write("proc/self/cgroup", "0::/outer/inner\n");
        write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
        assert_eq!(available(root.path()), Some(1_024_000));
        write("sys/fs/cgroup/outer/memory.max", "5000\n");
        assert_eq!(available(root.path()), Some(5000), "a group around it has a limit");
        write("sys/fs/cgroup/outer/inner/memory.max", "4000\n");
        assert_eq!(available(root.path()), Some(4000));
        write("proc/self/cgroup", "0::/not/mounted/here\n");
        write("sys/fs/cgroup/memory.max", "3000\n");
        assert_eq!(available(root.path()), Some(3000), "the group is the root of what is mounted");

        write("proc/self/cgroup", "12:cpu,cpuacct:/a\n4:memory:/a/b\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(available(root.path()), Some(1_024_000));
        write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "2000\n");
        assert_eq!(available(root.path()), Some(2000));
    }
}
