//! Placeholder of the codegen module.
