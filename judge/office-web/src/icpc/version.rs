//! The versions of the interface, and where they are.

/// The path that all addresses of the interface begin with.
pub(crate) const BASE: &str = "/api";

/// A version of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Version {
    V2023,
    V2026,
}

impl Version {
    /// Its name, as the specification has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::V2023 => "2023-06",
            Self::V2026 => "2026-01",
        }
    }
}
