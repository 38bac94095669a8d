//! Teaches a model by examples, and asks it afterwards.
//!
//! `TRAINYARD_API_KEY=… cargo run --example sft -- DATA_URL QUESTION`, where `DATA_URL` is a JSONL file that the service
//! may read (`trainyard serve --allow-data`), a line of it `{"messages": [{"role": "user", …}, {"role": "assistant", …}]}`.

use trainyard::client::{Client, from_json, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [_, data, question] = &std::env::args().collect::<Vec<_>>()[..] else {
        return Err("usage: sft DATA_URL QUESTION".into());
    };

    let client = Client::from_env()?;
    let model =
        json!({"project": "examples", "name": "sft", "base_model": "trainyard/seedling", "return_existing": true});
    let model = client.create_model(&from_json(model)?).await?;
    let job = json!({"model_id": model.id, "training_data_url": data, "config": {"learning_rate": 5e-3}});
    let job = client.create_sft_training_job(&from_json(job)?).await?;
    let mut events = client.watch_training_job(&job.id);
    while let Some(event) = events.try_next().await? {
        println!("{} {}", event.type_, event.data.get("loss/train").unwrap_or(&json!("")));
    }
    let request =
        json!({"model": model.inference_name(), "messages": [{"role": "user", "content": question}], "temperature": 0});
    let completion = client.create_chat_completion(&from_json(request)?).await?;
    println!("{question}  →  {}\nthe model is {}", completion.text(), model.inference_name());
    Ok(())
}
