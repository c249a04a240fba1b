//! The unit tests of the strategies, compiled into this binary instead of one binary per strategy.

#![allow(dead_code, reason = "no test calls the `main` of a strategy")]
#![allow(clippy::duplicate_mod, reason = "tilex and twobits both contain stages.rs")]

#[path = "../../src/bin/alphabits.rs"]
mod alphabits;
#[path = "../../src/bin/bittwister.rs"]
mod bittwister;
#[path = "../../src/bin/dilloydemma/main.rs"]
mod dilloydemma;
#[path = "../../src/bin/dubious.rs"]
mod dubious;
#[path = "../../src/bin/escort.rs"]
pub(crate) mod escort;
#[path = "../../src/bin/lwr.rs"]
mod lwr;
#[path = "../../src/bin/nilssonized.rs"]
mod nilssonized;
#[path = "../../src/bin/optm_rtll.rs"]
mod optm_rtll;
#[path = "../../src/bin/ramduf.rs"]
mod ramduf;
#[path = "../../src/bin/scrambloyd.rs"]
mod scrambloyd;
#[path = "../../src/bin/shufflemania/main.rs"]
mod shufflemania;
#[path = "../../src/bin/slider.rs"]
mod slider;
#[path = "../../src/bin/slowmotion.rs"]
mod slowmotion;
#[path = "../../src/bin/ten_pound_sledge.rs"]
mod ten_pound_sledge;
#[path = "../../src/bin/tilex.rs"]
mod tilex;
#[path = "../../src/bin/twobits.rs"]
mod twobits;
