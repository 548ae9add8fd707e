//! A map that knows which of its entries was used longest ago.

use rustc_hash::FxHashMap;

/// Values by key, in the order of their last use. Everything takes constant time.
#[derive(Debug)]
pub(in crate::detect) struct Recent<V> {
    places: FxHashMap<String, usize>,
    nodes: Vec<Node<V>>,
    /// Places whose values were taken away.
    free: Vec<usize>,
    oldest: Option<usize>,
    newest: Option<usize>,
}

#[derive(Debug)]
struct Node<V> {
    key: String,
    /// There unless the place is free.
    value: Option<V>,
    older: Option<usize>,
    newer: Option<usize>,
}

impl<V> Default for Recent<V> {
    fn default() -> Self {
        Self { places: FxHashMap::default(), nodes: Vec::new(), free: Vec::new(), oldest: None, newest: None }
    }
}

impl<V> Recent<V> {
    pub(in crate::detect) fn len(&self) -> usize {
        self.places.len()
    }

    pub(in crate::detect) fn contains(&self, key: &str) -> bool {
        self.places.contains_key(key)
    }

    /// The value, which is thereby the one that was used last; made if it is not there.
    pub(in crate::detect) fn used(&mut self, key: &str, make: impl FnOnce() -> V) -> Option<&mut V> {
        if !self.contains(key) {
            let place = self.insert(key, make());
            self.link_newest(place);
        }
        self.touched(key)
    }

    /// The value if it is there, which is thereby the one that was used last.
    pub(in crate::detect) fn touched(&mut self, key: &str) -> Option<&mut V> {
        let place = *self.places.get(key)?;
        self.unlink(place);
        self.link_newest(place);
        self.nodes.get_mut(place)?.value.as_mut()
    }

    /// The value that was used longest ago.
    pub(in crate::detect) fn oldest(&self) -> Option<&V> {
        self.nodes.get(self.oldest?)?.value.as_ref()
    }

    /// Takes away the value that was used longest ago.
    pub(in crate::detect) fn pop_oldest(&mut self) -> Option<V> {
        let place = self.oldest?;
        self.remove_place(place)
    }

    /// Takes away a value.
    pub(in crate::detect) fn remove(&mut self, key: &str) -> Option<V> {
        let place = *self.places.get(key)?;
        self.remove_place(place)
    }

    fn remove_place(&mut self, place: usize) -> Option<V> {
        self.unlink(place);
        let node = self.nodes.get_mut(place)?;
        let key = std::mem::take(&mut node.key);
        let value = node.value.take();
        self.places.remove(&key);
        self.free.push(place);
        value
    }

    fn insert(&mut self, key: &str, value: V) -> usize {
        let node = Node { key: key.to_owned(), value: Some(value), older: None, newer: None };
        let reused = self.free.pop().and_then(|place| self.nodes.get_mut(place).map(|free| (place, free)));
        let place = match reused {
            Some((place, free)) => {
                *free = node;
                place
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        self.places.insert(key.to_owned(), place);
        place
    }

    fn unlink(&mut self, place: usize) {
        let Some(node) = self.nodes.get_mut(place) else { return };
        let (older, newer) = (node.older.take(), node.newer.take());
        match older.and_then(|older| self.nodes.get_mut(older)) {
            Some(older) => older.newer = newer,
            None => self.oldest = newer,
        }
        match newer.and_then(|newer| self.nodes.get_mut(newer)) {
            Some(newer) => newer.older = older,
            None => self.newest = older,
        }
    }

    fn link_newest(&mut self, place: usize) {
        let before = self.newest.replace(place);
        match before.and_then(|before| self.nodes.get_mut(before)) {
            Some(before) => before.newer = Some(place),
            None => self.oldest = Some(place),
        }
        if let Some(node) = self.nodes.get_mut(place) {
            node.older = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Step {
        Use(u8),
        Remove(u8),
        PopOldest,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            4 => (0..8_u8).prop_map(Step::Use),
            1 => (0..8_u8).prop_map(Step::Remove),
            1 => Just(Step::PopOldest),
        ];
        proptest::collection::vec(step, 0..60)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_order_is_that_of_a_list(steps in steps()) {
            let mut recent = Recent::default();
            let mut list: Vec<u8> = Vec::new();
            for step in steps {
                match step {
                    Step::Use(key) => {
                        prop_assert_eq!(recent.used(&key.to_string(), || key), Some(&mut key.clone()));
                        list.retain(|other| *other != key);
                        list.push(key);
                    }
                    Step::Remove(key) => {
                        prop_assert_eq!(recent.remove(&key.to_string()).is_some(), list.contains(&key));
                        list.retain(|other| *other != key);
                    }
                    Step::PopOldest => {
                        let expected = if list.is_empty() { None } else { Some(list.remove(0)) };
                        prop_assert_eq!(recent.pop_oldest(), expected);
                    }
                }
                prop_assert_eq!(recent.len(), list.len());
                prop_assert_eq!(recent.oldest(), list.first());
            }
            while let Some(key) = recent.pop_oldest() {
                prop_assert_eq!(key, list.remove(0));
            }
            prop_assert!(list.is_empty());
        }
    }
}
