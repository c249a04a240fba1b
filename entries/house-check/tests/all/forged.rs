//! Recorded certificates are accepted; forged ones are refused, also those that the forger sealed again.

use std::fs;
use std::path::Path;

use house_check::{Limits, Verdict, check_certificate, seal};
use serde_json::{Value, json};

fn recorded(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/house").join(name)).unwrap()
}

fn check(text: &str) -> Result<Verdict, String> {
    check_certificate(text, &Limits { threads: 2, time: None, progress: None }, &mut |_| ())
}

#[test]
fn the_certificates_with_small_tables_are_accepted() {
    for (name, moves) in [("trap", 26), ("swap-ab", 21), ("ring", 24)] {
        let accepted = Verdict { claimed: moves, checked: moves, moves: Some(moves.into()) };
        assert_eq!(check(&recorded(&format!("{name}.json"))), Ok(accepted), "{name}");
    }
}

/// One way to forge the certificate of `trap`: a name, the change, and the reason why it is refused even if it is sealed
/// again.
type Forgery = (&'static str, fn(&mut Value), &'static str);

const FORGERIES: [Forgery; 17] = [
    ("method", |c| c["method"] = json!("by hand"), "the method is not that of this version"),
    ("version", |c| c["version"] = json!("9.9.9"), "unknown version `9.9.9`"),
    ("time", |c| c["milliseconds"] = json!(3), "the thresholds took 4 ms of 3 ms"),
    ("threshold appended", append, "the bound is 28, but the answer has 26 moves"),
    // With an answer that is two moves longer, only the search finds the forgery.
    ("threshold appended, and a longer answer", append_longer, "there is an answer of at most 26 moves"),
    ("bound raised", |c| c["bound"] = json!(28), "the bound is 28, but the thresholds end before 26"),
    ("threshold left out", leave_out, "the thresholds do not rise by two from 18"),
    ("nodes left out", |c| c["thresholds"][1]["nodes"] = json!(0), "a threshold without nodes"),
    ("board", |c| c["board"] = json!("BFCDE KAGHJ PLMIO UQRNT VWXS+"), "the answer does not lead to the goal"),
    ("no board", |c| c["board"] = json!("FBCDE"), "`A` is missing"),
    ("answer", |c| c["answer"] = json!("dddddd"), "move 5 of the answer, `d`, is illegal"),
    ("longer answer", longer, "`proved_shortest` contradicts the bound and the answer"),
    ("checksum", |c| c["tables"][2]["sha256"] = c["tables"][1]["sha256"].clone(), "the checksum of table EJNO differs"),
    ("tables", |c| c["tables"] = json!([]), "no version of the house entry has these tables"),
    ("second bound", |c| c["dual"] = c["tables"].clone(), "no version of the house entry has these tables"),
    ("ending", |c| c["ending"] = json!(3), "the checksum of table "),
    ("direction", |c| c["direction"] = json!("from perfection"), "no version of the house entry has these tables"),
];

fn append(certificate: &mut Value) {
    certificate["thresholds"].as_array_mut().unwrap().push(json!({"moves": 26, "nodes": 14_000, "milliseconds": 0}));
    certificate["bound"] = json!(28);
}

/// An answer with two moves that undo each other in front.
fn longer(certificate: &mut Value) {
    let answer = format!("du{}", certificate["answer"].as_str().unwrap());
    certificate["answer"] = json!(answer);
}

fn append_longer(certificate: &mut Value) {
    append(certificate);
    longer(certificate);
}

fn leave_out(certificate: &mut Value) {
    certificate["thresholds"].as_array_mut().unwrap().remove(2);
}

/// The certificate of `trap` without its seal, changed. Fields keep their values, not their order.
fn forged(change: fn(&mut Value)) -> String {
    let mut certificate: Value = serde_json::from_str(&recorded("trap.json")).unwrap();
    certificate.as_object_mut().unwrap().remove("seal");
    change(&mut certificate);
    serde_json::to_string_pretty(&certificate).unwrap()
}

#[test]
fn forged_certificates_are_refused_even_if_they_are_sealed_again() {
    assert!(check(&seal(&forged(|_| ())).unwrap()).is_ok(), "the change alone makes the difference");
    for (name, change, reason) in FORGERIES {
        let why = check(&seal(&forged(change)).unwrap()).unwrap_err();
        assert!(why.contains(reason), "{name}: {why}");
    }
}

#[test]
fn a_change_of_a_sealed_certificate_is_refused() {
    let good = recorded("trap.json");
    let broken = "the seal is broken: the text was changed after it was sealed";
    let changes = [
        ("\"nodes\": 2006", "\"nodes\": 2007", broken),
        ("\"milliseconds\": 66", "\"milliseconds\": 67", broken),
        ("\"ways\": 6", "\"ways\": 9", broken),
        ("\"milliseconds\": 66,", "\"milliseconds\":  66,", broken),
        ("\"milliseconds\": 66,", "\"milliseconds\": 66, \"remark\": 1,", "unknown field `remark`"),
        ("\"seal\": \"", "\"seal\": \"0", broken),
        ("\"bound\": 26", "\"bound\": 260", "not a sealed certificate: "),
        ("\n}\n", "", "not a sealed certificate: "),
        ("\n}\n", "\n}\n\n", "the seal is not the last line"),
    ];
    for (from, to, reason) in changes {
        let changed = good.replace(from, to);
        assert_ne!(changed, good, "{from}");
        let why = check(&changed).unwrap_err();
        assert!(why.contains(reason), "{from}: {why}");
    }
    let unsealed = check(&forged(|_| ())).unwrap_err();
    assert!(unsealed.contains("missing field `seal`"), "{unsealed}");
    assert!(seal("{}").is_err());
}
