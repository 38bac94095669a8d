//! Routes of a listener, and the sessions that its requests may have.

use std::sync::Arc;

use axum::Router;

use crate::dashboard::Sessions;

/// Routes of a listener.
pub struct Routes {
    pub(crate) router: Router,
    /// Sessions that authenticate requests of the dashboard.
    pub(crate) sessions: Option<Arc<Sessions>>,
}

impl From<Router> for Routes {
    fn from(router: Router) -> Self {
        Self { router, sessions: None }
    }
}
