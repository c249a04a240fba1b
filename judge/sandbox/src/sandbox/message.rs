//! Messages from a supervisor to the judge: datagrams of plain numbers, written without allocating.

use std::fmt;

use rustix::io::Errno;

/// The numbers of a datagram.
const WORDS: usize = 10;
/// Size of every datagram in bytes.
pub(super) const LENGTH: usize = WORDS * size_of::<u64>();

/// One datagram from a supervisor to the judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Message {
    /// A step of the preparation failed; the entry never ran.
    Refused(Refusal),
    /// The entry begins: its preparation is over.
    Begun {
        /// The time by the monotonic clock, in microseconds.
        now_us: u64,
        /// The process number of the main process, which leads its group; 0 in a PID namespace.
        pid: i32,
    },
    /// A descriptor of the scratch directory comes with this message.
    Scratch,
    /// The scratch directory is this descriptor of the supervisor, which waits for an answer. Used if entries of the same
    /// user already have as many descriptors in flight in sockets as the user may have.
    ScratchAt(i32),
    /// The scratch directory is full.
    ScratchFull,
    /// The run is over, and its remaining processes are being ended, which can take the kernel a long time. Not sent if none
    /// remains.
    Over(ExitReport),
    /// The entry has ended, by itself or by order, and none of its processes lives.
    Ended(FinalReport),
}

/// The step that failed, and the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) step: Step,
    /// The index among several items of the same kind.
    pub(crate) index: usize,
    pub(crate) error: Errno,
}

/// The facts that decide the verdict. They are reported before the remaining processes are ended, so that nothing that
/// later happens to the supervisor or in the kernel can change them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExitReport {
    /// Wait status of the main process; `None` if it still lived when the limit, or the judge, ended the run.
    pub(crate) status: Option<i32>,
    /// The time when it ended or the order to end it arrived, by the monotonic clock, in microseconds.
    pub(crate) at_us: u64,
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FinalReport {
    /// Wait status of the main process.
    pub(crate) status: i32,
    /// True if it ended before the supervisor began to end it, at the limit or by the judge's order.
    pub(crate) by_itself: bool,
    /// The time when the main process ended, by the monotonic clock, in microseconds.
    pub(crate) ended_us: u64,
    /// Number of processes that still ran after its end and were ended by the supervisor.
    pub(crate) left: u64,
    /// CPU time of all reaped processes, in microseconds.
    pub(crate) cpu_us: u64,
    /// Peak resident memory of the largest single process.
    pub(crate) largest_bytes: u64,
    /// Involuntary context switches of all reaped processes.
    pub(crate) involuntary_switches: u64,
    /// The time when the warning was sent, by the monotonic clock, in microseconds; 0 if none was sent.
    pub(crate) warned_us: u64,
    /// CPU time of the supervisor itself, in microseconds.
    pub(crate) supervisor_cpu_us: u64,
}

/// Declares the steps from a bare clone to the entry with their words, in the order of their numbers.
macro_rules! steps {
    ($($step:ident = $words:literal,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Step {
            $($step,)*
        }

        impl Step {
            const ALL: [Self; [$($words),*].len()] = [$(Self::$step),*];
        }

        impl fmt::Display for Step {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$step => $words,)*
                })
            }
        }
    };
}

steps! {
    Descriptors = "handing over its descriptors",
    Tie = "tying the supervisor to the judge",
    UserNamespace = "mapping its user",
    Network = "entering its network namespace",
    Mounts = "making its mounts private",
    Root = "making its root directory",
    Visible = "showing it a file",
    Seal = "making its root read-only",
    Writable = "making a folder writable for it",
    Devices = "giving it a device",
    Proc = "mounting its /proc",
    Mask = "hiding a file of its /proc",
    Scratch = "mounting its scratch directory",
    Pivot = "changing to its root",
    Files = "placing its files",
    HostName = "setting its host name",
    Monitor = "monitoring its processes",
    Fork = "making its process",
    Session = "giving it a session",
    Cgroup = "putting it into its cgroup",
    ResourceLimits = "setting its resource limits",
    User = "taking its privileges away",
    Directory = "entering its working directory",
    Landlock = "putting it under Landlock",
    Seccomp = "putting it under the seccomp filter",
    Execute = "executing it",
}

impl Message {
    pub(super) fn encode(&self) -> [u8; LENGTH] {
        let words: [u64; WORDS] = match *self {
            Self::Refused(Refusal { step, index, error }) => {
                [0, step as u64, index as u64, error.raw_os_error().unsigned_abs().into(), 0, 0, 0, 0, 0, 0]
            }
            Self::ScratchFull => [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            Self::Begun { now_us, pid } => [4, now_us, pid.unsigned_abs().into(), 0, 0, 0, 0, 0, 0, 0],
            Self::Scratch => [5, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            Self::ScratchAt(number) => [6, number.unsigned_abs().into(), 0, 0, 0, 0, 0, 0, 0, 0],
            Self::Over(ExitReport { status, at_us }) => {
                let number = status.unwrap_or_default().cast_unsigned().into();
                [3, number, status.is_some().into(), at_us, 0, 0, 0, 0, 0, 0]
            }
            Self::Ended(ended) => [
                2,
                ended.status.cast_unsigned().into(),
                ended.by_itself.into(),
                ended.ended_us,
                ended.left,
                ended.cpu_us,
                ended.largest_bytes,
                ended.involuntary_switches,
                ended.warned_us,
                ended.supervisor_cpu_us,
            ],
        };
        let mut bytes = [0; LENGTH];
        for (place, word) in bytes.chunks_exact_mut(size_of::<u64>()).zip(words) {
            place.copy_from_slice(&word.to_ne_bytes());
        }
        bytes
    }

    /// `None` for bytes that no supervisor sends.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; LENGTH] = bytes.try_into().ok()?;
        let mut words = [0; WORDS];
        for (word, place) in words.iter_mut().zip(bytes.chunks_exact(size_of::<u64>())) {
            *word = u64::from_ne_bytes(place.try_into().ok()?);
        }
        let [kind, a, b, c, left, cpu_us, largest_bytes, involuntary_switches, warned_us, supervisor_cpu_us] = words;
        Some(match kind {
            0 => Self::Refused(Refusal {
                step: *Step::ALL.get(usize::try_from(a).ok()?)?,
                index: usize::try_from(b).ok()?,
                error: Errno::from_raw_os_error(i32::try_from(c).ok()?),
            }),
            1 => Self::ScratchFull,
            2 => Self::Ended(FinalReport {
                status: u32::try_from(a).ok()?.cast_signed(),
                by_itself: b != 0,
                ended_us: c,
                left,
                cpu_us,
                largest_bytes,
                involuntary_switches,
                warned_us,
                supervisor_cpu_us,
            }),
            3 => {
                let status = u32::try_from(a).ok()?.cast_signed();
                Self::Over(ExitReport { status: (b != 0).then_some(status), at_us: c })
            }
            5 => Self::Scratch,
            6 => Self::ScratchAt(i32::try_from(a).ok()?),
            4 => Self::Begun { now_us: a, pid: i32::try_from(b).ok()? },
            _ => return None,
        })
    }
}

/// Result of a step that can fail.
pub(super) type Done<T = ()> = Result<T, Refusal>;

/// Names the step that failed.
pub(super) trait AtStep<T> {
    fn at_step(self, step: Step) -> Done<T>;
    fn doing_nth(self, step: Step, index: usize) -> Done<T>;
}

impl<T> AtStep<T> for Result<T, Errno> {
    fn at_step(self, step: Step) -> Done<T> {
        self.doing_nth(step, 0)
    }

    fn doing_nth(self, step: Step, index: usize) -> Done<T> {
        self.map_err(|error| Refusal { step, index, error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_comes_back() {
        let refusals =
            Step::ALL.map(|step| Message::Refused(Refusal { step, index: step as usize, error: Errno::NOENT }));
        let ended = FinalReport {
            status: -1,
            by_itself: true,
            ended_us: u64::MAX,
            left: 7,
            cpu_us: 1,
            largest_bytes: 2,
            involuntary_switches: 3,
            warned_us: 4,
            supervisor_cpu_us: 5,
        };
        for message in refusals.into_iter().chain([
            Message::Begun { now_us: 7, pid: 8 },
            Message::Scratch,
            Message::ScratchAt(9),
            Message::ScratchFull,
            Message::Over(ExitReport { status: None, at_us: 3 }),
            Message::Over(ExitReport { status: Some(-1), at_us: u64::MAX }),
            Message::Ended(ended),
        ]) {
            assert_eq!(Message::decode(&message.encode()), Some(message));
        }
        assert_eq!(Message::decode(b"solved"), None);
        assert_eq!(Message::decode(&[0xff; LENGTH]), None);
    }
}
