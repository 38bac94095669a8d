//! Remote learners by base model, as an operator names them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;

use super::{LaunchOptions, LearnerAddress, LearnerServer};
use crate::server_address::is_server_address;

/// Error of a learner that is named in the wrong form.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum LearnerUrlError {
    #[error(
        "--trainer {0:?}: write URL, ray=URL, BASE=URL or BASE=ray=URL, with the address alone, as in \
         http://10.0.0.5:7070 or ray=http://10.0.0.5:8265"
    )]
    Form(String),
    #[error("--trainer names two learners for {0}; name one for each base model")]
    Twice(String),
}

/// The remote learners that train in place of the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnerServers {
    by_base: BTreeMap<String, LearnerServer>,
    /// The learner of each base model that is not named.
    of_others: Option<LearnerServer>,
}

impl LearnerServers {
    /// Reads `URL` or `ray=URL`, for all base models, or `BASE=URL` or `BASE=ray=URL`, for one of them. Each address has the
    /// key in `key_file`; learners on Ray are started with `launch`, and each has `start` to be ready.
    ///
    /// # Errors
    /// A learner is named in another form, or two are named for the same base model.
    pub fn parse(
        given: &[String],
        key_file: Option<&PathBuf>,
        launch: &LaunchOptions,
        start: Option<Duration>,
    ) -> Result<Self, LearnerUrlError> {
        let mut servers = Self::default();
        for given in given {
            let form = || LearnerUrlError::Form(given.clone());
            let (names, address) = match given.find("://") {
                // The last equals sign before the address.
                Some(scheme) => match given[..scheme].rfind('=') {
                    Some(equals) => (Some(&given[..equals]), &given[equals + 1..]),
                    None => (None, given.as_str()),
                },
                None => return Err(form()),
            };
            let (base, on_ray) = match names {
                None => (None, false),
                Some("ray") => (None, true),
                Some(names) => match names.strip_suffix("=ray") {
                    Some(base) => (Some(base), true),
                    None => (Some(names), false),
                },
            };
            let url = Url::parse(address).ok().filter(is_server_address);
            let url =
                url.filter(|_| base.is_none_or(|base| !base.is_empty() && !base.contains('='))).ok_or_else(form)?;
            let address = if on_ray { LearnerAddress::Ray(url, launch.clone()) } else { LearnerAddress::Url(url) };
            let mut server = LearnerServer::new(address, key_file.cloned());
            if let Some(start) = start {
                server = server.starting_within(start);
            }
            let replaced = match base {
                Some(base) => servers.by_base.insert(base.to_owned(), server),
                None => servers.of_others.replace(server),
            };
            if replaced.is_some() {
                return Err(LearnerUrlError::Twice(base.unwrap_or("all base models").to_owned()));
            }
        }
        Ok(servers)
    }

    /// Returns one learner, of a base model or of all.
    pub(crate) fn of_one(base: Option<String>, server: LearnerServer) -> Self {
        match base {
            Some(base) => Self { by_base: [(base, server)].into(), of_others: None },
            None => Self { by_base: BTreeMap::new(), of_others: Some(server) },
        }
    }

    /// Returns the base models that are named.
    pub(crate) fn bases(&self) -> impl Iterator<Item = &str> {
        self.by_base.keys().map(String::as_str)
    }

    /// Returns the learner that trains a base model; `None` if the engine does.
    pub(crate) fn of(&self, base: &str) -> Option<&LearnerServer> {
        self.by_base.get(base).or(self.of_others.as_ref())
    }

    /// Returns whether the learner of a base model is started on the worker's own directory of it.
    pub(crate) fn read_directory_of(&self, base: &str) -> bool {
        let Some(LearnerServer { address: LearnerAddress::Ray(_, launch), .. }) = self.of(base) else { return false };
        launch.directories.of(base).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::Directories;

    fn parse(given: &[&str]) -> Result<LearnerServers, LearnerUrlError> {
        let given: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
        LearnerServers::parse(&given, None, &LaunchOptions::default(), None)
    }

    #[test]
    fn a_learner_is_that_of_its_base_model_or_of_all_others() {
        let servers = parse(&["http://10.0.0.5:7070", "acme/large=https://gpu", "acme/huge=ray=http://head:8265"]);
        let servers = servers.expect("valid");
        let address = |base: &str| servers.of(base).map(|server| server.address.to_string());
        assert_eq!(address("acme/large").as_deref(), Some("https://gpu"));
        assert_eq!(address("acme/huge").as_deref(), Some("ray=http://head:8265"));
        assert_eq!(address("acme/small").as_deref(), Some("http://10.0.0.5:7070"));
        let all = parse(&["ray=http://head:8265"]).expect("valid");
        assert!(matches!(all.of("acme/small").map(|server| &server.address), Some(LearnerAddress::Ray(..))));
        assert_eq!(parse(&["acme/large=http://gpu"]).expect("valid").of("acme/small"), None);
        assert_eq!(parse(&[]), Ok(LearnerServers::default()));
        let reads = |base: &str| servers.read_directory_of(base);
        assert!(reads("acme/huge") && !reads("acme/large") && !reads("acme/small"));
        let launch = LaunchOptions {
            directories: Directories::parse(&["acme/huge=/mnt".to_owned()]),
            ..LaunchOptions::default()
        };
        let elsewhere =
            LearnerServers::parse(&["ray=http://head:8265".to_owned()], None, &launch, None).expect("valid");
        assert!(!elsewhere.read_directory_of("acme/huge") && elsewhere.read_directory_of("acme/small"));
    }

    #[test]
    fn an_address_is_that_of_a_server_alone() {
        for bad in [
            "gpu:7070",
            "ftp://gpu",
            "http://gpu/v1",
            "http://u:p@gpu",
            "=http://gpu",
            "a/b=",
            "http://gpu?x=1",
            "",
            "ray=",
            "=ray=http://gpu",
            "a=b=http://gpu",
            "ray=gpu:8265",
        ] {
            assert_eq!(parse(&[bad]), Err(LearnerUrlError::Form(bad.to_owned())), "{bad}");
        }
        assert_eq!(parse(&["http://a", "ray=http://b"]), Err(LearnerUrlError::Twice("all base models".to_owned())));
        assert_eq!(parse(&["a/b=http://a", "a/b=ray=http://b"]), Err(LearnerUrlError::Twice("a/b".to_owned())));
    }
}
