//! Executes the runs of a contest on the nodes of a cluster, through the engine of the site, such as Slurm.
//!
//! [`ClusterEngine`] is an [`Engine`](judge_contest::schedule::Engine) of `judge-contest`. It sends its requests to a
//! [`Cluster`]; [`Slurm`] implements this interface with Slurm's commands.
//!
//! The judge that began a contest is its coordinator: it alone writes the journal. It packs pending runs into batches, which
//! the cluster executes as the tasks of an array. On a node, `judge work` executes the runs of a batch with the engine of one
//! machine, and leaves each outcome in the [`Spool`], atomically by a rename. The coordinator takes outcomes from there.
//!
//! Coordinator and nodes exchange everything by files of the results directory, so each can be killed at any moment: a
//! coordinator that resumes finds the arrays by the ids in the [`log`]. If a node was believed dead and its batch is
//! executed twice, the outcomes have different attempts. The first outcome of a run that arrives counts; later ones are
//! moved to `cluster/late`.
//!
//! | file in `cluster/` | contents |
//! |---|---|
//! | `arrays.jsonl` | the [`log`] of arrays |
//! | `ARRAY/commission.json` | [`BatchContext`]: everything that the batches of an array have in common |
//! | `ARRAY/batches/BATCH.json` | [`Batch`]: runs that one task executes, until the outcomes of all are taken in |
//! | `ARRAY/log/BATCH.log` | what the task printed |
//! | `part/…` | outcomes that are being written |
//! | `new/…` | [`Arrival`]: outcomes that are not taken in yet |
//! | `taken/ARRAY-BATCH/…` | outcomes that are in the journal, until the batch is over |
//! | `late/…` | outcomes of runs that have an earlier outcome, and files that cannot be read |

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod ask;
mod cluster;
mod commands;
mod coordinator;
mod engine;
pub mod log;
mod node;
mod nodes;
mod notice;
mod pack;
mod spool;

pub use ask::{Reply, answer, question};
pub use cluster::{ArrayRequest, Cluster, ClusterError, Task, TaskEnd};
pub use commands::{Slurm, SlurmError};
pub use engine::{ClusterEngine, Mode, Settings};
pub use node::{NodeBatch, NodeRecorder, WorkError};
pub use nodes::Node;
pub use notice::{ClusterState, Notice};
pub use pack::Group;
pub use spool::{Arrival, Batch, BatchContext, BatchRun, FORMAT, Spool, SpoolError};
