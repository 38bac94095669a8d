//! Teaches a model by examples, and asks it afterwards.
//!
//! `TRAINYARD_API_KEY=… cargo run --example sft -- DATA_URL QUESTION`, where `DATA_URL` is a JSONL file that the service
//! may read (`trainyard serve --allow-data`), a line of it `{"messages": [{"role": "user", …}, {"role": "assistant", …}]}`.

use trainyard::client::types::{
    ChatCompletionRequest, CreateSftTrainingJob, ModelCreate, SftTrainingConfig, UserMessage,
};
use trainyard::client::{Client, json, message};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [_, data, question] = &std::env::args().collect::<Vec<_>>()[..] else {
        return Err("usage: sft DATA_URL QUESTION".into());
    };

    let client = Client::from_env()?;
    let model = ModelCreate::new("examples", "sft", "trainyard/seedling").return_existing(true);
    let model = client.create_model(&model).await?;
    let config = SftTrainingConfig::new().learning_rate(5e-3);
    let job = client.create_sft_training_job(&CreateSftTrainingJob::new(&model.id, data).config(config)).await?;
    let mut events = client.watch_training_job(&job.id);
    while let Some(event) = events.try_next().await? {
        println!("{} {}", event.type_, event.data.get("loss/train").unwrap_or(&json!("")));
    }
    let request = ChatCompletionRequest::new(model.inference_name(), [message(UserMessage::new(question.as_str()))?]);
    let completion = client.create_chat_completion(&request.temperature(0.0)).await?;
    println!("{question}  →  {}\nthe model is {}", completion.text(), model.inference_name());
    Ok(())
}
