//! Artifact responses: full, range, or 304.

use crate::http::{ApiError, Download, RangeRequest, Selection};
use crate::store::artifacts::{ArtifactId, Artifacts};

/// The value of `Accept-Ranges`.
pub(super) const RANGES: &str = "bytes";

/// The part of an artifact that a request selects, with the entity tag.
pub(super) enum Content {
    /// The full content.
    Whole(String, Download),
    /// A range of the content, with the value of `Content-Range`.
    Part(String, String, Download),
    /// No content: the caller's copy is current.
    Unchanged(String),
}

/// Opens the part of an artifact that `request` selects. The response offers it under the given file name.
///
/// # Errors
/// Returns 416 for a range beyond the end, or an error if the store fails.
pub(super) async fn content(
    artifacts: &Artifacts,
    artifact: ArtifactId,
    file_name: &str,
    request: &RangeRequest,
) -> Result<Content, ApiError> {
    let (tag, length) = (format!("\"{}\"", artifact.sha256()), artifacts.size(artifact).await?);
    Ok(match request.select(&tag, length)? {
        Selection::Unchanged => Content::Unchanged(tag),
        Selection::Whole => {
            let whole = Download::stream(artifacts.stream(artifact, length), Some(length));
            Content::Whole(tag, whole.with_file_name(file_name))
        }
        Selection::Part { first, last } => {
            let part = Download::stream(artifacts.stream_part(artifact, first..last + 1), Some(last + 1 - first));
            Content::Part(tag, format!("bytes {first}-{last}/{length}"), part.with_file_name(file_name))
        }
    })
}

/// Converts a [`Content`] to the response of an operation. The arguments name the operation's generated types.
macro_rules! content_output {
    ($content:expr, $output:ident, $whole:ident, $part:ident, $unchanged:ident) => {{
        let accept_ranges = $crate::api::content::RANGES.to_owned();
        match $content {
            $crate::api::content::Content::Whole(e_tag, body) => {
                $output::Ok { headers: $whole { accept_ranges, e_tag }, body }
            }
            $crate::api::content::Content::Part(e_tag, content_range, body) => {
                $output::PartialContent { headers: $part { accept_ranges, content_range, e_tag }, body }
            }
            $crate::api::content::Content::Unchanged(e_tag) => $output::NotModified { headers: $unchanged { e_tag } },
        }
    }};
}
pub(super) use content_output;
