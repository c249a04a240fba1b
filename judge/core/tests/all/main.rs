//! Tests of the games and the referee: naive second implementations, cases from the sources, random boards.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod answers;
mod compared;
mod distance;
mod example;
mod hexa_draughts_rules;
mod loyd_rules;
mod recorded;
mod referee;
mod refused;
mod shift_rules;
mod statistics;
mod swap_rules;
mod table_of_runs;
mod tokens;
mod ufo_rules;

/// How many random answers the deep tier compares with a second implementation. An optimised build has the time for more.
const MANY: usize = if cfg!(debug_assertions) { 25_000 } else { 250_000 };
