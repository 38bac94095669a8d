//! The threads of another process.

/// Whether no thread of the process runs: a SIGSTOP reaches one after the other.
pub(crate) fn is_stopped(process: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let mut states = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok());
    // The state is the first field behind the name, which stands in brackets and may contain anything.
    states.all(|stat| stat.rsplit_once(") ").is_none_or(|(_, fields)| fields.starts_with(['T', 't', 'Z', 'X'])))
}
