//! Child processes with the processes that they start.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

/// A child process that leads a group of its own: signals of the terminal are for this process, which tells its children.
#[derive(Debug)]
pub(crate) struct ProcessGroup {
    pub(crate) leader: Child,
}

impl ProcessGroup {
    /// Starts a command with pipes for its outputs.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let leader = command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn()?;
        Ok(Self { leader })
    }

    /// Sends a signal to all processes of the group, which may be gone.
    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(leader) = i32::try_from(self.leader.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(leader, signal);
        }
    }

    /// Kills what is left of the group.
    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
        // It was killed if it still ran.
        let _ = self.leader.wait();
    }
}
