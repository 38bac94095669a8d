//! The documents of the published versions, as they were blessed. `build.rs` lists `spec/published/`.

include!(concat!(env!("OUT_DIR"), "/published.rs"));

/// The blessed document of a version, as JSON.
pub fn document(version: &str) -> Option<&'static str> {
    PUBLISHED.iter().find(|(name, _)| *name == version).map(|(_, document)| *document)
}
