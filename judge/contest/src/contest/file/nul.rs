//! NUL characters, which cannot occur in arguments, variables, paths and names.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys of texts that are shown and not passed to programs. Names that are part of a path have separate rules.
const SHOWN: [&str; 7] = ["author", "disqualified", "name", "note", "strategy", "struck", "withdrawn"];

/// The place and key of the first text in a contest file that has a NUL character and could be passed to a program. The file
/// must be valid TOML.
pub(super) fn first(text: &str) -> Option<(Range<usize>, String)> {
    // Only an escape creates a NUL character, so most files need not be parsed again.
    if !["\\u0000", "\\U00000000", "\\x00"].iter().any(|escape| text.contains(escape)) {
        return None;
    }
    in_table(DeTable::parse(text).ok()?.get_ref())
}

fn in_table(table: &DeTable<'_>) -> Option<(Range<usize>, String)> {
    let mut given = table.iter().filter(|(key, _)| !SHOWN.contains(&&**key.get_ref()));
    given.find_map(|(key, value)| in_value(key.get_ref(), value))
}

fn in_value(key: &str, value: &Spanned<DeValue<'_>>) -> Option<(Range<usize>, String)> {
    match value.get_ref() {
        DeValue::String(text) if text.contains('\0') => Some((value.span(), key.to_owned())),
        DeValue::Array(values) => values.iter().find_map(|value| in_value(key, value)),
        DeValue::Table(table) => in_table(table),
        _ => None,
    }
}
