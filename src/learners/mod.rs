//! Learners of training: the engine in this process, and a learner in another process that is reached by URL or started on
//! a Ray cluster.

pub(crate) mod package;
mod remote;

pub(crate) use remote::{Caller, LearnerBase, RemoteLearner, SessionKey};
pub use remote::{
    Directories, LaunchOptions, LearnerAddress, LearnerDtype, LearnerServer, LearnerServers, LearnerUrlError,
};
