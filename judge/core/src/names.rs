//! Names of entries and boards: the rules for new names, and the names that a reader would confuse.
//!
//! A name appears in tables, command lines and file names. So a new name has no invisible character, is in Unicode's
//! compatibility form (NFKC), and differs from every other name in more than case. These rules do not apply to results from
//! elsewhere and old journals; [`crate::text::printable`] shows what is hidden in their names.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use unicode_normalization::UnicodeNormalization as _;

use crate::text::is_invisible;

/// The most characters of a name.
pub const MAX_CHARACTERS: usize = 64;

/// The refusal of a name, as a fragment with the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unusable {what} name {name:?}: {reason}")]
#[non_exhaustive]
pub struct NameError {
    /// The kind of thing, such as `entry`.
    pub what: String,
    /// The refused name as given.
    pub name: String,
    /// The fault of the name.
    #[source]
    pub reason: NameFault,
}

/// A fault of a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// An invisible character.
    #[error("U+{:04X} cannot be seen; leave it out: `{composed}`", u32::from(*hidden))]
    Invisible {
        /// The first invisible character of the name.
        hidden: char,
        /// The name without invisible characters.
        composed: String,
    },
    /// Characters that are not allowed, a beginning like that of an option or a hidden file, or a wrong length.
    #[error("use 1 to {MAX_CHARACTERS} letters, digits and . _ + -, not beginning with . or -")]
    Characters,
    /// Another form than NFKC; the value is the name in that form.
    #[error("it is read as `{0}`; write that")]
    Composed(String),
}

/// Refuses an invalid name for an entry, a board or a group. `what` is the kind of thing.
///
/// # Errors
///
/// The name is not [`composed`], begins with `.` or `-`, is too long or empty, or has characters other than letters, digits and
/// `. _ + -`.
pub fn usable(what: &str, name: &str) -> Result<(), NameError> {
    let fault = match fault(name) {
        None => return Ok(()),
        Some(fault) => fault,
    };
    Err(NameError { what: what.to_owned(), name: name.to_owned(), reason: fault })
}

fn fault(name: &str) -> Option<NameFault> {
    let composed = composed(name);
    if let Some(hidden) = name.chars().find(|&c| is_invisible(c)) {
        return Some(NameFault::Invisible { hidden, composed });
    }
    let plain = composed.chars().all(is_plain);
    let characters = composed.chars().count();
    if !plain || composed.starts_with(['.', '-']) || !(1..=MAX_CHARACTERS).contains(&characters) {
        return Some(NameFault::Characters);
    }
    (composed != name).then_some(NameFault::Composed(composed))
}

/// The form in which a name is stored: NFKC, without invisible characters. File systems use other forms of the same name.
pub fn composed(name: &str) -> String {
    let seen = |name: &str| name.chars().filter(|&c| !is_invisible(c)).nfkc().collect::<String>();
    // A removed character may have separated two characters that can be composed.
    seen(&seen(name))
}

/// A usable name made from any text, such as a path. Characters that are not allowed become `_`. Invisible characters, and `.`
/// and `-` at the beginning, are left out; the name is empty if nothing else is there.
pub fn usable_name(text: &str) -> String {
    let plain: String = composed(text).chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    plain.trim_start_matches(['.', '-']).chars().take(MAX_CHARACTERS).collect()
}

/// Names of one kind, of which no two are alike.
#[derive(Debug, Clone, Default)]
pub struct Names(HashMap<String, String>);

/// An earlier name that a reader would confuse with the new one, see [`alike`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is the name `{0}` already")]
pub struct Taken(pub String);

impl Names {
    /// An added name that a reader would confuse with this one; `None` without one.
    pub fn taken(&self, name: &str) -> Option<&str> {
        self.0.get(&folded(name)).map(String::as_str)
    }

    /// Adds a name.
    ///
    /// # Errors
    ///
    /// A reader would confuse it with a name that was added before.
    pub fn insert(&mut self, name: &str) -> Result<(), Taken> {
        match self.0.entry(folded(name)) {
            Entry::Occupied(other) => Err(Taken(other.get().clone())),
            Entry::Vacant(place) => {
                place.insert(name.to_owned());
                Ok(())
            }
        }
    }
}

/// The error for a name like another one, as a fragment: ``entry name `Mine` differs from `mine` in case only``.
pub fn alike(what: &str, name: &str, other: &str) -> String {
    if name == other {
        return format!("duplicate {what} name `{name}`");
    }
    format!("{what} name `{name}` differs from `{other}` in case only; choose another one")
}

/// Tests whether a new name may contain a character.
pub fn is_plain(c: char) -> bool {
    (c.is_alphanumeric() || "._+-".contains(c)) && !is_invisible(c)
}

/// The form that all names have in common which a reader would confuse: composed and without case.
fn folded(name: &str) -> String {
    // Through upper case, `ß` becomes `ss`, and both forms of the small sigma become one. The capital `ẞ` is its own upper case,
    // so it becomes small first.
    let lower = |name: String| {
        let cases = name.chars().flat_map(char::to_lowercase).flat_map(char::to_uppercase);
        cases.flat_map(char::to_lowercase).collect::<String>()
    };
    composed(&lower(composed(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_cannot_be_seen_is_named() {
        for (c, code) in [
            ('\u{ad}', "U+00AD"),
            ('\u{34f}', "U+034F"),
            ('\u{61c}', "U+061C"),
            ('\u{115f}', "U+115F"),
            ('\u{17b4}', "U+17B4"),
            ('\u{180e}', "U+180E"),
            ('\u{200b}', "U+200B"),
            ('\u{200d}', "U+200D"),
            ('\u{202e}', "U+202E"),
            ('\u{2060}', "U+2060"),
            ('\u{3164}', "U+3164"),
            ('\u{fe0f}', "U+FE0F"),
            ('\u{feff}', "U+FEFF"),
            ('\u{ffa0}', "U+FFA0"),
            ('\u{1bca0}', "U+1BCA0"),
            ('\u{1d173}', "U+1D173"),
            ('\u{e0041}', "U+E0041"),
            ('\u{e0100}', "U+E0100"),
        ] {
            for name in [format!("tw{c}o"), format!("{c}two"), format!("two{c}")] {
                let refused = usable("entry", &name).expect_err(&name).to_string();
                assert!(refused.contains(code) && refused.ends_with("`two`"), "{refused}");
                assert_eq!(composed(&name), "two");
                let mut names = Names::default();
                assert_eq!((names.insert("Two"), names.insert(&name)), (Ok(()), Err(Taken("Two".into()))));
            }
        }
    }

    #[test]
    fn a_name_that_is_another_one_in_a_different_form_is_refused_with_that() {
        for (name, form) in [
            ("\u{fb01}rst", "first"),
            ("\u{ff21}\u{ff29}\u{ff24}", "AID"),
            ("board\u{2460}", "board1"),
            ("x\u{b2}", "x2"),
            ("Gr\u{f6}\u{17f}e", "Grose"),
            ("\u{212b}ngstr\u{f6}m", "\u{c5}ngstr\u{f6}m"),
        ] {
            let form = if form == "Grose" { "Gr\u{f6}se" } else { form };
            let refused = usable("board", name).expect_err(name).to_string();
            assert!(refused.ends_with(&format!("it is read as `{form}`; write that")), "{refused}");
            assert_eq!(usable("board", form), Ok(()));
        }
        // Some file systems store a letter and its accent as two characters.
        assert_eq!(composed("Gro\u{308}ße"), "Größe");
        assert!(usable("board", "Gro\u{308}ße").is_err() && usable("board", "Größe").is_ok());
        for name in ["FOXY", "_x", "+", "a.b-c", "板", "שלום", "١", "0"] {
            assert_eq!(usable("board", name), Ok(()), "{name}");
        }
        for name in ["", ".", "-x", ".x", "a b", "a/b", "a\u{2024}b c", "a\0", "\u{2025}", &"x".repeat(65)] {
            assert!(usable("board", name).expect_err(name).to_string().contains("use 1 to 64 letters"), "{name:?}");
        }
    }

    #[test]
    fn names_that_differ_in_case_only_are_one() {
        for (one, other) in [
            ("FOXY", "foxy"),
            ("Straße", "STRASSE"),
            ("straße", "STRAẞE"),
            ("STRASSE", "straẞe"),
            ("ΣΑΣ", "σας"),
            ("K", "\u{212a}"),
            ("ǆ", "ǅ"),
            ("Ω", "ω"),
            ("İ", "i\u{307}"),
        ] {
            let mut names = Names::default();
            assert_eq!(names.taken(other), None);
            assert_eq!(names.insert(one), Ok(()));
            assert_eq!(names.taken(other), Some(one));
            assert_eq!(names.insert(other), Err(Taken(one.into())), "{one} {other}");
        }
        let mut names = Names::default();
        assert!(["a", "b", "ab", "a.b", "ä", "а"].iter().all(|name| names.insert(name).is_ok()));
        assert_eq!(alike("entry", "a", "a"), "duplicate entry name `a`");
    }

    #[test]
    fn a_name_is_made_of_any_text() {
        assert_eq!(usable_name("../my solver\u{200b}.py"), "_my_solver.py");
        assert_eq!((usable_name("\u{fb01}x").as_str(), usable_name("--").as_str()), ("fix", ""));
        for text in ["a\u{301}\u{200d}b", "\u{3164}", &"é".repeat(99), "\u{2025}x", "ｘ y"] {
            let name = usable_name(text);
            assert!(name.is_empty() || usable("entry", &name).is_ok(), "{text:?} {name:?}");
        }
    }
}
