//! Work on all cores.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many items a core takes at a time: enough that taking costs nothing, few enough that no core waits long for another.
const PORTION: usize = 32;

/// What a function makes of each item, in their order. The caller does something else meanwhile, then helps.
pub(super) fn map<T: Sync, R: Send, M>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    meanwhile: impl FnOnce() -> M,
) -> (Vec<R>, M) {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let portions: Vec<&[T]> = items.chunks(PORTION).collect();
    let next = AtomicUsize::new(0);
    let take_part = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(portion) = portions.get(number) else { return done };
            done.push((number, portion.iter().map(&work).collect::<Vec<R>>()));
        }
    };
    thread::scope(|scope| {
        // The caller is one of the cores.
        let helpers = cores.min(portions.len()).saturating_sub(1);
        let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(take_part)).collect();
        let beside = meanwhile();
        let mut done = take_part();
        for helper in helpers {
            match helper.join() {
                Ok(part) => done.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done.sort_unstable_by_key(|(number, _)| *number);
        (done.into_iter().flat_map(|(_, results)| results).collect(), beside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order() {
        for count in [0, 1, 31, 32, 33, 5000] {
            let items: Vec<usize> = (0..count).collect();
            let (results, beside) = map(&items, |item| item * 2, || "read");
            assert!(results.iter().enumerate().all(|(index, result)| *result == index * 2));
            assert_eq!((results.len(), beside), (count, "read"));
        }
    }
}
