//! Form of a server's address in the options.

use url::Url;

/// Returns whether a URL is the address of a server alone: `http` or `https`, host and port.
pub(crate) fn is_server_address(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
        && (url.path(), url.query(), url.fragment(), url.username()) == ("/", None, None, "")
        && url.password().is_none()
}
