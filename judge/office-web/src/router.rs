//! All addresses of the site, of one problem or of several.

use std::sync::Arc;

use axum::Router;

use crate::routes::{of_problem, of_site};
use crate::site::Site;
use crate::{guard, mount, several};

/// All addresses: the pages of the only problem, or those of several, each below an address of its own.
pub(crate) fn router(site: &Arc<Site>) -> Router {
    let first = site.first().clone();
    let pages = match site.only() {
        Some(app) => of_problem().with_state(app.clone()),
        None => several::router(site),
    };
    let all = pages.merge(of_site().with_state(site.clone()));
    let guarded = all.layer(axum::middleware::from_fn_with_state(first, guard::pass));
    // The pages of refusals are there, too.
    if site.only().is_some() { guarded } else { mount::above(guarded) }
}
