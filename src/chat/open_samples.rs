//! Limit of concurrently open samples for each owner.
//!
//! A sample is open from its request until the client has read its completion. The engine does not wait for clients: unread
//! output stays in memory. Without a limit, slow clients could use unbounded memory.

use std::collections::HashMap;

use std::sync::Arc;

use parking_lot::Mutex;

use super::ChatError;

/// Limit of open samples for one owner: those waiting for the sampler, those running, and as many again for slow
/// readers.
const LIMIT: usize = 2048;

/// Number of open samples for each owner that has any.
#[derive(Debug)]
pub(super) struct OpenSamples {
    limit: usize,
    by_owner: Mutex<HashMap<Arc<str>, usize>>,
}

impl Default for OpenSamples {
    fn default() -> Self {
        Self { limit: LIMIT, by_owner: Mutex::default() }
    }
}

impl OpenSamples {
    /// Opens samples of an owner until the returned guard is dropped.
    ///
    /// # Errors
    /// The owner has too many open samples.
    pub(super) fn open(self: &Arc<Self>, owner: &Arc<str>, samples: usize) -> Result<Opened, ChatError> {
        let mut by_owner = self.by_owner.lock();
        let open = by_owner.get(owner).copied().unwrap_or(0);
        if open + samples > self.limit {
            return Err(ChatError::Busy(format!(
                "{open} answers are under way or not read to their end, {} may; read those first, or go away from them",
                self.limit
            )));
        }
        by_owner.insert(owner.clone(), open + samples);
        Ok(Opened { all: self.clone(), owner: owner.clone(), samples })
    }
}

/// Guard for the open samples of one request.
#[derive(Debug)]
pub(super) struct Opened {
    all: Arc<OpenSamples>,
    owner: Arc<str>,
    samples: usize,
}

impl Drop for Opened {
    fn drop(&mut self) {
        let mut by_owner = self.all.by_owner.lock();
        let Some(open) = by_owner.get_mut(&self.owner) else { return };
        *open -= self.samples;
        if *open == 0 {
            by_owner.remove(&self.owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_owner_has_its_own_bound_and_gets_back_what_it_closes() {
        let all = Arc::new(OpenSamples { limit: 3, by_owner: Mutex::default() });
        let (one, other): (Arc<str>, Arc<str>) = ("one".into(), "other".into());
        let first = all.open(&one, 2).unwrap();
        let second = all.open(&one, 1).unwrap();
        assert!(matches!(all.open(&one, 1), Err(ChatError::Busy(_))));
        let theirs = all.open(&other, 3).unwrap();
        drop(first);
        assert!(matches!(all.open(&one, 3), Err(ChatError::Busy(_))));
        let third = all.open(&one, 2).unwrap();
        drop((second, third, theirs));
        assert!(all.by_owner.lock().is_empty(), "owners without samples take no room");
    }
}
