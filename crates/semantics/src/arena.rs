//! Nodes with numbers, of which there may be very many.

/// Nodes in the order they were made. They stay where they are: one long array would be copied each time it grows, and of a large
/// model a good part of all memory would be touched twice.
#[derive(Debug)]
pub(crate) struct Arena<T> {
    chunks: Vec<Vec<T>>,
}

/// So many nodes are together.
const CHUNK: usize = 256;

impl<T> Arena<T> {
    pub(crate) fn new() -> Self {
        Arena { chunks: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// Adds a node and returns its number.
    pub(crate) fn push(&mut self, node: T) -> usize {
        if self.chunks.last().is_none_or(|last| last.len() == CHUNK) {
            // the first of a small model grows as it needs
            self.chunks.push(if self.chunks.is_empty() { Vec::new() } else { Vec::with_capacity(CHUNK) });
        }
        self.chunks.last_mut().expect("there is a chunk").push(node);
        self.len() - 1
    }
}

impl<T> std::ops::Index<usize> for Arena<T> {
    type Output = T;

    fn index(&self, number: usize) -> &T {
        &self.chunks[number / CHUNK][number % CHUNK]
    }
}

impl<T> std::ops::IndexMut<usize> for Arena<T> {
    fn index_mut(&mut self, number: usize) -> &mut T {
        &mut self.chunks[number / CHUNK][number % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_keep_their_numbers() {
        let mut arena = Arena::new();
        assert_eq!(arena.len(), 0);
        for i in 0..3 * CHUNK + 1 {
            assert_eq!((arena.push(i), arena.len()), (i, i + 1));
        }
        arena[CHUNK] = 7;
        assert_eq!((arena[0], arena[CHUNK], arena[3 * CHUNK]), (0, 7, 3 * CHUNK));
    }
}
