//! The filter as a search tree over the numbers of system calls.
//!
//! The kernel runs the program for every call there is when a filter is set, and afterwards for every call whose arguments
//! matter. A tree needs eight comparisons where a list would need hundreds.

use seccompiler::sock_filter;

/// Instructions of the filter's machine.
const LOAD: u16 = 0x20;
pub(super) const RETURN: u16 = 0x06;
const JUMP: u16 = 0x05;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;

/// Places of a call's number and architecture in what the kernel shows a filter.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;

/// The architecture that this program is for, by the kernel's name.
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

/// What becomes of the calls from a number on.
#[derive(Debug, Clone)]
pub(super) struct Range {
    pub(super) first: u32,
    pub(super) action: Action,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    Return(u32),
    /// A program that looks at the arguments and returns.
    Run(Vec<sock_filter>),
}

/// The whole program for ranges in ascending order, of which the first begins with 0.
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
            Action::Run(program) => program.clone(),
        };
    }
    let below = branch(lower);
    // A conditional jump reaches 255 instructions, a plain one any number.
    let length = u32::try_from(below.len()).expect("a program has few instructions");
    let choice = sock_filter { code: JUMP_IF_AT_LEAST, jt: 0, jf: 1, k: first.first };
    [vec![choice, step(JUMP, length)], below, branch(upper)].concat()
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
                0x54 => value &= step.k,
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
