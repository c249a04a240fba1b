//! `judge serve`: the office of a contest as a web site.

mod outbox;

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use super::office::{Machines, as_the_contest_says, conduct, setup, work};
use super::results_csv::write_results_csv;
use super::slurm::ClusterOptions;
use super::team::{clock, failure, office_of};
use super::{DONE, Done, Failure, say, signals};
use judge_contest::office::Feedback;
use judge_job::StopRequest as _;
use judge_office::Office;
use judge_office::judging::{Judging, results_of};
use judge_office_web::{Options, ServeError, Server};

/// Open the office of a contest as a web site: teams submit, and everybody sees a live board
///
/// It judges what is handed in while it serves, as `judge office judge --follow` does. The first start prints the organiser's
/// link. It ends with Ctrl-C or SIGTERM; nothing is lost, and the same command goes on. Results are in the contest's folder
/// `results`, and all other commands take them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge serve my-contest
  judge serve my-contest --listen 127.0.0.1:8080 --public-url https://contest.example.org --proxy 127.0.0.1
  judge serve my-contest --engine slurm         runs are made on the nodes of a cluster, builds here

A link for each team: the address of the site, then /enter# and the token that `judge team add` prints. There is no
encryption in it: to be reached from other machines, it needs a reverse proxy with https before it (docs/office.md).")]
pub(super) struct Args {
    /// Folder of the contest
    contest: PathBuf,

    /// Address and port to listen on; port 0 for any free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// Address of the site as browsers have it, behind a reverse proxy
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,

    /// Address of the reverse proxy, whose word on the address of a client counts
    #[arg(long, value_name = "ADDRESS")]
    proxy: Vec<IpAddr>,

    /// What teams see of their submissions: everything, the verdict on each board, or the total [default: as the contest says]
    #[arg(long, value_name = "WHAT")]
    feedback: Option<Shown>,

    /// Runs at a time [default: as many as do not disturb each other, without the processor of the site]
    #[arg(long, value_name = "N", value_parser = super::at_least_one)]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    engine: ClusterOptions,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Shown {
    Full,
    Verdicts,
    Score,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let interrupt = signals()?;
        let office = Office::create(&office_of(&self.contest)?, clock()).map_err(failure)?;
        let setup = setup(&self.contest)?;
        let office = Arc::new(as_the_contest_says(office, &setup)?);
        let results = results_of(&self.contest);
        let conduct = Arc::new(conduct(&self.contest, &results, &interrupt)?);
        let judging = Judging::new(&office, &conduct);
        let processor = last_processor();
        let feedback = self.feedback.map(|feedback| match feedback {
            Shown::Full => Feedback::Full,
            Shown::Verdicts => Feedback::Verdicts,
            Shown::Score => Feedback::Score,
        });
        let (listen, public_url, proxies) = (self.listen, self.public_url, self.proxy);
        let options = Options { listen, public_url, proxies, feedback, processor };
        let server = Server::bind(options, office.clone(), conduct.clone(), judging.handle(), say).map_err(refused)?;
        writeln!(out, "{}", server.url())?;
        if let Some(token) = office.first_organiser().map_err(failure)? {
            writeln!(out, "organiser, shown once: {}/enter#{token}", server.url())?;
        }
        out.flush()?;
        let judged = std::thread::scope(|scope| {
            let judging = scope.spawn(|| {
                let machines = Machines { engine: &self.engine, jobs: self.jobs, spared: processor };
                let judged = work(&judging, &conduct, &interrupt, &machines, true);
                // Nothing would be judged any more, so the site ends, too.
                interrupt.request();
                judged
            });
            if let Some(command) = &setup.notify {
                let (folder, office, conduct, interrupt) = (&self.contest, &office, &conduct, &interrupt);
                scope.spawn(move || outbox::send(folder, command, office, conduct, interrupt));
            }
            let served = server.run(&interrupt).map_err(refused);
            interrupt.request();
            let judged = judging.join().unwrap_or_else(|_| Err(Failure::judge("judging ended with a panic")));
            served.and(judged)
        });
        write_results_csv(&results)?;
        judged.map(|_| DONE)
    }
}

fn refused(error: ServeError) -> Failure {
    match error {
        ServeError::NotEncrypted(_) => {
            Failure::input(format!("{error}, and give its address with --public-url https://…"))
        }
        ServeError::PublicUrl(_) | ServeError::Listen(..) => Failure::input(error.to_string()),
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
