//! The versions of the interface, and their addresses.

/// The common beginning of all paths of the interface.
pub(crate) const BASE: &str = "/api";

/// A version of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Version {
    V2023,
    V2026,
}

impl Version {
    /// Its name in the specification.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::V2023 => "2023-06",
            Self::V2026 => "2026-01",
        }
    }
}
