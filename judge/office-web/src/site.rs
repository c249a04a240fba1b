//! The site: one contest of one or several problems, each of which is a contest folder.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use judge_core::figure::{Better, FigureName};
use judge_core::plan::{Plan, RankKey};
use judge_office::OfficeError;
use judge_office::view::{self, Board, Problem, Viewer};
use tokio::sync::watch;

use crate::app::{App, MAX_PROBLEMS, Part};
use crate::icpc::feed::Feeds;
use crate::options::{Problem as Served, ServeError};
use crate::steps::Steps;

/// The most characters of an identifier.
const MAX_ID: usize = 36;

/// The problems of the site, and the data that they share.
pub(crate) struct Site {
    apps: Vec<Arc<App>>,
    id: String,
    name: Option<String>,
    pub(crate) feeds: Feeds,
    /// The steps of the clock since the server started.
    pub(crate) steps: Steps,
}

impl Site {
    /// A site of the first problem and further ones, which must fit together.
    ///
    /// # Errors
    /// [`ServeError::Together`], and [`ServeError::Office`] for an office that cannot follow the first one.
    pub(crate) fn new(first: App, others: Vec<Served>) -> Result<Self, ServeError> {
        let of = first.part.of;
        let fitting = |app: &App| Fitting::named(app.part.id.clone(), &app.conduct.contents().plan);
        let folder = folder_of(&first.conduct.contest().path);
        let id = if of == 1 { first.part.id.clone() } else { folder.as_deref().map_or_else(fallback, above) };
        let name = first.options.name.clone();
        let mut apps = vec![Arc::new(first)];
        for (problem, number) in others.into_iter().zip(1..) {
            let part = Part { id: problem_id(&problem), number, of };
            problem.office.can_follow(&apps[0].office)?;
            apps.push(Arc::new(apps[0].beside(problem, part)));
        }
        check_together(&apps.iter().map(|app| fitting(app)).collect::<Vec<_>>())?;
        apps[0].all.set(apps.iter().map(|app| (app.office.clone(), app.conduct.clone())).collect()).ok();
        // Before anything is written, all is known to fit.
        for app in &apps[1..] {
            app.office.follow(apps[0].office.clone());
            app.tick()?;
        }
        Ok(Self { apps, id, name, feeds: Feeds::default(), steps: Steps::default() })
    }

    /// All problems in their order.
    pub(crate) fn apps(&self) -> &[Arc<App>] {
        &self.apps
    }

    /// The first problem, whose office decides on teams and times.
    pub(crate) fn first(&self) -> &Arc<App> {
        &self.apps[0]
    }

    /// The only problem, if there is exactly one.
    pub(crate) fn only(&self) -> Option<&Arc<App>> {
        Some(self.first()).filter(|_| self.apps.len() == 1)
    }

    /// The board of all problems as a viewer sees it.
    pub(crate) fn board(&self, viewer: &Viewer) -> Result<Board, OfficeError> {
        let seen = self.apps.iter().map(|app| Ok((app.state()?, app.conduct.contents(), app.part.label().to_string())));
        let seen: Vec<_> = seen.collect::<Result<_, OfficeError>>()?;
        let problems = seen.iter().map(|(state, contents, label)| Problem { label, state, contents });
        Ok(view::board_of(&problems.collect::<Vec<_>>(), viewer))
    }

    /// A receiver of the changes of all problems.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.first().boards.subscribe()
    }

    /// The identifier of the contest.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The name of the contest.
    pub(crate) fn name(&self) -> String {
        match (self.only(), &self.name) {
            (Some(app), _) => app.conduct.contents().plan.name.clone(),
            (None, Some(name)) => name.clone(),
            (None, None) => self.id.clone(),
        }
    }

    /// The problem with an identifier or a letter; an empty text stands for the only problem.
    ///
    /// # Errors
    /// The reason, with all problems.
    pub(crate) fn problem(&self, named: &str) -> Result<&Arc<App>, String> {
        problem_of(&self.apps, named)
    }

    /// The problem of a submission or message and its number there, by its public number.
    pub(crate) fn find(&self, shown: &str) -> Option<(&Arc<App>, u32)> {
        let shown = shown.parse().ok()?;
        self.apps.iter().find_map(|app| Some((app, app.part.own(shown)?)))
    }
}

/// The problem with an identifier or a letter; an empty text stands for an only problem.
///
/// # Errors
/// The reason, with all problems.
pub(crate) fn problem_of<'a>(apps: &'a [Arc<App>], named: &str) -> Result<&'a Arc<App>, String> {
    if let ([only], true) = (apps, named.is_empty()) {
        return Ok(only);
    }
    let found = apps.iter().find(|app| app.part.id == named);
    found.or_else(|| apps.iter().find(|app| app.part.label().to_string() == named)).ok_or_else(|| {
        let ids: Vec<String> = apps.iter().map(|app| format!("`{}`", app.part.id)).collect();
        match named.is_empty() {
            true => format!("name the problem; this contest has {}", ids.join(", ")),
            false => format!("unknown problem `{named}`; this contest has {}", ids.join(", ")),
        }
    })
}

/// The properties that decide whether a contest can be a problem together with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitting {
    id: String,
    accepts: bool,
    /// What decides places, and the figures.
    ranking: (Vec<RankKey>, Vec<(FigureName, Better)>),
}

impl Fitting {
    /// The problem with this contest file and this plan.
    pub fn new(contest_file: &Path, plan: &Plan) -> Self {
        Self::named(id_of(contest_file), plan)
    }

    fn named(id: String, plan: &Plan) -> Self {
        let declared = plan.figures();
        let accepts = declared.accepts();
        let figures = declared.figures.iter().map(|figure| (figure.name, figure.better)).collect();
        // Where answers are accepted or not, the rules of the ICPC decide.
        let ranking = if accepts { Default::default() } else { (plan.ranking.clone(), figures) };
        Self { id, accepts, ranking }
    }
}

/// Checks that contests can be the problems of one contest, in this order.
///
/// # Errors
/// [`ServeError::Together`] with the reason.
pub fn check_together(problems: &[Fitting]) -> Result<(), ServeError> {
    let refuse = |reason: String| Err(ServeError::Together(reason));
    let of = problems.len();
    if of > MAX_PROBLEMS {
        return refuse(format!("there are {of}, and at most {MAX_PROBLEMS} have a letter"));
    }
    let Some(first) = problems.first() else { return Ok(()) };
    if let Some(other) = problems.iter().find(|problem| problem.accepts != first.accepts) {
        return refuse(format!("only one of `{}` and `{}` gives points; serve them apart", first.id, other.id));
    }
    if let Some(other) = problems.iter().find(|problem| problem.ranking != first.ranking) {
        let ids = format!("`{}` and `{}`", first.id, other.id);
        return refuse(format!("{ids} are ranked by other figures (`order` of [ranking], [[figure]])"));
    }
    let mut ids = HashSet::new();
    if let Some(twice) = problems.iter().find(|problem| !ids.insert(&problem.id)) {
        return refuse(format!("two folders are called `{}`; rename one of them", twice.id));
    }
    Ok(())
}

/// The identifier of a problem: the name of its folder, limited to what an identifier can contain.
pub(crate) fn problem_id(problem: &Served) -> String {
    id_of(&problem.conduct.contest().path)
}

fn id_of(contest_file: &Path) -> String {
    folder_of(contest_file).as_deref().map_or_else(fallback, identifier)
}

/// The folder of a contest file, with its complete path.
fn folder_of(contest_file: &Path) -> Option<std::path::PathBuf> {
    std::fs::canonicalize(contest_file).ok()?.parent().map(Path::to_owned)
}

fn above(folder: &Path) -> String {
    folder.parent().map_or_else(fallback, identifier)
}

fn fallback() -> String {
    "contest".to_owned()
}

fn identifier(folder: &Path) -> String {
    let folder = folder.file_name().unwrap_or_default().to_string_lossy();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "_.-".contains(letter) { letter } else { '-' };
    let name: String = folder.chars().map(plain).take(MAX_ID).collect();
    let name = name.trim_start_matches(['.', '-']).trim_end_matches('.');
    if name.is_empty() { fallback() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_of_several_problems_get_a_mark() {
        let part = |number, of| Part { id: "a".to_owned(), number, of };
        assert_eq!((part(0, 1).public(17), part(0, 1).own(17)), (17, Some(17)));
        let shown: Vec<u64> = (0..26).flat_map(|at| [1, 2, 17].map(|number| part(at, 26).public(number))).collect();
        assert_eq!(shown.iter().collect::<HashSet<_>>().len(), shown.len());
        let (first, second) = (part(0, 2), part(1, 2));
        assert_eq!((first.public(17), second.public(17)), (1701, 1702));
        assert_eq!((first.own(1701), second.own(1701), first.own(17)), (Some(17), None, None));
        assert_eq!((first.label(), second.label(), part(25, 26).label()), ('A', 'B', 'Z'));
    }

    #[test]
    fn an_identifier_has_only_what_clients_take() {
        for (folder, id) in [("/x/club", "club"), ("/x/a b", "a-b"), ("/", "contest"), ("/x/..y.", "y")] {
            assert_eq!(identifier(Path::new(folder)), id, "{folder}");
        }
    }
}
