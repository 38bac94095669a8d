//! Asks a model one question.
//!
//! `TRAINYARD_API_KEY=… cargo run --example chat -- [MODEL] [QUESTION]`

use trainyard::client::types::{ChatCompletionRequest, UserMessage};
use trainyard::client::{Client, ClientError, message};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ClientError> {
    let mut arguments = std::env::args().skip(1);
    let model = arguments.next().unwrap_or("trainyard/seedling".into());
    let question = arguments.next().unwrap_or("Say yes, no or maybe.".into());

    let client = Client::from_env()?;
    let request = ChatCompletionRequest::new(model, [message(UserMessage::new(question))?]);
    let completion = client.create_chat_completion(&request).await?;
    println!("{}", completion.text());
    Ok(())
}
