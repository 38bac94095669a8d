//! Bytes, text, parts, and answers of several statuses, of `storage`.

use std::sync::Arc;

use axum::http::HeaderValue;
use serde_json::json;
use trainyard_runtime::http::{ApiError, Download};

use crate::fixture_servers::{Answered, ask, serve};
use crate::fixtures::storage::server::buckets::*;
use crate::fixtures::storage::server::default::*;
use crate::fixtures::storage::server::objects::*;
use crate::fixtures::storage::server::{buckets, default, objects, router};
use crate::fixtures::storage::types;

struct Store;

const CONTENT: &[u8] = b"0123456789";

fn bucket(name: String) -> types::Bucket {
    types::Bucket { created: "2024-02-29T12:00:00Z".parse().expect("a time"), name, zones: None }
}

fn object(key: String, size: usize, content_type: &str) -> types::Object {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    types::Object { checksum: None, content_type: content_type.to_owned(), key, metadata: None, size }
}

fn problem(detail: &str) -> types::Problem {
    types::Problem { detail: Some(detail.to_owned()), ..Default::default() }
}

fn tag() -> String {
    "\"v1\"".to_owned()
}

impl buckets::Buckets for Store {
    async fn buckets_list(&self, input: BucketsListInput) -> Result<BucketsListOutput, ApiError> {
        let headers = BucketsListOkHeaders { link: Some(vec!["a".into(), "b".into()]), x_total: Some(2) };
        if input.accept.weight("text/csv") > input.accept.weight("application/json") {
            return Ok(BucketsListOutput::OkTextCsv { headers, body: "name\npictures\n".to_owned() });
        }
        Ok(BucketsListOutput::Ok { headers, body: vec![bucket("pictures".to_owned())] })
    }

    async fn buckets_create(&self, input: BucketsCreateInput) -> Result<BucketsCreateOutput, ApiError> {
        let (BucketsCreateBody::Json(new) | BucketsCreateBody::Form(new)) = input.body;
        let status = new.quota.and_then(|quota| u16::try_from(quota).ok()).unwrap_or_default();
        Ok(match new.name.as_str() {
            "there" => BucketsCreateOutput::Ok(bucket(new.name)),
            "later" => BucketsCreateOutput::Accepted,
            "refused" => BucketsCreateOutput::Default { status, body: problem("no") },
            _ => BucketsCreateOutput::Created {
                headers: BucketsCreateCreatedHeaders { location: Some(format!("/buckets/{}", new.name)) },
                body: types::Bucket { zones: new.zones, ..bucket(new.name) },
            },
        })
    }

    async fn buckets_delete(&self, input: BucketsDeleteInput) -> Result<BucketsDeleteOutput, ApiError> {
        Ok(match input.body {
            None => BucketsDeleteOutput::NoContent,
            Some(why) => BucketsDeleteOutput::Default { status: 409, body: problem(&why) },
        })
    }

    async fn buckets_exists(&self, input: BucketsExistsInput) -> Result<BucketsExistsOutput, ApiError> {
        Ok(match input.bucket.as_str() {
            "pictures" => BucketsExistsOutput::Ok { headers: BucketsExistsOkHeaders { x_objects: 3 } },
            _ => BucketsExistsOutput::NotFound,
        })
    }

    async fn buckets_capabilities(&self, _: BucketsCapabilitiesInput) -> Result<BucketsCapabilitiesOutput, ApiError> {
        let headers = BucketsCapabilitiesNoContentHeaders { allow: Some("HEAD, DELETE".to_owned()) };
        Ok(BucketsCapabilitiesOutput::NoContent { headers })
    }

    async fn buckets_trace(&self, input: BucketsTraceInput) -> Result<BucketsTraceOutput, ApiError> {
        Ok(BucketsTraceOutput::Ok(Download::bytes(format!("TRACE {}", input.bucket).into_bytes())))
    }

    async fn report(&self, input: ReportInput) -> Result<ReportOutput, ApiError> {
        if input.accept.weight("application/json") < 1.0 {
            return Ok(ReportOutput::OkTextHtmlCharsetUtf8("<p>ü".to_owned()));
        }
        Ok(ReportOutput::Ok(json!([1])))
    }
}

impl objects::Objects for Store {
    async fn objects_download(&self, input: ObjectsDownloadInput) -> Result<ObjectsDownloadOutput, ApiError> {
        if input.if_none_match == Some(tag()) {
            let headers = ObjectsDownloadNotModifiedHeaders { e_tag: tag() };
            return Ok(ObjectsDownloadOutput::NotModified { headers });
        }
        let range = input.range.as_deref().and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
        match range.map(|(first, last)| (first.parse::<usize>(), last.parse::<usize>())) {
            None => Ok(ObjectsDownloadOutput::Ok {
                headers: ObjectsDownloadOkHeaders { content_length: None, e_tag: tag(), last_modified: None },
                body: Download::bytes(CONTENT),
            }),
            Some((Ok(first), Ok(last))) if first <= last && last < CONTENT.len() => {
                Ok(ObjectsDownloadOutput::PartialContent {
                    headers: ObjectsDownloadPartialContentHeaders {
                        content_range: format!("bytes {first}-{last}/{}", CONTENT.len()),
                        e_tag: tag(),
                    },
                    body: Download::bytes(&CONTENT[first..=last]),
                })
            }
            Some(_) => {
                let headers = ObjectsDownloadRangeNotSatisfiableHeaders { content_range: Some("bytes */10".into()) };
                Ok(ObjectsDownloadOutput::RangeNotSatisfiable { headers })
            }
        }
    }

    async fn objects_annotate(&self, input: ObjectsAnnotateInput) -> Result<ObjectsAnnotateOutput, ApiError> {
        let status = input.key.parse().unwrap_or(200);
        let described = match input.body {
            ObjectsAnnotateBody::JsonPatchJson(steps) => format!("patch {}", steps.len()),
            ObjectsAnnotateBody::MergePatchJson(map) => format!("merge {map:?}"),
        };
        Ok(match input.bucket.as_str() {
            "refused" => ObjectsAnnotateOutput::ClientError { status, body: problem(&described) },
            "default" => ObjectsAnnotateOutput::Default { status, body: described },
            _ => ObjectsAnnotateOutput::Success { status, body: object(described, 0, "a/b") },
        })
    }

    async fn objects_upload(&self, input: ObjectsUploadInput) -> Result<ObjectsUploadOutput, ApiError> {
        Ok(match input.if_match {
            None => ObjectsUploadOutput::Created {
                headers: ObjectsUploadCreatedHeaders { e_tag: tag() },
                body: object(input.key, input.body.len(), "application/octet-stream"),
            },
            Some(version) if version == tag() => {
                ObjectsUploadOutput::NoContent { headers: ObjectsUploadNoContentHeaders { e_tag: "\"v2\"".into() } }
            }
            Some(_) => ObjectsUploadOutput::PreconditionFailed("it is another version".to_owned()),
        })
    }

    async fn objects_upload_form(&self, input: ObjectsUploadFormInput) -> Result<ObjectsUploadFormOutput, ApiError> {
        let form = input.body;
        let told = format!("{:?} {:?} {:?} {:?}", form.metadata, form.tags, form.expires, form.public);
        let mut objects = vec![object(told, 0, "told")];
        for file in [form.file].into_iter().chain(form.attachments) {
            let content_type = file.content_type.unwrap_or_default();
            objects.push(object(file.file_name.unwrap_or_default(), file.bytes.len(), &content_type));
        }
        Ok(objects.into())
    }

    async fn convert(&self, input: ConvertInput) -> Result<ConvertOutput, ApiError> {
        let (what, bytes) = match input.body {
            ConvertBody::Image(bytes) => ("image ", bytes),
            ConvertBody::Other(bytes) => ("other ", bytes),
        };
        let download = Download::bytes([what.as_bytes(), &bytes[..]].concat());
        Ok(match input.accept.weight("image/webp") > input.accept.weight("image/png") {
            true => ConvertOutput::OkImage(download.with_content_type(HeaderValue::from_static("image/webp"))),
            false => ConvertOutput::OkImagePng(download),
        })
    }
}

impl default::DefaultApi for Store {
    async fn health(&self, _: HealthInput) -> Result<HealthOutput, ApiError> {
        Ok(HealthOutput::Ok("ok".to_owned()))
    }
}

pub(super) async fn store() -> String {
    serve(router(Arc::new(Store))).await
}

const KEY: &str = "/buckets/pictures/objects/a%2Fb";

#[tokio::test]
async fn bytes_go_down_whole_in_part_or_not_at_all() {
    let root = store().await;
    let get = format!("GET {KEY}");
    let whole = ask(&get).of(&root).await;
    assert_eq!((whole.status, whole.body.as_slice()), (200, CONTENT));
    for (name, value) in [("content-type", "application/octet-stream"), ("etag", "\"v1\""), ("content-length", "10")] {
        assert_eq!(whole.header(name), Some(value));
    }
    let part = ask(&get).header("range", "bytes=2-4").of(&root).await;
    assert_eq!((part.status, part.text(), part.header("content-range")), (206, "234", Some("bytes 2-4/10")));
    let wrong = ask(&get).header("range", "bytes=8-12").of(&root).await;
    assert_eq!((wrong.status, wrong.text(), wrong.header("content-range")), (416, "", Some("bytes */10")));
    let same = ask(&get).header("if-none-match", "\"v1\"").of(&root).await;
    assert_eq!((same.status, same.header("etag")), (304, Some("\"v1\"")));
    let odd = ask(&get).header("range", "lines=1-2").of(&root).await;
    assert_eq!(odd.rejection(), (422, "Range".to_owned()));
    let head = ask(&format!("HEAD {KEY}")).of(&root).await;
    assert_eq!((head.status, head.header("content-length")), (200, Some("10")));
}

#[tokio::test]
async fn bytes_go_up() {
    let root = store().await;
    let line = format!("PUT {KEY}");
    let put = |bytes: &[u8]| ask(&line).body("application/octet-stream", bytes);
    let created = put(b"\xff\x00").of(&root).await;
    assert_eq!((created.status, created.header("etag")), (201, Some("\"v1\"")));
    assert_eq!((&created.json()["key"], &created.json()["size"]), (&json!("a/b"), &json!(2)));
    let replaced = put(b"").header("if-match", "\"v1\"").of(&root).await;
    assert_eq!((replaced.status, replaced.header("etag"), replaced.text()), (204, Some("\"v2\""), ""));
    let changed = put(b"").header("if-match", "\"v0\"").of(&root).await;
    assert_eq!((changed.status, changed.header("content-type")), (412, Some("text/plain; charset=utf-8")));
    let large = put(&vec![0; (8 << 20) + 1]).of(&root).await;
    assert_eq!(large.rejection().0, 413);
    assert_eq!(ask(&line).body("text/plain", "x").of(&root).await.rejection().0, 415);
    let bad = ask("PUT /buckets/P/objects/k").body("application/octet-stream", "x").of(&root).await;
    assert_eq!(bad.rejection(), (422, "bucket".to_owned()));
}

#[tokio::test]
async fn an_answer_has_the_status_of_its_variant_and_no_other() {
    let root = store().await;
    let create = |body: &str| ask("POST /buckets").body("application/json", body);
    for (body, status) in [
        (r#"{"name": "there"}"#, 200),
        (r#"{"name": "fresh"}"#, 201),
        (r#"{"name": "later"}"#, 202),
        (r#"{"name": "refused", "quota": 418}"#, 418),
        // No status of an answer.
        (r#"{"name": "refused", "quota": 101}"#, 500),
    ] {
        assert_eq!(create(body).of(&root).await.status, status, "{body}");
    }
    let fresh = ask("POST /buckets").body("application/x-www-form-urlencoded", "name=fresh&zones=a&zones=b");
    let fresh = fresh.of(&root).await;
    assert_eq!((fresh.header("location"), &fresh.json()["zones"]), (Some("/buckets/fresh"), &json!(["a", "b"])));
    let merge = r#"{"a": null, "b": "c"}"#;
    for (path, status, media_type) in [
        ("pictures/objects/299", 299, "application/json"),
        ("pictures/objects/404", 500, "application/json"),
        ("refused/objects/451", 451, "application/problem+json"),
        ("refused/objects/200", 500, "application/json"),
        ("default/objects/502", 502, "text/plain; charset=utf-8"),
    ] {
        let line = format!("PATCH /buckets/{path}");
        let answer = ask(&line).body("application/merge-patch+json", merge).of(&root).await;
        assert_eq!((answer.status, answer.header("content-type")), (status, Some(media_type)), "{path}");
    }
}

#[tokio::test]
async fn patches_are_told_apart_by_their_media_type() {
    let root = store().await;
    let patch = |media_type, body: &str| ask("PATCH /buckets/pictures/objects/k").body(media_type, body);
    let merged = patch("application/merge-patch+json", r#"{"a": null, "b": "c"}"#).of(&root).await;
    assert_eq!(merged.json()["key"], r#"merge {"a": None, "b": Some("c")}"#);
    let steps = r#"[{"op": "add", "path": "/a", "value": {"x": 1}}, {"op": "remove", "path": "/b"}]"#;
    assert_eq!(patch("application/json-patch+json", steps).of(&root).await.json()["key"], "patch 2");
    for (media_type, body, rejection) in [
        ("application/merge-patch+json", r#"{"a": 1}"#, (422, "a")),
        ("application/merge-patch+json", r#"{"a": "b", "a": "c"}"#, (422, "")),
        ("application/json-patch+json", r#"[{"op": "test", "path": ""}]"#, (422, "[0].op")),
        ("application/json-patch+json", r#"[{"op": "add"}]"#, (422, "[0].path")),
    ] {
        let (status, param) = patch(media_type, body).of(&root).await.rejection();
        assert_eq!((status, &*param), rejection, "{body}");
    }
}

#[tokio::test]
async fn methods_without_a_body_answer_by_their_headers() {
    let root = store().await;
    let exists = ask("HEAD /buckets/pictures").of(&root).await;
    assert_eq!((exists.status, exists.header("x-objects")), (200, Some("3")));
    assert_eq!(ask("HEAD /buckets/other").of(&root).await.status, 404);
    let options = ask("OPTIONS /buckets/pictures").of(&root).await;
    assert_eq!((options.status, options.header("allow")), (204, Some("HEAD, DELETE")));
    let trace = ask("TRACE /buckets/pictures").of(&root).await;
    assert_eq!((trace.header("content-type"), trace.text()), (Some("message/http"), "TRACE pictures"));
    let wrong = ask("PUT /buckets/pictures").of(&root).await;
    assert_eq!(wrong.rejection().0, 405);
    let mut allowed: Vec<_> = wrong.header("allow").unwrap_or_default().split(',').collect();
    allowed.sort_unstable();
    assert_eq!(allowed, ["DELETE", "HEAD", "OPTIONS", "TRACE"]);
}

#[tokio::test]
async fn an_optional_body_that_turns_out_empty_is_absent() {
    let root = store().await;
    let line = "DELETE /buckets/pictures";
    let text = |length: usize| ask(line).body("text/plain", "x".repeat(length));
    assert_eq!(text(201).of(&root).await.rejection(), (422, String::new()));
    assert_eq!(text(200).of(&root).await.status, 409);
    assert_eq!(ask(line).of(&root).await.status, 204);
    let mut raw = crate::raw::Raw::connect(&root).await;
    raw.send(format!("{line} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n")).await;
    assert_eq!(raw.answer_to("HEAD").await.unwrap().status, 204);
    raw.send(format!("{line} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nwhy\r\n0\r\n\r\n")).await;
    assert_eq!(raw.answer().await.unwrap().json()["detail"], "why");
}

#[tokio::test]
async fn the_accept_header_chooses_the_media_type() {
    let root = store().await;
    let list = ask("GET /buckets").header("accept", "text/csv, */*;q=0.1").of(&root).await;
    assert_eq!((list.header("content-type"), list.text()), (Some("text/csv; charset=utf-8"), "name\npictures\n"));
    assert_eq!((list.header("x-total"), list.header("link")), (Some("2"), Some("a,b")));
    assert_eq!(ask("GET /buckets").header("accept", "image/png").of(&root).await.rejection().0, 406);
    let page = ask("GET /report").header("accept", "text/html").of(&root).await;
    assert_eq!((page.header("content-type"), page.text()), (Some("text/html; charset=utf-8"), "<p>ü"));
    assert_eq!(ask("GET /report").of(&root).await.json(), json!([1]));
    let convert = |media_type| ask("POST /convert").body(media_type, "x");
    assert_eq!(convert("image/gif").of(&root).await.text(), "image x");
    assert_eq!(convert("application/pdf").of(&root).await.text(), "other x");
    let webp = convert("image/gif").header("accept", "image/webp").of(&root).await;
    assert_eq!(webp.header("content-type"), Some("image/webp"));
    assert_eq!(ask("GET /health").of(&root).await.text(), "ok");
}
