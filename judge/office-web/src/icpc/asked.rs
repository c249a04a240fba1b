//! Requests about the contest.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Extension, FromRequestParts, Path};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};

use super::answers::check_contest;
use super::callers::{self, Caller};
use super::version::Version;
use crate::arrival::Client;
use crate::site::Site;

/// A request of a caller. If its address names a contest, it is that of the site.
pub(super) struct Asked {
    pub(super) site: Arc<Site>,
    pub(super) version: Version,
    pub(super) caller: Caller,
    pub(super) headers: HeaderMap,
    client: Client,
    path: HashMap<String, String>,
}

impl FromRequestParts<Arc<Site>> for Asked {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, Response> {
        let path = Path::from_request_parts(parts, site).await;
        let Path::<HashMap<String, String>>(path) = path.map_err(|rejected| rejected.into_response())?;
        let extensions = <(Extension<Version>, Extension<Client>)>::from_request_parts(parts, site).await;
        let (Extension(version), Extension(client)) = extensions.map_err(|rejected| rejected.into_response())?;
        let caller = callers::of(site.app(), client, &parts.headers).await?;
        path.get("contest").map_or(Ok(()), |contest| check_contest(site, contest))?;
        Ok(Self { site: site.clone(), version, caller, headers: parts.headers.clone(), client, path })
    }
}

impl Asked {
    /// The part of its address with this name.
    pub(super) fn named(&self, name: &str) -> &str {
        self.path.get(name).map_or("", String::as_str)
    }

    /// The same request with the state of now.
    pub(super) async fn again(self) -> Result<Self, Response> {
        let caller = callers::of(self.site.app(), self.client, &self.headers).await?;
        Ok(Self { caller, ..self })
    }
}
