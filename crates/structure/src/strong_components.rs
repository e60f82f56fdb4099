//! Strongly connected components, in the order in which they can be solved (Tarjan 1972, without recursion).

/// The components of the graph with `n` nodes in which `depends_on(i)` lists what must be known before `i`.
///
/// A component stands after all that it depends on; members are ascending.
pub fn strong_components<'a>(n: usize, depends_on: impl Fn(usize) -> &'a [usize]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut number = vec![UNSEEN; n];
    let mut low = vec![0; n];
    let mut on_stack = vec![false; n];
    let (mut stack, mut components, mut seen) = (Vec::new(), Vec::new(), 0);
    let mut path = Vec::new(); // nodes, each with the next of its edges

    for root in 0..n {
        if number[root] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut next)) = path.last_mut() {
            if number[node] == UNSEEN {
                number[node] = seen;
                low[node] = seen;
                seen += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&before) = depends_on(node).get(*next) {
                *next += 1;
                if number[before] == UNSEEN {
                    path.push((before, 0));
                } else if on_stack[before] {
                    low[node] = low[node].min(number[before]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == number[node] {
                let begin = stack.iter().rposition(|&member| member == node).expect("a root is on the stack");
                let mut component = stack.split_off(begin);
                component.iter().for_each(|&member| on_stack[member] = false);
                component.sort_unstable();
                components.push(component);
            }
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_found_and_ordered() {
        // 0 needs 1, 1 and 2 need each other, 2 needs 3, 4 stands alone
        let depends_on: [&[usize]; 5] = [&[1], &[2], &[1, 3], &[], &[]];
        let components = strong_components(5, |i| depends_on[i]);
        assert_eq!(components, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let n = 200_000;
        let chain: Vec<Vec<usize>> = (0..n).map(|i| if i + 1 < n { vec![i + 1] } else { vec![] }).collect();
        let components = strong_components(n, |i| &chain[i]);
        assert_eq!(components.len(), n);
        assert_eq!(components[0], [n - 1]);
    }
}
