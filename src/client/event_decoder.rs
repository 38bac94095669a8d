//! Decodes server-sent events from a byte stream that is split at arbitrary positions.
//!
//! The format is that of the WHATWG HTML specification, section 9.2: lines end in `\n`, `\r\n` or `\r`, a byte order
//! mark is allowed at the very beginning, lines that begin with a colon are comments, an empty line ends an event, and
//! an event without data is ignored.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

/// A server-sent event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerEvent {
    /// The type of the event. Empty if the stream does not set it, which means `message`.
    pub event: String,
    /// The `data` lines, joined with `\n`.
    pub data: String,
    /// The last `id` that the stream has set, in this event or an earlier one; empty if there is none. Events with the
    /// same id share the allocation.
    pub id: Arc<str>,
}

/// An event was larger than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is larger than {limit} bytes")]
pub struct EventTooLarge {
    /// The limit, bytes.
    pub limit: usize,
}

/// Incremental decoder of server-sent events.
///
/// ```
/// use trainyard::client::EventDecoder;
///
/// let mut decoder = EventDecoder::new(1 << 20);
/// let mut events = Vec::new();
/// decoder.push(b"event: loss\rdata: 0.", &mut events)?;
/// assert!(events.is_empty());
/// decoder.push(b"5\r\n\r\n", &mut events)?;
/// assert_eq!((events[0].event.as_str(), events[0].data.as_str()), ("loss", "0.5"));
/// # Ok::<(), trainyard::client::EventTooLarge>(())
/// ```
#[derive(Debug)]
pub struct EventDecoder {
    /// The unfinished line.
    line: Vec<u8>,
    /// The unfinished event: its type, and its data lines, each followed by `\n`.
    event: String,
    data: String,
    /// The last `id`, which persists across events. It is shared, because a large id that is copied into many small
    /// events would exhaust memory.
    id: Arc<str>,
    retry: Option<Duration>,
    after_carriage_return: bool,
    at_beginning: bool,
    limit: usize,
}

impl EventDecoder {
    /// Creates a decoder that rejects events and lines above `limit` bytes. It buffers at most about twice the limit.
    pub fn new(limit: usize) -> Self {
        Self {
            line: Vec::new(),
            event: String::new(),
            data: String::new(),
            id: Arc::default(),
            retry: None,
            after_carriage_return: false,
            at_beginning: true,
            limit,
        }
    }

    /// Returns the wait that the service requests before a reconnection (the `retry` field).
    pub fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Decodes the next bytes and appends the completed events to `events`.
    ///
    /// # Errors
    ///
    /// Returns an error if an event or a line, together with its buffered part, is larger than the limit. The stream
    /// cannot be continued after that. `events` contains the events completed before.
    pub fn push(&mut self, mut bytes: &[u8], events: &mut impl Extend<ServerEvent>) -> Result<(), EventTooLarge> {
        while !bytes.is_empty() {
            // The `\n` of a `\r\n` is not a second line end.
            if mem::take(&mut self.after_carriage_return) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            if self.line.len() + part.len() + self.data.len() + self.event.len() > self.limit {
                return Err(EventTooLarge { limit: self.limit });
            }
            self.line.extend_from_slice(part);
            bytes = rest;
            if end.is_some() {
                self.after_carriage_return = bytes[0] == b'\r';
                bytes = &bytes[1..];
                events.extend(self.end_line());
            }
        }
        Ok(())
    }

    fn end_line(&mut self) -> Option<ServerEvent> {
        let line = mem::take(&mut self.line);
        let mut line = line.as_slice();
        if mem::take(&mut self.at_beginning) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            return self.end_event();
        }
        // A line break is never part of a multi-byte character, so each line can be decoded on its own.
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
            }
            "event" => value.clone_into(&mut self.event),
            "id" if !value.contains('\0') => self.id = value.into(),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = value.parse().ok().map(Duration::from_millis).or(self.retry);
            }
            // A comment or an unknown field.
            _ => {}
        }
        None
    }

    fn end_event(&mut self) -> Option<ServerEvent> {
        let (event, mut data) = (mem::take(&mut self.event), mem::take(&mut self.data));
        // Each `data` line has appended a line break: without one there is no data.
        data.pop()?;
        Some(ServerEvent { event, data, id: self.id.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIMIT: usize = 1000;

    fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<ServerEvent> {
        let mut decoder = EventDecoder::new(LIMIT);
        let mut events = Vec::new();
        for chunk in chunks {
            decoder.push(chunk, &mut events).unwrap();
        }
        events
    }

    fn data(text: &str) -> Vec<String> {
        decode([text.as_bytes()]).into_iter().map(|event| event.data).collect()
    }

    /// Decodes the whole text at once with the specification's algorithm.
    fn reference(bytes: &[u8]) -> Vec<ServerEvent> {
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        // Text after the last line break is not a line.
        let lines = text.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let (mut events, mut event, mut data, mut id) = (vec![], String::new(), Vec::<String>::new(), String::new());
        for line in lines.split('\n').take(if text.contains('\n') { usize::MAX } else { 0 }) {
            if line.is_empty() {
                if !data.is_empty() {
                    events.push(ServerEvent { event: event.clone(), data: data.join("\n"), id: id.as_str().into() });
                }
                event.clear();
                data.clear();
                continue;
            }
            let colon = line.find(':').unwrap_or(line.len());
            let value = line.get(colon + 1..).unwrap_or("");
            let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
            match &line[..colon] {
                "event" => event = value,
                "data" => data.push(value),
                "id" if !value.contains('\0') => id = value,
                _ => {}
            }
        }
        events
    }

    #[test]
    fn every_line_ending_comments_and_several_data_lines() {
        let text = "data: a\n\n: comment\n\ndata:b\r\n\r\nid: 7\rdata: c\rdata: d\r\rdata\n\ndata: unfinished";
        assert_eq!(data(text), ["a", "b", "c\nd", ""]);
        // The examples of the specification.
        assert_eq!(data("data\n\ndata\ndata\n\ndata:"), ["", "\n"]);
        assert_eq!(data("data:test\n\ndata: test\n\ndata:  test\n\n"), ["test", "test", " test"]);
    }

    #[test]
    fn type_and_id_follow_the_specification() {
        let mut events =
            decode([&b"\xef\xbb\xbfevent: a\nid: 1\ndata: x\n\ndata: y\n\nid\nevent: lost\n\ndata: z\n\n"[..]]);
        let seen: Vec<_> = events.iter().map(|event| (event.event.as_str(), event.data.as_str(), &*event.id)).collect();
        assert_eq!(seen, [("a", "x", "1"), ("", "y", "1"), ("", "z", "")]);
        let mut decoder = EventDecoder::new(LIMIT);
        decoder.push(b"retry: 1500\nretry: soon\nretry: 99999999999999999999999\n\n", &mut events).unwrap();
        assert_eq!(decoder.retry(), Some(Duration::from_millis(1500)));
    }

    #[test]
    fn an_endless_event_is_rejected() {
        let mut events = Vec::new();
        let mut decoder = EventDecoder::new(10);
        assert!(decoder.push(b"data: 1234", &mut events).is_ok());
        assert_eq!(decoder.push(b"5", &mut events), Err(EventTooLarge { limit: 10 }));
        let mut lines = EventDecoder::new(64);
        let rejected = (0..100).any(|_| lines.push(b"data: 1234\n", &mut events).is_err());
        assert!(rejected, "many small lines are one large event");
        let mut comments = EventDecoder::new(64);
        assert!((0..1000).all(|_| comments.push(b": still here\n", &mut events).is_ok()), "comments add up to nothing");
        assert!(events.is_empty());
        let mut last = EventDecoder::new(10);
        assert!(last.push(b"data: a\n\ndata: b\n\ndata: too large", &mut events).is_err());
        let data: Vec<_> = events.iter().map(|event| event.data.as_str()).collect();
        assert_eq!(data, ["a", "b"], "what was complete before is given");
    }

    #[test]
    fn a_large_id_is_kept_once() {
        let text = format!("id: {}\n{}", "x".repeat(LIMIT - 4), "data\n\n".repeat(100));
        let events = decode([text.as_bytes()]);
        assert_eq!((events.len(), events[0].id.len()), (100, LIMIT - 4));
        assert!(events.iter().all(|event| Arc::ptr_eq(&event.id, &events[0].id)));
    }

    fn pieces() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop::sample::select(vec![
            "data",
            ":",
            " ",
            "\n",
            "\r",
            "\r\n",
            "\n\n",
            "event",
            "id",
            "retry",
            "é",
            "☃",
            "\0",
            "x",
            "\u{feff}",
            "7",
            "data: a\n",
            "data:b\r",
            "id: 1\r\n",
            "event: e\n",
        ]);
        let bytes = prop_oneof![30 => piece.prop_map(|piece| piece.as_bytes().to_vec()), 1 => Just(vec![0xff])];
        prop::collection::vec(bytes, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_cut_gives_the_events_of_the_specification(
            text in pieces(),
            sizes in prop::collection::vec(1usize..9, 1..20),
        ) {
            let mut rest = text.as_slice();
            let mut chunks = Vec::new();
            for size in sizes.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (chunk, tail) = rest.split_at((*size).min(rest.len()));
                chunks.push(chunk);
                rest = tail;
            }
            let whole = reference(&text);
            prop_assert_eq!(&decode(chunks), &whole);
            prop_assert_eq!(&decode([text.as_slice()]), &whole);
        }
    }
}
