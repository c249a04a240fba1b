//! A contest with untrusted text that could run in a page or break it, and its harmless twin.
//!
//! Both are the same contest, and their pages have to have the same structure: untrusted text stays text.

use crate::support::*;

/// What would run if it were taken for markup, script, an address or a template; it sets `window.ran`. Beside that what
/// ends strings, comments and elements, steers a terminal, and turns the direction of writing.
pub(crate) const EVIL: &str = concat!(
    "</script><script>window.ran = 'script'</script><script src=http://evil.example/x.js></script>",
    "<img src=x onerror=\"window.ran = 'image'\"><svg onload=\"window.ran = 'svg'\"></svg>",
    "\"'><b onmouseover=\"window.ran = 'b'\" autofocus onfocus=\"window.ran = 'focus'\" tabindex=1>",
    "</title></style></textarea></dialog></table></section></main></body></html>",
    "<!--<script>--!><![CDATA[ ]]><?xml <base href=http://evil.example/><meta http-equiv=refresh content=0;url=/x>",
    "<iframe srcdoc=\"<script>parent.ran = 'frame'</script>\"></iframe><form><input name=body><template>",
    " javascript:window.ran='link' ${window.ran='template'} {{constructor}} \\u003cscript\\u003e &lt;&#x3c;&quot;_",
    "\u{0}\u{1}\u{8}\u{1b}[2J\u{7f}\u{85}\u{9b}2J\u{2028}\u{2029}\u{feff}\u{fffe}",
    "\u{202e}sdrawkcab\u{202b}\u{2067}\u{200f}\u{61c} \u{e0041}e\u{301}\u{301}\u{301}\u{301} the end",
);

/// A line of Markdown each that would run, lead somewhere or ask somebody if it were taken at its word.
const EVIL_MARKDOWN: &str = "\
# A <b onclick=\"window.ran = 'heading'\">heading</b>

<script>window.ran = 'block'</script>

<div onclick=\"window.ran = 'div'\">

[one](javascript:window.ran='link') [two](JaVaScRiPt:window.ran='link') [three](&#106;avascript:window.ran='link')
[four](data:text/html,<script>window.ran='data'</script>) [five](vbscript:x) [six](file:///etc/passwd) [seven](#viewer)
[eight](http://evil.example/\"onmouseover=\"window.ran='attribute') <javascript:window.ran='auto'> [nine][reference]
[ten](\tjava\nscript:window.ran='split') [eleven](//evil.example/) [twelve](report.html?x)

![picture](http://evil.example/picture.png) ![picture](x \"onerror=window.ran='picture'\")

[reference]: javascript:window.ran='reference'

```\"><script>window.ran='fence'</script>
</code></pre><script>window.ran = 'code'</script>
```

| a | <script>window.ran = 'cell'</script> |
| --- | --- |
| </table> | `<img src=x onerror=window.ran='td'>` |

<!-- a comment that does not end
";

/// The one board of the contest.
pub(crate) const BOARD: &str = "שלום";
/// Its entries, by what they do.
pub(crate) const ENTRIES: [&str; 6] = ["illegal", "foreign", "crash", "chatter", "flood", "constructor"];

/// The length of a name that is too long to be shown.
const LONG: usize = 1 << 20;

/// Untrusted texts of one kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strangers {
    Hostile,
    Harmless,
}

impl Strangers {
    fn say(self, what: &str) -> String {
        match self {
            Self::Hostile => format!("{what} {EVIL}"),
            Self::Harmless => what.to_owned(),
        }
    }

    /// A very long text: what [`Self::say`] returns, repeated if the text is hostile.
    fn go_on(self, what: &str) -> String {
        let message = self.say(what);
        match self {
            Self::Hostile => message.repeat(LONG / message.len() + 1),
            Self::Harmless => message,
        }
    }

    fn write(self) -> String {
        match self {
            Self::Hostile => format!("{EVIL_MARKDOWN}{EVIL}\n\n{}deep\n", "> ".repeat(2000)),
            Self::Harmless => "# A heading\n\nA write-up.\n".to_owned(),
        }
    }

    /// The output of the program, which a hostile author makes invalid UTF-8.
    fn print(self, first: &str) -> Vec<u8> {
        match self {
            Self::Hostile => {
                [first.as_bytes(), EVIL.as_bytes(), b"\xff\xfe\xc3\x28\xed\xa0\x80\xf8 ", EVIL.as_bytes()].concat()
            }
            Self::Harmless => [first.as_bytes(), b"words"].concat(),
        }
    }
}

/// Runs the contest and makes a page of it, of its runs as CSV in other words, and of a table from elsewhere.
pub(crate) fn report(folder: &Folder, strangers: Strangers) -> PathBuf {
    folder.file("contest.toml", contest(folder, strangers));
    folder.judge(["run", "--out", "results"]).exits(0);
    forget_load(folder);
    // The name of a file is untrusted as well.
    let [runs, table] = match strangers {
        Strangers::Hostile => {
            ["<img src=x onerror=\"window.ran='file'\">.csv", "\"><script>window.ran='table'<script>.csv"]
        }
        Strangers::Harmless => ["runs.csv", "table.csv"],
    };
    folder.file(runs, runs_csv(strangers, "loyd"));
    folder.file(table, table_csv(strangers));
    folder.judge(["report", "results", runs, table, "-o", "report.html"]).exits(0);
    folder.path().join("report.html")
}

/// Takes out of the journal which runs were disturbed and how long they took: the load of the machine shows on the page.
fn forget_load(folder: &Folder) {
    folder.change_journal("results", |lines| {
        for line in lines {
            line.as_object_mut().unwrap().remove("suspect");
            if !line["wall_us"].is_null() {
                line["wall_us"] = 1000.into();
            }
        }
    });
}

fn contest(folder: &Folder, strangers: Strangers) -> String {
    let quoted = |text: String| toml::Value::String(text).to_string();
    let board = project().join("tests-boards/loyd/near-end-1.txt").display().to_string();
    let mut text = format!("name = {}\ngame = \"loyd\"\nlimit = \"10s\"\n", quoted(strangers.go_on("contest")));
    text += &format!("[[board]]\nname = {BOARD:?}\nfile = {board:?}\nnote = {}\n", quoted(strangers.say("note")));
    folder.file("illegal.bin", strangers.print("lu"));
    folder.file("foreign.bin", strangers.print("<"));
    folder.script("crash.sh", "cat \"$1\" >&2; exit 3");
    folder.script("chatter.sh", "cat \"$1\" >&2; echo lluu");
    folder.script("flood.sh", "i=0; while [ $i -lt 400 ]; do cat \"$1\" >&2; i=$((i+1)); done; echo ll");
    let commands: [&[&str]; 6] = [
        &["cat", "illegal.bin"],
        &["cat", "foreign.bin"],
        &["./crash.sh", "foreign.bin"],
        &["./chatter.sh", "foreign.bin"],
        &["./flood.sh", "foreign.bin"],
        &["__proto__"],
    ];
    for (name, command) in ENTRIES.iter().zip(commands) {
        text += &entry(name, command);
        text += &format!("author = {}\n", quoted(strangers.go_on("author")));
        text += &format!("strategy = {}\n", quoted(strangers.go_on("strategy")));
        folder.file(&format!("{name}.md"), strangers.write());
        text += &format!("write_up = \"{name}.md\"\n");
    }
    text
}

/// Makes a page of runs alone, of a game that nobody knows.
pub(crate) fn report_of_unknown_game(folder: &Folder, strangers: Strangers) -> PathBuf {
    folder.file("runs.csv", runs_csv(strangers, &strangers.go_on("game")));
    folder.judge(["report", "runs.csv", "-o", "report.html"]).exits(0);
    folder.path().join("report.html")
}

/// Every text column of a file of runs.
fn runs_csv(strangers: Strangers, game: &str) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = "contest game entry author board verdict progress full moves tie_break limit_ms exit_code failed_at token reason final_board isolation suspect notes";
    writer.write_record(head.split(' ')).unwrap();
    for (index, verdict) in ["illegal_move", "could_not_start", "judge_error", "unsolved", "crashed"].iter().enumerate()
    {
        let entry = strangers.go_on(&format!("entry {index}"));
        for place in 0..2 {
            let board = strangers.say(&format!("board {place}"));
            let say = |what| strangers.say(what);
            let fields = [
                &say("contest"),
                game,
                &entry,
                &say("author"),
                &board,
                *verdict,
                "3",
                "25",
                "2",
                "0",
                "1000",
                "3",
                "3",
                &say("token"),
                &say("reason"),
                &say("final"),
                &say("isolation"),
                &say("suspect"),
                &say("notes"),
            ];
            writer.write_record(fields).unwrap();
        }
    }
    writer.into_inner().unwrap()
}

/// A table with one row an entry, its words in the head.
fn table_csv(strangers: Strangers) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let [board, other, progress, tie_break] =
        ["board", "other", "progress", "tie-break"].map(|what| strangers.go_on(what));
    writer.write_record(["entry", "author", &board, &other, &progress, "moves", &tie_break, "total_ms"]).unwrap();
    for index in 0..2 {
        let (name, author) = (strangers.go_on(&format!("entry {index}")), strangers.say("author"));
        writer.write_record([&name, &author, "25/94", "0/ILL", "25", "94", "3", "20"]).unwrap();
    }
    writer.into_inner().unwrap()
}
