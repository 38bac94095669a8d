//! Metadata in SQLite.
