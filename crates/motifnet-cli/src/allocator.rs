//! What happens when the system has no more memory to give: an error like any other, in place of an abort.
//!
//! The only module with `unsafe` code, which the trait of allocators asks for. It adds one thing to the system's own
//! allocator, a look at whether it gave nothing, and says from how many places that takes memory. Files are written
//! whole or not at all, so that ending here loses nothing that was there.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::memory_net;

#[global_allocator]
static ALLOCATOR: OrEnd = OrEnd;

/// Has all threads take memory from one place, where the process has a limit of addresses. By default glibc sets 64 MB
/// of them aside for each thread, of which no plan knows, and most of which are never used. To be called before there
/// are threads.
pub(crate) fn save_addresses() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if rustix::process::getrlimit(rustix::process::Resource::As).current.is_some() {
        // SAFETY: takes two numbers, and nobody else asks for memory meanwhile.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// The system's allocator, which ends the process where it has nothing to give.
struct OrEnd;

// SAFETY: every call is passed on to the system's allocator as it came, and what that gives is passed back; the caller
// keeps to the contract of `GlobalAlloc`, which is the system's own.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: see above.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: see above.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: see above.
        given(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: see above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[inline]
fn given(pointer: *mut u8, n_bytes: usize) -> *mut u8 {
    if pointer.is_null() {
        end(n_bytes);
    }
    pointer
}

/// Says what was wanted and ends the process, without asking for memory: not even handlers at exit are run, since they
/// might.
#[cold]
#[inline(never)]
fn end(n_bytes: usize) -> ! {
    // Several threads may find nothing at once; the first speaks, and ends the others.
    while IS_ENDING.swap(true, Ordering::Relaxed) {
        std::thread::sleep(Duration::from_secs(1));
    }
    let mut buffer = [0; 512];
    let text = message(&mut buffer, n_bytes, memory_net::limit());
    let stderr = rustix::stdio::stderr();
    // A bar may be drawn on the line. Where stderr cannot be written to, the exit code has to do.
    let start = usize::from(!stderr.is_terminal());
    let _ = rustix::io::write(stderr, &text[start..]);
    // SAFETY: takes a number and does not return.
    unsafe { libc::_exit(1) }
}

/// The error on a line of its own, written into `buffer`.
fn message(buffer: &mut [u8; 512], n_bytes: usize, limit: Option<u64>) -> &[u8] {
    let mut rest = &mut buffer[..];
    let megabytes = |n_bytes: u64| n_bytes.div_ceil(1_000_000);
    let wanted = megabytes(n_bytes as u64);
    // What does not fit is cut off.
    let _ = match limit {
        Some(limit) => writeln!(
            rest,
            "\nerror: out of memory: {wanted} MB more were wanted than the limit of {} MB allows",
            megabytes(limit)
        ),
        None => writeln!(rest, "\nerror: out of memory: the system had no {wanted} MB to give"),
    };
    let _ = writeln!(
        rest,
        "hint: take a smaller graph, fewer threads or narrower settings, or raise the limit with --memory-limit"
    );
    let n_left = rest.len();
    &buffer[..512 - n_left]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_given_changed_and_taken_back() {
        let mut numbers: Vec<u64> = (0..1000).collect();
        numbers.reserve(100_000);
        numbers.shrink_to_fit();
        assert_eq!(numbers.iter().sum::<u64>(), 499_500);
        assert!(vec![0u8; 1 << 16].iter().all(|&byte| byte == 0));
    }

    #[test]
    fn the_error_names_what_was_wanted_and_the_limit() {
        let mut buffer = [0; 512];
        let text = message(&mut buffer, 5_000_000, Some(1_000_000_000));
        let text = std::str::from_utf8(text).unwrap();
        assert!(
            text.contains("error: out of memory: 5 MB more were wanted than the limit of 1000 MB")
        );
        assert!(text.ends_with("--memory-limit\n"));
        let mut buffer = [0; 512];
        let text = message(&mut buffer, usize::MAX, None);
        assert!(std::str::from_utf8(text).unwrap().contains("had no 18446744073710 MB to give"));
    }
}
