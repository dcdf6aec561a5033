//! Tasks side by side.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Builder;

use rayon::ThreadPoolBuilder;

/// Does the tasks 0 to `n_tasks` − 1, as many at a time as there are threads, but no more than `most`; the threads
/// are shared out where there are fewer tasks. A task says whether others may be begun by the same worker.
///
/// Every worker has a pool of its own: what a task does in parallel inside then never takes up another
/// task while it waits, which would keep both in memory.
///
/// # Errors
/// If the system has no threads to give; with some of them, all tasks are done.
pub(crate) fn side_by_side(
    n_tasks: usize,
    most: usize,
    task: impl Fn(usize) -> bool + Sync,
) -> io::Result<()> {
    let n_threads = rayon::current_num_threads();
    let n_workers = n_threads.clamp(1, n_tasks.min(most).max(1));
    let pool = || ThreadPoolBuilder::new().num_threads((n_threads / n_workers).max(1)).build();
    let pools = (0..n_workers).map(|_| pool()).collect::<Result<Vec<_>, _>>();
    let pools = pools.map_err(io::Error::other)?;
    let next = AtomicUsize::new(0);
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let mut numbers = numbers.take_while(|&number| number < n_tasks);
        numbers.all(&task);
    };
    std::thread::scope(|scope| {
        let work = &work;
        let started: Vec<io::Result<_>> = pools
            .iter()
            .map(|pool| Builder::new().spawn_scoped(scope, move || pool.install(work)))
            .collect();
        let works = started.iter().any(Result::is_ok);
        started.into_iter().find_map(|worker| worker.err().filter(|_| !works)).map_or(Ok(()), Err)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn on_threads(n: usize, work: impl FnOnce() + Send) {
        ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(work);
    }

    #[test]
    fn every_task_is_done_once() {
        for (n_threads, n_tasks) in [(1, 7), (3, 7), (8, 2), (2, 0)] {
            let done = Mutex::new(Vec::new());
            on_threads(n_threads, || {
                side_by_side(n_tasks, usize::MAX, |number| {
                    done.lock().unwrap().push(number);
                    true
                })
                .unwrap();
            });
            let mut done = done.into_inner().unwrap();
            done.sort_unstable();
            assert_eq!(done, (0..n_tasks).collect::<Vec<_>>());
        }
    }

    #[test]
    fn threads_that_are_left_over_are_shared_out() {
        let most = AtomicUsize::new(0);
        on_threads(4, || {
            let see = |_| most.fetch_max(rayon::current_num_threads(), Ordering::Relaxed) < 9;
            side_by_side(2, usize::MAX, see).unwrap();
        });
        assert_eq!(most.into_inner(), 2);
    }

    #[test]
    fn no_more_are_done_at_a_time_than_may_be() {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        on_threads(4, || {
            side_by_side(20, 2, |_| {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                std::thread::sleep(std::time::Duration::from_millis(1));
                now.fetch_sub(1, Ordering::SeqCst) > 0
            })
            .unwrap();
        });
        assert_eq!(most.into_inner(), 2);
    }

    #[test]
    fn a_worker_stops_when_told() {
        let begun = AtomicUsize::new(0);
        on_threads(1, || {
            side_by_side(9, usize::MAX, |number| {
                begun.fetch_add(1, Ordering::Relaxed);
                number < 3
            })
            .unwrap();
        });
        assert_eq!(begun.into_inner(), 4);
    }
}
