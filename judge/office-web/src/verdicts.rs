//! The words for verdicts, on pages and for clients.

use judge_contest::office::Feedback;
use judge_office::submission_state::SubmissionState;
use judge_office::view::judgements::JudgementType;
use maud::{Markup, html};

use crate::pages::foreign;

/// The outcome of a submission for viewers who see these details. Viewers who see only the total get "wrong" for any rejected
/// answer, because the kind of failure reveals the first failed board.
pub(crate) fn shown(outcome: JudgementType, feedback: Feedback) -> JudgementType {
    if feedback == Feedback::Score && outcome.is_rejected() { JudgementType::Wrong } else { outcome }
}

/// The name of an outcome in a contest that shows teams these details. If the kind of failure is hidden from some viewers, a
/// rejected answer is not called wrong.
pub(crate) fn name_of(outcome: JudgementType, feedback: Feedback) -> &'static str {
    match (outcome, feedback) {
        (JudgementType::Wrong, Feedback::Verdicts | Feedback::Score) => "not accepted",
        (outcome, _) => outcome.name(),
    }
}

/// The state of a submission in words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StateText {
    /// The verdict, or what it waits for.
    pub(crate) verdict: String,
    /// The word for counting or not; empty if it is unknown.
    pub(crate) note: String,
}

impl StateText {
    /// The words for a state, with the end of the judgement as far as the viewer may see it. `None` for players, whose games have
    /// no end.
    pub(crate) fn new(shown: &SubmissionState, end: Option<JudgementType>, feedback: Feedback) -> Self {
        let verdict = |end: JudgementType| name_of(self::shown(end, feedback), feedback).to_owned();
        let (verdict, note) = match (shown, end) {
            (SubmissionState::Unbuildable(_), _) => (JudgementType::Compile.name().to_owned(), String::new()),
            (SubmissionState::Counts, Some(end)) => (verdict(end), "counts".to_owned()),
            (SubmissionState::Superseded { by }, None | Some(JudgementType::Cancelled)) => {
                ("superseded".to_owned(), format!("{by} counts instead"))
            }
            (SubmissionState::Superseded { by }, Some(end)) => (verdict(end), format!("{by} counts instead")),
            (other, _) => (other.to_string(), String::new()),
        };
        Self { verdict: capital(&verdict), note }
    }

    pub(crate) fn markup(&self) -> Markup {
        html! { (foreign(&self.verdict)) @if !self.note.is_empty() { "; " span class="about" { (foreign(&self.note)) } } }
    }
}

/// A text with a capital letter at its beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_said_by_its_verdict() {
        let by = || SubmissionState::Superseded { by: "ada.3".into() };
        let (full, verdicts, score) = (Feedback::Full, Feedback::Verdicts, Feedback::Score);
        for (shown, end, feedback, verdict, note) in [
            (SubmissionState::Counts, Some(JudgementType::Accepted), full, "Accepted", "counts"),
            (SubmissionState::Counts, Some(JudgementType::Wrong), full, "Wrong answer", "counts"),
            (SubmissionState::Counts, Some(JudgementType::Wrong), verdicts, "Not accepted", "counts"),
            (SubmissionState::Counts, Some(JudgementType::TimeLimit), verdicts, "Time limit exceeded", "counts"),
            (SubmissionState::Counts, Some(JudgementType::TimeLimit), score, "Not accepted", "counts"),
            (SubmissionState::Counts, None, full, "Counts", ""),
            (by(), Some(JudgementType::RunTime), full, "Run-time error", "ada.3 counts instead"),
            (by(), Some(JudgementType::Cancelled), full, "Superseded", "ada.3 counts instead"),
            (by(), None, full, "Superseded", "ada.3 counts instead"),
            (
                SubmissionState::Unbuildable("make failed".into()),
                Some(JudgementType::Compile),
                score,
                "Compile error",
                "",
            ),
            (SubmissionState::Running { finished: 1, of: 2 }, None, full, "Running, 1 of 2", ""),
            (SubmissionState::Late, Some(JudgementType::Cancelled), full, "Late", ""),
        ] {
            assert_eq!(StateText::new(&shown, end, feedback), StateText { verdict: verdict.into(), note: note.into() });
        }
    }

    #[test]
    fn with_the_total_alone_what_an_answer_failed_by_is_hidden() {
        for outcome in JudgementType::all() {
            let total = shown(outcome, Feedback::Score).id();
            assert_eq!(total, if outcome.is_rejected() { "WA" } else { outcome.id() });
            for more in [Feedback::Full, Feedback::Verdicts] {
                assert_eq!(shown(outcome, more), outcome);
            }
        }
        assert_eq!(shown(JudgementType::MemoryLimit, Feedback::Score), JudgementType::Wrong);
        // The name must fit all outcomes that it covers.
        let wrong = [Feedback::Full, Feedback::Verdicts, Feedback::Score].map(|of| name_of(JudgementType::Wrong, of));
        assert_eq!(wrong, ["wrong answer", "not accepted", "not accepted"]);
        assert_eq!(name_of(JudgementType::Compile, Feedback::Score), JudgementType::Compile.name());
    }
}
