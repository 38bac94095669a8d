//! Training data of supervised fine-tuning: JSON Lines, one conversation per line.

use std::fmt;
use std::io::{BufRead, Read, Seek, SeekFrom};

use serde_json::{Map, Value};

use super::trajectory::Item;

/// Bounds of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatasetLimits {
    /// Longest line in bytes.
    pub line_bytes: usize,
    /// Most rows.
    pub rows: usize,
}

/// Fields of a message that chat templates would pass over in silence, and the form that they show.
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

/// The use that a job makes of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DataUse {
    /// Its rows are trained, apart from those that a split sets aside.
    #[default]
    Training,
    /// Its rows validate.
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

/// A data set that cannot be read. Lines count from 1.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// The source failed while reading.
    #[error("line {line} of the {data} cannot be read: {source}")]
    Read {
        /// The data set.
        data: DataUse,
        /// The line.
        line: usize,
        /// The failure.
        source: std::io::Error,
    },
    /// A line exceeds the bound.
    #[error("line {line} of the {data} is longer than {limit} bytes")]
    LineTooLong {
        /// The data set.
        data: DataUse,
        /// The line.
        line: usize,
        /// The bound.
        limit: usize,
    },
    /// More rows than the bound.
    #[error("the {data} has more than {limit} rows; split it into several jobs")]
    TooManyRows {
        /// The data set.
        data: DataUse,
        /// The bound.
        limit: usize,
    },
    /// A line is not JSON.
    #[error("line {line} of the {data} is not valid JSON: {problem} at column {column}")]
    Json {
        /// The data set.
        data: DataUse,
        /// The line.
        line: usize,
        /// Where in the line, in bytes from 1; 0 where there is nothing at all.
        column: usize,
        /// Why.
        problem: String,
    },
    /// A line is JSON, but not a conversation.
    #[error("line {line} of the {data}: {problem}")]
    Row {
        /// The data set.
        data: DataUse,
        /// The line.
        line: usize,
        /// What is wrong, and where.
        problem: String,
    },
}

/// One conversation to learn from.
#[derive(Debug, Clone, PartialEq)]
pub struct DatasetRow {
    /// The data set that it is a row of.
    pub data: DataUse,
    /// Line in the data set, from 1.
    pub line: usize,
    /// Where the line begins, in bytes from the start.
    pub offset: u64,
    /// The messages, at least one, each with a `role`.
    pub messages: Vec<Item>,
    /// Tools the conversation may use.
    pub tools: Option<Vec<Value>>,
}

/// Read rows one at a time, in order, never holding more than one line. Blank lines are skipped; no rows at all is no
/// error. The iterator ends after its first error.
pub fn read_rows<R: BufRead>(source: R, data: DataUse, limits: DatasetLimits) -> Rows<R> {
    Rows { source, data, limits, line: 0, offset: 0, rows: 0, finished: false }
}

/// Read the row that begins at a byte which [`read_rows`] gave with its line.
///
/// # Errors
/// When there is no such row any more, or it cannot be read.
pub fn read_row_at<R: BufRead + Seek>(
    source: &mut R,
    data: DataUse,
    (line, offset): (usize, u64),
    limits: &DatasetLimits,
) -> Result<DatasetRow, DatasetError> {
    source.seek(SeekFrom::Start(offset)).map_err(|source| DatasetError::Read { data, line, source })?;
    let bytes = read_line(source, (data, line), limits.line_bytes)?;
    parse((data, line, offset), content(line, &bytes))
}

/// Iterator of [`read_rows`].
#[derive(Debug)]
pub struct Rows<R> {
    source: R,
    data: DataUse,
    limits: DatasetLimits,
    line: usize,
    /// Where the next line begins.
    offset: u64,
    rows: usize,
    finished: bool,
}

impl<R: BufRead> Rows<R> {
    fn next_row(&mut self) -> Result<Option<DatasetRow>, DatasetError> {
        loop {
            self.line += 1;
            let (data, line, offset) = (self.data, self.line, self.offset);
            let bytes = read_line(&mut self.source, (data, line), self.limits.line_bytes)?;
            self.offset += bytes.len() as u64;
            if bytes.is_empty() {
                return Ok(None);
            }
            let text = content(line, &bytes);
            if text.is_empty() {
                continue;
            }
            self.rows += 1;
            if self.rows > self.limits.rows {
                return Err(DatasetError::TooManyRows { data, limit: self.limits.rows });
            }
            return parse((data, line, offset), text).map(Some);
        }
    }
}

/// A line with its line break; nothing at the end of the data.
fn read_line(source: &mut impl BufRead, (data, line): (DataUse, usize), limit: usize) -> Result<Vec<u8>, DatasetError> {
    let mut bytes = Vec::new();
    // one byte more than allowed tells a long line from one that just fits, its line break included
    let bound = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let read = source.by_ref().take(bound).read_until(b'\n', &mut bytes);
    read.map_err(|source| DatasetError::Read { data, line, source })?;
    if bytes.len() > limit { Err(DatasetError::LineTooLong { data, line, limit }) } else { Ok(bytes) }
}

/// A line without what surrounds its JSON: a byte order mark at the start of the data, white space.
fn content(line: usize, bytes: &[u8]) -> &[u8] {
    let text = if line == 1 { bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes) } else { bytes };
    // what leads stays, so that columns are those of the line
    if text.trim_ascii().is_empty() { &[] } else { text.trim_ascii_end() }
}

/// The parser's words without its line, which would be taken for that of the data.
fn not_json(data: DataUse, line: usize, error: &serde_json::Error) -> DatasetError {
    let text = error.to_string();
    let problem = text.rsplit_once(" at line ").map_or(&*text, |(problem, _)| problem).to_owned();
    DatasetError::Json { data, line, column: error.column(), problem }
}

fn parse((data, line, offset): (DataUse, usize, u64), text: &[u8]) -> Result<DatasetRow, DatasetError> {
    let value = serde_json::from_slice(text).map_err(|error| not_json(data, line, &error))?;
    let (messages, tools) = row(value).map_err(|problem| DatasetError::Row { data, line, problem })?;
    Ok(DatasetRow { data, line, offset, messages, tools })
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

/// Messages and tools of a row, their shapes checked; the problem names the place.
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

/// Checks that a row which rules out parallel calls has none: the prompt is the same with and without the option, so
/// nothing else follows from it.
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

/// Whether a message is context only: the assistant's, with `weight` 0.
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
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(rows[0].messages[0]["content"], "né ☃");
        assert_eq!(rows[1].tools.as_ref().map(Vec::len), Some(1));
    }

    #[test]
    fn every_row_is_found_again_at_its_place() {
        let line = |text: &str| format!("{{\"messages\":[{{\"role\":\"user\",\"content\":\"{text}\"}}]}}");
        let text = format!("\u{feff} {}\r\n\n  \n{}\n{}", line("né ☃"), line("b"), line("c"));
        let rows = read(&text).unwrap();
        assert_eq!(rows.len(), 3);
        let mut source = std::io::Cursor::new(text.as_bytes());
        for row in rows.iter().rev().chain(&rows) {
            let again = read_row_at(&mut source, row.data, (row.line, row.offset), &DatasetLimits::default()).unwrap();
            assert_eq!(&again, row);
        }
        let gone =
            read_row_at(&mut source, DataUse::Training, (9, text.len() as u64), &DatasetLimits::default()).unwrap_err();
        assert!(matches!(gone, DatasetError::Json { line: 9, .. }), "{gone}");
    }

    #[test]
    fn no_rows_is_no_error() {
        assert!(read("").unwrap().is_empty());
        assert!(read("\n\n \r\n").unwrap().is_empty());
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
        assert!(matches!(read(format!("{good} {good}")), Err(DatasetError::LineTooLong { line: 2, .. })));
    }
}
