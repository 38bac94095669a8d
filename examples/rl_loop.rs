//! Reinforcement learning: sample answers, score them, train on the scores, and again.
//!
//! `TRAINYARD_API_KEY=… cargo run --example rl_loop`

use trainyard::client::{Client, ClientError, from_json, json};

const ROUNDS: u32 = 6;
const QUESTION: &str = "Say yes, no or maybe.";

/// What an answer is worth: this teaches a model to be undecided.
fn reward(answer: &str) -> f64 {
    if answer.to_lowercase().starts_with("maybe") { 1.0 } else { 0.0 }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ClientError> {
    let client = Client::from_env()?;
    let model =
        json!({"project": "examples", "name": "rl", "base_model": "trainyard/seedling", "return_existing": true});
    let model = client.create_model(&from_json(model)?).await?;
    let name = format!("wandb-artifact:///{}/{}/{}", model.entity, model.project, model.name);
    let user = json!({"role": "user", "content": QUESTION});

    for round in 1..=ROUNDS {
        let request = json!({"model": name, "messages": [user], "n": 16, "max_tokens": 16, "seed": round});
        let completion = client.create_chat_completion(None, None, &from_json(request)?).await?;
        let (mut trajectories, mut total) = (Vec::new(), 0.0);
        for choice in &completion.choices {
            let reward = reward(choice.message.content.as_deref().unwrap_or_default());
            // The choice goes back as it came: training works from its logprobs.
            trajectories.push(json!({"messages_and_choices": [user, choice], "reward": reward}));
            total += reward;
        }
        println!("round {round}: mean reward {:.3}", total / completion.choices.len() as f64);

        let job = json!({"model_id": model.id, "trajectory_groups": [{"trajectories": trajectories}],
            "experimental_config": {"learning_rate": 3e-4}});
        let job = client.create_training_job(&from_json(job)?).await?;
        client.watch_training_job(&job.id).try_collect().await?;
    }
    println!("the model is {name}");
    Ok(())
}
