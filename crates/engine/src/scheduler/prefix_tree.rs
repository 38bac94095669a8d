//! Prefix cache: a radix tree over whole pages of the key-value cache.
//!
//! A node is one page and its tokens; its ancestors are the tokens before. Each owner and adapter has a separate tree:
//! keys and values depend on the adapter, and no owner may infer another's prompts. A running sequence locks the nodes
//! that it uses; other nodes are evicted when pages are needed, the least recently used first.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Weak};

use crate::lora::Adapter;

/// Owner and adapter whose sequences may share pages.
#[derive(Clone)]
pub(super) struct PrefixKey {
    /// Owner of the requests.
    pub owner: Arc<str>,
    /// Adapter with which the keys and values were computed; `None` for the base model.
    pub adapter: Option<Arc<Adapter>>,
}

/// Id of a node in the tree, valid while the node is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(usize);

/// Owner and address of an adapter. The address cannot be reused while the root holds its weak reference.
type RootKey = (Arc<str>, usize);

struct Root {
    adapter: Option<Weak<Adapter>>,
    children: HashMap<Box<[u32]>, NodeId>,
}

struct Node {
    page: usize,
    tokens: Box<[u32]>,
    parent: Option<NodeId>,
    root: RootKey,
    children: HashMap<Box<[u32]>, NodeId>,
    /// Number of sequences whose last shared page this is, plus the number of locked children.
    locks: usize,
    /// Time stamp of the last use.
    used: u64,
}

/// Pages of finished and running sequences, by their tokens.
pub(super) struct PrefixTree {
    page_tokens: usize,
    roots: HashMap<RootKey, Root>,
    nodes: Vec<Option<Node>>,
    vacant: Vec<NodeId>,
    /// Nodes without children and locks, by last use.
    removable: BTreeSet<(u64, NodeId)>,
    locked: usize,
    clock: u64,
}

impl PrefixTree {
    /// Creates an empty tree over pages of `page_tokens` tokens.
    pub(super) fn new(page_tokens: usize) -> Self {
        Self {
            page_tokens,
            roots: HashMap::new(),
            nodes: Vec::new(),
            vacant: Vec::new(),
            removable: BTreeSet::new(),
            locked: 0,
            clock: 0,
        }
    }

    /// Returns the number of pages in the tree.
    pub(super) fn pages(&self) -> usize {
        self.nodes.len() - self.vacant.len()
    }

    /// Returns the number of pages that no running sequence uses.
    pub(super) fn unused_pages(&self) -> usize {
        self.pages() - self.locked
    }

    /// Returns the longest cached prefix of `tokens`: its pages and its last node, which is not locked yet.
    pub(super) fn find(&self, key: &PrefixKey, tokens: &[u32]) -> (Vec<usize>, Option<NodeId>) {
        let mut pages = Vec::new();
        let mut last = None;
        let Some(root) = self.roots.get(&root_key(key)) else { return (pages, last) };
        let mut children = &root.children;
        for part in tokens.chunks_exact(self.page_tokens) {
            let Some(&id) = children.get(part) else { break };
            let node = self.node(id);
            pages.push(node.page);
            (last, children) = (Some(id), &node.children);
        }
        (pages, last)
    }

    /// Adds a page after `parent` and moves the caller's lock from `parent` to the new node. If the tree already has
    /// these tokens, returns its page with the node; the caller must use that page and drop its own.
    pub(super) fn extend(
        &mut self,
        key: &PrefixKey,
        parent: Option<NodeId>,
        tokens: &[u32],
        page: usize,
    ) -> (NodeId, Option<usize>) {
        debug_assert_eq!(tokens.len(), self.page_tokens);
        let root_key = root_key(key);
        let children = match parent {
            Some(parent) => &self.node(parent).children,
            None => {
                let adapter = key.adapter.as_ref().map(Arc::downgrade);
                &self
                    .roots
                    .entry(root_key.clone())
                    .or_insert_with(|| Root { adapter, children: HashMap::new() })
                    .children
            }
        };
        let known = children.get(tokens).copied();
        let id = known.unwrap_or_else(|| {
            let node = Node {
                page,
                tokens: tokens.into(),
                parent,
                root: root_key.clone(),
                children: HashMap::new(),
                locks: 0,
                used: 0,
            };
            let id = self.vacant.pop().unwrap_or_else(|| {
                self.nodes.push(None);
                NodeId(self.nodes.len() - 1)
            });
            self.nodes[id.0] = Some(node);
            self.children(parent, &root_key).insert(tokens.into(), id);
            id
        });
        // The new lock is taken first, so that the parent is never without a lock.
        self.lock(id);
        if let Some(parent) = parent {
            self.unlock(parent);
        }
        (id, known.map(|id| self.node(id).page))
    }

    /// Locks a node and its ancestors.
    pub(super) fn lock(&mut self, id: NodeId) {
        let mut next = Some(id);
        while let Some(id) = next {
            let node = self.node_mut(id);
            node.locks += 1;
            if node.locks > 1 {
                return;
            }
            let (used, parent) = (node.used, node.parent);
            self.removable.remove(&(used, id));
            self.locked += 1;
            next = parent;
        }
    }

    /// Removes one lock from a node.
    pub(super) fn unlock(&mut self, id: NodeId) {
        self.clock += 1;
        let now = self.clock;
        let mut next = Some(id);
        while let Some(id) = next {
            let node = self.node_mut(id);
            debug_assert!(node.locks > 0, "a lock is given back once");
            node.locks -= 1;
            if node.locks > 0 {
                return;
            }
            node.used = now;
            let (leaf, parent) = (node.children.is_empty(), node.parent);
            if leaf {
                self.removable.insert((now, id));
            }
            self.locked -= 1;
            next = parent;
        }
    }

    /// Evicts the least recently used page; `None` if all are in use.
    pub(super) fn evict(&mut self) -> Option<usize> {
        let (_, id) = self.removable.pop_first()?;
        Some(self.remove_leaf(id))
    }

    /// Removes the pages of adapters that have been dropped.
    pub(super) fn drop_dead_adapters(&mut self, mut release: impl FnMut(usize)) {
        let is_dead = |root: &Root| root.adapter.as_ref().is_some_and(|adapter| adapter.strong_count() == 0);
        // A running sequence holds its adapter, so no node of a dropped adapter is locked.
        let dead: Vec<RootKey> =
            self.roots.iter().filter(|(_, root)| is_dead(root)).map(|(key, _)| key.clone()).collect();
        for key in dead {
            let Some(root) = self.roots.remove(&key) else { continue };
            let mut left: Vec<NodeId> = root.children.into_values().collect();
            while let Some(id) = left.pop() {
                if let Some(node) = self.nodes[id.0].take() {
                    self.removable.remove(&(node.used, id));
                    self.vacant.push(id);
                    release(node.page);
                    left.extend(node.children.into_values());
                }
            }
        }
    }

    /// Returns whether pages of an adapter are cached.
    pub(super) fn has_adapters(&self) -> bool {
        self.roots.values().any(|root| root.adapter.is_some())
    }

    fn remove_leaf(&mut self, id: NodeId) -> usize {
        let node = self.nodes[id.0].take().expect("a removable node is in the tree");
        self.vacant.push(id);
        self.children(node.parent, &node.root).remove(&node.tokens);
        match node.parent {
            Some(parent) => {
                let above = self.node_mut(parent);
                // A use of the child was also a use of the parent.
                above.used = above.used.max(node.used);
                let (used, removable) = (above.used, above.children.is_empty() && above.locks == 0);
                if removable {
                    self.removable.insert((used, parent));
                }
            }
            None => {
                if self.roots.get(&node.root).is_some_and(|root| root.children.is_empty()) {
                    self.roots.remove(&node.root);
                }
            }
        }
        node.page
    }

    fn children(&mut self, parent: Option<NodeId>, root: &RootKey) -> &mut HashMap<Box<[u32]>, NodeId> {
        match parent {
            Some(parent) => &mut self.node_mut(parent).children,
            None => &mut self.roots.get_mut(root).expect("a node's root is there").children,
        }
    }

    fn node(&self, id: NodeId) -> &Node {
        self.nodes[id.0].as_ref().expect("a node that is locked or linked is there")
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        self.nodes[id.0].as_mut().expect("a node that is locked or linked is there")
    }
}

fn root_key(key: &PrefixKey) -> RootKey {
    (key.owner.clone(), key.adapter.as_ref().map_or(0, |adapter| Arc::as_ptr(adapter) as usize))
}

#[cfg(test)]
mod for_tests {
    impl super::PrefixTree {
        /// Checks the invariants of the tree and returns its pages.
        pub(crate) fn check(&self) -> Vec<usize> {
            let mut pages = Vec::new();
            let mut locked = 0;
            let mut children = 0;
            for (index, node) in self.nodes.iter().enumerate() {
                let Some(node) = node else { continue };
                pages.push(node.page);
                locked += usize::from(node.locks > 0);
                children += node.children.len();
                let below = node.children.values().filter(|child| self.node(**child).locks > 0).count();
                assert!(node.locks >= below, "a locked child locks its parent");
                let removable = node.children.is_empty() && node.locks == 0;
                assert_eq!(self.removable.contains(&(node.used, super::NodeId(index))), removable);
            }
            children += self.roots.values().map(|root| root.children.len()).sum::<usize>();
            assert_eq!((locked, children), (self.locked, pages.len()));
            assert!(self.removable.len() <= pages.len() && self.roots.values().all(|root| !root.children.is_empty()));
            pages
        }
    }
}
