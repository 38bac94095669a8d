//! How many connections the file descriptors of the process suffice for.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// File descriptors beside the connections: of the database, artifacts that are read and written, requests to other
/// servers, the log.
const RESERVE: u64 = 256;

/// Raises the limit of file descriptors as far as it goes, and returns how many connections each of so many `listeners`
/// may hold: `wanted`, or as many as the limit has room for, which the log says then.
pub fn bound_connections(wanted: usize, listeners: usize) -> usize {
    let limit = raise_limit();
    let connections = connections_within(limit, wanted, listeners);
    if connections < wanted {
        tracing::warn!(
            connections,
            descriptors = limit,
            "too few file descriptors for {wanted} connections to a listener; raise the hard limit (ulimit -Hn, \
             LimitNOFILE of systemd) to {}",
            needed(wanted, listeners)
        );
    }
    connections
}

/// File descriptors that this process may have open, after its soft limit is raised to the hard one; `None` without limit.
fn raise_limit() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current == limit.maximum {
        return limit.current;
    }
    match setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }) {
        Ok(()) => limit.maximum,
        Err(error) => {
            tracing::warn!(%error, "cannot raise the limit of file descriptors");
            limit.current
        }
    }
}

fn needed(connections: usize, listeners: usize) -> u64 {
    RESERVE.saturating_add(connections.saturating_mul(listeners) as u64)
}

/// Connections of each listener for which `limit` descriptors suffice: at most `wanted`, at least one.
fn connections_within(limit: Option<u64>, wanted: usize, listeners: usize) -> usize {
    let Some(limit) = limit.filter(|limit| *limit < needed(wanted, listeners)) else { return wanted };
    // Where there is next to nothing, the halves of it.
    let left = limit.saturating_sub(RESERVE).max(limit / 2);
    let each = usize::try_from(left).unwrap_or(usize::MAX) / listeners.max(1);
    each.clamp(1, wanted.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_fit_into_the_limit() {
        for (limit, listeners, expected) in [
            (None, 2, 4096),
            (Some(1 << 20), 2, 4096),
            (Some(4096 + 256), 1, 4096),
            (Some(4096 + 255), 1, 4095),
            (Some(4096 + 256), 2, 2048),
            (Some(1024), 1, 768),
            (Some(1024), 2, 384),
            (Some(300), 1, 150),
            (Some(1), 2, 1),
            (Some(0), 1, 1),
        ] {
            assert_eq!(connections_within(limit, 4096, listeners), expected, "{limit:?} for {listeners}");
        }
    }

    #[test]
    fn the_soft_limit_is_raised_to_the_hard_one() {
        let hard = getrlimit(Resource::Nofile).maximum;
        assert_eq!(raise_limit(), hard);
        assert_eq!(getrlimit(Resource::Nofile).current, hard);
        // A second time there is nothing to do.
        assert_eq!(raise_limit(), hard);
    }
}
