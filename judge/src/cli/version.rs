//! The version of the command: of the package, the commit it was built from, and the target.

use std::sync::LazyLock;

/// The version text, such as `0.2.0 (1c4e5f60a7b2, x86_64-unknown-linux-gnu)`; without a commit if it was unknown when
/// built.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let (version, commit, target) = (env!("CARGO_PKG_VERSION"), env!("JUDGE_COMMIT"), env!("JUDGE_TARGET"));
    if commit.is_empty() { format!("{version} ({target})") } else { format!("{version} ({commit}, {target})") }
});

/// The text that `judge --version` prints after the name. Results record that of the judge that started them.
pub(super) fn text() -> &'static str {
    &TEXT
}
