//! The open connections of a listener: which of them yield their slot to a new one, and how many an address may have.
//!
//! A socket that sends nothing costs its owner nothing, and holds a slot for as long as the time limit of a request's head.
//! So a full listener closes the connections that wait for a request, oldest first, and never one with a request in flight.
//! Rejected: a shorter time limit, which slow clients need; and a small bound for each address, since behind a proxy all
//! connections come from one.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::Id;

use super::connection::{ConnectionState, Wait};

/// Time that a connection may wait for a request however full the listener is. The first one is mostly sent at once.
const PATIENCE: Duration = Duration::from_millis(250);
/// Time in which an evicted connection ends, unless it is busy with a request after all.
const END: Duration = Duration::from_millis(50);
/// Part of the slots that is made free at once, so that a full listener does not look at each connection for each new one.
const PART: usize = 64;

/// The address that connections are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Peer(IpAddr);

impl From<SocketAddr> for Peer {
    /// A subscriber of IPv6 has the last 64 bits to choose from.
    fn from(address: SocketAddr) -> Self {
        Self(match address.ip().to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => {
                Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into()
            }
            address => address,
        })
    }
}

/// Open connections by the task that serves them.
pub(super) struct OpenConnections {
    limit: usize,
    open: HashMap<Id, (Arc<ConnectionState>, Peer)>,
    /// Time of the last evictions.
    evicted_at: Option<Instant>,
}

impl OpenConnections {
    /// Creates slots for `limit` connections.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, open: HashMap::new(), evicted_at: None }
    }

    pub(super) fn add(&mut self, task: Id, state: Arc<ConnectionState>, peer: Peer) {
        self.open.insert(task, (state, peer));
    }

    pub(super) fn remove(&mut self, task: Id) {
        self.open.remove(&task);
    }

    /// Returns whether every slot is taken.
    pub(super) fn is_full(&self) -> bool {
        self.open.len() >= self.limit
    }

    /// Returns whether an address has its share of the slots: three quarters. Programs of this machine, such as a proxy,
    /// may have all.
    pub(super) fn has_share(&self, peer: Peer) -> bool {
        let share = self.limit - self.limit / 4;
        !peer.0.is_loopback()
            && self.open.len() >= share
            && self.open.values().filter(|(_, other)| *other == peer).count() >= share
    }

    /// Ends connections that wait for a request, or those of one address: first those without a request so far, and of them
    /// the oldest. Returns false if there is none; a connection that was just accepted may be one in a moment.
    pub(super) fn make_room(&mut self, of: Option<Peer>, now: Instant) -> bool {
        let known = self.open.values().filter(|(_, peer)| of.is_none_or(|of| of == *peer));
        let waits: Vec<_> = known.filter_map(|(state, _)| Some((state.waiting()?, state))).collect();
        let is_some = !waits.is_empty();
        let are_ending = self.evicted_at.is_some_and(|at| now.saturating_duration_since(at) < END);
        if are_ending && waits.iter().any(|(wait, _)| wait.is_evicted) {
            return true;
        }
        let is_ripe = |wait: &Wait| !wait.is_evicted && now.saturating_duration_since(wait.since) >= PATIENCE;
        let mut ripe: Vec<_> = waits.into_iter().filter(|(wait, _)| is_ripe(wait)).collect();
        ripe.sort_unstable_by_key(|(wait, _)| (wait.is_used, wait.since));
        for (_, state) in ripe.into_iter().take((self.limit / PART).max(1)) {
            state.evict();
            self.evicted_at = Some(now);
        }
        is_some
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Version;

    use super::*;

    fn peer(address: &str) -> Peer {
        SocketAddr::new(address.parse().unwrap(), 1).into()
    }

    #[tokio::test]
    async fn the_oldest_connection_without_a_request_yields_first() {
        let mut open = OpenConnections::new(4);
        let (one, other) = (peer("192.0.2.1"), peer("192.0.2.2"));
        let mut states = Vec::new();
        for peer in [one, other, one, one] {
            let state = Arc::new(ConnectionState::new());
            open.add(tokio::spawn(async {}).id(), state.clone(), peer);
            states.push(state);
        }
        assert!(open.is_full() && open.has_share(one) && !open.has_share(other));
        let evicted = || states.iter().map(|state| state.waiting().map(|wait| wait.is_evicted)).collect::<Vec<_>>();
        assert!(open.make_room(None, Instant::now()), "they are too young");
        assert_eq!(evicted(), [Some(false); 4]);
        // The first had its response, the second gets it.
        drop(states[0].begin(Version::HTTP_11));
        let running = states[1].begin(Version::HTTP_11);
        let late = Instant::now() + PATIENCE;
        assert!(!open.make_room(Some(other), late), "it has no other");
        for now in [late, late + END / 2] {
            assert!(open.make_room(None, now));
            assert_eq!(evicted(), [Some(false), None, Some(true), Some(false)], "one at a time");
        }
        // Its request came after all.
        let came = states[2].begin(Version::HTTP_11);
        assert!(open.make_room(Some(one), late + END / 2));
        assert_eq!(evicted(), [Some(false), None, None, Some(true)]);
        drop((running, came));
    }

    #[test]
    fn an_address_is_a_host_or_a_network_of_ipv6() {
        assert_eq!(peer("::ffff:192.0.2.1"), peer("192.0.2.1"));
        assert_eq!(peer("2001:db8::1"), peer("2001:db8::ffff:1:2:3"));
        assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
        assert!(peer("::1").0.is_loopback() && peer("::ffff:127.0.0.1").0.is_loopback());
    }
}
