//! Forms of parts, of `storage`.

use crate::fixture_servers::storage::store;
use crate::fixture_servers::{Answered, Ask, ask};

const LINE: &str = "POST /buckets/pictures/uploads";
const PICTURE: &str = "name=file; filename=\"a.png\"\r\nContent-Type: image/png";

fn body(parts: &[(&str, &str)]) -> String {
    let mut body = String::new();
    for (head, content) in parts {
        body.push_str(&format!("--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{content}\r\n"));
    }
    body + "--b--\r\n"
}

fn form(body: impl Into<Vec<u8>>) -> Ask<'static> {
    ask(LINE).body("multipart/form-data; boundary=b", body)
}

#[tokio::test]
async fn parts_arrive_as_what_the_document_makes_of_them() {
    let root = store().await;
    let parts = [
        (PICTURE, "\u{1}\u{2}\u{3}"),
        ("name=attachments; filename=\"x\"", "1"),
        ("name=attachments; filename=\"y\"", "22"),
        ("name=metadata\r\nContent-Type: application/json", r#"{"k": "v"}"#),
        ("name=tags", "a"),
        ("name=tags", "b"),
        ("name=expires", "2024-02-29T12:00:00Z"),
        ("name=public", "true"),
        ("name=unknown", "?"),
    ];
    let answer = form(body(&parts)).of(&root).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let objects = answer.json();
    let told = r#"Some({"k": "v"}) Some(["a", "b"]) Some("2024-02-29T12:00:00Z") true"#;
    assert_eq!(objects[0]["key"], told);
    let files: Vec<_> = objects.as_array().unwrap()[1..].iter().map(|file| (&file["key"], &file["size"])).collect();
    assert_eq!(
        format!("{files:?}"),
        r#"[(String("a.png"), Number(3)), (String("x"), Number(1)), (String("y"), Number(2))]"#
    );
    assert_eq!(objects[1]["content_type"], "image/png");
    let least = form(body(&[(PICTURE, "")])).of(&root).await;
    assert_eq!(least.json()[0]["key"], "None None None false");
}

#[tokio::test]
async fn parts_that_the_document_does_not_allow_are_rejected_with_their_name() {
    let root = store().await;
    let picture = (PICTURE, "x");
    for (parts, param) in [
        (vec![("name=tags", "a")], "file"),
        (vec![picture, picture], "file"),
        (vec![("name=file\r\nContent-Type: text/html", "x")], "file"),
        (vec![picture, ("name=public", "perhaps")], "public"),
        (vec![picture, ("name=expires", "never")], "expires"),
        (vec![picture, ("name=metadata", r#"{"k": 1}"#)], "metadata.k"),
        ([vec![picture], vec![("name=attachments", ""); 6]].concat(), "attachments"),
    ] {
        let answer = form(body(&parts)).of(&root).await;
        assert_eq!(answer.rejection(), (422, param.to_owned()), "{parts:?}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_body_that_is_no_form_or_too_much_of_one_is_rejected() {
    let root = store().await;
    let whole = body(&[(PICTURE, "x")]);
    for (body, status) in [
        (whole[..whole.len() - 8].to_owned(), 400),
        (String::new(), 400),
        ("no parts at all".to_owned(), 400),
        (body(&[("filename=\"a\"", "x")]), 400),
        (body(&vec![("name=tags", ""); 1025]), 413),
        (body(&[(PICTURE, &"x".repeat(8 << 20))]), 413),
    ] {
        let answer = form(body).of(&root).await;
        assert_eq!(answer.rejection().0, status, "{}", answer.text());
    }
    assert_eq!(ask(LINE).body("multipart/form-data", whole).of(&root).await.rejection().0, 400);
    assert_eq!(ask(LINE).body("application/json", "{}").of(&root).await.rejection().0, 415);
}
