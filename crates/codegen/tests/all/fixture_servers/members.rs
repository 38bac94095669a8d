//! Properties of one direction, of `members`: a request cannot set what the server sets, and no response has a secret.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use trainyard_runtime::http::ApiError;

use crate::fixture_servers::{Answered, ask, serve};
use crate::fixtures::members::server::default::{
    CreateMemberBody, CreateMemberInput, CreateMemberOutput, CreateTeamInput, CreateTeamOutput, DefaultApi,
    ListMembersInput, ListMembersOutput,
};
use crate::fixtures::members::{server, types};

/// A service that notes what it received, and answers what it is told to.
struct Club {
    received: Mutex<Value>,
    answer: Mutex<String>,
}

impl Club {
    fn note(&self, received: Value) {
        *self.received.lock().unwrap() = received;
    }
}

impl DefaultApi for Club {
    async fn list_members(&self, _: ListMembersInput) -> Result<ListMembersOutput, ApiError> {
        let member = types::MemberResponse { id: "m1".to_owned(), name: "Ada".to_owned() };
        Ok(types::MemberList { data: vec![member] }.into())
    }

    async fn create_member(&self, input: CreateMemberInput) -> Result<CreateMemberOutput, ApiError> {
        let (name, pw) = match input.body {
            CreateMemberBody::Json(body) | CreateMemberBody::Form(body) => (body.name, body.pw),
            CreateMemberBody::Multipart(parts) => (parts.name, parts.pw),
        };
        self.note(json!({"name": name, "pw": pw}));
        Ok(types::MemberResponse { id: "m1".to_owned(), name }.into())
    }

    async fn create_team(&self, input: CreateTeamInput) -> Result<CreateTeamOutput, ApiError> {
        self.note(serde_json::to_value(&input.body).unwrap());
        let answer = self.answer.lock().unwrap();
        let team: types::TeamResponse = serde_json::from_str(&answer).map_err(|error| {
            ApiError::new(trainyard_runtime::http::ErrorStatus::INTERNAL_SERVER_ERROR, error.to_string())
        })?;
        Ok(team.into())
    }
}

async fn club() -> (Arc<Club>, String) {
    let club = Arc::new(Club { received: Mutex::default(), answer: Mutex::new("{}".to_owned()) });
    let root = serve(server::router(club.clone())).await;
    (club, root)
}

#[tokio::test]
async fn a_member_is_created_with_a_password_and_answered_with_an_id() {
    let (club, root) = club().await;
    let post = |media_type, body: &str| ask("POST /members").body(media_type, body);
    let json = |body: Value| post("application/json", &body.to_string());
    let form = "application/x-www-form-urlencoded";
    let parts = |parts: &[(&str, &str)]| {
        let part = |(name, value): &(&str, &str)| {
            format!("--b\r\nContent-Disposition: form-data; name={name}\r\n\r\n{value}\r\n")
        };
        parts.iter().map(part).collect::<String>() + "--b--\r\n"
    };
    let multipart = "multipart/form-data; boundary=b";
    let right = [("name", "Ada"), ("pw", "difference")];
    let forged = [("id", "forged"), ("name", "Ada"), ("pw", "difference")];
    for request in [
        json(json!({"name": "Ada", "pw": "difference"})),
        json(json!({"name": "Ada", "pw": "difference", "id": "forged"})),
        json(json!({"id": {"a": [1]}, "name": "Ada", "pw": "difference"})),
        post(form, "name=Ada&pw=difference"),
        post(form, "name=Ada&id=forged&pw=difference"),
        post(multipart, &parts(&right)),
        post(multipart, &parts(&forged)),
    ] {
        let answer = request.of(&root).await;
        assert_eq!((answer.status, answer.json()), (201, json!({"id": "m1", "name": "Ada"})));
        assert_eq!(club.received.lock().unwrap().take(), json!({"name": "Ada", "pw": "difference"}));
    }
    for (request, param) in [
        (json(json!({"name": "Ada"})), "pw"),
        (json(json!({"name": "Ada", "id": "forged"})), "pw"),
        (json(json!({"name": "Ada", "pw": "short"})), "pw"),
        (json(json!({"name": "Ada", "pw": null})), "pw"),
        (json(json!({"name": "Ada", "pw": "difference", "ID": "forged"})), "ID"),
        (post(form, "name=Ada"), "pw"),
        (post(form, "name=Ada&id=forged"), "pw"),
        (post(multipart, &parts(&right[..1])), "pw"),
        (post(multipart, &parts(&forged[..2])), "pw"),
    ] {
        assert_eq!(request.of(&root).await.rejection(), (422, param.to_owned()));
    }
    assert_eq!(ask("GET /members").of(&root).await.json(), json!({"data": [{"id": "m1", "name": "Ada"}]}));
}

#[tokio::test]
async fn a_request_cannot_set_what_the_server_sets_wherever_it_stands() {
    let (club, root) = club().await;
    let member = json!({"name": "Ada", "pw": "difference"});
    let forged = json!({"id": "forged", "name": "Ada", "pw": "difference"});
    for (sent, received) in [
        (json!({"lead": forged}), json!({"lead": member})),
        (json!({"members": [member, forged]}), json!({"members": [member, member]})),
        (json!({"by_name": {"a": forged}}), json!({"by_name": {"a": member}})),
        (json!({"admin": {"token": "t", "since": 7, "level": 1}}), json!({"admin": {"token": "t", "level": 1}})),
        (json!({"account": {"kind": "person", "secret": "s"}}), json!({"account": {"kind": "person", "secret": "s"}})),
        (json!({"account": {"kind": "robot", "serial": "forged"}}), json!({"account": {"kind": "robot"}})),
        (json!({"untagged": {"number": 7, "size": 1}}), json!({"untagged": {"size": 1}})),
        (json!({"untagged": {"label": "a"}}), json!({"untagged": {"label": "a"}})),
        (
            json!({"tree": {"seed": "a", "id": 1, "parent": {"seed": "b", "id": 2}, "children": [{"id": "x", "seed": "c"}]}}),
            json!({"tree": {"seed": "a", "parent": {"seed": "b"}, "children": [{"seed": "c"}]}}),
        ),
        (json!({"note": {"id": {"a": 1}, "colour": "red"}}), json!({"note": {"colour": "red"}})),
        (json!({"key": {"id": "forged"}}), json!({"key": {}})),
        (json!({"contact": {"phone": "1", "pin": "2"}}), json!({"contact": {"phone": "1", "pin": "2"}})),
    ] {
        let answer = ask("POST /teams").body("application/json", sent.to_string()).of(&root).await;
        assert_eq!(answer.status, 200, "{sent}: {}", answer.text());
        assert_eq!(club.received.lock().unwrap().take(), received);
    }
    for (sent, param) in [
        (json!({"lead": {"name": "Ada"}}), "lead.pw"),
        (json!({"members": [member, {"id": "forged", "name": "Ada"}]}), "members[1].pw"),
        (json!({"by_name": {"a": {"name": "Ada"}}}), "by_name.a.pw"),
        (json!({"admin": {"since": "2024-01-01"}}), "admin.token"),
        (json!({"account": {"kind": "person"}}), "account.secret"),
        (json!({"untagged": {"number": 7, "label": "a"}}), "untagged.number"),
        (json!({"tree": {"seed": "a", "children": [{"id": 1}]}}), "tree.children[0].seed"),
        // What is forged does not count as a property.
        (json!({"note": {"id": "forged"}}), "note"),
        // A value that is kept as text cannot lose a part of it.
        (json!({"contact": {"mail": "a", "verified": true}}), "contact"),
    ] {
        let answer = ask("POST /teams").body("application/json", sent.to_string()).of(&root).await;
        assert_eq!(answer.rejection(), (422, param.to_owned()), "{sent}");
    }
}

/// The handler answers what it has stored, secrets included.
#[tokio::test]
async fn no_response_has_a_secret_wherever_it_stands() {
    let (club, root) = club().await;
    let stored = json!({"id": "m1", "name": "Ada", "pw": "difference"});
    let shown = json!({"id": "m1", "name": "Ada"});
    let answered = async |answer: &Value| {
        *club.answer.lock().unwrap() = answer.to_string();
        ask("POST /teams").body("application/json", "{}").of(&root).await
    };
    for (answer, sent) in [
        (json!({"lead": stored}), json!({"lead": shown})),
        (json!({"members": [stored]}), json!({"members": [shown]})),
        (json!({"by_name": {"a": stored}}), json!({"by_name": {"a": shown}})),
        (json!({"admin": {"token": "t", "since": "2024-01-01"}}), json!({"admin": {"since": "2024-01-01"}})),
        (json!({"account": {"kind": "person", "secret": "s"}}), json!({"account": {"kind": "person"}})),
        (json!({"account": {"kind": "robot", "serial": "s"}}), json!({"account": {"kind": "robot", "serial": "s"}})),
        (json!({"untagged": {"number": 7}}), json!({"untagged": {"number": 7}})),
        (
            json!({"tree": {"id": 1, "seed": "a", "children": [{"id": 2, "seed": "b"}]}}),
            json!({"tree": {"id": 1, "children": [{"id": 2}]}}),
        ),
        (json!({"note": {"id": "n", "draft": "d", "colour": "red"}}), json!({"note": {"id": "n", "colour": "red"}})),
        (json!({"contact": {"mail": "a", "verified": true}}), json!({"contact": {"mail": "a", "verified": true}})),
    ] {
        let answer = answered(&answer).await;
        assert_eq!((answer.status, answer.json()), (200, sent));
    }
    // A response without what the server must set, and a text that would carry a secret, are not sent.
    for answer in [
        json!({"lead": {"name": "Ada", "pw": "difference"}}),
        json!({"account": {"kind": "robot"}}),
        json!({"contact": {"phone": "1", "pin": "2"}}),
        json!({"key": {"alias": "a"}}),
    ] {
        let answered = answered(&answer).await;
        assert_eq!(answered.status, 500, "{answer}");
        assert!(!answered.text().contains("difference"), "{}", answered.text());
    }
}
