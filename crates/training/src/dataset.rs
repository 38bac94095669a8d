//! Training data of supervised fine-tuning: JSON Lines, one conversation per line.

use std::fmt;
use std::io::{BufRead, Read, Seek, SeekFrom};

use serde_json::{Map, Value};

use super::trajectory::Item;
use trainyard_runtime::json::ValueCount;

/// Maximum memory of the values of a row, beside their texts, while it is rendered.
const MAX_VALUE_BYTES: usize = 256 << 20;
/// Memory of one of them.
const VALUE_BYTES: usize = 400;

/// Limits of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatasetLimits {
    /// Maximum length of a line in bytes.
    pub line_bytes: usize,
    /// Maximum number of rows.
    pub rows: usize,
}

/// Message fields that chat templates would silently ignore, with the supported alternative.
const UNSUPPORTED_FIELDS: [(&str, &str); 3] = [
    ("function_call", "write it as `tool_calls`"),
    ("refusal", "write its text as `content`"),
    ("audio", "only text is trained"),
];

impl Default for DatasetLimits {
    fn default() -> Self {
        Self { line_bytes: 16 << 20, rows: 1_000_000 }
    }
}

/// Use of a data set in a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DataUse {
    /// Its rows are trained, except those that a validation split reserves.
    #[default]
    Training,
    /// Its rows are used for validation.
    Validation,
}

impl fmt::Display for DataUse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Training => "training data",
            Self::Validation => "validation data",
        })
    }
}

/// A line of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataLine {
    /// Data set.
    pub data: DataUse,
    /// Line number, from 1.
    pub line: usize,
}

impl fmt::Display for DataLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {} of the {}", self.line, self.data)
    }
}

/// Error in a data set.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum DatasetError {
    #[error("{at} cannot be read: {source}")]
    Read { at: DataLine, source: std::io::Error },
    #[error("{at} is longer than {limit} bytes")]
    LineTooLong { at: DataLine, limit: usize },
    #[error("the {data} has more than {limit} rows; split it into several jobs")]
    TooManyRows { data: DataUse, limit: usize },
    /// Columns are bytes from 1; 0 if the line is empty.
    #[error("{at} is not valid JSON: {problem} at column {column}")]
    Json { at: DataLine, column: usize, problem: String },
    /// The problem names the path of the fault.
    #[error("{at}: {problem}")]
    Row { at: DataLine, problem: String },
}

/// One conversation to train on.
#[derive(Debug, Clone, PartialEq)]
pub struct DatasetRow {
    /// Line of the row.
    pub at: DataLine,
    /// Offset of the line in bytes from the start of the data.
    pub offset: u64,
    /// Messages, at least one, each with a `role`.
    pub messages: Vec<Item>,
    /// Tools that the conversation may use.
    pub tools: Option<Vec<Value>>,
}

/// Reads rows one at a time, in order, holding at most one line. Blank lines are skipped; an empty data set is no
/// error. The iterator ends after its first error.
pub(crate) fn read_rows<R: BufRead>(source: R, data: DataUse, limits: DatasetLimits) -> Rows<R> {
    Rows { source, data, limits, line: 0, offset: 0, rows: 0, finished: false }
}

/// Reads the row at a line and byte offset that [`read_rows`] returned.
///
/// # Errors
/// The row no longer exists, or it cannot be read.
pub(crate) fn read_row_at<R: BufRead + Seek>(
    source: &mut R,
    at: DataLine,
    offset: u64,
    limits: &DatasetLimits,
) -> Result<DatasetRow, DatasetError> {
    source.seek(SeekFrom::Start(offset)).map_err(|source| DatasetError::Read { at, source })?;
    let bytes = read_line(source, at, limits.line_bytes)?;
    parse(at, offset, content(at.line, &bytes))
}

/// Iterator of [`read_rows`].
#[derive(Debug)]
pub(crate) struct Rows<R> {
    source: R,
    data: DataUse,
    limits: DatasetLimits,
    line: usize,
    /// Offset of the next line.
    offset: u64,
    rows: usize,
    finished: bool,
}

impl<R: BufRead> Rows<R> {
    fn next_row(&mut self) -> Result<Option<DatasetRow>, DatasetError> {
        loop {
            self.line += 1;
            let (at, offset) = (DataLine { data: self.data, line: self.line }, self.offset);
            let bytes = read_line(&mut self.source, at, self.limits.line_bytes)?;
            self.offset += bytes.len() as u64;
            if bytes.is_empty() {
                return Ok(None);
            }
            let text = content(at.line, &bytes);
            if text.is_empty() {
                continue;
            }
            self.rows += 1;
            if self.rows > self.limits.rows {
                return Err(DatasetError::TooManyRows { data: self.data, limit: self.limits.rows });
            }
            return parse(at, offset, text).map(Some);
        }
    }
}

/// Reads a line with its line break; returns an empty vector at the end of the data.
fn read_line(source: &mut impl BufRead, at: DataLine, limit: usize) -> Result<Vec<u8>, DatasetError> {
    let mut bytes = Vec::new();
    // One byte over the limit distinguishes a line that is too long from one that just fits with its line break.
    let bound = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = source.by_ref().take(bound).read_until(b'\n', &mut bytes);
    read.map_err(|source| DatasetError::Read { at, source })?;
    if bytes.len() > limit { Err(DatasetError::LineTooLong { at, limit }) } else { Ok(bytes) }
}

/// Returns a line without the byte order mark at the start of the data and without trailing white space.
fn content(line: usize, bytes: &[u8]) -> &[u8] {
    let text = if line == 1 { bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes) } else { bytes };
    // Leading white space is kept, so that columns refer to the line.
    if text.trim_ascii().is_empty() { &[] } else { text.trim_ascii_end() }
}

/// Returns an error with the parser's message. The parser's own line number is removed, because it could be mistaken
/// for the line of the data.
fn not_json(at: DataLine, error: &serde_json::Error) -> DatasetError {
    let text = error.to_string();
    let problem = text.rsplit_once(" at line ").map_or(&*text, |(problem, _)| problem).to_owned();
    DatasetError::Json { at, column: error.column(), problem }
}

fn parse(at: DataLine, offset: u64, text: &[u8]) -> Result<DatasetRow, DatasetError> {
    let values = ValueCount::of(text);
    if values.bytes(VALUE_BYTES, VALUE_BYTES) > MAX_VALUE_BYTES {
        let count = values.containers + values.strings + values.scalars;
        let most = MAX_VALUE_BYTES / VALUE_BYTES;
        let problem = format!("it has {count} JSON values, and a row may have {most}; split it into several rows");
        return Err(DatasetError::Row { at, problem });
    }
    let value = serde_json::from_slice(text).map_err(|error| not_json(at, &error))?;
    let (messages, tools) = row(value).map_err(|problem| DatasetError::Row { at, problem })?;
    Ok(DatasetRow { at, offset, messages, tools })
}

impl<R: BufRead> Iterator for Rows<R> {
    type Item = Result<DatasetRow, DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let row = self.next_row().transpose();
        self.finished = !matches!(row, Some(Ok(_)));
        row
    }
}

/// Returns the checked messages and tools of a row; an error message names the path.
fn row(value: Value) -> Result<(Vec<Item>, Option<Vec<Value>>), String> {
    let Value::Object(mut object) = value else { return Err("expected an object with `messages`".to_owned()) };
    let messages = match object.remove("messages") {
        Some(Value::Array(messages)) if !messages.is_empty() => messages,
        Some(Value::Array(_)) => return Err("`messages` is empty".to_owned()),
        Some(_) => return Err("`messages` must be a list".to_owned()),
        None => return Err("`messages` is missing".to_owned()),
    };
    let messages = messages.into_iter().enumerate().map(|(index, message)| check_message(index, message));
    let messages = messages.collect::<Result<Vec<_>, String>>()?;
    let tools = match object.remove("tools") {
        None | Some(Value::Null) => None,
        Some(Value::Array(tools)) => Some(tools),
        Some(_) => return Err("`tools` must be a list or null".to_owned()),
    };
    if object.get("functions").is_some_and(|functions| !functions.is_null()) {
        return Err("`functions` is not supported; write them as `tools`".to_owned());
    }
    check_parallel_calls(object.get("parallel_tool_calls"), &messages)?;
    Ok((messages, tools))
}

/// Checks that a row which disables parallel tool calls has none. The option has no other effect, because the prompt is
/// the same with and without it.
fn check_parallel_calls(option: Option<&Value>, messages: &[Item]) -> Result<(), String> {
    match option {
        None | Some(Value::Null | Value::Bool(true)) => return Ok(()),
        Some(Value::Bool(false)) => {}
        Some(_) => return Err("`parallel_tool_calls` must be true, false or null".to_owned()),
    }
    let calls = |message: &Item| message.get("tool_calls").and_then(Value::as_array).map_or(0, Vec::len);
    match messages.iter().position(|message| calls(message) > 1) {
        None => Ok(()),
        Some(index) => {
            Err(format!("`parallel_tool_calls` is false, but `messages[{index}].tool_calls` has several calls"))
        }
    }
}

fn check_message(index: usize, message: Value) -> Result<Map<String, Value>, String> {
    let Value::Object(message) = message else { return Err(format!("`messages[{index}]` must be an object")) };
    if !message.get("role").is_some_and(Value::is_string) {
        return Err(format!("`messages[{index}].role` must be a string"));
    }
    let known = |value: &Value| value.is_null() || value.is_string() || value.is_array();
    if !message.get("content").is_none_or(known) {
        return Err(format!("`messages[{index}].content` must be a string, a list of parts or null"));
    }
    for (field, advice) in UNSUPPORTED_FIELDS {
        if message.get(field).is_some_and(|value| !value.is_null()) {
            return Err(format!("`messages[{index}].{field}` is not supported; {advice}"));
        }
    }
    match (message.get("weight"), message["role"] == "assistant") {
        (None | Some(Value::Null), _) => Ok(message),
        (Some(_), false) => Err(format!("`messages[{index}].weight` is for messages of the assistant only")),
        (Some(weight), true) if [Some(0.0), Some(1.0)].contains(&weight.as_f64()) => Ok(message),
        (Some(_), true) => Err(format!("`messages[{index}].weight` must be 0 or 1")),
    }
}

/// Returns whether a message is context only: an assistant message with `weight` 0.
pub(super) fn is_untrained(message: &Item) -> bool {
    message.get("weight").and_then(Value::as_f64) == Some(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<DatasetRow>, DatasetError> {
        read_rows(text.as_bytes(), DataUse::Training, DatasetLimits::default()).collect()
    }

    #[test]
    fn rows_keep_their_line_numbers() {
        let text = "\u{feff}{\"messages\":[{\"role\":\"user\",\"content\":\"né ☃\"}],\"extra\":1}\r\n\n  \n{\"messages\":[{\"role\":\"user\"}],\"tools\":[{}]}";
        let rows = read(text).unwrap();
        assert_eq!(rows.iter().map(|row| row.at.line).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(rows[0].messages[0]["content"], "né ☃");
        assert_eq!(rows[1].tools.as_ref().map(Vec::len), Some(1));
    }

    #[test]
    fn every_row_is_found_again_at_its_offset() {
        let line = |text: &str| format!("{{\"messages\":[{{\"role\":\"user\",\"content\":\"{text}\"}}]}}");
        let text = format!("\u{feff} {}\r\n\n  \n{}\n{}", line("né ☃"), line("b"), line("c"));
        let rows = read(&text).unwrap();
        assert_eq!(rows.len(), 3);
        let mut source = std::io::Cursor::new(text.as_bytes());
        for row in rows.iter().rev().chain(&rows) {
            let again = read_row_at(&mut source, row.at, row.offset, &DatasetLimits::default()).unwrap();
            assert_eq!(&again, row);
        }
        let gone = read_row_at(
            &mut source,
            DataLine { data: DataUse::Training, line: 9 },
            text.len() as u64,
            &DatasetLimits::default(),
        )
        .unwrap_err();
        assert!(matches!(gone, DatasetError::Json { at: DataLine { line: 9, .. }, .. }), "{gone}");
    }

    #[test]
    fn no_rows_is_no_error() {
        assert!(read("").unwrap().is_empty());
        assert!(read("\n\n \r\n").unwrap().is_empty());
    }

    #[test]
    fn a_row_of_too_many_values_is_not_parsed() {
        let row = |values: usize| {
            let values = "{},".repeat(values);
            format!(r#"{{"messages":[{{"role":"user","content":"a"}}],"tools":[{values}{{}}]}}"#)
        };
        let read = |text: String| read_rows(text.as_bytes(), DataUse::Training, DatasetLimits::default()).next();
        assert!(read(row(1000)).unwrap().is_ok());
        let rejected = read(row(MAX_VALUE_BYTES / VALUE_BYTES)).unwrap().unwrap_err().to_string();
        assert!(rejected.starts_with("line 1 of the training data: it has 671"), "{rejected}");
    }

    #[test]
    fn a_malformed_row_is_named_by_its_line() {
        let good = "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}\n";
        for (bad, expected) in [
            ("  {not json}", "line 3 of the training data is not valid JSON: key must be a string at column 4"),
            ("[1, 2]", "line 3 of the training data: expected an object"),
            ("{\"messages\": \"hi\"}", "line 3 of the training data: `messages` must be a list"),
            ("{\"messages\": []}", "line 3 of the training data: `messages` is empty"),
            ("{\"prompt\": \"a\"}", "line 3 of the training data: `messages` is missing"),
            (
                "{\"messages\": [{\"role\": \"user\"}, 5]}",
                "line 3 of the training data: `messages[1]` must be an object",
            ),
            ("{\"messages\": [{\"content\": \"x\"}]}", "line 3 of the training data: `messages[0].role`"),
            (
                "{\"messages\": [{\"role\": \"user\", \"content\": 5}]}",
                "line 3 of the training data: `messages[0].content`",
            ),
            ("{\"messages\": [{\"role\": \"user\"}], \"tools\": {}}", "line 3 of the training data: `tools`"),
            (
                "{\"messages\": [{\"role\": \"user\"}], \"functions\": []}",
                "line 3 of the training data: `functions` is not supported",
            ),
            (
                "{\"messages\": [{\"role\": \"assistant\", \"function_call\": {}}]}",
                "line 3 of the training data: `messages[0].function_call` is not supported",
            ),
            (
                "{\"messages\": [{\"role\": \"assistant\", \"weight\": 0.5}]}",
                "line 3 of the training data: `messages[0].weight` must be 0 or 1",
            ),
            (
                "{\"messages\": [{\"role\": \"user\", \"weight\": 0}]}",
                "line 3 of the training data: `messages[0].weight` is for messages of the assistant",
            ),
            (
                "{\"messages\": [{\"role\": \"user\"}], \"parallel_tool_calls\": 1}",
                "line 3 of the training data: `parallel_tool_calls`",
            ),
            (
                "{\"messages\": [{\"role\": \"assistant\", \"tool_calls\": [{}, {}]}], \"parallel_tool_calls\": false}",
                "line 3 of the training data: `parallel_tool_calls` is false, but `messages[0].tool_calls`",
            ),
        ] {
            let mut rows = read_rows(
                format!("{good}\n{bad}\n{good}").as_bytes().to_vec().leak() as &[u8],
                DataUse::Training,
                DatasetLimits::default(),
            );
            assert!(rows.next().unwrap().is_ok());
            let error = rows.next().unwrap().expect_err(bad).to_string();
            assert!(error.starts_with(expected), "{error}");
            assert!(rows.next().is_none(), "reading stops at the first error");
        }
    }

    #[test]
    fn options_of_a_row_that_change_nothing_are_taken() {
        let nulls = r#"{"role": "assistant", "content": "a", "weight": null, "function_call": null, "refusal": null}"#;
        for options in ["", r#", "parallel_tool_calls": true, "functions": null"#, r#", "parallel_tool_calls": false"#]
        {
            assert_eq!(read(&format!(r#"{{"messages": [{nulls}]{options}}}"#)).unwrap().len(), 1, "{options}");
        }
    }

    #[test]
    fn a_fault_names_the_data_set() {
        let mut rows = read_rows("{}".as_bytes(), DataUse::Validation, DatasetLimits::default());
        let error = rows.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with("line 1 of the validation data: "), "{error}");
    }

    #[test]
    fn bounds_are_kept() {
        let good = "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}\n";
        let limits = DatasetLimits { line_bytes: good.len(), rows: 2 };
        let read = |text: String| read_rows(text.as_bytes(), DataUse::Training, limits).collect::<Result<Vec<_>, _>>();
        assert_eq!(read(good.repeat(2)).unwrap().len(), 2);
        assert!(matches!(read(good.repeat(3)), Err(DatasetError::TooManyRows { limit: 2, .. })));
        assert!(matches!(
            read(format!("{good} {good}")),
            Err(DatasetError::LineTooLong { at: DataLine { line: 2, .. }, .. })
        ));
    }
}
