//! Signatures as text, in which every name has its whole path.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// A piece of a signature.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Word(String),
    Sign(String),
}

/// The text of a signature. `resolve` returns the whole path of a path, or `None` for a name of the language.
pub(super) fn text(tokens: TokenStream, resolve: &mut dyn FnMut(&[String]) -> Option<String>) -> String {
    let mut pieces = Vec::new();
    split(tokens, &mut pieces);
    let mut text = String::new();
    let (mut at, mut before) = (0, Piece::Sign(String::new()));
    while at < pieces.len() {
        let (piece, next) = match &pieces[at] {
            Piece::Word(word) => named(&pieces, at, word, &before, resolve),
            sign => (sign.clone(), at + 1),
        };
        if is_spaced(&before, &piece) {
            text.push(' ');
        }
        match &piece {
            Piece::Word(word) | Piece::Sign(word) => text.push_str(word),
        }
        (at, before) = (next, piece);
    }
    // The last field or argument has a comma only if its line was broken.
    text.replace(", )", ")").replace(",)", ")").replace(", }", " }").replace(",>", ">")
}

/// The path that begins at a word, and the index of its end.
fn named(
    pieces: &[Piece],
    at: usize,
    word: &str,
    before: &Piece,
    resolve: &mut dyn FnMut(&[String]) -> Option<String>,
) -> (Piece, usize) {
    let (mut path, mut next) = (vec![word.to_owned()], at + 1);
    while let [Piece::Sign(sign), Piece::Word(word), ..] = &pieces[next..]
        && sign == "::"
    {
        path.push(word.clone());
        next += 2;
    }
    let sign =
        |piece: Option<&Piece>, wanted: &[&str]| matches!(piece, Some(Piece::Sign(sign)) if wanted.contains(&&**sign));
    // The name of an argument, a field, an associated type, a lifetime or a function.
    let is_name = path.len() == 1 && sign(pieces.get(next), &[":", "="])
        || sign(Some(before), &["'", "::"])
        || *before == Piece::Word("fn".into());
    let whole = if is_name { None } else { resolve(&path) };
    (Piece::Word(whole.unwrap_or_else(|| path.join("::"))), next)
}

fn split(tokens: TokenStream, pieces: &mut Vec<Piece>) {
    let mut joined = String::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                pieces.push(Piece::Sign(open.into()));
                split(group.stream(), pieces);
                pieces.push(Piece::Sign(close.into()));
            }
            TokenTree::Ident(word) => pieces.push(Piece::Word(word.to_string())),
            TokenTree::Literal(literal) => pieces.push(Piece::Word(literal.to_string())),
            TokenTree::Punct(sign) => {
                joined.push(sign.as_char());
                let whole = ["::", "->", "=>", "..", "..="]
                    .iter()
                    .any(|whole| whole.starts_with(&*joined) && joined.len() < whole.len());
                if sign.spacing() == Spacing::Alone || !whole {
                    pieces.push(Piece::Sign(std::mem::take(&mut joined)));
                }
            }
        }
    }
}

fn is_spaced(before: &Piece, piece: &Piece) -> bool {
    const KEYWORDS: [&str; 8] = ["mut", "const", "dyn", "for", "impl", "where", "in", "as"];
    match (before, piece) {
        (Piece::Sign(sign), _) if sign.is_empty() => false,
        (_, Piece::Sign(sign)) if ["->", "=", "=>", "+", "{", "}"].contains(&&**sign) => true,
        (Piece::Sign(sign), _) if ["->", "=", "=>", "+", "{", ",", ";", ":"].contains(&&**sign) => true,
        (Piece::Word(_), Piece::Word(_)) => true,
        (Piece::Sign(sign), Piece::Word(_)) => [">", ")", "]", "}"].contains(&&**sign),
        (Piece::Word(word), Piece::Sign(sign)) => {
            KEYWORDS.contains(&&**word) && ["[", "(", "&"].contains(&&**sign) && !(word == "impl" && sign == "<")
        }
        (Piece::Sign(_), Piece::Sign(_)) => false,
    }
}
