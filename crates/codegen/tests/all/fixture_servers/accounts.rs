//! Security of every kind, several base addresses, forms, and a document's own shape of rejections, of `accounts`.

use std::sync::Arc;

use axum::Router;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde_json::json;
use trainyard_runtime::http::{self, ApiError, Authenticate, Credentials, Download, Response, Secret};

use crate::fixture_servers::{Answered, ask, serve};
use crate::fixtures::accounts::server::default::*;
use crate::fixtures::accounts::server::sessions_v2::*;
use crate::fixtures::accounts::server::tag_3rd_party::*;
use crate::fixtures::accounts::server::{self, default, sessions_v2, tag_3rd_party, type_};
use crate::fixtures::accounts::types;
use server::type_::*;
use server::user_accounts;
use server::user_accounts::*;

struct People;

impl Authenticate for People {
    /// Presented credentials, with the scopes that are asked for.
    type Caller = String;

    async fn authenticate(&self, credentials: &Credentials<'_>, _: &HeaderMap) -> Result<String, ApiError> {
        let mut words = Vec::new();
        for presented in &credentials.presented {
            let secret = match &presented.secret {
                Secret::Bearer("bad") => return Err(ApiError::unauthorized("that token is over")),
                Secret::Bearer(token) => format!("bearer {token}"),
                Secret::Basic { user, password } => format!("{user}/{password}"),
                Secret::Key(key) => format!("key {key}"),
                Secret::Other(rest) => format!("other {rest}"),
            };
            words.push(format!("{}: {secret} {:?}", presented.requirement.scheme, presented.requirement.scopes));
        }
        Ok(words.join("; "))
    }
}

fn told(error: String) -> types::Error {
    types::Error { error, option: None, result: None }
}

/// The status with which the caller is told.
const TOLD: u16 = 299;

impl tag_3rd_party::Tag3rdParty for People {
    async fn subscribe(&self, _: String, input: SubscribeInput) -> Result<SubscribeOutput, ApiError> {
        Ok(input.body.into())
    }
}

impl default::DefaultApi for People {
    async fn get_well_known_openid_configuration(
        &self,
        _: GetWellKnownOpenidConfigurationInput,
    ) -> Result<GetWellKnownOpenidConfigurationOutput, ApiError> {
        let map = json!({"issuer": "here"}).as_object().cloned().unwrap_or_default();
        Ok(GetWellKnownOpenidConfigurationOutput::Ok(map))
    }

    async fn get_users_id_avatar(
        &self,
        caller: String,
        input: GetUsersIdAvatarInput,
    ) -> Result<GetUsersIdAvatarOutput, ApiError> {
        if input.id == "moved" {
            let headers = GetUsersIdAvatarMovedPermanentlyHeaders { location: Some("/elsewhere".to_owned()) };
            return Ok(GetUsersIdAvatarOutput::MovedPermanently { headers });
        }
        Ok(GetUsersIdAvatarOutput::Ok(Download::bytes(caller.into_bytes())))
    }
}

impl sessions_v2::SessionsV2 for People {
    async fn sessions_delete(&self, caller: String, _: SessionsDeleteInput) -> Result<SessionsDeleteOutput, ApiError> {
        Ok(SessionsDeleteOutput::Default { status: TOLD, body: told(caller) })
    }

    async fn sessions_create(
        &self,
        caller: String,
        input: SessionsCreateInput,
    ) -> Result<SessionsCreateOutput, ApiError> {
        let form = input.body;
        let access_token = format!("{caller} {} {} {:?}", form.grant_type.as_str(), form.scope, form.refresh_token);
        let token_type = types::SessionsCreateResponseTokenType::Bearer;
        let headers = SessionsCreateOkHeaders { set_cookie: Some("session=1; HttpOnly".to_owned()) };
        let body = types::SessionsCreateResponse { access_token, expires_in: None, token_type };
        Ok(SessionsCreateOutput::Ok { headers, body })
    }
}

impl type_::Type for People {
    async fn type_(&self, caller: String, _: TypeInput) -> Result<TypeOutput, ApiError> {
        Ok(TypeOutput::Ok(json!(caller)))
    }
}

impl user_accounts::UserAccounts for People {
    async fn list_users(&self, caller: String, _: ListUsersInput) -> Result<ListUsersOutput, ApiError> {
        Ok(ListUsersOutput::Default { status: TOLD, body: told(caller) })
    }

    #[expect(deprecated, reason = "the nickname is answered as it was given")]
    async fn create_user(&self, input: CreateUserInput) -> Result<CreateUserOutput, ApiError> {
        let types::UserRequest { name, nickname, roles, .. } = input.body;
        Ok(types::UserResponse { id: "u1".to_owned(), name, nickname, roles }.into())
    }

    async fn delete_users_id(&self, caller: String, _: DeleteUsersIdInput) -> Result<DeleteUsersIdOutput, ApiError> {
        Ok(DeleteUsersIdOutput::Default { status: TOLD, body: told(caller) })
    }

    async fn get_user(&self, caller: Option<String>, _: GetUserInput) -> Result<GetUserOutput, ApiError> {
        Ok(GetUserOutput::Default { status: TOLD, body: told(caller.unwrap_or_else(|| "nobody".to_owned())) })
    }

    async fn put_user(&self, caller: String, _: PutUserInput) -> Result<PutUserOutput, ApiError> {
        Ok(PutUserOutput::Default { status: TOLD, body: told(caller) })
    }
}

/// Each base address beneath a path of its own.
fn routes() -> Router {
    let api = Arc::new(People);
    server::router(api.clone())
        .nest("/people", server::users_example_com_router(api.clone()))
        .nest("/admin/v1", server::shard_admin_example_com_version_router(api))
}

#[tokio::test]
async fn each_way_to_authenticate_reaches_the_implementer() {
    let root = serve(routes()).await;
    let user = r#"{"name": "Ada"}"#;
    for (line, headers, expected) in [
        ("GET /users", vec![("authorization", "Bearer t")], "bearer: bearer t []"),
        ("GET /users", vec![("x-api-key", "k")], "key_in_header: key k []"),
        ("GET /users", vec![("authorization", "basic dTpwOnE=")], "basic: u/p:q []"),
        ("GET /people/users/1", vec![], "nobody"),
        ("GET /people/users/1", vec![("authorization", "Bearer t")], "bearer: bearer t []"),
        (
            "PUT /people/users/1",
            vec![("authorization", "Bearer t")],
            r#"oauth: bearer t ["users.write", "users.read"]"#,
        ),
        (
            "PUT /people/users/1?api_key=q%20",
            vec![("x-api-key", "k")],
            "key_in_header: key k []; key_in_query: key q  []",
        ),
        ("DELETE /admin/v1/users/1", vec![("authorization", "Bearer t")], r#"openid: bearer t ["admin"]"#),
        ("DELETE /sessions", vec![("authorization", "Bearer t")], "bearer: bearer t []"),
    ] {
        let mut request = ask(line);
        request.headers = headers;
        if line.starts_with("PUT") {
            request = request.body("application/json", user);
        }
        let answer = request.of(&root).await;
        assert_eq!((answer.status, answer.json()["error"].as_str()), (TOLD, Some(expected)), "{line}: {answer:?}");
    }
    let answer = ask("GET /users/1/avatar").header("cookie", "a=b; session=s").of(&root).await;
    assert_eq!((answer.header("content-type"), answer.text()), (Some("image/png"), "key_in_cookie: key s []"));
    let answer = ask("GET /users/moved/avatar").header("cookie", "session=s").of(&root).await;
    assert_eq!((answer.status, answer.header("location")), (301, Some("/elsewhere")));
    assert_eq!(ask("GET /.well-known/openid-configuration").of(&root).await.json(), json!({"issuer": "here"}));
}

#[tokio::test]
async fn requests_without_valid_credentials_are_401_with_a_challenge() {
    let root = serve(routes()).await;
    for (line, headers, challenge) in [
        ("GET /users", vec![], "Bearer"),
        ("GET /users", vec![("authorization", "Bearer bad")], "Bearer"),
        ("GET /people/users/1", vec![("authorization", "Bearer bad")], "Bearer"),
        // One of two that belong together.
        ("PUT /people/users/1", vec![("x-api-key", "k")], "Bearer"),
        ("GET /users/1/avatar", vec![("authorization", "Bearer t")], "ApiKey"),
        ("GET /type", vec![], "Bearer"),
    ] {
        let mut request = ask(line);
        request.headers = headers;
        let answer = request.of(&root).await;
        assert_eq!(answer.rejection(), (401, String::new()), "{line}");
        assert_eq!(answer.header("www-authenticate"), Some(challenge), "{line}");
    }
    // Operations of another base address are not at this one.
    assert_eq!(ask("DELETE /people/users/1").of(&root).await.rejection(), (405, String::new()));
    assert_eq!(ask("PUT /users/1").of(&root).await.rejection(), (404, String::new()));
}

#[tokio::test]
async fn a_form_is_read_as_its_schema_says() {
    let root = serve(routes()).await;
    let post = |form: &str| {
        ask("POST /sessions").header("authorization", "Basic dTpw").body("application/x-www-form-urlencoded", form)
    };
    let answer = post("grant_type=refresh_token&refresh_token=a%26b+c&unknown=1").of(&root).await;
    assert_eq!((answer.status, answer.header("set-cookie")), (200, Some("session=1; HttpOnly")));
    assert_eq!(answer.json()["access_token"], r#"basic: u/p [] refresh_token users.read Some("a&b c")"#);
    for (form, rejection) in [
        ("", (422, "grant_type")),
        ("grant_type=magic", (422, "grant_type")),
        ("grant_type=password&grant_type=password", (422, "grant_type")),
        ("grant_type=password&scope=%zz", (400, "")),
    ] {
        let (status, param) = post(form).of(&root).await.rejection();
        assert_eq!((status, &*param), rejection, "{form}");
    }
}

#[tokio::test]
async fn read_only_and_write_only_properties_have_one_direction() {
    let root = serve(routes()).await;
    let post = |body: &str| ask("POST /users").body("application/json", body);
    let answer = post(r#"{"name": "Ada", "password": "12345678"}"#).of(&root).await;
    assert_eq!((answer.status, &answer.json()["roles"]), (201, &json!(["member"])));
    for (body, rejection) in [
        (r#"{"name": ""}"#, (422, "name")),
        (r#"{"name": "Ada", "password": "short"}"#, (422, "password")),
        (r#"{"name": "Ada", "roles": ["owner", "king"]}"#, (422, "roles[1]")),
        (r#"{"name": "Ada", "name": "Eve"}"#, (422, "")),
    ] {
        let (status, param) = post(body).of(&root).await.rejection();
        assert_eq!((status, &*param), rejection, "{body}");
    }
}

/// The rejection that this document describes.
fn own(failure: &ApiError) -> Response {
    let body = serde_json::to_string(&told(failure.message().to_owned())).unwrap_or_default();
    (failure.status().code(), [("content-type", "application/json")], body).into_response()
}

#[tokio::test]
async fn rejections_take_the_shape_of_the_document() {
    let root = serve_rendered().await;
    for (line, status) in [("GET /users", 401), ("GET /nothing", 404), ("PATCH /users", 405), ("POST /users", 400)] {
        let answer = ask(line).of(&root).await;
        let body: types::Error = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!(answer.status, status, "{line}: {body:?}");
        assert!(!body.error.is_empty() && answer.json().as_object().unwrap().len() == 1, "{line}: {body:?}");
    }
    let answer = ask("GET /users").of(&root).await;
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
}

async fn serve_rendered() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let routes = http::map_error_responses(http::with_fallbacks(routes()), own);
    tokio::spawn(async move { axum::serve(listener, routes).await });
    format!("http://{address}")
}
