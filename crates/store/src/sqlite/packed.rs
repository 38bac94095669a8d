//! Pages of rows that SQLite packs into one value.
//!
//! sqlx copies each column of a row into memory of its own, and wakes the reader for each row. A page of 20 rows costs three
//! times as much that way as in one row with one text, the JSON of all rows.

use std::cell;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::de::{DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};
use sqlx::sqlite::SqliteArguments;
use sqlx::{AssertSqlSafe, SqliteConnection};
use uuid::Uuid;

use super::database::SqliteMetadata;
use super::transactions::reading;
use crate::metadata::{Result, StoreError};
use crate::rows::{Columns, corrupt};

/// SQL for a selection of rows, read as one value.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    /// A statement with one value.
    pub(super) sql: &'static str,
    /// Names of the columns, in the order of the value.
    pub(super) columns: &'static str,
}

/// `selection!([columns], parts of the SQL for rows…)` is a [`Selection`] of these columns. SQLite aggregates the rows of a sorted
/// subquery in their order; an `ORDER BY` within the aggregate would sort them once more, which costs as much as reading
/// them.
macro_rules! selection {
    ([$columns:expr], $($rows:expr),+) => {
        $crate::sqlite::packed::Selection {
            sql: concat!("SELECT json_group_array(json_array(", $columns, ")) FROM (", $($rows),+, ")"),
            columns: $columns,
        }
    };
}
pub(super) use selection;

/// A row of a packed page.
pub(super) struct PackedRow {
    page: Arc<Page>,
    /// Index of its first cell.
    first: usize,
    /// Index of the column that is looked at first: columns are mostly read in their order.
    next: cell::Cell<usize>,
}

struct Page {
    columns: Vec<&'static str>,
    /// Cells of all rows.
    cells: Vec<Cell>,
    /// Texts of all cells.
    texts: String,
}

/// A value of a row.
enum Cell {
    Null,
    Integer(i64),
    /// Range of its text.
    Text(Range<usize>),
}

impl Selection {
    /// Reads the rows of the statement.
    pub(super) async fn fetch(
        &self,
        connection: &mut SqliteConnection,
        arguments: SqliteArguments,
    ) -> Result<Vec<PackedRow>> {
        let value: String = sqlx::query_scalar_with(self.sql, arguments).fetch_one(connection).await?;
        self.unpack(&value)
    }

    /// Reads the rows of two statements with the same parameters, from one snapshot of the database: they are one
    /// statement.
    pub(super) async fn fetch_both(
        both: [Self; 2],
        store: &SqliteMetadata,
        arguments: SqliteArguments,
    ) -> Result<[Vec<PackedRow>; 2]> {
        let [first, second] = both;
        let sql = AssertSqlSafe(format!("SELECT ({}), ({})", first.sql, second.sql));
        let (one, other): (String, String) =
            reading!(store, |connection| Ok(sqlx::query_as_with(sql, arguments).fetch_one(connection).await?))?;
        Ok([first.unpack(&one)?, second.unpack(&other)?])
    }

    /// Reads the rows of the value of [`Self::sql`].
    fn unpack(&self, value: &str) -> Result<Vec<PackedRow>> {
        let columns: Vec<_> = self.columns.split(',').map(str::trim).collect();
        let mut page = Page { columns, cells: Vec::new(), texts: String::with_capacity(value.len()) };
        let mut deserializer = serde_json::Deserializer::from_str(value);
        let rows = Rows(&mut page).deserialize(&mut deserializer);
        let rows = rows.map_err(|error| StoreError::Corrupt { column: "page", reason: error.to_string() })?;
        let page = Arc::new(page);
        let row = |number| PackedRow {
            page: Arc::clone(&page),
            first: number * page.columns.len(),
            next: cell::Cell::default(),
        };
        Ok((0..rows).map(row).collect())
    }
}

impl PackedRow {
    fn cell(&self, column: &'static str) -> Result<&Cell> {
        let (columns, next) = (&self.page.columns, self.next.get());
        let mut order = (next..columns.len()).chain(0..next);
        let index = order.find(|index| columns[*index] == column);
        let index = index.ok_or_else(|| sqlx::Error::ColumnNotFound(column.to_owned()))?;
        self.next.set(index + 1);
        Ok(&self.page.cells[self.first + index])
    }
}

impl Columns for PackedRow {
    fn text(&self, column: &'static str) -> Result<&str> {
        self.optional_text(column)?.ok_or_else(|| corrupt(column))
    }

    fn optional_text(&self, column: &'static str) -> Result<Option<&str>> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Text(range) => Ok(Some(&self.page.texts[range.clone()])),
            Cell::Integer(_) => Err(corrupt(column)),
        }
    }

    fn integer(&self, column: &'static str) -> Result<i64> {
        self.optional_integer(column)?.ok_or_else(|| corrupt(column))
    }

    fn optional_integer(&self, column: &'static str) -> Result<Option<i64>> {
        match self.cell(column)? {
            Cell::Null => Ok(None),
            Cell::Integer(value) => Ok(Some(*value)),
            Cell::Text(_) => Err(corrupt(column)),
        }
    }

    /// A packed page has no numbers but integers.
    fn number(&self, column: &'static str) -> Result<f64> {
        Err(corrupt(column))
    }

    /// JSON has no bytes.
    fn bytes(&self, column: &'static str) -> Result<&[u8]> {
        Err(corrupt(column))
    }

    fn id(&self, column: &'static str) -> Result<Uuid> {
        self.optional_id(column)?.ok_or_else(|| corrupt(column))
    }

    fn optional_id(&self, column: &'static str) -> Result<Option<Uuid>> {
        self.optional_text(column)?.map(|text| text.parse().map_err(|_| corrupt(column))).transpose()
    }
}

/// Reader of an array of rows; returns their number.
struct Rows<'a>(&'a mut Page);

impl<'de> DeserializeSeed<'de> for Rows<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Rows<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<usize, A::Error> {
        let mut count = 0;
        while rows.next_element_seed(Row(self.0))?.is_some() {
            count += 1;
        }
        Ok(count)
    }
}

/// Reader of one row.
struct Row<'a>(&'a mut Page);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut cells: A) -> Result<(), A::Error> {
        let first = self.0.cells.len();
        while let Some(cell) = cells.next_element_seed(Value(&mut self.0.texts))? {
            self.0.cells.push(cell);
        }
        let found = self.0.cells.len() - first;
        if found == self.0.columns.len() { Ok(()) } else { Err(A::Error::invalid_length(found, &self)) }
    }
}

/// Reader of one value.
struct Value<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Cell;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cell, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Value<'_> {
    type Value = Cell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, an integer or null")
    }

    fn visit_unit<E>(self) -> Result<Cell, E> {
        Ok(Cell::Null)
    }

    fn visit_i64<E>(self, value: i64) -> Result<Cell, E> {
        Ok(Cell::Integer(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Cell, E> {
        i64::try_from(value).map(Cell::Integer).map_err(|_| E::custom("an integer of more than 64 bits"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Cell, E> {
        let first = self.0.len();
        self.0.push_str(value);
        Ok(Cell::Text(first..self.0.len()))
    }
}

#[cfg(test)]
mod tests {
    use sqlx::Connection;

    use super::*;

    #[tokio::test]
    async fn a_packed_page_has_the_values_of_its_rows_in_order() {
        let mut connection = SqliteConnection::connect(":memory:").await.unwrap();
        let texts = ["", "plain", "\"quoted\" \\ \n \u{1}\0", "größer 🚂 \u{2028}", r#"{"a":[1,2.50,null]}"#];
        sqlx::query("CREATE TABLE things (sequence INTEGER, text TEXT, whole INTEGER) STRICT")
            .execute(&mut connection)
            .await
            .unwrap();
        let wholes = [i64::MIN, -1, 0, 1, i64::MAX];
        for (number, (text, whole)) in texts.iter().zip(wholes).enumerate() {
            sqlx::query("INSERT INTO things VALUES (?, ?, ?)")
                .bind(i64::try_from(number).unwrap())
                .bind(text)
                .bind(Some(whole).filter(|whole| *whole != 0))
                .execute(&mut connection)
                .await
                .unwrap();
        }
        let packed = selection!(["text, whole"], "SELECT * FROM things", " ORDER BY sequence DESC LIMIT 4");
        let rows = packed.fetch(&mut connection, SqliteArguments::default()).await.unwrap();
        let found: Vec<_> = rows.iter().map(|row| row.text("text").unwrap()).collect();
        assert_eq!(found, [texts[4], texts[3], texts[2], texts[1]]);
        let found: Vec<_> = rows.iter().map(|row| row.optional_integer("whole").unwrap()).collect();
        assert_eq!(found, [Some(i64::MAX), Some(1), None, Some(-1)]);
        assert!(rows[0].text("whole").is_err() && rows[0].integer("text").is_err() && rows[0].id("text").is_err());
        assert!(rows[0].text("sequence").is_err(), "a column that is not packed");
        let all = selection!(["whole"], "SELECT * FROM things ORDER BY text")
            .fetch(&mut connection, SqliteArguments::default());
        let found: Vec<_> = all.await.unwrap().iter().map(|row| row.optional_integer("whole").unwrap()).collect();
        assert_eq!(
            found,
            [Some(i64::MIN), None, Some(1), Some(-1), Some(i64::MAX)],
            "sorted without an index or a limit"
        );
        let none = selection!(["text"], "SELECT * FROM things WHERE sequence > 9");
        assert_eq!(none.fetch(&mut connection, SqliteArguments::default()).await.unwrap().len(), 0);
    }

    #[test]
    fn a_row_of_another_length_is_corrupt() {
        let packed = selection!(["id, text"], "SELECT 1");
        assert_eq!(packed.unpack(r#"[["a",null],[1,"b"]]"#).unwrap().len(), 2);
        for value in [r#"[["a"]]"#, r#"[["a",1,2]]"#, "{}", r#"[["a",[]]]"#, r#"[["a",0.5]]"#, "[", ""] {
            assert!(matches!(packed.unpack(value), Err(StoreError::Corrupt { .. })), "{value}");
        }
    }
}
