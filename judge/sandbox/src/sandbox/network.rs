//! Reusable empty network namespaces for a root judge, each used by one run at a time.
//!
//! Creating one is by far the most expensive step of a run. A namespace is empty again when its processes are gone: its
//! only device is down, no job may change that, and sockets end with their processes. The namespaces of an ordinary user
//! belong to the user namespace of one run and end with it.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};

use super::sys;

/// Namespaces that are currently unused.
#[derive(Clone, Default)]
pub(super) struct Networks(Arc<Mutex<Vec<OwnedFd>>>);

/// A network namespace that one run uses, until it is returned.
pub(super) struct Network {
    free: Networks,
    namespace: OwnedFd,
}

impl Networks {
    /// Takes a namespace that no other run uses.
    pub(super) fn take(&self) -> io::Result<Network> {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok(Network { free: self.clone(), namespace: free.map_or_else(make, Ok)? })
    }
}

impl Network {
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.namespace.as_fd()
    }

    /// Returns it for the next run, once none of this run's processes lives. A namespace that is merely dropped is not
    /// reused.
    pub(super) fn release(self) {
        self.free.0.lock().unwrap_or_else(PoisonError::into_inner).push(self.namespace);
    }
}

/// A separate thread enters the new namespace, so that the judge itself never does.
fn make() -> io::Result<OwnedFd> {
    let maker = std::thread::Builder::new().name("network".into()).spawn(|| {
        sys::enter_network_namespace()?;
        Ok(File::open("/proc/thread-self/ns/net")?.into())
    })?;
    maker.join().unwrap_or_else(|_| Err(io::Error::other("the thread that makes network namespaces died")))
}
