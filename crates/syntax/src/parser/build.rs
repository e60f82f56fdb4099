//! Postorder to preorder.
//!
//! A node comes in preorder after its ancestors and after all nodes that end before it begins. In postorder the latter are
//! exactly those before its first descendant, so its preorder index is the index of its first descendant plus its depth.

use super::Finished;
use crate::tree::NodeData;

/// The nodes of a tree, given the nodes in postorder, and the indices of the tokens they count.
pub(super) fn preorder(finished: &[Finished], significant: &[u32], tokens: usize) -> Vec<NodeData> {
    let Some(root) = finished.last() else { return Vec::new() };
    let filler = NodeData { kind: root.kind, parent: 0, end: 0, first_token: 0, end_token: 0 };
    let mut nodes = vec![filler; finished.len()];
    // from the last to the first, parents come before their children
    let mut open: Vec<(u32, u32)> = Vec::new(); // first descendant and preorder index of the nodes around
    for (post, node) in finished.iter().enumerate().rev() {
        while open.last().is_some_and(|&(first_node, _)| (post as u32) < first_node) {
            open.pop();
        }
        let pre = node.first_node + open.len() as u32;
        let size = post as u32 + 1 - node.first_node;
        nodes[pre as usize] = NodeData {
            kind: node.kind,
            parent: open.last().map_or(0, |&(_, parent)| parent),
            end: pre + size,
            first_token: significant.get(node.first as usize).copied().unwrap_or(0),
            end_token: node.end.checked_sub(1).map_or(0, |last| significant[last as usize] + 1),
        };
        open.push((node.first_node, pre));
    }
    nodes[0].first_token = 0;
    nodes[0].end_token = tokens as u32;
    nodes
}
