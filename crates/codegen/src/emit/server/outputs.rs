//! Emission of the output of an operation: an enum of its documented responses.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::emit::names::{doc, ident};
use crate::emit::server::{Emitter, output_name, route};
use crate::ir::operation::{Content, Encoding, Media, Operation, Response, Status};
use crate::ir::schema::Kind;

impl Emitter<'_> {
    /// Emits the enum, the structs of headers, and the conversion to responses.
    pub(super) fn output(&self, operation: &Operation) -> TokenStream {
        let name = output_name(operation);
        let route = format!(" {}", route(operation));
        let mut variants = Vec::new();
        let mut arms = Vec::new();
        let mut structs = TokenStream::new();
        let mut sources: BTreeMap<String, Vec<(Ident, TokenStream)>> = BTreeMap::new();
        for response in operation.responses.iter().filter(|response| !response.failure) {
            let headers = (!response.headers.is_empty()).then(|| headers_name(operation, response));
            if let Some(headers) = &headers {
                structs.extend(self.headers(headers, response));
            }
            let media: Vec<Option<&Media>> = match response.media.as_slice() {
                [] => vec![None],
                media => media.iter().map(Some).collect(),
            };
            for media in media {
                let variant = variant(response, media);
                let about = doc(&response.description, false);
                let body = media.map(|media| self.response_type(media));
                let has_status = !matches!(response.status, Status::Code(_));
                let encoded = self.encode(response.status, media);
                if !has_status && headers.is_none() {
                    match body {
                        Some(body) => {
                            variants.push(quote!(#about #variant(#body)));
                            arms.push(quote!(Self::#variant(body) => #encoded));
                            // An external type can equal another one here under a different name, and two
                            // `From` implementations would conflict.
                            if media.is_some_and(|media| self.is_external(media)) {
                                continue;
                            }
                            sources.entry(body.to_string()).or_default().push((variant, body));
                        }
                        None => {
                            variants.push(quote!(#about #variant));
                            arms.push(quote!(Self::#variant => #encoded));
                        }
                    }
                    continue;
                }
                let status_field = has_status.then(|| {
                    let about = status_about(response.status);
                    quote!(#[doc = #about] status: u16,)
                });
                let headers_field = headers.as_ref().map(|headers| quote!(headers: #headers,));
                let body_field = body.map(|body| quote!(body: #body,));
                variants.push(quote!(#about #variant { #status_field #headers_field #body_field }));
                let status_bind = has_status.then(|| quote!(status,));
                let headers_bind = headers.as_ref().map(|_| quote!(headers,));
                let body_bind = media.map(|_| quote!(body,));
                let encoded = match &headers {
                    Some(_) => {
                        let values = response.headers.iter().map(|header| {
                            let (name, wire) = (ident(&header.rust_name), &header.wire_name);
                            let explode = matches!(header.encoding, Encoding::Styled { explode: true, .. });
                            let json = matches!(header.encoding, Encoding::Json);
                            quote!((#wire, http::response::header(&headers.#name, #explode, #json)))
                        });
                        quote!(http::response::with_headers(#encoded, [#(#values),*]))
                    }
                    None => encoded,
                };
                arms.push(quote!(Self::#variant { #status_bind #headers_bind #body_bind } => #encoded));
            }
        }
        // A body type that occurs once gets a `From` conversion.
        let conversions = sources.into_values().filter(|sources| sources.len() == 1).flatten().map(|(variant, body)| {
            quote!(impl From<#body> for #name { fn from(body: #body) -> Self { Self::#variant(body) } })
        });
        quote! {
            #structs
            #[doc = #route]
            #[derive(Debug)]
            pub enum #name { #(#variants),* }
            #(#conversions)*
            impl http::IntoResponse for #name {
                fn into_response(self) -> http::Response { match self { #(#arms),* } }
            }
        }
    }

    fn is_external(&self, media: &Media) -> bool {
        let Content::Json(Some(schema)) = &media.content else { return false };
        matches!(self.context.kind(schema), Some(Kind::External(_)))
    }

    fn response_type(&self, media: &Media) -> TokenStream {
        match &media.content {
            Content::Json(Some(schema)) => self.context.rust_type(schema),
            Content::Json(None) => quote!(http::Value),
            Content::EventStream(schema) => {
                let ty = self.context.rust_type(schema);
                quote!(http::EventStream<#ty>)
            }
            Content::Text(_) => self.context.std("String"),
            _ => quote!(http::Download),
        }
    }

    /// Emits the expression of the response; `status` and `body` are in scope if it has them.
    fn encode(&self, status: Status, media: Option<&Media>) -> TokenStream {
        let status = match status {
            Status::Code(code) => {
                let code = Literal::u16_unsuffixed(code);
                quote!(#code)
            }
            Status::Range(digit) => {
                let digit = Literal::u16_unsuffixed(digit.into());
                quote!(http::response::Status::Within(#digit, status))
            }
            Status::Default => quote!(http::response::Status::Any(status)),
        };
        let Some(media) = media else { return quote!(http::response::empty(#status)) };
        let media_type = &media.media_type;
        match &media.content {
            Content::Json(_) => quote!(http::response::json(#status, #media_type, &body)),
            Content::EventStream(_) => quote!(body.response(#status)),
            Content::Text(_) => quote!(http::response::text(#status, #media_type, body)),
            _ => quote!(body.response(#status, #media_type)),
        }
    }

    fn headers(&self, name: &Ident, response: &Response) -> TokenStream {
        let fields = response.headers.iter().map(|header| {
            let (name, ty) =
                (ident(&header.rust_name), self.context.rust_type(&super::parameters::present(&header.schema)));
            let about = doc(&header.description, false);
            let ty = if header.required { ty } else { quote!(Option<#ty>) };
            quote!(#about pub #name: #ty)
        });
        let default = response.headers.iter().all(|header| !header.required).then(|| quote!(Default,));
        quote! {
            /// The headers of a response.
            #[derive(Clone, Debug, #default)]
            pub struct #name { #(#fields),* }
        }
    }
}

/// Returns whether the media type is JSON, whose variant has no suffix beside other media types.
fn is_plain_json(media: &Media) -> bool {
    media.media_type == "application/json"
}

pub(super) fn headers_name(operation: &Operation, response: &Response) -> Ident {
    format_ident!("{}{}Headers", ident(&operation.type_name), status_name(response.status))
}

/// Returns the name of the variant for a response in one of its media types.
pub(super) fn variant(response: &Response, media: Option<&Media>) -> Ident {
    let several = response.media.len() > 1;
    let is_named =
        |media: &&Media| several && !is_plain_json(media) || matches!(media.content, Content::EventStream(_));
    match media.filter(is_named) {
        Some(media) => format_ident!("{}{}", status_name(response.status), ident(&media.variant)),
        None => format_ident!("{}", status_name(response.status)),
    }
}

fn status_about(status: Status) -> String {
    match status {
        Status::Range(digit) => format!(" From {digit}00 to {digit}99; anything else is answered as 500."),
        _ => " From 200 to 599; anything else is answered as 500.".to_owned(),
    }
}

/// Returns the variant name of a status: the reason phrase of common codes.
fn status_name(status: Status) -> String {
    let code = match status {
        Status::Code(code) => code,
        Status::Range(1) => return "Informational".to_owned(),
        Status::Range(2) => return "Success".to_owned(),
        Status::Range(3) => return "Redirection".to_owned(),
        Status::Range(4) => return "ClientError".to_owned(),
        Status::Range(_) => return "ServerError".to_owned(),
        Status::Default => return "Default".to_owned(),
    };
    match code {
        200 => "Ok",
        201 => "Created",
        202 => "Accepted",
        204 => "NoContent",
        206 => "PartialContent",
        301 => "MovedPermanently",
        302 => "Found",
        303 => "SeeOther",
        304 => "NotModified",
        307 => "TemporaryRedirect",
        308 => "PermanentRedirect",
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        406 => "NotAcceptable",
        409 => "Conflict",
        410 => "Gone",
        412 => "PreconditionFailed",
        413 => "ContentTooLarge",
        415 => "UnsupportedMediaType",
        416 => "RangeNotSatisfiable",
        422 => "UnprocessableContent",
        429 => "TooManyRequests",
        500 => "InternalServerError",
        502 => "BadGateway",
        503 => "ServiceUnavailable",
        504 => "GatewayTimeout",
        other => return format!("Status{other}"),
    }
    .to_owned()
}
