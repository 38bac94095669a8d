//! Artifacts as answers: whole, in part, or not again.

use crate::{
    http::{Download, Failure, RangeRequest, Selection},
    store::artifacts::{ArtifactId, Artifacts},
};

/// The value of `Accept-Ranges`.
pub(super) const RANGES: &str = "bytes";

/// An artifact as a request wants it, with its entity tag.
pub(super) enum Content {
    /// Everything.
    Whole(String, Download),
    /// Some of it, and the value of `Content-Range`.
    Part(String, String, Download),
    /// Nothing: the caller has it.
    Unchanged(String),
}

/// Begins to read what `request` wants of an artifact, which is offered as a file of this name.
///
/// # Errors
/// 416 for a range behind the end; when the store fails.
pub(super) async fn content(
    artifacts: &Artifacts,
    artifact: ArtifactId,
    file_name: &str,
    request: &RangeRequest,
) -> Result<Content, Failure> {
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

/// A [`Content`] as the answer of an operation, whose generated types are named.
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
