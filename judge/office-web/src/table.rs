//! Routes with the list of their addresses, so that tests of global properties cover all of them.

use axum::Router;
use axum::routing::MethodRouter;

/// A router that remembers its addresses.
pub(crate) struct Routes<S> {
    router: Router<S>,
    addresses: Vec<String>,
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    pub(crate) fn new() -> Self {
        Self { router: Router::new(), addresses: Vec::new() }
    }

    pub(crate) fn route(mut self, address: &str, methods: MethodRouter<S>) -> Self {
        self.addresses.push(address.to_owned());
        Self { router: self.router.route(address, methods), ..self }
    }

    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.addresses.extend(other.addresses);
        Self { router: self.router.merge(other.router), ..self }
    }

    /// Changes the router without adding addresses.
    pub(crate) fn with(self, change: impl FnOnce(Router<S>) -> Router<S>) -> Self {
        Self { router: change(self.router), ..self }
    }

    pub(crate) fn router(self) -> Router<S> {
        self.router
    }

    /// The addresses, with their parameters in braces.
    pub(crate) fn addresses(self) -> Vec<String> {
        self.addresses
    }
}
