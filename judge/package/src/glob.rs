//! Glob patterns of `submissions.yaml`: `*` within a name, and braces with alternatives.

use globset::{GlobBuilder, GlobMatcher};

/// The deepest nesting of braces, since the crate recurses for each level.
const MAX_DEPTH: usize = 32;

/// A pattern for paths. A pattern that is too large, or nests braces too deeply, matches nothing.
pub(crate) struct Pattern(Option<GlobMatcher>);

impl Pattern {
    pub(crate) fn new(pattern: &str) -> Self {
        let glob = translated(pattern.trim_end_matches('/')).and_then(|glob| {
            GlobBuilder::new(&glob).literal_separator(true).backslash_escape(true).empty_alternates(true).build().ok()
        });
        Self(glob.map(|glob| glob.compile_matcher()))
    }

    /// Checks whether it matches a path or one of the folders that the path is in.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let Some(glob) = &self.0 else { return false };
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        folders.chain([path]).any(|path| glob.is_match(path))
    }
}

/// Translates a pattern to the syntax of the crate, in which more characters have a meaning: here they are literal, as are
/// braces without a partner. Blanks at the ends of alternatives do not count.
fn translated(pattern: &str) -> Option<String> {
    let paired = is_paired(pattern);
    let mut glob = String::with_capacity(pattern.len());
    let mut depth = 0_usize;
    let mut begins = false;
    for character in pattern.chars() {
        let inside = depth > 0;
        match character {
            // Two stars would match any number of folders.
            '*' if glob.ends_with('*') => {}
            '{' if paired => {
                depth += 1;
                glob.push('{');
            }
            ',' | '}' if paired && inside => {
                glob.truncate(glob.trim_end().len());
                depth -= usize::from(character == '}');
                glob.push(character);
            }
            '?' | '[' | ']' | '{' | '}' | '\\' => glob.extend(['\\', character]),
            _ if begins && character.is_whitespace() => continue,
            _ => glob.push(character),
        }
        begins = paired && (character == '{' || character == ',' && inside);
        if depth > MAX_DEPTH {
            return None;
        }
    }
    Some(glob)
}

/// Checks whether every brace has a partner.
fn is_paired(pattern: &str) -> bool {
    let depth = pattern.chars().try_fold(0_usize, |depth, character| match character {
        '{' => Some(depth + 1),
        '}' => depth.checked_sub(1),
        _ => Some(depth),
    });
    depth == Some(0)
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
            ("**", "accepted/a.py", true),
            ("**/a.py", "accepted/b/a.py", false),
            ("{accepted,{wrong,slow}_answer}/a", "slow_answer/a", true),
            ("a{,b}.c", "a.c", true),
            // Other characters of globs, and braces without a partner, are literal.
            ("a?", "ab", false),
            ("a?", "a?", true),
            ("[ab]", "a", false),
            ("[ab]", "[ab]", true),
            ("a\\b", "a\\b", true),
            ("a{b", "a{b", true),
            ("}a{", "}a{", true),
            (".*", ".hidden", true),
            ("*", ".hidden", true),
            ("", "a", false),
        ] {
            assert_eq!(Pattern::new(pattern).matches(path), expected, "{pattern} {path}");
        }
        let (many, deep) = ("{a,b}".repeat(30), "{".repeat(100_000) + &"}".repeat(100_000));
        assert!(Pattern::new(&many).matches(&"ab".repeat(15)));
        assert!(!Pattern::new(&many).matches("x"));
        assert!(!Pattern::new(&deep).matches("x"));
    }
}
