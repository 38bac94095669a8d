//! Selection of the cryptography provider for https.
//!
//! The order is: the provider that the application installed for the whole process; aws-lc-rs, if its feature is
//! enabled; graviola, which needs only the Rust compiler. The client trusts the system's certificates.

use super::ClientError;

/// Configures the TLS backend of `http`.
pub(super) fn configure(http: reqwest::ClientBuilder, https: bool) -> Result<reqwest::ClientBuilder, ClientError> {
    if cfg!(feature = "aws-lc-rs") || rustls::crypto::CryptoProvider::get_default().is_some() {
        return Ok(http);
    }
    let missing = missing_instructions();
    if missing.is_empty() {
        return Ok(http.tls_backend_preconfigured(graviola()?));
    }
    if https {
        return Err(ClientError::Tls(format!(
            "this processor has no {}; build with the feature `aws-lc-rs`, which needs a C compiler",
            missing.join(", ")
        )));
    }
    // Graviola code runs only on https connections, so redirects must not lead from http to https.
    let stay = reqwest::redirect::Policy::custom(|attempt| match attempt.url().scheme() {
        "http" if attempt.previous().len() <= 10 => attempt.follow(),
        _ => attempt.stop(),
    });
    Ok(http.redirect(stay).tls_backend_preconfigured(graviola()?))
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn graviola() -> Result<rustls::ClientConfig, ClientError> {
    use rustls_platform_verifier::BuilderVerifierExt;

    rustls::ClientConfig::builder_with_provider(rustls_graviola::default_provider().into())
        .with_safe_default_protocol_versions()
        .and_then(BuilderVerifierExt::with_platform_verifier)
        .map(rustls::ConfigBuilder::<rustls::ClientConfig, _>::with_no_client_auth)
        .map_err(|error| ClientError::Tls(error.to_string()))
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn graviola() -> Result<rustls::ClientConfig, ClientError> {
    Err(ClientError::Tls(
        "this kind of processor needs the feature `aws-lc-rs`, which needs a C compiler, or a rustls provider installed \
         by the application"
            .to_owned(),
    ))
}

/// Returns the instruction sets that graviola requires and this processor lacks. Graviola would panic without them.
fn missing_instructions() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let found = [
        ("AES", is_x86_feature_detected!("aes")),
        ("PCLMULQDQ", is_x86_feature_detected!("pclmulqdq")),
        ("BMI1", is_x86_feature_detected!("bmi1")),
        ("BMI2", is_x86_feature_detected!("bmi2")),
        ("ADX", is_x86_feature_detected!("adx")),
        ("AVX", is_x86_feature_detected!("avx")),
        ("AVX2", is_x86_feature_detected!("avx2")),
    ];
    #[cfg(target_arch = "aarch64")]
    let found = [
        ("NEON", std::arch::is_aarch64_feature_detected!("neon")),
        ("AES", std::arch::is_aarch64_feature_detected!("aes")),
        ("PMULL", std::arch::is_aarch64_feature_detected!("pmull")),
        ("SHA2", std::arch::is_aarch64_feature_detected!("sha2")),
    ];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let found: [(&str, bool); 0] = [];
    found.into_iter().filter(|(_, found)| !found).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Covers graviola, which no other test uses: the default features select aws-lc-rs.
    #[test]
    fn reqwest_takes_the_built_in_cryptography() {
        let missing = missing_instructions();
        assert!(missing.is_empty(), "this test needs a processor with {missing:?}");
        let tls = graviola().unwrap();
        assert!(!tls.crypto_provider().cipher_suites.is_empty());
        reqwest::Client::builder().tls_backend_preconfigured(tls).build().unwrap();
    }
}
