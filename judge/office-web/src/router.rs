//! All addresses of the site, of one problem or of several.

use std::sync::Arc;

use axum::Router;

use crate::routes::{of_problem, of_site};
use crate::site::Site;
use crate::{guard, icpc, mount, several};

/// The parameter of the addresses of all types of the Contest API.
const KIND: &str = "{kind}";

/// The addresses of a site of one problem, with parameters in braces such as `/submissions/{number}`. The addresses of the
/// Contest API are listed for each of its types. Some accept only POST.
pub fn addresses() -> Vec<String> {
    let all = [of_problem().addresses(), of_site().addresses()].concat();
    let kinds = |address: String| match address.contains(KIND) {
        true => icpc::kinds().map(|kind| address.replace(KIND, kind)).collect(),
        false => vec![address],
    };
    let mut all: Vec<String> = all.into_iter().flat_map(kinds).collect();
    all.sort();
    all.dedup();
    all
}

/// All routes: the pages of the only problem, or the pages of several, each below its own address.
pub(crate) fn router(site: &Arc<Site>) -> Router {
    let first = site.first().clone();
    let pages = match site.only() {
        Some(app) => of_problem().router().with_state(app.clone()),
        None => several::router(site),
    };
    let all = pages.merge(of_site().router().with_state(site.clone()));
    let guarded = all.layer(axum::middleware::from_fn_with_state(first, guard::pass));
    // The pages of refusals are there, too.
    if site.only().is_some() { guarded } else { mount::above(guarded) }
}
