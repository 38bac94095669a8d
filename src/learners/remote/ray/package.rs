//! The Python package of the learner as a zip file, which Ray unpacks into the working directory of a job.

use miniz_oxide::deflate::compress_to_vec;
use sha2::{Digest, Sha256};

use crate::learners::package;
use crate::model_files::SEEDLING_FILES;

/// Directory of the built-in model in the package.
pub(super) const SEEDLING_DIRECTORY: &str = "seedling";

/// A zip file and its name in Ray's storage, which is made of its hash.
#[derive(Clone, Debug)]
pub(super) struct Package {
    /// Name, `_ray_pkg_….zip`.
    pub(super) name: String,
    /// Content.
    pub(super) bytes: Vec<u8>,
}

impl Package {
    /// Packs the learner, and the built-in model if it trains that.
    pub(super) fn new(with_seedling: bool) -> Self {
        let mut zip = Zip::default();
        for (name, text) in package::FILES {
            zip.add(&format!("{}/{name}", package::NAME), text.as_bytes(), 10);
        }
        for (name, content) in SEEDLING_FILES.iter().filter(|_| with_seedling) {
            zip.add(&format!("{SEEDLING_DIRECTORY}/{name}"), content, 1);
        }
        let bytes = zip.finish();
        let name = format!("_ray_pkg_{}.zip", &hex::encode(Sha256::digest(&bytes))[..32]);
        Self { name, bytes }
    }
}

/// Writer of a zip file. The same content gives the same bytes.
#[derive(Default)]
struct Zip {
    entries: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

/// Version of the format, no flags, method deflate, and 1 January 1980 as the time.
const COMMON: [u16; 5] = [20, 0, 8, 0, 0x21];

impl Zip {
    /// Adds a file of less than 4 GiB.
    fn add(&mut self, name: &str, content: &[u8], level: u8) {
        let deflated = compress_to_vec(content, level);
        let offset = self.entries.len() as u32;
        let mut header: Vec<u8> = COMMON.iter().flat_map(|value| value.to_le_bytes()).collect();
        for value in [crc32fast::hash(content), deflated.len() as u32, content.len() as u32] {
            header.extend(value.to_le_bytes());
        }
        // Length of the name, and no extra field.
        header.extend((name.len() as u32).to_le_bytes());
        self.entries.extend(b"PK\x03\x04");
        self.entries.extend(&header);
        self.entries.extend(name.as_bytes());
        self.entries.extend(&deflated);
        // Made on Unix, no comment, first disk, no internal attributes; a file that its owner may write.
        self.directory.extend(b"PK\x01\x02\x14\x03");
        self.directory.extend(&header);
        self.directory.extend([0; 6]);
        self.directory.extend((0o100_644u32 << 16).to_le_bytes());
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.count += 1;
    }

    /// Returns the file.
    fn finish(self) -> Vec<u8> {
        let Self { mut entries, directory, count } = self;
        let (offset, size) = (entries.len() as u32, directory.len() as u32);
        entries.extend(&directory);
        entries.extend(b"PK\x05\x06\0\0\0\0");
        entries.extend([count; 2].map(u16::to_le_bytes).concat());
        entries.extend([size, offset].map(u32::to_le_bytes).concat());
        entries.extend([0; 2]);
        entries
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    #[test]
    fn the_same_package_has_the_same_name_and_is_small() {
        let [one, other] = [false; 2].map(Package::new);
        assert_eq!(one.name, other.name);
        assert!(one.bytes.len() < 32 << 10, "{} bytes", one.bytes.len());
        assert_ne!(one.name, Package::new(true).name);
    }

    /// The reader of Ray is Python's.
    #[test]
    fn python_unpacks_what_was_packed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("package.zip");
        fs::write(&path, Package::new(true).bytes).unwrap();
        let unpacked = Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&path).arg(directory.path()).output();
        let unpacked = unpacked.expect("Python 3 is needed");
        assert!(unpacked.status.success(), "{}", String::from_utf8_lossy(&unpacked.stderr));
        for (name, text) in package::FILES {
            assert_eq!(fs::read_to_string(directory.path().join(package::NAME).join(name)).unwrap(), *text, "{name}");
        }
        for (name, content) in SEEDLING_FILES {
            assert_eq!(fs::read(directory.path().join(SEEDLING_DIRECTORY).join(name)).unwrap(), content, "{name}");
        }
    }
}
