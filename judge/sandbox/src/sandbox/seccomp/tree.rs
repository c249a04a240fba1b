//! The filter as a search tree over the numbers of system calls.
//!
//! When a filter is set, the kernel runs the program for every existing call, and afterwards for every call whose
//! arguments matter. A tree needs eight comparisons, while a list would need hundreds.

use seccompiler::sock_filter;

use super::arguments::{Check, UPPER};
use super::{ALLOWED, DONE};

/// Instructions of the filter's machine.
const LOAD: u16 = 0x20;
const MASK: u16 = 0x54;
const RETURN: u16 = 0x06;
const JUMP: u16 = 0x05;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;

/// Offsets of a call's number and architecture in the data that the kernel passes to a filter.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// The architecture of this program, by the kernel's name.
const THIS: u32 = if cfg!(target_arch = "x86_64") {
    0xc000_003e
} else if cfg!(target_arch = "aarch64") {
    0xc000_00b7
} else if cfg!(target_arch = "riscv64") {
    0xc000_00f3
} else {
    0
};
const KILL: u32 = 0x8000_0000;
/// Offset of the lower half in an argument of 64 bits.
const LOWER_HALF: u32 = if cfg!(target_endian = "little") { 0 } else { 4 };

/// The action for the calls from a number on.
#[derive(Debug, Clone)]
pub(super) struct Range {
    pub(super) first: u32,
    pub(super) action: Action,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Action {
    Return(u32),
    /// The call is allowed if all checks of one of the lists of `allowed` hold. Else it appears to succeed if all of one of
    /// the lists of `pretended` hold. Otherwise the result is `refusal`.
    Run {
        allowed: &'static [&'static [Check]],
        pretended: &'static [&'static [Check]],
        refusal: u32,
    },
}

/// The whole program for ranges in ascending order, the first of which begins with 0.
pub(super) fn program(ranges: &[Range]) -> Vec<sock_filter> {
    let mut program = vec![
        step(LOAD, ARCHITECTURE),
        sock_filter { code: JUMP_IF_EQUAL, jt: 1, jf: 0, k: THIS },
        step(RETURN, KILL),
        step(LOAD, NUMBER),
    ];
    program.extend(branch(ranges));
    program
}

fn branch(ranges: &[Range]) -> Vec<sock_filter> {
    let (lower, upper) = ranges.split_at(ranges.len() / 2);
    let Some(first) = upper.first() else { return Vec::new() };
    if lower.is_empty() {
        return match &first.action {
            Action::Return(action) => vec![step(RETURN, *action)],
            Action::Run { allowed, pretended, refusal } => checks(allowed, pretended, *refusal),
        };
    }
    let below = branch(lower);
    let choice = |jt, jf| sock_filter { code: JUMP_IF_AT_LEAST, jt, jf, k: first.first };
    // A conditional jump reaches 255 instructions, a plain one any number.
    let choice = match u8::try_from(below.len()) {
        Ok(length) => vec![choice(length, 0)],
        Err(_) => {
            let length = u32::try_from(below.len()).expect("a program has few instructions");
            vec![choice(0, 1), step(JUMP, length)]
        }
    };
    [choice, below, branch(upper)].concat()
}

/// The decision about a call by its arguments. A call uses only the lower half of such an argument, so this also checks
/// only the lower half.
fn checks(allowed: &[&[Check]], pretended: &[&[Check]], refusal: u32) -> Vec<sock_filter> {
    let mut program = Vec::new();
    let mut loaded = None;
    let allowed = allowed.iter().map(|list| (list, ALLOWED));
    for (list, action) in allowed.chain(pretended.iter().map(|list| (list, DONE))) {
        let mut conditions = Vec::new();
        for &Check { argument, mask, value } in *list {
            if loaded != Some(argument) {
                let half = if argument & UPPER == 0 { LOWER_HALF } else { 4 - LOWER_HALF };
                conditions.push(step(LOAD, ARGUMENTS + 8 * u32::from(argument & !UPPER) + half));
            }
            if mask != u32::MAX {
                conditions.push(step(MASK, mask));
            }
            conditions.push(step(JUMP_IF_EQUAL, value));
            loaded = (mask == u32::MAX).then_some(argument);
        }
        conditions.push(step(RETURN, action));
        // Where a check fails the next list begins. There the argument is known only if a list has a single check.
        let length = conditions.len();
        for (place, step) in conditions.iter_mut().enumerate().filter(|(_, step)| step.code == JUMP_IF_EQUAL) {
            step.jf = u8::try_from(length - place - 1).expect("a list has few checks");
        }
        if list.len() > 1 {
            loaded = None;
        }
        program.extend(conditions);
    }
    program.push(step(RETURN, refusal));
    program
}

fn step(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    /// The kernel's decision on a call, by a small interpreter for the instructions that occur here, and the number of
    /// instructions it took.
    pub(in super::super) fn run(program: &[sock_filter], number: u32, arguments: [u64; 6]) -> (u32, usize) {
        let word = |offset: u32| match offset {
            NUMBER => number,
            ARCHITECTURE => THIS,
            _ => {
                let argument = arguments[usize::try_from(offset - 16).unwrap() / 8];
                u32::try_from(if offset.is_multiple_of(8) { argument & 0xffff_ffff } else { argument >> 32 }).unwrap()
            }
        };
        let (mut at, mut value) = (0, 0);
        for steps in 1.. {
            let step = &program[at];
            at += 1;
            let mut jump = |yes: bool| at += usize::from(if yes { step.jt } else { step.jf });
            match step.code {
                LOAD => value = word(step.k),
                JUMP => at += usize::try_from(step.k).unwrap(),
                JUMP_IF_EQUAL => jump(value == step.k),
                JUMP_IF_AT_LEAST => jump(value >= step.k),
                MASK => value &= step.k,
                RETURN => return (step.k, steps),
                unknown => panic!("instruction {unknown:#x}"),
            }
        }
        unreachable!("a program ends")
    }

    #[test]
    fn every_number_finds_its_range() {
        let range = |first, action| Range { first, action: Action::Return(action) };
        for count in 1..40_u32 {
            let ranges: Vec<Range> = (0..count).map(|place| range(place * 3, place)).collect();
            let program = program(&ranges);
            for number in 0..count * 3 + 5 {
                assert_eq!(run(&program, number, [0; 6]).0, (number / 3).min(count - 1), "{number} of {count}");
            }
        }
    }
}
