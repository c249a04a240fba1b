//! Recognises sources in Python 2 whose first line does not state the version.

/// Tests whether a source is in Python 2: it has a print statement, or calls functions that Python 3 does not have.
pub(crate) fn is_python_2(text: &str) -> bool {
    let code = without_texts(text);
    // A source that checks the version, or expects a name to be missing, also runs in Python 3.
    let is_for_both = ["except NameError", "version_info"].iter().any(|both| code.contains(both));
    let calls = |name: &str| {
        let made = [format!("{name} ="), format!("def {name}(")];
        let imported = code.lines().any(|line| line.contains("import ") && line.contains(name));
        let has_it = is_for_both || imported || made.iter().any(|made| code.contains(made));
        code.contains(&format!("{name}(")) && !has_it
    };
    code.lines().any(has_print_statement) || calls("raw_input") || calls("xrange")
}

/// Tests for `print` as a statement: the text after it is neither a call nor part of another name or expression.
fn has_print_statement(line: &str) -> bool {
    let statements = line.split([';', ':']).map(str::trim_start);
    statements.filter_map(|statement| statement.strip_prefix("print")).any(|rest| {
        let after = rest.trim_start();
        let spaced = rest.starts_with([' ', '\t']);
        let quoted = rest.starts_with(['"', '\'']);
        let begins_value = after.starts_with(|c: char| c.is_alphanumeric() || "_\"'`-[{%".contains(c));
        let is_operator = ["in ", "is ", "and ", "or ", "if ", "for "].iter().any(|word| after.starts_with(word));
        quoted || spaced && begins_value && !is_operator || after.starts_with(">>")
    })
}

/// A source with empty string literals and without comments.
fn without_texts(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| rest.starts_with(quote));
        if let Some(quote) = quote {
            code.push_str("\"\"");
            rest = after_text(&rest[quote.len()..], quote);
        } else if first == '#' {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    code
}

/// The rest after a string literal that began with that quote. A literal whose quote is one character ends with its line,
/// unless a backslash continues it.
fn after_text<'t>(text: &'t str, quote: &str) -> &'t str {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if !escaped && text[at..].starts_with(quote) {
            return &text[at + quote.len()..];
        }
        if quote.len() == 1 && c == '\n' && !escaped {
            return &text[at..];
        }
        escaped = !escaped && c == '\\';
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_2_is_known_by_what_python_3_refuses() {
        for text in [
            "print 1",
            "if x: print x",
            "import sys; print 'a', 2",
            "for i in xrange(3):\n    pass",
            "n = int(raw_input())",
            "print >>sys.stderr, 1",
            "print\"a\"",
            "\tprint -1",
        ] {
            assert!(is_python_2(text), "{text}");
        }
        for text in [
            "print(1)",
            "print (1)",
            "print",
            "x = [print, 1]",
            "# print 1",
            "'''\nprint 1\n'''",
            "s = 'print 1'",
            "s = 'first \\\nprint this'",
            "s = \"it's\"; print(s)",
            "xrange = range\nfor i in xrange(3): pass",
            "try:\n    raw_input()\nexcept NameError:\n    pass",
            "from six.moves import range, xrange\nfor i in xrange(3): pass",
            "from six.moves import input as raw_input\nraw_input()",
            "def raw_input(): return input()\nraw_input()",
            "import sys\nif sys.version_info[0] < 3: x = raw_input()\nelse: x = input()",
            "fingerprint = print if x else None",
            "printer = 1\nprinter (2)",
            "d = {1: print}",
            "'",
            "\"\"\"é",
        ] {
            assert!(!is_python_2(text), "{text}");
        }
    }
}
