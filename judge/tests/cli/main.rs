//! End-to-end tests of the command, one file per subject. `support` is the builder all of them use.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::disallowed_methods, reason = "a test starts the judge and looks at the clock")]

mod support;

mod bad_boards;
mod bad_contests;
mod bad_results;
mod boards;
mod builds;
mod burdens;
mod cage;
mod commands;
mod compare;
mod documents;
mod durability;
mod elsewhere;
mod garbage;
mod hexa_draughts;
mod hostile;
mod hostile_page;
mod import;
mod json;
mod layers;
mod licences;
mod links;
mod live;
mod living;
mod mistakes;
mod month;
mod names;
mod numbers;
mod office;
mod organiser;
mod organiser_month;
mod outcomes;
mod own_puzzles;
mod places;
mod planted;
mod promises;
mod public_api;
mod rank;
mod records;
mod referees;
mod repeat;
mod replay;
mod report;
mod resume;
mod rogues;
mod samples;
mod schedule;
mod screens;
mod seals;
mod second_opinion;
mod shared_limits;
mod shift;
mod sources;
mod standings;
mod swap;
mod syscalls;
mod terminal;
mod tries;
mod ufo;
mod unwritable;
mod validate;
mod walls;
