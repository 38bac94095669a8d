//! Remote learners by base model, as an operator names them.

use std::{collections::BTreeMap, path::PathBuf};

use reqwest::Url;

use super::LearnerServer;
use crate::server_address::is_server_address;

/// Error of a learner that is named in the wrong form.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum LearnerUrlError {
    #[error("--trainer {0:?}: write URL or BASE=URL, with the address alone, as in http://10.0.0.5:7070")]
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
    /// Reads `URL`, for all base models, or `BASE=URL`, for one of them. Each learner has the key in `key_file`.
    ///
    /// # Errors
    /// A learner is named in another form, or two are named for the same base model.
    pub fn parse(given: &[String], key_file: Option<&PathBuf>) -> Result<Self, LearnerUrlError> {
        let mut servers = Self::default();
        for given in given {
            let (base, address) = match given.split_once('=') {
                Some((base, address)) if !base.contains("://") => (Some(base), address),
                _ => (None, given.as_str()),
            };
            let url = Url::parse(address).ok().filter(is_server_address);
            let url = url.filter(|_| base != Some("")).ok_or_else(|| LearnerUrlError::Form(given.clone()))?;
            let server = LearnerServer::new(url, key_file.cloned());
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

    /// Returns the base models that are named.
    pub(crate) fn bases(&self) -> impl Iterator<Item = &str> {
        self.by_base.keys().map(String::as_str)
    }

    /// Returns the learner that trains a base model; `None` if the engine does.
    pub(crate) fn of(&self, base: &str) -> Option<&LearnerServer> {
        self.by_base.get(base).or(self.of_others.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(given: &[&str]) -> Result<LearnerServers, LearnerUrlError> {
        LearnerServers::parse(&given.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), None)
    }

    #[test]
    fn a_learner_is_that_of_its_base_model_or_of_all_others() {
        let servers = parse(&["http://10.0.0.5:7070", "acme/large=https://gpu"]).expect("valid");
        let url = |base: &str| servers.of(base).map(|server| server.url.as_str().to_owned());
        assert_eq!(url("acme/large").as_deref(), Some("https://gpu/"));
        assert_eq!(url("acme/small").as_deref(), Some("http://10.0.0.5:7070/"));
        assert_eq!(parse(&["acme/large=http://gpu"]).expect("valid").of("acme/small"), None);
        assert_eq!(parse(&[]), Ok(LearnerServers::default()));
    }

    #[test]
    fn an_address_is_that_of_a_server_alone() {
        for bad in
            ["gpu:7070", "ftp://gpu", "http://gpu/v1", "http://u:p@gpu", "=http://gpu", "a/b=", "http://gpu?x=1", ""]
        {
            assert_eq!(parse(&[bad]), Err(LearnerUrlError::Form(bad.to_owned())), "{bad}");
        }
        assert_eq!(parse(&["http://a", "http://b"]), Err(LearnerUrlError::Twice("all base models".to_owned())));
        assert_eq!(parse(&["a/b=http://a", "a/b=http://b"]), Err(LearnerUrlError::Twice("a/b".to_owned())));
    }
}
