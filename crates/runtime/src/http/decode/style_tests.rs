//! Tests of each style with the examples of the OpenAPI 3.0.3 specification, then of the errors.

use axum::http::Request;
use axum::http::request::Parts;
use serde_json::{Value, json};

use crate::http::ApiError;
use crate::http::decode::form::read;
use crate::http::decode::{Encoding, Form, Parameter, ParameterLocation, Scalar, Shape, Source, Style, parameter};
use crate::http::template::Template;

const TEXT: Shape = Shape::Scalar(Scalar::String, "a string");
const NUMBER: Shape = Shape::Scalar(Scalar::Integer, "an integer from 0 to 255");
const TEXTS: Shape = Shape::Array(&TEXT);
const COLOUR: Shape = Shape::Object { fields: &[("R", &NUMBER), ("G", &NUMBER), ("B", &NUMBER)], rest: None };

fn styled(location: ParameterLocation, style: Style, explode: bool, shape: Shape) -> Parameter {
    Parameter {
        name: "color",
        location,
        encoding: Encoding::Styled(style, explode),
        shape,
        allow_empty: false,
        others: &["page"],
    }
}

fn parts(location: ParameterLocation, text: &str) -> Parts {
    let request = match location {
        ParameterLocation::Path => Request::get(format!("/{text}")),
        ParameterLocation::Query => Request::get(format!("/-?{text}")),
        ParameterLocation::Header => Request::get("/-").header("color", text),
        ParameterLocation::Cookie => Request::get("/-").header("cookie", text),
    };
    request.body(()).unwrap().into_parts().0
}

fn value(parameter: Parameter, text: &str) -> Result<Option<Value>, ApiError> {
    let parts = parts(parameter.location, text);
    super::parameter(&Source::of(&parts, &Template::of("/{color}"))?, &parameter)
}

/// The table "Style Examples" of the specification: style, explode, empty, string, array, object. An empty cell is
/// "n/a".
#[test]
fn the_styles_read_the_examples_of_the_specification() {
    use ParameterLocation::*;
    use Style::*;
    let table = [
        (Path, Matrix, false, ";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
        (Path, Matrix, true, ";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
        (Path, Label, false, ".", ".blue", ".blue.black.brown", ".R.100.G.200.B.150"),
        (Path, Label, false, ".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
        (Path, Label, true, ".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
        (Query, Form, false, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
        (Query, Form, true, "color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
        (Cookie, Form, false, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
        (Cookie, Form, true, "color=", "color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"),
        (Path, Simple, false, "", "blue", "blue,black,brown", "R,100,G,200,B,150"),
        (Path, Simple, true, "", "blue", "blue,black,brown", "R=100,G=200,B=150"),
        (Header, Simple, false, "", "blue", "blue, black,brown", "R,100,G,200,B,150"),
        (Header, Simple, true, "", "blue", "blue,black,brown", "R=100,G=200,B=150"),
        (Query, SpaceDelimited, false, "", "", "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
        (Query, SpaceDelimited, false, "", "", "color=blue+black+brown", "color=R+100+G+200+B+150"),
        (Query, PipeDelimited, false, "", "", "color=blue|black|brown", "color=R|100|G|200|B|150"),
        (Query, PipeDelimited, false, "", "", "color=blue%7Cblack%7cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
        (Query, DeepObject, true, "", "", "", "color[R]=100&color[G]=200&color[B]=150"),
        (Query, DeepObject, true, "", "", "", "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
    ];
    let colours = json!(["blue", "black", "brown"]);
    let rgb = json!({"R": 100, "G": 200, "B": 150});
    for (location, style, explode, empty, text, array, object) in table {
        for (shape, written, expected) in [
            (TEXT, empty, json!("")),
            (TEXT, text, json!("blue")),
            (TEXTS, array, colours.clone()),
            (COLOUR, object, rgb.clone()),
        ] {
            if written.is_empty() {
                continue;
            }
            let found = value(styled(location, style, explode, shape), written);
            assert_eq!(found.unwrap(), Some(expected), "{location:?} {style:?} explode={explode} {written}");
        }
    }
}

#[test]
fn absent_parameters_are_none() {
    for (location, style) in [
        (ParameterLocation::Query, Style::Form),
        (ParameterLocation::Query, Style::DeepObject),
        (ParameterLocation::Cookie, Style::Form),
    ] {
        for shape in [TEXT, TEXTS, COLOUR] {
            assert_eq!(
                value(styled(location, style, true, shape), "other=1").unwrap(),
                None,
                "{location:?} {style:?} {shape:?}"
            );
        }
    }
}

#[test]
fn an_encoded_separator_does_not_separate() {
    let list = styled(ParameterLocation::Query, Style::Form, false, TEXTS);
    assert_eq!(value(list, "color=a%2Cb,c").unwrap(), Some(json!(["a,b", "c"])));
    let path = styled(ParameterLocation::Path, Style::Simple, false, TEXTS);
    assert_eq!(value(path, "a%2Cb,c%2Fd").unwrap(), Some(json!(["a,b", "c/d"])));
}

#[test]
fn rejections_name_the_place_and_what_it_must_be() {
    use ParameterLocation::*;
    use Style::*;
    const NUMBERS: Shape = Shape::Array(&NUMBER);
    let table = [
        (
            styled(Query, Form, true, NUMBER),
            "color=x",
            422,
            "color",
            "color must be an integer from 0 to 255, not \"x\"",
        ),
        (styled(Query, Form, true, NUMBER), "color=1&color=2", 422, "color", "color is given twice; give it once"),
        (
            styled(Query, Form, true, NUMBERS),
            "color=1&color=x",
            422,
            "color[1]",
            "color[1] must be an integer from 0 to 255, not \"x\"",
        ),
        (
            styled(Query, Form, false, NUMBERS),
            "color=1,,2",
            422,
            "color[1]",
            "color[1] must be an integer from 0 to 255, not \"\"",
        ),
        (
            styled(Query, DeepObject, true, COLOUR),
            "color[R]=x",
            422,
            "color.R",
            "color.R must be an integer from 0 to 255, not \"x\"",
        ),
        (
            styled(Query, DeepObject, true, COLOUR),
            "color[R]=1&color[R]=2",
            422,
            "color.R",
            "color.R is given twice; give it once",
        ),
        (
            styled(Query, DeepObject, true, COLOUR),
            "color=x",
            422,
            "color",
            "color must be an object, its fields in brackets, not \"x\"",
        ),
        (
            styled(Query, DeepObject, true, COLOUR),
            "color[R=1",
            422,
            "color",
            "\"color[R\" must be color followed by names in brackets, as in color[name]",
        ),
        (
            styled(Path, Label, false, TEXT),
            "blue",
            422,
            "color",
            "color must be a label that begins with a dot, not \"blue\"",
        ),
        (
            styled(Path, Simple, false, COLOUR),
            "R,1,G",
            422,
            "color",
            "color must be the fields of an object, each as name and value by turns",
        ),
        (
            styled(Header, Simple, true, COLOUR),
            "R",
            422,
            "color",
            "color must be the fields of an object, each as name=value",
        ),
    ];
    for (parameter, text, status, location, message) in table {
        let failure = value(parameter, text).unwrap_err();
        assert_eq!(
            (failure.status().code().as_u16(), failure.param(), failure.message()),
            (status, Some(location), message)
        );
    }
    for (location, text) in [(Path, "%zz"), (Path, "%FF"), (Query, "color=%"), (Query, "other=%FF"), (Query, "%GG=1")] {
        let failure = value(styled(location, Form, true, TEXT), text).unwrap_err();
        assert_eq!(
            (failure.status().code().as_u16(), failure.code()),
            (400, Some("invalid_percent_encoding")),
            "{text}"
        );
    }
}

#[test]
fn brackets_nest_to_a_limit() {
    const INNER: Shape = Shape::Object { fields: &[("tags", &TEXTS)], rest: Some(&TEXT) };
    const OUTER: Shape = Shape::Object { fields: &[("inner", &INNER)], rest: None };
    let deep = |text: &str| value(styled(ParameterLocation::Query, Style::DeepObject, true, OUTER), text);
    let found = deep("color[inner][tags][]=a&color[inner][tags][]=b&color[inner][x]=1&color[unknown]=2").unwrap();
    assert_eq!(found, Some(json!({"inner": {"tags": ["a", "b"], "x": "1"}})));
    let found = deep("color[inner][tags][1]=b&color[inner][tags][0]=a").unwrap();
    assert_eq!(found, Some(json!({"inner": {"tags": ["a", "b"]}})));
    assert!(deep("color[inner][tags][x]=a").is_err());
    assert!(deep(&format!("color{}=1", "[a]".repeat(1000))).is_err());
}

#[test]
fn an_exploded_map_takes_what_nobody_else_names() {
    const MAP: Shape = Shape::Object { fields: &[], rest: Some(&TEXT) };
    let found = value(styled(ParameterLocation::Query, Style::Form, true, MAP), "page=1&a=x&b=y").unwrap();
    assert_eq!(found, Some(json!({"a": "x", "b": "y"})));
}

#[test]
fn a_choice_is_read_as_the_first_that_fits() {
    const EITHER: Shape =
        Shape::Choice(&[&NUMBER, &Shape::Scalar(Scalar::Boolean, "true or false")], "an integer or true or false");
    let either = |text: &str| value(styled(ParameterLocation::Query, Style::Form, true, EITHER), text);
    assert_eq!(either("color=5").unwrap(), Some(json!(5)));
    assert_eq!(either("color=true").unwrap(), Some(json!(true)));
    assert_eq!(either("color=x").unwrap_err().message(), "color must be an integer or true or false, not \"x\"");
    const DEEP: Shape = Shape::Choice(&[&COLOUR, &NUMBER], "an object or an integer");
    let deep = |text: &str| value(styled(ParameterLocation::Query, Style::DeepObject, true, DEEP), text);
    assert_eq!(deep("color[R]=1").unwrap(), Some(json!({"R": 1})));
    assert_eq!(deep("color=1").unwrap(), Some(json!(1)));
}

#[test]
fn json_in_a_parameter_is_read_as_its_type() {
    let parameter = Parameter {
        name: "filter",
        location: ParameterLocation::Query,
        encoding: Encoding::Json,
        shape: Shape::Json,
        allow_empty: false,
        others: &[],
    };
    let read = |text: &str| {
        let parts = parts(ParameterLocation::Query, text);
        super::parameter::<Vec<u8>>(&Source::of(&parts, &Template::of("/{color}")).unwrap(), &parameter)
    };
    assert_eq!(read("filter=%5B1,2%5D").unwrap(), Some(vec![1, 2]));
    assert_eq!(read("filter=%5B1,300%5D").unwrap_err().param(), Some("filter[1]"));
    assert_eq!(read("filter=%5B1").unwrap_err().param(), Some("filter"));
}

#[test]
fn an_empty_value_stands_for_none_where_the_document_says_so() {
    let parameter = Parameter { allow_empty: true, ..styled(ParameterLocation::Query, Style::Form, true, NUMBER) };
    assert_eq!(value(parameter, "color=").unwrap(), None);
    assert_eq!(value(parameter, "color").unwrap(), None);
    assert_eq!(value(parameter, "color=1").unwrap(), Some(json!(1)));
}

#[test]
fn headers_of_several_lines_are_one_list() {
    let mut request = parts(ParameterLocation::Header, "a");
    request.headers.append("color", "b, c".parse().unwrap());
    let source = Source::of(&request, &Template::of("/")).unwrap();
    let list: Option<Vec<String>> =
        parameter(&source, &styled(ParameterLocation::Header, Style::Simple, false, TEXTS)).unwrap();
    assert_eq!(list.unwrap(), ["a", "b", "c"]);
    let one = parameter::<String>(&source, &styled(ParameterLocation::Header, Style::Simple, false, TEXT));
    assert_eq!(one.unwrap_err().message(), "color is given twice; give it once");
    request.headers.insert("color", axum::http::HeaderValue::from_bytes(b"\xff").unwrap());
    let source = Source::of(&request, &Template::of("/")).unwrap();
    let failure =
        parameter::<String>(&source, &styled(ParameterLocation::Header, Style::Simple, false, TEXT)).unwrap_err();
    assert_eq!(failure.status().code(), 400);
}

#[test]
fn forms_are_read_field_by_field() {
    const FORM: Form = Form {
        fields: &[
            Parameter {
                name: "name",
                location: ParameterLocation::Query,
                encoding: Encoding::Styled(Style::Form, true),
                shape: TEXT,
                allow_empty: false,
                others: &[],
            },
            Parameter {
                name: "zones",
                location: ParameterLocation::Query,
                encoding: Encoding::Styled(Style::Form, true),
                shape: TEXTS,
                allow_empty: false,
                others: &[],
            },
            Parameter {
                name: "colour",
                location: ParameterLocation::Query,
                encoding: Encoding::Styled(Style::DeepObject, true),
                shape: COLOUR,
                allow_empty: false,
                others: &[],
            },
        ],
        rest: true,
    };
    let form: Value = read("name=a+b&zones=1&zones=2&colour[R]=5&other=%C3%A9", &FORM).unwrap();
    assert_eq!(form, json!({"name": "a b", "zones": ["1", "2"], "colour": {"R": 5}, "other": "é"}));
    let failure = read::<Value>("colour[R]=x", &FORM).unwrap_err();
    assert_eq!(failure.param(), Some("colour.R"));
    #[derive(Debug, serde::Deserialize)]
    struct Typed {
        #[allow(dead_code)]
        name: String,
    }
    assert_eq!(read::<Typed>("zones=1", &FORM).unwrap_err().message(), "name is missing");
    let many = vec!["a=1"; 5000].join("&");
    assert_eq!(read::<Value>(&many, &FORM).unwrap_err().status().code(), 400);
}
