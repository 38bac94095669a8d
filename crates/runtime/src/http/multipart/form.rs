//! Multipart forms whose parts the document declares: files and values in memory, validated against the document.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::HeaderMap;
use serde::de::DeserializeOwned;

use crate::http::ApiError;
use crate::http::decode::{self, Shape, Written, quoted};
use crate::http::multipart::{FilePart, parts};

/// A multipart form whose parts the document declares.
#[derive(Debug)]
pub struct Form {
    parts: Vec<FilePart>,
    /// Distinct names of the parts that were sent.
    names: BTreeSet<String>,
}

impl Form {
    /// Reads a form of at most `limit` bytes. With `closed`, parts of other names are rejected.
    ///
    /// # Errors
    /// The errors of [`parts`]; 422 for a part of another name.
    pub async fn read(
        headers: &HeaderMap,
        body: Body,
        limit: usize,
        known: &[&str],
        closed: bool,
    ) -> Result<Self, ApiError> {
        let mut parts = parts(headers, body, limit).await?;
        if closed && let Some(part) = parts.iter().find(|part| !known.contains(&part.name.as_str())) {
            let message = format!("{} is no part of this form; it has {}", quoted(&part.name), known.join(", "));
            return Err(ApiError::invalid(part.name.clone(), message));
        }
        let names = parts.iter().map(|part| part.name.clone()).collect();
        parts.retain(|part| known.contains(&part.name.as_str()));
        Ok(Self { parts, names })
    }

    /// Checks that the parts of at least one of `sets`, or of exactly one, are all present.
    ///
    /// # Errors
    /// 422 otherwise.
    pub fn check_presence(&self, exactly_one: bool, sets: &[&[&str]]) -> Result<(), ApiError> {
        let there = sets.iter().filter(|set| set.iter().all(|name| self.names.contains(*name))).count();
        if there == 1 || (there > 1 && !exactly_one) {
            return Ok(());
        }
        let ways: Vec<_> = sets.iter().map(|set| set.join(" with ")).collect();
        let how_many = if exactly_one { "exactly one" } else { "at least one" };
        Err(ApiError::invalid("", format!("the form must have {how_many} of: {}", ways.join(", "))))
    }

    /// Checks the number of parts with distinct names.
    ///
    /// # Errors
    /// 422 if it is out of bounds.
    pub fn check_count(&self, least: u64, most: u64) -> Result<(), ApiError> {
        let count = u64::try_from(self.names.len()).unwrap_or(u64::MAX);
        if count < least {
            return Err(ApiError::invalid("", format!("the form must have at least {least} parts, not {count}")));
        }
        if count > most {
            return Err(ApiError::invalid("", format!("the form must have at most {most} parts, not {count}")));
        }
        Ok(())
    }

    /// Returns the file of a name, if it was sent.
    ///
    /// # Errors
    /// 422 when it was sent twice, or has a media type that the document does not allow.
    pub fn file(&mut self, name: &'static str, content_types: &[&str]) -> Result<Option<FilePart>, ApiError> {
        let mut files = self.files(name, content_types, None, None)?;
        match files.len() {
            0 | 1 => Ok(files.pop()),
            _ => Err(ApiError::invalid(name, format!("{name} is given twice; give it once"))),
        }
    }

    /// Returns the files of a name.
    ///
    /// # Errors
    /// 422 when there are too few or too many, or one has a media type that the document does not allow.
    pub fn files(
        &mut self,
        name: &'static str,
        content_types: &[&str],
        at_least: Option<u64>,
        at_most: Option<u64>,
    ) -> Result<Vec<FilePart>, ApiError> {
        let (files, rest) =
            std::mem::take(&mut self.parts).into_iter().partition::<Vec<_>, _>(|part| part.name == name);
        self.parts = rest;
        let count = u64::try_from(files.len()).unwrap_or(u64::MAX);
        if let Some(limit) = at_least.filter(|limit| count < *limit) {
            return Err(ApiError::invalid(name, format!("{name} must have at least {limit} items")));
        }
        if let Some(limit) = at_most.filter(|limit| count > *limit) {
            return Err(ApiError::invalid(name, format!("{name} must have at most {limit} items")));
        }
        for file in &files {
            let essence = file.content_type.as_deref().unwrap_or("application/octet-stream");
            let essence = essence.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            let fits = |allowed: &&str| match allowed.strip_suffix("/*") {
                Some("*") => true,
                Some(kind) => essence.split('/').next() == Some(kind),
                None => *allowed == essence,
            };
            if !content_types.is_empty() && !content_types.iter().any(fits) {
                let message = format!("{name} must be {}, not {}", content_types.join(" or "), quoted(&essence));
                return Err(ApiError::invalid(name, message));
            }
        }
        Ok(files)
    }

    /// Decodes a value: text for a scalar, parts of one name for an array, JSON for a structured value.
    ///
    /// # Errors
    /// 422 with the path for a value that the document does not allow.
    pub fn value<T: DeserializeOwned>(&mut self, name: &'static str, shape: &Shape) -> Result<Option<T>, ApiError> {
        let parts = self.files(name, &[], None, None)?;
        let mut texts = Vec::new();
        for part in parts {
            let is_json =
                part.content_type.as_deref().is_some_and(|media_type| media_type.starts_with("application/json"));
            let text = String::from_utf8(part.bytes.to_vec());
            texts.push((
                text.map_err(|_| ApiError::bad_request(format!("the part {name} is not UTF-8")).with_param(name))?,
                is_json,
            ));
        }
        let Some((first, is_json)) = texts.first() else { return Ok(None) };
        let one = texts.len() == 1;
        let structured = matches!(shape, Shape::Object { .. } | Shape::Json)
            || matches!(shape, Shape::Array(_)) && one && (*is_json || first.starts_with('['));
        if structured {
            if !one {
                return Err(ApiError::invalid(name, format!("{name} is given twice; give it once")));
            }
            return decode::of_part(first, name).map(Some);
        }
        let written = match shape {
            Shape::Array(_) => Written::Items(texts.into_iter().map(|(text, _)| Written::Text(text)).collect()),
            _ if one => Written::Text(first.clone()),
            _ => return Err(ApiError::invalid(name, format!("{name} is given twice; give it once"))),
        };
        decode::typed_value(shape, &written, name).map(Some)
    }
}
