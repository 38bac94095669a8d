//! SQLite's part of the [statements](super::statements): everything in which the databases differ, in its form.

use std::borrow::Cow;

use serde::Serialize;
use uuid::Uuid;

use crate::rows;

pub(super) use sqlx::Sqlite as Database;
pub(super) use sqlx::SqliteConnection as Connection;
pub(super) use sqlx::sqlite::SqliteArguments as Arguments;
pub(super) use sqlx::sqlite::SqliteRow as Row;

pub(super) use super::database::SqliteMetadata as Store;
pub(super) use super::packed::PackedRow as PageRow;
pub(super) use super::packed::{Selection, selection};
pub(super) use super::transactions::{idempotent, lock, queueing, reading, snapshot, writing};

/// SQL for the present time in milliseconds; the same for a whole statement.
macro_rules! now {
    () => {
        "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)"
    };
}

/// SQL for the greatest of some values, none of which is null.
macro_rules! greatest {
    ($first:expr $(, $value:expr)*) => {
        concat!("max(", $first $(, ", ", $value)*, ")")
    };
}

/// SQL for the position of a text in another one, from 1 on; 0 if it is not in it.
macro_rules! position {
    ($text:literal in $other:literal) => {
        concat!("instr(", $other, ", ", $text, ")")
    };
}

/// SQL for a list parameter as a table with the column `value`.
macro_rules! items {
    ($parameter:literal) => {
        concat!("(SELECT value FROM json_each(", $parameter, "))")
    };
}

/// SQL for the texts in a JSON list as a table with the column `value`.
macro_rules! json_texts {
    ($list:literal) => {
        concat!("json_each(", $list, ")")
    };
}

/// SQL for the fields of a JSON object as a table with the columns `key` and `value`.
macro_rules! json_fields {
    ($object:literal) => {
        concat!("json_each(", $object, ")")
    };
}

/// SQL for the column with the order of trajectory logs.
macro_rules! log_sequence {
    () => {
        "rowid"
    };
}

/// A hint on the index to use: without it, SQLite scans the table.
macro_rules! indexed_by {
    ($index:literal) => {
        concat!(" INDEXED BY ", $index)
    };
}

/// No clause that locks rows: a transaction that writes is alone.
macro_rules! locking {
    ($clause:literal) => {
        ""
    };
}
pub(super) use {greatest, indexed_by, items, json_fields, json_texts, locking, log_sequence, now, position};

/// The form of an id as a parameter.
pub(super) fn id(id: Uuid) -> String {
    id.to_string()
}

/// The form of a list as a parameter, for `items!`.
pub(super) fn list<T: Serialize>(values: &[T]) -> String {
    rows::json(values)
}

/// Returns whether a stored text can contain what `text` contains.
pub(super) fn is_storable(_text: &str) -> bool {
    true
}

/// The form in which a text is stored that may quote anything.
pub(super) fn storable(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}
