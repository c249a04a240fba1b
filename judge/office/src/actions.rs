//! Rules, decisions, registration, messages and the end of the contest: changes of the log that people cause.

use judge_contest::office::{Counts, Games, OfficeRules, Times};
use judge_core::journal::ContestState;

use crate::aside::as_counted;
use crate::line::{Decision, Line, Message, Order, Submission};
use crate::orders::Written;
use crate::proposal::{self, Proposal};
use crate::state::{Refusal, State};
use crate::submission_state::{SubmissionState, SubmissionStates};
use crate::token::Token;
use crate::view::Viewer;
use crate::{Office, OfficeError, orders, quota, state};

impl Office {
    /// Records the rules of the contest file, if they differ from the last recorded ones and the results are not final.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn set_rules(&self, rules: &OfficeRules) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |state| {
            // The rules of final results do not change.
            let new = !state.has_rules(rules) && state.finalised().is_none();
            Ok((new.then(|| Line::Rules { rules: rules.clone() }).into_iter().collect(), ()))
        })
    }

    /// Changes times of the contest and its first round, for a public reason. Times that are `None` stay.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if the times are in the wrong order, or the reason is missing.
    pub fn extend(&self, times: &Times, because: &str) -> Result<Times, OfficeError> {
        self.extend_round(1, times, because)
    }

    /// Changes times of a round, from 1, for a public reason. Times that are `None` stay.
    ///
    /// # Errors
    /// As [`Self::extend`].
    pub fn extend_round(&self, round: u32, times: &Times, because: &str) -> Result<Times, OfficeError> {
        if because.trim().is_empty() {
            return Err(OfficeError::refused("give the reason, for everybody to read".into()));
        }
        self.log().append((self.clock)(), |state| {
            let now = state.rules().in_round(round);
            let times = Times {
                opens: times.opens.or(now.opens),
                freezes: times.freezes.or(now.freezes),
                closes: times.closes.or(now.closes),
            };
            let round = Some(round).filter(|&round| round > 1);
            Ok((vec![Line::Extended { round, times, because: because.trim().to_owned() }], times))
        })
    }

    /// Records a decision on a submission, with a reason for its team.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown submission, and for a decision that changes nothing.
    pub fn decide(&self, number: u32, decision: Decision, because: Option<&str>) -> Result<(), OfficeError> {
        let because = because.map(str::trim).filter(|because| !because.is_empty()).map(Into::into);
        self.log().append((self.clock)(), |state| {
            // Older logs have such lines, so the rules of the log allow them.
            if decision == Decision::Admitted && state.gate(number).cancelled {
                return Err(OfficeError::refused(format!("submission {number} was taken back by its team")));
            }
            Ok((vec![Line::Decided { number, decision, because }], ()))
        })
    }

    /// Changes the contest. A judge that works on it follows immediately.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown team or board, a missing reason, a run without a verdict, and an order that
    /// changes nothing.
    pub fn order(&self, order: Order, contents: &ContestState) -> Result<(), OfficeError> {
        let refuse = |reason: String| Err(OfficeError::refused(reason));
        if let Some(reason) = orders::problem(&order, contents) {
            return refuse(reason);
        }
        let now = (self.clock)();
        match orders::written(order.clone(), self.by.as_deref()) {
            Written::ByOffice(line) => self.log().append(now, |_| Ok((vec![line], ()))),
            Written::OfContest(line) => {
                self.log().append_of_contest(now, &line, |state, after| {
                    match orders::problem(&order, &as_counted(state, after)) {
                        Some(reason) => refuse(reason),
                        None => Ok(()),
                    }
                })
            }
        }
    }

    /// Freezes the public board. For later submissions, it shows only that they exist.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if it is frozen already.
    pub fn freeze(&self) -> Result<u32, OfficeError> {
        self.log().append((self.clock)(), |state| {
            let last = state.next_number() - 1;
            Ok((vec![Line::Frozen { last, from: None }], last))
        })
    }

    /// Thaws the public board, which shows everything again.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if the board is not frozen.
    pub fn thaw(&self) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |_| Ok((vec![Line::Thawed], ())))
    }

    /// In a contest of matches, starts the games of the players submitted so far. Returns the number of the last one.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if no submission has arrived since the last call, or players play at once.
    pub fn call(&self) -> Result<u32, OfficeError> {
        self.log().append((self.clock)(), |state| {
            let last = state.next_number() - 1;
            let refuse = |reason: &str| Err(OfficeError::refused(reason.to_owned()));
            if state.rules().games == Games::AtOnce {
                return refuse("every new player plays at once; set games in [office]");
            }
            if last <= state.called() {
                return refuse("nothing was submitted since the last time");
            }
            Ok((vec![Line::Called { last }], last))
        })
    }

    /// Requests a rejudging of all stored answers. When nothing else is to be judged, the judging computes the changes without
    /// recording them. An earlier request that is not recorded is dropped.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn ask_for_rejudging(&self) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |_| Ok((vec![Line::RejudgeAsked], ())))
    }

    /// Approves the changes that [`proposal::read`] returns, so that the judging records them.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if nothing can be recorded: the changes are not known yet, another rejudging was requested
    /// meanwhile, the referee cannot be started, or it fails on an answer and `partial` is false.
    pub fn approve_rejudging(&self, partial: bool, contents: Option<&ContestState>) -> Result<(), OfficeError> {
        let proposal = proposal::read(self, contents)?;
        let refuse = |reason: String| Err(OfficeError::refused(reason));
        let Some(Proposal { number, problem, failed, missing, .. }) = &proposal else {
            return refuse("what would change is not known yet".into());
        };
        if let Some(problem) = problem {
            return refuse(format!("the answers could not be refereed: {problem}"));
        }
        let unruled = failed.len() + missing.len();
        if unruled > 0 && !partial {
            return refuse(format!("the referee did not rule on {unruled} answers; record the others, or mend it"));
        }
        let (number, shown) = (*number, proposal::hash(self)?);
        self.log().append((self.clock)(), |state| match state.rejudging(contents) {
            Some(asked) if asked.number == number => Ok((vec![Line::RejudgeApproved { shown, partial }], ())),
            _ => Err(OfficeError::refused("it was asked for anew meanwhile".into())),
        })
    }

    /// Drops the requested rejudging; nothing is recorded.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if no rejudging was requested.
    pub fn drop_rejudging(&self, contents: Option<&ContestState>) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |state| match state.rejudging(contents) {
            Some(_) => Ok((vec![Line::RejudgeDropped], ())),
            None => Err(Refusal::NothingAsked.into()),
        })
    }

    /// Cancels a submission on its team's request, while it waits to be judged.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if it belongs to another team, or is judged or being judged.
    pub fn cancel(&self, team: &str, number: u32, contents: Option<&ContestState>) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |state| {
            let own = state.submission(number).filter(|(_, submission)| submission.team == team);
            let Some((_, submission)) = own else {
                return Err(OfficeError::refused(format!("{team} has no submission {number}")));
            };
            let waits = contents.is_none_or(|contents| {
                let entry = submission.entry();
                // A submission that the organiser holds may already have been judged.
                if contents.plan.entries.iter().any(|entered| entered.name == entry) {
                    return false;
                }
                let shown = SubmissionStates::new(&Viewer::Organiser, state, contents).of(submission);
                matches!(shown, SubmissionState::Queued | SubmissionState::Late | SubmissionState::Held(_))
            });
            if !waits {
                return Err(OfficeError::refused(format!("{} is judged already", submission.entry())));
            }
            Ok((vec![Line::Decided { number, decision: Decision::Cancelled, because: None }], ()))
        })
    }

    /// Chooses the submission that counts for its team.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if it belongs to another team, teams do not choose in this contest, or the final rounds have
    /// begun; [`OfficeError::Quota`].
    pub fn choose(&self, team: &str, number: u32) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |state| {
            let refuse = |reason: String| Err(OfficeError::refused(reason));
            if state.rules().counts != Counts::Chosen {
                return refuse("teams do not choose in this contest".into());
            }
            let now = (self.clock)();
            let own = state.submission(number).filter(|(_, submission)| submission.team == team);
            let Some((_, Submission { problem, .. })) = own else {
                return refuse(format!("{team} has no submission {number}"));
            };
            // Choosing the same submission again costs no line.
            if state.teams().get(team).is_some_and(|team| team.chosen.get(problem) == Some(&number)) {
                return Ok((Vec::new(), ()));
            }
            quota::check_choice(state, team, now)?;
            Ok((vec![Line::Chosen { number }], ()))
        })
    }

    /// Begins the final rounds. From now on, only their sealed boards are judged. A round that opens later waits for its time.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if they have already begun.
    pub fn begin_finals(&self) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |_| Ok((vec![Line::Finals { from: None }], ())))
    }

    /// Declares the results final. Afterwards, nothing that could change them is accepted or judged. `contents` is the judged
    /// contest, if judging has begun.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if they are already final, or if a submission is not judged yet.
    pub fn finalise(&self, contents: Option<&ContestState>) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |state| {
            check_judged(state, contents)?;
            Ok((vec![Line::Final], ()))
        })
    }

    /// Checks that the results can be declared final, because nothing is left to be judged.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] with the submissions that are not judged.
    pub fn can_finalise(&self, contents: Option<&ContestState>) -> Result<(), OfficeError> {
        check_judged(&*self.state()?, contents)
    }

    /// Reopens final results, for a public reason.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] if they are not final, or the reason is missing.
    pub fn reopen(&self, because: &str) -> Result<(), OfficeError> {
        let because = because.trim().to_owned();
        if because.is_empty() {
            return Err(OfficeError::refused("give the reason, for everybody to read".into()));
        }
        self.log().append((self.clock)(), |_| Ok((vec![Line::Reopened { because }], ())))
    }

    /// Opens the link for up to `most` teams to register, and returns its token. An earlier link is closed.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn open_registration(&self, most: u32) -> Result<Token, OfficeError> {
        let token = Token::random()?;
        self.log().append((self.clock)(), |_| Ok((vec![Line::Registration { most }], ())))?;
        self.log().change_access(|_, access| {
            access.registration = Some(token.hash());
            Ok(())
        })?;
        Ok(token)
    }

    /// Closes the registration link.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn close_registration(&self) -> Result<(), OfficeError> {
        self.log().append((self.clock)(), |_| Ok((vec![Line::Registration { most: 0 }], ())))
    }

    /// Adds a team for a visitor with the link's token, and returns the token of the team.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for another token, or if the link is used up; and as [`Self::add_team`].
    pub fn register(&self, shown: &str, team: &str) -> Result<Token, OfficeError> {
        let (token, shown) = (Token::random()?, Token::hash_of(shown));
        self.log().append((self.clock)(), |state| {
            let link = state.access().registration.filter(|_| state.registration().is_some());
            if link.is_none_or(|link| !state::same(&link, &shown)) {
                return Err(OfficeError::refused("this link is not valid any more".into()));
            }
            self.check_team(team)?;
            Ok((vec![Line::Team { team: team.to_owned(), registered: true }], ()))
        })?;
        self.set_tokens(team, vec![token.hash()])?;
        Ok(token)
    }

    /// Sends a question of a team, or a text of the organiser. Returns its number.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an empty or too long text, an unknown problem, and an answer to a message that is not a
    /// question; [`OfficeError::Quota`] for a question.
    pub fn send(&self, message: &Message) -> Result<u32, OfficeError> {
        let now = (self.clock)();
        if let Some(problem) = &message.problem {
            self.check_problem(problem, None)?;
        }
        self.log().append(now, |state| {
            if let Some(team) = &message.from {
                quota::check_question(state, team, now)?;
            }
            let message = Message { number: state.next_message(), ..message.clone() };
            let number = message.number;
            Ok((vec![Line::Message(message)], number))
        })
    }

    /// Sends a question of a team.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn ask(&self, team: &str, text: &str) -> Result<u32, OfficeError> {
        self.send(&Message { from: Some(team.to_owned()), ..Message::new(text) })
    }

    /// Publishes a notice for everyone.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn notice(&self, text: &str) -> Result<u32, OfficeError> {
        self.send(&Message::new(text))
    }

    /// Answers a question, for its team or for everyone. Only the team sees the question, so an answer for everyone must repeat
    /// it.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn answer(&self, question: u32, text: &str, everybody: bool) -> Result<u32, OfficeError> {
        let state = self.state()?;
        let asked = state.message(question).map(|(_, asked)| asked);
        let to = asked.and_then(|asked| asked.from.clone()).filter(|_| !everybody);
        let problem = asked.and_then(|asked| asked.problem.clone());
        self.send(&Message { to, answers: Some(question), problem, ..Message::new(text) })
    }

    /// Records that a person is about to answer a question. Returns the previous person.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown question.
    pub fn claim(&self, question: u32, by: &str) -> Result<Option<String>, OfficeError> {
        self.log().append((self.clock)(), |state| {
            let before = state.claim(question).map(str::to_owned);
            Ok((vec![Line::Claimed { question, by: by.into() }], before))
        })
    }
}

/// Checks that nothing is left to be judged.
fn check_judged(state: &State, contents: Option<&ContestState>) -> Result<(), OfficeError> {
    if state.rejudging(contents).is_some() {
        return Err(OfficeError::refused("answers are to be refereed again; record that or drop it first".into()));
    }
    let states = SubmissionStates::new(&Viewer::Organiser, state, contents);
    let unfinished = states.all().filter(|(_, _, shown)| shown.is_unfinished());
    let unfinished: Vec<String> = unfinished.map(|(_, submission, _)| submission.entry()).collect();
    let Some(first) = unfinished.first() else { return Ok(()) };
    let what = match unfinished.len() {
        1 => format!("{first} is not judged yet"),
        several => format!("{several} submissions are not judged yet, {first} first"),
    };
    Err(OfficeError::refused(format!("{what}; wait for that, or hold, ignore or cancel what is not to be judged")))
}
