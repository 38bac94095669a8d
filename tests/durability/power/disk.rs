//! A disk that loses at a power cut what was not synced.
//!
//! A sync of a file keeps its bytes and its length, not its name; a sync of a directory keeps its entries, not the files
//! behind them. This is all that POSIX promises. File systems with a journal keep more.

use std::collections::{BTreeMap, HashMap};
use std::fs::{DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::trace::{Action, Call};
use crate::Random;

/// Bytes that a disk writes at once or not at all.
const SECTOR: usize = 512;
const ROOT: usize = 0;

/// A sync that a bad disk acknowledges and does not make: of this path, which may be a directory.
pub(crate) type Ignores = fn(path: &Path, is_directory: bool) -> bool;

/// The disk that makes every sync.
pub(crate) const NOTHING: Ignores = |_, _| false;

/// Which changes survive a cut beside those that were synced.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Survivors {
    None,
    All,
    /// The changes up to a random one, which may be torn.
    Oldest,
    /// Any of them, sector by sector.
    Random,
}

/// A change of a file.
struct Change {
    sequence: u64,
    /// Whether its call has returned: a sync covers no other change.
    returned: bool,
    kind: ChangeKind,
}

enum ChangeKind {
    Write { offset: usize, data: Vec<u8> },
    Truncate(usize),
}

/// A change of a directory: the name is from now on that of another file, or of none.
struct EntryChange {
    sequence: u64,
    name: String,
    target: Option<usize>,
}

enum Inode {
    File { synced: Vec<u8>, pending: Vec<Change>, length: usize, mapped: bool },
    Directory { synced: BTreeMap<String, usize>, pending: Vec<EntryChange>, entries: BTreeMap<String, usize> },
}

impl Inode {
    fn file() -> Self {
        Self::File { synced: Vec::new(), pending: Vec::new(), length: 0, mapped: false }
    }

    fn directory() -> Self {
        Self::Directory { synced: BTreeMap::new(), pending: Vec::new(), entries: BTreeMap::new() }
    }
}

/// A descriptor of a process.
struct Open {
    inode: usize,
    offset: usize,
    append: bool,
}

/// The state of a disk, from an empty directory on.
pub(crate) struct Disk {
    root: PathBuf,
    ignores: Ignores,
    inodes: Vec<Inode>,
    open: HashMap<(usize, i64), Open>,
    /// The changes that each sync covers that has not returned.
    syncs: HashMap<usize, (usize, Vec<u64>)>,
    /// The change that each call made which has not returned.
    writes: HashMap<usize, (usize, u64)>,
    sequence: u64,
}

impl Disk {
    pub(crate) fn new(root: &Path, ignores: Ignores) -> Self {
        let (open, syncs, writes) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { root: root.to_owned(), ignores, inodes: vec![Inode::directory()], open, syncs, writes, sequence: 0 }
    }

    /// Begins the call of this number.
    pub(crate) fn enter(&mut self, number: usize, call: &Call) {
        match &call.action {
            Action::Close { descriptor } => {
                self.open.remove(&(call.process, *descriptor));
            }
            Action::Write { descriptor, path, offset, data } => {
                let open = self.open.get_mut(&(call.process, *descriptor));
                let open = open.unwrap_or_else(|| panic!("{} is written, and was never opened", path.display()));
                let Inode::File { length, .. } = &self.inodes[open.inode] else { panic!("a directory is written") };
                let start = match offset {
                    Some(offset) => usize::try_from(*offset).expect("a small file"),
                    None if open.append => *length,
                    None => open.offset,
                };
                if offset.is_none() {
                    open.offset = start + data.len();
                }
                let inode = open.inode;
                let sequence = self.change(inode, false, ChangeKind::Write { offset: start, data: data.clone() });
                self.writes.insert(number, (inode, sequence));
            }
            Action::Truncate { descriptor, length } => {
                let inode = self.open[&(call.process, *descriptor)].inode;
                let length = usize::try_from(*length).expect("a small file");
                let sequence = self.change(inode, false, ChangeKind::Truncate(length));
                self.writes.insert(number, (inode, sequence));
            }
            Action::Sync { descriptor, path } => {
                let inode = self.open[&(call.process, *descriptor)].inode;
                let ignores = |is_directory| (self.ignores)(path, is_directory);
                let covered = match &self.inodes[inode] {
                    Inode::File { pending, .. } if !ignores(false) => {
                        pending.iter().filter(|change| change.returned).map(|change| change.sequence).collect()
                    }
                    Inode::Directory { pending, .. } if !ignores(true) => {
                        pending.iter().map(|change| change.sequence).collect()
                    }
                    _ => Vec::new(),
                };
                self.syncs.insert(number, (inode, covered));
            }
            _ => {}
        }
    }

    /// Ends the call of this number.
    pub(crate) fn leave(&mut self, number: usize, call: &Call) {
        if let Some((inode, sequence)) = self.writes.remove(&number)
            && let Inode::File { pending, .. } = &mut self.inodes[inode]
            && let Some(change) = pending.iter_mut().find(|change| change.sequence == sequence)
        {
            change.returned = true;
        }
        match &call.action {
            Action::Open { path, create, truncate, append, descriptor } => {
                let inode = match self.find(path) {
                    Some(inode) => inode,
                    None => {
                        assert!(*create, "{} was opened, and never created", path.display());
                        self.add(path, Inode::file())
                    }
                };
                self.open.insert((call.process, *descriptor), Open { inode, offset: 0, append: *append });
                if *truncate && matches!(self.inodes[inode], Inode::File { length: 1.., .. }) {
                    self.change(inode, true, ChangeKind::Truncate(0));
                }
            }
            Action::Seek { descriptor, position } => {
                if let Some(open) = self.open.get_mut(&(call.process, *descriptor)) {
                    open.offset = usize::try_from(*position).expect("a small file");
                }
            }
            Action::Sync { .. } => self.sync(number),
            Action::Rename { from, to } => {
                let inode = self.find(from);
                assert!(inode.is_some(), "{} was renamed, and never created", from.display());
                // Two changes if the directories differ: no order between directories is promised.
                self.name(to, inode);
                self.name(from, None);
            }
            Action::Remove { path } => self.name(path, None),
            Action::MakeDirectory { path } => {
                self.add(path, Inode::directory());
            }
            Action::MapShared { path } => {
                assert!(
                    path.to_string_lossy().ends_with("-shm"),
                    "{} is written through a mapping, which no sync of the file covers",
                    path.display()
                );
                let inode = self.find(path).expect("it was opened");
                if let Inode::File { mapped, .. } = &mut self.inodes[inode] {
                    *mapped = true;
                }
            }
            Action::Close { .. } | Action::Write { .. } | Action::Truncate { .. } => {}
        }
    }

    fn next(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    fn change(&mut self, inode: usize, returned: bool, kind: ChangeKind) -> u64 {
        let sequence = self.next();
        if let Inode::File { pending, length, .. } = &mut self.inodes[inode] {
            *length = match &kind {
                ChangeKind::Write { offset, data } => (*length).max(offset + data.len()),
                ChangeKind::Truncate(to) => *to,
            };
            pending.push(Change { sequence, returned, kind });
        }
        sequence
    }

    fn sync(&mut self, number: usize) {
        let (inode, covered) = self.syncs.remove(&number).expect("a sync that began");
        match &mut self.inodes[inode] {
            Inode::File { synced, pending, .. } => pending.retain(|change| {
                let covers = covered.contains(&change.sequence);
                if covers {
                    change.apply(synced, &mut |_| true);
                }
                !covers
            }),
            Inode::Directory { synced, pending, .. } => pending.retain(|change| {
                let covers = covered.contains(&change.sequence);
                if covers {
                    change.apply(synced);
                }
                !covers
            }),
        }
    }

    fn find(&self, path: &Path) -> Option<usize> {
        let below = path.strip_prefix(&self.root).expect("below the root");
        below.components().try_fold(ROOT, |inode, name| match &self.inodes[inode] {
            Inode::Directory { entries, .. } => entries.get(name.as_os_str().to_str()?).copied(),
            Inode::File { .. } => None,
        })
    }

    fn add(&mut self, path: &Path, inode: Inode) -> usize {
        self.inodes.push(inode);
        let number = self.inodes.len() - 1;
        self.name(path, Some(number));
        number
    }

    fn name(&mut self, path: &Path, target: Option<usize>) {
        let sequence = self.next();
        let parent = self.find(path.parent().expect("a directory")).expect("the directory exists");
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let Inode::Directory { pending, entries, .. } = &mut self.inodes[parent] else { panic!("a file has entries") };
        let change = EntryChange { sequence, name, target };
        change.apply(entries);
        pending.push(change);
    }

    /// Writes the files that a cut at this moment leaves.
    pub(crate) fn cut(&self, survivors: Survivors, random: &mut Random, target: &Path) {
        let mut pending: Vec<u64> = Vec::new();
        for inode in &self.inodes {
            match inode {
                Inode::File { pending: changes, .. } => pending.extend(changes.iter().map(|change| change.sequence)),
                Inode::Directory { pending: changes, .. } => {
                    pending.extend(changes.iter().map(|change| change.sequence));
                }
            }
        }
        pending.sort_unstable();
        let last = pending.get(random.below(pending.len() + 1)).copied().unwrap_or(u64::MAX);
        // Disks lose little, much, or half.
        let kept = [5, 50, 95][random.below(3)];
        let torn = random.below(16);
        let mut cut = Cut { survivors, last, torn, kept, random };
        self.write(ROOT, target, &mut cut);
    }

    fn write(&self, inode: usize, target: &Path, cut: &mut Cut<'_>) {
        match &self.inodes[inode] {
            Inode::File { length, mapped: true, .. } => match cut.random.below(3) {
                0 => {}
                1 => write_private(target, &[]),
                _ => write_private(target, &(0..*length).map(|_| cut.random.below(256) as u8).collect::<Vec<_>>()),
            },
            Inode::File { synced, pending, .. } => {
                let mut content = synced.clone();
                for change in pending {
                    change.apply(&mut content, &mut |part| cut.keeps(change.sequence, part));
                }
                write_private(target, &content);
            }
            Inode::Directory { synced, pending, .. } => {
                let mut entries = synced.clone();
                for change in pending {
                    if cut.keeps(change.sequence, 0) {
                        change.apply(&mut entries);
                    }
                }
                DirBuilder::new().recursive(true).mode(0o700).create(target).expect("a directory");
                for (name, inode) in entries {
                    self.write(inode, &target.join(name), cut);
                }
            }
        }
    }
}

fn write_private(file: &Path, content: &[u8]) {
    std::fs::write(file, content).expect("the image can be written");
    std::fs::set_permissions(file, Permissions::from_mode(0o600)).expect("its mode can be set");
}

impl Change {
    /// Makes the change, of a write the sectors that are kept; the last part is the length.
    fn apply(&self, content: &mut Vec<u8>, keeps: &mut dyn FnMut(usize) -> bool) {
        match &self.kind {
            ChangeKind::Truncate(length) => {
                if keeps(0) {
                    content.resize(*length, 0);
                }
            }
            ChangeKind::Write { offset, data } => {
                let end = offset + data.len();
                let mut at = *offset;
                while at < end {
                    let next = ((at / SECTOR + 1) * SECTOR).min(end);
                    if keeps(at / SECTOR - offset / SECTOR) {
                        content.resize(content.len().max(next), 0);
                        content[at..next].copy_from_slice(&data[at - offset..next - offset]);
                    }
                    at = next;
                }
                if content.len() < end && keeps(0) {
                    content.resize(end, 0);
                }
            }
        }
    }
}

impl EntryChange {
    fn apply(&self, entries: &mut BTreeMap<String, usize>) {
        match self.target {
            Some(inode) => entries.insert(self.name.clone(), inode),
            None => entries.remove(&self.name),
        };
    }
}

/// The choices of one cut.
struct Cut<'a> {
    survivors: Survivors,
    /// The last change that survives of [`Survivors::Oldest`].
    last: u64,
    /// Sectors that survive of this change.
    torn: usize,
    /// Of a hundred parts so many survive of [`Survivors::Random`].
    kept: usize,
    random: &'a mut Random,
}

impl Cut<'_> {
    fn keeps(&mut self, sequence: u64, part: usize) -> bool {
        match self.survivors {
            Survivors::None => false,
            Survivors::All => true,
            Survivors::Oldest if sequence == self.last => part < self.torn,
            Survivors::Oldest => sequence < self.last,
            Survivors::Random => self.random.below(100) < self.kept,
        }
    }
}
