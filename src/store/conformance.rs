//! What every implementation of the metadata interface must do.
