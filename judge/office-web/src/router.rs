//! All addresses of the site.

use std::sync::Arc;

use axum::Router;

use crate::routes::{of_contest, of_site};
use crate::site::Site;
use crate::{guard, icpc};

/// The parameter for all types of the Contest API in addresses.
const KIND: &str = "{kind}";

/// The addresses of a site, with parameters in braces such as `/submissions/{number}`. The addresses of the Contest API are listed
/// for each of its types. Some accept only POST.
pub fn addresses() -> Vec<String> {
    let all = [of_contest().addresses(), of_site().addresses()].concat();
    let kinds = |address: String| match address.contains(KIND) {
        true => icpc::kinds().map(|kind| address.replace(KIND, kind)).collect(),
        false => vec![address],
    };
    let mut all: Vec<String> = all.into_iter().flat_map(kinds).collect();
    all.sort();
    all.dedup();
    all
}

/// All routes.
pub(crate) fn router(site: &Arc<Site>) -> Router {
    let pages = of_contest().router().with_state(site.app().clone());
    let all = pages.merge(of_site().router().with_state(site.clone()));
    all.layer(axum::middleware::from_fn_with_state(site.app().clone(), guard::pass))
}
