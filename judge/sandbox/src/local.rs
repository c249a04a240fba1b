//! Runs on this machine: what an entry gets, the sandbox it is put into, and what is left when it is over.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

use rustix::io::Errno;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::monitor::{Captures, Fault, Finished, Monitor};
use super::sandbox::{NotStarted, Sandbox, Start, Step, find};
use super::{Argument, Capacity, Description, LayerState, Limits, Machine, PlacedFile};
use super::{End, Enforcement, Executor, Interrupt, Interrupted, Isolation, IsolationMode, Job, Outcome, Probe, Usage};
use super::{inherited, machine, scratch, settled};

/// Variables an entry inherits; everything else is left out, so that a run depends on the contest alone.
const INHERITED: &[&str] = &["PATH", "LANG"];

/// Runs entries as child processes on this machine.
pub struct LocalExecutor<'a> {
    interrupt: &'a Interrupt,
    scratch: scratch::Base,
    sandbox: Sandbox,
    machine: Machine,
}

impl<'a> LocalExecutor<'a> {
    /// An executor that ends its runs early when `interrupt` comes, in the strongest sandbox that works here or the one
    /// that is demanded. Fails when no scratch directory can be made.
    pub fn new(interrupt: &'a Interrupt, demand: IsolationMode) -> io::Result<Self> {
        let scratch = scratch::Base::new()?;
        let sandbox = Sandbox::new(demand.at_most(), scratch.root_folder()?);
        Ok(Self { interrupt, scratch, sandbox, machine: machine::this() })
    }

    /// The same on a system that has neither supervisors nor pidfds: a process group, watched by a thread.
    pub fn bare(interrupt: &'a Interrupt) -> io::Result<Self> {
        let scratch = scratch::Base::new()?;
        let sandbox = Sandbox::bare(scratch.root_folder()?);
        Ok(Self { interrupt, scratch, sandbox, machine: machine::this() })
    }

    /// What holds the entries.
    pub fn isolation(&self) -> &Isolation {
        self.sandbox.isolation()
    }

    /// What was found out about this machine.
    pub fn probe(&self) -> &Probe {
        self.sandbox.survey_of_machine()
    }

    /// How limits are enforced.
    pub fn enforcement(&self) -> Enforcement {
        self.sandbox.enforcement()
    }
}

impl Executor for LocalExecutor<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        match self.attempt(job) {
            Ok(Some(outcome)) => Ok(outcome),
            Ok(None) => Err(Interrupted),
            Err(fault) => Ok(self.without_run(End::JudgeError { reason: fault.0 })),
        }
    }

    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity {
        let cores = machine::cores();
        let usable = self.machine.processors.map_or(cores.len(), |processors| processors.min(cores.len()));
        let memory = limits.iter().filter_map(|limits| limits.memory_bytes).max();
        let each = limits.iter().map(|limits| limits.cores).max().unwrap_or(1);
        let fitting = machine::default_jobs(usable, each, self.machine.memory_bytes, memory).max(1);
        let jobs = wanted.map_or(fitting, NonZeroUsize::get);
        let plural = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let mut notices = Vec::new();
        let slots = machine::slots(&cores, jobs, each).unwrap_or_else(|| {
            let (cores, each) = (plural(cores.len(), "core"), plural(each, "core"));
            notices.push(format!(
                "{} at a time with {each} each on {cores}: they disturb each other and are not pinned",
                plural(jobs, "run")
            ));
            vec![Vec::new(); jobs]
        });
        if notices.is_empty() && jobs > fitting {
            notices.push(format!("--jobs {jobs} exceeds {fitting}, the most that CPU quota and memory allow"));
        }
        Capacity { slots, notices }
    }

    fn describe(&self) -> Description {
        let layers = self.probe().layers.iter().map(|layer| LayerState {
            name: layer.name.into(),
            works: layer.works,
            finding: layer.finding.clone(),
        });
        Description { isolation: self.isolation().clone(), layers: layers.collect() }
    }
}

impl LocalExecutor<'_> {
    /// `None` when the run was interrupted.
    fn attempt(&self, job: &Job) -> Result<Option<Outcome>, Fault> {
        // The run inherits it. That the judge's thread stays there as well makes an entry pay for the work it gives
        // the judge, reading what it prints for one, and not its neighbour.
        let pinned = Pinned::to(&job.processors);
        let processors = if pinned.is_ok() { &job.processors[..] } else { &[] };
        let captures = Captures::create(job)?;
        let path = inherited("PATH").unwrap_or_default();
        let Some(Argument::Text(name)) = job.argv.first() else {
            return Ok(Some(self.without_run(End::CouldNotStart { reason: "the command is empty".into() })));
        };
        let program = match find(name.as_ref(), &path) {
            Ok(program) => settled(&program),
            Err(_) => {
                let reason = format!("{name} is not on the PATH");
                return Ok(Some(self.without_run(End::CouldNotStart { reason })));
            }
        };
        // In a root of its own the supervisor makes both, and both are gone with it.
        let scratch = if self.sandbox.has_own_root() { None } else { Some(self.scratch_with(&job.files)?) };
        let mut environment: Vec<_> =
            INHERITED.iter().filter_map(|name| Some(((*name).to_owned(), inherited(name)?))).collect();
        environment.push(("JUDGE_LIMIT_MS".into(), job.limits.wall_ms.to_string().into()));
        let start = Start {
            program: &program,
            argv: &job.argv,
            stdin: &job.stdin,
            files: &job.files,
            limits: &job.limits,
            readable: &job.readable,
            environment,
            scratch: scratch.as_ref().map(tempfile::TempDir::path),
        };
        let outcome = match self.sandbox.start(&start) {
            Ok(running) => {
                let scratch = scratch.as_ref().map(tempfile::TempDir::path);
                let prepare_next = || self.sandbox.prepare_next(&job.limits);
                let mut monitor = Monitor::new(job, processors, self.interrupt, self.sandbox.enforcement(), scratch);
                monitor.at_leisure(&prepare_next);
                match monitor.monitor(running, captures)? {
                    Finished::Interrupted => None,
                    Finished::Refused(refusal) if refusal.step == Step::Execute => {
                        Some(self.without_run(refused(refusal.error, &program)?))
                    }
                    Finished::Refused(refusal) => {
                        let error = io::Error::from(refusal.error);
                        return Err(Fault(format!("preparing {name}: {}: {error}", refusal.step)));
                    }
                    Finished::Run(run) => Some(run.outcome(self.sandbox.isolation().clone(), self.machine.clone())),
                }
            }
            Err(NotStarted::Refused(error)) => match Errno::from_io_error(&error) {
                Some(error) => Some(self.without_run(refused(error, &program)?)),
                None => return Err(Fault(format!("starting {name}: {error}"))),
            },
            Err(NotStarted::Unprepared(reason)) => return Err(Fault(format!("starting {name}: {reason}"))),
        };
        let removed = scratch.map_or(Ok(()), scratch::remove);
        Ok(outcome.map(|mut outcome| {
            if let Err(error) = &pinned {
                outcome.notes.push(format!("it was not pinned to processors {:?}: {error}", job.processors));
            }
            if let Err(error) = removed {
                outcome.notes.push(format!("its scratch directory could not be removed: {error}"));
            }
            outcome
        }))
    }

    fn scratch_with(&self, files: &[PlacedFile]) -> Result<tempfile::TempDir, Fault> {
        let scratch = self.scratch.scratch().map_err(|error| Fault(format!("no scratch directory: {error}")))?;
        for PlacedFile { name, contents } in files {
            let file = scratch.path().join(name);
            fs::write(&file, contents).map_err(|error| Fault(format!("placing {}: {error}", file.display())))?;
        }
        Ok(scratch)
    }

    fn without_run(&self, end: End) -> Outcome {
        let (isolation, machine) = (self.sandbox.isolation().clone(), self.machine.clone());
        let (usage, contention, notes) = (Usage::default(), None, Vec::new());
        Outcome { end, wall_us: None, usage, contention, stdout_bytes: 0, stderr_bytes: 0, isolation, machine, notes }
    }
}

/// The calling thread on some processors, until this is dropped.
struct Pinned {
    before: Option<CpuSet>,
}

impl Pinned {
    fn to(processors: &[usize]) -> io::Result<Self> {
        if processors.is_empty() {
            return Ok(Self { before: None });
        }
        let before = sched_getaffinity(None)?;
        let mut set = CpuSet::new();
        processors.iter().for_each(|&processor| set.set(processor));
        sched_setaffinity(None, &set)?;
        Ok(Self { before: Some(before) })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            // It was possible a moment ago; where it is not any more, the thread stays where it is.
            sched_setaffinity(None, before).ok();
        }
    }
}

/// Whose fault it is that a command did not start: the machine's when it was short of something or busy, else the
/// entry's.
fn refused(error: Errno, program: &Path) -> Result<End, Fault> {
    let name = program.display();
    let reason = match error {
        Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE | Errno::TXTBSY | Errno::CHILD | Errno::IO => {
            return Err(Fault(format!("starting {name}: {}", io::Error::from(error))));
        }
        Errno::NOENT if program.exists() => format!("the interpreter of {name} is not among the files it may see"),
        Errno::NOENT => format!("{name} does not exist"),
        Errno::ACCESS => format!("{name} is not an executable file, or not one that everybody may execute"),
        Errno::NOEXEC => {
            format!("{name} is no program for this machine; a script needs a first line such as #!/bin/sh")
        }
        error => format!("{name}: {}", io::Error::from(error)),
    };
    Ok(End::CouldNotStart { reason })
}
