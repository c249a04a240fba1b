//! Typed access to a YAML map, with errors that name the file and the line, and with a list of unread keys.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;

use crate::error::PackageError;
use crate::yaml::{Node, Value};

/// The largest score: points of a contest have 64 bits, with six decimals.
pub(crate) const MAX_SCORE: f64 = 1e12;

/// A YAML map of a file.
pub(crate) struct Table<'a> {
    file: &'a Path,
    line: usize,
    pairs: &'a [(String, Node)],
    used: RefCell<HashSet<&'a str>>,
}

impl<'a> Table<'a> {
    /// The map in a node. An empty node counts as an empty map.
    pub(crate) fn new(file: &'a Path, what: &str, node: &'a Node) -> Result<Self, PackageError> {
        let pairs = match &node.value {
            Value::Map(pairs) => pairs.as_slice(),
            Value::Null => &[],
            _ => return Err(PackageError::at(file, node.line, format!("{what} must be a map, not {}", node.kind()))),
        };
        Ok(Self { file, line: node.line, pairs, used: RefCell::default() })
    }

    pub(crate) fn file(&self) -> &'a Path {
        self.file
    }

    /// The value of a key, if it has one.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Node> {
        let (name, node) = self.pairs.iter().find(|(name, _)| name == key)?;
        self.used.borrow_mut().insert(name);
        (node.value != Value::Null).then_some(node)
    }

    /// Every pair of the map.
    pub(crate) fn pairs(&self) -> &'a [(String, Node)] {
        self.pairs
    }

    /// Refuses the map as a whole.
    pub(crate) fn refuse(&self, reason: impl std::fmt::Display) -> PackageError {
        PackageError::at(self.file, self.line, reason)
    }

    /// Refuses the value of a key, with the line of the value.
    pub(crate) fn refuse_at(&self, node: &Node, reason: impl std::fmt::Display) -> PackageError {
        PackageError::at(self.file, node.line, reason)
    }

    /// The text of a scalar.
    pub(crate) fn text(&self, key: &str) -> Result<Option<&'a str>, PackageError> {
        self.get(key).map(|node| self.scalar(key, node)).transpose()
    }

    fn scalar(&self, key: &str, node: &'a Node) -> Result<&'a str, PackageError> {
        match &node.value {
            // It cannot be passed to a program or be part of a path.
            Value::Scalar(text) if text.contains('\0') => {
                Err(self.refuse_at(node, format!("{key} contains a NUL character; leave it out")))
            }
            Value::Scalar(text) => Ok(text),
            _ => Err(self.refuse_at(node, format!("{key} must be a scalar, not {}", node.kind()))),
        }
    }

    /// The finite number at a key; `None` without the key.
    pub(crate) fn number(&self, key: &str) -> Result<Option<f64>, PackageError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let text = self.scalar(key, node)?;
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.map(Some).ok_or_else(|| self.refuse_at(node, format!("{key} must be a number, not `{text}`")))
    }

    /// A number within the range of points.
    pub(crate) fn score(&self, key: &str) -> Result<Option<f64>, PackageError> {
        let number = self.number(key)?;
        let Some(wrong) = number.filter(|number| number.abs() > MAX_SCORE) else { return Ok(number) };
        let node = self.get(key).expect("it has a value");
        Err(self.refuse_at(node, format!("{key} must be at most {MAX_SCORE:e}, not {wrong:e}")))
    }

    /// A number above zero that is small enough to be a limit.
    pub(crate) fn limit(&self, key: &str) -> Result<Option<f64>, PackageError> {
        let number = self.number(key)?;
        let Some(wrong) = number.filter(|number| !(*number > 0.0 && *number <= 1e9)) else { return Ok(number) };
        let node = self.get(key).expect("it has a value");
        Err(self.refuse_at(node, format!("{key} must be more than 0 and at most 1e9, not {wrong}")))
    }

    /// A list of scalars; a single scalar is a list of one.
    pub(crate) fn texts(&self, key: &str) -> Result<Option<Vec<String>>, PackageError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        match &node.value {
            Value::List(items) => {
                items.iter().map(|item| Ok(self.scalar(key, item)?.to_owned())).collect::<Result<_, _>>().map(Some)
            }
            _ => Ok(Some(vec![self.scalar(key, node)?.to_owned()])),
        }
    }

    /// Arguments: a list of scalars, or one scalar that is split at white space.
    pub(crate) fn arguments(&self, key: &str) -> Result<Option<Vec<String>>, PackageError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        match &node.value {
            Value::List(_) => self.texts(key),
            Value::Map(_) => {
                // The old form names a validator and its flags.
                let map = Table::new(self.file, key, node)?;
                Ok(Some(map.arguments("flags")?.unwrap_or_default()))
            }
            _ => Ok(Some(self.scalar(key, node)?.split_whitespace().map(str::to_owned).collect())),
        }
    }

    /// Notices on keys that were never read.
    pub(crate) fn unknown(&self) -> Vec<String> {
        let used = self.used.borrow();
        let unknown = self.pairs.iter().filter(|(key, _)| !used.contains(key.as_str()));
        unknown.map(|(key, node)| format!("{}:{}: ignored key `{key}`", self.file.display(), node.line)).collect()
    }
}
