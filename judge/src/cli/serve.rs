//! `judge serve`: the office of a contest as a web site.

mod check;
mod outbox;

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use super::office::{Machines, conduct, work_on};
use super::office_folder::{as_the_contest_says, clock, failure, judged, office_of, own_entries, setup};
use super::results_csv::write_results_csv;
use super::slurm::ClusterOptions;
use super::{DONE, Done, Failure, say, say_without_waiting, signals};
use judge_contest::conduct::Conduct;
use judge_contest::office::{Feedback, OfficeSetup};
use judge_contest::{Contest, Overrides};
use judge_core::journal::Contents;
use judge_job::StopRequest as _;
use judge_office::judging::{Judging, Processors, results_of};
use judge_office::state::State;
use judge_office::{Office, OfficeError};
use judge_office_web::{Options, Problem, ServeError, Server};
use judge_sandbox::Interrupt;

/// Open the office of a contest as a web site: teams submit, and everybody sees a live board
///
/// It also judges submissions, as `judge office judge --follow` does. The first start prints the organiser's link.
/// Ctrl-C or SIGTERM ends it without losing anything, and the same command continues. Results are in the contest's
/// folder `results`, for all other commands.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge serve my-contest
  judge serve my-contest --listen 127.0.0.1:8080 --public-url https://contest.example.org --proxy 127.0.0.1
  judge serve my-contest --engine slurm         runs are executed on the nodes of a cluster, builds here
  judge serve spring/knights spring/loyd        one contest of two problems
  judge serve my-contest --check                before an evening, or after an update of judge

`judge team add` prints the link of each team, which belongs after an address of this site. The site has no encryption:
for other machines, put a reverse proxy with https before it (docs/office.md).")]
pub(super) struct Args {
    /// Folder of the contest; if there are several, each is a problem of one contest, and the first has the teams and
    /// times
    #[arg(value_name = "CONTEST", required = true)]
    contests: Vec<PathBuf>,

    /// Name of a contest of several problems [default: that of the folder that has them]
    #[arg(long)]
    name: Option<String>,

    /// Address and port to listen on; port 0 for any free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// Address of the site as browsers have it, behind a reverse proxy
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,

    /// Address of a reverse proxy that is trusted to name the address of a client
    #[arg(long, value_name = "ADDRESS")]
    proxy: Vec<IpAddr>,

    /// What teams see of their submissions: everything, the verdict on each board, or the total [default: as the
    /// contest says]
    #[arg(long, value_name = "WHAT")]
    feedback: Option<Shown>,

    /// Runs at a time [default: as many as do not disturb each other, without the processor of the site]
    #[arg(long, value_name = "N", value_parser = super::at_least_one)]
    jobs: Option<NonZeroUsize>,

    /// Read and check the contest files, the logs, the uploads and these options, and start nothing
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    engine: ClusterOptions,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Shown {
    Full,
    Verdicts,
    Score,
}

/// A contest that the site serves.
struct Served {
    folder: PathBuf,
    setup: OfficeSetup,
    office: Arc<Office>,
    conduct: Arc<Conduct>,
    /// What the organiser should know about the contest.
    notices: Vec<String>,
}

impl Served {
    /// Opens the contests of one site. The first one has the teams of all contests. No team can have the name of an
    /// entry of any contest.
    fn all(folders: &[PathBuf], interrupt: &Interrupt) -> Result<Vec<Self>, Failure> {
        // Before there is an office: a contest that cannot be judged gets none.
        let setups = folders.iter().map(|folder| {
            let has_begun = judged(folder)?.is_some();
            if !has_begun {
                Contest::load(folder, &Overrides::default()).map_err(Failure::input)?;
            }
            setup(folder)
        });
        let setups: Vec<OfficeSetup> = setups.collect::<Result<_, Failure>>()?;
        let office = |(folder, setup): (&PathBuf, OfficeSetup)| {
            let office = Office::create(&office_of(folder)?, clock()).map_err(failure)?;
            Ok((as_the_contest_says(office, &setup)?, setup))
        };
        let offices: Vec<(Office, OfficeSetup)> =
            folders.iter().zip(setups).map(office).collect::<Result<_, Failure>>()?;
        let states = offices.iter().map(|(office, _)| office.state().map_err(failure));
        let states: Vec<Arc<State>> = states.collect::<Result<_, _>>()?;
        let conduct = |folder: &PathBuf| conduct(folder, &results_of(folder), interrupt, &states);
        let conducts: Vec<(Conduct, Vec<String>)> = folders.iter().map(conduct).collect::<Result<_, Failure>>()?;
        let contents: Vec<Contents> = conducts.iter().map(|(conduct, _)| conduct.contents()).collect();
        let entries = || contents.iter().flat_map(|contents| own_entries(&contents.plan));
        let served = folders.iter().zip(offices).zip(conducts);
        let served = served.map(|((folder, (office, setup)), (conduct, notices))| Self {
            folder: folder.clone(),
            setup,
            office: Arc::new(office.with_entries(entries())),
            conduct: Arc::new(conduct),
            notices,
        });
        Ok(served.collect())
    }
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let feedback = self.feedback.map(|feedback| match feedback {
            Shown::Full => Feedback::Full,
            Shown::Verdicts => Feedback::Verdicts,
            Shown::Score => Feedback::Score,
        });
        let processor = last_processor();
        let (listen, public_url, proxies, name) = (self.listen, self.public_url, self.proxy, self.name);
        let options = Options { listen, public_url, proxies, feedback, name, processor };
        if self.check {
            return check::check(&self.contests, &options, out);
        }
        let interrupt = signals()?;
        // From now on nobody waits for whoever reads standard error.
        let lines = say_without_waiting()?;
        let all = Served::all(&self.contests, &interrupt)?;
        let judgings: Vec<Judging<'_>> = all.iter().map(|one| Judging::new(&one.office, &one.conduct)).collect();
        let problem = |(one, judging): (&Served, &Judging<'_>)| {
            let (office, conduct, judging) = (one.office.clone(), one.conduct.clone(), judging.handle());
            judging.notes(one.notices.clone());
            Problem { office, conduct, judging }
        };
        let problems = all.iter().zip(&judgings).map(problem).collect();
        let server = Server::bind(options, problems, say, move || lines.dropped()).map_err(refused)?;
        writeln!(out, "{}", server.url())?;
        // The first contest has the organiser and the teams.
        if let Some(token) = all[0].office.first_organiser().map_err(failure)? {
            writeln!(out, "organiser, shown once: {}/enter#{token}", server.url())?;
        }
        out.flush()?;
        let processors = Processors::default();
        let judged = std::thread::scope(|scope| {
            let judge = |(one, judging)| {
                let (one, judging): (&Served, &Judging<'_>) = (one, judging);
                let (engine, jobs, interrupt, processors) = (&self.engine, self.jobs, &interrupt, &processors);
                scope.spawn(move || {
                    let weaker_isolation = one.setup.weaker_isolation;
                    let machines = Machines { engine, jobs, spared: processor, processors, weaker_isolation };
                    // It ends before the site only if it could not begin as the organiser wants it.
                    work_on(judging, &one.conduct, interrupt, &machines).inspect_err(|_| interrupt.request())
                })
            };
            let judging: Vec<_> = all.iter().zip(&judgings).map(judge).collect();
            for Served { folder, setup, office, conduct, .. } in &all {
                if let Some(command) = &setup.notify {
                    let interrupt = &interrupt;
                    scope.spawn(move || outbox::send(folder, command, office, conduct, interrupt));
                }
            }
            let served = server.run(&interrupt).map_err(refused);
            interrupt.request();
            let ended = |judged: std::thread::ScopedJoinHandle<'_, Result<bool, Failure>>| {
                judged.join().unwrap_or_else(|_| Err(Failure::judge("judging ended with a panic")))
            };
            let judged: Vec<_> = judging.into_iter().map(ended).collect();
            served.and(judged.into_iter().collect::<Result<Vec<bool>, _>>())
        });
        for one in &all {
            // They are made of the journal, and a disk that is full for them is no failure of the site.
            if let Err(failure) = write_results_csv(one.conduct.results()) {
                say(&format!("results.csv is as it was: {}", failure.reason()));
            }
        }
        judged.map(|_| DONE)
    }
}

fn refused(error: ServeError) -> Failure {
    match error {
        ServeError::NotEncrypted(_) => {
            Failure::input(format!("{error}, and give its address with --public-url https://…"))
        }
        ServeError::PublicUrl(_)
        | ServeError::Listen(..)
        | ServeError::Together(_)
        | ServeError::Office(OfficeError::Refused { .. }) => Failure::input(error.to_string()),
        error => Failure::judge(error.to_string()),
    }
}

/// The last processor that this process may use; `None` if there is only one.
fn last_processor() -> Option<usize> {
    let set = rustix::thread::sched_getaffinity(None).ok()?;
    let processors = (0..rustix::thread::CpuSet::MAX_CPU).filter(|&processor| set.is_set(processor));
    let processors: Vec<usize> = processors.collect();
    processors.last().copied().filter(|_| processors.len() > 1)
}
