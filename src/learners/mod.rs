//! Learners of training: the engine in this process, and a learner in another process that is reached by URL or started on
//! a Ray cluster.

pub(crate) mod package;
mod remote;

pub use remote::{
    Directories, LaunchOptions, LearnerDtype, LearnerPlace, LearnerServer, LearnerServers, LearnerUrlError,
};
pub(crate) use remote::{RemoteLearner, SessionKey};
