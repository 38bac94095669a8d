//! A request that becomes the input of an operation.

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::http::decode::{self, Check, Form, Parameter, Source};
use crate::http::template::Template;
use crate::http::validation::{Faults, Location};
use crate::http::{Accept, ApiError, BodyStream, FilePart, JsonItems, Operation, PartStream, multipart};
use crate::json::{Read, Typed};

/// Parameters and body of an operation.
pub trait Input: Sized + Send + 'static {
    /// Row of the operation.
    const OPERATION: Operation;
    /// Names of the query parameters, if others are rejected.
    const QUERY: Option<&'static [&'static str]> = None;

    /// Reads the input. Values outside their limits are added to the faults of the call.
    fn read(call: &mut Call<'_>) -> impl Future<Output = Result<Self, ApiError>> + Send;
}

/// A request whose caller is known and whose body is unread.
pub struct Call<'a> {
    parts: &'a Parts,
    source: Source<'a>,
    body: Body,
    /// Limits that the values exceed.
    pub faults: Faults,
}

/// Checks nothing: the validator of a value without limits.
pub fn unlimited<T>(_: &T, _: &Location<'_>, _: &mut Faults) {}

impl<'a> Call<'a> {
    /// Splits path and query.
    ///
    /// # Errors
    /// The errors of [`Source::of`] and [`Source::reject_others`].
    pub(super) fn of<I: Input>(parts: &'a Parts, body: Body, template: &Template) -> Result<Self, ApiError> {
        let source = Source::of(parts, template)?;
        if let Some(known) = I::QUERY {
            source.reject_others(known)?;
        }
        Ok(Self { parts, source, body, faults: Faults::default() })
    }

    /// Returns an optional parameter.
    ///
    /// # Errors
    /// 400 for malformed text, 422 with the path for a value that the document does not allow.
    pub fn optional<T: DeserializeOwned>(&self, parameter: &Parameter) -> Result<Option<T>, ApiError> {
        decode::parameter(&self.source, parameter)
    }

    /// Returns a required parameter.
    ///
    /// # Errors
    /// The errors of [`Self::optional`]; 422 if it is absent.
    pub fn required<T: DeserializeOwned>(&self, parameter: &Parameter) -> Result<T, ApiError> {
        decode::required(self.optional(parameter)?, parameter.name)
    }

    /// Checks the limits of a parameter, and returns it.
    pub fn checked<T>(&mut self, name: &str, value: T, check: Check<T>) -> T {
        check(&value, &Location::parameter(name), &mut self.faults);
        value
    }

    /// Checks the limits of an optional parameter, and returns it.
    pub fn checked_option<T>(&mut self, name: &str, value: Option<T>, check: Check<T>) -> Option<T> {
        value.map(|value| self.checked(name, value, check))
    }

    /// Reads the `Accept` header.
    ///
    /// # Errors
    /// The errors of [`Accept::of`].
    pub fn accept(&self, offered: &[&str]) -> Result<Accept, ApiError> {
        Accept::of(&self.parts.headers, offered)
    }

    /// Returns whether the request has a body.
    ///
    /// # Errors
    /// The errors of [`decode::present`].
    pub async fn has_body(&mut self) -> Result<bool, ApiError> {
        match decode::present(self.take_body()).await? {
            Some(body) => {
                self.body = body;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Returns the index of the documented media type that the body has.
    ///
    /// # Errors
    /// The errors of [`decode::media_type`].
    pub fn media_type(&self, documented: &[&str]) -> Result<usize, ApiError> {
        decode::media_type(&self.parts.headers, documented)
    }

    /// Returns the call if its body has the only documented media type.
    ///
    /// # Errors
    /// The errors of [`decode::media_type`].
    pub fn only(&mut self, media_type: &str) -> Result<&mut Self, ApiError> {
        self.media_type(&[media_type]).map(|_| self)
    }

    /// Reads a JSON body of at most `limit` bytes. With `is_object`, it must be an object.
    ///
    /// # Errors
    /// The errors of [`decode::json_body`].
    pub async fn json<T: DeserializeOwned + Send + 'static>(
        &mut self,
        limit: usize,
        is_object: bool,
        check: Check<T>,
    ) -> Result<T, ApiError> {
        let value = decode::json_body(&self.parts.headers, self.take_body(), limit, is_object).await?;
        check(&value, &Location::BODY, &mut self.faults);
        Ok(value)
    }

    /// Reads a JSON body with the reader `R`.
    ///
    /// # Errors
    /// The errors of [`decode::json_body`].
    pub async fn json_by<R: Read<T> + 'static, T: Send + 'static>(
        &mut self,
        limit: usize,
        is_object: bool,
        check: Check<T>,
    ) -> Result<T, ApiError> {
        let body = self.take_body();
        let value = decode::json_body::<Typed<R, T>>(&self.parts.headers, body, limit, is_object).await?.0;
        check(&value, &Location::BODY, &mut self.faults);
        Ok(value)
    }

    /// Returns the reader of a JSON body of at most `limit` bytes, whose `property` is read item by item.
    ///
    /// # Errors
    /// The errors of [`JsonItems::of`].
    pub fn json_items<T, I>(
        &mut self,
        limit: usize,
        property: &'static str,
        checks: (Check<T>, Check<I>),
    ) -> Result<JsonItems<T, I>, ApiError>
    where
        T: DeserializeOwned + Send + 'static,
        I: DeserializeOwned + Send + 'static,
    {
        JsonItems::of(&self.parts.headers, self.take_body(), limit, property, checks)
    }

    /// Reads an `application/x-www-form-urlencoded` body of at most `limit` bytes.
    ///
    /// # Errors
    /// The errors of [`decode::form_body`].
    pub async fn form<T: DeserializeOwned>(
        &mut self,
        limit: usize,
        form: &Form,
        check: Check<T>,
    ) -> Result<T, ApiError> {
        let value = decode::form_body(&self.parts.headers, self.take_body(), limit, form).await?;
        check(&value, &Location::BODY, &mut self.faults);
        Ok(value)
    }

    /// Reads a text of at most `limit` bytes.
    ///
    /// # Errors
    /// The errors of [`decode::text_body`].
    pub async fn text(&mut self, limit: usize, check: Check<String>) -> Result<String, ApiError> {
        let text = decode::text_body(&self.parts.headers, self.take_body(), limit).await?;
        check(&text, &Location::BODY, &mut self.faults);
        Ok(text)
    }

    /// Reads at most `limit` bytes.
    ///
    /// # Errors
    /// The errors of [`decode::bytes_body`].
    pub async fn bytes(&mut self, limit: usize) -> Result<Bytes, ApiError> {
        decode::bytes_body(&self.parts.headers, self.take_body(), limit).await
    }

    /// Returns the stream of a body of at most `limit` bytes.
    ///
    /// # Errors
    /// The errors of [`BodyStream::of`].
    pub fn stream(&mut self, limit: usize) -> Result<BodyStream, ApiError> {
        BodyStream::of(&self.parts.headers, self.take_body(), limit)
    }

    /// Reads the parts of a multipart body of at most `limit` bytes.
    ///
    /// # Errors
    /// The errors of [`multipart::parts`].
    pub async fn file_parts(&mut self, limit: usize) -> Result<Vec<FilePart>, ApiError> {
        multipart::parts(&self.parts.headers, self.take_body(), limit).await
    }

    /// Returns the stream of the parts of a multipart body of at most `limit` bytes.
    ///
    /// # Errors
    /// The errors of [`multipart::stream`].
    pub fn part_stream(&mut self, limit: usize) -> Result<PartStream, ApiError> {
        multipart::stream(&self.parts.headers, self.take_body(), limit)
    }

    /// Reads a multipart form of at most `limit` bytes. With `closed`, parts of names that are not `known` are rejected.
    ///
    /// # Errors
    /// The errors of [`multipart::Form::read`].
    pub async fn multipart(&mut self, limit: usize, known: &[&str], closed: bool) -> Result<multipart::Form, ApiError> {
        multipart::Form::read(&self.parts.headers, self.take_body(), limit, known, closed).await
    }

    /// Returns all faults as one error.
    ///
    /// # Errors
    /// 422 if a value exceeds a limit.
    pub(super) fn finish(&mut self) -> Result<(), ApiError> {
        std::mem::take(&mut self.faults).into_result()
    }

    fn take_body(&mut self) -> Body {
        std::mem::take(&mut self.body)
    }
}
