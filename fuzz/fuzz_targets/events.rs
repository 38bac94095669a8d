//! Server-sent events: how the stream is cut into chunks must not matter, and memory stays bounded.

#![no_main]

use libfuzzer_sys::fuzz_target;
use trainyard::client::{EventDecoder, ServerEvent};

/// The largest event, bytes.
const LIMIT: usize = 512;

// The first byte chooses the cut; the rest is the stream.
fuzz_target!(|data: &[u8]| {
    let Some((cut, stream)) = data.split_first() else { return };
    let whole = decode([stream]);
    let cut = decode(stream.chunks(usize::from(*cut) % 16 + 1));
    assert_eq!(whole, cut);
});

/// The events before the first rejection, and whether there was one.
fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> (bool, Vec<ServerEvent>) {
    let mut decoder = EventDecoder::new(LIMIT);
    let mut events = Vec::new();
    for chunk in chunks {
        if decoder.push(chunk, &mut events).is_err() {
            return (false, events);
        }
    }
    // A byte that is no text becomes U+FFFD, three bytes.
    assert!(events.iter().all(|event| event.data.len() <= 3 * LIMIT));
    (true, events)
}
