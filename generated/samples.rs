// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(clippy::all, missing_docs, unreachable_pub, unused)]

pub async fn detokenize() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::DetokenizeRequest::new([568, 12])
        .model("wandb-artifact:///default/demo/agent");
    let response = client.detokenize(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn log_wandb_run() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, from_json, json};

    let client = Client::from_env()?;
    let body = from_json(json!({"files": {}}))?;
    let response = client.log_wandb_run("default", "demo", "agent", &body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn query_wandb() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::WandbQuery::new("query GetDefaultEntity { viewer { id entity } }");
    let response = client.query_wandb(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn health() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.health().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_metrics() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::env::var("TRAINYARD_BASE_URL")?;
    let request = reqwest::Client::new().get(format!("{root}/metrics"));
    let text = request.send().await?.error_for_status()?.text().await?;
    println!("{text}");
    Ok(())
}

pub async fn list_inference_models() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_inference_models().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn tokenize() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::TokenizeRequest::new()
        .model("wandb-artifact:///default/demo/agent")
        .prompt("yes, no or")
        .return_token_strs(true);
    let response = client.tokenize(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_tokenizer_info() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.get_tokenizer_info().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_batches() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_batches().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_batch() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, from_json, json, types};

    let client = Client::from_env()?;
    let body = types::CreateBatch::new(
            "file-01a1f9c6218a7d10aa553b1f60a2c9e4",
            types::BatchEndpoint::V1ChatCompletions,
        )
        .metadata(from_json(json!({"run": "nightly"}))?);
    let response = client.create_batch(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_batch() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.get_batch("batch_01a1f9ca33b07e108c553b1f60a2c9e4").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn cancel_batch() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.cancel_batch("batch_01a1f9ca33b07e108c553b1f60a2c9e4").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_chat_completions() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_chat_completions().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_chat_completion() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, from_json, types};

    let client = Client::from_env()?;
    let body = types::ChatCompletionRequest::new(
            "trainyard/seedling",
            [from_json(types::UserMessage::new("Hello!"))?],
        )
        .max_tokens(16)
        .temperature(0.0);
    let response = client.create_chat_completion(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn delete_chat_completion() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .delete_chat_completion("chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_chat_completion() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .get_chat_completion("chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn update_chat_completion() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, from_json, json, types};

    let client = Client::from_env()?;
    let body = types::UpdateChatCompletion::new(Some(from_json(json!({"team": "support"}))?));
    let response = client
        .update_chat_completion("chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8", &body)
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_chat_completion_messages() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_chat_completion_messages("chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_completion() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::CompletionRequest::new("trainyard/seedling", "yes, no or")
        .max_tokens(4)
        .temperature(0.0);
    let response = client.create_completion(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_files() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_files().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_file() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let response = client
        .create_file(
            types::FilePurpose::FineTune,
            "train.jsonl",
            std::fs::read("train.jsonl")?,
        )
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn delete_file() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.delete_file("file-01a1f9c6218a7d10aa553b1f60a2c9e4").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_file() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.get_file("file-01a1f9c6218a7d10aa553b1f60a2c9e4").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_file_content() -> Result<(), Box<dyn std::error::Error>> {
    use std::io::Write as _;

    use trainyard::client::Client;

    let client = Client::from_env()?;
    let mut response = client
        .get_file_content("file-01a1f9c6218a7d10aa553b1f60a2c9e4")
        .await?;
    let mut file = std::fs::File::create("content")?;
    while let Some(chunk) = response.chunk().await? {
        file.write_all(&chunk)?;
    }
    Ok(())
}

pub async fn list_fine_tuning_jobs() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_fine_tuning_jobs().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_fine_tuning_job() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::CreateFineTuningJob::new(
        "trainyard/seedling",
        "file-01a1f9c6218a7d10aa553b1f60a2c9e4",
    );
    let response = client.create_fine_tuning_job(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_fine_tuning_job() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .get_fine_tuning_job("ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn cancel_fine_tuning_job() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .cancel_fine_tuning_job("ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_fine_tuning_job_checkpoints() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_fine_tuning_job_checkpoints("ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_fine_tuning_job_events() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_fine_tuning_job_events("ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn check_key() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.check_key().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_message() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::MessageRequest::new(
            "trainyard/seedling",
            [types::MessageParam::new(types::MessageParamRole::User, "Hello!")],
        )
        .max_tokens(16)
        .temperature(0.0);
    let response = client.create_message(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_message_batches() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_message_batches().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_message_batch() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, from_json, json, types};

    let client = Client::from_env()?;
    let body = types::CreateMessageBatch::new([
        types::MessageBatchRequest::new("first", from_json(json!({
            "model": "trainyard/seedling",
            "max_tokens": 16,
            "messages": [{"role": "user", "content": "Hello!"}]
        }))?),
    ]);
    let response = client.create_message_batch(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn delete_message_batch() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .delete_message_batch("msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_message_batch() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .get_message_batch("msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn cancel_message_batch() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .cancel_message_batch("msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_message_batch_results() -> Result<(), Box<dyn std::error::Error>> {
    use std::io::Write as _;

    use trainyard::client::Client;

    let client = Client::from_env()?;
    let mut response = client
        .get_message_batch_results("msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4")
        .await?;
    let mut file = std::fs::File::create("results")?;
    while let Some(chunk) = response.chunk().await? {
        file.write_all(&chunk)?;
    }
    Ok(())
}

pub async fn count_message_tokens() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::MessageRequest::new(
            "trainyard/seedling",
            [types::MessageParam::new(types::MessageParamRole::User, "Hello!")],
        )
        .max_tokens(16)
        .temperature(0.0);
    let response = client.count_message_tokens(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_served_models() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_served_models().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_served_model() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.get_served_model("default/demo/agent:step2").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_keys() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_keys().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_key() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::CreateKey::new("my-team")
        .name("laptop")
        .limits(types::KeyLimits::new().requests_per_minute(600));
    let response = client.create_key(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn set_key_limits() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::KeyLimits::new().requests_per_minute(600).queued_jobs(10);
    let response = client
        .set_key_limits("01a1f9c2-0d12-7a31-9a8b-5f0c2f6f1d27", &body)
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn revoke_key() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.revoke_key("01a1f9c2-0d12-7a31-9a8b-5f0c2f6f1d27").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_all_training_jobs() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_all_training_jobs().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_workers() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_workers().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_base_models() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_base_models().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_key() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.get_key().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_models() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_models().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_model() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::ModelCreate::new("demo", "agent", "trainyard/seedling")
        .return_existing(true);
    let response = client.create_model(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn delete_model() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.delete_model("01a1f9c3-5630-77c3-a5f2-daaf4564b88a").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_model() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.get_model("01a1f9c3-5630-77c3-a5f2-daaf4564b88a").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn add_checkpoint() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, from_json, json};

    let client = Client::from_env()?;
    let body = from_json(json!({
        "type": "copy",
        "model_id": "01a1f9c3-5630-77c3-a5f2-daaf4564b88a",
        "step": 2
    }))?;
    let response = client
        .add_checkpoint("01a1f9c3-5630-77c3-a5f2-daaf4564b88a", &body)
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn delete_checkpoints() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::DeleteCheckpointsRequest::new([0, 1]);
    let response = client
        .delete_checkpoints("01a1f9c3-5630-77c3-a5f2-daaf4564b88a", &body)
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_checkpoints() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_checkpoints("01a1f9c3-5630-77c3-a5f2-daaf4564b88a")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_checkpoint() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .get_checkpoint("01a1f9c3-5630-77c3-a5f2-daaf4564b88a", 2)
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_checkpoint_archive() -> Result<(), Box<dyn std::error::Error>> {
    use std::io::Write as _;

    use trainyard::client::Client;

    let client = Client::from_env()?;
    let mut response = client
        .get_checkpoint_archive("01a1f9c3-5630-77c3-a5f2-daaf4564b88a", 2)
        .await?;
    let mut file = std::fs::File::create("archive")?;
    while let Some(chunk) = response.chunk().await? {
        file.write_all(&chunk)?;
    }
    Ok(())
}

pub async fn get_checkpoint_export() -> Result<(), Box<dyn std::error::Error>> {
    use std::io::Write as _;

    use trainyard::client::Client;

    let client = Client::from_env()?;
    let mut response = client
        .get_checkpoint_export("01a1f9c3-5630-77c3-a5f2-daaf4564b88a", 2)
        .await?;
    let mut file = std::fs::File::create("export")?;
    while let Some(chunk) = response.chunk().await? {
        file.write_all(&chunk)?;
    }
    Ok(())
}

pub async fn get_checkpoint_file() -> Result<(), Box<dyn std::error::Error>> {
    use std::io::Write as _;

    use trainyard::client::Client;

    let client = Client::from_env()?;
    let mut response = client
        .get_checkpoint_file(
            "01a1f9c3-5630-77c3-a5f2-daaf4564b88a",
            2,
            "adapter_model.safetensors",
        )
        .await?;
    let mut file = std::fs::File::create("adapter_model.safetensors")?;
    while let Some(chunk) = response.chunk().await? {
        file.write_all(&chunk)?;
    }
    Ok(())
}

pub async fn get_checkpoint_manifest() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .get_checkpoint_manifest("01a1f9c3-5630-77c3-a5f2-daaf4564b88a", 2)
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_trajectory_logs() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_trajectory_logs("01a1f9c3-5630-77c3-a5f2-daaf4564b88a")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn log_trajectories() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, from_json, json, types};

    let client = Client::from_env()?;
    let body = types::LogRequest::new(
        "val",
        [
            types::TrajectoryGroup::new()
                .trajectories([
                    types::Trajectory::new()
                        .messages_and_choices([
                            from_json(json!({"role": "user", "content": "yes, no or maybe?"}))?,
                            from_json(json!({
                                "index": 0,
                                "finish_reason": "stop",
                                "message": {"role": "assistant", "content": "maybe", "refusal": null},
                                "logprobs": {
                                    "content": [
                                        {
                                            "token": "token_id:969",
                                            "bytes": [109, 97, 121, 98, 101],
                                            "logprob": -1.6348193883895874,
                                            "top_logprobs": []
                                        },
                                        {
                                            "token": "token_id:2",
                                            "bytes": [],
                                            "logprob": -0.00008487341256113723,
                                            "top_logprobs": []
                                        }
                                    ],
                                    "refusal": null
                                }
                            }))?,
                        ])
                        .reward(1.0)
                        .metrics(from_json(json!({"correct": true}))?),
                    types::Trajectory::new()
                        .messages_and_choices([
                            from_json(json!({"role": "user", "content": "yes, no or maybe?"}))?,
                            from_json(json!({
                                "index": 1,
                                "finish_reason": "stop",
                                "message": {"role": "assistant", "content": "yes", "refusal": null},
                                "logprobs": {
                                    "content": [
                                        {
                                            "token": "token_id:568",
                                            "bytes": [121, 101, 115],
                                            "logprob": -1.7791446447372437,
                                            "top_logprobs": []
                                        },
                                        {
                                            "token": "token_id:2",
                                            "bytes": [],
                                            "logprob": -0.00003349725011503324,
                                            "top_logprobs": []
                                        }
                                    ],
                                    "refusal": null
                                }
                            }))?,
                        ])
                        .reward(0.0)
                        .metrics(from_json(json!({"correct": false}))?),
                ])
                .exceptions([])
                .metadata(from_json(json!({"scenario_id": "s-1"}))?),
        ],
    );
    let response = client
        .log_trajectories("01a1f9c3-5630-77c3-a5f2-daaf4564b88a", &body)
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_trajectory_log_groups() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_trajectory_log_groups(
            "01a1f9c3-5630-77c3-a5f2-daaf4564b88a",
            "01a1f9c8-0d12-7a31-9a8b-5f0c2f6f1d27",
        )
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_trajectory_log_trajectories() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_trajectory_log_trajectories(
            "01a1f9c3-5630-77c3-a5f2-daaf4564b88a",
            "01a1f9c8-0d12-7a31-9a8b-5f0c2f6f1d27",
            "0",
        )
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_manifests() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_manifests("01a1f9c3-5630-77c3-a5f2-daaf4564b88a").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_model_metrics() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .get_model_metrics("01a1f9c3-5630-77c3-a5f2-daaf4564b88a")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_server() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.get_server().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_sessions() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_sessions().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_session() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, from_json, json, types};

    let client = Client::from_env()?;
    let body = types::CreateRecordedSession::new("default/demo/agent")
        .name("attempt 3")
        .group("capitals")
        .tags(["nightly".to_owned()])
        .metadata(from_json(json!({"task": "paris"}))?);
    let response = client.create_session(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn delete_session() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.delete_session("01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_session() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.get_session("01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn reward_session() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, from_json, json, types};

    let client = Client::from_env()?;
    let body = types::RewardSession::new(1.0).metrics(from_json(json!({"turns": 2}))?);
    let response = client
        .reward_session("01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811", &body)
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_sft_training_job() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::CreateSftTrainingJob::new(
        "01a1f9c3-5630-77c3-a5f2-daaf4564b88a",
        "https://data.example.com/support/train.jsonl",
    );
    let response = client.create_sft_training_job(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_training_jobs() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.list_training_jobs().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_training_job() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, from_json, json, types};

    let client = Client::from_env()?;
    let body = types::CreateTrainingJob::new("01a1f9c3-5630-77c3-a5f2-daaf4564b88a")
        .trajectory_groups([
            types::TrajectoryGroup::new()
                .trajectories([
                    types::Trajectory::new()
                        .messages_and_choices([
                            from_json(json!({"role": "user", "content": "yes, no or maybe?"}))?,
                            from_json(json!({
                                "index": 0,
                                "finish_reason": "stop",
                                "message": {"role": "assistant", "content": "maybe", "refusal": null},
                                "logprobs": {
                                    "content": [
                                        {
                                            "token": "token_id:969",
                                            "bytes": [109, 97, 121, 98, 101],
                                            "logprob": -1.6348193883895874,
                                            "top_logprobs": []
                                        },
                                        {
                                            "token": "token_id:2",
                                            "bytes": [],
                                            "logprob": -0.00008487341256113723,
                                            "top_logprobs": []
                                        }
                                    ],
                                    "refusal": null
                                }
                            }))?,
                        ])
                        .reward(1.0)
                        .metrics(from_json(json!({"correct": true}))?),
                    types::Trajectory::new()
                        .messages_and_choices([
                            from_json(json!({"role": "user", "content": "yes, no or maybe?"}))?,
                            from_json(json!({
                                "index": 1,
                                "finish_reason": "stop",
                                "message": {"role": "assistant", "content": "yes", "refusal": null},
                                "logprobs": {
                                    "content": [
                                        {
                                            "token": "token_id:568",
                                            "bytes": [121, 101, 115],
                                            "logprob": -1.7791446447372437,
                                            "top_logprobs": []
                                        },
                                        {
                                            "token": "token_id:2",
                                            "bytes": [],
                                            "logprob": -0.00003349725011503324,
                                            "top_logprobs": []
                                        }
                                    ],
                                    "refusal": null
                                }
                            }))?,
                        ])
                        .reward(0.0)
                        .metrics(from_json(json!({"correct": false}))?),
                ])
                .exceptions([])
                .metadata(from_json(json!({"scenario_id": "s-1"}))?),
        ])
        .experimental_config(
            types::ExperimentalTrainingConfig::new().learning_rate(0.0001),
        );
    let response = client.create_training_job(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_training_job() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .get_training_job("01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn update_training_job() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::UpdateTrainingJob::new()
        .name("warm start")
        .tags(["baseline".to_owned()]);
    let response = client
        .update_training_job("01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4", &body)
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn cancel_training_job() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .cancel_training_job("01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_training_job_drops() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_training_job_drops("01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_training_job_events() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_training_job_events("01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_training_job_groups() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_training_job_groups("01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_training_job_trajectories() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_training_job_trajectories("01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4", "0")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_training_job_metrics() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .get_training_job_metrics("01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_usage() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.get_usage().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn create_response() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::ResponseRequest::new("trainyard/seedling")
        .input("Hello!")
        .max_output_tokens(16)
        .temperature(0.0);
    let response = client.create_response(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn compact_response() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::ResponseRequest::new("trainyard/seedling")
        .input("Hello!")
        .max_output_tokens(16)
        .temperature(0.0);
    let response = client.compact_response(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn count_response_tokens() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::{Client, types};

    let client = Client::from_env()?;
    let body = types::ResponseRequest::new("trainyard/seedling")
        .input("Hello!")
        .max_output_tokens(16)
        .temperature(0.0);
    let response = client.count_response_tokens(&body).await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn delete_response() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .delete_response("resp_01a1f9c83a4c7b51a9d3c1e07b2f6d90")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn get_response() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.get_response("resp_01a1f9c83a4c7b51a9d3c1e07b2f6d90").await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn cancel_response() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .cancel_response("resp_01a1f9c83a4c7b51a9d3c1e07b2f6d90")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn list_response_input_items() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .list_response_input_items("resp_01a1f9c83a4c7b51a9d3c1e07b2f6d90")
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn check_system() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client.check_system().await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}

pub async fn put_wandb_file() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::env::var("TRAINYARD_BASE_URL")?;
    let request = reqwest::Client::new()
        .put(format!("{root}/wandb/files/demo/agent-sft-data-9b4798702a96/train.jsonl"))
        .bearer_auth(std::env::var("TRAINYARD_API_KEY")?)
        .header("content-type", "application/octet-stream")
        .body(std::fs::read("train.jsonl")?);
    let text = request.send().await?.error_for_status()?.text().await?;
    println!("{text}");
    Ok(())
}

pub async fn get_wandb_manifest() -> Result<(), Box<dyn std::error::Error>> {
    use trainyard::client::Client;

    let client = Client::from_env()?;
    let response = client
        .get_wandb_manifest("01a1f9c3-5630-77c3-a5f2-daaf4564b88a", 2)
        .await?;
    println!("{:#?}", response.into_inner());
    Ok(())
}
