//! `trainyard chat`: a conversation with a model of a running service.

use std::io::{BufRead, IsTerminal, Write};

use clap::Args;
use serde_json::{Value, json};

use super::remote::{Remote, find_model};
use super::{CommandError, print};
use crate::client::{Client, from_json};

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    trainyard chat trainyard/seedling 'Say yes, no or maybe.'\n  \
    trainyard chat demo/agent --temperature 0        line by line\n  \
    echo 'Hello!' | trainyard chat demo/agent:step2")]
pub(super) struct Options {
    /// Model: project/name or its inference name, with or without :stepN, its id, or a base model.
    model: String,
    /// Message to send; without it, each line of standard input is one message.
    prompt: Option<String>,
    /// Text of the system message.
    #[arg(long)]
    system: Option<String>,
    /// Sampling temperature; 0 selects the most likely answer.
    #[arg(long)]
    temperature: Option<f64>,
    /// Maximum number of tokens of an answer.
    #[arg(long)]
    max_tokens: Option<u32>,
    #[command(flatten)]
    remote: Remote,
}

pub(super) async fn run(options: Options) -> Result<(), CommandError> {
    let client = options.remote.client()?;
    let model = inference_name(&client, &options.model).await?;
    let mut messages: Vec<Value> = Vec::new();
    messages.extend(options.system.iter().map(|text| json!({ "role": "system", "content": text })));
    if let Some(prompt) = &options.prompt {
        messages.push(json!({ "role": "user", "content": prompt }));
        complete(&client, &model, &options, &messages).await?;
        return Ok(());
    }
    let is_asked = std::io::stdin().is_terminal();
    loop {
        if is_asked {
            // An unwritable prompt is no error.
            let _ = write!(std::io::stderr(), "> ");
        }
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            if is_asked {
                note!();
            }
            return Ok(());
        }
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        messages.push(json!({ "role": "user", "content": line }));
        let text = complete(&client, &model, &options, &messages).await?;
        messages.push(json!({ "role": "assistant", "content": text }));
    }
}

/// Returns the name under which the service samples a model, which may be given by project/name or id.
async fn inference_name(client: &Client, named: &str) -> Result<String, CommandError> {
    let (model, step) = match named.split_once(':') {
        // The colon of an inference name's scheme does not separate a step.
        Some((_, rest)) if rest.starts_with("//") => return Ok(named.to_owned()),
        Some((model, step)) => (model, Some(step)),
        None => (named, None),
    };
    if model.split('/').count() == 3 {
        return Ok(named.to_owned());
    }
    if client.list_base_models().await?.data.iter().any(|base| base.id == named) {
        return Ok(named.to_owned());
    }
    let model = find_model(client, model).await?.ok_or_else(|| {
        format!(
            "there is no model {model:?}; `trainyard models list` shows yours, `trainyard models bases` base models"
        )
    })?;
    Ok(step.map_or_else(|| model.inference_name(), |step| format!("{}:{step}", model.inference_name())))
}

/// Prints a completion while it is generated, and returns it.
async fn complete(client: &Client, model: &str, options: &Options, messages: &[Value]) -> Result<String, CommandError> {
    let mut request = json!({ "model": model, "messages": messages });
    if let Some(temperature) = options.temperature {
        request["temperature"] = temperature.into();
    }
    if let Some(count) = options.max_tokens {
        request["max_tokens"] = count.into();
    }
    let mut chunks = match client.stream_chat_completion(&from_json(request)?).await {
        Err(error) if error.code() == Some("model_not_found") => {
            return Err(format!(
                "there is no model {:?}; `trainyard models list` shows yours, `trainyard checkpoints list` the steps of one",
                options.model
            )
            .into());
        }
        answered => answered?,
    };
    let mut text = String::new();
    while let Some(chunk) = chunks.try_next().await? {
        let piece = chunk.choices.first().and_then(|choice| choice.delta.content.as_deref()).unwrap_or_default();
        print(piece)?;
        std::io::stdout().flush()?;
        text.push_str(piece);
    }
    print("\n")?;
    Ok(text)
}
