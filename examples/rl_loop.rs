//! Reinforcement learning: sample answers, score them, train on the scores, and again.
//!
//! `TRAINYARD_API_KEY=… cargo run --example rl_loop -- [ROUNDS]`

use trainyard::client::{Client, ClientError, from_json, json};

const QUESTION: &str = "Say something short.";

/// What an answer is worth: the shorter, the better.
fn reward(answer: &str) -> f64 {
    1.0 / (1.0 + answer.len() as f64)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ClientError> {
    let rounds = std::env::args().nth(1).map_or(3, |rounds| rounds.parse().expect("a number of rounds"));
    let client = Client::from_env()?;
    let model =
        json!({"project": "examples", "name": "rl", "base_model": "trainyard/seedling", "return_existing": true});
    let model = client.create_model(&from_json(model)?).await?;
    let name = format!("wandb-artifact:///{}/{}/{}", model.entity, model.project, model.name);
    let user = json!({"role": "user", "content": QUESTION});

    for round in 1..=rounds {
        let request = json!({"model": name, "messages": [user], "n": 16, "max_tokens": 16});
        let completion = client.create_chat_completion(None, None, &from_json(request)?).await?;
        let (mut trajectories, mut total) = (Vec::new(), 0.0);
        for choice in &completion.choices {
            let reward = reward(choice.message.content.as_deref().unwrap_or_default());
            // The choice goes back as it came: training works from its logprobs.
            trajectories.push(json!({"messages_and_choices": [user, choice], "reward": reward}));
            total += reward;
        }
        println!("round {round}: mean reward {:.3}", total / completion.choices.len() as f64);

        let job = json!({"model_id": model.id, "trajectory_groups": [{"trajectories": trajectories}]});
        let job = client.create_training_job(&from_json(job)?).await?;
        client.watch_training_job(&job.id).try_collect().await?;
    }
    Ok(())
}
