//! Servers that respond with the examples of their documents.

use std::sync::Arc;

use serde_json::json;
use trainyard_runtime::http::{ApiError, Authenticate, Credentials, HeaderMap, Operation, Router};

use crate::fixture_servers::{Answered, ask, serve};
use crate::fixtures::{accounts, library, markets, members, storage, telemetry};

/// A service without an operation of its own, whom everybody may call.
struct Anyone;

impl Authenticate for Anyone {
    type Caller = ();

    async fn authenticate(&self, _: &Credentials<'_>, _: &HeaderMap) -> Result<(), ApiError> {
        Ok(())
    }
}

type Server = (&'static str, &'static [Operation], Router);

macro_rules! servers {
    ($($fixture:ident)*) => {
        $(impl $fixture::examples::Examples for Anyone {})*

        fn servers() -> Vec<Server> {
            vec![$({
                let api = Arc::new($fixture::examples::WithExamples(Anyone));
                (stringify!($fixture), $fixture::server::OPERATIONS, $fixture::server::router(api))
            }),*]
        }
    };
}

servers!(accounts library markets members storage telemetry);

/// What needs no body is asked for: no example is rejected by its own type.
#[tokio::test]
async fn every_operation_responds_with_an_example() {
    let mut successes = 0;
    for (fixture, operations, routes) in servers() {
        let root = serve(routes).await;
        for operation in operations.iter().filter(|operation| operation.base.is_none()) {
            let path: String = operation
                .path
                .split('{')
                .enumerate()
                .map(|(index, part)| match part.split_once('}') {
                    Some((_, rest)) if index > 0 => format!("1{rest}"),
                    _ => part.to_owned(),
                })
                .collect();
            let line = format!("{} {path}", operation.method);
            let answer = ask(&line).header("authorization", "Bearer any").of(&root).await;
            assert!(answer.status < 500, "{fixture}: {line}: {answer:?}");
            successes += usize::from(answer.status < 300);
        }
    }
    assert!(successes > 10, "{successes} operations responded");
}

/// A service with one operation of its own.
struct Club;

impl members::examples::Examples for Club {
    async fn list_members(
        &self,
        _: members::server::default::ListMembersInput,
    ) -> Result<members::server::default::ListMembersOutput, ApiError> {
        Ok(members::types::MemberList { data: Vec::new() }.into())
    }
}

#[tokio::test]
async fn an_operation_of_the_service_replaces_its_example() {
    let root = serve(members::server::router(Arc::new(members::examples::WithExamples(Club)))).await;
    assert_eq!(ask("GET /members").of(&root).await.json(), json!({"data": []}));
    let created =
        ask("POST /members").body("application/json", r#"{"name": "Ada", "pw": "difference"}"#).of(&root).await;
    assert_eq!(created.json(), json!({"id": "text", "name": "text"}));
    assert_eq!(ask("POST /members").body("application/json", "{}").of(&root).await.rejection().0, 422);
}
