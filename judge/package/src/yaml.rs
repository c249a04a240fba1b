//! The YAML that packages use: one document of maps, lists and scalars, with line numbers for errors. A second document is
//! refused instead of ignored, as by problemtools and BAPCtools.
//!
//! Scalars stay text until a reader asks for a type, so a name such as `1e3` or `no` keeps its spelling. Aliases are
//! copied, and the size of a document with its copies is limited.

use std::collections::{HashMap, HashSet};

use saphyr_parser::{Event, Parser, ScalarStyle};

/// The longest document, in bytes.
const MAX_BYTES: usize = 4 << 20;
/// The most bytes of its texts, including copies of aliases.
const MAX_COPIED_BYTES: usize = 4 * MAX_BYTES;
/// The most values of a document, including copies of aliases.
const MAX_VALUES: usize = 100_000;
/// The deepest nesting of lists and maps.
const MAX_DEPTH: usize = 64;

/// A value and its line, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Line of its first character, from 1.
    pub line: usize,
    /// The value that begins there.
    pub value: Value,
}

/// A value of a YAML document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing: an empty value, `~` or `null`.
    Null,
    /// Text, a number or a truth value.
    Scalar(String),
    /// A sequence, in the order of the file.
    List(Vec<Node>),
    /// A mapping from text, in the order of the file. A repeated key has its last value.
    Map(Vec<(String, Node)>),
}

/// The reason why a document was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    /// Line of the fault, from 1.
    pub line: usize,
    /// The reason, as a fragment.
    pub reason: String,
}

impl Node {
    /// The name of its kind, for error messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Scalar(_) => "a scalar",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }

    /// The number of values in it, including itself, and the bytes of its texts.
    fn size(&self) -> Size {
        let inner = match &self.value {
            Value::Null => Size::default(),
            Value::Scalar(text) => Size { values: 0, bytes: text.len() },
            Value::List(items) => items.iter().map(Self::size).fold(Size::default(), Size::and),
            Value::Map(pairs) => {
                let sizes = pairs.iter().map(|(key, node)| node.size().and(Size { values: 0, bytes: key.len() }));
                sizes.fold(Size::default(), Size::and)
            }
        };
        inner.and(Size::ONE)
    }

    fn depth(&self) -> usize {
        1 + match &self.value {
            Value::Null | Value::Scalar(_) => 0,
            Value::List(items) => items.iter().map(Self::depth).max().unwrap_or_default(),
            Value::Map(pairs) => pairs.iter().map(|(_, node)| node.depth()).max().unwrap_or_default(),
        }
    }
}

/// Parses a text of one document. An empty text is [`Value::Null`].
///
/// # Errors
///
/// The text is not YAML, has a second document, or exceeds a limit of packages; with the line.
pub fn parse(text: &str) -> Result<Node, YamlError> {
    if text.len() > MAX_BYTES {
        return Err(YamlError { line: 1, reason: format!("larger than {} MiB", MAX_BYTES >> 20) });
    }
    let mut loader = Loader { open: Vec::new(), anchors: HashMap::new(), size: Size::default() };
    let mut document = None;
    for event in Parser::new_from_str(text.strip_prefix('\u{feff}').unwrap_or(text)) {
        let (event, span) = event.map_err(|error| {
            let reason = format!("invalid YAML: {}", error.info());
            YamlError { line: error.marker().line(), reason }
        })?;
        let line = span.start.line();
        if document.is_some() && matches!(event, Event::DocumentStart(_)) {
            let reason =
                "a second document begins here, and a package has one per file; remove this line, or what follows";
            return Err(YamlError { line, reason: reason.into() });
        }
        if let Some(root) = loader.take(event, line).map_err(|reason| YamlError { line, reason })? {
            document = Some(root);
        }
    }
    Ok(document.unwrap_or(Node { line: 1, value: Value::Null }))
}

/// The size of a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Size {
    values: usize,
    bytes: usize,
}

impl Size {
    const ONE: Self = Self { values: 1, bytes: 0 };

    fn and(self, other: Self) -> Self {
        Self { values: self.values + other.values, bytes: self.bytes + other.bytes }
    }
}

/// A collection that is not complete yet.
struct Open {
    node: Node,
    anchor: usize,
    /// The key whose value comes next.
    key: Option<String>,
}

struct Loader {
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    size: Size,
}

impl Loader {
    /// Takes an event and returns the root once it is complete.
    fn take(&mut self, event: Event<'_>, line: usize) -> Result<Option<Node>, String> {
        match event {
            Event::SequenceStart(anchor, _) => self.begin(Value::List(Vec::new()), anchor, line).map(|()| None),
            Event::MappingStart(anchor, _) => self.begin(Value::Map(Vec::new()), anchor, line).map(|()| None),
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { mut node, anchor, .. }) = self.open.pop() else { return Ok(None) };
                if let Value::Map(pairs) = &mut node.value {
                    keep_last_values(pairs);
                }
                self.add(node, anchor)
            }
            Event::Scalar(text, style, anchor, _) => {
                let nothing = style == ScalarStyle::Plain && matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
                let value = if nothing { Value::Null } else { Value::Scalar(text.into_owned()) };
                let node = Node { line, value };
                self.count(node.size())?;
                self.add(node, anchor)
            }
            Event::Alias(anchor) => {
                let known = self.anchors.get(&anchor).ok_or("an alias in its own value")?;
                if self.open.len() + known.depth() > MAX_DEPTH {
                    return Err(format!("nested deeper than {MAX_DEPTH} levels"));
                }
                // Counted before it is copied.
                let size = known.size();
                self.count(size)?;
                let node = self.anchors[&anchor].clone();
                self.add(node, 0)
            }
            _ => Ok(None),
        }
    }

    fn count(&mut self, size: Size) -> Result<(), String> {
        self.size = self.size.and(size);
        if self.size.values > MAX_VALUES {
            return Err(format!("more than {MAX_VALUES} values"));
        }
        if self.size.bytes > MAX_COPIED_BYTES {
            return Err(format!("larger than {} MiB with the copies of its aliases", MAX_COPIED_BYTES >> 20));
        }
        Ok(())
    }

    fn begin(&mut self, value: Value, anchor: usize, line: usize) -> Result<(), String> {
        self.count(Size::ONE)?;
        if self.open.len() >= MAX_DEPTH {
            return Err(format!("nested deeper than {MAX_DEPTH} levels"));
        }
        self.open.push(Open { node: Node { line, value }, anchor, key: None });
        Ok(())
    }

    /// Adds a complete value to the innermost collection.
    fn add(&mut self, node: Node, anchor: usize) -> Result<Option<Node>, String> {
        if anchor > 0 {
            self.count(node.size())?;
            self.anchors.insert(anchor, node.clone());
        }
        let Some(Open { node: outer, key, .. }) = self.open.last_mut() else { return Ok(Some(node)) };
        match &mut outer.value {
            Value::List(items) => items.push(node),
            Value::Map(pairs) => match (key.take(), node.value) {
                (None, Value::Scalar(text)) => *key = Some(text),
                (None, Value::Null) => *key = Some("null".into()),
                (None, _) => return Err("a key of a map must be a scalar".into()),
                (Some(name), value) => pairs.push((name, Node { line: node.line, value })),
            },
            Value::Null | Value::Scalar(_) => {}
        }
        Ok(None)
    }
}

/// Keeps the last value of every key, in time that is linear in the number of pairs.
fn keep_last_values(pairs: &mut Vec<(String, Node)>) {
    let kept: Vec<bool> = {
        let mut later = HashSet::new();
        pairs.iter().rev().map(|(key, _)| later.insert(key.as_str())).collect()
    };
    let mut kept = kept.into_iter().rev();
    pairs.retain(|_| kept.next().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(node: &Node) -> String {
        match &node.value {
            Value::Null => "-".into(),
            Value::Scalar(text) => text.clone(),
            Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
            Value::Map(pairs) => {
                let pairs = pairs.iter().map(|(key, node)| format!("{key}={}", shown(node)));
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }

    #[test]
    fn documents_become_values_with_lines() {
        let node =
            parse("# note\na: 1e3\nb: [x, 'null', ~]\nc:\n  d: no\n  e: &k {f: 2}\ng: *k\na: last\n").expect("valid");
        assert_eq!(shown(&node), "{b=[x, null, -], c={d=no, e={f=2}}, g={f=2}, a=last}");
        let Value::Map(pairs) = &node.value else { panic!("a map") };
        assert_eq!(pairs.iter().map(|(_, node)| node.line).collect::<Vec<_>>(), [3, 5, 6, 8]);
        assert_eq!(parse("").expect("empty").value, Value::Null);
        assert_eq!(shown(&parse("\u{feff}---\nx: 1\n...\n# end\n").expect("valid")), "{x=1}");
    }

    #[test]
    fn a_second_document_is_refused_with_its_line() {
        for (text, line) in [
            ("x: 1\n---\ny: 2\n", 2),
            ("---\nx: 1\n---\n---\n", 3),
            ("x: 1\n...\n---\n", 3),
            ("---\n---\nx: 1\n", 2),
            ("x: 1\n--- # nothing\n", 2),
            ("- x\n...\ny: 2\n", 3),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!((error.line, error.reason.contains("second document")), (line, true), "{text}: {error:?}");
        }
        // Dashes inside a text do not start a document.
        assert_eq!(shown(&parse("x: |\n  a\n  ---\n  b\n").expect("valid")), "{x=a\n---\nb\n}");
        // Text after the document is parsed as well.
        assert_eq!(parse("x: 1\n...\n]\n").expect_err("invalid").line, 3);
    }

    #[test]
    fn invalid_and_oversized_documents_are_refused() {
        assert_eq!(parse("a: b\n c: [\n").expect_err("invalid").line, 2);
        assert!(parse("? [a]\n: b").expect_err("a list as a key").reason.contains("must be a scalar"));
        assert!(parse(&"[".repeat(70)).expect_err("deep").reason.contains("nested deeper than 64"));
        assert!(parse(&"[".repeat(100_000)).is_err());
        assert!(parse(&"- ".repeat(100_000)).expect_err("deep").reason.contains("nested deeper than 64"));
        // Each line doubles the size of the previous value.
        let bomb: String = (1..40).map(|n| format!("a{n}: &a{n} [*a{}, *a{}]\n", n - 1, n - 1)).collect();
        assert!(parse(&format!("a0: &a0 x\n{bomb}")).expect_err("a bomb").reason.contains("more than 100000 values"));
        assert!(parse("a: &a [*a]").is_err());
        // Few values, and each is a copy of a long text.
        let copies = format!("a: &a {}\nb: [{}]", "x".repeat(1 << 20), "*a, ".repeat(1000));
        assert!(parse(&copies).expect_err("a bomb").reason.contains("larger than 16 MiB"));
        // A map with many keys, each of which would be compared with all others.
        let map: String = (0..49_000).map(|n| format!("k{n}: 1\n")).collect();
        let Value::Map(pairs) = parse(&map).expect("valid").value else { panic!("a map") };
        assert_eq!(pairs.len(), 49_000);
    }
}
