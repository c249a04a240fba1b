//! When and from where a request came. `guard` notes it with each request.

use std::net::{IpAddr, Ipv6Addr};

/// The most connections of one address, and the most requests, and the most streams, that a proxy has under way for one.
pub(crate) const MAX_PER_ADDRESS: usize = 64;

/// The address on whose behalf a request came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client(pub(crate) IpAddr);

/// The address of the connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// What is counted as one address: of IPv6 a network of /64, all of whose addresses one machine can have.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address @ IpAddr::V4(_) => address,
    }
}
