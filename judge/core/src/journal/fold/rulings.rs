//! Rulings by hand, answers that were refereed again, and changes of the referee.

use std::sync::Arc;

use super::Fold;
use super::program::referee_hash;
use crate::date::Date;
use crate::journal::records::Slot;
use crate::journal::{
    Answer, ExtraFields, HistoryEvent, ManualRuling, RefereeEvent, Rejudged, Rejudgement, RulingUndone, Version,
    history,
};
use crate::key::RunKey;
use crate::matches::Played;
use crate::plan::referee_in_words;

impl Fold {
    pub(super) fn ruling(&mut self, ruling: ManualRuling) -> Result<String, String> {
        let text = history::ruling(&ruling);
        let ManualRuling { key, verdict, because, by, points } = ruling;
        let seats = if key.against.is_some() { key.seats().count() } else { 0 };
        if points.len() != seats {
            return Err(format!(
                "a ruling on {} with points of {} seats, which has {seats}",
                key.title(),
                points.len()
            ));
        }
        let slot = self.planned_mut(&key);
        let Some((record, before)) = slot.and_then(|slot| Some((slot.record.as_mut()?, &mut slot.before_rulings)))
        else {
            return Err(format!("a ruling on {}, which has no record", key.title()));
        };
        before.get_or_insert_default().push(record.clone());
        let record = Arc::make_mut(record);
        record.verdict = verdict;
        (record.extras.ruling, record.extras.ruled_by) = (Some(because.into()), by.map(Into::into));
        if !points.is_empty() {
            let played = record.extras.played.get_or_insert_with(|| Played::of_seats(points.len()).into());
            played.seats.iter_mut().zip(points).for_each(|(seat, points)| seat.points = points);
        }
        Ok(text)
    }

    /// Takes back the last ruling by hand on a run: its record says again what it said before.
    pub(super) fn ruling_undone(&mut self, undone: &RulingUndone) -> Result<String, String> {
        let RulingUndone { key, .. } = undone;
        let slot = self.planned_mut(key);
        let last = slot.and_then(|slot| Some((slot.record.as_mut()?, slot.before_rulings.as_mut()?.pop()?)));
        let Some((record, mut before)) = last else {
            return Err(format!("a ruling on {} was taken back, but there is none", key.title()));
        };
        // The referee may have confirmed its own ruling meanwhile.
        Arc::make_mut(&mut before).referee.clone_from(&record.referee);
        *record = before;
        Ok(history::ruling_undone(undone, &record.verdict))
    }

    /// The run whose attempt it is, which was refereed again.
    fn answered(&mut self, key: &RunKey, attempt: u32) -> Result<&mut Slot, String> {
        let slot = self.planned_mut(key);
        let slot = slot.filter(|slot| slot.record.as_ref().is_some_and(|record| record.attempt == attempt));
        let RunKey { entry, board, .. } = key;
        slot.ok_or_else(|| {
            format!("attempt {attempt} of {entry} on {board} was refereed again, but its record is missing")
        })
    }

    fn rejudged(&mut self, rejudged: Rejudged) -> Result<String, String> {
        let Rejudged { key, attempt, verdict, final_board, notes, output } = rejudged;
        let by = self.facts.referee_of(&key.board).cloned();
        let Slot { record, before_rulings, .. } = self.answered(&key, attempt)?;
        let record = Arc::make_mut(record.as_mut().expect("a run that was answered has a record"));
        let text = history::rejudged(&key, &record.verdict, &verdict);
        (record.verdict, record.final_board, record.referee) = (verdict, final_board, by);
        record.extras = ExtraFields { notes, ruling: None, ruled_by: None, ..record.extras.take() }.into();
        *before_rulings = None;
        if output.is_some() {
            record.output = output;
        }
        Ok(text)
    }

    /// Applies everything that was refereed again together, or nothing.
    pub(super) fn rejudgement(&mut self, rejudgement: Rejudgement, at: Option<Date>) -> Result<(), String> {
        let Rejudgement { problem, referee, by, changed, confirmed, request } = rejudgement;
        if self.facts.plan.problems.with_id(&problem).is_none() {
            return Err(format!("answers of problem `{problem}` were refereed again, which the contest does not have"));
        }
        let answers = changed.iter().map(|rejudged| (&rejudged.key, rejudged.attempt));
        for (key, attempt) in answers.chain(confirmed.iter().map(|answer| (&answer.key, answer.attempt))) {
            if key.problem() != problem {
                return Err(format!("{} was refereed again with the answers of another problem", key.title()));
            }
            self.answered(key, attempt)?;
        }
        if let Some(request) = request {
            self.facts_mut().rejudged = request;
        }
        let mut texts = Vec::new();
        if let Some(event) = referee {
            texts.push(self.referee(*event, at)?);
        }
        if let Some(by) = by {
            self.facts_mut().referees.insert(problem, by);
        }
        texts.extend(history::confirmed(confirmed.len()));
        for Answer { key, attempt } in confirmed {
            let by = self.facts.referee_of(&key.board).cloned();
            if let Some(record) = self.answered(&key, attempt)?.record_mut() {
                record.referee = by;
            }
        }
        for rejudged in changed {
            texts.push(self.rejudged(rejudged)?);
        }
        let events = texts.into_iter().map(|text| Arc::new(HistoryEvent { at, text, superseded: Vec::new() }));
        events.for_each(|event| self.history.push(event));
        Ok(())
    }

    pub(super) fn referee(&mut self, event: RefereeEvent, at: Option<Date>) -> Result<String, String> {
        let Some(problem) = self.facts.plan.problems.with_id(&event.problem) else {
            return Err(format!(
                "the referee of problem `{}` was defined, which the contest does not have",
                event.problem
            ));
        };
        let Some(before) = &problem.referee else {
            return Err("a referee was defined for a built-in game".into());
        };
        let (same, program) = (**before == event.referee, problem.referee_program().into_owned());
        let (command, programs) = (event.referee.command.clone(), event.programs.clone());
        let version = Version { at, command, programs, kept: event.kept };
        let facts = self.facts_mut();
        facts.versions.or_default(&program).push(version);
        let referee = Some(Box::new(event.referee));
        for plan in [&mut facts.plan, &mut facts.header.plan] {
            let problem = plan.problems.iter_mut().find(|problem| problem.id == event.problem);
            problem.into_iter().for_each(|problem| problem.referee.clone_from(&referee));
        }
        let hash = facts
            .plan
            .problems
            .with_id(&event.problem)
            .and_then(|problem| referee_hash(problem, Some(&event.programs)));
        let text = referee_in_words(&program).unwrap_or_default();
        facts.programs.insert(program, event.programs.into());
        facts.referees.extend(hash.map(|hash| (event.problem, hash)));
        let what = if same { "program" } else { "definition" };
        Ok(format!("The {what} of {text} changes."))
    }
}
