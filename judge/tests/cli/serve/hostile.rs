//! Untrusted text stays text in every answer of the office, and creates no element or attribute. A parser of Python's
//! library reads the answers.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use super::*;

use crate::support::*;

/// Markup in every quotation, the end of a section, controls, marks that turn the direction, and a very long name.
fn hostile(place: &str) -> String {
    format!(
        "<script>zq(1)</script>\"><img src=x onerror=zq(2)>'><zqtag zqattr=1>]]><zqtag/><!-- zq &lt;zqtag&gt; \u{202e}\u{2066}\
         \u{7}\u{1b}[2J javascript:zq(3) {place} {}",
        "W".repeat(4000)
    )
}

/// A text for a form.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// A program that prints hostile texts, including a word of 64 KiB, to both streams.
fn printing(first: &str) -> String {
    let text: String = hostile("output").bytes().map(|byte| format!("\\{byte:03o}")).collect();
    format!(
        "#include <stdio.h>\nint main() {{ fputs(\"{first}{text}\", stdout); fputs(\"{text}\", stderr); \
         for (int i = 0; i < 65536; i++) putchar('x'); return 0; }}"
    )
}

/// The part of an endless answer up to a text.
fn begun(site: &Site, path: &str, until: &str) -> String {
    let mut stream = TcpStream::connect(&site.address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", site.address).unwrap();
    let (mut text, mut line) = (String::new(), Vec::new());
    let mut reader = BufReader::new(stream);
    while !text.contains(until) {
        line.clear();
        assert_ne!(reader.read_until(b'\n', &mut line).unwrap(), 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&line));
    }
    text.split_once("\r\n\r\n").unwrap().1.to_owned()
}

#[test]
#[ignore = "deep: siege"]
fn no_untrusted_text_becomes_markup_on_any_page_or_feed() {
    let python = |arguments: &[&str]| Command::new("python3").args(arguments).output();
    let found = python(&["--version"]).is_ok_and(|output| output.status.success());
    assert!(found || std::env::var_os("REQUIRE_SCIPY").is_none(), "python3 is not there");
    if !found {
        eprintln!("skipped: no python3");
        return;
    }
    let (folder, tokens) = club(&["ada", "bob"]);
    for refused in ["<script>zq</script>", "a\"b", "a\u{202e}b", "a\u{7}b", "a b<c"] {
        folder.judge(["team", "add", "club", refused]).exits(2);
    }
    let people = |person: &str| format!("team,name,contact\ncleo,\"{0}\",\"{0}\"\n", person.replace('"', "\"\""));
    folder.file("people.csv", people(&hostile("person")));
    folder.judge(["team", "add", "club", "--csv", "people.csv"]).exits(2);
    let is_shown = |c: &char| !c.is_control() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
    folder.file("people.csv", people(&hostile("person").chars().filter(is_shown).collect::<String>()));
    folder.judge(["team", "add", "club", "--csv", "people.csv"]).exits(0);
    let file = folder.read("club/contest.toml");
    let (_, rest) = file.split_once('\n').unwrap();
    let title = json!("<script>zq(1)</script>\"><img src=x onerror=zq(2)>'><zqtag zqattr=1>").to_string();
    let language = "[[language]]\ncode = \"zq\"\nname = \"<zqtag onclick=zq>\\\"'>\"\nendings = [\".zq\"]\nrun = [\"sh\", \"{main}\"]\n";
    folder.file("club/contest.toml", format!("name = {title}\n{rest}{language}"));
    let site = Site::start(&folder, &[]);
    let organiser = site.with(site.organiser.as_ref().unwrap());
    let (ada, bob) = (site.with(&tokens[0]), site.with(&tokens[1]));
    // File names, alone and in an archive, and the output of a compiler and of programs.
    let name = "<img src=x onerror=zq(1)>'zq.c";
    folder.file(name, format!("#error {}\n", hostile("compiler").replace(['\u{7}', '\u{1b}'], "\u{8}")));
    folder.judge(["office", "submit", "club", "ada", name]).exits(0);
    let broken = "/submissions/1";
    ada.until(broken, "Compile error: ");
    let shown = bob.submit("main.c", &printing("lluu "));
    bob.until(&shown, "counts");
    let solved = ada.submit("<zqtag>.c", &printing("llu"));
    ada.until(&solved, "counts");
    let twice = ada.submit_with(&[("<zqtag a=1>.c", SOLVES.as_bytes()), ("'zq.h", b"//")], "");
    assert_eq!(twice.code, 303, "{}", twice.body);
    // Texts that users write.
    let question = |of: &Visitor<'_>, path: &str, field: &str, more: &str| {
        let form = format!("{field}={}{more}", encoded(&hostile(field)));
        let answer = of.post_form(path, &form);
        assert!(answer.code == 303, "{path} {form}: {} {}", answer.code, answer.body);
    };
    question(&ada, "/clarifications", "text", "");
    question(&organiser, "/office/clarifications", "text", "&question=1&action=publish");
    let because = ["--because", &hostile("because").replace(['\u{7}', '\u{1b}'], "")];
    let command = |words: &[&str]| folder.judge(words.iter().chain(&because).copied()).exits(0);
    folder.judge(["office", "notice", "club", &hostile("notice").replace(['\u{7}', '\u{1b}'], "")]).exits(0);
    command(&["office", "extend", "club", "--closes", "2099-01-01T00:00:00Z"]);
    command(&["office", "rule", "club", "bob.2", "NEAR", "wrong"]);
    command(&["office", "ignore", "club", "1"]);
    command(&["office", "hold", "club", "4"]);
    folder.judge(["office", "claim", "club", "1", "--by", &hostile("by").replace(['\u{7}', '\u{1b}'], "")]).exits(0);
    command(&["office", "disqualify", "club", "bob"]);
    folder.judge(["office", "freeze", "club"]).exits(0);
    ada.submit("late.c", SOLVES);
    folder.judge(["office", "thaw", "club"]).exits(0);
    organiser.until(&shown, "Out: ");

    let mut answers: Vec<Value> = Vec::new();
    let mut keep = |who: &str, path: &str, answer: Answer| {
        // A redirect to the page for entering, or an address only for forms.
        if matches!(answer.code, 303 | 405) {
            return;
        }
        let kind = answer.header("content-type").unwrap_or_else(|| panic!("{path}: {}", answer.body));
        answers.push(json!({"path": format!("{who} {path}"), "kind": kind, "body": answer.body}));
    };
    // Every address, with each submission and hostile texts for its parameters. `/live` has no end and is read below,
    // and uploads are only saved. Style and script are those of the program.
    let left_out = ["/live", "/style.css", "/script.js"];
    let odd = "%3Czqtag%3E";
    let (api, own): (Vec<String>, Vec<String>) =
        judge_office_web::addresses().into_iter().partition(|address| address.starts_with("/api"));
    let mut pages: Vec<String> =
        ["/board?big", "/reveal?step=1", "/%3Czqtag%20zqattr=1%3E", "/submissions/%22%3E%3Czqtag%3E"]
            .into_iter()
            .chain(["/board?%3Czqtag%3E", "/reveal?step=%3Czqtag%3E"])
            .map(str::to_owned)
            .collect();
    pages.extend((1..=5).map(|number| format!("/submissions/{number}?json")));
    for address in own.iter().filter(|address| !left_out.contains(&&***address) && !address.ends_with("/files")) {
        for (number, board) in
            [("1", "NEAR"), ("2", "NEAR"), ("3", "NEAR"), ("4", "NEAR"), ("5", "NEAR"), ("1", odd), (odd, "X")]
        {
            let path = address
                .replace("{number}", number)
                .replace("{board}", board)
                .replace("{problem}", if board == odd { odd } else { "club" })
                .replace("{other}", "1")
                .replace("{run}", "0");
            assert!(!path.contains('{'), "{path}: say what stands for its parameter");
            pages.push(path);
        }
    }
    pages.sort();
    pages.dedup();
    for (who, visitor) in [("public", &site.visitor()), ("ada", &ada), ("bob", &bob), ("organiser", &organiser)] {
        for path in &pages {
            keep(who, path, visitor.get(path));
        }
        for (path, form) in
            [("/enter", "token=%22%3E%3Czqtag%3E"), ("/clarifications", "text="), ("/submit", "zq=%3Czqtag%3E")]
        {
            keep(who, path, visitor.post_form(path, form));
        }
    }
    let refused = ada.submit_with(&[("<zqtag onclick=1>.xyz", b"x")], "");
    assert_eq!(refused.code, 422, "{}", refused.body);
    keep("ada", "/submit refused", refused);
    let api = api.into_iter().map(|address| {
        let path = address.replace("{contest}", "club").replace("{id}", odd);
        assert!(!path.contains('{'), "{path}");
        if path.ends_with("/event-feed") { path + "?stream=false" } else { path }
    });
    let more = ["event-feed?since_token=%3Czqtag%3E", "%3Czqtag%3E"].map(|rest| format!("/api/contests/club/{rest}"));
    let api: Vec<String> = api.chain(more).collect();
    let basic =
        |name: &str, token: &str| format!("Authorization: Basic {}\r\n", STANDARD.encode(format!("{name}:{token}")));
    let callers = [String::new(), basic("ada", &tokens[0]), basic("organiser", site.organiser.as_ref().unwrap())];
    for (who, caller) in ["public", "ada", "organiser"].iter().zip(&callers) {
        for path in &api {
            keep(who, path, site.visitor().request("GET", path, caller, b""));
        }
    }
    let live = begun(&site, "/live", "data: ");
    answers.push(json!({"path": "/live", "kind": "text/event-stream", "body": live}));
    folder.file("answers.json", Value::from(answers).to_string());
    let script = project().join("judge/tests/cli/office_markup.py");
    let checked = python(&[script.to_str().unwrap(), folder.path().join("answers.json").to_str().unwrap()]).unwrap();
    let (out, errors) = (String::from_utf8_lossy(&checked.stdout), String::from_utf8_lossy(&checked.stderr));
    assert!(checked.status.success(), "{errors}");
    let seen: Value = serde_json::from_str(&out).unwrap();
    let seen = |kind: &str| seen[kind].as_u64().unwrap_or_default();
    assert!(seen("text/html") > 40 && seen("application/json") > 10, "{out}");
    for kind in ["application/atom+xml", "application/x-ndjson"] {
        assert!(seen(kind) > 0, "{kind}: {out}");
    }
}
