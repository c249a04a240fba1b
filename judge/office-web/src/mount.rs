//! Where the pages of a request are: below `/problems/ID` if the contest has several problems, and at the root otherwise. Links in
//! pages are relative to the base that each page names, so that pages do not depend on it.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};

tokio::task_local! {
    /// The address of the pages of the request that this task answers, without a slash at its end.
    static MOUNT: String;
}

/// The address below which the pages of this request are; empty for the root.
pub(crate) fn here() -> String {
    MOUNT.try_with(Clone::clone).unwrap_or_default()
}

/// The same routes, whose pages know that they are there.
pub(crate) fn at(mount: &str, router: Router) -> Router {
    let mount = mount.to_owned();
    router.layer(from_fn(move |request: Request, next: Next| MOUNT.scope(mount.clone(), next.run(request))))
}
