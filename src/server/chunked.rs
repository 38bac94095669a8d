//! Where a body in chunks ends (RFC 9112 section 7.1).
//!
//! Only as strict as it takes to agree with every other reader: sizes in hexadecimal, lines that end with CR LF. hyper
//! decodes the same bytes; this tells it and the next request apart.

/// Bytes of chunk extensions and trailers that one body may have; nobody here reads them.
const IGNORED: usize = 8 << 10;

/// A reader in the middle of a body.
#[derive(Debug, Default)]
pub(super) struct Chunked {
    place: Place,
    ignored: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Size { size: u64, digits: u8 },
    Extension { size: u64 },
    SizeEnd { size: u64 },
    Data { left: u64 },
    DataCr,
    DataLf,
    Trailer,
    TrailerText,
    TrailerTextEnd,
    LastLf,
    Ended,
}

impl Default for Place {
    fn default() -> Self {
        Self::Size { size: 0, digits: 0 }
    }
}

/// The bytes are not chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotChunked;

impl Chunked {
    /// Reads on; tells how many of `bytes` belong to the body and whether it ends with them.
    pub fn advance(&mut self, bytes: &[u8]) -> Result<(usize, bool), NotChunked> {
        let mut used = 0;
        while let Some(&byte) = bytes.get(used) {
            if let Place::Data { left } = &mut self.place {
                let here = usize::try_from(*left).unwrap_or(usize::MAX).min(bytes.len() - used);
                *left -= here as u64;
                used += here;
                if *left == 0 {
                    self.place = Place::DataCr;
                }
                continue;
            }
            self.place = self.next(byte)?;
            used += 1;
            if self.place == Place::Ended {
                return Ok((used, true));
            }
        }
        Ok((used, false))
    }

    fn next(&mut self, byte: u8) -> Result<Place, NotChunked> {
        let digit = char::from(byte).to_digit(16).map(u64::from);
        Ok(match (self.place, byte) {
            // Fifteen digits cannot overflow.
            (Place::Size { size, digits: digits @ 0..15 }, _) if digit.is_some() => {
                Place::Size { size: size * 16 + digit.unwrap_or_default(), digits: digits + 1 }
            }
            (Place::Size { size, digits: 1.. }, b'\r') | (Place::Extension { size }, b'\r') => Place::SizeEnd { size },
            (Place::Size { size, digits: 1.. }, b';') => Place::Extension { size },
            (Place::Extension { size }, byte) if byte != b'\n' => self.ignore(Place::Extension { size })?,
            (Place::SizeEnd { size: 0 }, b'\n') => Place::Trailer,
            (Place::SizeEnd { size }, b'\n') => Place::Data { left: size },
            (Place::DataCr, b'\r') => Place::DataLf,
            (Place::DataLf, b'\n') => Place::default(),
            (Place::Trailer, b'\r') => Place::LastLf,
            (Place::TrailerText, b'\r') => Place::TrailerTextEnd,
            (Place::Trailer | Place::TrailerText, byte) if byte != b'\n' => self.ignore(Place::TrailerText)?,
            (Place::TrailerTextEnd, b'\n') => Place::Trailer,
            (Place::LastLf, b'\n') => Place::Ended,
            _ => return Err(NotChunked),
        })
    }

    fn ignore(&mut self, place: Place) -> Result<Place, NotChunked> {
        self.ignored += 1;
        if self.ignored > IGNORED { Err(NotChunked) } else { Ok(place) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_found_however_the_bytes_are_cut() {
        for body in [
            "0\r\n\r\n",
            "5\r\nhello\r\n0\r\n\r\n",
            "3;a=b\r\n\r\n0\r\n00\r\nx: y\r\n\r\n",
            "A\r\n0123456789\r\n0\r\n\r\n",
        ] {
            let bytes = format!("{body}GET / HTTP/1.1").into_bytes();
            for cut in 0..bytes.len() {
                let mut reader = Chunked::default();
                let (mut used, mut ended) = reader.advance(&bytes[..cut]).unwrap();
                if !ended {
                    assert_eq!(used, cut.min(body.len()), "{body:?} cut at {cut}");
                    let (more, now) = reader.advance(&bytes[cut..]).unwrap();
                    (used, ended) = (used + more, now);
                }
                assert_eq!((used, ended), (body.len(), true), "{body:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn what_is_not_chunks_is_told() {
        let long = format!("1;{}", "x".repeat(IGNORED + 1));
        for bad in [
            "\r\n",
            "x\r\n",
            "-1\r\n",
            "+1\r\n",
            "0x1\r\nx",
            " 1\r\nx",
            "1\nx\r\n",
            "1\r\nxy",
            "1\r\nx\n",
            "1 \r\nx",
            "ffffffffffffffff\r\n",
            "0\r\n\n",
            "0\r\na: b\n",
            long.as_str(),
        ] {
            assert_eq!(Chunked::default().advance(bad.as_bytes()), Err(NotChunked), "{bad:?}");
        }
    }
}
