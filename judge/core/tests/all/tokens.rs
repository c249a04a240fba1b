//! The default validator: every argument, and files of which only the shape matters.

use judge_core::tokens::{Mismatch, TokenRules};

fn compare(arguments: &str, expected: &[u8], answer: &[u8]) -> Result<u64, Mismatch> {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let rules = TokenRules::parse(&arguments).expect("good arguments");
    rules.compare(expected, answer).expect("slices can be read")
}

#[test]
fn each_argument_separates_two_answers() {
    for (arguments, expected, accepted, rejected) in [
        ("", "a B  c\n", "\t A b\r\nC", "a b"),
        ("", "a", "a\x0b\x0c ", "a b"),
        ("", "", " \n", "0"),
        ("", "1.0", "1.0", "1"),
        ("", "caf\u{e9}", "CAF\u{e9}", "CAF\u{c9}"),
        ("case_sensitive", "aB", " aB ", "ab"),
        ("space_change_sensitive", "a  b\n", "A  B\n", "a b\n"),
        ("space_change_sensitive", "a b\n", "a b\n", "a b"),
        ("space_change_sensitive", "a b", "a b", "a\tb"),
        ("space_change_sensitive", "a b", "a b", " a b"),
        ("case_sensitive space_change_sensitive", "a B\n", "a B\n", "a b\n"),
        // Lines of white space at the end do not count, all others do, as in the comparison of CMS.
        ("line_sensitive", "a b\n\nc\n", " a\tb \r\n \x0b\nc\n\n \n", "a b\nc\n"),
        ("line_sensitive", "a b\n", "a b", "a\nb\n"),
        ("line_sensitive", "a\nb", "A\nB\n", "\na\nb"),
        ("line_sensitive case_sensitive", "", "\n\n", "a"),
        ("float_tolerance 1e-2", "100 x", "100.9 X", "101.1 x"),
        ("float_tolerance 1e-2", "0.0314", "3.14000000e-2", "three"),
        ("float_absolute_tolerance 0.1", "100", "100.1", "100.2"),
        ("float_relative_tolerance 0.1", "0", "0.0", "1e-300"),
        ("float_relative_tolerance 0.01", "-100", "-99", "-98.9"),
        ("float_absolute_tolerance 1 float_relative_tolerance 1e-9", "5", "6", "6.1"),
        // The last tolerance counts, so that a group can override the package.
        ("float_tolerance 1 float_tolerance 1e-9", "5", "5", "5.5"),
        // Beyond 2^53, where floats have no difference of 1.
        ("float_absolute_tolerance 0.5", "9007199254740993", "9007199254740993.25", "9007199254740992"),
        ("float_tolerance 1e-20", "12345678901234567890", "12345678901234567890", "12345678901234567891"),
        // A difference of just the tolerance, which no float has.
        ("float_absolute_tolerance 0.1", "1", "1.1", "1.10000000000000000000000000000001"),
        ("float_relative_tolerance 1e-6", "-1", "-1.000001", "-1.00000100000000000000000000000001"),
        // Legacy packages have hexadecimal numbers, too.
        ("float_tolerance 1e-9 float_hexadecimal", "0x10 12", "16 0x1.8p3", "16 0x1.9p3"),
        ("float_tolerance 1e-9 float_hexadecimal", "16", "0X1P4", "0x1p"),
        // What is no number in the judge's answer is text, and stays text in the answer.
        ("float_tolerance 1e-6", "inf nan 0x10", "INF NaN 0x10", "inf nan 16"),
        ("float_tolerance 1e-6", "12", "12.", "inf"),
        ("float_tolerance 1e-6", "1e400", "1E400", "1e401"),
        ("float_tolerance 1", "1", "+.5e0", "1.0.0"),
    ] {
        assert!(compare(arguments, expected.as_bytes(), accepted.as_bytes()).is_ok(), "{arguments}: {accepted:?}");
        assert!(compare(arguments, expected.as_bytes(), rejected.as_bytes()).is_err(), "{arguments}: {rejected:?}");
    }
}

#[test]
fn a_difference_is_reported_with_its_place() {
    let message = |arguments: &str, expected: &str, answer: &str| {
        let Mismatch { line, expected_line, equal, reason, .. } =
            compare(arguments, expected.as_bytes(), answer.as_bytes()).expect_err("a difference");
        format!("{line}/{expected_line} after {equal}: {reason}")
    };
    assert_eq!(message("", "1\n2\n3", "1 2\n4"), "2/3 after 2: expected `3`, not `4`");
    assert_eq!(message("", "1 2", "1"), "1/1 after 1: the answer ends; expected `2`");
    assert_eq!(message("", "1", "1\n\n2"), "3/1 after 1: the answer goes on with `2`; expected its end");
    assert_eq!(
        message("float_tolerance 0", "1", "1.5"),
        "1/1 after 0: `1.5` differs from `1` by more than the tolerance"
    );
    assert_eq!(
        message("space_change_sensitive", "a b", "a\tb"),
        "1/1 after 1: white space differs: expected ` `, not `\\t`"
    );
    let moved = "2/1 after 1: `b` is in another line than in the judge's answer";
    assert_eq!(message("line_sensitive", "a b", "a\nb"), moved);
    assert_eq!(message("", "a", "\x1b[2J\u{202e}"), "1/1 after 0: expected `a`, not `\\x1b[2J\\xe2\\x80\\xae`");
}

#[test]
fn hostile_answers_are_quoted_in_part() {
    // A number whose exact value would fill the memory, one with a million digits, NUL bytes, and tokens without an end.
    assert!(compare("float_tolerance 1e-6", b"1", b"1e99999999").is_err());
    assert!(compare("float_tolerance 1e-6", b"1", &[b'1'; 1 << 20]).is_err());
    assert!(compare("float_tolerance 1e-6", b"1", &[b'1'; 1 << 21]).is_err());
    assert!(compare("", b"abc", b"abc\0def").is_err());
    let long = vec![b'x'; 1 << 20];
    let mut other = long.clone();
    assert_eq!(compare("case_sensitive", &long, &long), Ok(1));
    *other.last_mut().expect("not empty") = b'y';
    let mismatch = compare("case_sensitive", &long, &other).expect_err("another last byte");
    assert!(mismatch.reason.len() < 100, "{}", mismatch.reason);
    other.pop();
    assert!(compare("", &long, &other).is_err());
    assert!(compare("", &other, &long).is_err());
}

#[test]
fn numbers_of_many_digits_are_numbers() {
    let digits = |last: char| format!("0.{}{last}", "3".repeat(5000));
    let near = |arguments: &str, answer: &str| compare(arguments, digits('3').as_bytes(), answer.as_bytes()).is_ok();
    assert!(near("float_tolerance 1e-9", "0.3333333333") && near("float_tolerance 1e-9", &digits('9')));
    assert!(!near("float_tolerance 1e-9", "0.3333"));
    assert!(near("float_absolute_tolerance 6e-5001", &digits('9')));
    assert!(!near("float_absolute_tolerance 5e-5001", &digits('9')));
    let whole = "7".repeat(2000);
    assert!(compare("float_absolute_tolerance 0.5", whole.as_bytes(), format!("{whole}.4").as_bytes()).is_ok());
    assert!(compare("float_absolute_tolerance 0.5", whole.as_bytes(), format!("{whole}.6").as_bytes()).is_err());
}

#[test]
fn unknown_arguments_are_refused() {
    let refused = |arguments: &[&str]| TokenRules::parse(arguments).expect_err("refused").to_string();
    assert!(
        refused(&["case_insensitive"]).starts_with("unknown argument `case_insensitive`; available: case_sensitive")
    );
    assert_eq!(refused(&["float_tolerance"]), "`float_tolerance` needs a number, such as 1e-6");
    for value in ["nan", "-1", "0x1p-20", "x"] {
        assert!(refused(&["float_tolerance", value]).contains(value), "{value}");
    }
}
