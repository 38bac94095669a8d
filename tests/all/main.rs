//! The integration tests: one binary, a module per area.

mod contract;
