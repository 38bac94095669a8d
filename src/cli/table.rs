//! Text tables for the terminal.

use std::fmt;

/// Rows under a header, printed in columns as wide as their widest cell.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new<const COLUMNS: usize>(header: [&str; COLUMNS]) -> Self {
        Self { rows: vec![header.map(str::to_owned).to_vec()] }
    }

    pub(super) fn row<const COLUMNS: usize>(&mut self, cells: [String; COLUMNS]) {
        self.rows.push(cells.to_vec());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows[0].len();
        let widths: Vec<usize> = (0..columns)
            .map(|column| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
            .collect();
        for row in &self.rows {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
            writeln!(formatter, "{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["A", "LONG"]);
        table.row(["wide one".to_owned(), "x".to_owned()]);
        assert_eq!(table.to_string(), "A         LONG\nwide one  x\n");
    }
}
