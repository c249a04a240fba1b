//! When and from where a request came. `guard` notes it with each request.

use std::net::IpAddr;

/// The address on whose behalf a request came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client(pub(crate) IpAddr);

/// When the head of a request arrived, in seconds since the beginning of 1970 in UTC.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrived(pub(crate) u64);

/// The address of the connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);
