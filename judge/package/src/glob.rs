//! Glob patterns of `submissions.yaml`: `*` within a name, and braces with alternatives.

/// The most alternatives that braces of one pattern stand for.
const MAX_ALTERNATIVES: usize = 1000;

/// Checks whether a pattern matches a path or one of the folders that it is in.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    alternatives(pattern).iter().any(|pattern| matches_prefix(pattern, path))
}

fn matches_prefix(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_end_matches('/');
    let mut names = path.split('/');
    pattern.split('/').all(|part| names.next().is_some_and(|name| matches_name(part, name)))
}

/// Matches `*` and plain characters against one name.
fn matches_name(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// The patterns that braces stand for: `{a,b}.c` is `a.c` and `b.c`.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut waiting = vec![pattern.to_owned()];
    while let Some(next) = waiting.pop() {
        let close = next.find('}');
        let open = close.and_then(|close| next[..close].rfind('{').map(|open| (open, close)));
        match open {
            Some((open, close)) if done.len() + waiting.len() < MAX_ALTERNATIVES => {
                for choice in next[open + 1..close].split(',') {
                    waiting.push(format!("{}{}{}", &next[..open], choice.trim(), &next[close + 1..]));
                }
            }
            _ => done.push(next),
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_paths_and_the_folders_around_them() {
        for (pattern, path, expected) in [
            ("accepted", "accepted/a.py", true),
            ("accepted/*", "accepted/a.py", true),
            ("accepted/", "accepted/a.py", true),
            ("*/a.py", "accepted/a.py", true),
            ("*", "accepted/a.py", true),
            ("*.py", "accepted/a.py", false),
            ("accepted/*.py", "accepted/b/a.py", false),
            ("accepted/b", "accepted/b/a.py", true),
            ("secret/*-hard", "secret/01-hard", true),
            ("secret/*-hard", "secret/01-harder", false),
            ("{wrong,accepted}/{a,b}.{py,cc}", "accepted/b.cc", true),
            ("{wrong,accepted}/{a,b}.{py,cc}", "accepted/c.cc", false),
            ("a*b*c", "aXbXbc", true),
            ("secret/*{ 4 }{ 2, 3 }", "secret/142", true),
            ("a*a", "a", false),
            ("accepted/a.py/x", "accepted/a.py", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
        assert!(!matches(&"{a,b}".repeat(30), "x"));
    }
}
