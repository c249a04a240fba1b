//! The time and the origin of a request. The `guard` module attaches them to each request.

use std::net::{IpAddr, Ipv6Addr};

/// The most connections of one address. Also the most current requests, and the most current streams, that a proxy sends for one
/// address.
pub(crate) const MAX_PER_ADDRESS: usize = 64;

/// The address on whose behalf a request was sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client(pub(crate) IpAddr);

/// The address of the connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The unit that counts as one address. For IPv6 this is a /64 network, because one machine can have all of its addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address @ IpAddr::V4(_) => address,
    }
}
