//! PostgreSQL's part of the [statements](super::statements): everything in which the databases differ, in its form.

use std::borrow::Cow;

use uuid::Uuid;

pub(super) use sqlx::PgConnection as Connection;
pub(super) use sqlx::Postgres as Database;
pub(super) use sqlx::postgres::PgArguments as Arguments;
pub(super) use sqlx::postgres::PgRow as Row;
pub(super) use sqlx::postgres::PgRow as PageRow;

pub(super) use super::database::PostgresMetadata as Store;
pub(super) use super::selection::{Selection, selection};
pub(super) use super::transactions::{idempotent, lock, queueing, reading, snapshot, writing};

/// SQL for the present time in milliseconds; the same for a whole statement.
macro_rules! now {
    () => {
        "(extract(epoch FROM statement_timestamp()) * 1000)::bigint"
    };
}

/// SQL for the greatest of some values, none of which is null.
macro_rules! greatest {
    ($first:expr $(, $value:expr)*) => {
        concat!("greatest(", $first $(, ", ", $value)*, ")")
    };
}

/// SQL for the position of a text in another one, from 1 on; 0 if it is not in it.
macro_rules! position {
    ($text:literal in $other:literal) => {
        concat!("strpos(", $other, ", ", $text, ")")
    };
}

/// SQL for a list parameter as a table with the column `value`.
macro_rules! items {
    ($parameter:literal) => {
        concat!("(SELECT value FROM unnest(", $parameter, ") AS list (value))")
    };
}

/// SQL for the texts in a JSON list as a table with the column `value`.
macro_rules! json_texts {
    ($list:literal) => {
        concat!(
            "(SELECT value COLLATE \"C\" AS value FROM json_array_elements_text(",
            $list,
            "::text::json) AS list (value))"
        )
    };
}

/// SQL for the fields of a JSON object as a table with the columns `key` and `value`.
macro_rules! json_fields {
    ($object:literal) => {
        concat!("jsonb_each_text(", $object, "::text::jsonb)")
    };
}

/// SQL for the column with the order of trajectory logs.
macro_rules! log_sequence {
    () => {
        "sequence"
    };
}

/// No hint on the index to use: PostgreSQL finds it.
macro_rules! indexed_by {
    ($index:literal) => {
        ""
    };
}

/// A clause that locks rows until the transaction ends.
macro_rules! locking {
    ($clause:literal) => {
        concat!(" ", $clause)
    };
}
pub(super) use {greatest, indexed_by, items, json_fields, json_texts, locking, log_sequence, now, position};

/// The form of an id as a parameter.
pub(super) fn id(id: Uuid) -> Uuid {
    id
}

/// The form of a list as a parameter, for `items!`.
pub(super) fn list<T>(values: &[T]) -> &[T] {
    values
}

/// Returns whether a stored text can contain what `text` contains: PostgreSQL rejects U+0000, also in a query.
pub(super) fn is_storable(text: &str) -> bool {
    !text.contains('\0')
}

/// The form in which a text is stored that may quote anything.
pub(super) fn storable(text: &str) -> Cow<'_, str> {
    if is_storable(text) { Cow::Borrowed(text) } else { Cow::Owned(text.replace('\0', "\u{fffd}")) }
}
