//! Accounts: tokens of teams and organisers, and the people of teams.

use std::sync::Arc;

use judge_core::fingerprint::Hash;
use judge_core::names;
use judge_core::text::unknown;

use crate::line::Line;
use crate::people::{People, Person};
use crate::state::{Holder, ORGANISER, Refusal};
use crate::token::Token;
use crate::{Office, OfficeError};

impl Office {
    /// Adds a team and returns its token, which is not stored.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for a name that is unusable or taken.
    pub fn add_team(&self, team: &str, person: Option<Person>) -> Result<Token, OfficeError> {
        let added = self.add_teams(vec![(team.to_owned(), person)])?;
        added.into_iter().next().map(|(_, token)| token).ok_or_else(|| OfficeError::refused("no team".into()))
    }

    /// Adds teams, all of them or none, and returns each with its token.
    ///
    /// # Errors
    /// As [`Self::add_team`].
    pub fn add_teams(&self, teams: Vec<(String, Option<Person>)>) -> Result<Vec<(String, Token)>, OfficeError> {
        let (mut lines, mut tokens, mut persons) = (Vec::new(), Vec::new(), People::new());
        for (team, person) in teams {
            self.check_team(&team)?;
            let token = Token::random()?;
            lines.push(Line::Team { team: team.clone(), registered: false });
            persons.extend(person.map(|person| (team.clone(), person)));
            tokens.push((team, token));
        }
        self.log().append((self.clock)(), |_| Ok((lines, ())))?;
        self.log().change_access(|_, access| {
            access.teams.extend(tokens.iter().map(|(team, token)| (team.clone(), vec![token.hash()])));
            Ok(())
        })?;
        if !persons.is_empty() {
            self.log().change_people(|people| people.extend(persons))?;
        }
        Ok(tokens)
    }

    /// Replaces the tokens of a team by a new one. Earlier tokens become void.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown team.
    pub fn renew_token(&self, team: &str) -> Result<Token, OfficeError> {
        let token = Token::random()?;
        self.set_tokens(team, vec![token.hash()])?;
        Ok(token)
    }

    /// Makes all tokens of a team void. Its submissions stay.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown team.
    pub fn revoke(&self, team: &str) -> Result<(), OfficeError> {
        self.set_tokens(team, Vec::new())
    }

    pub(crate) fn set_tokens(&self, team: &str, hashes: Vec<Hash>) -> Result<(), OfficeError> {
        self.log().change_access(|state, access| {
            if !state.teams().contains_key(team) {
                return Err(Refusal::UnknownTeam(team.to_owned()).into());
            }
            access.teams.insert(team.to_owned(), hashes);
            Ok(())
        })
    }

    /// Deletes the personal data of a team. Its name and its submissions stay.
    ///
    /// # Errors
    /// [`OfficeError::Io`] and [`OfficeError::Damaged`].
    pub fn forget(&self, team: &str) -> Result<(), OfficeError> {
        self.log().change_people(|people| drop(people.remove(team)))
    }

    /// The personal data of all teams.
    ///
    /// # Errors
    /// [`OfficeError::Io`] and [`OfficeError::Damaged`].
    pub fn people(&self) -> Result<Arc<People>, OfficeError> {
        self.log().people()
    }

    /// Creates a token for the [first organiser](ORGANISER) if no organiser has one.
    ///
    /// # Errors
    /// [`OfficeError::Io`] and [`OfficeError::Damaged`].
    pub fn first_organiser(&self) -> Result<Option<Token>, OfficeError> {
        let token = Token::random()?;
        let first = self.log().change_access(|_, access| {
            let first = access.organisers.values().all(Vec::is_empty);
            if first {
                access.organisers.insert(ORGANISER.to_owned(), vec![token.hash()]);
            }
            Ok(first)
        })?;
        Ok(first.then_some(token))
    }

    /// Replaces the tokens of an organiser by a new one, or adds an organiser with this name. The log records the author of each
    /// decision, so the name becomes public with the results.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unusable name.
    pub fn renew_organiser(&self, name: &str) -> Result<Token, OfficeError> {
        names::usable("organiser", name).map_err(|error| OfficeError::refused(error.to_string()))?;
        let token = Token::random()?;
        self.log().change_access(|_, access| {
            access.organisers.insert(name.to_owned(), vec![token.hash()]);
            Ok(())
        })?;
        Ok(token)
    }

    /// Removes an organiser, whose tokens become void.
    ///
    /// # Errors
    /// [`OfficeError::Refused`] for an unknown organiser, and for the only one.
    pub fn remove_organiser(&self, name: &str) -> Result<(), OfficeError> {
        self.log().change_access(|_, access| {
            let known = || access.organisers.keys().map(String::as_str);
            if !access.organisers.contains_key(name) {
                return Err(OfficeError::refused(unknown("organiser", name, known())));
            }
            if access.organisers.len() == 1 {
                return Err(OfficeError::refused(format!("`{name}` is the only organiser; add another one first")));
            }
            access.organisers.remove(name);
            Ok(())
        })
    }

    /// The office with this organiser as the author of changes. Lines of the log get the name from now on.
    #[must_use]
    pub fn by(&self, organiser: &str) -> Self {
        Self {
            folder: self.folder.clone(),
            log: self.log.clone(),
            clock: self.clock.clone(),
            tools: self.tools.clone(),
            languages: self.languages.clone(),
            known: self.known.clone(),
            answers: self.answers,
            entries: self.entries.clone(),
            problems: self.problems.clone(),
            by: Some(organiser.to_owned()),
            ends: self.ends.clone(),
        }
    }

    /// The holder of this token.
    ///
    /// # Errors
    /// As [`Self::state`].
    pub fn holder(&self, shown: &str) -> Result<Option<Holder>, OfficeError> {
        Ok(self.state()?.holder(&Token::hash_of(shown)))
    }
}
