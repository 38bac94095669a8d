use super::*;

#[test]
fn published_documents_have_names() {
    assert_eq!(document("current"), Some(Ok(OPENAPI_JSON)));
    assert_eq!(document("openapi.yaml"), None);
    assert!(document("published:0.1.0").is_some_and(|found| found.is_ok()));
    let unpublished = document("published:9.9.9").and_then(Result::err).expect("unpublished");
    assert!(unpublished.contains("there are: 0.1.0"), "{unpublished}");
}
