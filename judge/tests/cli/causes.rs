//! The cause of an error is its `source`, so that a program can look into it, and log it in its own form.

use std::error::Error;
use std::io;

use judge_contest::builds::BuildsError;
use judge_contest::office::TimesError;
use judge_contest::restore::RestoreError;
use judge_contest::schedule::Stopped;
use judge_core::journal::JournalError;
use judge_core::results::ResultsError;
use judge_office::OfficeError;
use judge_office::judging::JudgingError;
use judge_office::state::Refusal;
use judge_office_web::ServeError;

use crate::support::*;

/// All that is behind an error, from its own cause to the first one.
fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

#[test]
fn errors_lead_to_what_the_system_said() {
    let path = || PathBuf::from("contest");
    let full = || io::Error::from(io::ErrorKind::StorageFull);
    let address = "127.0.0.1:80".parse().unwrap();
    let errors: [Box<dyn Error>; 13] = [
        Box::new(JournalError::Io { path: path(), error: full() }),
        Box::new(ResultsError::Io { path: path(), error: full() }),
        Box::new(Stopped::Io { path: path(), error: full() }),
        Box::new(BuildsError::Io { path: path(), error: full() }),
        Box::new(RestoreError::Folder { path: path(), error: full() }),
        Box::new(RestoreError::Write { path: path(), error: full() }),
        Box::new(RestoreError::Kept { path: path(), error: full() }),
        Box::new(OfficeError::Io { path: path(), error: full() }),
        Box::new(JudgingError::Io("contest".into(), full())),
        Box::new(ServeError::Listen(address, full())),
        Box::new(ServeError::Key { path: path(), error: full() }),
        Box::new(ServeError::Threads(full())),
        // Behind errors that pass on another one.
        Box::new(ResultsError::from(JournalError::Io { path: path(), error: full() })),
    ];
    for error in errors {
        let kinds: Vec<_> = chain(&*error).filter_map(|cause| cause.downcast_ref()).map(io::Error::kind).collect();
        assert_eq!(kinds, [io::ErrorKind::StorageFull], "{error:?}");
    }
}

#[test]
fn errors_lead_to_the_typed_error_that_they_word() {
    let early = TimesError::InRound { round: 2, error: Box::new(TimesError::Freezes { round: 2 }) };
    let times = early.source().and_then(<dyn Error>::downcast_ref::<Box<TimesError>>);
    assert!(matches!(times.map(|times| &**times), Some(TimesError::Freezes { round: 2 })), "{times:?}");
    let refused = OfficeError::from(Refusal::UnknownSubmission(7));
    assert_eq!(refused.to_string(), "unknown submission 7");
    assert_eq!(refused.source().and_then(<dyn Error>::downcast_ref), Some(&Refusal::UnknownSubmission(7)));
    assert!(OfficeError::refused("no file was chosen".into()).source().is_none());
}

/// The variants of errors made by `thiserror` that have another error which is not their source.
fn without_source(code: &str) -> Vec<String> {
    let parts = code.split("#[derive(").skip(1);
    let items = parts.filter(|part| part.lines().next().is_some_and(|derive| derive.contains("thiserror::Error")));
    let is_error = |kind: &str| kind.contains("io::Error") || kind.contains("Error>") || kind.ends_with("Error,");
    items
        .flat_map(|item| {
            let is_end = |line: &str| line == "}" || line.starts_with("pub struct") && line.ends_with(';');
            let lines: Vec<&str> = item.lines().skip(1).take_while(|line| !is_end(line)).map(str::trim).collect();
            let bare = lines.windows(2).filter(|pair| {
                let field = pair[1];
                let is_text = field.starts_with("//") || field.starts_with("#[") || field.starts_with("pub ");
                // A transparent error stands for its cause.
                let is_cause = ["#[source]", "#[error(transparent)]"].contains(&pair[0])
                    || field.starts_with("source:")
                    || field.contains("#[source]");
                let fields = field.split_once([':', '(']).map_or("", |(_, fields)| fields).replace(")", "");
                !is_text && is_error(&fields) && !is_cause && !field.contains("#[from]")
            });
            bare.map(|pair| pair[1].to_owned()).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn an_error_in_an_error_is_its_source() {
    let (mut derived, mut found) = (0, Vec::new());
    let sources = files_below(&["judge"]).into_iter().filter(|path| {
        let inside = path.strip_prefix(project()).unwrap();
        let is_test = inside.iter().any(|part| part.to_string_lossy().contains("tests"));
        !is_test && path.extension().is_some_and(|kind| kind == "rs")
    });
    for path in sources {
        let code = fs::read_to_string(&path).unwrap();
        derived += code.matches("thiserror::Error)]").count();
        let bare = without_source(&code).into_iter();
        found.extend(bare.map(|field| format!("{}: {field}", path.display())));
    }
    assert!(derived > 20, "{derived}");
    assert_eq!(found, [""; 0], "write `#[source]` before it");
    let wrong = "#[derive(Debug, thiserror::Error)]\npub enum E {\n    #[error(\"{0}\")]\n    A(String, io::Error),\n    \
                 B {\n        path: PathBuf,\n        error: io::Error,\n    },\n    C(#[source] io::Error),\n    \
                 D {\n        #[source]\n        error: Box<OtherError>,\n    },\n}\n";
    assert_eq!(without_source(wrong), ["A(String, io::Error),", "error: io::Error,"]);
}
