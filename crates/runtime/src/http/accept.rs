//! Content negotiation by the `Accept` header.

use axum::http::{HeaderMap, header};

use crate::http::{ApiError, ErrorStatus};

/// The `Accept` header of a request to an operation with several response media types.
#[derive(Clone, Debug, Default)]
pub struct Accept {
    /// Media ranges without parameters, in lower case, with their weights.
    ranges: Vec<(String, f32)>,
}

impl Accept {
    /// Reads the header. A request without one accepts every media type.
    ///
    /// # Errors
    /// 406 when the header excludes every media type in `offered`.
    pub fn of(headers: &HeaderMap, offered: &[&str]) -> Result<Self, ApiError> {
        let mut ranges = Vec::new();
        for value in headers.get_all(header::ACCEPT) {
            for range in value.to_str().unwrap_or_default().split(',') {
                let mut parts = range.split(';').map(str::trim);
                let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
                let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok()).unwrap_or(1.0);
                if essence.contains('/') {
                    ranges.push((essence, weight));
                }
            }
        }
        let accept = Self { ranges };
        if offered.iter().any(|media_type| accept.weight(media_type) > 0.0) {
            return Ok(accept);
        }
        let offered = offered.join(", ");
        Err(ApiError::new(
            ErrorStatus::NOT_ACCEPTABLE,
            format!("the Accept header rules out everything that this operation answers: {offered}; name one of them"),
        ))
    }

    /// Returns the weight of a media type, from 0 to 1. The most specific range that matches it decides.
    pub fn weight(&self, media_type: &str) -> f32 {
        if self.ranges.is_empty() {
            return 1.0;
        }
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let kind = essence.split('/').next().unwrap_or_default();
        let rank = |range: &str| match range.split_once('/') {
            _ if range == essence => Some(2),
            // An offered media type can be a range itself.
            Some((wanted, _)) if essence.ends_with("/*") && (wanted == kind || kind == "*") => Some(2),
            Some((wanted, "*")) if wanted == kind => Some(1),
            Some(("*", "*")) => Some(0),
            _ => None,
        };
        let covering = self.ranges.iter().filter_map(|(range, weight)| Some((rank(range)?, *weight)));
        covering.max_by_key(|(rank, _)| *rank).map_or(0.0, |(_, weight)| weight)
    }

    /// Returns the offered media type with the highest weight, the first of equals; `None` if all are excluded.
    pub fn best<'a>(&self, offered: &[&'a str]) -> Option<&'a str> {
        let mut best = None;
        for media_type in offered {
            let weight = self.weight(media_type);
            if weight > best.map_or(0.0, |(_, best)| best) {
                best = Some((*media_type, weight));
            }
        }
        best.map(|(media_type, _)| media_type)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_range_decides() {
        let offered = ["application/json", "text/csv", "image/*"];
        let best = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, value.parse().unwrap());
            Accept::of(&headers, &offered).map(|accept| accept.best(&offered))
        };
        for (value, expected) in [
            ("*/*", "application/json"),
            ("text/*", "text/csv"),
            ("application/json;q=0.5, text/csv", "text/csv"),
            ("*/*, application/json;q=0", "text/csv"),
            ("image/png", "image/*"),
            ("nonsense", "application/json"),
        ] {
            assert_eq!(best(value).unwrap(), Some(expected), "{value}");
        }
        assert_eq!(best("text/html").unwrap_err().status(), ErrorStatus::NOT_ACCEPTABLE);
        assert_eq!(Accept::of(&HeaderMap::new(), &offered).unwrap().best(&offered), Some("application/json"));
    }
}
