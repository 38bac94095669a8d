//! Teaches a model by examples, and asks it afterwards.
//!
//! `TRAINYARD_API_KEY=… cargo run --example sft -- DATA_URL [QUESTION]`, where `DATA_URL` is a JSONL file that the service
//! may read (`trainyard serve --allow-data`), a line of it `{"messages": [{"role": "user", …}, {"role": "assistant", …}]}`.

use trainyard::client::{Client, from_json, json, types::TrainingJobEventType};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let data = arguments.next().ok_or("usage: sft DATA_URL [QUESTION]")?;
    let question = arguments.next().unwrap_or("what is the code word?".into());

    let client = Client::from_env()?;
    let model =
        json!({"project": "examples", "name": "sft", "base_model": "trainyard/seedling", "return_existing": true});
    let model = client.create_model(&from_json(model)?).await?;
    let job = json!({"model_id": model.id, "training_data_url": data, "config": {"learning_rate": 5e-3}});
    let job = client.create_sft_training_job(&from_json(job)?).await?;

    let mut events = client.watch_training_job(&job.id);
    while let Some(event) = events.try_next().await? {
        match event.type_ {
            TrainingJobEventType::GradientStep => println!("loss {}", event.data["loss/train"]),
            TrainingJobEventType::TrainingFailed => println!("failed: {}", event.data["error_message"]),
            _ => {}
        }
    }

    let name = format!("wandb-artifact:///{}/{}/{}", model.entity, model.project, model.name);
    let request = json!({"model": name, "messages": [{"role": "user", "content": question}], "temperature": 0});
    let completion = client.create_chat_completion(None, None, &from_json(request)?).await?;
    println!("{question}  →  {}", completion.choices[0].message.content.as_deref().unwrap_or_default());
    println!("the model is {name}");
    Ok(())
}
