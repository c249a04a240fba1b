//! Referees that ask for another pass in a wrong way.

use super::external;
use crate::support::*;

/// A referee that does what the entry tells it, on the first board only: what it asks for gets no second pass.
const REFEREE: &str = r#"read -r what code
printf 'again\n' > other
next="$3nextpass.in"
case $what in
none) ;;
link) ln -s "$PWD/other" "$next" ;;
dangling) ln -s /no/such/file "$next" ;;
folder) mkdir "$next" ;;
pipe) mkfifo "$next" ;;
esac
exit "$code"
"#;

#[test]
fn a_pass_that_is_asked_for_wrongly_is_a_judge_error_and_never_an_acceptance() {
    for isolation in ["auto", "landlock", "off"] {
        let folder = Folder::new();
        let entries = ["none 42", "none 43", "link 42", "link 43", "dangling 42", "folder 42", "pipe 42", "pipe 7"];
        let entries = entries.map(|what| (what.replace(' ', "-"), format!("cat > /dev/null; echo {what}")));
        let entries: Vec<(&str, &str)> = entries.iter().map(|(name, script)| (&**name, &**script)).collect();
        let keys = "protocol = \"kattis\"\npasses = 2\n";
        external(&folder, keys, REFEREE, &[("A", "a board\n")], &entries);
        folder.file("contest.toml", folder.read("contest.toml").replace("game = ", "input = \"stdin\"\ngame = "));
        let run = ["run", "contest.toml", "--out", "out", "--format", "json", "--isolation", isolation];
        let table = folder.judge(run).exits(3).json();
        let rows = table["entries"].as_array().unwrap();
        let found = |name: &str| -> (String, String) {
            let run = &rows.iter().find(|row| row["entry"] == name).unwrap()["runs"][0];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            (text(&run["cell"]), text(&run["fault"]))
        };
        assert_eq!(found("none-42").0, "AC", "{isolation}");
        assert!(found("none-43").0.ends_with("WRO"), "{isolation}: {table}");
        assert!(found("pipe-7").1.contains("it crashed with exit code 7"), "{isolation}: {table}");
        for name in ["link-42", "link-43", "dangling-42", "folder-42", "pipe-42"] {
            let (cell, fault) = found(name);
            assert!(cell.ends_with("JUD"), "{isolation}: {name}: {cell}");
            assert!(fault.contains("its nextpass.in is not a regular file"), "{isolation}: {name}: {fault}");
        }
    }
}
