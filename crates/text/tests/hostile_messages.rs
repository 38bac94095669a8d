//! Memory of renderings. Templates come from the operator's models, messages from anybody: what a caller may send takes at
//! most four times the bytes of its body and a constant.
#![cfg(target_os = "linux")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trainyard_text::{ChatTemplate, RenderInput};

/// Memory beside four times the bytes of the body: the program included.
const CONSTANT: usize = 256 << 20;
/// Size of most bodies.
const SIZE: usize = 1 << 20;

/// Does all that makes texts of published templates long: it indents each line of nested schemas, prints what a macro
/// returned in another, and splits, joins, replaces, collects and serialises what a caller sends.
const TEMPLATE: &str = r#"
{%- macro shape(schema, margin) -%}
    {%- for line in schema.get("description", "").split("\n") -%}
        {{- margin + "// " + line + "\n" -}}
    {%- endfor -%}
    {%- for name, value in schema.get("properties", {}).items() -%}
        {%- set inner = shape(value, margin + "        ") -%}
        {{- margin + name + " = " + inner + ";\n" -}}
    {%- endfor -%}
    {%- set values = namespace(texts=[]) -%}
    {%- for value in schema.get("enum", []) -%}
        {%- set values.texts = values.texts + ["'" ~ value ~ "'"] -%}
    {%- endfor -%}
    {{- values.texts | join(" | ") -}}
{%- endmacro -%}
{%- for tool in tools or [] -%}
    {{- shape(tool.parameters, "") -}}
    {{- "[" + tool.parameters | tojson(indent=4) + "]" -}}
{%- endfor -%}
{%- set seen = namespace(texts=[], whole="") -%}
{%- for message in messages -%}
    {%- set parts = message.content.split("</think>") -%}
    {%- set seen.texts = seen.texts + parts[1:] -%}
    {%- set seen.whole = seen.whole ~ parts[-1] | replace('"', "&quot;") -%}
    {{- message.get("reasoning_content", "").replace("&", "&amp;") -}}
    {%- for call in message.tool_calls or [] -%}{{- call ~ "" -}}{%- endfor -%}
{%- endfor -%}
{{- seen.texts | join("\n") -}}{{- seen.whole -}}
"#;

/// Returns the body of a message.
fn said(text: &str) -> Value {
    json!({"messages": [{"role": "assistant", "content": text}]})
}

/// Returns the body of a tool, whose schema stands in as many others as a macro may follow.
fn offered(mut schema: Value) -> Value {
    for _ in 0..10 {
        schema = json!({"type": "object", "properties": {"a": schema}});
    }
    json!({"messages": [], "tools": [{"parameters": schema}]})
}

/// Makes a body.
type Body = fn() -> Value;

/// Bodies that would take much, by name. One at a time is made, so that only its own memory is measured.
const BODIES: [(&str, Body); 11] = [
    ("pieces", || said(&"</think>".repeat(SIZE / 8))),
    ("ends of pieces", || said(&"a</think>".repeat(SIZE / 9))),
    ("replacements", || said(&"\"".repeat(32 * SIZE))),
    ("reasoning", || {
        let reasoning = "&".repeat(16 * SIZE);
        json!({"messages": [{"role": "assistant", "content": "", "reasoning": reasoning}]})
    }),
    ("calls", || {
        let call = json!({"function": {"name": "f", "arguments": {"a": "\u{85}".repeat(100)}}});
        json!({"messages": [{"role": "assistant", "content": "", "tool_calls": vec![call; 1_000]}]})
    }),
    ("indented lines", || offered(json!({"description": "a\n".repeat(SIZE / 2)}))),
    ("long indented lines", || offered(json!({"description": "abcdefgh\n".repeat(SIZE / 8)}))),
    ("a text through macros", || offered(json!({"description": "a".repeat(16 * SIZE)}))),
    ("indented numbers", || {
        let numbers = json!(vec![vec![1; 30_000]; 8]);
        offered(json!({"default": (0..80).fold(numbers, |list, _| json!([list]))}))
    }),
    ("collected values", || offered(json!({"enum": vec![1; 30_000]}))),
    ("too many values", || offered(json!({"enum": vec![1; 400_000]}))),
];

#[test]
fn messages_take_bounded_memory() {
    let template = ChatTemplate::new(TEMPLATE, &[]).unwrap();
    for (name, body) in BODIES {
        let text = body().to_string();
        std::fs::write("/proc/self/clear_refs", "5").unwrap();
        let mut body: Value = serde_json::from_str(&text).unwrap();
        let mut list = |field: &str| body[field].as_array_mut().map(std::mem::take).unwrap_or_default();
        let input = RenderInput { messages: list("messages"), tools: list("tools"), ..RenderInput::default() };
        let start = Instant::now();
        let rendered = template.render(input);
        let time = start.elapsed();
        let outcome = rendered.map(|text| text.len()).map_err(|error| error.to_string());
        let (taken, bound) = (peak_memory(), 4 * text.len() + CONSTANT);
        println!("{name}: {} bytes take {} of {} MiB: {time:?} {outcome:?}", text.len(), taken >> 20, bound >> 20);
        assert!(taken <= bound, "{name}: {} bytes took {taken}: {outcome:?}", text.len());
        // A rendering without limits takes hours.
        assert!(time < Duration::from_secs(120), "{name}: {time:?}");
    }
}

/// Returns the peak of this process since it was reset.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux has it");
    let kibibytes = line.split_whitespace().next().expect("a number");
    kibibytes.parse::<usize>().expect("a number") << 10
}
