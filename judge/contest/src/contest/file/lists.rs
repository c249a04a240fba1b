//! Finds lists in a contest file that should be tables. The parser would take the items of such a list as the values of a table's
//! keys.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// Keys of a contest file that are tables, with an example, and keys of lists of tables.
const TABLES: [(&str, &str); 9] = [
    ("answers", "stream = true"),
    ("build", "memory = \"2GiB\""),
    ("match", "seats = 2"),
    ("notify", "command = \"mine/notify\""),
    ("office", "open = true"),
    ("ranking", "order = [\"relative\", \"time\"]"),
    ("referee", "protocol = \"native\""),
    ("rules", "transports = 3"),
    ("table", "cell = [\"moves\", \"ups\"]"),
];
const LISTS: [&str; 7] = ["board", "entry", "figure", "group", "language", "problem", "round"];
/// Keys of nested tables, by the outer key.
const INNER: [(&str, &str); 4] =
    [("entry", "limits"), ("office", "limit"), ("problem", "referee"), ("problem", "rules")];

/// The first list that should be a table, with the reason for refusing it.
pub(super) fn for_table(text: &str) -> Option<(Range<usize>, String)> {
    let keys = TABLES.iter().map(|(key, _)| *key).chain(LISTS).chain(INNER.iter().map(|(_, key)| *key));
    if !keys.into_iter().any(|key| is_set_to_list(text, key)) {
        return None;
    }
    // The parser refuses unreadable files later.
    let file = DeTable::parse(text).ok()?;
    let file = file.get_ref();
    for (key, value) in file {
        let name = key.get_ref().as_ref();
        if let (Some((_, example)), DeValue::Array(_)) =
            (TABLES.iter().find(|(table, _)| *table == name), value.get_ref())
        {
            let reason =
                format!("{name} must be a table, not a list; write [{name}] and below it, for example, {example}");
            return Some((value.span(), reason));
        }
        let items = match value.get_ref() {
            DeValue::Array(items) if LISTS.contains(&name) => &items[..],
            DeValue::Table(_) => std::slice::from_ref(value),
            _ => continue,
        };
        for item in items {
            let DeValue::Table(table) = item.get_ref() else {
                let reason = format!("{name} must be a list of tables; write [[{name}]] and its keys below it");
                return Some((item.span(), reason));
            };
            let inner =
                INNER.iter().filter(|(outer, _)| *outer == name).find_map(|(_, key)| Some((key, table.get(*key)?)));
            if let Some((key, inner)) = inner.filter(|(_, inner)| matches!(inner.get_ref(), DeValue::Array(_))) {
                return Some((
                    inner.span(),
                    format!("{key} must be a table, not a list; write {key} = {{ KEY = VALUE }}"),
                ));
            }
        }
    }
    None
}

/// Tests whether a key of that name has, or seems to have, a list as its value. The usual file has no such list, so this cheap
/// test comes first.
fn is_set_to_list(text: &str, key: &str) -> bool {
    text.match_indices(key).any(|(at, _)| {
        let behind = text[at + key.len()..].trim_start_matches(['"', ' ', '\t']);
        behind.strip_prefix('=').is_some_and(|value| value.trim_start_matches([' ', '\t']).starts_with('['))
    })
}
