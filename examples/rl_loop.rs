//! Reinforcement learning: sample answers, score them, train on the scores, and again.
//!
//! `TRAINYARD_API_KEY=… cargo run --example rl_loop`

use trainyard::client::types::{
    ChatCompletionRequest, Choice, CreateTrainingJob, ExperimentalTrainingConfig, ModelCreate, UserMessage,
};
use trainyard::client::{Client, ClientError, from_json, json, message};

/// Reward of an answer: this teaches a model to be undecided.
fn reward(choice: &Choice) -> f64 {
    if choice.text().to_lowercase().starts_with("maybe") { 1.0 } else { 0.0 }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ClientError> {
    let client = Client::from_env()?;
    let model = ModelCreate::new("examples", "rl", "trainyard/seedling").return_existing(true);
    let model = client.create_model(&model).await?;
    let question = message(UserMessage::new("Say yes, no or maybe."))?;
    for round in 1..=6 {
        let request = ChatCompletionRequest::new(model.inference_name(), [question.clone()]).n(16).seed(round);
        let choices = client.create_chat_completion(&request).await?.into_inner().choices;
        println!("round {round}: mean reward {:.3}", choices.iter().map(reward).sum::<f64>() / 16.0);
        // A choice goes back as it came: training works from its logprobs.
        let trajectory = |choice| json!({"messages_and_choices": [question, choice], "reward": reward(choice)});
        let group = json!({"trajectories": choices.iter().map(trajectory).collect::<Vec<_>>()});
        let config = ExperimentalTrainingConfig::new().learning_rate(3e-4);
        let job = CreateTrainingJob::new(&model.id).trajectory_groups([from_json(group)?]).experimental_config(config);
        let job = client.create_training_job(&job).await?;
        client.watch_training_job(&job.id).try_collect().await?;
    }
    println!("the model is {}", model.inference_name());
    Ok(())
}
