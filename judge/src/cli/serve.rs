//! `judge serve`: the office of a contest as a web site.

mod check;
mod outbox;

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::office::{Machines, open_contest, work_on};
use super::office_folder::{as_the_contest_says, clock, failure, judged, office_of, own_entries, setup};
use super::results_csv::write_results_csv;
use super::slurm::ClusterOptions;
use super::{DONE, Done, Failure, print_in_background, say, signals};
use judge_contest::office::{Feedback, OfficeSetup};
use judge_contest::open_contest::OpenContest;
use judge_contest::{Contest, Overrides};
use judge_job::StopRequest as _;
use judge_office::judging::{Judging, Processors, results_of};
use judge_office::{Office, OfficeError};
use judge_office_web::{Options, ServeError, Server};
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
  judge serve my-contest --check                before an evening, or after an update of judge

`judge team add` prints the link of each team, which belongs after an address of this site. The site has no encryption:
for other machines, put a reverse proxy with https before it (docs/office.md).")]
pub(super) struct Args {
    /// Folder of the contest
    #[arg(value_name = "CONTEST", required = true)]
    contests: Vec<PathBuf>,

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
    feedback: Option<FeedbackLevel>,

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
enum FeedbackLevel {
    Full,
    Verdicts,
    Score,
}

/// The contest that the site serves.
struct Served {
    setup: OfficeSetup,
    office: Arc<Office>,
    open_contest: Arc<OpenContest>,
    /// Notices about the contest for the organiser.
    notices: Vec<String>,
}

impl Served {
    /// Opens the contest. No team can have the name of an entry.
    fn open(folder: &Path, interrupt: &Interrupt) -> Result<Self, Failure> {
        // Checked before the office is created, so that a contest that cannot be judged gets none.
        if judged(folder)?.is_none() {
            Contest::load(folder, &Overrides::default()).map_err(Failure::input)?;
        }
        let setup = setup(folder)?;
        let office = Office::create(&office_of(folder)?, clock()).map_err(failure)?;
        let office = as_the_contest_says(office, &setup)?;
        let state = office.state().map_err(failure)?;
        let (open_contest, notices) = open_contest(folder, &results_of(folder), interrupt, &state)?;
        let office = Arc::new(office.with_entries(own_entries(&open_contest.contents().plan)));
        Ok(Self { setup, office, open_contest: Arc::new(open_contest), notices })
    }
}

/// The only folder. Earlier versions accepted several, each with a problem of the contest.
///
/// # Errors
/// The contest file that replaces several folders.
fn only(folders: &[PathBuf]) -> Result<&Path, Failure> {
    if let [only] = folders {
        return Ok(only);
    }
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let above = folders[0].parent().map(name).filter(|name| !name.is_empty()).unwrap_or_else(|| "contest".to_owned());
    let problem = |folder: &PathBuf| {
        let id = name(folder);
        format!("[[problem]]\nid = {id:?}\nfile = \"{id}/problem.toml\"\n")
    };
    let problems: Vec<String> = folders.iter().map(problem).collect();
    Err(Failure::input(format!(
        "a contest is one folder. Write its contest.toml above these folders, and move the keys of each problem from its contest.toml \
         to problem.toml beside it, with entries, [[round]], [[language]] and [notify] to this file:\n\n\
         name = {above:?}\n\n{}\n[office]\n",
        problems.join("\n")
    )))
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let feedback = self.feedback.map(|feedback| match feedback {
            FeedbackLevel::Full => Feedback::Full,
            FeedbackLevel::Verdicts => Feedback::Verdicts,
            FeedbackLevel::Score => Feedback::Score,
        });
        let processor = last_processor();
        let (listen, public_url, proxies) = (self.listen, self.public_url, self.proxy);
        let options = Options { listen, public_url, proxies, feedback, processor };
        let folder = only(&self.contests)?;
        if self.check {
            return check::check(folder, &options, out);
        }
        let interrupt = signals()?;
        // From here on, a slow reader of standard error blocks nothing.
        let lines = print_in_background()?;
        let served = Served::open(folder, &interrupt)?;
        let Served { setup, office, open_contest, notices } = &served;
        let judging = Judging::new(office, open_contest);
        judging.handle().notes(notices.clone());
        let contest = judge_office_web::Contest {
            office: office.clone(),
            open_contest: open_contest.clone(),
            judging: judging.handle(),
        };
        let server = Server::bind(options, contest, say, move || lines.dropped()).map_err(refused)?;
        writeln!(out, "{}", server.url())?;
        if let Some(token) = office.first_organiser().map_err(failure)? {
            writeln!(out, "organiser, shown once: {}/enter#{token}", server.url())?;
        }
        out.flush()?;
        let processors = Processors::default();
        let judged = std::thread::scope(|scope| {
            let judging = scope.spawn(|| {
                let (engine, jobs, weaker_isolation) = (&self.engine, self.jobs, setup.weaker_isolation);
                let machines = Machines { engine, jobs, spared: processor, processors: &processors, weaker_isolation };
                // It ends before the site only after a failure that a retry cannot fix.
                work_on(&judging, open_contest, &interrupt, &machines).inspect_err(|_| interrupt.request())
            });
            if let Some(command) = &setup.notify {
                scope.spawn(|| outbox::send(folder, command, office, open_contest, &interrupt));
            }
            let served = server.run(&interrupt).map_err(refused);
            interrupt.request();
            let judged = judging.join().unwrap_or_else(|_| Err(Failure::judge("judging ended with a panic")));
            served.and(judged)
        });
        // The file follows from the journal, so a full disk here is not a failure of the site.
        if let Err(failure) = write_results_csv(open_contest.results()) {
            say(&format!("results.csv is as it was: {}", failure.reason()));
        }
        judged.map(|_| DONE)
    }
}

fn refused(error: ServeError) -> Failure {
    match error {
        ServeError::NotEncrypted(_) => {
            Failure::input(format!("{error}, and give its address with --public-url https://…"))
        }
        ServeError::PublicUrl(_) | ServeError::Listen(..) | ServeError::Office(OfficeError::Refused { .. }) => {
            Failure::input(error.to_string())
        }
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
