// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(clippy::all, deprecated, nonstandard_style, unreachable_pub, unused)]
use super::types;
use crate::validation::{self, Faults, Location, Validate};
impl Validate for types::AddCheckpoint {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::CopiedCheckpoint(value) => {
                value.validate(at, faults);
            }
            _ => {}
        }
    }
}
impl Validate for types::AllowedTool {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.name {
            faults.max_length(&at.field("name"), value.as_str(), 256);
        }
        if let Some(value) = &self.namespace {
            faults.max_length(&at.field("namespace"), value.as_str(), 256);
        }
        let value = &self.type_;
        faults.max_length(&at.field("type"), value.as_str(), 64);
    }
}
impl Validate for types::AllowedTools {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.tools;
        faults.max_items(&at.field("tools"), value.len(), 1024);
        {
            let at = &at.field("tools");
            for (index, item) in value.iter().enumerate() {
                item.validate(&at.index(index), faults);
            }
        }
    }
}
impl Validate for types::Batch {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.errors.validate(&at.field("errors"), faults);
        if let Some(value) = &self.metadata {
            faults.max_properties(&at.field("metadata"), value.len(), 16);
            {
                let at = &at.field("metadata");
                for (key, item) in value.iter() {
                    faults.max_length(&at.field(key), item.as_str(), 512);
                }
            }
        }
    }
}
impl Validate for types::BatchErrors {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
        {
            let at = &at.field("data");
            for (index, item) in value.iter().enumerate() {
                item.validate(&at.index(index), faults);
            }
        }
    }
}
impl Validate for types::BatchFault {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.line {
            faults.minimum(&at.field("line"), *value, 1);
        }
    }
}
impl Validate for types::BatchPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
        {
            let at = &at.field("data");
            for (index, item) in value.iter().enumerate() {
                item.validate(&at.index(index), faults);
            }
        }
    }
}
impl Validate for types::BatchSize {
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
impl Validate for types::CapturedExchange {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.end_time;
        faults
            .format(&at.field("end_time"), value.as_str(), validation::Format::DateTime);
        let value = &self.start_time;
        faults
            .format(
                &at.field("start_time"),
                value.as_str(),
                validation::Format::DateTime,
            );
    }
}
impl Validate for types::CapturedExchanges {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.chat_completions.validate(&at.field("chat_completions"), faults);
        self.completions.validate(&at.field("completions"), faults);
        self.messages.validate(&at.field("messages"), faults);
        self.responses.validate(&at.field("responses"), faults);
    }
}
impl Validate for types::ChatCompletion {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.choices.validate(&at.field("choices"), faults);
        if let Some(value) = &self.metadata {
            faults.max_properties(&at.field("metadata"), value.len(), 16);
            {
                let at = &at.field("metadata");
                for (key, item) in value.iter() {
                    faults.max_length(&at.field(key), item.as_str(), 512);
                }
            }
        }
        self.prompt_logprobs.validate(&at.field("prompt_logprobs"), faults);
    }
}
impl Validate for types::ChatCompletionChunk {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.choices.validate(&at.field("choices"), faults);
        self.prompt_logprobs.validate(&at.field("prompt_logprobs"), faults);
    }
}
impl Validate for types::ChatCompletionPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
        {
            let at = &at.field("data");
            for (index, item) in value.iter().enumerate() {
                item.validate(&at.index(index), faults);
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
        if let Some(value) = &self.functions {
            faults.max_items(&at.field("functions"), value.len(), 128);
            {
                let at = &at.field("functions");
                for (index, item) in value.iter().enumerate() {
                    item.validate(&at.index(index), faults);
                }
            }
        }
        if let Some(value) = &self.guided_choice {
            faults.min_items(&at.field("guided_choice"), value.len(), 1);
            faults.max_items(&at.field("guided_choice"), value.len(), 4096);
            {
                let at = &at.field("guided_choice");
                for (index, item) in value.iter().enumerate() {
                    faults.min_length(&at.index(index), item.as_str(), 1);
                }
            }
        }
        if let Some(value) = &self.guided_grammar {
            faults.min_length(&at.field("guided_grammar"), value.as_str(), 1);
        }
        if let Some(value) = &self.guided_regex {
            faults.min_length(&at.field("guided_regex"), value.as_str(), 1);
        }
        if let Some(value) = &self.logit_bias {
            faults.max_properties(&at.field("logit_bias"), value.len(), 1024);
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
        let value = &self.messages;
        faults.min_items(&at.field("messages"), value.len(), 1);
        faults.max_items(&at.field("messages"), value.len(), 30000);
        if let Some(value) = &self.min_p {
            faults.minimum(&at.field("min_p"), *value, 0.0);
            faults.maximum(&at.field("min_p"), *value, 1.0);
        }
        let value = &self.model;
        faults.max_length(&at.field("model"), value.as_str(), 1024);
        if let Some(value) = &self.n {
            faults.minimum(&at.field("n"), *value, 1);
            faults.maximum(&at.field("n"), *value, 128);
        }
        if let Some(value) = &self.presence_penalty {
            faults.minimum(&at.field("presence_penalty"), *value, -2.0);
            faults.maximum(&at.field("presence_penalty"), *value, 2.0);
        }
        if let Some(value) = &self.prompt_logprobs {
            faults.maximum(&at.field("prompt_logprobs"), *value, 20);
        }
        if let Some(value) = &self.reasoning_effort {
            faults.min_length(&at.field("reasoning_effort"), value.as_str(), 1);
            faults.max_length(&at.field("reasoning_effort"), value.as_str(), 64);
        }
        if let Some(value) = &self.repetition_penalty {
            faults.minimum(&at.field("repetition_penalty"), *value, 0.01);
            faults.maximum(&at.field("repetition_penalty"), *value, 10.0);
        }
        self.response_format.validate(&at.field("response_format"), faults);
        self.stop.validate(&at.field("stop"), faults);
        if let Some(value) = &self.stop_token_ids {
            faults.max_items(&at.field("stop_token_ids"), value.len(), 128);
        }
        self.structured_outputs.validate(&at.field("structured_outputs"), faults);
        if let Some(value) = &self.temperature {
            faults.minimum(&at.field("temperature"), *value, 0.0);
            faults.maximum(&at.field("temperature"), *value, 2.0);
        }
        self.tool_choice.validate(&at.field("tool_choice"), faults);
        if let Some(value) = &self.tools {
            faults.max_items(&at.field("tools"), value.len(), 128);
            {
                let at = &at.field("tools");
                for (index, item) in value.iter().enumerate() {
                    item.validate(&at.index(index), faults);
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
impl Validate for types::CheckpointDetail {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.files;
        faults.max_items(&at.field("files"), value.len(), 2);
    }
}
impl Validate for types::CheckpointPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::Choice {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.logprobs.validate(&at.field("logprobs"), faults);
    }
}
impl Validate for types::ChoiceLogprobs {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.content.validate(&at.field("content"), faults);
        self.refusal.validate(&at.field("refusal"), faults);
    }
}
impl Validate for types::ChunkChoice {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.logprobs.validate(&at.field("logprobs"), faults);
    }
}
impl Validate for types::CompletionPrompt {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::Array(value) => {
                faults.min_items(at, value.len(), 1);
                faults.max_items(at, value.len(), 100000);
                {
                    let at = at;
                    for (index, item) in value.iter().enumerate() {
                        item.validate(&at.index(index), faults);
                    }
                }
            }
            _ => {}
        }
    }
}
impl Validate for types::CompletionPromptItem {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::Array(value) => {
                faults.max_items(at, value.len(), 400000);
            }
            _ => {}
        }
    }
}
impl Validate for types::CompletionRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.best_of {
            faults.minimum(&at.field("best_of"), *value, 1);
            faults.maximum(&at.field("best_of"), *value, 128);
        }
        if let Some(value) = &self.frequency_penalty {
            faults.minimum(&at.field("frequency_penalty"), *value, -2.0);
            faults.maximum(&at.field("frequency_penalty"), *value, 2.0);
        }
        if let Some(value) = &self.logit_bias {
            faults.max_properties(&at.field("logit_bias"), value.len(), 1024);
            {
                let at = &at.field("logit_bias");
                for (key, item) in value.iter() {
                    faults.minimum(&at.field(key), *item, -100.0);
                    faults.maximum(&at.field(key), *item, 100.0);
                }
            }
        }
        if let Some(value) = &self.logprobs {
            faults.maximum(&at.field("logprobs"), *value, 5);
        }
        if let Some(value) = &self.max_tokens {
            faults.maximum(&at.field("max_tokens"), *value, 9223372036854775807);
        }
        if let Some(value) = &self.min_p {
            faults.minimum(&at.field("min_p"), *value, 0.0);
            faults.maximum(&at.field("min_p"), *value, 1.0);
        }
        let value = &self.model;
        faults.max_length(&at.field("model"), value.as_str(), 1024);
        if let Some(value) = &self.n {
            faults.minimum(&at.field("n"), *value, 1);
            faults.maximum(&at.field("n"), *value, 128);
        }
        if let Some(value) = &self.presence_penalty {
            faults.minimum(&at.field("presence_penalty"), *value, -2.0);
            faults.maximum(&at.field("presence_penalty"), *value, 2.0);
        }
        self.prompt.validate(&at.field("prompt"), faults);
        if let Some(value) = &self.repetition_penalty {
            faults.minimum(&at.field("repetition_penalty"), *value, 0.01);
            faults.maximum(&at.field("repetition_penalty"), *value, 10.0);
        }
        self.stop.validate(&at.field("stop"), faults);
        if let Some(value) = &self.stop_token_ids {
            faults.max_items(&at.field("stop_token_ids"), value.len(), 128);
        }
        if let Some(value) = &self.temperature {
            faults.minimum(&at.field("temperature"), *value, 0.0);
            faults.maximum(&at.field("temperature"), *value, 2.0);
        }
        if let Some(value) = &self.top_k {
            faults.minimum(&at.field("top_k"), *value, -1);
            faults.maximum(&at.field("top_k"), *value, 4294967295);
        }
        if let Some(value) = &self.top_p {
            faults.minimum(&at.field("top_p"), *value, 0.0);
            faults.maximum(&at.field("top_p"), *value, 1.0);
        }
    }
}
impl Validate for types::CopiedCheckpoint {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.step;
        faults.maximum(&at.field("step"), *value, 9223372036854775807);
    }
}
impl Validate for types::CreateBatch {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.input_file_id;
        faults.min_length(&at.field("input_file_id"), value.as_str(), 1);
        faults.max_length(&at.field("input_file_id"), value.as_str(), 256);
        if let Some(value) = &self.metadata {
            faults.max_properties(&at.field("metadata"), value.len(), 16);
            {
                let at = &at.field("metadata");
                for (key, item) in value.iter() {
                    faults.max_length(&at.field(key), item.as_str(), 512);
                }
            }
        }
        self.output_expires_after.validate(&at.field("output_expires_after"), faults);
    }
}
impl Validate for types::CreateFile {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.expires_after.validate(&at.field("expires_after"), faults);
    }
}
impl Validate for types::CreateFineTuningJob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.hyperparameters.validate(&at.field("hyperparameters"), faults);
        if let Some(value) = &self.integrations {
            faults.max_items(&at.field("integrations"), value.len(), 16);
        }
        if let Some(value) = &self.metadata {
            faults.max_properties(&at.field("metadata"), value.len(), 16);
            {
                let at = &at.field("metadata");
                for (key, item) in value.iter() {
                    faults.max_length(&at.field(key), item.as_str(), 512);
                }
            }
        }
        self.method.validate(&at.field("method"), faults);
        let value = &self.model;
        faults.min_length(&at.field("model"), value.as_str(), 1);
        faults.max_length(&at.field("model"), value.as_str(), 1024);
        if let Some(value) = &self.suffix {
            faults.min_length(&at.field("suffix"), value.as_str(), 1);
            faults.max_length(&at.field("suffix"), value.as_str(), 64);
        }
        let value = &self.training_file;
        faults.min_length(&at.field("training_file"), value.as_str(), 1);
        faults.max_length(&at.field("training_file"), value.as_str(), 256);
        if let Some(value) = &self.validation_file {
            faults.min_length(&at.field("validation_file"), value.as_str(), 1);
            faults.max_length(&at.field("validation_file"), value.as_str(), 256);
        }
    }
}
impl Validate for types::CreateKey {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.entity;
        faults.min_length(&at.field("entity"), value.as_str(), 1);
        faults.max_length(&at.field("entity"), value.as_str(), 128);
        {
            static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                "^[A-Za-z0-9][A-Za-z0-9._-]*$",
            );
            faults
                .pattern(
                    &at.field("entity"),
                    value.as_str(),
                    &PATTERN,
                    "must be letters, digits, '.', '_' and '-', beginning with a letter or digit",
                );
        }
        if let Some(value) = &self.name {
            faults.min_length(&at.field("name"), value.as_str(), 1);
            faults.max_length(&at.field("name"), value.as_str(), 128);
            {
                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                );
                faults
                    .pattern(
                        &at.field("name"),
                        value.as_str(),
                        &PATTERN,
                        "must not contain control characters",
                    );
            }
        }
    }
}
impl Validate for types::CreateMessageBatch {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.requests;
        faults.min_items(&at.field("requests"), value.len(), 1);
        faults.max_items(&at.field("requests"), value.len(), 10000);
        {
            let at = &at.field("requests");
            for (index, item) in value.iter().enumerate() {
                item.validate(&at.index(index), faults);
            }
        }
    }
}
impl Validate for types::CreateRecordedSession {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.group {
            faults.min_length(&at.field("group"), value.as_str(), 1);
            faults.max_length(&at.field("group"), value.as_str(), 200);
            {
                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                );
                faults
                    .pattern(
                        &at.field("group"),
                        value.as_str(),
                        &PATTERN,
                        "must not contain control characters",
                    );
            }
        }
        let value = &self.model;
        faults.max_length(&at.field("model"), value.as_str(), 1024);
        {
            static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
            );
            faults
                .pattern(
                    &at.field("model"),
                    value.as_str(),
                    &PATTERN,
                    "must not contain control characters",
                );
        }
        if let Some(value) = &self.name {
            faults.min_length(&at.field("name"), value.as_str(), 1);
            faults.max_length(&at.field("name"), value.as_str(), 200);
            {
                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                );
                faults
                    .pattern(
                        &at.field("name"),
                        value.as_str(),
                        &PATTERN,
                        "must not contain control characters",
                    );
            }
        }
        if let Some(value) = &self.tags {
            faults.max_items(&at.field("tags"), value.len(), 20);
            {
                let at = &at.field("tags");
                for (index, item) in value.iter().enumerate() {
                    faults.min_length(&at.index(index), item.as_str(), 1);
                    faults.max_length(&at.index(index), item.as_str(), 64);
                    {
                        static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                            "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                        );
                        faults
                            .pattern(
                                &at.index(index),
                                item.as_str(),
                                &PATTERN,
                                "must not contain control characters",
                            );
                    }
                }
            }
        }
    }
}
impl Validate for types::CreateSftTrainingJob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.config.validate(&at.field("config"), faults);
        if let Some(value) = &self.name {
            faults.min_length(&at.field("name"), value.as_str(), 1);
            faults.max_length(&at.field("name"), value.as_str(), 200);
            {
                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                );
                faults
                    .pattern(
                        &at.field("name"),
                        value.as_str(),
                        &PATTERN,
                        "must not contain control characters",
                    );
            }
        }
        if let Some(value) = &self.tags {
            faults.max_items(&at.field("tags"), value.len(), 20);
            {
                let at = &at.field("tags");
                for (index, item) in value.iter().enumerate() {
                    faults.min_length(&at.index(index), item.as_str(), 1);
                    faults.max_length(&at.index(index), item.as_str(), 64);
                    {
                        static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                            "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                        );
                        faults
                            .pattern(
                                &at.index(index),
                                item.as_str(),
                                &PATTERN,
                                "must not contain control characters",
                            );
                    }
                }
            }
        }
        let value = &self.training_data_url;
        faults.min_length(&at.field("training_data_url"), value.as_str(), 1);
        faults.max_length(&at.field("training_data_url"), value.as_str(), 16384);
    }
}
impl Validate for types::CreateTrainingJob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.experimental_config.validate(&at.field("experimental_config"), faults);
        if let Some(value) = &self.group {
            faults.min_length(&at.field("group"), value.as_str(), 1);
            faults.max_length(&at.field("group"), value.as_str(), 200);
            {
                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                );
                faults
                    .pattern(
                        &at.field("group"),
                        value.as_str(),
                        &PATTERN,
                        "must not contain control characters",
                    );
            }
        }
        if let Some(value) = &self.name {
            faults.min_length(&at.field("name"), value.as_str(), 1);
            faults.max_length(&at.field("name"), value.as_str(), 200);
            {
                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                );
                faults
                    .pattern(
                        &at.field("name"),
                        value.as_str(),
                        &PATTERN,
                        "must not contain control characters",
                    );
            }
        }
        if let Some(value) = &self.sessions {
            faults.max_items(&at.field("sessions"), value.len(), 1000);
        }
        if let Some(value) = &self.tags {
            faults.max_items(&at.field("tags"), value.len(), 20);
            {
                let at = &at.field("tags");
                for (index, item) in value.iter().enumerate() {
                    faults.min_length(&at.index(index), item.as_str(), 1);
                    faults.max_length(&at.index(index), item.as_str(), 64);
                    {
                        static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                            "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                        );
                        faults
                            .pattern(
                                &at.index(index),
                                item.as_str(),
                                &PATTERN,
                                "must not contain control characters",
                            );
                    }
                }
            }
        }
        self.trajectory_groups.validate(&at.field("trajectory_groups"), faults);
    }
}
impl Validate for types::DeleteCheckpointsRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
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
impl Validate for types::DetokenizeRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.model {
            faults.max_length(&at.field("model"), value.as_str(), 1024);
        }
        let value = &self.tokens;
        faults.max_items(&at.field("tokens"), value.len(), 262144);
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
        if let Some(value) = &self.kl_penalty_coef {
            faults.minimum(&at.field("kl_penalty_coef"), *value, 0.0);
        }
        if let Some(value) = &self.kl_penalty_reference_step {
            faults.minimum(&at.field("kl_penalty_reference_step"), *value, 0);
        }
        if let Some(value) = &self.kl_penalty_step_lag {
            faults.minimum(&at.field("kl_penalty_step_lag"), *value, 1);
        }
        if let Some(value) = &self.kl_ref_adapter_path {
            faults.max_length(&at.field("kl_ref_adapter_path"), value.as_str(), 16384);
        }
        if let Some(value) = &self.learning_rate {
            faults.minimum(&at.field("learning_rate"), *value, 0.0);
            faults
                .maximum(
                    &at.field("learning_rate"),
                    *value,
                    340282346638528860000000000000000000000.0,
                );
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
        if let Some(value) = &self.num_trajectories_learning_rate_multiplier_power {
            faults
                .minimum(
                    &at.field("num_trajectories_learning_rate_multiplier_power"),
                    *value,
                    -8.0,
                );
            faults
                .maximum(
                    &at.field("num_trajectories_learning_rate_multiplier_power"),
                    *value,
                    8.0,
                );
        }
        if let Some(value) = &self.optimizer_save_interval {
            faults
                .maximum(
                    &at.field("optimizer_save_interval"),
                    *value,
                    9223372036854775807,
                );
        }
        if let Some(value) = &self.packed_sequence_length {
            faults.minimum(&at.field("packed_sequence_length"), *value, 2);
            faults.maximum(&at.field("packed_sequence_length"), *value, 32768);
        }
        if let Some(value) = &self.truncated_importance_sampling {
            faults.minimum(&at.field("truncated_importance_sampling"), *value, 0.0);
        }
    }
}
impl Validate for types::FileExpiry {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.seconds;
        faults.minimum(&at.field("seconds"), *value, 3600);
        faults.maximum(&at.field("seconds"), *value, 2592000);
    }
}
impl Validate for types::FilePage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 10000);
    }
}
impl Validate for types::FineTuningCheckpointPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::FineTuningEpochs {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::Integer(value) => {
                faults.minimum(at, *value, 1);
                faults.maximum(at, *value, 1000);
            }
            _ => {}
        }
    }
}
impl Validate for types::FineTuningEventPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::FineTuningJob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.integrations;
        faults.max_items(&at.field("integrations"), value.len(), 16);
        if let Some(value) = &self.metadata {
            faults.max_properties(&at.field("metadata"), value.len(), 16);
            {
                let at = &at.field("metadata");
                for (key, item) in value.iter() {
                    faults.max_length(&at.field(key), item.as_str(), 512);
                }
            }
        }
        let value = &self.result_files;
        faults.max_items(&at.field("result_files"), value.len(), 16);
    }
}
impl Validate for types::FineTuningJobPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
        {
            let at = &at.field("data");
            for (index, item) in value.iter().enumerate() {
                item.validate(&at.index(index), faults);
            }
        }
    }
}
impl Validate for types::FineTuningMethod {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.supervised.validate(&at.field("supervised"), faults);
    }
}
impl Validate for types::FineTuningOptions {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.batch_size.validate(&at.field("batch_size"), faults);
        self.learning_rate_multiplier
            .validate(&at.field("learning_rate_multiplier"), faults);
        self.n_epochs.validate(&at.field("n_epochs"), faults);
    }
}
impl Validate for types::FunctionDefinition {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.name;
        faults.min_length(&at.field("name"), value.as_str(), 1);
        faults.max_length(&at.field("name"), value.as_str(), 256);
    }
}
impl Validate for types::InferenceModel {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.created_at {
            faults
                .format(
                    &at.field("created_at"),
                    value.as_str(),
                    validation::Format::DateTime,
                );
        }
    }
}
impl Validate for types::InferenceModelList {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.data.validate(&at.field("data"), faults);
    }
}
impl Validate for types::KeyPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::LearningRate {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::Number(value) => {
                faults.minimum(at, *value, 0.0);
                faults.maximum(at, *value, 340282346638528860000000000000000000000.0);
            }
            Self::Array(value) => {
                faults.max_items(at, value.len(), 400000);
                {
                    let at = at;
                    for (index, item) in value.iter().enumerate() {
                        faults.minimum(&at.index(index), *item, 0.0);
                        faults
                            .maximum(
                                &at.index(index),
                                *item,
                                340282346638528860000000000000000000000.0,
                            );
                    }
                }
            }
        }
    }
}
impl Validate for types::LearningRateMultiplier {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::Number(value) => {
                faults.above(at, *value, 0.0);
            }
            _ => {}
        }
    }
}
impl Validate for types::LogRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.split;
        faults.max_length(&at.field("split"), value.as_str(), 256);
        self.trajectory_groups.validate(&at.field("trajectory_groups"), faults);
    }
}
impl Validate for types::LoraRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.alpha {
            faults.minimum(&at.field("alpha"), *value, 0.001);
            faults.maximum(&at.field("alpha"), *value, 65536.0);
        }
        if let Some(value) = &self.rank {
            faults.minimum(&at.field("rank"), *value, 1);
            faults.maximum(&at.field("rank"), *value, 128);
        }
        self.target_modules.validate(&at.field("target_modules"), faults);
    }
}
impl Validate for types::LoraSettings {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.rank;
        faults.minimum(&at.field("rank"), *value, 1);
    }
}
impl Validate for types::ManifestPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::MessageBatchPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 1000);
    }
}
impl Validate for types::MessageBatchRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.custom_id;
        faults.min_length(&at.field("custom_id"), value.as_str(), 1);
        faults.max_length(&at.field("custom_id"), value.as_str(), 64);
    }
}
impl Validate for types::MessageOutputConfig {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.effort {
            faults.min_length(&at.field("effort"), value.as_str(), 1);
            faults.max_length(&at.field("effort"), value.as_str(), 64);
        }
    }
}
impl Validate for types::MessageRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.max_tokens {
            faults.maximum(&at.field("max_tokens"), *value, 9223372036854775807);
        }
        let value = &self.messages;
        faults.min_items(&at.field("messages"), value.len(), 1);
        faults.max_items(&at.field("messages"), value.len(), 30000);
        let value = &self.model;
        faults.max_length(&at.field("model"), value.as_str(), 1024);
        self.output_config.validate(&at.field("output_config"), faults);
        if let Some(value) = &self.stop_sequences {
            faults.max_items(&at.field("stop_sequences"), value.len(), 64);
            {
                let at = &at.field("stop_sequences");
                for (index, item) in value.iter().enumerate() {
                    faults.max_length(&at.index(index), item.as_str(), 4096);
                }
            }
        }
        if let Some(value) = &self.temperature {
            faults.minimum(&at.field("temperature"), *value, 0.0);
            faults.maximum(&at.field("temperature"), *value, 2.0);
        }
        if let Some(value) = &self.tools {
            faults.max_items(&at.field("tools"), value.len(), 512);
            {
                let at = &at.field("tools");
                for (index, item) in value.iter().enumerate() {
                    item.validate(&at.index(index), faults);
                }
            }
        }
        if let Some(value) = &self.top_k {
            faults.minimum(&at.field("top_k"), *value, -1);
            faults.maximum(&at.field("top_k"), *value, 4294967295);
        }
        if let Some(value) = &self.top_p {
            faults.minimum(&at.field("top_p"), *value, 0.0);
            faults.maximum(&at.field("top_p"), *value, 1.0);
        }
    }
}
impl Validate for types::MessageTool {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.name {
            faults.min_length(&at.field("name"), value.as_str(), 1);
            faults.max_length(&at.field("name"), value.as_str(), 256);
        }
    }
}
impl Validate for types::ModelCreate {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.base_model;
        faults.min_length(&at.field("base_model"), value.as_str(), 1);
        faults.max_length(&at.field("base_model"), value.as_str(), 512);
        if let Some(value) = &self.entity {
            faults.min_length(&at.field("entity"), value.as_str(), 1);
            faults.max_length(&at.field("entity"), value.as_str(), 128);
            {
                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                    "^[^/:\\u0000-\\u001f\\u007f]*$",
                );
                faults
                    .pattern(
                        &at.field("entity"),
                        value.as_str(),
                        &PATTERN,
                        "must not contain `/`, `:` or control characters",
                    );
            }
        }
        self.lora.validate(&at.field("lora"), faults);
        let value = &self.name;
        faults.min_length(&at.field("name"), value.as_str(), 1);
        faults.max_length(&at.field("name"), value.as_str(), 128);
        {
            static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                "^[^/:\\u0000-\\u001f\\u007f]*$",
            );
            faults
                .pattern(
                    &at.field("name"),
                    value.as_str(),
                    &PATTERN,
                    "must not contain `/`, `:` or control characters",
                );
        }
        let value = &self.project;
        faults.min_length(&at.field("project"), value.as_str(), 1);
        faults.max_length(&at.field("project"), value.as_str(), 128);
        {
            static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                "^[^/:\\u0000-\\u001f\\u007f]*$",
            );
            faults
                .pattern(
                    &at.field("project"),
                    value.as_str(),
                    &PATTERN,
                    "must not contain `/`, `:` or control characters",
                );
        }
    }
}
impl Validate for types::ModelPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
        {
            let at = &at.field("data");
            for (index, item) in value.iter().enumerate() {
                item.validate(&at.index(index), faults);
            }
        }
    }
}
impl Validate for types::ModelResponse {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.lora.validate(&at.field("lora"), faults);
    }
}
impl Validate for types::NamedJsonSchema {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.name;
        faults.min_length(&at.field("name"), value.as_str(), 1);
        faults.max_length(&at.field("name"), value.as_str(), 256);
    }
}
impl Validate for types::NamedToolChoice {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.allowed_tools.validate(&at.field("allowed_tools"), faults);
    }
}
impl Validate for types::PromptLogprob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.rank {
            faults.minimum(&at.field("rank"), *value, 1);
        }
    }
}
impl Validate for types::QueueCheck {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.duration;
        faults.minimum(&at.field("duration"), *value, 0.0);
    }
}
impl Validate for types::RecordedSessionPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::ResponseChosenTool {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.name {
            faults.max_length(&at.field("name"), value.as_str(), 256);
        }
        if let Some(value) = &self.namespace {
            faults.max_length(&at.field("namespace"), value.as_str(), 256);
        }
        if let Some(value) = &self.tools {
            faults.max_items(&at.field("tools"), value.len(), 1024);
            {
                let at = &at.field("tools");
                for (index, item) in value.iter().enumerate() {
                    item.validate(&at.index(index), faults);
                }
            }
        }
        let value = &self.type_;
        faults.max_length(&at.field("type"), value.as_str(), 64);
    }
}
impl Validate for types::ResponseEvent {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.item.validate(&at.field("item"), faults);
        self.logprobs.validate(&at.field("logprobs"), faults);
        self.part.validate(&at.field("part"), faults);
        self.response.validate(&at.field("response"), faults);
    }
}
impl Validate for types::ResponseFormat {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::ResponseFormatJsonSchema(value) => {
                value.validate(at, faults);
            }
            _ => {}
        }
    }
}
impl Validate for types::ResponseFormatJsonSchema {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.json_schema.validate(&at.field("json_schema"), faults);
    }
}
impl Validate for types::ResponseInput {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::Array(value) => {
                faults.min_items(at, value.len(), 1);
                faults.max_items(at, value.len(), 30000);
                {
                    let at = at;
                    for (index, item) in value.iter().enumerate() {
                        item.validate(&at.index(index), faults);
                    }
                }
            }
            _ => {}
        }
    }
}
impl Validate for types::ResponseInputItem {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.id {
            faults.max_length(&at.field("id"), value.as_str(), 512);
        }
        if let Some(value) = &self.summary {
            faults.max_items(&at.field("summary"), value.len(), 1024);
        }
    }
}
impl Validate for types::ResponseItemPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::ResponseMessage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.content.validate(&at.field("content"), faults);
    }
}
impl Validate for types::ResponseNamespaceTool {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.name {
            faults.min_length(&at.field("name"), value.as_str(), 1);
            faults.max_length(&at.field("name"), value.as_str(), 256);
        }
        let value = &self.type_;
        faults.max_length(&at.field("type"), value.as_str(), 64);
    }
}
impl Validate for types::ResponseObject {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.max_output_tokens {
            faults.minimum(&at.field("max_output_tokens"), *value, 1);
        }
        self.output.validate(&at.field("output"), faults);
        self.text.validate(&at.field("text"), faults);
        self.tool_choice.validate(&at.field("tool_choice"), faults);
        self.tools.validate(&at.field("tools"), faults);
    }
}
impl Validate for types::ResponseOutputItem {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::ResponseMessage(value) => {
                value.validate(at, faults);
            }
            _ => {}
        }
    }
}
impl Validate for types::ResponseOutputPart {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::ResponseOutputText(value) => {
                value.validate(at, faults);
            }
            _ => {}
        }
    }
}
impl Validate for types::ResponseOutputText {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.logprobs.validate(&at.field("logprobs"), faults);
    }
}
impl Validate for types::ResponseReasoning {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.effort {
            faults.min_length(&at.field("effort"), value.as_str(), 1);
            faults.max_length(&at.field("effort"), value.as_str(), 64);
        }
    }
}
impl Validate for types::ResponseRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.include {
            faults.max_items(&at.field("include"), value.len(), 16);
        }
        self.input.validate(&at.field("input"), faults);
        if let Some(value) = &self.max_output_tokens {
            faults.minimum(&at.field("max_output_tokens"), *value, 1);
            faults.maximum(&at.field("max_output_tokens"), *value, 9223372036854775807);
        }
        if let Some(value) = &self.metadata {
            faults.max_properties(&at.field("metadata"), value.len(), 16);
            {
                let at = &at.field("metadata");
                for (key, item) in value.iter() {
                    faults.max_length(&at.field(key), item.as_str(), 512);
                }
            }
        }
        let value = &self.model;
        faults.max_length(&at.field("model"), value.as_str(), 1024);
        if let Some(value) = &self.previous_response_id {
            faults.max_length(&at.field("previous_response_id"), value.as_str(), 512);
        }
        self.reasoning.validate(&at.field("reasoning"), faults);
        if let Some(value) = &self.temperature {
            faults.minimum(&at.field("temperature"), *value, 0.0);
            faults.maximum(&at.field("temperature"), *value, 2.0);
        }
        self.text.validate(&at.field("text"), faults);
        self.tool_choice.validate(&at.field("tool_choice"), faults);
        if let Some(value) = &self.tools {
            faults.max_items(&at.field("tools"), value.len(), 128);
            {
                let at = &at.field("tools");
                for (index, item) in value.iter().enumerate() {
                    item.validate(&at.index(index), faults);
                }
            }
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
impl Validate for types::ResponseTextConfig {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.format.validate(&at.field("format"), faults);
    }
}
impl Validate for types::ResponseTextFormat {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::ResponseTextJsonSchema(value) => {
                value.validate(at, faults);
            }
            _ => {}
        }
    }
}
impl Validate for types::ResponseTextJsonSchema {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.name;
        faults.min_length(&at.field("name"), value.as_str(), 1);
        faults.max_length(&at.field("name"), value.as_str(), 256);
    }
}
impl Validate for types::ResponseTool {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.name {
            faults.min_length(&at.field("name"), value.as_str(), 1);
            faults.max_length(&at.field("name"), value.as_str(), 256);
        }
        if let Some(value) = &self.tools {
            faults.max_items(&at.field("tools"), value.len(), 128);
            {
                let at = &at.field("tools");
                for (index, item) in value.iter().enumerate() {
                    item.validate(&at.index(index), faults);
                }
            }
        }
        let value = &self.type_;
        faults.max_length(&at.field("type"), value.as_str(), 64);
    }
}
impl Validate for types::ResponseToolChoice {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::ResponseChosenTool(value) => {
                value.validate(at, faults);
            }
            _ => {}
        }
    }
}
impl Validate for types::ServedModelList {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.data.validate(&at.field("data"), faults);
    }
}
impl Validate for types::SftMetricLogging {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.every {
            faults.minimum(&at.field("every"), *value, 1);
        }
    }
}
impl Validate for types::SftTrainingConfig {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.batch_size.validate(&at.field("batch_size"), faults);
        if let Some(value) = &self.epochs {
            faults.minimum(&at.field("epochs"), *value, 1);
            faults.maximum(&at.field("epochs"), *value, 1000);
        }
        self.learning_rate.validate(&at.field("learning_rate"), faults);
        if let Some(value) = &self.max_sequence_length {
            faults.minimum(&at.field("max_sequence_length"), *value, 1);
            faults.maximum(&at.field("max_sequence_length"), *value, 1000000);
        }
        self.metric_logging.validate(&at.field("metric_logging"), faults);
        if let Some(value) = &self.validation_every {
            faults.minimum(&at.field("validation_every"), *value, 1);
            faults.maximum(&at.field("validation_every"), *value, 1000000);
        }
        if let Some(value) = &self.validation_split {
            faults.minimum(&at.field("validation_split"), *value, 0.0);
            faults.maximum(&at.field("validation_split"), *value, 0.5);
        }
    }
}
impl Validate for types::Stop {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::String(value) => {
                faults.max_length(at, value.as_str(), 1024);
            }
            Self::Array(value) => {
                faults.max_items(at, value.len(), 16);
                {
                    let at = at;
                    for (index, item) in value.iter().enumerate() {
                        faults.max_length(&at.index(index), item.as_str(), 1024);
                    }
                }
            }
        }
    }
}
impl Validate for types::StoredChatMessagePage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::StructuredOutputs {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.choice {
            faults.min_items(&at.field("choice"), value.len(), 1);
            faults.max_items(&at.field("choice"), value.len(), 4096);
            {
                let at = &at.field("choice");
                for (index, item) in value.iter().enumerate() {
                    faults.min_length(&at.index(index), item.as_str(), 1);
                }
            }
        }
        if let Some(value) = &self.grammar {
            faults.min_length(&at.field("grammar"), value.as_str(), 1);
        }
        if let Some(value) = &self.regex {
            faults.min_length(&at.field("regex"), value.as_str(), 1);
        }
    }
}
impl Validate for types::SupervisedMethod {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.hyperparameters.validate(&at.field("hyperparameters"), faults);
    }
}
impl Validate for types::SystemCheckFailure {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::SystemCheckResponse(value) => {
                value.validate(at, faults);
            }
            _ => {}
        }
    }
}
impl Validate for types::SystemCheckResponse {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.artifacts.validate(&at.field("artifacts"), faults);
        self.cpu_queue.validate(&at.field("cpu_queue"), faults);
        self.disk.validate(&at.field("disk"), faults);
        self.gpu_queue.validate(&at.field("gpu_queue"), faults);
    }
}
impl Validate for types::TargetModules {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::Array(value) => {
                faults.min_items(at, value.len(), 1);
                faults.max_items(at, value.len(), 18);
            }
            _ => {}
        }
    }
}
impl Validate for types::TokenLogprob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.top_logprobs;
        faults.max_items(&at.field("top_logprobs"), value.len(), 20);
    }
}
impl Validate for types::TokenizeRequest {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.messages {
            faults.min_items(&at.field("messages"), value.len(), 1);
            faults.max_items(&at.field("messages"), value.len(), 30000);
        }
        if let Some(value) = &self.model {
            faults.max_length(&at.field("model"), value.as_str(), 1024);
        }
        if let Some(value) = &self.tools {
            faults.max_items(&at.field("tools"), value.len(), 128);
            {
                let at = &at.field("tools");
                for (index, item) in value.iter().enumerate() {
                    item.validate(&at.index(index), faults);
                }
            }
        }
    }
}
impl Validate for types::ToolChoice {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        match self {
            Self::NamedToolChoice(value) => {
                value.validate(at, faults);
            }
            _ => {}
        }
    }
}
impl Validate for types::ToolDefinition {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.function.validate(&at.field("function"), faults);
    }
}
impl Validate for types::TrainingEstimate {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.expected_seconds {
            faults.minimum(&at.field("expected_seconds"), *value, 0.0);
        }
        let value = &self.findings;
        faults.max_items(&at.field("findings"), value.len(), 100);
        {
            let at = &at.field("findings");
            for (index, item) in value.iter().enumerate() {
                item.validate(&at.index(index), faults);
            }
        }
    }
}
impl Validate for types::TrainingFinding {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.count;
        faults.minimum(&at.field("count"), *value, 1);
    }
}
impl Validate for types::TrainingJobDropPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::TrainingJobEventPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::TrainingJobGroup {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.advantages;
        faults.max_items(&at.field("advantages"), value.len(), 1000);
        let value = &self.completion_tokens;
        faults.max_items(&at.field("completion_tokens"), value.len(), 1000);
        let value = &self.rewards;
        faults.max_items(&at.field("rewards"), value.len(), 1000);
    }
}
impl Validate for types::TrainingJobGroupPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
        {
            let at = &at.field("data");
            for (index, item) in value.iter().enumerate() {
                item.validate(&at.index(index), faults);
            }
        }
    }
}
impl Validate for types::TrainingJobListEvent {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.ids {
            faults.max_items(&at.field("ids"), value.len(), 100);
        }
        self.job.validate(&at.field("job"), faults);
    }
}
impl Validate for types::TrainingJobPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
        {
            let at = &at.field("data");
            for (index, item) in value.iter().enumerate() {
                item.validate(&at.index(index), faults);
            }
        }
    }
}
impl Validate for types::TrainingJobResponse {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.estimate.validate(&at.field("estimate"), faults);
        if let Some(value) = &self.tags {
            faults.max_items(&at.field("tags"), value.len(), 20);
        }
        if let Some(value) = &self.warnings {
            faults.max_items(&at.field("warnings"), value.len(), 100);
            {
                let at = &at.field("warnings");
                for (index, item) in value.iter().enumerate() {
                    item.validate(&at.index(index), faults);
                }
            }
        }
    }
}
impl Validate for types::TrainingJobTrajectoryPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::Trajectory {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.exchanges.validate(&at.field("exchanges"), faults);
    }
}
impl Validate for types::TrajectoryGroup {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        self.trajectories.validate(&at.field("trajectories"), faults);
    }
}
impl Validate for types::TrajectoryLogPage {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 100);
    }
}
impl Validate for types::UpdateChatCompletion {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.metadata {
            faults.max_properties(&at.field("metadata"), value.len(), 16);
            {
                let at = &at.field("metadata");
                for (key, item) in value.iter() {
                    faults.max_length(&at.field(key), item.as_str(), 512);
                }
            }
        }
    }
}
impl Validate for types::UpdateTrainingJob {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(Some(value)) = &self.name {
            faults.min_length(&at.field("name"), value.as_str(), 1);
            faults.max_length(&at.field("name"), value.as_str(), 200);
            {
                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                );
                faults
                    .pattern(
                        &at.field("name"),
                        value.as_str(),
                        &PATTERN,
                        "must not contain control characters",
                    );
            }
        }
        if let Some(value) = &self.tags {
            faults.max_items(&at.field("tags"), value.len(), 20);
            {
                let at = &at.field("tags");
                for (index, item) in value.iter().enumerate() {
                    faults.min_length(&at.index(index), item.as_str(), 1);
                    faults.max_length(&at.index(index), item.as_str(), 64);
                    {
                        static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                            "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                        );
                        faults
                            .pattern(
                                &at.index(index),
                                item.as_str(),
                                &PATTERN,
                                "must not contain control characters",
                            );
                    }
                }
            }
        }
    }
}
impl Validate for types::UsageReport {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        let value = &self.data;
        faults.max_items(&at.field("data"), value.len(), 10000);
    }
}
impl Validate for types::WandbAnswer {
    fn validate(&self, at: &Location<'_>, faults: &mut Faults) {
        if let Some(value) = &self.errors {
            faults.max_items(&at.field("errors"), value.len(), 1);
        }
    }
}
