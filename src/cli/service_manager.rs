//! Messages to the service manager that started the process: systemd units with `Type=notify`.

use sd_notify::NotifyState;

/// Tells the service manager that the process accepts requests or jobs. Does nothing without a service manager.
pub(super) fn ready() {
    notify(NotifyState::Ready);
}

/// Tells the service manager that the process is shutting down.
pub(super) fn stopping() {
    notify(NotifyState::Stopping);
}

fn notify(state: NotifyState) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "cannot notify the service manager");
    }
}
