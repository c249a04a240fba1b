//! Options for writing programs and contests.

/// The inputs of [`Package::write`](crate::Package::write) besides the package.
pub struct Options<'a> {
    /// Limit for CPU time, in seconds.
    pub time_limit: f64,
    /// Checks whether a program is on the PATH.
    pub has: &'a dyn Fn(&str) -> bool,
}
