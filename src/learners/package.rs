//! The Python package of the learner, which the program carries: it is sent to Ray clusters and installed beside engines.

/// Name of the package.
pub(crate) const NAME: &str = "trainyard_learner";

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Name and text of each file.
        pub(crate) const FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../learner/trainyard_learner/", $name)))),*];
    };
}

files!(
    "__init__.py",
    "__main__.py",
    "adapters.py",
    "batch.py",
    "learner.py",
    "model.py",
    "protocol.py",
    "ranks.py",
    "server.py",
);

#[cfg(test)]
mod tests {
    #[test]
    fn every_file_of_the_package_is_carried() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/learner/trainyard_learner");
        let mut names: Vec<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".py"))
            .collect();
        names.sort();
        assert_eq!(names, super::FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }
}
