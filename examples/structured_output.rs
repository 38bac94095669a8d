//! Asks a model for an answer with the fields of a Rust type.
//!
//! `TRAINYARD_API_KEY=… cargo run --example structured_output -- [MODEL] [QUESTION]`

use std::error::Error;

use schemars::JsonSchema;
use serde::Deserialize;
use trainyard::client::types::{ChatCompletionRequest, NamedJsonSchema, ResponseFormatJsonSchema, UserMessage};
use trainyard::client::{Client, json_schema_of, message};

#[derive(Debug, Deserialize, JsonSchema)]
// Otherwise the schema allows more fields, and an answer could go on with them until its limit of tokens.
#[serde(deny_unknown_fields)]
struct Answer {
    decision: Decision,
    /// Probability that the decision is right, in percent.
    #[schemars(range(max = 100))]
    confidence: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Decision {
    Yes,
    No,
    Maybe,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let model = arguments.next().unwrap_or("trainyard/seedling".into());
    let question = arguments.next().unwrap_or("Is this a question?".into());

    let client = Client::from_env()?;
    let format = ResponseFormatJsonSchema::new(NamedJsonSchema::new("answer", json_schema_of::<Answer>()?));
    let request = ChatCompletionRequest::new(model, [message(UserMessage::new(question))?]).response_format(format);
    let completion = client.create_chat_completion(&request).await?;
    let answer: Answer = serde_json::from_str(completion.text())?;
    println!("{:?}, {} %", answer.decision, answer.confidence);
    Ok(())
}
