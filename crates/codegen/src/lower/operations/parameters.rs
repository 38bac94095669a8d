//! Parameters: those of the path, overridden by those of the operation, with their default styles filled in.

use heck::{ToPascalCase, ToSnakeCase};
use serde_json::Value;

use crate::fault::{Report, child};
use crate::ir::operation::{Encoding, Parameter, ParameterLocation, Style};
use crate::ir::schema::{Schema, Shape};
use crate::lower::operations::naming::Names;
use crate::lower::operations::{Lowering, Source, Template};

/// A parameter with its path in the document.
struct Found<'a> {
    pointer: String,
    node: &'a Value,
    name: &'a str,
    location: ParameterLocation,
}

impl<'a> Lowering<'a, '_> {
    /// Returns every parameter of an operation, in the order of the document, those of the path first.
    pub(super) fn parameters(&mut self, source: &Source<'a>, path: &Template) -> Vec<Parameter> {
        let mut found = self.found(source);
        found.retain(|parameter| {
            let known =
                parameter.location != ParameterLocation::Path || path.values().any(|name| name == parameter.name);
            if !known {
                let message =
                    format!("the path {} has no {{{}}}; the parameter is left out", path.text, parameter.name);
                self.faults.warn(&parameter.pointer, message);
            }
            known
        });
        let mut names = Names::functions();
        // Reserved field names of the input.
        names.take("accept", "");
        if source.node.get("requestBody").is_some() {
            names.take("body", "");
        }
        let type_name = source.node["operationId"].as_str().map_or_else(
            || format!("{} {}", source.method.key(), source.path).to_pascal_case(),
            ToPascalCase::to_pascal_case,
        );
        let mut parameters: Vec<_> =
            found.into_iter().map(|found| self.parameter(found, &type_name, &mut names)).collect();
        for name in path.values() {
            if !parameters
                .iter()
                .any(|parameter| parameter.location == ParameterLocation::Path && parameter.wire_name == name)
            {
                let message = format!("the parameter {{{name}}} is not declared; it is taken as any text");
                self.faults.warn(&source.item_pointer, message);
                parameters.push(undeclared(name, &mut names));
            }
        }
        parameters
    }

    fn found(&mut self, source: &Source<'a>) -> Vec<Found<'a>> {
        let mut found: Vec<Found<'a>> = Vec::new();
        let lists = [
            (child(&source.item_pointer, "parameters"), &source.item["parameters"]),
            (child(&source.pointer, "parameters"), &source.node["parameters"]),
        ];
        for (pointer, list) in lists {
            for (index, node) in list.as_array().into_iter().flatten().enumerate() {
                let Some((pointer, node)) = self.follow(&child(&pointer, &index.to_string()), node) else { continue };
                let name = node["name"].as_str().unwrap_or_default();
                let Some(location) = ParameterLocation::ALL.into_iter().find(|location| node["in"] == location.key())
                else {
                    continue;
                };
                // The specification ignores these: media types and `security` say it.
                let ignored = ["accept", "content-type", "authorization"];
                if location == ParameterLocation::Header && ignored.contains(&name.to_ascii_lowercase().as_str()) {
                    continue;
                }
                let new = Found { pointer, node, name, location };
                match found.iter_mut().find(|old| old.name == name && old.location == location) {
                    Some(old) => *old = new,
                    None => found.push(new),
                }
            }
        }
        found
    }

    fn parameter(&mut self, found: Found<'a>, type_name: &str, names: &mut Names) -> Parameter {
        let Found { pointer, node, name, location } = found;
        let (encoding, schema_pointer, schema_node) = self.encoding(&pointer, node, location);
        let hint = format!("{type_name}{}", name.to_pascal_case());
        let (schema, default) = match schema_node {
            Some(node) => (
                self.schemas.schema(&schema_pointer, node, &hint),
                self.schemas.default_of(node).cloned().filter(|default| !default.is_null()),
            ),
            None => (Schema::of(Shape::String), None),
        };
        let wanted = name.to_snake_case();
        let rust_name = names.take_first([wanted.clone(), format!("{wanted}_{}", location.key())], "parameter");
        Parameter {
            wire_name: name.to_owned(),
            rust_name,
            location,
            required: node["required"] == true || location == ParameterLocation::Path,
            description: node["description"].as_str().unwrap_or_default().to_owned(),
            deprecated: node["deprecated"] == true,
            default,
            allow_empty: node["allowEmptyValue"] == true && location == ParameterLocation::Query,
            encoding,
            schema,
        }
    }

    /// Returns the serialisation of a parameter or header, and the path of its schema.
    pub(super) fn encoding(
        &mut self,
        pointer: &str,
        node: &'a Value,
        location: ParameterLocation,
    ) -> (Encoding, String, Option<&'a Value>) {
        if let Some((media_type, media)) = node["content"].as_object().and_then(|content| content.iter().next()) {
            let at = child(&child(pointer, "content"), media_type);
            let encoding = match super::media::is_json(&super::media::essence(media_type)) {
                true => Encoding::Json,
                false => {
                    let message = format!("no code reads {media_type} in a parameter; it is taken as text");
                    self.faults.warn(&at, message);
                    return (Encoding::Styled { style: Style::Simple, explode: false }, at, None);
                }
            };
            return (encoding, child(&at, "schema"), media.get("schema"));
        }
        let style = Style::of(node["style"].as_str(), location);
        let explode = node["explode"].as_bool().unwrap_or(style == Style::Form);
        (Encoding::Styled { style, explode }, child(pointer, "schema"), node.get("schema"))
    }
}

fn undeclared(name: &str, names: &mut Names) -> Parameter {
    Parameter {
        wire_name: name.to_owned(),
        rust_name: names.take(&name.to_snake_case(), "parameter"),
        location: ParameterLocation::Path,
        required: true,
        description: String::new(),
        deprecated: false,
        default: None,
        allow_empty: false,
        encoding: Encoding::Styled { style: Style::Simple, explode: false },
        schema: Schema::of(Shape::String),
    }
}
