//! What the writing of programs and contests depends on.

/// What [`Package::write`](crate::Package::write) must know besides the package.
pub struct Options<'a> {
    /// Limit for CPU time, in seconds.
    pub time_limit: f64,
    /// Checks whether a program is on the PATH.
    pub has: &'a dyn Fn(&str) -> bool,
}
