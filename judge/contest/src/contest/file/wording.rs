//! Errors of the TOML parser in the terms of contest files: the key, the expected value, and an example.

use std::ops::Range;

use judge_core::text::unknown;

/// A line for each key that is often missing or has a value of another type.
const EXAMPLES: &[(&str, &str)] = &[
    ("name", "name = \"FOXY\""),
    ("game", "game = \"loyd\""),
    ("limit", "limit = \"10s\""),
    ("grace", "grace = \"500ms\""),
    ("cpu", "cpu = \"20s\""),
    ("memory", "memory = \"1GiB\""),
    ("output", "output = \"16MiB\""),
    ("scratch", "scratch = \"256MiB\""),
    ("cores", "cores = 1"),
    ("repeat", "repeat = 5"),
    ("isolation", "isolation = \"auto\""),
    ("build_isolation", "build_isolation = \"auto\""),
    ("readable", "readable = [\"tables\"]"),
    ("file", "file = \"boards/foxy.txt\""),
    ("author", "author = \"Me\""),
    ("year", "year = 1995"),
    ("strategy", "strategy = \"depth-first search\""),
    ("build", "build = \"cc -O2 -o mine/solver mine/solver.c\""),
    ("folder", "folder = \"mine\""),
    ("command", "command = \"mine/solver\""),
    ("competing", "competing = false"),
    ("withdrawn", "withdrawn = \"at its author's wish\""),
    ("struck", "struck = \"its file was wrong\""),
    ("order", "order = [\"progress\", \"moves\"]"),
    ("board", "[[board]]"),
    ("entry", "[[entry]]"),
    ("id", "id = \"knights\""),
    ("problem", "[[problem]]"),
    ("round", "[[round]]"),
];

/// The reason why a contest file with this text is wrong, in the terms of contest files. The message is the parser's, about
/// the span of a value or table.
pub(super) fn reason(message: &str, span: Option<&Range<usize>>, text: &str) -> String {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if let (true, [field, known @ ..]) = (message.starts_with("unknown field"), &names[..]) {
        return unknown("key", field, known.iter().copied());
    }
    if let (true, [value, known @ ..]) = (message.starts_with("unknown variant"), &names[..]) {
        return unknown("value", value, known.iter().copied());
    }
    if let (true, [key]) = (message.starts_with("missing field"), &names[..]) {
        return format!("missing key `{key}`{}", example(key, "; add for example "));
    }
    let key = span.and_then(|span| key_before(text, span.start));
    let type_error = message.strip_prefix("invalid type: ").and_then(|message| message.split_once(", expected "));
    if let (Some(key), Some((found, expected))) = (key, type_error) {
        let table = expected.starts_with("struct ") || expected == "a map";
        let number = expected.starts_with(['i', 'u']) && expected[1..].parse::<u8>().is_ok();
        let expected = if table { "a table" } else { expected };
        let expected = if number { "an integer" } else { expected };
        let write =
            if expected == "a sequence" && EXAMPLES.iter().any(|(name, line)| *name == key && line.starts_with("[[")) {
                format!("; write [[{key}]], with two brackets")
            } else {
                example(key, "; write for example ")
            };
        return format!(
            "{key} must be {}, not {}{write}",
            expected.replace("a sequence", "a list"),
            with_article(found)
        );
    }
    if message.starts_with("string values must be quoted") {
        let key = key.unwrap_or("key");
        return format!("the value of {key} has no quotes{}", example(key, "; write for example "));
    }
    message.to_owned()
}

fn example(key: &str, before: &str) -> String {
    let line = EXAMPLES.iter().find(|(name, _)| *name == key);
    line.map_or(String::new(), |(_, line)| format!("{before}{line}"))
}

/// A value in the parser's description, such as ``integer `2` ``, with its article.
fn with_article(found: &str) -> String {
    let article = if found.starts_with(['i', 'a']) { "the" } else { "a" };
    match found {
        "sequence" => "a list".into(),
        "map" => "a table".into(),
        _ if found.contains('`') || found.contains('"') => format!("the {found}"),
        _ => format!("{article} {found}"),
    }
}

/// The key in the line in which a value begins.
fn key_before(text: &str, at: usize) -> Option<&str> {
    let line = text.get(..at)?.rsplit('\n').next()?;
    if let Some(key) = line.trim_start().strip_suffix(['[']).or(Some(line)).and_then(|line| line.split_once('=')) {
        return Some(key.0.trim()).filter(|key| !key.is_empty());
    }
    // The span of a table begins at its heading.
    let heading = text.get(at..)?.lines().next()?.trim().trim_start_matches('[').trim_end_matches(']');
    heading
        .rsplit('.')
        .next()
        .filter(|heading| !heading.is_empty() && heading.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_parser_are_worded_with_an_example() {
        let text = "name = \"x\"\nlimit = 2\n";
        let value = text.find('2').map(|at| at..at + 1);
        let reason = |message: &str| reason(message, value.as_ref(), text);
        assert_eq!(
            reason("invalid type: integer `2`, expected a string"),
            "limit must be a string, not the integer `2`; write for example limit = \"10s\""
        );
        assert_eq!(
            reason("unknown field `limt`, expected one of `name`, `limit`"),
            "unknown key `limt`; did you mean `limit`? available: name, limit"
        );
        assert_eq!(reason("missing field `game`"), "missing key `game`; add for example game = \"loyd\"");
        assert_eq!(reason("something else"), "something else");
    }
}
