//! Learners of training: the engine in this process, and a learner in another process that is reached by URL.

mod embedded;
mod remote;

pub(crate) use embedded::engine_inputs;
pub use remote::{LearnerServer, LearnerServers, LearnerUrlError};
pub(crate) use remote::{RemoteLearner, SessionKey};
