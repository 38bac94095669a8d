//! Data sets logged to the Weights & Biases server that the operator names.

use std::fmt;
use std::str::FromStr;

use serde_json::{Value, json};
use url::Url;

use super::{Access, DataSource, SourceError, SourceLimits};

/// Prefix of artifact URLs.
const SCHEME: &str = "wandb-artifact:///";
/// Name of the file to train on, if an artifact has several files.
pub const DATA_FILE: &str = "train.jsonl";
/// User name for basic authentication; the password is the API key.
const USER: &str = "api";
/// Prefixes of file paths at W&B's servers and at this service.
const FILE_PATHS: [&str; 3] = ["/artifacts", "/files/", "/v1/files/"];
/// Maximum size in bytes of a response that lists files.
const RESPONSE_BYTES: usize = 1 << 20;
/// GraphQL query. Servers without full GraphQL recognise it by the operation's name.
const QUERY: &str = "query ArtifactFileUrls($entity: String!, $project: String!, $name: String!) {
    project(name: $project, entityName: $entity) {
        artifact(name: $name) { files(first: 100) { edges { node { name directUrl } } } }
    }
}";

/// The name of an artifact: `wandb-artifact:///ENTITY/PROJECT/NAME:VERSION`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WandbArtifact {
    /// Owner of the artifact.
    pub entity: String,
    /// Project within the entity.
    pub project: String,
    /// Name within the project.
    pub name: String,
    /// Version: `v0` or another alias; `latest` by default.
    pub version: String,
}

impl WandbArtifact {
    /// Returns whether a URL has the scheme of artifact names.
    pub fn is_url(url: &str) -> bool {
        url.starts_with(SCHEME)
    }

    /// Parses a URL; `None` if it has another form.
    pub fn of_url(url: &str) -> Option<Self> {
        let mut parts = url.strip_prefix(SCHEME)?.split('/');
        let (entity, project, last) = (parts.next()?, parts.next()?, parts.next()?);
        let (name, version) = last.split_once(':').unwrap_or((last, "latest"));
        let is_whole = parts.next().is_none() && ![entity, project, name, version].contains(&"");
        is_whole.then(|| Self {
            entity: entity.to_owned(),
            project: project.to_owned(),
            name: name.to_owned(),
            version: version.to_owned(),
        })
    }
}

/// A Weights & Biases server with its API key.
#[derive(Clone, Debug)]
pub struct WandbServer {
    /// Base URL, such as `https://api.wandb.ai`.
    pub url: Url,
    /// API key.
    pub key: WandbKey,
}

/// An API key of Weights & Biases. Its `Debug` output does not contain the key.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct WandbKey(String);

impl fmt::Debug for WandbKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("WandbKey(…)")
    }
}

impl FromStr for WandbKey {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl WandbServer {
    /// Adds the API key to a request for the server's own origin; leaves requests to other origins unchanged.
    pub(super) fn authorize(&self, request: reqwest::RequestBuilder, url: &Url) -> reqwest::RequestBuilder {
        if url.origin() == self.url.origin() { request.basic_auth(USER, Some(&self.key.0)) } else { request }
    }

    /// Returns whether a URL belongs to the server itself, which the operator trusts.
    pub(super) fn has(&self, url: &Url) -> bool {
        url.origin() == self.url.origin()
    }

    /// Requests the URL of an artifact's data.
    pub(super) async fn data_url(
        &self,
        source: &DataSource,
        artifact: &WandbArtifact,
        limits: &SourceLimits,
    ) -> Result<Url, SourceError> {
        let mut url = self.url.clone();
        url.set_path("graphql");
        let client = source.client(&url, Access::Anywhere, limits).await?;
        let WandbArtifact { entity, project, name, version } = artifact;
        let variables = json!({ "entity": entity, "project": project, "name": format!("{name}:{version}") });
        let asked = client.post(url.clone()).json(&json!({ "query": QUERY, "variables": variables }));
        let response = self.authorize(asked, &url).send().await.map_err(|error| super::connection(&error))?;
        let body = read(response).await?;
        let body: Value =
            serde_json::from_slice(&body).map_err(|_| SourceError::Artifact("the W&B server's answer is not JSON"))?;
        let edges = &body["data"]["project"]["artifact"]["files"]["edges"];
        let unknown = SourceError::Artifact("the W&B server has no such artifact, or does not give it to this service");
        let files = edges.as_array().ok_or(unknown)?;
        let named = files.iter().find(|edge| edge["node"]["name"] == DATA_FILE);
        let file = match (named, files.as_slice()) {
            (Some(file), _) | (None, [file]) => file,
            _ => return Err(SourceError::Artifact("the artifact has several files, and no train.jsonl among them")),
        };
        let address = file["node"]["directUrl"].as_str().filter(|address| !address.is_empty());
        let address = address.ok_or(SourceError::Artifact("the W&B server does not say where the file is"))?;
        // Relative URLs refer to the server.
        let address = self.url.join(address).map_err(|error| SourceError::InvalidUrl(error.to_string()))?;
        // An artifact may refer to any URL, so the API key is sent with file requests only.
        if self.has(&address) && !FILE_PATHS.iter().any(|prefix| address.path().starts_with(prefix)) {
            return Err(SourceError::Artifact("the W&B server names an address of its own that is no file"));
        }
        super::parse(address.as_str())
    }
}

/// Returns the whole body of a successful response within the size limit.
async fn read(mut response: reqwest::Response) -> Result<Vec<u8>, SourceError> {
    let status = response.status();
    if status != reqwest::StatusCode::OK {
        return Err(SourceError::Status { status: status.as_u16() });
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| super::connection(&error))? {
        body.extend_from_slice(&chunk);
        if body.len() > RESPONSE_BYTES {
            return Err(SourceError::Artifact("the W&B server's answer is too long"));
        }
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_an_artifact_and_its_version() {
        let parts = |url: &str| {
            let WandbArtifact { entity, project, name, version } = WandbArtifact::of_url(url)?;
            Some([entity, project, name, version])
        };
        let known = |version: &str| Some(["acme", "p", "data", version].map(str::to_owned));
        assert_eq!(parts("wandb-artifact:///acme/p/data:v12"), known("v12"));
        assert_eq!(parts("wandb-artifact:///acme/p/data"), known("latest"));
        assert_eq!(parts("wandb-artifact:///acme/p/data:best"), known("best"));
        for other in ["acme/data:v0", "acme/p/data/x:v0", "/p/data:v0", "acme/p/:v0", "acme/p/data:", ""] {
            assert_eq!(parts(&format!("wandb-artifact:///{other}")), None, "{other}");
        }
        assert_eq!(parts("https://acme/p/data:v0"), None);
    }

    #[test]
    fn the_key_is_not_shown() {
        let server = WandbServer { url: Url::parse("https://api.wandb.ai").unwrap(), key: "secret".parse().unwrap() };
        assert!(!format!("{server:?}").contains("secret"));
        // The key is not sent to other servers.
        let client = reqwest::Client::builder().build().unwrap();
        let sends = |url: &str| {
            let url = Url::parse(url).unwrap();
            let request = server.authorize(client.get(url.clone()), &url).build().unwrap();
            request.headers().contains_key("authorization")
        };
        assert!(sends("https://api.wandb.ai/files/x"));
        for other in ["https://storage.example.org/x", "http://api.wandb.ai/x", "https://api.wandb.ai:8443/x"] {
            assert!(!sends(other), "{other}");
        }
    }
}
