//! A cookie that a client shows.
//!
//! What must hold: only the signed one is valid.

use std::sync::OnceLock;

use judge_office::line::{Dated, FORMAT, Line};
use judge_office::state::{Access, State};
use judge_office::token::Token;
use judge_office_web::parsers::{cookie, holder};

const KEY: [u8; 32] = [7; 32];
const NOW: u64 = 1_795_435_200;
const TOKEN: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ";

/// Only the cookie that was signed is valid. In an input, `VALID` stands for it.
pub fn check(input: &[u8]) {
    static KNOWN: OnceLock<(State, String)> = OnceLock::new();
    let (state, valid) = KNOWN.get_or_init(|| {
        let mut state = State::default();
        state.apply(Dated { at: 1, line: Line::Office { format: FORMAT } }).expect("a beginning");
        state.set_access(
            Access { organisers: [("organiser".to_owned(), vec![Token::hash_of(TOKEN)])].into(), ..Access::default() }
                .into(),
        );
        let valid = cookie(KEY, TOKEN, NOW, &state).expect("the token is the organiser's");
        (state, valid)
    });
    let text = String::from_utf8_lossy(input).replace("VALID", valid);
    assert_eq!(holder(KEY, &text, NOW, state).is_some(), text == *valid, "{text}");
    assert!(holder([8; 32], &text, NOW, state).is_none());
}
