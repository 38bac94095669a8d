// Generated from spec/openapi.yaml by build.rs. Do not edit.

#![allow(clippy::all, unused_variables, unused_imports)]
use super::{types, unions};
use crate::http::validation::{Faults, Location, Validate};
impl Validate for unions::BatchSize {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::Integer(value) => {
                faults.minimum(at, *value, 1);
                faults.maximum(at, *value, 1000000);
            }
            _ => {}
        }
    }
}
impl Validate for types::ChatCompletion {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.choices;
            {
                let at = &at.field("choices");
                for (index, item) in value.iter().enumerate() {
                    Validate::validate(item, &at.index(index), faults);
                }
            }
        }
    }
}
impl Validate for types::ChatCompletionChunk {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.choices;
            {
                let at = &at.field("choices");
                for (index, item) in value.iter().enumerate() {
                    Validate::validate(item, &at.index(index), faults);
                }
            }
        }
    }
}
impl Validate for types::ChatCompletionRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.frequency_penalty {
            faults.minimum(&at.field("frequency_penalty"), *value, -2.0);
            faults.maximum(&at.field("frequency_penalty"), *value, 2.0);
        }
        if let Some(value) = &self.logit_bias {
            {
                let at = &at.field("logit_bias");
                for (key, item) in value.iter() {
                    faults.minimum(&at.field(key), *item, -100.0);
                    faults.maximum(&at.field(key), *item, 100.0);
                }
            }
        }
        if let Some(value) = &self.max_completion_tokens {
            faults.minimum(&at.field("max_completion_tokens"), *value, 1);
            faults
                .maximum(
                    &at.field("max_completion_tokens"),
                    *value,
                    9223372036854775807,
                );
        }
        if let Some(value) = &self.max_tokens {
            faults.minimum(&at.field("max_tokens"), *value, 1);
            faults.maximum(&at.field("max_tokens"), *value, 9223372036854775807);
        }
        {
            let value = &self.messages;
            faults.min_items(&at.field("messages"), value.len(), 1);
            faults.max_items(&at.field("messages"), value.len(), 100000);
        }
        if let Some(value) = &self.min_p {
            faults.minimum(&at.field("min_p"), *value, 0.0);
            faults.maximum(&at.field("min_p"), *value, 1.0);
        }
        {
            let value = &self.model;
            faults.max_length(&at.field("model"), value, 1024);
        }
        if let Some(value) = &self.n {
            faults.minimum(&at.field("n"), *value, 1);
            faults.maximum(&at.field("n"), *value, 128);
        }
        if let Some(value) = &self.presence_penalty {
            faults.minimum(&at.field("presence_penalty"), *value, -2.0);
            faults.maximum(&at.field("presence_penalty"), *value, 2.0);
        }
        if let Some(value) = &self.repetition_penalty {
            faults.minimum(&at.field("repetition_penalty"), *value, 0.01);
            faults.maximum(&at.field("repetition_penalty"), *value, 10.0);
        }
        if let Some(value) = &self.response_format {
            Validate::validate(value, &at.field("response_format"), faults);
        }
        if let Some(value) = &self.seed {
            faults.minimum(&at.field("seed"), *value, -9223372036854775808);
            faults.maximum(&at.field("seed"), *value, 9223372036854775807);
        }
        if let Some(value) = &self.stop {
            Validate::validate(value, &at.field("stop"), faults);
        }
        if let Some(value) = &self.temperature {
            faults.minimum(&at.field("temperature"), *value, 0.0);
            faults.maximum(&at.field("temperature"), *value, 2.0);
        }
        if let Some(value) = &self.tools {
            faults.max_items(&at.field("tools"), value.len(), 128);
            {
                let at = &at.field("tools");
                for (index, item) in value.iter().enumerate() {
                    Validate::validate(item, &at.index(index), faults);
                }
            }
        }
        if let Some(value) = &self.top_k {
            faults.minimum(&at.field("top_k"), *value, -1);
            faults.maximum(&at.field("top_k"), *value, 4294967295);
        }
        if let Some(value) = &self.top_logprobs {
            faults.maximum(&at.field("top_logprobs"), *value, 20);
        }
        if let Some(value) = &self.top_p {
            faults.minimum(&at.field("top_p"), *value, 0.0);
            faults.maximum(&at.field("top_p"), *value, 1.0);
        }
    }
}
impl Validate for types::CheckpointPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.data;
            faults.max_items(&at.field("data"), value.len(), 100);
        }
    }
}
impl Validate for types::Choice {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.logprobs {
            Validate::validate(value, &at.field("logprobs"), faults);
        }
    }
}
impl Validate for types::ChoiceLogprobs {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.content {
            {
                let at = &at.field("content");
                for (index, item) in value.iter().enumerate() {
                    Validate::validate(item, &at.index(index), faults);
                }
            }
        }
        if let Some(value) = &self.refusal {
            {
                let at = &at.field("refusal");
                for (index, item) in value.iter().enumerate() {
                    Validate::validate(item, &at.index(index), faults);
                }
            }
        }
    }
}
impl Validate for types::ChunkChoice {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.logprobs {
            Validate::validate(value, &at.field("logprobs"), faults);
        }
    }
}
impl Validate for types::CreateSftTrainingJob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.config {
            Validate::validate(value, &at.field("config"), faults);
        }
        {
            let value = &self.training_data_url;
            faults.min_length(&at.field("training_data_url"), value, 1);
            faults.max_length(&at.field("training_data_url"), value, 16384);
        }
    }
}
impl Validate for types::CreateTrainingJob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.experimental_config {
            Validate::validate(value, &at.field("experimental_config"), faults);
        }
        {
            let value = &self.trajectory_groups;
            {
                let at = &at.field("trajectory_groups");
                for (index, item) in value.iter().enumerate() {
                    Validate::validate(item, &at.index(index), faults);
                }
            }
        }
    }
}
impl Validate for types::DeleteCheckpointsRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.steps;
            faults.max_items(&at.field("steps"), value.len(), 100000);
            {
                let at = &at.field("steps");
                for (index, item) in value.iter().enumerate() {
                    faults.maximum(&at.index(index), *item, 9223372036854775807);
                }
            }
        }
    }
}
impl Validate for types::ExperimentalTrainingConfig {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.advantage_balance {
            faults.minimum(&at.field("advantage_balance"), *value, -1.0);
            faults.maximum(&at.field("advantage_balance"), *value, 1.0);
        }
        if let Some(value) = &self.epsilon {
            faults.minimum(&at.field("epsilon"), *value, 0.0);
        }
        if let Some(value) = &self.epsilon_high {
            faults.minimum(&at.field("epsilon_high"), *value, 0.0);
        }
        if let Some(value) = &self.learning_rate {
            faults.minimum(&at.field("learning_rate"), *value, 0.0);
        }
        if let Some(value) = &self.logprob_calculation_chunk_size {
            faults.minimum(&at.field("logprob_calculation_chunk_size"), *value, 1);
            faults
                .maximum(
                    &at.field("logprob_calculation_chunk_size"),
                    *value,
                    9223372036854775807,
                );
        }
        if let Some(value) = &self.max_negative_advantage_importance_sampling_weight {
            faults
                .minimum(
                    &at.field("max_negative_advantage_importance_sampling_weight"),
                    *value,
                    0.0,
                );
        }
        if let Some(value) = &self.truncated_importance_sampling {
            faults.minimum(&at.field("truncated_importance_sampling"), *value, 0.0);
        }
    }
}
impl Validate for types::FunctionDefinition {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.name;
            faults.min_length(&at.field("name"), value, 1);
            faults.max_length(&at.field("name"), value, 256);
        }
    }
}
impl Validate for unions::LearningRate {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::Number(value) => {
                faults.minimum(at, *value, 0.0);
            }
            Self::Array(value) => {
                faults.max_items(at, value.len(), 1000000);
                {
                    let at = at;
                    for (index, item) in value.iter().enumerate() {
                        faults.minimum(&at.index(index), *item, 0.0);
                    }
                }
            }
        }
    }
}
impl Validate for types::LogRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.split;
            faults.max_length(&at.field("split"), value, 256);
        }
        {
            let value = &self.trajectory_groups;
            {
                let at = &at.field("trajectory_groups");
                for (index, item) in value.iter().enumerate() {
                    Validate::validate(item, &at.index(index), faults);
                }
            }
        }
    }
}
impl Validate for types::ModelCreate {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.base_model;
            faults.min_length(&at.field("base_model"), value, 1);
            faults.max_length(&at.field("base_model"), value, 512);
        }
        if let Some(value) = &self.entity {
            faults.min_length(&at.field("entity"), value, 1);
            faults.max_length(&at.field("entity"), value, 128);
            {
                static PATTERN: std::sync::LazyLock<regress::Regex> = std::sync::LazyLock::new(||
                {
                    regress::Regex::new("^[^/:\\u0000-\\u001f\\u007f]*$")
                        .expect("the linter compiled it")
                });
                faults
                    .pattern(
                        &at.field("entity"),
                        value,
                        &PATTERN,
                        "must not contain `/`, `:` or control characters",
                    );
            }
        }
        {
            let value = &self.name;
            faults.min_length(&at.field("name"), value, 1);
            faults.max_length(&at.field("name"), value, 128);
            {
                static PATTERN: std::sync::LazyLock<regress::Regex> = std::sync::LazyLock::new(||
                {
                    regress::Regex::new("^[^/:\\u0000-\\u001f\\u007f]*$")
                        .expect("the linter compiled it")
                });
                faults
                    .pattern(
                        &at.field("name"),
                        value,
                        &PATTERN,
                        "must not contain `/`, `:` or control characters",
                    );
            }
        }
        {
            let value = &self.project;
            faults.min_length(&at.field("project"), value, 1);
            faults.max_length(&at.field("project"), value, 128);
            {
                static PATTERN: std::sync::LazyLock<regress::Regex> = std::sync::LazyLock::new(||
                {
                    regress::Regex::new("^[^/:\\u0000-\\u001f\\u007f]*$")
                        .expect("the linter compiled it")
                });
                faults
                    .pattern(
                        &at.field("project"),
                        value,
                        &PATTERN,
                        "must not contain `/`, `:` or control characters",
                    );
            }
        }
    }
}
impl Validate for types::NamedJsonSchema {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.name;
            faults.min_length(&at.field("name"), value, 1);
            faults.max_length(&at.field("name"), value, 256);
        }
    }
}
impl Validate for types::QueueCheck {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.duration;
            faults.minimum(&at.field("duration"), *value, 0.0);
        }
    }
}
impl Validate for unions::ResponseFormat {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::ResponseFormatJsonSchema(value) => {
                Validate::validate(value, at, faults);
            }
            _ => {}
        }
    }
}
impl Validate for types::ResponseFormatJsonSchema {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.json_schema;
            Validate::validate(value, &at.field("json_schema"), faults);
        }
    }
}
impl Validate for types::SftTrainingConfig {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.batch_size {
            Validate::validate(value, &at.field("batch_size"), faults);
        }
        if let Some(value) = &self.learning_rate {
            Validate::validate(value, &at.field("learning_rate"), faults);
        }
    }
}
impl Validate for unions::Stop {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::String(value) => {
                faults.max_length(at, value, 1024);
            }
            Self::Array(value) => {
                faults.max_items(at, value.len(), 16);
                {
                    let at = at;
                    for (index, item) in value.iter().enumerate() {
                        faults.max_length(&at.index(index), item, 1024);
                    }
                }
            }
        }
    }
}
impl Validate for types::SystemCheckResponse {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.cpu_queue;
            Validate::validate(value, &at.field("cpu_queue"), faults);
        }
        {
            let value = &self.gpu_queue;
            Validate::validate(value, &at.field("gpu_queue"), faults);
        }
    }
}
impl Validate for types::TokenLogprob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.bytes {
            {
                let at = &at.field("bytes");
                for (index, item) in value.iter().enumerate() {
                    faults.maximum(&at.index(index), *item, 255);
                }
            }
        }
        {
            let value = &self.top_logprobs;
            faults.max_items(&at.field("top_logprobs"), value.len(), 20);
            {
                let at = &at.field("top_logprobs");
                for (index, item) in value.iter().enumerate() {
                    Validate::validate(item, &at.index(index), faults);
                }
            }
        }
    }
}
impl Validate for types::ToolDefinition {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.function;
            Validate::validate(value, &at.field("function"), faults);
        }
    }
}
impl Validate for types::TopLogprob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.bytes {
            {
                let at = &at.field("bytes");
                for (index, item) in value.iter().enumerate() {
                    faults.maximum(&at.index(index), *item, 255);
                }
            }
        }
    }
}
impl Validate for types::TrainingJobEventPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.data;
            faults.max_items(&at.field("data"), value.len(), 100);
        }
    }
}
impl Validate for types::Trajectory {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.final_policy_version {
            faults
                .minimum(
                    &at.field("final_policy_version"),
                    *value,
                    -9223372036854775808,
                );
            faults
                .maximum(&at.field("final_policy_version"), *value, 9223372036854775807);
        }
        if let Some(value) = &self.initial_policy_version {
            faults
                .minimum(
                    &at.field("initial_policy_version"),
                    *value,
                    -9223372036854775808,
                );
            faults
                .maximum(
                    &at.field("initial_policy_version"),
                    *value,
                    9223372036854775807,
                );
        }
    }
}
impl Validate for types::TrajectoryGroup {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        {
            let value = &self.trajectories;
            {
                let at = &at.field("trajectories");
                for (index, item) in value.iter().enumerate() {
                    Validate::validate(item, &at.index(index), faults);
                }
            }
        }
    }
}
