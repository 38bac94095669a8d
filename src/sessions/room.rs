//! Room of an entity's sessions for further generations.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::store::metadata::{Metadata, StoreError};

/// Bytes of all sessions of an entity from which they take no further generation.
const MAX_BYTES: u64 = 8 << 30;
/// Bytes below that limit from which each request reads the sum: more than an entity records within [`LIFE`].
const NEAR: u64 = 1 << 30;
/// Age at which a sum is read again.
const LIFE: Duration = Duration::from_secs(10);
/// Maximum number of entities.
const CAPACITY: usize = 4096;

/// Entities whose sessions were far from their limit a moment ago, with the time of the look: most requests need no sum over
/// all sessions. A rejection always rests on a sum of its own.
#[derive(Default)]
pub(crate) struct SessionRoom(Mutex<HashMap<String, Instant>>);

impl SessionRoom {
    /// Returns the bytes of an entity's sessions if they take no further generation.
    pub(crate) async fn exceeded(&self, store: &dyn Metadata, entity: &str) -> Result<Option<u64>, StoreError> {
        let now = Instant::now();
        if self.is_ample(entity, now) {
            return Ok(None);
        }
        let bytes = store.session_bytes(entity).await?;
        self.note(entity, bytes, now);
        Ok((bytes >= MAX_BYTES).then_some(bytes))
    }

    fn is_ample(&self, entity: &str, now: Instant) -> bool {
        self.0.lock().get(entity).is_some_and(|read_at| now.saturating_duration_since(*read_at) < LIFE)
    }

    fn note(&self, entity: &str, bytes: u64, now: Instant) {
        let mut ample = self.0.lock();
        if bytes + NEAR > MAX_BYTES {
            ample.remove(entity);
            return;
        }
        if ample.len() >= CAPACITY && !ample.contains_key(entity) {
            // Each is read again soon, so it does no harm to forget all of them.
            ample.clear();
        }
        ample.insert(entity.to_owned(), now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ample_room_is_kept_for_its_life() {
        let (room, begin) = (SessionRoom::default(), Instant::now());
        room.note("acme", MAX_BYTES - NEAR, begin);
        assert!(room.is_ample("acme", begin + LIFE / 2) && !room.is_ample("rival", begin));
        assert!(!room.is_ample("acme", begin + LIFE), "its life is over");
        room.note("acme", MAX_BYTES - NEAR + 1, begin);
        assert!(!room.is_ample("acme", begin), "near the limit each request reads the sum");
    }

    #[test]
    fn the_number_of_entities_is_bounded() {
        let (room, begin) = (SessionRoom::default(), Instant::now());
        for number in 0..CAPACITY + 10 {
            room.note(&number.to_string(), 0, begin);
        }
        assert_eq!(room.0.lock().len(), 10);
    }
}
