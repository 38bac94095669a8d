//! Server-sent events out of a byte stream, however it is cut.

/// Collects bytes and hands out the data of each complete event.
///
/// Lines end in `\n`, `\r\n` or `\r`; an empty line ends an event; the `data` lines of an event are joined with
/// `\n`; comments and other fields are dropped. Memory is bounded by the largest event allowed.
#[derive(Debug)]
pub struct EventDecoder {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    after_carriage_return: bool,
    limit: usize,
}

/// An event was larger than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is larger than {limit} bytes")]
pub struct EventTooLarge {
    /// The limit, bytes.
    pub limit: usize,
}

impl EventDecoder {
    /// A decoder that refuses events above `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { line: Vec::new(), data: None, after_carriage_return: false, limit }
    }

    /// Takes the next bytes; gives the data of the events that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, EventTooLarge> {
        let mut events = Vec::new();
        for &byte in bytes {
            // The second half of `\r\n` ends nothing.
            let second_half = std::mem::replace(&mut self.after_carriage_return, byte == b'\r') && byte == b'\n';
            match byte {
                b'\n' if second_half => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ if self.line.len() + self.data.as_ref().map_or(0, Vec::len) >= self.limit => {
                    return Err(EventTooLarge { limit: self.limit });
                }
                _ => self.line.push(byte),
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return self.data.take();
        }
        let value = match line.strip_prefix(b"data:") {
            Some(value) => value.strip_prefix(b" ").unwrap_or(value),
            None if line == b"data" => b"",
            None => return None,
        };
        match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            None => self.data = Some(value.to_vec()),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let mut decoder = EventDecoder::new(1000);
        let events = chunks.into_iter().flat_map(|chunk| decoder.push(chunk).unwrap());
        events.map(|event| String::from_utf8(event).unwrap()).collect()
    }

    #[test]
    fn every_line_ending_comments_and_several_data_lines() {
        let text = "data: a\n\n: comment\n\ndata:b\r\n\r\nid: 7\rdata: c\rdata: d\r\rdata\n\ndata: unfinished";
        assert_eq!(decode([text.as_bytes()]), ["a", "b", "c\nd", ""]);
    }

    #[test]
    fn an_endless_event_is_refused() {
        let mut decoder = EventDecoder::new(10);
        assert!(decoder.push(b"data: 1234").is_ok());
        assert_eq!(decoder.push(b"5"), Err(EventTooLarge { limit: 10 }));
    }

    proptest! {
        #[test]
        fn the_cut_of_the_stream_does_not_matter(
            events in prop::collection::vec("[a-zé ]{0,12}", 0..6),
            ending in prop::sample::select(vec!["\n", "\r\n", "\r"]),
            size in 1usize..9,
        ) {
            let text: String = events.iter().map(|event| format!("data: {event}{ending}{ending}")).collect();
            prop_assert_eq!(decode(text.as_bytes().chunks(size)), events);
        }
    }
}
