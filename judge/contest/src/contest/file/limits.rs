//! The keys for limits: of a contest, of one entry, and of builds.

use std::ops::{Range, RangeInclusive};

use serde::Deserialize;
use toml::Spanned;

use judge_job::Limits;

use super::values::{milliseconds, parse_duration, parse_size};
use super::{ContestError, Reader};

/// The value for no limit.
const UNLIMITED: &str = "unlimited";
/// The most processes and cores of a limit. No machine has more, so a higher value is a mistake.
const MAX_PROCESSES: u64 = 4_194_304;
const MAX_CORES: u32 = 4096;

/// The limits that a contest and each of its entries can have.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsTable {
    pub(super) limit: Option<Spanned<String>>,
    pub(super) grace: Option<Spanned<String>>,
    pub(super) cpu: Option<Spanned<String>>,
    pub(super) memory: Option<Spanned<String>>,
    pub(super) processes: Option<Spanned<toml::Value>>,
    pub(super) output: Option<Spanned<String>>,
    pub(super) scratch: Option<Spanned<String>>,
}

impl LimitsTable {
    /// The place of the first limit.
    pub(super) fn first(&self) -> Option<Range<usize>> {
        let Self { limit, grace, cpu, memory, processes, output, scratch } = self;
        let texts = [limit, grace, cpu, memory, output, scratch].into_iter().flatten().map(Spanned::span);
        texts.chain(processes.as_ref().map(Spanned::span)).min_by_key(|span| span.start)
    }
}

impl Reader<'_> {
    /// Reads a number of cores, from 1 to [`MAX_CORES`].
    pub(super) fn cores(&self, cores: &Spanned<i64>) -> Result<usize, ContestError> {
        self.number_in("cores", cores, 1..=MAX_CORES).map(|number| number as usize)
    }

    /// A whole number of a key with a least and a largest value.
    pub(super) fn number_in(
        &self,
        key: &str,
        value: &Spanned<i64>,
        all: RangeInclusive<u32>,
    ) -> Result<u32, ContestError> {
        u32::try_from(*value.get_ref()).ok().filter(|number| all.contains(number)).ok_or_else(|| {
            let (least, most) = all.into_inner();
            self.refuse(value.span(), format!("{key} must be {least} to {most}, not {}", value.get_ref()))
        })
    }

    /// The value of a key with a fixed list of words; the default without the key.
    pub(super) fn word<T: Copy + Default, const N: usize>(
        &self,
        key: &str,
        value: Option<&Spanned<String>>,
        (all, name): ([T; N], fn(T) -> &'static str),
    ) -> Result<T, ContestError> {
        let Some(value) = value else { return Ok(T::default()) };
        all.into_iter().find(|one| name(*one) == value.get_ref()).ok_or_else(|| {
            let words = all.map(|one| format!("{:?}", name(one)));
            let (last, others) = words.split_last().expect("some values");
            self.refuse(
                value.span(),
                format!("{key} must be {} or {last}, not {:?}", others.join(", "), value.get_ref()),
            )
        })
    }

    /// The usual limits with the changes of these keys.
    pub(super) fn limits(&self, keys: &LimitsTable, usual: Limits) -> Result<Limits, ContestError> {
        let mut limits = usual;
        let not_zero = |name: &str, example: &str| format!("{name} must not be zero; use for example \"{example}\"");
        if let Some(wall) = self.duration("limit", keys.limit.as_ref())? {
            limits.wall_ms = wall;
        }
        if limits.wall_ms == 0 {
            let span = keys.limit.as_ref().map_or(0..0, Spanned::span);
            return Err(self.refuse(span, not_zero("limit", "10m")));
        }
        if let Some(grace) = self.duration("grace", keys.grace.as_ref())? {
            limits.grace_ms = grace;
        }
        if let Some(output) = self.size("output", keys.output.as_ref())? {
            limits.output_bytes = output;
        }
        if let Some(cpu) = &keys.cpu {
            let unlimited = cpu.get_ref() == UNLIMITED;
            limits.cpu_ms = if unlimited { None } else { self.duration("cpu", Some(cpu))? };
            if limits.cpu_ms == Some(0) {
                return Err(self.refuse(cpu.span(), not_zero("cpu", "10m")));
            }
        }
        for (name, key, limit) in
            [("memory", &keys.memory, &mut limits.memory_bytes), ("scratch", &keys.scratch, &mut limits.scratch_bytes)]
        {
            if let Some(text) = key {
                *limit = if text.get_ref() == UNLIMITED { None } else { self.size(name, Some(text))? };
                if *limit == Some(0) {
                    return Err(self.refuse(text.span(), not_zero(name, "256MiB")));
                }
            }
        }
        if let Some(processes) = &keys.processes {
            limits.processes = match processes.get_ref() {
                toml::Value::String(text) if text == UNLIMITED => None,
                toml::Value::Integer(number @ 1..) if number.unsigned_abs() <= MAX_PROCESSES => {
                    u32::try_from(*number).ok()
                }
                other => {
                    let reason = format!("processes must be 1 to {MAX_PROCESSES} or \"{UNLIMITED}\", not {other}");
                    return Err(self.refuse(processes.span(), reason));
                }
            };
        }
        Ok(limits)
    }

    /// Reads a duration such as `10s` into milliseconds; `None` without a value.
    pub(super) fn duration(&self, key: &str, value: Option<&Spanned<String>>) -> Result<Option<u64>, ContestError> {
        let Some(value) = value else { return Ok(None) };
        let duration = parse_duration(value.get_ref());
        let duration = duration.map_err(|reason| self.refuse(value.span(), format!("{key}: {reason}")))?;
        Ok(Some(milliseconds(duration)))
    }

    /// Reads a size such as `512MiB` into bytes; `None` without a value.
    pub(super) fn size(&self, key: &str, value: Option<&Spanned<String>>) -> Result<Option<u64>, ContestError> {
        let Some(value) = value else { return Ok(None) };
        let size = parse_size(value.get_ref());
        size.map(Some).map_err(|reason| self.refuse(value.span(), format!("{key}: {reason}")))
    }
}
