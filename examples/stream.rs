//! Asks a model one question and shows the answer while it is written.
//!
//! `TRAINYARD_API_KEY=… cargo run --example stream -- [MODEL] [QUESTION]`

use std::io::Write;

use trainyard::client::types::{ChatCompletionRequest, UserMessage};
use trainyard::client::{Client, ClientError, message};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ClientError> {
    let mut arguments = std::env::args().skip(1);
    let model = arguments.next().unwrap_or("trainyard/seedling".into());
    let question = arguments.next().unwrap_or("Say yes, no or maybe.".into());

    let client = Client::from_env()?;
    let request = ChatCompletionRequest::new(model, [message(UserMessage::new(question))?]);
    let mut chunks = client.stream_chat_completion(&request).await?;
    while let Some(chunk) = chunks.try_next().await? {
        for choice in chunk.choices {
            print!("{}", choice.delta.content.unwrap_or_default());
            let _ = std::io::stdout().flush();
        }
    }
    println!();
    Ok(())
}
