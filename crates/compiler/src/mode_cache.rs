//! A cache of analysed modes, so that a mode that is entered again is not analysed again.

use std::hash::Hash;
use std::sync::{Mutex, MutexGuard};

use lru::LruCache;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Most modes in the cache; the least recently used go first.
const MOST_KEPT: usize = 256;

/// Results of analysing modes, by their guards and the occasion on which they are entered.
#[derive(Debug)]
pub(crate) struct ModeCache<Occasion: Eq + Hash, Found> {
    known: Mutex<CachedModes<Occasion, Found>>,
}

#[derive(Debug)]
struct CachedModes<Occasion: Eq + Hash, Found> {
    /// Without a bound of its own, since a cache with one has memory for all of it from the beginning.
    kept: LruCache<(Vec<bool>, Occasion), Found, FxBuildHasher>,
    /// How often something had to be found.
    analyses: u64,
    /// Numbers of modes by their guards, kept when a mode is analysed again.
    numbers: FxHashMap<Vec<bool>, u32>,
}

impl<Occasion: Clone + Eq + Hash, Found: Clone> ModeCache<Occasion, Found> {
    pub(crate) fn new() -> Self {
        let (kept, numbers) = (LruCache::unbounded_with_hasher(FxBuildHasher), FxHashMap::default());
        ModeCache { known: Mutex::new(CachedModes { kept, analyses: 0, numbers }) }
    }

    /// The cached result for a mode, or that of `find`, which is given the number of the mode. Other threads may enter modes
    /// meanwhile.
    pub(crate) fn enter(
        &self,
        guards: &[bool],
        occasion: Occasion,
        find: impl FnOnce(u32) -> Found,
    ) -> Found {
        let key = (guards.to_vec(), occasion);
        let id = {
            let mut known = self.known();
            if let Some(found) = known.kept.get(&key) {
                return found.clone();
            }
            let next = known.numbers.len() as u32 + 1;
            *known.numbers.entry(guards.to_vec()).or_insert(next)
        };
        let found = find(id);
        let mut known = self.known();
        known.analyses += 1;
        known.kept.put(key, found.clone());
        if known.kept.len() > MOST_KEPT {
            known.kept.pop_lru();
        }
        found
    }

    /// Number of analyses.
    pub(crate) fn analyses(&self) -> u64 {
        self.known().analyses
    }

    /// Number of modes in the cache.
    pub(crate) fn len(&self) -> usize {
        self.known().kept.len()
    }

    fn known(&self) -> MutexGuard<'_, CachedModes<Occasion, Found>> {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guards(n: usize) -> Vec<bool> {
        (0..10).map(|bit| n >> bit & 1 == 1).collect()
    }

    #[test]
    fn a_mode_keeps_its_number_and_is_found_once_while_it_is_kept() {
        let kept = ModeCache::new();
        assert_eq!(kept.enter(&guards(5), true, |id| id), 1);
        assert_eq!(kept.enter(&guards(6), true, |id| id), 2);
        assert_eq!(kept.enter(&guards(5), true, |_| unreachable!("it is known")), 1);
        assert_eq!(kept.enter(&guards(5), false, |id| 10 + id), 11, "on another occasion, the same mode");
        assert_eq!(kept.analyses(), 3);
    }

    #[test]
    fn what_was_entered_longest_ago_is_forgotten() {
        let kept = ModeCache::new();
        for n in 0..MOST_KEPT {
            kept.enter(&guards(n), (), |id| id);
        }
        kept.enter(&guards(0), (), |_| unreachable!("it is known"));
        kept.enter(&guards(MOST_KEPT), (), |id| id);
        assert_eq!(kept.len(), MOST_KEPT);
        kept.enter(&guards(0), (), |_| unreachable!("it was entered again"));
        assert_eq!(kept.enter(&guards(1), (), |id| id), 2, "it is found again, with its number");
        assert_eq!(kept.analyses() as usize, MOST_KEPT + 2);
    }
}
