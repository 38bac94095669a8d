//! What is known of earlier sequences: a radix tree over whole pages of the key-value cache.
//!
//! A node is one page and the tokens in it; its ancestors are the tokens before them. Each owner and adapter has a tree of
//! its own, since keys and values depend on the adapter and nobody may learn what another owner has asked. A running
//! sequence locks the nodes it starts with; the others are given up, the least recently used first, when pages are needed.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Weak};

use crate::engine::Adapter;

/// Whose sequences may share pages.
#[derive(Clone)]
pub(super) struct PrefixKey {
    /// The owner of the requests.
    pub owner: Arc<str>,
    /// The adapter that made the keys and values; `None` for the base model.
    pub adapter: Option<Arc<Adapter>>,
}

/// A node of the tree. Valid while it is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(usize);

/// An owner and the address of an adapter. The address stays taken as long as the root holds its weak reference.
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
    /// Sequences whose last shared page this is, and children with locks.
    locks: usize,
    /// Stamp of the last use.
    used: u64,
}

/// Pages of finished and running sequences by their tokens.
pub(super) struct PrefixTree {
    page_tokens: usize,
    roots: HashMap<RootKey, Root>,
    nodes: Vec<Option<Node>>,
    vacant: Vec<NodeId>,
    /// Nodes without children and locks, by their last use.
    removable: BTreeSet<(u64, NodeId)>,
    locked: usize,
    clock: u64,
}

impl PrefixTree {
    /// An empty tree over pages of `page_tokens` tokens.
    pub fn new(page_tokens: usize) -> Self {
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

    /// Pages in the tree.
    pub fn pages(&self) -> usize {
        self.nodes.len() - self.vacant.len()
    }

    /// Pages that no running sequence uses.
    pub fn unused_pages(&self) -> usize {
        self.pages() - self.locked
    }

    /// The longest known start of `tokens`: its pages and its last node, which is not locked yet.
    pub fn find(&self, key: &PrefixKey, tokens: &[u32]) -> (Vec<usize>, Option<NodeId>) {
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

    /// Takes a page in as the one after `parent`, with a lock that moves there from `parent`. If the tree has these tokens
    /// already, the page that it has for them comes back with the node: the caller uses that one and drops its own.
    pub fn extend(
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
        // First the new lock: the parent is then never without one.
        self.lock(id);
        if let Some(parent) = parent {
            self.unlock(parent);
        }
        (id, known.map(|id| self.node(id).page))
    }

    /// Keeps a node and its ancestors.
    pub fn lock(&mut self, id: NodeId) {
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

    /// Takes one lock from a node.
    pub fn unlock(&mut self, id: NodeId) {
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

    /// Gives up the page that was not used for the longest time; `None` if all are in use.
    pub fn evict(&mut self) -> Option<usize> {
        let (_, id) = self.removable.pop_first()?;
        Some(self.remove_leaf(id))
    }

    /// Gives up the pages of adapters that exist no more.
    pub fn drop_dead_adapters(&mut self, mut release: impl FnMut(usize)) {
        let is_dead = |root: &Root| root.adapter.as_ref().is_some_and(|adapter| adapter.strong_count() == 0);
        // Whoever runs on an adapter holds it, so nothing under a dead one is locked.
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

    /// Whether pages of an adapter are kept.
    pub fn has_adapters(&self) -> bool {
        self.roots.values().any(|root| root.adapter.is_some())
    }

    /// Checks what must hold of the tree; gives its pages.
    #[cfg(test)]
    pub fn check(&self) -> Vec<usize> {
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
            assert_eq!(self.removable.contains(&(node.used, NodeId(index))), removable);
        }
        children += self.roots.values().map(|root| root.children.len()).sum::<usize>();
        assert_eq!((locked, children), (self.locked, pages.len()));
        assert!(self.removable.len() <= pages.len() && self.roots.values().all(|root| !root.children.is_empty()));
        pages
    }

    fn remove_leaf(&mut self, id: NodeId) -> usize {
        let node = self.nodes[id.0].take().expect("a removable node is in the tree");
        self.vacant.push(id);
        self.children(node.parent, &node.root).remove(&node.tokens);
        match node.parent {
            Some(parent) => {
                let above = self.node_mut(parent);
                // A use of the child was one of the parent.
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
