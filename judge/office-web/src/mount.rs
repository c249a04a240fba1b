//! The place of a request's pages: below `/problems/ID` if the contest has several problems, and at the root otherwise. Links
//! in pages are relative to the base that each page names, so that pages do not depend on it. Links to pages that the site has
//! once begin with a slash.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};

tokio::task_local! {
    /// The place of the pages of this task's request; not set for the pages of a single problem.
    static MOUNT: Mount;
}

#[derive(Clone)]
enum Mount {
    /// A problem among several: its address without a slash at its end.
    Problem(String),
    /// The root of several problems.
    Above,
}

/// The address below which the pages of this request are; empty for the root.
pub(crate) fn here() -> String {
    let address = |mount: &Mount| if let Mount::Problem(address) = mount { address.clone() } else { String::new() };
    MOUNT.try_with(address).unwrap_or_default()
}

/// Tests whether the page of this request belongs to several problems, and so to no single one.
pub(crate) fn is_above() -> bool {
    MOUNT.try_with(|mount| matches!(mount, Mount::Above)).unwrap_or_default()
}

/// Wraps routes so that their pages know that they belong to the problem at this address.
pub(crate) fn at(mount: &str, router: Router) -> Router {
    scoped(Mount::Problem(mount.to_owned()), router)
}

/// Wraps routes so that their pages know that they are above several problems, unless they [belong to one](at).
pub(crate) fn above(router: Router) -> Router {
    scoped(Mount::Above, router)
}

fn scoped(mount: Mount, router: Router) -> Router {
    router.layer(from_fn(move |request: Request, next: Next| MOUNT.scope(mount.clone(), next.run(request))))
}
