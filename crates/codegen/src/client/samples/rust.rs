//! Samples for Rust with the generated client. Bodies are built by the constructors of their types where these can
//! express the example, and by `from_json` elsewhere.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;

use crate::Document;
use crate::client::samples::layout::{JSON, Syntax};
use crate::client::samples::request::{Body, FILE, Field, Request, ResponseKind, plain};
use crate::client::{constructors, view};
use crate::emit::context::Context;
use crate::emit::names::ident;
use crate::ir::schema::{Discrimination, Kind, NamedType, Object, Schema, Shape};

const RUST: Syntax = Syntax { indent: 4, trailing_comma: false, text, ..JSON };

fn text(text: &str) -> String {
    format!("{text:?}")
}

pub(super) fn sample(document: &Document, context: &Context<'_>, request: &Request<'_>) -> Result<String, String> {
    let mut writer = Writer { document, context, values: Vec::new() };
    let mut statements = match request.node["x-client-by-hand"].as_str() {
        Some(call) => {
            let call: TokenStream = call.parse().map_err(|error| format!("{}: {error}", request.operation.id))?;
            quote!(let response = #call.await?;)
        }
        None if view::is_by_hand(request.node) || view::answers_text_alone(request.node) => by_reqwest(request),
        None => writer.by_client(request),
    };
    let mut imports = Vec::new();
    if !uses(&statements, "reqwest") {
        let names = ["Client", "from_json", "json", "types"];
        let code = quote!(let client = Client::from_env()?; #statements);
        imports.push(format!("use trainyard::client::{};", braced(&names.map(|name| (name, uses(&code, name))))));
        statements = match request.response {
            ResponseKind::Bytes => {
                let name = request.file_name();
                quote! {
                    #code
                    let mut file = std::fs::File::create(#name)?;
                    while let Some(chunk) = response.chunk().await? {
                        file.write_all(&chunk)?;
                    }
                }
            }
            _ => quote!(#code println!("{:#?}", response.into_inner());),
        };
        if request.response == ResponseKind::Bytes {
            imports.insert(0, "use std::io::Write as _;\n".to_owned());
        }
    }
    let code = writer.formatted(&statements)?;
    if imports.is_empty() { Ok(code) } else { Ok(format!("{}\n\n{code}", imports.join("\n"))) }
}

fn uses(code: &TokenStream, name: &str) -> bool {
    code.to_string().split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// Returns the names in use as the end of a `use` declaration.
fn braced(names: &[(&str, bool)]) -> String {
    let used: Vec<&str> = names.iter().filter(|(_, is_used)| *is_used).map(|(name, _)| *name).collect();
    match used.as_slice() {
        [only] => (*only).to_owned(),
        _ => format!("{{{}}}", used.join(", ")),
    }
}

/// Returns the statements for an operation that is no method of the client.
fn by_reqwest(request: &Request<'_>) -> TokenStream {
    let (path, method) = (format!("{{root}}{}", request.path()), ident(request.operation.method.key()));
    let key = request.is_secured().then(|| quote!(.bearer_auth(std::env::var("TRAINYARD_API_KEY")?)));
    let body = match &request.body {
        Some(Body::Json(..)) | None => quote!(),
        Some(Body::File) => {
            quote!(.header("content-type", "application/octet-stream").body(std::fs::read(#FILE)?))
        }
        Some(Body::Form(fields)) => {
            let fields = fields.iter().map(|(name, field)| match field {
                Field::Text(text) => quote!(.text(#name, #text)),
                Field::File => quote!(.part(#name, reqwest::multipart::Part::bytes(std::fs::read(#FILE)?))),
            });
            quote!(.multipart(reqwest::multipart::Form::new()#(#fields)*))
        }
    };
    quote! {
        let root = std::env::var("TRAINYARD_BASE_URL")?;
        let request = reqwest::Client::new().#method(format!(#path))#key #body;
        let text = request.send().await?.error_for_status()?.text().await?;
        println!("{text}");
    }
}

struct Writer<'a> {
    document: &'a Document,
    context: &'a Context<'a>,
    /// Values of `json!`, which the formatter does not lay out; it sees a placeholder for each.
    values: Vec<Value>,
}

impl Writer<'_> {
    fn by_client(&mut self, request: &Request<'_>) -> TokenStream {
        let method = ident(&request.operation.rust_name);
        let mut arguments: Vec<TokenStream> = request.values.iter().map(|(_, value)| literal(value)).collect();
        let body = match &request.body {
            Some(Body::Json(example, schema)) => {
                arguments.push(quote!(&body));
                let built = schema.name().and_then(|name| self.named(name, example));
                let value = built.unwrap_or_else(|| self.json(example, None));
                Some(quote!(let body = #value;))
            }
            _ => None,
        };
        let mutable = (request.response == ResponseKind::Bytes).then(|| quote!(mut));
        quote!(#body let #mutable response = client.#method(#(#arguments),*).await?;)
    }

    /// Returns an expression of the schema's type.
    fn owned(&mut self, schema: &Schema, value: &Value) -> TokenStream {
        if schema.nullable {
            return if value.is_null() {
                quote!(None)
            } else {
                let inner = self.owned(&Schema { nullable: false, ..schema.clone() }, value);
                quote!(Some(#inner))
            };
        }
        match (&schema.shape, value) {
            (Shape::String, Value::String(text)) if self.context.text_type(schema).is_some() => quote!(#text.parse()?),
            (Shape::String, Value::String(text)) => quote!(#text.to_owned()),
            (Shape::Array(items), Value::Array(values)) => {
                let values = values.iter().map(|value| self.owned(items, value));
                let values: Vec<_> = values.collect();
                quote!(vec![#(#values),*])
            }
            (Shape::Named(name), _) => self.named(name, value).unwrap_or_else(|| self.json(value, None)),
            _ => self.scalar(schema, value),
        }
    }

    /// Returns an expression for an argument of a constructor or setter, which converts texts, lists and unions.
    fn argument(&mut self, schema: &Schema, value: &Value) -> TokenStream {
        match (&schema.shape, value) {
            (Shape::String, Value::String(text)) if constructors::is_text(self.context, schema) => quote!(#text),
            (Shape::Array(items), Value::Array(values)) => {
                let values: Vec<_> = values.iter().map(|value| self.owned(items, value)).collect();
                quote!([#(#values),*])
            }
            (Shape::Named(name), _) if matches!(self.context.kind(schema), Some(Kind::Union(_))) => match value {
                Value::String(text) if self.converts_text(name) => quote!(#text),
                // Several types convert to a union.
                _ => self.json(value, Some(&ident(name))),
            },
            _ => self.owned(&Schema { nullable: false, ..schema.clone() }, value),
        }
    }

    fn scalar(&mut self, schema: &Schema, value: &Value) -> TokenStream {
        match (&schema.shape, value) {
            (Shape::Boolean, Value::Bool(value)) => quote!(#value),
            (Shape::Integer(_), Value::Number(number)) => number.to_string().parse().unwrap_or_default(),
            (Shape::Number { .. }, Value::Number(number)) => {
                let text = number.to_string();
                let is_float = text.contains(['.', 'e', 'E']);
                if is_float { text } else { format!("{text}.0") }.parse().unwrap_or_default()
            }
            (Shape::Any, _) => {
                let value = self.placeholder(value);
                quote!(json!(#value))
            }
            _ => self.json(value, None),
        }
    }

    /// Returns the value of a named type, if its constructors can express it.
    fn named(&mut self, name: &str, value: &Value) -> Option<TokenStream> {
        let named = self.context.named(name)?;
        let kind = ident(name);
        match &named.kind {
            Kind::Enumeration(enumeration) => {
                let variant = enumeration.variants.iter().find(|variant| *value == *variant.wire_name)?;
                let variant = ident(&variant.rust_name);
                Some(quote!(types::#kind::#variant))
            }
            Kind::Object(object) => self.object(named, object, value),
            // The text of a verbatim value is written by its own type.
            Kind::Verbatim(inner) => {
                let built = self.branch(inner, value)?;
                Some(quote!(from_json(#built)?))
            }
            _ => None,
        }
    }

    /// Returns the value of the type that a union's discriminator selects.
    fn branch(&mut self, union: &Schema, value: &Value) -> Option<TokenStream> {
        let Some(Kind::Union(union)) = self.context.kind(union) else { return None };
        let Discrimination::Discriminator { property, mapping } = &union.tell else { return None };
        let (_, index) = mapping.iter().find(|(name, _)| value[property] == **name)?;
        self.named(union.branches.get(*index)?.schema.name()?, value)
    }

    fn object(&mut self, named: &NamedType, object: &Object, value: &Value) -> Option<TokenStream> {
        let values = value.as_object()?;
        let (required, optional) = constructors::fields(self.document, named, object)?;
        if values.keys().any(|key| !object.fields.iter().any(|field| field.wire_name == *key)) {
            return None;
        }
        let mut arguments = Vec::new();
        for field in required.iter().filter(|field| constructors::only_value(self.context, field).is_none()) {
            let value = values.get(&field.wire_name)?;
            arguments.push(if field.schema.nullable {
                self.owned(&field.schema, value)
            } else {
                self.argument(&field.schema, value)
            });
        }
        let mut setters = Vec::new();
        // Null means the same as absence.
        for (key, value) in values.iter().filter(|(_, value)| !value.is_null()) {
            let Some(field) = optional.iter().find(|field| field.wire_name == *key) else { continue };
            if field.rust_name == "new" {
                return None;
            }
            let (name, value) = (ident(&field.rust_name), self.argument(&field.schema, value));
            setters.push(quote!(.#name(#value)));
        }
        let kind = ident(&named.name);
        Some(quote!(types::#kind::new(#(#arguments),*)#(#setters)*))
    }

    /// Returns whether a union has a conversion from texts.
    fn converts_text(&self, name: &str) -> bool {
        let Some(Kind::Union(union)) = self.context.named(name).map(|named| &named.kind) else { return false };
        constructors::convertible(self.context, union)
            .iter()
            .any(|branch| constructors::is_text(self.context, &branch.schema))
    }

    /// Returns the conversion of a value from JSON, to a type that the compiler does not infer.
    fn json(&mut self, value: &Value, kind: Option<&Ident>) -> TokenStream {
        let value = self.placeholder(value);
        let kind = kind.map(|kind| quote!(::<types::#kind>));
        quote!(from_json #kind (json!(#value))?)
    }

    fn placeholder(&mut self, value: &Value) -> TokenStream {
        let name = format_ident!("json_value_{}", self.values.len());
        self.values.push(value.clone());
        quote!(#name)
    }

    /// Formats statements, with the values of `json!`.
    fn formatted(&self, statements: &TokenStream) -> Result<String, String> {
        let file =
            syn::parse2(quote!(fn sample() { #statements })).map_err(|error| format!("{error}: {statements}"))?;
        let formatted = prettyplease::unparse(&file);
        let lines = formatted.lines().skip(1).map(|line| line.strip_prefix("    ").unwrap_or(line));
        let mut code: Vec<String> = lines.map(str::to_owned).collect();
        // The end of the function.
        code.pop();
        for line in &mut code {
            let spaces = line.len() - line.trim_start().len();
            while let Some((before, number, after)) = placeholder_in(line) {
                let value = self.values.get(number).ok_or("a placeholder without a value")?;
                *line =
                    format!("{before}{}{after}", RUST.write(value, spaces / 4, before.chars().count() + after.len()));
            }
        }
        Ok(code.join("\n"))
    }
}

/// Returns a line's text before its first placeholder, the placeholder's number, and the text after it.
fn placeholder_in(line: &str) -> Option<(&str, usize, &str)> {
    let (before, rest) = line.split_once("json_value_")?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    Some((before, rest[..digits].parse().ok()?, &rest[digits..]))
}

/// Returns a parameter's value as a literal.
fn literal(value: &Value) -> TokenStream {
    match value {
        Value::String(text) => quote!(#text),
        other => plain(other).parse().unwrap_or_default(),
    }
}
