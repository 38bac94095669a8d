//! Range and conditional requests (RFC 9110, sections 13.1 and 14).

use crate::http::{ApiError, ErrorStatus};

/// Headers of a range or conditional request.
#[derive(Clone, Debug, Default)]
pub struct RangeRequest {
    /// `Range`
    pub range: Option<String>,
    /// `If-Range`
    pub if_range: Option<String>,
    /// `If-None-Match`
    pub if_none_match: Option<String>,
}

/// Response that a [`RangeRequest`] selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// 200 with the whole content.
    Whole,
    /// 206 with the bytes from `first` to `last`, both included.
    Part {
        /// Offset of the first byte.
        first: u64,
        /// Offset of the last byte.
        last: u64,
    },
    /// 304: the caller's copy is current.
    Unchanged,
}

impl RangeRequest {
    /// Selects the response for a content of `length` bytes, whose strong entity tag is `tag`, quotes included.
    ///
    /// # Errors
    /// 416 when the range begins after the last byte. A malformed range is ignored, as the standard requires.
    pub fn select(&self, tag: &str, length: u64) -> Result<Selection, ApiError> {
        if self.if_none_match.as_deref().is_some_and(|tags| names(tags, tag)) {
            return Ok(Selection::Unchanged);
        }
        if self.if_range.as_deref().is_some_and(|had| had.trim() != tag) {
            return Ok(Selection::Whole);
        }
        let Some(wanted) = self.range.as_deref().and_then(Bounds::parse) else { return Ok(Selection::Whole) };
        let (first, last) = match wanted {
            Bounds::From(first) => (first, u64::MAX),
            Bounds::Between(first, last) => (first, last),
            // A suffix range of an empty content selects the whole content.
            Bounds::Last(count) if count > 0 && length == 0 => return Ok(Selection::Whole),
            Bounds::Last(0) => (length, u64::MAX),
            Bounds::Last(count) => (length.saturating_sub(count), u64::MAX),
        };
        if first >= length {
            let message = format!("the content has {length} bytes, the range begins behind them");
            return Err(ApiError::new(ErrorStatus::RANGE_NOT_SATISFIABLE, message)
                .with_param("Range")
                .with_content_length(length));
        }
        Ok(Selection::Part { first, last: last.min(length - 1) })
    }
}

/// Returns whether a list of entity tags has this one, weak or strong.
fn names(tags: &str, tag: &str) -> bool {
    let tags = tags.trim();
    tags == "*" || tags.split(',').any(|named| named.trim().strip_prefix("W/").unwrap_or(named.trim()) == tag)
}

/// A byte range as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bounds {
    From(u64),
    Between(u64, u64),
    Last(u64),
}

impl Bounds {
    /// Parses a single range. Several ranges, or a malformed one, are ignored: the result is `None`.
    fn parse(text: &str) -> Option<Self> {
        let (unit, range) = text.split_once('=')?;
        let (first, last) = range.trim().split_once('-')?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number too large for a u64 is after the end of any content.
        let number = |text: &str| digits(text).then(|| text.parse().unwrap_or(u64::MAX));
        match (unit.trim().eq_ignore_ascii_case("bytes"), first.is_empty(), last.is_empty()) {
            (true, false, true) => Some(Self::From(number(first)?)),
            (true, true, false) => Some(Self::Last(number(last)?)),
            (true, false, false) => {
                let (first, last) = (number(first)?, number(last)?);
                (first <= last).then_some(Self::Between(first, last))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAG: &str = "\"abc\"";

    fn select(range: &str, length: u64) -> Option<Selection> {
        RangeRequest { range: Some(range.to_owned()), ..RangeRequest::default() }.select(TAG, length).ok()
    }

    #[test]
    fn one_range_of_bytes_is_a_part() {
        let part = |first, last| Some(Selection::Part { first, last });
        for (range, length, expected) in [
            ("bytes=0-0", 10, part(0, 0)),
            ("bytes=0-99", 10, part(0, 9)),
            ("bytes=4-", 10, part(4, 9)),
            ("Bytes = 4-5", 10, part(4, 5)),
            ("bytes=-3", 10, part(7, 9)),
            ("bytes=-30", 10, part(0, 9)),
            ("bytes=9-18446744073709551616", 10, part(9, 9)),
            ("bytes=10-", 10, None),
            ("bytes=18446744073709551616-", 10, None),
            ("bytes=-0", 10, None),
            ("bytes=0-", 0, None),
            ("bytes=-5", 0, Some(Selection::Whole)),
            // Ranges that are ignored.
            ("bytes=0-1,3-4", 10, Some(Selection::Whole)),
            ("bytes=5-4", 10, Some(Selection::Whole)),
            ("bytes=-", 10, Some(Selection::Whole)),
            ("bytes=a-b", 10, Some(Selection::Whole)),
            ("bytes=+1-2", 10, Some(Selection::Whole)),
            ("lines=1-2", 10, Some(Selection::Whole)),
            ("", 10, Some(Selection::Whole)),
        ] {
            assert_eq!(select(range, length), expected, "{range} of {length}");
        }
    }

    #[test]
    fn cached_content_is_304() {
        let asked = |range: Option<&str>, if_range: Option<&str>, if_none_match: Option<&str>| {
            let own = |text: Option<&str>| text.map(str::to_owned);
            let request =
                RangeRequest { range: own(range), if_range: own(if_range), if_none_match: own(if_none_match) };
            request.select(TAG, 10).unwrap()
        };
        let part = Selection::Part { first: 5, last: 9 };
        assert_eq!(asked(None, None, Some(TAG)), Selection::Unchanged);
        assert_eq!(asked(None, None, Some("\"x\", W/\"abc\"")), Selection::Unchanged);
        assert_eq!(asked(Some("bytes=5-"), None, Some("*")), Selection::Unchanged);
        assert_eq!(asked(None, None, Some("\"x\"")), Selection::Whole);
        assert_eq!(asked(Some("bytes=5-"), Some(TAG), None), part);
        assert_eq!(asked(Some("bytes=5-"), Some("\"x\""), None), Selection::Whole);
        assert_eq!(asked(Some("bytes=5-"), Some("Sun, 06 Nov 1994 08:49:37 GMT"), None), Selection::Whole);
    }

    #[test]
    fn a_range_behind_the_end_says_where_the_end_is() {
        use axum::response::IntoResponse;
        let request = RangeRequest { range: Some("bytes=10-".to_owned()), ..RangeRequest::default() };
        let response = request.select(TAG, 10).unwrap_err().into_response();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["content-range"]),
            (416, &"bytes */10".parse().unwrap())
        );
    }
}
