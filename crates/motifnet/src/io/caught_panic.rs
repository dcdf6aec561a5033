//! Panics of other libraries that become errors.

use std::cell::Cell;
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread would be caught by [`catch_panic`].
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// What `work` gives; `None` if it panics.
#[cfg(feature = "parquet")]
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    let before = IS_CAUGHT.replace(true);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    IS_CAUGHT.set(before);
    outcome.ok()
}

/// Has the program pass over panics that this library catches and makes errors of; all others are told
/// as before. A program calls it once, at its start: the library itself never changes how panics are told.
pub fn silence_caught_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_CAUGHT.get() {
                tell(panic);
            }
        }));
    });
}

#[cfg(all(test, feature = "parquet"))]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_none_and_what_comes_after_is_caught_no_more() {
        assert_eq!(catch_panic(|| 7), Some(7));
        let nested = catch_panic(|| {
            assert_eq!(catch_panic(|| panic!("within")), None::<()>);
            IS_CAUGHT.get()
        });
        assert_eq!(nested, Some(true));
        assert!(!IS_CAUGHT.get());
    }
}
