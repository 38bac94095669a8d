//! Learners of training: the engine in this process, and a learner in another process that is reached by URL or started on
//! a Ray cluster.

mod embedded;
pub(crate) mod package;
mod remote;

pub(crate) use embedded::engine_inputs;
pub(crate) use remote::{Caller, LearnerBase, RemoteLearner, SessionKey};
pub use remote::{
    Directories, LaunchOptions, LearnerDtype, LearnerPlace, LearnerServer, LearnerServers, LearnerUrlError,
};
