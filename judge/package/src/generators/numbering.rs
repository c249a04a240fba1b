//! The numbers of generated test cases, assigned as in BAPCtools.

use std::path::Path;

use super::{FOR_PEOPLE, READ};
use crate::error::PackageError;
use crate::table::Table;
use crate::yaml::{Node, Value};

/// The most test cases of one `count`.
const MAX_COUNT: i64 = 100;

/// Tests whether a value is a folder. Any other value is a test case.
pub(super) fn is_directory(node: &Node) -> bool {
    let of_case = |key: &str| {
        ["copy", "generate", "count", "match"].contains(&key) || READ.contains(&key) || FOR_PEOPLE.contains(&key)
    };
    matches!(&node.value, Value::Map(pairs) if !pairs.iter().any(|(key, _)| of_case(key)))
}

/// The number of test cases in lists, in a folder and its inner folders.
pub(super) fn numbered_cases(table: &Table<'_>) -> Result<usize, PackageError> {
    let mut all = 0;
    let Some(data) = table.pairs().iter().find(|(key, _)| key == "data").map(|(_, node)| node) else { return Ok(0) };
    let (numbered, maps): (bool, Vec<&Node>) = match &data.value {
        Value::List(items) => (true, items.iter().collect()),
        _ => (false, vec![data]),
    };
    for map in maps {
        let Value::Map(pairs) = &map.value else { continue };
        for (key, node) in pairs {
            if is_directory(node) {
                all += numbered_cases(&Table::new(table.file(), key, node)?)?;
            } else if numbered {
                all += counts(table.file(), node)?.0.len();
            }
        }
    }
    Ok(all)
}

/// The values of `count`, and whether there is one.
pub(super) fn counts(file: &Path, node: &Node) -> Result<(Vec<i64>, bool), PackageError> {
    let Value::Map(pairs) = &node.value else { return Ok((vec![1], false)) };
    let Some((_, count)) = pairs.iter().find(|(key, _)| key == "count") else { return Ok((vec![1], false)) };
    let refuse = || {
        let reason = format!("count must be 1 to {MAX_COUNT}, a list of different numbers, or a range such as 1..=9");
        PackageError::at(file, count.line, reason)
    };
    let number = |text: &str| text.trim().parse::<i64>().ok().filter(|number| number.abs() <= 1 << 53);
    let values: Vec<i64> = match &count.value {
        Value::Scalar(text) => match text.split_once("..=") {
            Some((low, high)) => {
                let (low, high) = (number(low).ok_or_else(refuse)?, number(high).ok_or_else(refuse)?);
                (low..=high.min(low + MAX_COUNT)).collect()
            }
            None => (1..=number(text).ok_or_else(refuse)?.min(MAX_COUNT + 1)).collect(),
        },
        Value::List(items) => {
            let of = |item: &Node| match &item.value {
                Value::Scalar(text) => number(text),
                _ => None,
            };
            items.iter().map(of).collect::<Option<_>>().ok_or_else(refuse)?
        }
        Value::Null | Value::Map(_) => return Err(refuse()),
    };
    let mut different = values.clone();
    different.sort_unstable();
    different.dedup();
    let fits = different.len() == values.len() && !values.is_empty() && values.len() as i64 <= MAX_COUNT;
    if fits { Ok((values, true)) } else { Err(refuse()) }
}

/// The end of the name of a test case with this value of `count`. Values without gaps are padded to the same width.
pub(super) fn suffix(value: i64, values: &[i64]) -> String {
    let (low, high) = (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(0));
    let gapless = high - low == values.len() as i64 - 1;
    let width = values.iter().map(|value| value.to_string().len()).max().filter(|_| gapless).unwrap_or(0);
    format!("-{value:0width$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_without_gaps_have_names_of_one_width() {
        assert_eq!([8, 9, 10].map(|value| suffix(value, &[8, 9, 10])), ["-08", "-09", "-10"]);
        assert_eq!([8, 9, 11].map(|value| suffix(value, &[8, 9, 11])), ["-8", "-9", "-11"]);
        assert_eq!(suffix(7, &[7]), "-7");
    }
}
