//! Derives the connection limit from the limit on file descriptors.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// File descriptors reserved for everything but connections: the database, open artifacts, requests to other servers,
/// the log.
const RESERVE: u64 = 256;

/// Raises the soft limit on file descriptors to the hard limit. Returns the number of connections for each of
/// `listeners` listeners: `wanted`, or fewer if the limit is too low, which is logged.
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

/// Raises the soft limit on file descriptors to the hard limit and returns it; `None` means unlimited.
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

/// Returns the number of connections per listener that `limit` descriptors allow: at most `wanted`, at least one.
fn connections_within(limit: Option<u64>, wanted: usize, listeners: usize) -> usize {
    let Some(limit) = limit.filter(|limit| *limit < needed(wanted, listeners)) else { return wanted };
    // With a very low limit, half of the descriptors are for connections.
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
        // The second call changes nothing.
        assert_eq!(raise_limit(), hard);
    }
}
