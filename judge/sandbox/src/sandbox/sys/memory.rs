//! Memory of processes that cannot allocate, and of clones that give up most of their memory.

use std::io;
use std::sync::atomic::AtomicU64;

use rustix::io::Errno;

use super::{checked, last_error};

/// Parts of the memory: for each, its first byte and the byte after its last one. Not on the heap, which is also given up.
pub(in crate::sandbox) struct Ranges {
    ranges: [(usize, usize); MAX_RANGES],
    count: usize,
    /// The end of the highest mapped part of the memory.
    end: usize,
}

/// The most ranges: one per loaded library, and a few more.
const MAX_RANGES: usize = 256;

/// Memory that a clone of the calling thread needs to continue: the program and its libraries with their static data,
/// the kernel's mappings for clocks, and the thread's stack with the thread's data.
pub(in crate::sandbox) fn needed_memory() -> io::Result<Ranges> {
    let page = rustix::param::page_size();
    let mut found: Vec<(usize, usize)> = Vec::new();
    // SAFETY: the callback gets a pointer to a valid description that lives as long as the call, and the vector that it is
    // given; it keeps neither.
    unsafe { libc::dl_iterate_phdr(Some(add_object), (&raw mut found).cast()) };
    let mut end = 0;
    for line in std::fs::read_to_string("/proc/self/maps")?.lines() {
        let address = |text: &str| usize::from_str_radix(text, 16).map_err(io::Error::other);
        let Some((from, to)) = line.split_once(' ').and_then(|(range, _)| range.split_once('-')) else { continue };
        // It lies above what a program can map, and cannot be unmapped.
        if line.ends_with("[vsyscall]") {
            continue;
        }
        let range = (address(from)?, address(to)?);
        end = end.max(range.1);
        if line.contains("[v") {
            found.push(range);
        }
    }
    // SAFETY: the attributes are initialised by the first call that succeeds, read by the second and destroyed once; the
    // address of the error number is that of a variable of this thread.
    unsafe {
        let (mut attributes, mut stack, mut size) = (std::mem::zeroed(), std::ptr::null_mut(), 0);
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let known = libc::pthread_attr_getstack(&raw const attributes, &raw mut stack, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
        if known != 0 {
            return Err(io::ErrorKind::Unsupported.into());
        }
        found.push((stack as usize, stack as usize + size));
        // Some C libraries keep the thread's data next to its stack.
        let own = libc::__errno_location() as usize;
        found.push((own.saturating_sub(page), own + page));
    }
    found.iter_mut().for_each(|range| *range = (range.0 / page * page, range.1.next_multiple_of(page)));
    found.sort_unstable();
    let mut ranges = [(0, 0); MAX_RANGES];
    ranges.get_mut(..found.len()).ok_or(io::ErrorKind::Unsupported)?.copy_from_slice(&found);
    Ok(Ranges { ranges, count: found.len(), end })
}

/// Adds the memory of a program or library.
unsafe extern "C" fn add_object(object: *mut libc::dl_phdr_info, _: usize, found: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `dl_iterate_phdr` gives a valid description with this number of headers, and the pointer that it was given,
    // which is that of a vector that nothing else uses meanwhile.
    let (object, found) = unsafe { (&*object, &mut *found.cast::<Vec<(usize, usize)>>()) };
    // SAFETY: as above.
    let headers = unsafe { std::slice::from_raw_parts(object.dlpi_phdr, object.dlpi_phnum.into()) };
    for header in headers.iter().filter(|header| header.p_type == libc::PT_LOAD) {
        // Addresses of this process fit its own pointers.
        let of_memory = |number: u64| usize::try_from(number).unwrap_or_default();
        let first = of_memory(object.dlpi_addr + header.p_vaddr);
        found.push((first, first + of_memory(header.p_memsz)));
    }
    0
}

/// Unmaps everything else. All memory that the caller uses afterwards must lie in these ranges.
pub(in crate::sandbox) fn unmap_others(needed: &Ranges) -> Result<(), Errno> {
    let Ranges { ranges, count, end } = needed;
    let mut from = 0;
    for (first, behind) in ranges.iter().take(*count).copied().chain([(*end, *end)]) {
        if first > from {
            // SAFETY: the process is a clone that runs on the stack, and uses the code, the static data and the data of its
            // thread, that are all in the ranges; it never returns to what used the rest.
            checked(unsafe { libc::munmap(from as *mut libc::c_void, first - from) }.into())?;
        }
        from = from.max(behind);
    }
    Ok(())
}

/// Memory of a process that cannot allocate.
pub(in crate::sandbox) struct Room {
    address: *mut u8,
    length: usize,
}

impl Room {
    pub(in crate::sandbox) fn new(length: usize) -> Result<Self, Errno> {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping at an address of the kernel's choice.
        let address = unsafe { libc::mmap(std::ptr::null_mut(), length, access, kind, -1, 0) };
        if address == libc::MAP_FAILED { Err(last_error()) } else { Ok(Self { address: address.cast(), length }) }
    }

    pub(in crate::sandbox) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the mapping has this length, zeroed at first, lives as long as `self` and is used by nothing else.
        unsafe { std::slice::from_raw_parts_mut(self.address, self.length) }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own.
        unsafe { libc::munmap(self.address.cast(), self.length) };
    }
}

/// A number in memory that this process shares with children that it creates from now on. It is never unmapped.
pub(in crate::sandbox) fn shared_number() -> Result<&'static AtomicU64, Errno> {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address of the kernel's choice. It is page-aligned, zeroed, larger than the number,
    // and stays for the life of the process; all access to it is atomic.
    unsafe {
        let page = libc::mmap(std::ptr::null_mut(), size_of::<AtomicU64>(), access, kind, -1, 0);
        if page == libc::MAP_FAILED { Err(last_error()) } else { Ok(&*page.cast::<AtomicU64>()) }
    }
}

/// Uses as much of the stack as this process will ever need, so that it need not grow even if another process has set
/// the limit on the stack to 0.
#[inline(never)]
pub(in crate::sandbox) fn reserve_stack() {
    const NEEDED: usize = 128 << 10;
    std::hint::black_box(&mut [1_u8; NEEDED]);
}

/// The bytes of some words.
pub(in crate::sandbox) fn bytes_of(words: &[u64]) -> &[u8] {
    // SAFETY: the same memory; every byte of a word is a byte, and those need no alignment.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

/// The instructions of a filter in a plan. Empty if the bytes are not aligned, which the kernel refuses as a filter.
pub(in crate::sandbox) fn instructions(bytes: &[u8]) -> &[seccompiler::sock_filter] {
    // SAFETY: an instruction is 16, 8, 8 and 32 bits without gaps, and every value of them is one.
    let (before, instructions, after) = unsafe { bytes.align_to() };
    if before.is_empty() && after.is_empty() { instructions } else { &[] }
}
