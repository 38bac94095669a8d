// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(
    clippy::all,
    missing_docs,
    deprecated,
    nonstandard_style,
    unreachable_pub,
    unused,
    rustdoc::all
)]
use crate::http::{self, Input as _};
/// Every operation of the document, aliases included.
pub const OPERATIONS: &[http::Operation] = &[
    http::Operation::new(
            "list_inference_chat_completions",
            "GET",
            "/chat/completions",
            "Chat",
            &["200", "401", "422", "default"],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("list_chat_completions")
        .extension(),
    http::Operation::new(
            "create_inference_chat_completion",
            "POST",
            "/chat/completions",
            "Chat",
            &[
                "200",
                "400",
                "401",
                "404",
                "406",
                "408",
                "413",
                "415",
                "422",
                "429",
                "503",
                "default",
            ],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("create_chat_completion")
        .extension(),
    http::Operation::new(
            "delete_inference_chat_completion",
            "DELETE",
            "/chat/completions/{completion_id}",
            "Chat",
            &["200", "401", "404", "default"],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("delete_chat_completion")
        .extension(),
    http::Operation::new(
            "get_inference_chat_completion",
            "GET",
            "/chat/completions/{completion_id}",
            "Chat",
            &["200", "401", "404", "default"],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("get_chat_completion")
        .extension(),
    http::Operation::new(
            "update_inference_chat_completion",
            "POST",
            "/chat/completions/{completion_id}",
            "Chat",
            &["200", "400", "401", "404", "408", "413", "415", "422", "default"],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("update_chat_completion")
        .extension(),
    http::Operation::new(
            "list_inference_chat_completion_messages",
            "GET",
            "/chat/completions/{completion_id}/messages",
            "Chat",
            &["200", "401", "404", "422", "default"],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("list_chat_completion_messages")
        .extension(),
    http::Operation::new(
            "create_inference_completion",
            "POST",
            "/completions",
            "Chat",
            &[
                "200",
                "400",
                "401",
                "404",
                "406",
                "408",
                "413",
                "415",
                "422",
                "429",
                "503",
                "default",
            ],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("create_completion")
        .extension(),
    chat::DetokenizeInput::OPERATION,
    wandb::LogWandbRunInput::OPERATION,
    wandb::QueryWandbInput::OPERATION,
    service::HealthInput::OPERATION,
    http::Operation::new(
            "create_inference_message",
            "POST",
            "/messages",
            "Chat",
            &[
                "200",
                "400",
                "401",
                "404",
                "406",
                "408",
                "413",
                "415",
                "422",
                "429",
                "503",
                "default",
            ],
        )
        .base("inference")
        .security(SECURITY)
        .alias_of("create_message")
        .extension(),
    http::Operation::new(
            "count_inference_message_tokens",
            "POST",
            "/messages/count_tokens",
            "Chat",
            &["200", "400", "401", "404", "408", "413", "415", "422", "default"],
        )
        .base("inference")
        .security(SECURITY)
        .alias_of("count_message_tokens")
        .extension(),
    service::GetMetricsInput::OPERATION,
    inference::ListInferenceModelsInput::OPERATION,
    http::Operation::new(
            "get_inference_model",
            "GET",
            "/models/{model}",
            "Inference",
            &["200", "401", "404", "default"],
        )
        .base("inference")
        .security(SECURITY)
        .alias_of("get_served_model")
        .extension(),
    http::Operation::new(
            "create_inference_response",
            "POST",
            "/responses",
            "Chat",
            &[
                "200",
                "400",
                "401",
                "404",
                "406",
                "408",
                "413",
                "415",
                "422",
                "429",
                "503",
                "default",
            ],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("create_response")
        .extension(),
    http::Operation::new(
            "compact_inference_response",
            "POST",
            "/responses/compact",
            "Chat",
            &[
                "200",
                "400",
                "401",
                "404",
                "408",
                "413",
                "415",
                "422",
                "429",
                "503",
                "default",
            ],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("compact_response")
        .extension(),
    http::Operation::new(
            "count_inference_response_tokens",
            "POST",
            "/responses/input_tokens",
            "Chat",
            &["200", "400", "401", "404", "408", "413", "415", "422", "default"],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("count_response_tokens")
        .extension(),
    http::Operation::new(
            "delete_inference_response",
            "DELETE",
            "/responses/{response_id}",
            "Chat",
            &["200", "401", "404", "default"],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("delete_response")
        .extension(),
    http::Operation::new(
            "get_inference_response",
            "GET",
            "/responses/{response_id}",
            "Chat",
            &["200", "401", "404", "406", "422", "default"],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("get_response")
        .extension(),
    http::Operation::new(
            "cancel_inference_response",
            "POST",
            "/responses/{response_id}/cancel",
            "Chat",
            &["200", "401", "404", "409", "default"],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("cancel_response")
        .extension(),
    http::Operation::new(
            "list_inference_response_input_items",
            "GET",
            "/responses/{response_id}/input_items",
            "Chat",
            &["200", "401", "404", "422", "default"],
        )
        .base("inference")
        .security(SECURITY_4)
        .alias_of("list_response_input_items")
        .extension(),
    chat::TokenizeInput::OPERATION,
    chat::GetTokenizerInfoInput::OPERATION,
    batches::ListBatchesInput::OPERATION,
    batches::CreateBatchInput::OPERATION,
    batches::GetBatchInput::OPERATION,
    batches::CancelBatchInput::OPERATION,
    chat::ListChatCompletionsInput::OPERATION,
    chat::CreateChatCompletionInput::OPERATION,
    http::Operation::new(
            "create_chat_completion_trailing_slash",
            "POST",
            "/v1/chat/completions/",
            "Chat",
            &[
                "200",
                "400",
                "401",
                "404",
                "406",
                "408",
                "413",
                "415",
                "422",
                "429",
                "503",
                "default",
            ],
        )
        .security(SECURITY_4)
        .alias_of("create_chat_completion"),
    chat::DeleteChatCompletionInput::OPERATION,
    chat::GetChatCompletionInput::OPERATION,
    chat::UpdateChatCompletionInput::OPERATION,
    chat::ListChatCompletionMessagesInput::OPERATION,
    chat::CreateCompletionInput::OPERATION,
    files::ListFilesInput::OPERATION,
    files::CreateFileInput::OPERATION,
    files::DeleteFileInput::OPERATION,
    files::GetFileInput::OPERATION,
    files::GetFileContentInput::OPERATION,
    fine_tuning::ListFineTuningJobsInput::OPERATION,
    fine_tuning::CreateFineTuningJobInput::OPERATION,
    fine_tuning::GetFineTuningJobInput::OPERATION,
    fine_tuning::CancelFineTuningJobInput::OPERATION,
    fine_tuning::ListFineTuningJobCheckpointsInput::OPERATION,
    fine_tuning::ListFineTuningJobEventsInput::OPERATION,
    service::CheckKeyInput::OPERATION,
    chat::CreateMessageInput::OPERATION,
    batches::ListMessageBatchesInput::OPERATION,
    batches::CreateMessageBatchInput::OPERATION,
    batches::DeleteMessageBatchInput::OPERATION,
    batches::GetMessageBatchInput::OPERATION,
    batches::CancelMessageBatchInput::OPERATION,
    batches::GetMessageBatchResultsInput::OPERATION,
    chat::CountMessageTokensInput::OPERATION,
    inference::ListServedModelsInput::OPERATION,
    inference::GetServedModelInput::OPERATION,
    admin::ListKeysInput::OPERATION,
    admin::CreateKeyInput::OPERATION,
    admin::SetKeyLimitsInput::OPERATION,
    admin::RevokeKeyInput::OPERATION,
    admin::ListAllTrainingJobsInput::OPERATION,
    admin::ListWorkersInput::OPERATION,
    models::ListBaseModelsInput::OPERATION,
    service::GetKeyInput::OPERATION,
    models::ListModelsInput::OPERATION,
    models::CreateModelInput::OPERATION,
    models::DeleteModelInput::OPERATION,
    models::GetModelInput::OPERATION,
    checkpoints::AddCheckpointInput::OPERATION,
    checkpoints::DeleteCheckpointsInput::OPERATION,
    checkpoints::ListCheckpointsInput::OPERATION,
    checkpoints::GetCheckpointInput::OPERATION,
    checkpoints::GetCheckpointArchiveInput::OPERATION,
    checkpoints::GetCheckpointExportInput::OPERATION,
    checkpoints::GetCheckpointFileInput::OPERATION,
    checkpoints::GetCheckpointManifestInput::OPERATION,
    models::ListTrajectoryLogsInput::OPERATION,
    models::LogTrajectoriesInput::OPERATION,
    models::ListTrajectoryLogGroupsInput::OPERATION,
    models::ListTrajectoryLogTrajectoriesInput::OPERATION,
    checkpoints::ListManifestsInput::OPERATION,
    models::GetModelMetricsInput::OPERATION,
    service::GetServerInput::OPERATION,
    sessions::ListSessionsInput::OPERATION,
    sessions::CreateSessionInput::OPERATION,
    sessions::DeleteSessionInput::OPERATION,
    sessions::GetSessionInput::OPERATION,
    sessions::RewardSessionInput::OPERATION,
    training_jobs::CreateSftTrainingJobInput::OPERATION,
    training_jobs::ListTrainingJobsInput::OPERATION,
    training_jobs::CreateTrainingJobInput::OPERATION,
    training_jobs::GetTrainingJobInput::OPERATION,
    training_jobs::UpdateTrainingJobInput::OPERATION,
    training_jobs::CancelTrainingJobInput::OPERATION,
    training_jobs::ListTrainingJobDropsInput::OPERATION,
    training_jobs::ListTrainingJobEventsInput::OPERATION,
    training_jobs::ListTrainingJobGroupsInput::OPERATION,
    training_jobs::ListTrainingJobTrajectoriesInput::OPERATION,
    training_jobs::GetTrainingJobMetricsInput::OPERATION,
    service::GetUsageInput::OPERATION,
    chat::CreateResponseInput::OPERATION,
    chat::CompactResponseInput::OPERATION,
    chat::CountResponseTokensInput::OPERATION,
    chat::DeleteResponseInput::OPERATION,
    chat::GetResponseInput::OPERATION,
    chat::CancelResponseInput::OPERATION,
    chat::ListResponseInputItemsInput::OPERATION,
    service::CheckSystemInput::OPERATION,
    wandb::PutWandbFileInput::OPERATION,
    wandb::GetWandbManifestInput::OPERATION,
];
const SECURITY: http::Security = &[
    &[
        http::Requirement {
            scheme: "bearer",
            carrier: http::Carrier::Bearer,
            scopes: &[],
        },
    ],
    &[
        http::Requirement {
            scheme: "apiKey",
            carrier: http::Carrier::Header("x-api-key"),
            scopes: &[],
        },
    ],
];
const SECURITY_2: http::Security = &[
    &[
        http::Requirement {
            scheme: "bearer",
            carrier: http::Carrier::Bearer,
            scopes: &[],
        },
    ],
    &[
        http::Requirement {
            scheme: "basic",
            carrier: http::Carrier::Basic,
            scopes: &[],
        },
    ],
];
const SECURITY_3: http::Security = &[
    &[
        http::Requirement {
            scheme: "bearer",
            carrier: http::Carrier::Bearer,
            scopes: &[],
        },
    ],
    &[
        http::Requirement {
            scheme: "downloadToken",
            carrier: http::Carrier::Query("token"),
            scopes: &[],
        },
    ],
];
const SECURITY_4: http::Security = &[
    &[
        http::Requirement {
            scheme: "bearer",
            carrier: http::Carrier::Bearer,
            scopes: &[],
        },
    ],
];
/// The routes of every tag at the document's own base address.
pub fn router<
    A: admin::Admin + batches::Batches + chat::Chat + checkpoints::Checkpoints
        + files::Files + fine_tuning::FineTuning + inference::Inference + models::Models
        + service::Service + sessions::Sessions + training_jobs::TrainingJobs
        + wandb::Wandb,
>(api: ::std::sync::Arc<A>) -> http::Router {
    http::Router::new()
        .merge(admin::admin_routes(api.clone()))
        .merge(batches::batches_routes(api.clone()))
        .merge(chat::chat_routes(api.clone()))
        .merge(checkpoints::checkpoints_routes(api.clone()))
        .merge(files::files_routes(api.clone()))
        .merge(fine_tuning::fine_tuning_routes(api.clone()))
        .merge(inference::inference_routes(api.clone()))
        .merge(models::models_routes(api.clone()))
        .merge(service::service_routes(api.clone()))
        .merge(sessions::sessions_routes(api.clone()))
        .merge(training_jobs::training_jobs_routes(api.clone()))
        .merge(wandb::wandb_routes(api.clone()))
}
/// The routes of every tag at the inference base address.
pub fn inference_router<A: chat::Chat + inference::Inference>(
    api: ::std::sync::Arc<A>,
) -> http::Router {
    http::Router::new()
        .merge(chat::chat_inference_routes(api.clone()))
        .merge(inference::inference_inference_routes(api.clone()))
}
/// Keys, workers and jobs of every entity, for operators. These operations need a key of `trainyard keys create --admin`;
/// any other key gets 403.
pub mod admin {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// Keys, workers and jobs of every entity, for operators. These operations need a key of `trainyard keys create --admin`;
    /// any other key gets 403.
    pub trait Admin: http::Authenticate {
        /// List keys
        ///
        /// Lists the keys of every entity by creation time, including revoked ones. The keys themselves are not stored and cannot be shown.
        ///
        /// `GET /v1/preview/admin/keys`
        fn list_keys(
            &self,
            caller: Self::Caller,
            input: ListKeysInput,
        ) -> impl Future<Output = Result<ListKeysOutput, http::ApiError>> + Send;
        /// Create key
        ///
        /// Creates a key. The response is the only place that has its text.
        ///
        /// `POST /v1/preview/admin/keys`
        fn create_key(
            &self,
            caller: Self::Caller,
            input: CreateKeyInput,
        ) -> impl Future<Output = Result<CreateKeyOutput, http::ApiError>> + Send;
        /// Set the limits of a key
        ///
        /// Replaces all limits of a key. The change applies within a second; a limit that is left out is removed.
        ///
        /// `PUT /v1/preview/admin/keys/{key_id}/limits`
        fn set_key_limits(
            &self,
            caller: Self::Caller,
            input: SetKeyLimitsInput,
        ) -> impl Future<Output = Result<SetKeyLimitsOutput, http::ApiError>> + Send;
        /// Revoke key
        ///
        /// Revokes a key for good. Servers reject it within a second, and end its streams and dashboard sessions. Revoking a revoked key changes nothing.
        ///
        /// `POST /v1/preview/admin/keys/{key_id}/revoke`
        fn revoke_key(
            &self,
            caller: Self::Caller,
            input: RevokeKeyInput,
        ) -> impl Future<Output = Result<RevokeKeyOutput, http::ApiError>> + Send;
        /// List the jobs of every entity
        ///
        /// Lists the RL and SFT jobs of every entity by creation time, each with its `entity`.
        ///
        /// `GET /v1/preview/admin/training-jobs`
        fn list_all_training_jobs(
            &self,
            caller: Self::Caller,
            input: ListAllTrainingJobsInput,
        ) -> impl Future<
            Output = Result<ListAllTrainingJobsOutput, http::ApiError>,
        > + Send;
        /// List workers
        ///
        /// Lists the processes that run jobs, by their own reports of every 15 s, with the jobs that they hold. A worker that ends without a report, for example in a crash, is listed for a day.
        ///
        /// `GET /v1/preview/admin/workers`
        fn list_workers(
            &self,
            caller: Self::Caller,
            input: ListWorkersInput,
        ) -> impl Future<Output = Result<ListWorkersOutput, http::ApiError>> + Send;
    }
    /// `GET /v1/preview/admin/keys`
    #[derive(Clone, Debug)]
    pub struct ListKeysInput {
        /// Entity of the keys. Default: every entity.
        pub entity: Option<String>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
    }
    impl http::Input for ListKeysInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_keys",
                "GET",
                "/v1/preview/admin/keys",
                "Admin",
                &["200", "401", "403", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "entity", "limit", "order"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                entity: call
                    .checked_option(
                        "entity",
                        call.optional::<String>(&query("entity", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 128);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain control characters",
                                    );
                            }
                        },
                    ),
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
            })
        }
    }
    /// `POST /v1/preview/admin/keys`
    #[derive(Clone, Debug)]
    pub struct CreateKeyInput {
        /// Owner, name and limits of the key.
        pub body: types::CreateKey,
    }
    impl http::Input for CreateKeyInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_key",
                "POST",
                "/v1/preview/admin/keys",
                "Admin",
                &[
                    "200",
                    "400",
                    "401",
                    "403",
                    "408",
                    "413",
                    "415",
                    "422",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                body: call
                    .only("application/json")?
                    .json::<
                        types::CreateKey,
                    >(65536, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `PUT /v1/preview/admin/keys/{key_id}/limits`
    #[derive(Clone, Debug)]
    pub struct SetKeyLimitsInput {
        /// UUID of a key. Any other value returns 404.
        pub key_id: String,
        /// All limits of the key.
        pub body: types::KeyLimits,
    }
    impl http::Input for SetKeyLimitsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "set_key_limits",
                "PUT",
                "/v1/preview/admin/keys/{key_id}/limits",
                "Admin",
                &[
                    "200",
                    "400",
                    "401",
                    "403",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                key_id: call.required(&path("key_id", STRING))?,
                body: call
                    .only("application/json")?
                    .json::<types::KeyLimits>(65536, true, http::unlimited)
                    .await?,
            })
        }
    }
    /// `POST /v1/preview/admin/keys/{key_id}/revoke`
    #[derive(Clone, Debug)]
    pub struct RevokeKeyInput {
        /// UUID of a key. Any other value returns 404.
        pub key_id: String,
    }
    impl http::Input for RevokeKeyInput {
        const OPERATION: http::Operation = http::Operation::new(
                "revoke_key",
                "POST",
                "/v1/preview/admin/keys/{key_id}/revoke",
                "Admin",
                &["200", "401", "403", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                key_id: call.required(&path("key_id", STRING))?,
            })
        }
    }
    /// `GET /v1/preview/admin/training-jobs`
    #[derive(Clone, Debug)]
    pub struct ListAllTrainingJobsInput {
        /// Status of the jobs.
        pub status: Option<types::TrainingJobStatus>,
        /// Training type of the jobs.
        pub kind: Option<types::TrainingJobKind>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
    }
    impl http::Input for ListAllTrainingJobsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_all_training_jobs",
                "GET",
                "/v1/preview/admin/training-jobs",
                "Admin",
                &["200", "401", "403", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "kind", "limit", "order", "status"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                status: call
                    .optional(
                        &query(
                            "status",
                            string(
                                "one of `queued`, `running`, `succeeded`, `failed`, `cancelled`",
                            ),
                        ),
                    )?,
                kind: call.optional(&query("kind", string("one of `rl`, `sft`")))?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
            })
        }
    }
    /// `GET /v1/preview/admin/workers`
    #[derive(Clone, Debug)]
    pub struct ListWorkersInput {}
    impl http::Input for ListWorkersInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_workers",
                "GET",
                "/v1/preview/admin/workers",
                "Admin",
                &["200", "401", "403", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {})
        }
    }
    /// `GET /v1/preview/admin/keys`
    #[derive(Debug)]
    pub enum ListKeysOutput {
        /// One page of keys.
        Ok(types::KeyPage),
    }
    impl From<types::KeyPage> for ListKeysOutput {
        fn from(body: types::KeyPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListKeysOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/preview/admin/keys`
    #[derive(Debug)]
    pub enum CreateKeyOutput {
        /// The new key, with its text.
        Ok(types::CreatedKey),
    }
    impl From<types::CreatedKey> for CreateKeyOutput {
        fn from(body: types::CreatedKey) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CreateKeyOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `PUT /v1/preview/admin/keys/{key_id}/limits`
    #[derive(Debug)]
    pub enum SetKeyLimitsOutput {
        /// The key with its present limits and state.
        Ok(types::KeySummary),
    }
    impl From<types::KeySummary> for SetKeyLimitsOutput {
        fn from(body: types::KeySummary) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for SetKeyLimitsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/preview/admin/keys/{key_id}/revoke`
    #[derive(Debug)]
    pub enum RevokeKeyOutput {
        /// The key with its present limits and state.
        Ok(types::KeySummary),
    }
    impl From<types::KeySummary> for RevokeKeyOutput {
        fn from(body: types::KeySummary) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for RevokeKeyOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/admin/training-jobs`
    #[derive(Debug)]
    pub enum ListAllTrainingJobsOutput {
        /// One page of jobs.
        Ok(types::TrainingJobPage),
    }
    impl From<types::TrainingJobPage> for ListAllTrainingJobsOutput {
        fn from(body: types::TrainingJobPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListAllTrainingJobsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/admin/workers`
    #[derive(Debug)]
    pub enum ListWorkersOutput {
        /// All workers, longest running first.
        Ok(types::WorkerList),
    }
    impl From<types::WorkerList> for ListWorkersOutput {
        fn from(body: types::WorkerList) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListWorkersOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn admin_routes<A: Admin>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::list_keys))
            .add(http::secured(A::create_key))
            .add(http::secured(A::set_key_limits))
            .add(http::secured(A::revoke_key))
            .add(http::secured(A::list_all_training_jobs))
            .add(http::secured(A::list_workers))
            .router()
    }
}
/// Requests of a file that are handled when nobody waits for a response, in the format of OpenAI's batches: evaluations and
/// rollouts of thousands of prompts. Any client library for that format works with the base URL `{base_url}/v1`. A batch resumes
/// after a restart, and each of its requests has one response. Batches of messages have the format of Anthropic's Message
/// Batches, too, with the base URL `{base_url}`.
pub mod batches {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// Requests of a file that are handled when nobody waits for a response, in the format of OpenAI's batches: evaluations and
    /// rollouts of thousands of prompts. Any client library for that format works with the base URL `{base_url}/v1`. A batch resumes
    /// after a restart, and each of its requests has one response. Batches of messages have the format of Anthropic's Message
    /// Batches, too, with the base URL `{base_url}`.
    pub trait Batches: http::Authenticate {
        /// List batches
        ///
        /// Lists the batches of the key's entity, newest first.
        ///
        /// `GET /v1/batches`
        fn list_batches(
            &self,
            caller: Self::Caller,
            input: ListBatchesInput,
        ) -> impl Future<Output = Result<ListBatchesOutput, http::ApiError>> + Send;
        /// Create batch
        ///
        /// Queues the requests of a file. The file has JSON Lines, each `{"custom_id": …, "method": "POST", "url": …, "body": …}`: an
        /// id that no other line has, the `endpoint` of the batch as `url`, and the body of one request to it, which is not streamed.
        /// It has at most 50,000 lines, 200 MB, and 8 MiB a line.
        ///
        /// The file is checked first. A file with a fault ends the batch as `failed`, with the numbers of the lines in `errors`. The
        /// requests are then handled as any other, under the key that created the batch, when nobody waits for a response. Those that
        /// fail are in the file of `error_file_id`, all others in that of `output_file_id`, in the order of the lines; the files
        /// exist when the batch has ended.
        ///
        /// At most 100 batches of one entity may be under way; more return 429.
        ///
        /// `POST /v1/batches`
        fn create_batch(
            &self,
            caller: Self::Caller,
            input: CreateBatchInput,
        ) -> impl Future<Output = Result<CreateBatchOutput, http::ApiError>> + Send;
        /// Get batch
        ///
        /// Returns the state of a batch.
        ///
        /// `GET /v1/batches/{batch_id}`
        fn get_batch(
            &self,
            caller: Self::Caller,
            input: GetBatchInput,
        ) -> impl Future<Output = Result<GetBatchOutput, http::ApiError>> + Send;
        /// Cancel batch
        ///
        /// Cancels a batch. Its status is `cancelling` until the responses so far are in its files, then `cancelled`. Cancelling a cancelled batch again returns it unchanged. A batch that has ended otherwise, or whose files are being written, returns 409.
        ///
        /// `POST /v1/batches/{batch_id}/cancel`
        fn cancel_batch(
            &self,
            caller: Self::Caller,
            input: CancelBatchInput,
        ) -> impl Future<Output = Result<CancelBatchOutput, http::ApiError>> + Send;
        /// List message batches
        ///
        /// Lists the batches of messages of the key's entity, newest first.
        ///
        /// `GET /v1/messages/batches`
        fn list_message_batches(
            &self,
            caller: Self::Caller,
            input: ListMessageBatchesInput,
        ) -> impl Future<
            Output = Result<ListMessageBatchesOutput, http::ApiError>,
        > + Send;
        /// Create message batch
        ///
        /// Queues requests for messages in the format of Anthropic's Message Batches API. They are handled as those of
        /// `POST /v1/batches` with the endpoint `/v1/messages`, and each API has the batches of the other. The requests are at most
        /// 10,000 with 64 MiB, and 8 MiB each.
        ///
        /// The requests are kept as a file of purpose `batch` and the results as files of purpose `batch_output`, for 29 days or
        /// until the batch is deleted. At most 100 batches of one entity may be under way; more return 429.
        ///
        /// `POST /v1/messages/batches`
        fn create_message_batch(
            &self,
            caller: Self::Caller,
            input: CreateMessageBatchInput,
        ) -> impl Future<
            Output = Result<CreateMessageBatchOutput, http::ApiError>,
        > + Send;
        /// Delete message batch
        ///
        /// Deletes a batch of messages that has ended, with its results. One that has not ended returns 409. Takes no body; a body is ignored.
        ///
        /// `DELETE /v1/messages/batches/{message_batch_id}`
        fn delete_message_batch(
            &self,
            caller: Self::Caller,
            input: DeleteMessageBatchInput,
        ) -> impl Future<
            Output = Result<DeleteMessageBatchOutput, http::ApiError>,
        > + Send;
        /// Get message batch
        ///
        /// Returns the state of a batch of messages.
        ///
        /// `GET /v1/messages/batches/{message_batch_id}`
        fn get_message_batch(
            &self,
            caller: Self::Caller,
            input: GetMessageBatchInput,
        ) -> impl Future<Output = Result<GetMessageBatchOutput, http::ApiError>> + Send;
        /// Cancel message batch
        ///
        /// Cancels a batch of messages. Its status is `canceling` until the results are written. Cancelling a cancelled batch again returns it unchanged; a batch that has ended otherwise returns 409. Takes no body; a body is ignored.
        ///
        /// `POST /v1/messages/batches/{message_batch_id}/cancel`
        fn cancel_message_batch(
            &self,
            caller: Self::Caller,
            input: CancelMessageBatchInput,
        ) -> impl Future<
            Output = Result<CancelMessageBatchOutput, http::ApiError>,
        > + Send;
        /// Get results of a message batch
        ///
        /// Returns the results of a batch of messages that has ended, as JSON Lines: first the messages, then the failures, each in the order of the requests. A batch that has not ended returns 409.
        ///
        /// `GET /v1/messages/batches/{message_batch_id}/results`
        fn get_message_batch_results(
            &self,
            caller: Self::Caller,
            input: GetMessageBatchResultsInput,
        ) -> impl Future<
            Output = Result<GetMessageBatchResultsOutput, http::ApiError>,
        > + Send;
    }
    /// `GET /v1/batches`
    #[derive(Clone, Debug)]
    pub struct ListBatchesInput {
        /// Cursor: the `last_id` of the previous page. Without it, the listing starts with the newest batch. A batch that is not in the listing returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    impl http::Input for ListBatchesInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_batches",
                "GET",
                "/v1/batches",
                "Batches",
                &["200", "401", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["after", "limit"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^batch_[0-9a-f]{32}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of a batch, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
            })
        }
    }
    /// `POST /v1/batches`
    #[derive(Clone, Debug)]
    pub struct CreateBatchInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<String>,
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<String>,
        /// File of requests and their endpoint.
        pub body: types::CreateBatch,
    }
    impl http::Input for CreateBatchInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_batch",
                "POST",
                "/v1/batches",
                "Batches",
                &["200", "400", "401", "404", "408", "413", "415", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                idempotency_key: call
                    .checked_option(
                        "Idempotency-Key",
                        call.optional::<String>(&header("Idempotency-Key", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 255);
                        },
                    ),
                vendor_project: call
                    .checked_option(
                        "Vendor-Project",
                        call.optional::<String>(&header("Vendor-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                open_ai_project: call
                    .checked_option(
                        "OpenAI-Project",
                        call.optional::<String>(&header("OpenAI-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                body: call
                    .only("application/json")?
                    .json::<
                        types::CreateBatch,
                    >(1048576, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `GET /v1/batches/{batch_id}`
    #[derive(Clone, Debug)]
    pub struct GetBatchInput {
        /// The `id` of a batch. Any other value returns 404.
        pub batch_id: String,
    }
    impl http::Input for GetBatchInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_batch",
                "GET",
                "/v1/batches/{batch_id}",
                "Batches",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                batch_id: call.required(&path("batch_id", STRING))?,
            })
        }
    }
    /// `POST /v1/batches/{batch_id}/cancel`
    #[derive(Clone, Debug)]
    pub struct CancelBatchInput {
        /// The `id` of a batch. Any other value returns 404.
        pub batch_id: String,
    }
    impl http::Input for CancelBatchInput {
        const OPERATION: http::Operation = http::Operation::new(
                "cancel_batch",
                "POST",
                "/v1/batches/{batch_id}/cancel",
                "Batches",
                &["200", "401", "404", "409", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                batch_id: call.required(&path("batch_id", STRING))?,
            })
        }
    }
    /// `GET /v1/messages/batches`
    #[derive(Clone, Debug)]
    pub struct ListMessageBatchesInput {
        /// The host and port that the caller used; URLs in the response begin with it.
        pub host: Option<String>,
        /// `https` behind a proxy that terminates TLS; URLs in the response begin with it.
        pub x_forwarded_proto: Option<String>,
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
        /// Cursor: the `last_id` of a page, which the page follows. A batch that is not in the listing returns 422.
        pub after_id: Option<String>,
        /// Cursor: the `first_id` of a page, which the page precedes. A batch that is not in the listing returns 422, and so does a request with both cursors.
        pub before_id: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    impl http::Input for ListMessageBatchesInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_message_batches",
                "GET",
                "/v1/messages/batches",
                "Batches",
                &["200", "401", "422", "default"],
            )
            .security(super::SECURITY)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after_id", "before_id", "beta", "limit"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                host: call
                    .checked_option(
                        "Host",
                        call.optional::<String>(&header("Host", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 512);
                        },
                    ),
                x_forwarded_proto: call
                    .checked_option(
                        "X-Forwarded-Proto",
                        call.optional::<String>(&header("X-Forwarded-Proto", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 16);
                        },
                    ),
                beta: call.optional(&query("beta", BOOLEAN))?,
                after_id: call
                    .checked_option(
                        "after_id",
                        call.optional::<String>(&query("after_id", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^msgbatch_[0-9a-f]{32}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of a batch of messages, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                before_id: call
                    .checked_option(
                        "before_id",
                        call.optional::<String>(&query("before_id", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^msgbatch_[0-9a-f]{32}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of a batch of messages, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 1000")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 1000);
                        },
                    ),
            })
        }
    }
    /// `POST /v1/messages/batches`
    #[derive(Clone, Debug)]
    pub struct CreateMessageBatchInput {
        /// The host and port that the caller used; URLs in the response begin with it.
        pub host: Option<String>,
        /// `https` behind a proxy that terminates TLS; URLs in the response begin with it.
        pub x_forwarded_proto: Option<String>,
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<String>,
        /// The requests.
        pub body: types::CreateMessageBatch,
    }
    impl http::Input for CreateMessageBatchInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_message_batch",
                "POST",
                "/v1/messages/batches",
                "Batches",
                &["200", "400", "401", "408", "413", "415", "422", "default"],
            )
            .security(super::SECURITY)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["beta"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                host: call
                    .checked_option(
                        "Host",
                        call.optional::<String>(&header("Host", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 512);
                        },
                    ),
                x_forwarded_proto: call
                    .checked_option(
                        "X-Forwarded-Proto",
                        call.optional::<String>(&header("X-Forwarded-Proto", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 16);
                        },
                    ),
                beta: call.optional(&query("beta", BOOLEAN))?,
                vendor_project: call
                    .checked_option(
                        "Vendor-Project",
                        call.optional::<String>(&header("Vendor-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                open_ai_project: call
                    .checked_option(
                        "OpenAI-Project",
                        call.optional::<String>(&header("OpenAI-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                body: call
                    .only("application/json")?
                    .json::<
                        types::CreateMessageBatch,
                    >(67108864, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `DELETE /v1/messages/batches/{message_batch_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteMessageBatchInput {
        /// The `id` of a batch of messages. Any other value returns 404.
        pub message_batch_id: String,
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
    }
    impl http::Input for DeleteMessageBatchInput {
        const OPERATION: http::Operation = http::Operation::new(
                "delete_message_batch",
                "DELETE",
                "/v1/messages/batches/{message_batch_id}",
                "Batches",
                &["200", "401", "404", "409", "default"],
            )
            .security(super::SECURITY)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["beta"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                message_batch_id: call.required(&path("message_batch_id", STRING))?,
                beta: call.optional(&query("beta", BOOLEAN))?,
            })
        }
    }
    /// `GET /v1/messages/batches/{message_batch_id}`
    #[derive(Clone, Debug)]
    pub struct GetMessageBatchInput {
        /// The `id` of a batch of messages. Any other value returns 404.
        pub message_batch_id: String,
        /// The host and port that the caller used; URLs in the response begin with it.
        pub host: Option<String>,
        /// `https` behind a proxy that terminates TLS; URLs in the response begin with it.
        pub x_forwarded_proto: Option<String>,
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
    }
    impl http::Input for GetMessageBatchInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_message_batch",
                "GET",
                "/v1/messages/batches/{message_batch_id}",
                "Batches",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["beta"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                message_batch_id: call.required(&path("message_batch_id", STRING))?,
                host: call
                    .checked_option(
                        "Host",
                        call.optional::<String>(&header("Host", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 512);
                        },
                    ),
                x_forwarded_proto: call
                    .checked_option(
                        "X-Forwarded-Proto",
                        call.optional::<String>(&header("X-Forwarded-Proto", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 16);
                        },
                    ),
                beta: call.optional(&query("beta", BOOLEAN))?,
            })
        }
    }
    /// `POST /v1/messages/batches/{message_batch_id}/cancel`
    #[derive(Clone, Debug)]
    pub struct CancelMessageBatchInput {
        /// The `id` of a batch of messages. Any other value returns 404.
        pub message_batch_id: String,
        /// The host and port that the caller used; URLs in the response begin with it.
        pub host: Option<String>,
        /// `https` behind a proxy that terminates TLS; URLs in the response begin with it.
        pub x_forwarded_proto: Option<String>,
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
    }
    impl http::Input for CancelMessageBatchInput {
        const OPERATION: http::Operation = http::Operation::new(
                "cancel_message_batch",
                "POST",
                "/v1/messages/batches/{message_batch_id}/cancel",
                "Batches",
                &["200", "401", "404", "409", "default"],
            )
            .security(super::SECURITY)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["beta"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                message_batch_id: call.required(&path("message_batch_id", STRING))?,
                host: call
                    .checked_option(
                        "Host",
                        call.optional::<String>(&header("Host", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 512);
                        },
                    ),
                x_forwarded_proto: call
                    .checked_option(
                        "X-Forwarded-Proto",
                        call.optional::<String>(&header("X-Forwarded-Proto", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 16);
                        },
                    ),
                beta: call.optional(&query("beta", BOOLEAN))?,
            })
        }
    }
    /// `GET /v1/messages/batches/{message_batch_id}/results`
    #[derive(Clone, Debug)]
    pub struct GetMessageBatchResultsInput {
        /// The `id` of a batch of messages. Any other value returns 404.
        pub message_batch_id: String,
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
    }
    impl http::Input for GetMessageBatchResultsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_message_batch_results",
                "GET",
                "/v1/messages/batches/{message_batch_id}/results",
                "Batches",
                &["200", "401", "404", "409", "default"],
            )
            .security(super::SECURITY)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["beta"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                message_batch_id: call.required(&path("message_batch_id", STRING))?,
                beta: call.optional(&query("beta", BOOLEAN))?,
            })
        }
    }
    /// `GET /v1/batches`
    #[derive(Debug)]
    pub enum ListBatchesOutput {
        /// One page of batches.
        Ok(types::BatchPage),
    }
    impl From<types::BatchPage> for ListBatchesOutput {
        fn from(body: types::BatchPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListBatchesOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug, Default)]
    pub struct CreateBatchOkHeaders {
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/batches`
    #[derive(Debug)]
    pub enum CreateBatchOutput {
        /// The batch.
        Ok { headers: CreateBatchOkHeaders, body: types::Batch },
    }
    impl http::IntoResponse for CreateBatchOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        http::response::json(200, "application/json", &body),
                        [
                            (
                                "Idempotency-Replayed",
                                http::response::header(
                                    &headers.idempotency_replayed,
                                    false,
                                    false,
                                ),
                            ),
                        ],
                    )
                }
            }
        }
    }
    /// `GET /v1/batches/{batch_id}`
    #[derive(Debug)]
    pub enum GetBatchOutput {
        /// The batch.
        Ok(types::Batch),
    }
    impl From<types::Batch> for GetBatchOutput {
        fn from(body: types::Batch) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetBatchOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/batches/{batch_id}/cancel`
    #[derive(Debug)]
    pub enum CancelBatchOutput {
        /// The batch.
        Ok(types::Batch),
    }
    impl From<types::Batch> for CancelBatchOutput {
        fn from(body: types::Batch) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CancelBatchOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/messages/batches`
    #[derive(Debug)]
    pub enum ListMessageBatchesOutput {
        /// One page of batches.
        Ok(types::MessageBatchPage),
    }
    impl From<types::MessageBatchPage> for ListMessageBatchesOutput {
        fn from(body: types::MessageBatchPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListMessageBatchesOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/messages/batches`
    #[derive(Debug)]
    pub enum CreateMessageBatchOutput {
        /// The batch.
        Ok(types::MessageBatch),
    }
    impl From<types::MessageBatch> for CreateMessageBatchOutput {
        fn from(body: types::MessageBatch) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CreateMessageBatchOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `DELETE /v1/messages/batches/{message_batch_id}`
    #[derive(Debug)]
    pub enum DeleteMessageBatchOutput {
        /// The batch is deleted.
        Ok(types::DeletedMessageBatch),
    }
    impl From<types::DeletedMessageBatch> for DeleteMessageBatchOutput {
        fn from(body: types::DeletedMessageBatch) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for DeleteMessageBatchOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/messages/batches/{message_batch_id}`
    #[derive(Debug)]
    pub enum GetMessageBatchOutput {
        /// The batch.
        Ok(types::MessageBatch),
    }
    impl From<types::MessageBatch> for GetMessageBatchOutput {
        fn from(body: types::MessageBatch) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetMessageBatchOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/messages/batches/{message_batch_id}/cancel`
    #[derive(Debug)]
    pub enum CancelMessageBatchOutput {
        /// The batch.
        Ok(types::MessageBatch),
    }
    impl From<types::MessageBatch> for CancelMessageBatchOutput {
        fn from(body: types::MessageBatch) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CancelMessageBatchOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/messages/batches/{message_batch_id}/results`
    #[derive(Debug)]
    pub enum GetMessageBatchResultsOutput {
        /// The results.
        Ok(http::Download),
    }
    impl From<http::Download> for GetMessageBatchResultsOutput {
        fn from(body: http::Download) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetMessageBatchResultsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => body.response(200, "application/x-jsonl"),
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn batches_routes<A: Batches>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::list_batches))
            .add(http::secured(A::create_batch))
            .add(http::secured(A::get_batch))
            .add(http::secured(A::cancel_batch))
            .add(http::secured(A::list_message_batches))
            .add(http::secured(A::create_message_batch))
            .add(http::secured(A::delete_message_batch))
            .add(http::secured(A::get_message_batch))
            .add(http::secured(A::cancel_message_batch))
            .add(http::secured(A::get_message_batch_results))
            .router()
    }
}
/// Sampling, compatible with OpenAI's chat completions. Any client library for that format works with the base URL
/// `{base_url}/v1`.
///
/// `model` selects the weights. `organization/model` is a base model. `wandb-artifact:///entity/project/name` is the
/// newest step of a trained model; with `:stepN` it is that step. `:step0` is the untrained model. The prefix
/// `wandb-artifact:///` may be omitted.
///
/// Unlike OpenAI's API, each choice always carries `logprobs`, and each `token` in it is `token_id:N`, with N the id
/// of the token in the vocabulary. Send choices back unchanged to train on exactly the sampled tokens.
pub mod chat {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// Sampling, compatible with OpenAI's chat completions. Any client library for that format works with the base URL
    /// `{base_url}/v1`.
    ///
    /// `model` selects the weights. `organization/model` is a base model. `wandb-artifact:///entity/project/name` is the
    /// newest step of a trained model; with `:stepN` it is that step. `:step0` is the untrained model. The prefix
    /// `wandb-artifact:///` may be omitted.
    ///
    /// Unlike OpenAI's API, each choice always carries `logprobs`, and each `token` in it is `token_id:N`, with N the id
    /// of the token in the vocabulary. Send choices back unchanged to train on exactly the sampled tokens.
    pub trait Chat: http::Authenticate {
        /// Detokenize
        ///
        /// Returns the text of tokens, in vLLM's form. Control tokens are written as in the vocabulary, so that the text has the same tokens again.
        ///
        /// `POST /detokenize`
        fn detokenize(
            &self,
            caller: Self::Caller,
            input: DetokenizeInput,
        ) -> impl Future<Output = Result<DetokenizeOutput, http::ApiError>> + Send;
        /// Tokenize
        ///
        /// Returns the tokens of a text, or of the prompt that chat makes of a conversation, in vLLM's form. Evaluation programs ask for them to count and to cut texts. Nothing is sampled, and no usage is recorded.
        ///
        /// `POST /tokenize`
        fn tokenize(
            &self,
            caller: Self::Caller,
            input: TokenizeInput,
        ) -> impl Future<Output = Result<TokenizeOutput, http::ApiError>> + Send;
        /// Get tokenizer
        ///
        /// Returns the control tokens and the chat template of a model's tokenizer, in vLLM's form, with which evaluation programs render conversations themselves.
        ///
        /// `GET /tokenizer_info`
        fn get_tokenizer_info(
            &self,
            caller: Self::Caller,
            input: GetTokenizerInfoInput,
        ) -> impl Future<Output = Result<GetTokenizerInfoOutput, http::ApiError>> + Send;
        /// List chat completions
        ///
        /// Lists the stored chat completions of the key's entity.
        ///
        /// `GET /v1/chat/completions`
        fn list_chat_completions(
            &self,
            caller: Self::Caller,
            input: ListChatCompletionsInput,
        ) -> impl Future<
            Output = Result<ListChatCompletionsOutput, http::ApiError>,
        > + Send;
        /// Create chat completion
        ///
        /// Samples one or more completions of a conversation. Returns one JSON document, or server-sent events when `stream` is true. An error before the first token has an error status; a later error is an event of the stream. With `store` true, the completion and its messages are stored before the response is complete, as long as responses are, and share their room of 1 GiB for each entity. Messages of more than 8 MiB are not stored: the request is rejected. Choices of more than 8 MiB are stored without exact tokens and log-probabilities.
        ///
        /// `POST /v1/chat/completions`
        fn create_chat_completion(
            &self,
            caller: Self::Caller,
            input: CreateChatCompletionInput,
        ) -> impl Future<
            Output = Result<CreateChatCompletionOutput, http::ApiError>,
        > + Send;
        /// Delete chat completion
        ///
        /// Deletes a stored chat completion and its messages for good. Takes no body; a body is ignored.
        ///
        /// `DELETE /v1/chat/completions/{completion_id}`
        fn delete_chat_completion(
            &self,
            caller: Self::Caller,
            input: DeleteChatCompletionInput,
        ) -> impl Future<
            Output = Result<DeleteChatCompletionOutput, http::ApiError>,
        > + Send;
        /// Get chat completion
        ///
        /// Returns a stored chat completion of the key's entity.
        ///
        /// `GET /v1/chat/completions/{completion_id}`
        fn get_chat_completion(
            &self,
            caller: Self::Caller,
            input: GetChatCompletionInput,
        ) -> impl Future<
            Output = Result<GetChatCompletionOutput, http::ApiError>,
        > + Send;
        /// Update chat completion
        ///
        /// Replaces the metadata of a stored chat completion.
        ///
        /// `POST /v1/chat/completions/{completion_id}`
        fn update_chat_completion(
            &self,
            caller: Self::Caller,
            input: UpdateChatCompletionInput,
        ) -> impl Future<
            Output = Result<UpdateChatCompletionOutput, http::ApiError>,
        > + Send;
        /// List chat messages
        ///
        /// Lists the messages that were sent in the request of a stored chat completion.
        ///
        /// `GET /v1/chat/completions/{completion_id}/messages`
        fn list_chat_completion_messages(
            &self,
            caller: Self::Caller,
            input: ListChatCompletionMessagesInput,
        ) -> impl Future<
            Output = Result<ListChatCompletionMessagesOutput, http::ApiError>,
        > + Send;
        /// Create completion
        ///
        /// Continues texts or token sequences without a chat template. This is OpenAI's older completions API, which evaluation harnesses use to score texts. With `echo`, `logprobs` and `max_tokens` 0, it returns the log-probabilities of the prompt's own tokens.
        ///
        /// `POST /v1/completions`
        fn create_completion(
            &self,
            caller: Self::Caller,
            input: CreateCompletionInput,
        ) -> impl Future<Output = Result<CreateCompletionOutput, http::ApiError>> + Send;
        /// Create message
        ///
        /// Samples one message in the format of Anthropic's Messages API, for text and tools that the client runs. Sampling
        /// is the same as in chat completions, and the same conversation has the same prompt. Anthropic's client libraries
        /// work with the base URL `{base_url}`, without `/v1`.
        ///
        /// Error responses have the body of `ErrorResponse` with two more keys, as Anthropic's client libraries read it:
        /// `type`, which is `error`, and `request_id`. Their statuses are those of the other operations.
        ///
        /// With `stream` true, the response is server-sent events, named after their `type`; there is no `[DONE]`. An error
        /// after the first token is an event `error`, the last one. After 15 s without an event, `ping` is sent.
        ///
        /// `POST /v1/messages`
        fn create_message(
            &self,
            caller: Self::Caller,
            input: CreateMessageInput,
        ) -> impl Future<Output = Result<CreateMessageOutput, http::ApiError>> + Send;
        /// Count tokens of a message
        ///
        /// Counts the tokens of the prompt that `POST /v1/messages` makes of the same body. Nothing is sampled, and no usage is recorded.
        ///
        /// `POST /v1/messages/count_tokens`
        fn count_message_tokens(
            &self,
            caller: Self::Caller,
            input: CountMessageTokensInput,
        ) -> impl Future<
            Output = Result<CountMessageTokensOutput, http::ApiError>,
        > + Send;
        /// Create response
        ///
        /// Samples one response in the format of OpenAI's Responses API, for text and tools that the client runs. Sampling
        /// is the same as in chat completions, and the same conversation has the same prompt. `instructions` is a system
        /// message. Consecutive `reasoning`, `message` and call items form one message of the assistant.
        ///
        /// Unless `store` is false, the response and its input are stored before the response is complete, for 30 days or as
        /// long as the server's option `--response-store` says. `previous_response_id` continues a stored response, and
        /// `item_reference` stands for a stored item. An entity's stored responses may have 1 GiB; then the oldest are
        /// deleted. An input of more than 8 MiB is not stored: with `store` true the request is rejected, without `store`
        /// the field `store` of the response is false. A response of more than 8 MiB is stored without exact tokens and
        /// log-probabilities.
        ///
        /// With `background` true, the response to the request has the status `in_progress`; get the response again until
        /// it has ended. If the process that samples it ends before, its status is `failed`. Its events can be read again,
        /// from any of them on, also with `stream`.
        ///
        /// With `stream` true, the response is
        /// server-sent events, named after their `type`. The last event is `response.completed`, `response.incomplete` or
        /// `response.failed`; there is no `[DONE]`. After 15 s without an event, `response.in_progress` is sent again.
        ///
        /// `POST /v1/responses`
        fn create_response(
            &self,
            caller: Self::Caller,
            input: CreateResponseInput,
        ) -> impl Future<Output = Result<CreateResponseOutput, http::ApiError>> + Send;
        /// Compact conversation
        ///
        /// Samples a summary of a conversation, which takes the conversation's place in later requests. The body is that of
        /// `POST /v1/responses`; its sampling options apply to the summary, whose limit is 4,096 tokens unless
        /// `max_output_tokens` says otherwise. `stream` and `background` are rejected. Nothing is stored.
        ///
        /// The output has the messages of the user and then one item `compaction`. Its `encrypted_content` is readable: the
        /// words `trainyard:summary:`, then the summary. Sent in `input`, it is a message of the user with the summary.
        /// Compaction items of other servers are rejected.
        ///
        /// `POST /v1/responses/compact`
        fn compact_response(
            &self,
            caller: Self::Caller,
            input: CompactResponseInput,
        ) -> impl Future<Output = Result<CompactResponseOutput, http::ApiError>> + Send;
        /// Count input tokens
        ///
        /// Counts the tokens of the prompt that `POST /v1/responses` makes of the same body. Nothing is sampled or stored, and no usage is recorded.
        ///
        /// `POST /v1/responses/input_tokens`
        fn count_response_tokens(
            &self,
            caller: Self::Caller,
            input: CountResponseTokensInput,
        ) -> impl Future<
            Output = Result<CountResponseTokensOutput, http::ApiError>,
        > + Send;
        /// Delete response
        ///
        /// Deletes a stored response and its items for good. A response that continues it stays, and can no longer be continued. Takes no body; a body is ignored.
        ///
        /// `DELETE /v1/responses/{response_id}`
        fn delete_response(
            &self,
            caller: Self::Caller,
            input: DeleteResponseInput,
        ) -> impl Future<Output = Result<DeleteResponseOutput, http::ApiError>> + Send;
        /// Get response
        ///
        /// Returns a stored response of the key's entity. With `stream` true, sends the events of a response that was created with `background`, after those that the client has, and waits for the others while it is sampled. The end of a response that was cancelled, or whose process is gone, is `response.failed`.
        ///
        /// `GET /v1/responses/{response_id}`
        fn get_response(
            &self,
            caller: Self::Caller,
            input: GetResponseInput,
        ) -> impl Future<Output = Result<GetResponseOutput, http::ApiError>> + Send;
        /// Cancel response
        ///
        /// Cancels a response that is sampled in the background. One that has ended is returned unchanged. A response that was not created with `background` returns 409. Takes no body; a body is ignored.
        ///
        /// `POST /v1/responses/{response_id}/cancel`
        fn cancel_response(
            &self,
            caller: Self::Caller,
            input: CancelResponseInput,
        ) -> impl Future<Output = Result<CancelResponseOutput, http::ApiError>> + Send;
        /// List input items
        ///
        /// Lists the items that were sent in the request of a stored response, without those of the responses that it continues. Items that were sent without an id have got one.
        ///
        /// `GET /v1/responses/{response_id}/input_items`
        fn list_response_input_items(
            &self,
            caller: Self::Caller,
            input: ListResponseInputItemsInput,
        ) -> impl Future<
            Output = Result<ListResponseInputItemsOutput, http::ApiError>,
        > + Send;
    }
    /// `POST /detokenize`
    #[derive(Clone, Debug)]
    pub struct DetokenizeInput {
        /// Tokens.
        pub body: types::DetokenizeRequest,
    }
    impl http::Input for DetokenizeInput {
        const OPERATION: http::Operation = http::Operation::new(
                "detokenize",
                "POST",
                "/detokenize",
                "Chat",
                &["200", "400", "401", "404", "408", "413", "415", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                body: call
                    .only("application/json")?
                    .json::<
                        types::DetokenizeRequest,
                    >(4194304, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `POST /tokenize`
    #[derive(Clone, Debug)]
    pub struct TokenizeInput {
        /// A text or a conversation.
        pub body: types::TokenizeRequest,
    }
    impl http::Input for TokenizeInput {
        const OPERATION: http::Operation = http::Operation::new(
                "tokenize",
                "POST",
                "/tokenize",
                "Chat",
                &["200", "400", "401", "404", "408", "413", "415", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                body: call
                    .only("application/json")?
                    .json::<
                        types::TokenizeRequest,
                    >(4194304, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `GET /tokenizer_info`
    #[derive(Clone, Debug)]
    pub struct GetTokenizerInfoInput {
        /// Name of the model, as in chat. It may be omitted in a session, and if the service has one base model besides the built-in one.
        pub model: Option<String>,
    }
    impl http::Input for GetTokenizerInfoInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_tokenizer_info",
                "GET",
                "/tokenizer_info",
                "Chat",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["model"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model: call
                    .checked_option(
                        "model",
                        call.optional::<String>(&query("model", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 1024);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain control characters",
                                    );
                            }
                        },
                    ),
            })
        }
    }
    /// `GET /v1/chat/completions`
    #[derive(Clone, Debug)]
    pub struct ListChatCompletionsInput {
        /// Cursor: the `last_id` of the previous page, in the same `order`. A chat completion that is not in the listing returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// `model` of the requests. Default: all models.
        pub model: Option<String>,
        /// Metadata that the chat completions have, as a JSON object of texts. `metadata[NAME]=TEXT`, as OpenAI's client libraries send it, means the same. Default: all chat completions.
        pub metadata: Option<String>,
        /// Order of the listing.
        pub order: types::SortOrder,
    }
    impl http::Input for ListChatCompletionsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_chat_completions",
                "GET",
                "/v1/chat/completions",
                "Chat",
                &["200", "401", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "limit", "metadata", "model", "order"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^chatcmpl-[0-9a-f]{32}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of a chat completion, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                model: call
                    .checked_option(
                        "model",
                        call.optional::<String>(&query("model", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 1024);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain control characters",
                                    );
                            }
                        },
                    ),
                metadata: call
                    .checked_option(
                        "metadata",
                        call.optional::<String>(&query("metadata", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 2048);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
            })
        }
    }
    /// `POST /v1/chat/completions`
    #[derive(Clone, Debug)]
    pub struct CreateChatCompletionInput {
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<String>,
        /// Id of a recorded session of the key's entity. The service samples the session's model and stores what it samples there. An unknown or expired session returns 404.
        pub x_trainyard_session: Option<String>,
        /// Media types that the caller prefers.
        pub accept: http::Accept,
        /// Conversation and sampling options.
        pub body: types::ChatCompletionRequest,
    }
    impl http::Input for CreateChatCompletionInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_chat_completion",
                "POST",
                "/v1/chat/completions",
                "Chat",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "406",
                    "408",
                    "413",
                    "415",
                    "422",
                    "429",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                vendor_project: call
                    .checked_option(
                        "Vendor-Project",
                        call.optional::<String>(&header("Vendor-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                open_ai_project: call
                    .checked_option(
                        "OpenAI-Project",
                        call.optional::<String>(&header("OpenAI-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                x_trainyard_session: call
                    .checked_option(
                        "x-trainyard-session",
                        call.optional::<String>(&header("x-trainyard-session", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 64);
                        },
                    ),
                accept: call.accept(&["application/json", "text/event-stream"])?,
                body: call
                    .only("application/json")?
                    .json::<
                        types::ChatCompletionRequest,
                    >(67108864, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `DELETE /v1/chat/completions/{completion_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteChatCompletionInput {
        /// The `id` of a stored chat completion. Any other value returns 404.
        pub completion_id: String,
    }
    impl http::Input for DeleteChatCompletionInput {
        const OPERATION: http::Operation = http::Operation::new(
                "delete_chat_completion",
                "DELETE",
                "/v1/chat/completions/{completion_id}",
                "Chat",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                completion_id: call.required(&path("completion_id", STRING))?,
            })
        }
    }
    /// `GET /v1/chat/completions/{completion_id}`
    #[derive(Clone, Debug)]
    pub struct GetChatCompletionInput {
        /// The `id` of a stored chat completion. Any other value returns 404.
        pub completion_id: String,
    }
    impl http::Input for GetChatCompletionInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_chat_completion",
                "GET",
                "/v1/chat/completions/{completion_id}",
                "Chat",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                completion_id: call.required(&path("completion_id", STRING))?,
            })
        }
    }
    /// `POST /v1/chat/completions/{completion_id}`
    #[derive(Clone, Debug)]
    pub struct UpdateChatCompletionInput {
        /// The `id` of a stored chat completion. Any other value returns 404.
        pub completion_id: String,
        /// New metadata.
        pub body: types::UpdateChatCompletion,
    }
    impl http::Input for UpdateChatCompletionInput {
        const OPERATION: http::Operation = http::Operation::new(
                "update_chat_completion",
                "POST",
                "/v1/chat/completions/{completion_id}",
                "Chat",
                &["200", "400", "401", "404", "408", "413", "415", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                completion_id: call.required(&path("completion_id", STRING))?,
                body: call
                    .only("application/json")?
                    .json::<
                        types::UpdateChatCompletion,
                    >(8388608, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `GET /v1/chat/completions/{completion_id}/messages`
    #[derive(Clone, Debug)]
    pub struct ListChatCompletionMessagesInput {
        /// The `id` of a stored chat completion. Any other value returns 404.
        pub completion_id: String,
        /// Cursor: the `last_id` of the previous page, in the same `order`. A message that is not in the listing returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `asc` starts with the first message of the request.
        pub order: types::SortOrder,
    }
    impl http::Input for ListChatCompletionMessagesInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_chat_completion_messages",
                "GET",
                "/v1/chat/completions/{completion_id}/messages",
                "Chat",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "limit", "order"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                completion_id: call.required(&path("completion_id", STRING))?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 512);
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
            })
        }
    }
    /// `POST /v1/completions`
    #[derive(Clone, Debug)]
    pub struct CreateCompletionInput {
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<String>,
        /// Id of a recorded session of the key's entity. The service samples the session's model and stores what it samples there. An unknown or expired session returns 404.
        pub x_trainyard_session: Option<String>,
        /// Media types that the caller prefers.
        pub accept: http::Accept,
        /// Prompts and sampling options.
        pub body: types::CompletionRequest,
    }
    impl http::Input for CreateCompletionInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_completion",
                "POST",
                "/v1/completions",
                "Chat",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "406",
                    "408",
                    "413",
                    "415",
                    "422",
                    "429",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                vendor_project: call
                    .checked_option(
                        "Vendor-Project",
                        call.optional::<String>(&header("Vendor-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                open_ai_project: call
                    .checked_option(
                        "OpenAI-Project",
                        call.optional::<String>(&header("OpenAI-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                x_trainyard_session: call
                    .checked_option(
                        "x-trainyard-session",
                        call.optional::<String>(&header("x-trainyard-session", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 64);
                        },
                    ),
                accept: call.accept(&["application/json", "text/event-stream"])?,
                body: call
                    .only("application/json")?
                    .json::<
                        types::CompletionRequest,
                    >(67108864, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `POST /v1/messages`
    #[derive(Clone, Debug)]
    pub struct CreateMessageInput {
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<String>,
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
        /// Media types that the caller prefers.
        pub accept: http::Accept,
        /// Conversation and sampling options.
        pub body: types::MessageRequest,
    }
    impl http::Input for CreateMessageInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_message",
                "POST",
                "/v1/messages",
                "Chat",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "406",
                    "408",
                    "413",
                    "415",
                    "422",
                    "429",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["beta"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                vendor_project: call
                    .checked_option(
                        "Vendor-Project",
                        call.optional::<String>(&header("Vendor-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                open_ai_project: call
                    .checked_option(
                        "OpenAI-Project",
                        call.optional::<String>(&header("OpenAI-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                beta: call.optional(&query("beta", BOOLEAN))?,
                accept: call.accept(&["application/json", "text/event-stream"])?,
                body: call
                    .only("application/json")?
                    .json::<
                        types::MessageRequest,
                    >(67108864, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `POST /v1/messages/count_tokens`
    #[derive(Clone, Debug)]
    pub struct CountMessageTokensInput {
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
        /// Conversation and sampling options.
        pub body: types::MessageRequest,
    }
    impl http::Input for CountMessageTokensInput {
        const OPERATION: http::Operation = http::Operation::new(
                "count_message_tokens",
                "POST",
                "/v1/messages/count_tokens",
                "Chat",
                &["200", "400", "401", "404", "408", "413", "415", "422", "default"],
            )
            .security(super::SECURITY)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["beta"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                beta: call.optional(&query("beta", BOOLEAN))?,
                body: call
                    .only("application/json")?
                    .json::<
                        types::MessageRequest,
                    >(67108864, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `POST /v1/responses`
    #[derive(Clone, Debug)]
    pub struct CreateResponseInput {
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<String>,
        /// Id of a recorded session of the key's entity. The service samples the session's model and stores what it samples there. An unknown or expired session returns 404.
        pub x_trainyard_session: Option<String>,
        /// Media types that the caller prefers.
        pub accept: http::Accept,
        /// Conversation and sampling options.
        pub body: types::ResponseRequest,
    }
    impl http::Input for CreateResponseInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_response",
                "POST",
                "/v1/responses",
                "Chat",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "406",
                    "408",
                    "413",
                    "415",
                    "422",
                    "429",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                vendor_project: call
                    .checked_option(
                        "Vendor-Project",
                        call.optional::<String>(&header("Vendor-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                open_ai_project: call
                    .checked_option(
                        "OpenAI-Project",
                        call.optional::<String>(&header("OpenAI-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                x_trainyard_session: call
                    .checked_option(
                        "x-trainyard-session",
                        call.optional::<String>(&header("x-trainyard-session", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 64);
                        },
                    ),
                accept: call.accept(&["application/json", "text/event-stream"])?,
                body: call
                    .only("application/json")?
                    .json::<
                        types::ResponseRequest,
                    >(67108864, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `POST /v1/responses/compact`
    #[derive(Clone, Debug)]
    pub struct CompactResponseInput {
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<String>,
        /// Id of a recorded session of the key's entity. The service samples the session's model and stores what it samples there. An unknown or expired session returns 404.
        pub x_trainyard_session: Option<String>,
        /// Conversation and sampling options.
        pub body: types::ResponseRequest,
    }
    impl http::Input for CompactResponseInput {
        const OPERATION: http::Operation = http::Operation::new(
                "compact_response",
                "POST",
                "/v1/responses/compact",
                "Chat",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "429",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                vendor_project: call
                    .checked_option(
                        "Vendor-Project",
                        call.optional::<String>(&header("Vendor-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                open_ai_project: call
                    .checked_option(
                        "OpenAI-Project",
                        call.optional::<String>(&header("OpenAI-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                x_trainyard_session: call
                    .checked_option(
                        "x-trainyard-session",
                        call.optional::<String>(&header("x-trainyard-session", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 64);
                        },
                    ),
                body: call
                    .only("application/json")?
                    .json::<
                        types::ResponseRequest,
                    >(67108864, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `POST /v1/responses/input_tokens`
    #[derive(Clone, Debug)]
    pub struct CountResponseTokensInput {
        /// Conversation and sampling options.
        pub body: types::ResponseRequest,
    }
    impl http::Input for CountResponseTokensInput {
        const OPERATION: http::Operation = http::Operation::new(
                "count_response_tokens",
                "POST",
                "/v1/responses/input_tokens",
                "Chat",
                &["200", "400", "401", "404", "408", "413", "415", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                body: call
                    .only("application/json")?
                    .json::<
                        types::ResponseRequest,
                    >(67108864, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `DELETE /v1/responses/{response_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteResponseInput {
        /// The `id` of a stored response. Any other value returns 404.
        pub response_id: String,
    }
    impl http::Input for DeleteResponseInput {
        const OPERATION: http::Operation = http::Operation::new(
                "delete_response",
                "DELETE",
                "/v1/responses/{response_id}",
                "Chat",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                response_id: call.required(&path("response_id", STRING))?,
            })
        }
    }
    /// `GET /v1/responses/{response_id}`
    #[derive(Clone, Debug)]
    pub struct GetResponseInput {
        /// The `id` of a stored response. Any other value returns 404.
        pub response_id: String,
        /// Data to include; `include[]` means the same. Accepted for compatibility: what is stored is returned in any case.
        pub include: Option<Vec<types::ResponseInclude>>,
        /// Returns server-sent events.
        pub stream: bool,
        /// The `sequence_number` of the last event that the client has. Without it, all events are sent.
        pub starting_after: Option<u64>,
        /// Accepted for compatibility; nothing is obfuscated.
        pub include_obfuscation: bool,
        /// Media types that the caller prefers.
        pub accept: http::Accept,
    }
    impl http::Input for GetResponseInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_response",
                "GET",
                "/v1/responses/{response_id}",
                "Chat",
                &["200", "401", "404", "406", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["include", "include_obfuscation", "starting_after", "stream"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                response_id: call.required(&path("response_id", STRING))?,
                include: call
                    .checked_option(
                        "include",
                        call
                            .optional::<
                                Vec<types::ResponseInclude>,
                            >(
                                &query(
                                    "include",
                                    decode::Shape::Array(
                                        &decode::Shape::Scalar(
                                            decode::Scalar::String,
                                            "one of `message.output_text.logprobs`, `reasoning.encrypted_content`, `file_search_call.results`, `web_search_call.results`, `web_search_call.action.sources`, `message.input_image.image_url`, `computer_call_output.output.image_url`, `code_interpreter_call.outputs`",
                                        ),
                                    ),
                                ),
                            )?,
                        |value, at, faults| {
                            faults.max_items(at, value.len(), 16);
                        },
                    ),
                stream: call
                    .optional(&query("stream", BOOLEAN))?
                    .unwrap_or_else(|| false),
                starting_after: call
                    .checked_option(
                        "starting_after",
                        call
                            .optional::<
                                u64,
                            >(
                                &query(
                                    "starting_after",
                                    integer("an integer from 0 to 9223372036854775807"),
                                ),
                            )?,
                        |value, at, faults| {
                            faults.maximum(at, *value, 9223372036854775807);
                        },
                    ),
                include_obfuscation: call
                    .optional(&query("include_obfuscation", BOOLEAN))?
                    .unwrap_or_else(|| false),
                accept: call.accept(&["application/json", "text/event-stream"])?,
            })
        }
    }
    /// `POST /v1/responses/{response_id}/cancel`
    #[derive(Clone, Debug)]
    pub struct CancelResponseInput {
        /// The `id` of a stored response. Any other value returns 404.
        pub response_id: String,
    }
    impl http::Input for CancelResponseInput {
        const OPERATION: http::Operation = http::Operation::new(
                "cancel_response",
                "POST",
                "/v1/responses/{response_id}/cancel",
                "Chat",
                &["200", "401", "404", "409", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                response_id: call.required(&path("response_id", STRING))?,
            })
        }
    }
    /// `GET /v1/responses/{response_id}/input_items`
    #[derive(Clone, Debug)]
    pub struct ListResponseInputItemsInput {
        /// The `id` of a stored response. Any other value returns 404.
        pub response_id: String,
        /// Data to include; `include[]` means the same. Accepted for compatibility: what is stored is returned in any case.
        pub include: Option<Vec<types::ResponseInclude>>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. An item that is not in the listing returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the last item of the request.
        pub order: types::FileOrder,
    }
    impl http::Input for ListResponseInputItemsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_response_input_items",
                "GET",
                "/v1/responses/{response_id}/input_items",
                "Chat",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "include", "limit", "order"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                response_id: call.required(&path("response_id", STRING))?,
                include: call
                    .checked_option(
                        "include",
                        call
                            .optional::<
                                Vec<types::ResponseInclude>,
                            >(
                                &query(
                                    "include",
                                    decode::Shape::Array(
                                        &decode::Shape::Scalar(
                                            decode::Scalar::String,
                                            "one of `message.output_text.logprobs`, `reasoning.encrypted_content`, `file_search_call.results`, `web_search_call.results`, `web_search_call.action.sources`, `message.input_image.image_url`, `computer_call_output.output.image_url`, `code_interpreter_call.outputs`",
                                        ),
                                    ),
                                ),
                            )?,
                        |value, at, faults| {
                            faults.max_items(at, value.len(), 16);
                        },
                    ),
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 512);
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::FileOrder::Desc),
            })
        }
    }
    /// `POST /detokenize`
    #[derive(Debug)]
    pub enum DetokenizeOutput {
        /// The text.
        Ok(types::DetokenizeResponse),
    }
    impl From<types::DetokenizeResponse> for DetokenizeOutput {
        fn from(body: types::DetokenizeResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for DetokenizeOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /tokenize`
    #[derive(Debug)]
    pub enum TokenizeOutput {
        /// The tokens.
        Ok(types::TokenizeResponse),
    }
    impl From<types::TokenizeResponse> for TokenizeOutput {
        fn from(body: types::TokenizeResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for TokenizeOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /tokenizer_info`
    #[derive(Debug)]
    pub enum GetTokenizerInfoOutput {
        /// The tokenizer.
        Ok(types::TokenizerInfo),
    }
    impl From<types::TokenizerInfo> for GetTokenizerInfoOutput {
        fn from(body: types::TokenizerInfo) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetTokenizerInfoOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/chat/completions`
    #[derive(Debug)]
    pub enum ListChatCompletionsOutput {
        /// One page of chat completions.
        Ok(types::ChatCompletionPage),
    }
    impl From<types::ChatCompletionPage> for ListChatCompletionsOutput {
        fn from(body: types::ChatCompletionPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListChatCompletionsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/chat/completions`
    #[derive(Debug)]
    pub enum CreateChatCompletionOutput {
        /// The chat completion: one JSON document, or a stream of chunks that ends with a `[DONE]` event.
        Ok(types::ChatCompletion),
        /// The chat completion: one JSON document, or a stream of chunks that ends with a `[DONE]` event.
        OkEventStream(http::EventStream<types::ChatCompletionChunk>),
    }
    impl From<http::EventStream<types::ChatCompletionChunk>>
    for CreateChatCompletionOutput {
        fn from(body: http::EventStream<types::ChatCompletionChunk>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::ChatCompletion> for CreateChatCompletionOutput {
        fn from(body: types::ChatCompletion) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CreateChatCompletionOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
                Self::OkEventStream(body) => body.response(200),
            }
        }
    }
    /// `DELETE /v1/chat/completions/{completion_id}`
    #[derive(Debug)]
    pub enum DeleteChatCompletionOutput {
        /// The chat completion is deleted.
        Ok(types::DeleteChatCompletionResponse),
    }
    impl From<types::DeleteChatCompletionResponse> for DeleteChatCompletionOutput {
        fn from(body: types::DeleteChatCompletionResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for DeleteChatCompletionOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/chat/completions/{completion_id}`
    #[derive(Debug)]
    pub enum GetChatCompletionOutput {
        /// The chat completion.
        Ok(types::ChatCompletion),
    }
    impl From<types::ChatCompletion> for GetChatCompletionOutput {
        fn from(body: types::ChatCompletion) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetChatCompletionOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/chat/completions/{completion_id}`
    #[derive(Debug)]
    pub enum UpdateChatCompletionOutput {
        /// The chat completion.
        Ok(types::ChatCompletion),
    }
    impl From<types::ChatCompletion> for UpdateChatCompletionOutput {
        fn from(body: types::ChatCompletion) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for UpdateChatCompletionOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/chat/completions/{completion_id}/messages`
    #[derive(Debug)]
    pub enum ListChatCompletionMessagesOutput {
        /// One page of messages.
        Ok(types::StoredChatMessagePage),
    }
    impl From<types::StoredChatMessagePage> for ListChatCompletionMessagesOutput {
        fn from(body: types::StoredChatMessagePage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListChatCompletionMessagesOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/completions`
    #[derive(Debug)]
    pub enum CreateCompletionOutput {
        /// The completions: one JSON document, or a stream of chunks that ends with a `[DONE]` event.
        Ok(types::Completion),
        /// The completions: one JSON document, or a stream of chunks that ends with a `[DONE]` event.
        OkEventStream(http::EventStream<types::Completion>),
    }
    impl From<http::EventStream<types::Completion>> for CreateCompletionOutput {
        fn from(body: http::EventStream<types::Completion>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::Completion> for CreateCompletionOutput {
        fn from(body: types::Completion) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CreateCompletionOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
                Self::OkEventStream(body) => body.response(200),
            }
        }
    }
    /// `POST /v1/messages`
    #[derive(Debug)]
    pub enum CreateMessageOutput {
        /// The message: one JSON document, or a stream of events.
        Ok(types::Message),
        /// The message: one JSON document, or a stream of events.
        OkEventStream(http::EventStream<types::MessageEvent>),
    }
    impl From<http::EventStream<types::MessageEvent>> for CreateMessageOutput {
        fn from(body: http::EventStream<types::MessageEvent>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::Message> for CreateMessageOutput {
        fn from(body: types::Message) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CreateMessageOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
                Self::OkEventStream(body) => body.response(200),
            }
        }
    }
    /// `POST /v1/messages/count_tokens`
    #[derive(Debug)]
    pub enum CountMessageTokensOutput {
        /// The number of tokens.
        Ok(types::MessageTokenCount),
    }
    impl From<types::MessageTokenCount> for CountMessageTokensOutput {
        fn from(body: types::MessageTokenCount) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CountMessageTokensOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/responses`
    #[derive(Debug)]
    pub enum CreateResponseOutput {
        /// The response: one JSON document, or a stream of events.
        Ok(types::ResponseObject),
        /// The response: one JSON document, or a stream of events.
        OkEventStream(http::EventStream<types::ResponseEvent>),
    }
    impl From<http::EventStream<types::ResponseEvent>> for CreateResponseOutput {
        fn from(body: http::EventStream<types::ResponseEvent>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::ResponseObject> for CreateResponseOutput {
        fn from(body: types::ResponseObject) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CreateResponseOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
                Self::OkEventStream(body) => body.response(200),
            }
        }
    }
    /// `POST /v1/responses/compact`
    #[derive(Debug)]
    pub enum CompactResponseOutput {
        /// The compacted conversation.
        Ok(types::CompactedResponse),
    }
    impl From<types::CompactedResponse> for CompactResponseOutput {
        fn from(body: types::CompactedResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CompactResponseOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/responses/input_tokens`
    #[derive(Debug)]
    pub enum CountResponseTokensOutput {
        /// The number of tokens.
        Ok(types::ResponseTokenCount),
    }
    impl From<types::ResponseTokenCount> for CountResponseTokensOutput {
        fn from(body: types::ResponseTokenCount) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CountResponseTokensOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `DELETE /v1/responses/{response_id}`
    #[derive(Debug)]
    pub enum DeleteResponseOutput {
        /// The response is deleted.
        Ok(types::DeleteResponseResponse),
    }
    impl From<types::DeleteResponseResponse> for DeleteResponseOutput {
        fn from(body: types::DeleteResponseResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for DeleteResponseOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/responses/{response_id}`
    #[derive(Debug)]
    pub enum GetResponseOutput {
        /// The response: one JSON document, or a stream of events.
        Ok(types::ResponseObject),
        /// The response: one JSON document, or a stream of events.
        OkEventStream(http::EventStream<types::ResponseEvent>),
    }
    impl From<http::EventStream<types::ResponseEvent>> for GetResponseOutput {
        fn from(body: http::EventStream<types::ResponseEvent>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::ResponseObject> for GetResponseOutput {
        fn from(body: types::ResponseObject) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetResponseOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
                Self::OkEventStream(body) => body.response(200),
            }
        }
    }
    /// `POST /v1/responses/{response_id}/cancel`
    #[derive(Debug)]
    pub enum CancelResponseOutput {
        /// The response.
        Ok(types::ResponseObject),
    }
    impl From<types::ResponseObject> for CancelResponseOutput {
        fn from(body: types::ResponseObject) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CancelResponseOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/responses/{response_id}/input_items`
    #[derive(Debug)]
    pub enum ListResponseInputItemsOutput {
        /// One page of items.
        Ok(types::ResponseItemPage),
    }
    impl From<types::ResponseItemPage> for ListResponseInputItemsOutput {
        fn from(body: types::ResponseItemPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListResponseInputItemsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn chat_routes<A: Chat>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::detokenize))
            .add(http::secured(A::tokenize))
            .add(http::secured(A::get_tokenizer_info))
            .add(http::secured(A::list_chat_completions))
            .add(http::secured(A::create_chat_completion))
            .alias(
                "POST",
                "/v1/chat/completions/",
                http::secured(A::create_chat_completion),
            )
            .add(http::secured(A::delete_chat_completion))
            .add(http::secured(A::get_chat_completion))
            .add(http::secured(A::update_chat_completion))
            .add(http::secured(A::list_chat_completion_messages))
            .add(http::secured(A::create_completion))
            .add(http::secured(A::create_message))
            .add(http::secured(A::count_message_tokens))
            .add(http::secured(A::create_response))
            .add(http::secured(A::compact_response))
            .add(http::secured(A::count_response_tokens))
            .add(http::secured(A::delete_response))
            .add(http::secured(A::get_response))
            .add(http::secured(A::cancel_response))
            .add(http::secured(A::list_response_input_items))
            .router()
    }
    /// The routes of this tag at the inference base address.
    pub fn chat_inference_routes<A: Chat>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .alias("GET", "/chat/completions", http::secured(A::list_chat_completions))
            .alias("POST", "/chat/completions", http::secured(A::create_chat_completion))
            .alias(
                "DELETE",
                "/chat/completions/{completion_id}",
                http::secured(A::delete_chat_completion),
            )
            .alias(
                "GET",
                "/chat/completions/{completion_id}",
                http::secured(A::get_chat_completion),
            )
            .alias(
                "POST",
                "/chat/completions/{completion_id}",
                http::secured(A::update_chat_completion),
            )
            .alias(
                "GET",
                "/chat/completions/{completion_id}/messages",
                http::secured(A::list_chat_completion_messages),
            )
            .alias("POST", "/completions", http::secured(A::create_completion))
            .alias("POST", "/messages", http::secured(A::create_message))
            .alias(
                "POST",
                "/messages/count_tokens",
                http::secured(A::count_message_tokens),
            )
            .alias("POST", "/responses", http::secured(A::create_response))
            .alias("POST", "/responses/compact", http::secured(A::compact_response))
            .alias(
                "POST",
                "/responses/input_tokens",
                http::secured(A::count_response_tokens),
            )
            .alias(
                "DELETE",
                "/responses/{response_id}",
                http::secured(A::delete_response),
            )
            .alias("GET", "/responses/{response_id}", http::secured(A::get_response))
            .alias(
                "POST",
                "/responses/{response_id}/cancel",
                http::secured(A::cancel_response),
            )
            .alias(
                "GET",
                "/responses/{response_id}/input_items",
                http::secured(A::list_response_input_items),
            )
            .router()
    }
}
/// Saved steps of a model. Each job that succeeds adds one, numbered one higher than the highest step ever created. A
/// checkpoint can be sampled as soon as it is listed, by the model's name with `:stepN`.
pub mod checkpoints {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// Saved steps of a model. Each job that succeeds adds one, numbered one higher than the highest step ever created. A
    /// checkpoint can be sampled as soon as it is listed, by the model's name with `:stepN`.
    pub trait Checkpoints: http::Authenticate {
        /// Add model checkpoint
        ///
        /// Creates the model's next step without training, as a copy of another step or from an imported adapter. The step
        /// can be sampled at once, and the next job starts from it.
        ///
        /// A **copy** forks a step of this model or of another model of your entity. Register a model with the same
        /// `base_model`, `training_method` and `lora`, and copy the step into it. The optimizer state is copied where it is
        /// stored, which is at the newest step of a model.
        ///
        /// An **import** takes the two files of a PEFT adapter: the content of `adapter_config.json`, and
        /// `adapter_model.safetensors` as a file uploaded with `POST /v1/files`. Tensor names and shapes must match the
        /// base model; rank, alpha and targets must match the registered model. Every number must be finite.
        ///
        /// `POST /v1/preview/models/{model_id}/add-checkpoint`
        fn add_checkpoint(
            &self,
            caller: Self::Caller,
            input: AddCheckpointInput,
        ) -> impl Future<Output = Result<AddCheckpointOutput, http::ApiError>> + Send;
        /// Delete model checkpoints
        ///
        /// Deletes steps of a model. Steps that do not exist are reported in the response and are no error, so the request is idempotent. The newest step is the one that the model's plain name samples. Deleting it returns 409 and deletes nothing, unless `allow_latest` is true. After that, the newest remaining step is sampled by the plain name, reported as `latest_step` of the model, and used as the start of the next job. If no step remains, the base model is sampled and trained, and `latest_step` is null. Step numbers are never reused: after the deletion of step 2, the next one is 3. The manifest of a deleted step remains. The training data of a step is deleted when neither that step nor a later one remains.
        ///
        /// `DELETE /v1/preview/models/{model_id}/checkpoints`
        fn delete_checkpoints(
            &self,
            caller: Self::Caller,
            input: DeleteCheckpointsInput,
        ) -> impl Future<
            Output = Result<DeleteCheckpointsOutput, http::ApiError>,
        > + Send;
        /// List model checkpoints
        ///
        /// Lists the checkpoints of a model, ordered by step. `limit=1&order=desc` returns the newest one: its `step` is the number of the model's last successful job.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints`
        fn list_checkpoints(
            &self,
            caller: Self::Caller,
            input: ListCheckpointsInput,
        ) -> impl Future<Output = Result<ListCheckpointsOutput, http::ApiError>> + Send;
        /// Get model checkpoint
        ///
        /// Returns one step of a model and its files.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints/{step}`
        fn get_checkpoint(
            &self,
            caller: Self::Caller,
            input: GetCheckpointInput,
        ) -> impl Future<Output = Result<GetCheckpointOutput, http::ApiError>> + Send;
        /// Download a checkpoint
        ///
        /// Returns every file of the checkpoint in one tar archive, in a directory `checkpoint-STEP`. Step 0 is the base model and has no files, so it returns 404.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/archive`
        fn get_checkpoint_archive(
            &self,
            caller: Self::Caller,
            input: GetCheckpointArchiveInput,
        ) -> impl Future<
            Output = Result<GetCheckpointArchiveOutput, http::ApiError>,
        > + Send;
        /// Export a checkpoint
        ///
        /// Returns the checkpoint in a form that other programs load, with a model card and the licence of the base model, in one tar archive: the files that `trainyard export` writes. The first request of an export computes it, for minutes if the model is large, and its response begins when this is done; it goes on if the client leaves. Later requests have the same bytes, so an interrupted download is resumed with `Range` and `If-Range`. A form that the checkpoint cannot have returns 422.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/export`
        fn get_checkpoint_export(
            &self,
            caller: Self::Caller,
            input: GetCheckpointExportInput,
        ) -> impl Future<
            Output = Result<GetCheckpointExportOutput, http::ApiError>,
        > + Send;
        /// Download a file of a checkpoint
        ///
        /// Returns the bytes of one file, whole or a range, so that an interrupted download can be resumed. `ETag` is the SHA-256 of the file. PEFT loads the two files of an adapter from one directory.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`
        fn get_checkpoint_file(
            &self,
            caller: Self::Caller,
            input: GetCheckpointFileInput,
        ) -> impl Future<
            Output = Result<GetCheckpointFileOutput, http::ApiError>,
        > + Send;
        /// Get checkpoint manifest
        ///
        /// Returns the provenance of a step: its parent step, the options and the data hash of its training, the hash of the base model, the program that computed it, and the hashes of its own files. The manifest is written with the checkpoint and never changes. Each manifest contains the hash of the previous one, so the hash of the newest manifest covers the whole history of the model. The manifest remains when the checkpoint is deleted. Checkpoints from before the service wrote manifests, and steps that never existed, have none.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/manifest`
        fn get_checkpoint_manifest(
            &self,
            caller: Self::Caller,
            input: GetCheckpointManifestInput,
        ) -> impl Future<
            Output = Result<GetCheckpointManifestOutput, http::ApiError>,
        > + Send;
        /// List manifests
        ///
        /// Lists the manifests of a model by step, lowest first: the lineage of its checkpoints, including those of deleted checkpoints.
        ///
        /// `GET /v1/preview/models/{model_id}/manifests`
        fn list_manifests(
            &self,
            caller: Self::Caller,
            input: ListManifestsInput,
        ) -> impl Future<Output = Result<ListManifestsOutput, http::ApiError>> + Send;
    }
    /// `POST /v1/preview/models/{model_id}/add-checkpoint`
    #[derive(Clone, Debug)]
    pub struct AddCheckpointInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<String>,
        /// Source of the checkpoint.
        pub body: types::AddCheckpoint,
    }
    impl http::Input for AddCheckpointInput {
        const OPERATION: http::Operation = http::Operation::new(
                "add_checkpoint",
                "POST",
                "/v1/preview/models/{model_id}/add-checkpoint",
                "Checkpoints",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                idempotency_key: call
                    .checked_option(
                        "Idempotency-Key",
                        call.optional::<String>(&header("Idempotency-Key", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 255);
                        },
                    ),
                body: call
                    .only("application/json")?
                    .json::<
                        types::AddCheckpoint,
                    >(1048576, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `DELETE /v1/preview/models/{model_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct DeleteCheckpointsInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Numbers of the steps to delete.
        pub body: types::DeleteCheckpointsRequest,
    }
    impl http::Input for DeleteCheckpointsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "delete_checkpoints",
                "DELETE",
                "/v1/preview/models/{model_id}/checkpoints",
                "Checkpoints",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "409",
                    "413",
                    "415",
                    "422",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                body: call
                    .only("application/json")?
                    .json::<
                        types::DeleteCheckpointsRequest,
                    >(8388608, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct ListCheckpointsInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
    }
    impl http::Input for ListCheckpointsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_checkpoints",
                "GET",
                "/v1/preview/models/{model_id}/checkpoints",
                "Checkpoints",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "limit", "order"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Number of a step of the model.
        pub step: u64,
    }
    impl http::Input for GetCheckpointInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_checkpoint",
                "GET",
                "/v1/preview/models/{model_id}/checkpoints/{step}",
                "Checkpoints",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                step: call
                    .checked(
                        "step",
                        call
                            .required::<
                                u64,
                            >(
                                &path(
                                    "step",
                                    integer("an integer from 0 to 9223372036854775807"),
                                ),
                            )?,
                        |value, at, faults| {
                            faults.maximum(at, *value, 9223372036854775807);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/archive`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointArchiveInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Number of a step of the model.
        pub step: u64,
    }
    impl http::Input for GetCheckpointArchiveInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_checkpoint_archive",
                "GET",
                "/v1/preview/models/{model_id}/checkpoints/{step}/archive",
                "Checkpoints",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                step: call
                    .checked(
                        "step",
                        call
                            .required::<
                                u64,
                            >(
                                &path(
                                    "step",
                                    integer("an integer from 0 to 9223372036854775807"),
                                ),
                            )?,
                        |value, at, faults| {
                            faults.maximum(at, *value, 9223372036854775807);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/export`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointExportInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Number of a step of the model.
        pub step: u64,
        /// Form of the export. Default `merged`.
        pub form: Option<types::ExportForm>,
        /// Element type of the weights. Default: bf16 in `merged`, f16 in GGUF files. `peft` has the adapter as it was trained, in f32, and takes no other. Integers are for `gguf` alone.
        pub weights: Option<types::ExportWeights>,
        /// Bytes to send, for example `bytes=1048576-` for all bytes from the second mebibyte on (RFC 9110, section 14). Several ranges, or another unit, return the whole content.
        pub range: Option<String>,
        /// The `ETag` of the client's partial copy. If the content has another `ETag`, the whole content is sent.
        pub if_range: Option<String>,
        /// The `ETag`s of the client's copies. If the content has one of them, the response is 304.
        pub if_none_match: Option<String>,
    }
    impl http::Input for GetCheckpointExportInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_checkpoint_export",
                "GET",
                "/v1/preview/models/{model_id}/checkpoints/{step}/export",
                "Checkpoints",
                &["200", "206", "304", "401", "404", "416", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["form", "weights"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                step: call
                    .checked(
                        "step",
                        call
                            .required::<
                                u64,
                            >(
                                &path(
                                    "step",
                                    integer("an integer from 0 to 9223372036854775807"),
                                ),
                            )?,
                        |value, at, faults| {
                            faults.maximum(at, *value, 9223372036854775807);
                        },
                    ),
                form: call
                    .optional(
                        &query(
                            "form",
                            string("one of `peft`, `merged`, `gguf`, `adapter-gguf`"),
                        ),
                    )?,
                weights: call
                    .optional(
                        &query(
                            "weights",
                            string(
                                "one of `f32`, `f16`, `bf16`, `q8_0`, `q4_0`, `q4_k_m`",
                            ),
                        ),
                    )?,
                range: call
                    .checked_option(
                        "Range",
                        call.optional::<String>(&header("Range", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                if_range: call
                    .checked_option(
                        "If-Range",
                        call.optional::<String>(&header("If-Range", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                if_none_match: call
                    .checked_option(
                        "If-None-Match",
                        call.optional::<String>(&header("If-None-Match", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 1024);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFileInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Number of a step of the model.
        pub step: u64,
        /// The `name` of one of the checkpoint's files. Any other name returns 404.
        pub file_name: String,
        /// Bytes to send, for example `bytes=1048576-` for all bytes from the second mebibyte on (RFC 9110, section 14). Several ranges, or another unit, return the whole content.
        pub range: Option<String>,
        /// The `ETag` of the client's partial copy. If the content has another `ETag`, the whole content is sent.
        pub if_range: Option<String>,
        /// The `ETag`s of the client's copies. If the content has one of them, the response is 304.
        pub if_none_match: Option<String>,
    }
    impl http::Input for GetCheckpointFileInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_checkpoint_file",
                "GET",
                "/v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}",
                "Checkpoints",
                &["200", "206", "304", "401", "404", "416", "422", "default"],
            )
            .security(super::SECURITY_3)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["token"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                step: call
                    .checked(
                        "step",
                        call
                            .required::<
                                u64,
                            >(
                                &path(
                                    "step",
                                    integer("an integer from 0 to 9223372036854775807"),
                                ),
                            )?,
                        |value, at, faults| {
                            faults.maximum(at, *value, 9223372036854775807);
                        },
                    ),
                file_name: call.required(&path("file_name", STRING))?,
                range: call
                    .checked_option(
                        "Range",
                        call.optional::<String>(&header("Range", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                if_range: call
                    .checked_option(
                        "If-Range",
                        call.optional::<String>(&header("If-Range", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                if_none_match: call
                    .checked_option(
                        "If-None-Match",
                        call.optional::<String>(&header("If-None-Match", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 1024);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/manifest`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointManifestInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Number of a step of the model.
        pub step: u64,
    }
    impl http::Input for GetCheckpointManifestInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_checkpoint_manifest",
                "GET",
                "/v1/preview/models/{model_id}/checkpoints/{step}/manifest",
                "Checkpoints",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                step: call
                    .checked(
                        "step",
                        call
                            .required::<
                                u64,
                            >(
                                &path(
                                    "step",
                                    integer("an integer from 0 to 9223372036854775807"),
                                ),
                            )?,
                        |value, at, faults| {
                            faults.maximum(at, *value, 9223372036854775807);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/manifests`
    #[derive(Clone, Debug)]
    pub struct ListManifestsInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Cursor: the `last_id` of the previous page. Without it, the listing starts at its first item. A page after the last item is empty.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    impl http::Input for ListManifestsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_manifests",
                "GET",
                "/v1/preview/models/{model_id}/manifests",
                "Checkpoints",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["after", "limit"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9]{1,9}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the `last_id` of a page, a whole number",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
            })
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug, Default)]
    pub struct AddCheckpointOkHeaders {
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/models/{model_id}/add-checkpoint`
    #[derive(Debug)]
    pub enum AddCheckpointOutput {
        /// The new checkpoint.
        Ok { headers: AddCheckpointOkHeaders, body: types::Checkpoint },
    }
    impl http::IntoResponse for AddCheckpointOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        http::response::json(200, "application/json", &body),
                        [
                            (
                                "Idempotency-Replayed",
                                http::response::header(
                                    &headers.idempotency_replayed,
                                    false,
                                    false,
                                ),
                            ),
                        ],
                    )
                }
            }
        }
    }
    /// `DELETE /v1/preview/models/{model_id}/checkpoints`
    #[derive(Debug)]
    pub enum DeleteCheckpointsOutput {
        /// Counts of the deleted steps, and the steps that do not exist.
        Ok(types::DeleteCheckpointsResponse),
    }
    impl From<types::DeleteCheckpointsResponse> for DeleteCheckpointsOutput {
        fn from(body: types::DeleteCheckpointsResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for DeleteCheckpointsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints`
    #[derive(Debug)]
    pub enum ListCheckpointsOutput {
        /// One page of checkpoints, ordered by step.
        Ok(types::CheckpointPage),
    }
    impl From<types::CheckpointPage> for ListCheckpointsOutput {
        fn from(body: types::CheckpointPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListCheckpointsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}`
    #[derive(Debug)]
    pub enum GetCheckpointOutput {
        /// The checkpoint.
        Ok(types::CheckpointDetail),
    }
    impl From<types::CheckpointDetail> for GetCheckpointOutput {
        fn from(body: types::CheckpointDetail) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetCheckpointOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/archive`
    #[derive(Debug)]
    pub enum GetCheckpointArchiveOutput {
        /// The archive.
        Ok(http::Download),
    }
    impl From<http::Download> for GetCheckpointArchiveOutput {
        fn from(body: http::Download) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetCheckpointArchiveOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => body.response(200, "application/x-tar"),
            }
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointExportOkHeaders {
        /// Unit of the ranges that can be requested, bytes.
        pub accept_ranges: String,
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: String,
    }
    /// The headers of a response.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointExportPartialContentHeaders {
        /// Unit of the ranges that can be requested, bytes.
        pub accept_ranges: String,
        /// Range of the bytes sent and the total length; with 416, only the total length.
        pub content_range: String,
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: String,
    }
    /// The headers of a response.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointExportNotModifiedHeaders {
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: String,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/export`
    #[derive(Debug)]
    pub enum GetCheckpointExportOutput {
        /// The archive.
        Ok { headers: GetCheckpointExportOkHeaders, body: http::Download },
        /// The requested range of the archive.
        PartialContent {
            headers: GetCheckpointExportPartialContentHeaders,
            body: http::Download,
        },
        /// The archive has an `ETag` listed in `If-None-Match`, and is not sent again.
        NotModified { headers: GetCheckpointExportNotModifiedHeaders },
    }
    impl http::IntoResponse for GetCheckpointExportOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        body.response(200, "application/x-tar"),
                        [
                            (
                                "Accept-Ranges",
                                http::response::header(&headers.accept_ranges, false, false),
                            ),
                            (
                                "ETag",
                                http::response::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
                Self::PartialContent { headers, body } => {
                    http::response::with_headers(
                        body.response(206, "application/x-tar"),
                        [
                            (
                                "Accept-Ranges",
                                http::response::header(&headers.accept_ranges, false, false),
                            ),
                            (
                                "Content-Range",
                                http::response::header(&headers.content_range, false, false),
                            ),
                            (
                                "ETag",
                                http::response::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
                Self::NotModified { headers } => {
                    http::response::with_headers(
                        http::response::empty(304),
                        [("ETag", http::response::header(&headers.e_tag, false, false))],
                    )
                }
            }
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFileOkHeaders {
        /// Unit of the ranges that can be requested, bytes.
        pub accept_ranges: String,
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: String,
    }
    /// The headers of a response.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFilePartialContentHeaders {
        /// Unit of the ranges that can be requested, bytes.
        pub accept_ranges: String,
        /// Range of the bytes sent and the total length; with 416, only the total length.
        pub content_range: String,
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: String,
    }
    /// The headers of a response.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFileNotModifiedHeaders {
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: String,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`
    #[derive(Debug)]
    pub enum GetCheckpointFileOutput {
        /// The whole content.
        Ok { headers: GetCheckpointFileOkHeaders, body: http::Download },
        /// The requested range.
        PartialContent {
            headers: GetCheckpointFilePartialContentHeaders,
            body: http::Download,
        },
        /// The content has an `ETag` listed in `If-None-Match`, and is not sent again.
        NotModified { headers: GetCheckpointFileNotModifiedHeaders },
    }
    impl http::IntoResponse for GetCheckpointFileOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        body.response(200, "application/octet-stream"),
                        [
                            (
                                "Accept-Ranges",
                                http::response::header(&headers.accept_ranges, false, false),
                            ),
                            (
                                "ETag",
                                http::response::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
                Self::PartialContent { headers, body } => {
                    http::response::with_headers(
                        body.response(206, "application/octet-stream"),
                        [
                            (
                                "Accept-Ranges",
                                http::response::header(&headers.accept_ranges, false, false),
                            ),
                            (
                                "Content-Range",
                                http::response::header(&headers.content_range, false, false),
                            ),
                            (
                                "ETag",
                                http::response::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
                Self::NotModified { headers } => {
                    http::response::with_headers(
                        http::response::empty(304),
                        [("ETag", http::response::header(&headers.e_tag, false, false))],
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/manifest`
    #[derive(Debug)]
    pub enum GetCheckpointManifestOutput {
        /// The manifest.
        Ok(types::CheckpointManifest),
    }
    impl From<types::CheckpointManifest> for GetCheckpointManifestOutput {
        fn from(body: types::CheckpointManifest) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetCheckpointManifestOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/manifests`
    #[derive(Debug)]
    pub enum ListManifestsOutput {
        /// One page of manifests.
        Ok(types::ManifestPage),
    }
    impl From<types::ManifestPage> for ListManifestsOutput {
        fn from(body: types::ManifestPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListManifestsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn checkpoints_routes<A: Checkpoints>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::add_checkpoint))
            .add(http::secured(A::delete_checkpoints))
            .add(http::secured(A::list_checkpoints))
            .add(http::secured(A::get_checkpoint))
            .add(http::secured(A::get_checkpoint_archive))
            .add(http::secured(A::get_checkpoint_export))
            .add(http::secured(A::get_checkpoint_file))
            .add(http::secured(A::get_checkpoint_manifest))
            .add(http::secured(A::list_manifests))
            .router()
    }
}
/// Files to upload once and refer to in later requests, compatible with OpenAI's: training data, and weights to
/// import. Any client library for that format works with the base URL `{base_url}/v1`.
pub mod files {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// Files to upload once and refer to in later requests, compatible with OpenAI's: training data, and weights to
    /// import. Any client library for that format works with the base URL `{base_url}/v1`.
    pub trait Files: http::Authenticate {
        /// List files
        ///
        /// Lists the files of the key's entity, newest first by default. `purpose` restricts the list to one purpose.
        ///
        /// `GET /v1/files`
        fn list_files(
            &self,
            caller: Self::Caller,
            input: ListFilesInput,
        ) -> impl Future<Output = Result<ListFilesOutput, http::ApiError>> + Send;
        /// Upload file
        ///
        /// Stores a file of at most 4 GiB. The body is streamed to the artifact store; the content is validated when it is used. A file with purpose `fine-tune` contains JSON Lines in the format of `POST /v1/preview/sft-training-jobs`; send its `id` there as `training_data_url`.
        ///
        /// `POST /v1/files`
        fn create_file(
            &self,
            caller: Self::Caller,
            input: CreateFileInput,
        ) -> impl Future<Output = Result<CreateFileOutput, http::ApiError>> + Send;
        /// Delete file
        ///
        /// Deletes a file. Jobs and checkpoints that used it keep the data that they need: the data of a job is kept as long as the model has the checkpoint of that job or a later one, so that both can be reproduced. Takes no body; a body is ignored.
        ///
        /// `DELETE /v1/files/{file_id}`
        fn delete_file(
            &self,
            caller: Self::Caller,
            input: DeleteFileInput,
        ) -> impl Future<Output = Result<DeleteFileOutput, http::ApiError>> + Send;
        /// Get file
        ///
        /// Returns the metadata of a file of the key's entity.
        ///
        /// `GET /v1/files/{file_id}`
        fn get_file(
            &self,
            caller: Self::Caller,
            input: GetFileInput,
        ) -> impl Future<Output = Result<GetFileOutput, http::ApiError>> + Send;
        /// Download file
        ///
        /// Returns the bytes of a file, whole or a range. `ETag` is the SHA-256 of the file.
        ///
        /// `GET /v1/files/{file_id}/content`
        fn get_file_content(
            &self,
            caller: Self::Caller,
            input: GetFileContentInput,
        ) -> impl Future<Output = Result<GetFileContentOutput, http::ApiError>> + Send;
    }
    /// `GET /v1/files`
    #[derive(Clone, Debug)]
    pub struct ListFilesInput {
        /// Purpose of the files. Default: all purposes.
        pub purpose: Option<types::FilePurpose>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. A file that is not in the listing, for example a deleted one, returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest file.
        pub order: types::FileOrder,
    }
    impl http::Input for ListFilesInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_files",
                "GET",
                "/v1/files",
                "Files",
                &["200", "401", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "limit", "order", "purpose"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                purpose: call
                    .optional(
                        &query(
                            "purpose",
                            string(
                                "one of `fine-tune`, `user_data`, `batch`, `batch_output`",
                            ),
                        ),
                    )?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^file-[0-9a-f]{32}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of a file, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 10000")))?
                            .unwrap_or_else(|| 10000),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 10000);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::FileOrder::Desc),
            })
        }
    }
    /// `POST /v1/files`
    #[derive(Debug)]
    pub struct CreateFileInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<String>,
        /// The file and its purpose.
        pub body: http::PartStream,
    }
    impl http::Input for CreateFileInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_file",
                "POST",
                "/v1/files",
                "Files",
                &["200", "400", "401", "408", "413", "415", "422", "503", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                idempotency_key: call
                    .checked_option(
                        "Idempotency-Key",
                        call.optional::<String>(&header("Idempotency-Key", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 255);
                        },
                    ),
                body: call.only("multipart/form-data")?.part_stream(4294967296)?,
            })
        }
    }
    /// `DELETE /v1/files/{file_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteFileInput {
        /// The `id` of a file. Any other value returns 404.
        pub file_id: String,
    }
    impl http::Input for DeleteFileInput {
        const OPERATION: http::Operation = http::Operation::new(
                "delete_file",
                "DELETE",
                "/v1/files/{file_id}",
                "Files",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                file_id: call.required(&path("file_id", STRING))?,
            })
        }
    }
    /// `GET /v1/files/{file_id}`
    #[derive(Clone, Debug)]
    pub struct GetFileInput {
        /// The `id` of a file. Any other value returns 404.
        pub file_id: String,
    }
    impl http::Input for GetFileInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_file",
                "GET",
                "/v1/files/{file_id}",
                "Files",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                file_id: call.required(&path("file_id", STRING))?,
            })
        }
    }
    /// `GET /v1/files/{file_id}/content`
    #[derive(Clone, Debug)]
    pub struct GetFileContentInput {
        /// The `id` of a file. Any other value returns 404.
        pub file_id: String,
        /// Bytes to send, for example `bytes=1048576-` for all bytes from the second mebibyte on (RFC 9110, section 14). Several ranges, or another unit, return the whole content.
        pub range: Option<String>,
        /// The `ETag` of the client's partial copy. If the content has another `ETag`, the whole content is sent.
        pub if_range: Option<String>,
        /// The `ETag`s of the client's copies. If the content has one of them, the response is 304.
        pub if_none_match: Option<String>,
    }
    impl http::Input for GetFileContentInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_file_content",
                "GET",
                "/v1/files/{file_id}/content",
                "Files",
                &["200", "206", "304", "401", "404", "416", "422", "default"],
            )
            .security(super::SECURITY_3)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["token"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                file_id: call.required(&path("file_id", STRING))?,
                range: call
                    .checked_option(
                        "Range",
                        call.optional::<String>(&header("Range", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                if_range: call
                    .checked_option(
                        "If-Range",
                        call.optional::<String>(&header("If-Range", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                if_none_match: call
                    .checked_option(
                        "If-None-Match",
                        call.optional::<String>(&header("If-None-Match", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 1024);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/files`
    #[derive(Debug)]
    pub enum ListFilesOutput {
        /// One page of files.
        Ok(types::FilePage),
    }
    impl From<types::FilePage> for ListFilesOutput {
        fn from(body: types::FilePage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListFilesOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug, Default)]
    pub struct CreateFileOkHeaders {
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/files`
    #[derive(Debug)]
    pub enum CreateFileOutput {
        /// The file is stored.
        Ok { headers: CreateFileOkHeaders, body: types::File },
    }
    impl http::IntoResponse for CreateFileOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        http::response::json(200, "application/json", &body),
                        [
                            (
                                "Idempotency-Replayed",
                                http::response::header(
                                    &headers.idempotency_replayed,
                                    false,
                                    false,
                                ),
                            ),
                        ],
                    )
                }
            }
        }
    }
    /// `DELETE /v1/files/{file_id}`
    #[derive(Debug)]
    pub enum DeleteFileOutput {
        /// The file is deleted.
        Ok(types::DeleteFileResponse),
    }
    impl From<types::DeleteFileResponse> for DeleteFileOutput {
        fn from(body: types::DeleteFileResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for DeleteFileOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/files/{file_id}`
    #[derive(Debug)]
    pub enum GetFileOutput {
        /// The metadata of the file.
        Ok(types::File),
    }
    impl From<types::File> for GetFileOutput {
        fn from(body: types::File) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetFileOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug)]
    pub struct GetFileContentOkHeaders {
        /// Unit of the ranges that can be requested, bytes.
        pub accept_ranges: String,
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: String,
    }
    /// The headers of a response.
    #[derive(Clone, Debug)]
    pub struct GetFileContentPartialContentHeaders {
        /// Unit of the ranges that can be requested, bytes.
        pub accept_ranges: String,
        /// Range of the bytes sent and the total length; with 416, only the total length.
        pub content_range: String,
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: String,
    }
    /// The headers of a response.
    #[derive(Clone, Debug)]
    pub struct GetFileContentNotModifiedHeaders {
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: String,
    }
    /// `GET /v1/files/{file_id}/content`
    #[derive(Debug)]
    pub enum GetFileContentOutput {
        /// The whole content.
        Ok { headers: GetFileContentOkHeaders, body: http::Download },
        /// The requested range.
        PartialContent {
            headers: GetFileContentPartialContentHeaders,
            body: http::Download,
        },
        /// The content has an `ETag` listed in `If-None-Match`, and is not sent again.
        NotModified { headers: GetFileContentNotModifiedHeaders },
    }
    impl http::IntoResponse for GetFileContentOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        body.response(200, "application/octet-stream"),
                        [
                            (
                                "Accept-Ranges",
                                http::response::header(&headers.accept_ranges, false, false),
                            ),
                            (
                                "ETag",
                                http::response::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
                Self::PartialContent { headers, body } => {
                    http::response::with_headers(
                        body.response(206, "application/octet-stream"),
                        [
                            (
                                "Accept-Ranges",
                                http::response::header(&headers.accept_ranges, false, false),
                            ),
                            (
                                "Content-Range",
                                http::response::header(&headers.content_range, false, false),
                            ),
                            (
                                "ETag",
                                http::response::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
                Self::NotModified { headers } => {
                    http::response::with_headers(
                        http::response::empty(304),
                        [("ETag", http::response::header(&headers.e_tag, false, false))],
                    )
                }
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn files_routes<A: Files>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::list_files))
            .add(http::secured(A::create_file))
            .add(http::secured(A::delete_file))
            .add(http::secured(A::get_file))
            .add(http::secured(A::get_file_content))
            .router()
    }
}
/// Supervised training in the format of OpenAI's fine-tuning API. Any client library for that format works with the
/// base URL `{base_url}/v1`: upload a file with purpose `fine-tune`, create a job, poll it until its status is
/// `succeeded`, then send its `fine_tuned_model` as `model` of a chat request.
///
/// These are the same jobs as those of `/v1/preview/sft-training-jobs`, and each API lists the jobs of the other. The
/// difference is the model. A job created here trains a new model in the project `fine-tuning`; the model that it
/// starts from does not change.
///
/// The methods `dpo` and `reinforcement`, `integrations`, and pausing a job are not supported.
pub mod fine_tuning {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// Supervised training in the format of OpenAI's fine-tuning API. Any client library for that format works with the
    /// base URL `{base_url}/v1`: upload a file with purpose `fine-tune`, create a job, poll it until its status is
    /// `succeeded`, then send its `fine_tuned_model` as `model` of a chat request.
    ///
    /// These are the same jobs as those of `/v1/preview/sft-training-jobs`, and each API lists the jobs of the other. The
    /// difference is the model. A job created here trains a new model in the project `fine-tuning`; the model that it
    /// starts from does not change.
    ///
    /// The methods `dpo` and `reinforcement`, `integrations`, and pausing a job are not supported.
    pub trait FineTuning: http::Authenticate {
        /// List fine-tuning jobs
        ///
        /// Lists the supervised jobs of the key's entity, newest first, including those created by the other API.
        ///
        /// `GET /v1/fine_tuning/jobs`
        fn list_fine_tuning_jobs(
            &self,
            caller: Self::Caller,
            input: ListFineTuningJobsInput,
        ) -> impl Future<
            Output = Result<ListFineTuningJobsOutput, http::ApiError>,
        > + Send;
        /// Create fine-tuning job
        ///
        /// Creates a model and queues supervised training of it, as one atomic operation. The model starts from a base
        /// model, or from a copy of a step of a trained model, including its optimizer state. Its name is the `suffix`, or
        /// the name of the model that it starts from, followed by the end of the job's id.
        ///
        /// The file contains JSON Lines in the format of `POST /v1/preview/sft-training-jobs`: one conversation per line,
        /// `{"messages": [...], "tools": [...]}`. An assistant message with `weight` 0 is context and is not trained.
        /// `parallel_tool_calls` is accepted, but false is an error if a message has several calls. `functions`,
        /// `function_call`, `refusal` and `audio` are rejected. Lines are validated when the job starts: an error in a line
        /// ends the job with status `failed` and an `error`.
        ///
        /// At most 1000 jobs of one entity may be queued or running; more return 429.
        ///
        /// `POST /v1/fine_tuning/jobs`
        fn create_fine_tuning_job(
            &self,
            caller: Self::Caller,
            input: CreateFineTuningJobInput,
        ) -> impl Future<
            Output = Result<CreateFineTuningJobOutput, http::ApiError>,
        > + Send;
        /// Get fine-tuning job
        ///
        /// Returns the state of a supervised job, created by either API.
        ///
        /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}`
        fn get_fine_tuning_job(
            &self,
            caller: Self::Caller,
            input: GetFineTuningJobInput,
        ) -> impl Future<Output = Result<GetFineTuningJobOutput, http::ApiError>> + Send;
        /// Cancel fine-tuning job
        ///
        /// Cancels a queued or running supervised job. Its model keeps its initial weights. Cancelling a cancelled job again returns the job unchanged. A job that ended otherwise returns 409.
        ///
        /// `POST /v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel`
        fn cancel_fine_tuning_job(
            &self,
            caller: Self::Caller,
            input: CancelFineTuningJobInput,
        ) -> impl Future<
            Output = Result<CancelFineTuningJobOutput, http::ApiError>,
        > + Send;
        /// List fine-tuning checkpoints
        ///
        /// Lists the checkpoints of a supervised job. A job that succeeded has one, until it is deleted.
        ///
        /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints`
        fn list_fine_tuning_job_checkpoints(
            &self,
            caller: Self::Caller,
            input: ListFineTuningJobCheckpointsInput,
        ) -> impl Future<
            Output = Result<ListFineTuningJobCheckpointsOutput, http::ApiError>,
        > + Send;
        /// List fine-tuning events
        ///
        /// Lists the events of a supervised job, newest first: its start, each optimizer step with its metrics, and its end. A queued job has none. To stream the events of a running job, use `GET /v1/preview/training-jobs/{training_job_id}/events`.
        ///
        /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/events`
        fn list_fine_tuning_job_events(
            &self,
            caller: Self::Caller,
            input: ListFineTuningJobEventsInput,
        ) -> impl Future<
            Output = Result<ListFineTuningJobEventsOutput, http::ApiError>,
        > + Send;
    }
    /// `GET /v1/fine_tuning/jobs`
    #[derive(Clone, Debug)]
    pub struct ListFineTuningJobsInput {
        /// Cursor: the `id` of the last job of the previous page. Without it, the listing starts with the newest job. A job that is not in the listing returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Notes that the jobs have, as a JSON object of texts. `metadata[NAME]=TEXT`, as OpenAI's client libraries send it, means the same. Default: all jobs.
        pub metadata: Option<String>,
    }
    impl http::Input for ListFineTuningJobsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_fine_tuning_jobs",
                "GET",
                "/v1/fine_tuning/jobs",
                "FineTuning",
                &["200", "401", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "limit", "metadata"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^(ftjob-[0-9a-f]{32}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of a job, such as that of the last job of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                metadata: call
                    .checked_option(
                        "metadata",
                        call.optional::<String>(&query("metadata", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 2048);
                        },
                    ),
            })
        }
    }
    /// `POST /v1/fine_tuning/jobs`
    #[derive(Clone, Debug)]
    pub struct CreateFineTuningJobInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<String>,
        /// Model, training file and options.
        pub body: types::CreateFineTuningJob,
    }
    impl http::Input for CreateFineTuningJobInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_fine_tuning_job",
                "POST",
                "/v1/fine_tuning/jobs",
                "FineTuning",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "429",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                idempotency_key: call
                    .checked_option(
                        "Idempotency-Key",
                        call.optional::<String>(&header("Idempotency-Key", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 255);
                        },
                    ),
                body: call
                    .only("application/json")?
                    .json::<
                        types::CreateFineTuningJob,
                    >(1048576, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}`
    #[derive(Clone, Debug)]
    pub struct GetFineTuningJobInput {
        /// The `id` of a supervised job, in the form of either API. Any other value returns 404.
        pub fine_tuning_job_id: String,
    }
    impl http::Input for GetFineTuningJobInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_fine_tuning_job",
                "GET",
                "/v1/fine_tuning/jobs/{fine_tuning_job_id}",
                "FineTuning",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                fine_tuning_job_id: call.required(&path("fine_tuning_job_id", STRING))?,
            })
        }
    }
    /// `POST /v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel`
    #[derive(Clone, Debug)]
    pub struct CancelFineTuningJobInput {
        /// The `id` of a supervised job, in the form of either API. Any other value returns 404.
        pub fine_tuning_job_id: String,
    }
    impl http::Input for CancelFineTuningJobInput {
        const OPERATION: http::Operation = http::Operation::new(
                "cancel_fine_tuning_job",
                "POST",
                "/v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel",
                "FineTuning",
                &["200", "401", "404", "409", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                fine_tuning_job_id: call.required(&path("fine_tuning_job_id", STRING))?,
            })
        }
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct ListFineTuningJobCheckpointsInput {
        /// The `id` of a supervised job, in the form of either API. Any other value returns 404.
        pub fine_tuning_job_id: String,
        /// Cursor: the `id` of the last checkpoint of the previous page. A checkpoint of another job returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    impl http::Input for ListFineTuningJobCheckpointsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_fine_tuning_job_checkpoints",
                "GET",
                "/v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints",
                "FineTuning",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["after", "limit"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                fine_tuning_job_id: call.required(&path("fine_tuning_job_id", STRING))?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^ftckpt-[0-9a-f]{32}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of a checkpoint of this job",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/events`
    #[derive(Clone, Debug)]
    pub struct ListFineTuningJobEventsInput {
        /// The `id` of a supervised job, in the form of either API. Any other value returns 404.
        pub fine_tuning_job_id: String,
        /// Cursor: the `id` of the last event of the previous page. Without it, the listing starts with the newest event. An event of another job returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    impl http::Input for ListFineTuningJobEventsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_fine_tuning_job_events",
                "GET",
                "/v1/fine_tuning/jobs/{fine_tuning_job_id}/events",
                "FineTuning",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["after", "limit"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                fine_tuning_job_id: call.required(&path("fine_tuning_job_id", STRING))?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^ftevent-[0-9a-f]{32}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an event, such as that of the last event of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/fine_tuning/jobs`
    #[derive(Debug)]
    pub enum ListFineTuningJobsOutput {
        /// One page of jobs.
        Ok(types::FineTuningJobPage),
    }
    impl From<types::FineTuningJobPage> for ListFineTuningJobsOutput {
        fn from(body: types::FineTuningJobPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListFineTuningJobsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug, Default)]
    pub struct CreateFineTuningJobOkHeaders {
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/fine_tuning/jobs`
    #[derive(Debug)]
    pub enum CreateFineTuningJobOutput {
        /// The queued job.
        Ok { headers: CreateFineTuningJobOkHeaders, body: types::FineTuningJob },
    }
    impl http::IntoResponse for CreateFineTuningJobOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        http::response::json(200, "application/json", &body),
                        [
                            (
                                "Idempotency-Replayed",
                                http::response::header(
                                    &headers.idempotency_replayed,
                                    false,
                                    false,
                                ),
                            ),
                        ],
                    )
                }
            }
        }
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}`
    #[derive(Debug)]
    pub enum GetFineTuningJobOutput {
        /// The job.
        Ok(types::FineTuningJob),
    }
    impl From<types::FineTuningJob> for GetFineTuningJobOutput {
        fn from(body: types::FineTuningJob) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetFineTuningJobOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel`
    #[derive(Debug)]
    pub enum CancelFineTuningJobOutput {
        /// The cancelled job.
        Ok(types::FineTuningJob),
    }
    impl From<types::FineTuningJob> for CancelFineTuningJobOutput {
        fn from(body: types::FineTuningJob) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CancelFineTuningJobOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints`
    #[derive(Debug)]
    pub enum ListFineTuningJobCheckpointsOutput {
        /// One page of checkpoints.
        Ok(types::FineTuningCheckpointPage),
    }
    impl From<types::FineTuningCheckpointPage> for ListFineTuningJobCheckpointsOutput {
        fn from(body: types::FineTuningCheckpointPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListFineTuningJobCheckpointsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/events`
    #[derive(Debug)]
    pub enum ListFineTuningJobEventsOutput {
        /// One page of events.
        Ok(types::FineTuningEventPage),
    }
    impl From<types::FineTuningEventPage> for ListFineTuningJobEventsOutput {
        fn from(body: types::FineTuningEventPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListFineTuningJobEventsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn fine_tuning_routes<A: FineTuning>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::list_fine_tuning_jobs))
            .add(http::secured(A::create_fine_tuning_job))
            .add(http::secured(A::get_fine_tuning_job))
            .add(http::secured(A::cancel_fine_tuning_job))
            .add(http::secured(A::list_fine_tuning_job_checkpoints))
            .add(http::secured(A::list_fine_tuning_job_events))
            .router()
    }
}
/// The models available for sampling, in the format of OpenAI's models.
pub mod inference {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// The models available for sampling, in the format of OpenAI's models.
    pub trait Inference: http::Authenticate {
        /// List models
        ///
        /// Lists the models accepted as `model` of a chat request. The list is not paginated. With the header `anthropic-version`, it has the fields of Anthropic's list too.
        ///
        /// `GET /models`
        fn list_inference_models(
            &self,
            caller: Self::Caller,
            input: ListInferenceModelsInput,
        ) -> impl Future<
            Output = Result<ListInferenceModelsOutput, http::ApiError>,
        > + Send;
        /// List models and steps
        ///
        /// Lists the names accepted as `model` of a request, in the format of OpenAI's model list. Base models come first, then the trained models of the key's entity whose base model is served, oldest first, each followed by its steps. The list is not paginated. It has at most 1,000 names of trained models and steps: those of the newest models, and as many of their newest steps as fit. `has_more` is true if names were omitted; omitted names are accepted in requests too. With the header `anthropic-version`, it has the fields of Anthropic's list too.
        ///
        /// `GET /v1/models`
        fn list_served_models(
            &self,
            caller: Self::Caller,
            input: ListServedModelsInput,
        ) -> impl Future<Output = Result<ListServedModelsOutput, http::ApiError>> + Send;
        /// Get model by name
        ///
        /// Returns a model or step accepted as `model` of a request, including one omitted from the list.
        ///
        /// `GET /v1/models/{model}`
        fn get_served_model(
            &self,
            caller: Self::Caller,
            input: GetServedModelInput,
        ) -> impl Future<Output = Result<GetServedModelOutput, http::ApiError>> + Send;
    }
    /// `GET /models`
    #[derive(Clone, Debug)]
    pub struct ListInferenceModelsInput {
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<String>,
        /// Id of a recorded session of the key's entity. The service samples the session's model and stores what it samples there. An unknown or expired session returns 404.
        pub x_trainyard_session: Option<String>,
        /// Version of Anthropic's API, as its client libraries send it; any value. The response then has the fields of that API too.
        pub anthropic_version: Option<String>,
        /// The list begins after the model of this id, which must be in it (422).
        pub after_id: Option<String>,
        /// The list ends before the model of this id, which must be in it (422).
        pub before_id: Option<String>,
        /// Maximum number of models of the list, the last ones with `before_id`. All by default.
        pub limit: Option<u32>,
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
    }
    impl http::Input for ListInferenceModelsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_inference_models",
                "GET",
                "/models",
                "Inference",
                &["200", "401", "422", "default"],
            )
            .base("inference")
            .security(super::SECURITY);
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after_id", "before_id", "beta", "limit"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                vendor_project: call
                    .checked_option(
                        "Vendor-Project",
                        call.optional::<String>(&header("Vendor-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                open_ai_project: call
                    .checked_option(
                        "OpenAI-Project",
                        call.optional::<String>(&header("OpenAI-Project", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 256);
                        },
                    ),
                x_trainyard_session: call
                    .checked_option(
                        "x-trainyard-session",
                        call.optional::<String>(&header("x-trainyard-session", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 64);
                        },
                    ),
                anthropic_version: call
                    .checked_option(
                        "anthropic-version",
                        call.optional::<String>(&header("anthropic-version", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 64);
                        },
                    ),
                after_id: call
                    .checked_option(
                        "after_id",
                        call.optional::<String>(&query("after_id", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 1024);
                        },
                    ),
                before_id: call
                    .checked_option(
                        "before_id",
                        call.optional::<String>(&query("before_id", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 1024);
                        },
                    ),
                limit: call
                    .checked_option(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 1000")))?,
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 1000);
                        },
                    ),
                beta: call.optional(&query("beta", BOOLEAN))?,
            })
        }
    }
    /// `GET /v1/models`
    #[derive(Clone, Debug)]
    pub struct ListServedModelsInput {
        /// Version of Anthropic's API, as its client libraries send it; any value. The response then has the fields of that API too.
        pub anthropic_version: Option<String>,
        /// The list begins after the model of this id, which must be in it (422).
        pub after_id: Option<String>,
        /// The list ends before the model of this id, which must be in it (422).
        pub before_id: Option<String>,
        /// Maximum number of models of the list, the last ones with `before_id`. All by default.
        pub limit: Option<u32>,
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
    }
    impl http::Input for ListServedModelsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_served_models",
                "GET",
                "/v1/models",
                "Inference",
                &["200", "401", "default"],
            )
            .security(super::SECURITY)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after_id", "before_id", "beta", "limit"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                anthropic_version: call
                    .checked_option(
                        "anthropic-version",
                        call.optional::<String>(&header("anthropic-version", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 64);
                        },
                    ),
                after_id: call
                    .checked_option(
                        "after_id",
                        call.optional::<String>(&query("after_id", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 1024);
                        },
                    ),
                before_id: call
                    .checked_option(
                        "before_id",
                        call.optional::<String>(&query("before_id", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 1024);
                        },
                    ),
                limit: call
                    .checked_option(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 1000")))?,
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 1000);
                        },
                    ),
                beta: call.optional(&query("beta", BOOLEAN))?,
            })
        }
    }
    /// `GET /v1/models/{model}`
    #[derive(Clone, Debug)]
    pub struct GetServedModelInput {
        /// A name as in `model` of a request: of a base model, or of a trained model with or without `:stepN` and `wandb-artifact:///`. Its slashes may be percent-encoded. An unknown name returns 404.
        pub model: String,
        /// Version of Anthropic's API, as its client libraries send it; any value. The response then has the fields of that API too.
        pub anthropic_version: Option<String>,
        /// Sent by client libraries of Anthropic; it has no effect.
        pub beta: Option<bool>,
    }
    impl http::Input for GetServedModelInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_served_model",
                "GET",
                "/v1/models/{model}",
                "Inference",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["beta"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model: call.required(&path("model", STRING))?,
                anthropic_version: call
                    .checked_option(
                        "anthropic-version",
                        call.optional::<String>(&header("anthropic-version", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 64);
                        },
                    ),
                beta: call.optional(&query("beta", BOOLEAN))?,
            })
        }
    }
    /// `GET /models`
    #[derive(Debug)]
    pub enum ListInferenceModelsOutput {
        /// The base models, then the trained models of the key's entity whose base model is served.
        Ok(types::InferenceModelList),
    }
    impl From<types::InferenceModelList> for ListInferenceModelsOutput {
        fn from(body: types::InferenceModelList) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListInferenceModelsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/models`
    #[derive(Debug)]
    pub enum ListServedModelsOutput {
        /// The accepted names.
        Ok(types::ServedModelList),
    }
    impl From<types::ServedModelList> for ListServedModelsOutput {
        fn from(body: types::ServedModelList) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListServedModelsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/models/{model}`
    #[derive(Debug)]
    pub enum GetServedModelOutput {
        /// The model.
        Ok(types::InferenceModel),
    }
    impl From<types::InferenceModel> for GetServedModelOutput {
        fn from(body: types::InferenceModel) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetServedModelOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn inference_routes<A: Inference>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::list_served_models))
            .add(http::secured(A::get_served_model))
            .router()
    }
    /// The routes of this tag at the inference base address.
    pub fn inference_inference_routes<A: Inference>(
        api: ::std::sync::Arc<A>,
    ) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::list_inference_models))
            .alias("GET", "/models/{model}", http::secured(A::get_served_model))
            .router()
    }
}
/// Trainable models and their trajectory logs. A model is a name, `entity/project/name`, on top of a base model. It
/// is created with checkpoint 0, the untrained base model, so rollouts can begin before the first job.
pub mod models {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// Trainable models and their trajectory logs. A model is a name, `entity/project/name`, on top of a base model. It
    /// is created with checkpoint 0, the untrained base model, so rollouts can begin before the first job.
    pub trait Models: http::Authenticate {
        /// List base models
        ///
        /// Lists the base models of this service, ordered by name. The list is not paginated.
        ///
        /// `GET /v1/preview/base-models`
        fn list_base_models(
            &self,
            caller: Self::Caller,
            input: ListBaseModelsInput,
        ) -> impl Future<Output = Result<ListBaseModelsOutput, http::ApiError>> + Send;
        /// List models
        ///
        /// Lists the models of the key's entity, ordered by creation time. `project` restricts the list to one project.
        ///
        /// `GET /v1/preview/models`
        fn list_models(
            &self,
            caller: Self::Caller,
            input: ListModelsInput,
        ) -> impl Future<Output = Result<ListModelsOutput, http::ApiError>> + Send;
        /// Create model
        ///
        /// Registers a trainable model, which can be sampled at once. A name is unique within its project. If the name is taken, `return_existing` true returns the existing model if it has the same base model, which makes the request idempotent; without it, the response is 409. The training method is chosen here and never changes: a LoRA adapter, with the rank, alpha and targets of `lora`, or the whole model.
        ///
        /// `POST /v1/preview/models`
        fn create_model(
            &self,
            caller: Self::Caller,
            input: CreateModelInput,
        ) -> impl Future<Output = Result<CreateModelOutput, http::ApiError>> + Send;
        /// Delete model
        ///
        /// Deletes the model with all its checkpoints, jobs and trajectory logs. Its name can be used again. A running job of the model ends without a result. Takes no body; a body is ignored.
        ///
        /// `DELETE /v1/preview/models/{model_id}`
        fn delete_model(
            &self,
            caller: Self::Caller,
            input: DeleteModelInput,
        ) -> impl Future<Output = Result<DeleteModelOutput, http::ApiError>> + Send;
        /// Get model
        ///
        /// Returns a model of the key's entity.
        ///
        /// `GET /v1/preview/models/{model_id}`
        fn get_model(
            &self,
            caller: Self::Caller,
            input: GetModelInput,
        ) -> impl Future<Output = Result<GetModelOutput, http::ApiError>> + Send;
        /// List trajectory logs
        ///
        /// Lists the trajectory logs of a model by creation time.
        ///
        /// `GET /v1/preview/models/{model_id}/log`
        fn list_trajectory_logs(
            &self,
            caller: Self::Caller,
            input: ListTrajectoryLogsInput,
        ) -> impl Future<
            Output = Result<ListTrajectoryLogsOutput, http::ApiError>,
        > + Send;
        /// Log trajectories
        ///
        /// Stores trajectory groups with the model, as a record, without training on them.
        ///
        /// `POST /v1/preview/models/{model_id}/log`
        fn log_trajectories(
            &self,
            caller: Self::Caller,
            input: LogTrajectoriesInput,
        ) -> impl Future<Output = Result<LogTrajectoriesOutput, http::ApiError>> + Send;
        /// List the groups of a log
        ///
        /// Lists the trajectory groups of a log as those of a job, with the advantages that a job with default options would compute.
        ///
        /// `GET /v1/preview/models/{model_id}/log/{log_id}/groups`
        fn list_trajectory_log_groups(
            &self,
            caller: Self::Caller,
            input: ListTrajectoryLogGroupsInput,
        ) -> impl Future<
            Output = Result<ListTrajectoryLogGroupsOutput, http::ApiError>,
        > + Send;
        /// List logged trajectories of group
        ///
        /// Lists the trajectories of a logged group as those of a job, with the tokens that a job with default options would train.
        ///
        /// `GET /v1/preview/models/{model_id}/log/{log_id}/groups/{group_id}/trajectories`
        fn list_trajectory_log_trajectories(
            &self,
            caller: Self::Caller,
            input: ListTrajectoryLogTrajectoriesInput,
        ) -> impl Future<
            Output = Result<ListTrajectoryLogTrajectoriesOutput, http::ApiError>,
        > + Send;
        /// Get the metrics of a model
        ///
        /// Returns one curve over the jobs that made the checkpoints of the model, and the job that runs: as the metrics of a job, with steps that count from the creation of the model. Failed and cancelled jobs changed no weights and are left out. `jobs` has the place of each job and its checkpoint. With `Accept: text/csv`, the first columns of a row are `training_job_id`, `step`, `tokens` and `time`.
        ///
        /// `GET /v1/preview/models/{model_id}/metrics`
        fn get_model_metrics(
            &self,
            caller: Self::Caller,
            input: GetModelMetricsInput,
        ) -> impl Future<Output = Result<GetModelMetricsOutput, http::ApiError>> + Send;
    }
    /// `GET /v1/preview/base-models`
    #[derive(Clone, Debug)]
    pub struct ListBaseModelsInput {}
    impl http::Input for ListBaseModelsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_base_models",
                "GET",
                "/v1/preview/base-models",
                "Models",
                &["200", "401", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {})
        }
    }
    /// `GET /v1/preview/models`
    #[derive(Clone, Debug)]
    pub struct ListModelsInput {
        /// Project of the models. Default: all projects.
        pub project: Option<String>,
        /// Text in `project/name` of the models. The case of ASCII letters does not matter.
        pub q: Option<String>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
    }
    impl http::Input for ListModelsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_models",
                "GET",
                "/v1/preview/models",
                "Models",
                &["200", "401", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "limit", "order", "project", "q"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                project: call
                    .checked_option(
                        "project",
                        call.optional::<String>(&query("project", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 128);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^/:\\u0000-\\u001f\\u007f]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain `/`, `:` or control characters",
                                    );
                            }
                        },
                    ),
                q: call
                    .checked_option(
                        "q",
                        call.optional::<String>(&query("q", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 200);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain control characters",
                                    );
                            }
                        },
                    ),
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
            })
        }
    }
    /// `POST /v1/preview/models`
    #[derive(Clone, Debug)]
    pub struct CreateModelInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<String>,
        /// Name, base model and training method.
        pub body: types::ModelCreate,
    }
    impl http::Input for CreateModelInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_model",
                "POST",
                "/v1/preview/models",
                "Models",
                &[
                    "200",
                    "400",
                    "401",
                    "403",
                    "408",
                    "409",
                    "413",
                    "415",
                    "422",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                idempotency_key: call
                    .checked_option(
                        "Idempotency-Key",
                        call.optional::<String>(&header("Idempotency-Key", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 255);
                        },
                    ),
                body: call
                    .only("application/json")?
                    .json::<
                        types::ModelCreate,
                    >(1048576, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `DELETE /v1/preview/models/{model_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteModelInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
    }
    impl http::Input for DeleteModelInput {
        const OPERATION: http::Operation = http::Operation::new(
                "delete_model",
                "DELETE",
                "/v1/preview/models/{model_id}",
                "Models",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}`
    #[derive(Clone, Debug)]
    pub struct GetModelInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
    }
    impl http::Input for GetModelInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_model",
                "GET",
                "/v1/preview/models/{model_id}",
                "Models",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/log`
    #[derive(Clone, Debug)]
    pub struct ListTrajectoryLogsInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Split of the logs. Default: every split.
        pub split: Option<String>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
    }
    impl http::Input for ListTrajectoryLogsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_trajectory_logs",
                "GET",
                "/v1/preview/models/{model_id}/log",
                "Models",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "limit", "order", "split"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                split: call
                    .checked_option(
                        "split",
                        call.optional::<String>(&query("split", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 256);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain NUL characters",
                                    );
                            }
                        },
                    ),
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
            })
        }
    }
    /// `POST /v1/preview/models/{model_id}/log`
    #[derive(Debug)]
    pub struct LogTrajectoriesInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<String>,
        /// The trajectories and their split.
        pub body: http::JsonItems<types::LogRequest, types::TrajectoryGroup>,
    }
    impl http::Input for LogTrajectoriesInput {
        const OPERATION: http::Operation = http::Operation::new(
                "log_trajectories",
                "POST",
                "/v1/preview/models/{model_id}/log",
                "Models",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                idempotency_key: call
                    .checked_option(
                        "Idempotency-Key",
                        call.optional::<String>(&header("Idempotency-Key", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 255);
                        },
                    ),
                body: call
                    .only("application/json")?
                    .json_items(
                        268435456,
                        "trajectory_groups",
                        (validation::Validate::validate, validation::Validate::validate),
                    )?,
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/log/{log_id}/groups`
    #[derive(Clone, Debug)]
    pub struct ListTrajectoryLogGroupsInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// UUID of a trajectory log of the model. Any other value returns 404.
        pub log_id: String,
        /// Order of the groups. Groups without the value come last.
        pub sort: types::TrainingJobGroupSort,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
        /// Whether the groups are left out of training.
        pub dropped: Option<bool>,
        /// Smallest mean reward of the groups.
        pub min_reward: Option<f64>,
        /// Largest mean reward of the groups.
        pub max_reward: Option<f64>,
        /// Text in a message, a choice or a captured body of the group. The case of ASCII letters does not matter. The search reads all groups that pass the other filters.
        pub q: Option<String>,
        /// Cursor: the `last_id` of the previous page of the same query. Without it, the listing starts at its first item.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    impl http::Input for ListTrajectoryLogGroupsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_trajectory_log_groups",
                "GET",
                "/v1/preview/models/{model_id}/log/{log_id}/groups",
                "Models",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &[
                "after",
                "dropped",
                "limit",
                "max_reward",
                "min_reward",
                "order",
                "q",
                "sort",
            ],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                log_id: call.required(&path("log_id", STRING))?,
                sort: call
                    .optional(
                        &query(
                            "sort",
                            string(
                                "one of `position`, `reward_mean`, `reward_deviation`, `num_trajectories`, `completion_tokens`",
                            ),
                        ),
                    )?
                    .unwrap_or_else(|| types::TrainingJobGroupSort::Position),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
                dropped: call.optional(&query("dropped", BOOLEAN))?,
                min_reward: call.optional(&query("min_reward", NUMBER))?,
                max_reward: call.optional(&query("max_reward", NUMBER))?,
                q: call
                    .checked_option(
                        "q",
                        call.optional::<String>(&query("q", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 1000);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain NUL characters",
                                    );
                            }
                        },
                    ),
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9]{1,9}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the `last_id` of a page, a whole number",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/log/{log_id}/groups/{group_id}/trajectories`
    #[derive(Clone, Debug)]
    pub struct ListTrajectoryLogTrajectoriesInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// UUID of a trajectory log of the model. Any other value returns 404.
        pub log_id: String,
        /// The `id` of a group of the log. Any other value returns 404.
        pub group_id: String,
        /// Cursor: the `last_id` of the previous page. Without it, the listing starts at its first item. A page after the last item is empty.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    impl http::Input for ListTrajectoryLogTrajectoriesInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_trajectory_log_trajectories",
                "GET",
                "/v1/preview/models/{model_id}/log/{log_id}/groups/{group_id}/trajectories",
                "Models",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["after", "limit"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                log_id: call.required(&path("log_id", STRING))?,
                group_id: call.required(&path("group_id", STRING))?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9]{1,9}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the `last_id` of a page, a whole number",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/metrics`
    #[derive(Clone, Debug)]
    pub struct GetModelMetricsInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Names of metrics. Default: all metrics.
        pub name: Option<Vec<String>>,
        /// Maximum number of points.
        pub points: u32,
        /// Number of the first step of the points. Default: the first step.
        pub first_step: Option<u64>,
        /// Number of the last step of the points. Default: the newest step.
        pub last_step: Option<u64>,
        /// Media types that the caller prefers.
        pub accept: http::Accept,
    }
    impl http::Input for GetModelMetricsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_model_metrics",
                "GET",
                "/v1/preview/models/{model_id}/metrics",
                "Models",
                &["200", "401", "404", "406", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["first_step", "last_step", "name", "points"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                name: call
                    .checked_option(
                        "name",
                        call
                            .optional::<
                                Vec<String>,
                            >(&query("name", decode::Shape::Array(&STRING)))?,
                        |value, at, faults| {
                            faults.max_items(at, value.len(), 100);
                            {
                                let at = at;
                                for (index, item) in value.iter().enumerate() {
                                    faults.min_length(&at.index(index), item.as_str(), 1);
                                    faults.max_length(&at.index(index), item.as_str(), 100);
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
                        },
                    ),
                points: call
                    .checked(
                        "points",
                        call
                            .optional::<
                                u32,
                            >(&query("points", integer("an integer from 1 to 10000")))?
                            .unwrap_or_else(|| 1000),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 10000);
                        },
                    ),
                first_step: call
                    .checked_option(
                        "first_step",
                        call
                            .optional::<
                                u64,
                            >(
                                &query("first_step", integer("an integer of at least 1")),
                            )?,
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                        },
                    ),
                last_step: call
                    .checked_option(
                        "last_step",
                        call
                            .optional::<
                                u64,
                            >(&query("last_step", integer("an integer of at least 1")))?,
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                        },
                    ),
                accept: call.accept(&["application/json", "text/csv"])?,
            })
        }
    }
    /// `GET /v1/preview/base-models`
    #[derive(Debug)]
    pub enum ListBaseModelsOutput {
        /// The base models of this service.
        Ok(types::BaseModelList),
    }
    impl From<types::BaseModelList> for ListBaseModelsOutput {
        fn from(body: types::BaseModelList) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListBaseModelsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/models`
    #[derive(Debug)]
    pub enum ListModelsOutput {
        /// One page of models.
        Ok(types::ModelPage),
    }
    impl From<types::ModelPage> for ListModelsOutput {
        fn from(body: types::ModelPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListModelsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug, Default)]
    pub struct CreateModelOkHeaders {
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/models`
    #[derive(Debug)]
    pub enum CreateModelOutput {
        /// The new model, or the existing one when `return_existing` is true.
        Ok { headers: CreateModelOkHeaders, body: types::ModelResponse },
    }
    impl http::IntoResponse for CreateModelOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        http::response::json(200, "application/json", &body),
                        [
                            (
                                "Idempotency-Replayed",
                                http::response::header(
                                    &headers.idempotency_replayed,
                                    false,
                                    false,
                                ),
                            ),
                        ],
                    )
                }
            }
        }
    }
    /// `DELETE /v1/preview/models/{model_id}`
    #[derive(Debug)]
    pub enum DeleteModelOutput {
        /// Counts of the deleted objects.
        Ok(types::DeleteModelResponse),
    }
    impl From<types::DeleteModelResponse> for DeleteModelOutput {
        fn from(body: types::DeleteModelResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for DeleteModelOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}`
    #[derive(Debug)]
    pub enum GetModelOutput {
        /// The model.
        Ok(types::ModelResponse),
    }
    impl From<types::ModelResponse> for GetModelOutput {
        fn from(body: types::ModelResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetModelOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/log`
    #[derive(Debug)]
    pub enum ListTrajectoryLogsOutput {
        /// One page of logs.
        Ok(types::TrajectoryLogPage),
    }
    impl From<types::TrajectoryLogPage> for ListTrajectoryLogsOutput {
        fn from(body: types::TrajectoryLogPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListTrajectoryLogsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug, Default)]
    pub struct LogTrajectoriesOkHeaders {
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/models/{model_id}/log`
    #[derive(Debug)]
    pub enum LogTrajectoriesOutput {
        /// Counts of the stored groups and trajectories.
        Ok { headers: LogTrajectoriesOkHeaders, body: types::LogResponse },
    }
    impl http::IntoResponse for LogTrajectoriesOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        http::response::json(200, "application/json", &body),
                        [
                            (
                                "Idempotency-Replayed",
                                http::response::header(
                                    &headers.idempotency_replayed,
                                    false,
                                    false,
                                ),
                            ),
                        ],
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/log/{log_id}/groups`
    #[derive(Debug)]
    pub enum ListTrajectoryLogGroupsOutput {
        /// One page of groups.
        Ok(types::TrainingJobGroupPage),
    }
    impl From<types::TrainingJobGroupPage> for ListTrajectoryLogGroupsOutput {
        fn from(body: types::TrainingJobGroupPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListTrajectoryLogGroupsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/log/{log_id}/groups/{group_id}/trajectories`
    #[derive(Debug)]
    pub enum ListTrajectoryLogTrajectoriesOutput {
        /// One page of trajectories.
        Ok(types::TrainingJobTrajectoryPage),
    }
    impl From<types::TrainingJobTrajectoryPage> for ListTrajectoryLogTrajectoriesOutput {
        fn from(body: types::TrainingJobTrajectoryPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListTrajectoryLogTrajectoriesOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/metrics`
    #[derive(Debug)]
    pub enum GetModelMetricsOutput {
        /// Metrics as columns, or a row for each step.
        Ok(types::ModelMetrics),
        /// Metrics as columns, or a row for each step.
        OkTextCsv(http::Download),
    }
    impl From<http::Download> for GetModelMetricsOutput {
        fn from(body: http::Download) -> Self {
            Self::OkTextCsv(body)
        }
    }
    impl From<types::ModelMetrics> for GetModelMetricsOutput {
        fn from(body: types::ModelMetrics) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetModelMetricsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
                Self::OkTextCsv(body) => body.response(200, "text/csv"),
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn models_routes<A: Models>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::list_base_models))
            .add(http::secured(A::list_models))
            .add(http::secured(A::create_model))
            .add(http::secured(A::delete_model))
            .add(http::secured(A::get_model))
            .add(http::secured(A::list_trajectory_logs))
            .add(http::secured(A::log_trajectories))
            .add(http::secured(A::list_trajectory_log_groups))
            .add(http::secured(A::list_trajectory_log_trajectories))
            .add(http::secured(A::get_model_metrics))
            .router()
    }
}
/// Liveness of the process (health), state of its components (system check), metrics, usage, and the key of the request.
pub mod service {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// Liveness of the process (health), state of its components (system check), metrics, usage, and the key of the request.
    pub trait Service: http::Authenticate {
        /// Readiness check
        ///
        /// Readiness probe for load balancers, without a key. Returns 503 as soon as shutdown begins, while all other requests are still served.
        ///
        /// `GET /health`
        fn health(
            &self,
            input: HealthInput,
        ) -> impl Future<Output = Result<HealthOutput, http::ApiError>> + Send;
        /// Metrics
        ///
        /// Returns counters, gauges and histograms of the process in the text format of Prometheus, version 0.0.4. Needs no key, like `GET /health`, so that scrapers can read it. It exposes no entities, projects, trained models, keys or texts: the labels are operations of this document, status classes, states and names of base models. Counters start at zero with the process. Available only at the base URL of the training service.
        ///
        /// `GET /metrics`
        fn get_metrics(
            &self,
            input: GetMetricsInput,
        ) -> impl Future<Output = Result<GetMetricsOutput, http::ApiError>> + Send;
        /// Health check
        ///
        /// Confirms that the process responds and that the key is valid. Checks nothing else.
        ///
        /// `GET /v1/health`
        fn check_key(
            &self,
            caller: Self::Caller,
            input: CheckKeyInput,
        ) -> impl Future<Output = Result<CheckKeyOutput, http::ApiError>> + Send;
        /// Get the key
        ///
        /// Returns the key of the request: its owner, its limits, and the use that counts against them. The counts per minute are those of the process that responds.
        ///
        /// `GET /v1/preview/key`
        fn get_key(
            &self,
            caller: Self::Caller,
            input: GetKeyInput,
        ) -> impl Future<Output = Result<GetKeyOutput, http::ApiError>> + Send;
        /// Get the server
        ///
        /// Returns the version and the settings of the process that responds.
        ///
        /// `GET /v1/preview/server`
        fn get_server(
            &self,
            caller: Self::Caller,
            input: GetServerInput,
        ) -> impl Future<Output = Result<GetServerOutput, http::ApiError>> + Send;
        /// Get usage
        ///
        /// Returns the usage of the entity's keys by day, key, project, model and job: chat requests, chat tokens and trained tokens. Trained tokens count for the day on which the job ended.
        ///
        /// `GET /v1/preview/usage`
        fn get_usage(
            &self,
            caller: Self::Caller,
            input: GetUsageInput,
        ) -> impl Future<Output = Result<GetUsageOutput, http::ApiError>> + Send;
        /// System check
        ///
        /// Checks every component in parallel and responds within a second: the database; the artifact store, by writing and reading back a few bytes; the job queue; the engine, or the vLLM servers in its place, by computing one token; and the free disk space. A component that does not respond within 0.9 s in two requests in a row fails its check; the first time, only its `duration` shows it. The engine does not fail while it makes progress on earlier requests; it fails while a vLLM server applies an adapter in another way than training did. Intended for monitoring, not for each request.
        ///
        /// `GET /v1/system-check`
        fn check_system(
            &self,
            caller: Self::Caller,
            input: CheckSystemInput,
        ) -> impl Future<Output = Result<CheckSystemOutput, http::ApiError>> + Send;
    }
    /// `GET /health`
    #[derive(Clone, Debug)]
    pub struct HealthInput {}
    impl http::Input for HealthInput {
        const OPERATION: http::Operation = http::Operation::new(
            "read_root_health_get",
            "GET",
            "/health",
            "Service",
            &["200", "503"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {})
        }
    }
    /// `GET /metrics`
    #[derive(Clone, Debug)]
    pub struct GetMetricsInput {}
    impl http::Input for GetMetricsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_metrics",
                "GET",
                "/metrics",
                "Service",
                &["200"],
            )
            .extension();
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {})
        }
    }
    /// `GET /v1/health`
    #[derive(Clone, Debug)]
    pub struct CheckKeyInput {}
    impl http::Input for CheckKeyInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_health",
                "GET",
                "/v1/health",
                "Service",
                &["200", "401", "default"],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {})
        }
    }
    /// `GET /v1/preview/key`
    #[derive(Clone, Debug)]
    pub struct GetKeyInput {}
    impl http::Input for GetKeyInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_key",
                "GET",
                "/v1/preview/key",
                "Service",
                &["200", "401", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {})
        }
    }
    /// `GET /v1/preview/server`
    #[derive(Clone, Debug)]
    pub struct GetServerInput {}
    impl http::Input for GetServerInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_server",
                "GET",
                "/v1/preview/server",
                "Service",
                &["200", "401", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {})
        }
    }
    /// `GET /v1/preview/usage`
    #[derive(Clone, Debug)]
    pub struct GetUsageInput {
        /// First day, in UTC. Default: 30 days before `end_date`.
        pub start_date: Option<String>,
        /// Last day, in UTC. Default: today.
        pub end_date: Option<String>,
        /// Project to report. Default: all projects.
        pub project: Option<String>,
    }
    impl http::Input for GetUsageInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_usage",
                "GET",
                "/v1/preview/usage",
                "Service",
                &["200", "401", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["end_date", "project", "start_date"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                start_date: call
                    .checked_option(
                        "start_date",
                        call.optional::<String>(&query("start_date", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be a day such as 2026-11-22",
                                    );
                            }
                        },
                    ),
                end_date: call
                    .checked_option(
                        "end_date",
                        call.optional::<String>(&query("end_date", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be a day such as 2026-11-22",
                                    );
                            }
                        },
                    ),
                project: call
                    .checked_option(
                        "project",
                        call.optional::<String>(&query("project", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 256);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000-\\u001f\\u007f]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain control characters",
                                    );
                            }
                        },
                    ),
            })
        }
    }
    /// `GET /v1/system-check`
    #[derive(Clone, Debug)]
    pub struct CheckSystemInput {}
    impl http::Input for CheckSystemInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_system_check",
                "GET",
                "/v1/system-check",
                "Service",
                &["200", "401", "503", "default"],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {})
        }
    }
    /// `GET /health`
    #[derive(Debug)]
    pub enum HealthOutput {
        /// Successful Response
        Ok(http::Value),
    }
    impl From<http::Value> for HealthOutput {
        fn from(body: http::Value) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for HealthOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /metrics`
    #[derive(Debug)]
    pub enum GetMetricsOutput {
        /// All metrics, each with its `HELP` and `TYPE` line.
        Ok(String),
    }
    impl From<String> for GetMetricsOutput {
        fn from(body: String) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetMetricsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => {
                    http::response::text(
                        200,
                        "text/plain; version=0.0.4; charset=utf-8",
                        body,
                    )
                }
            }
        }
    }
    /// `GET /v1/health`
    #[derive(Debug)]
    pub enum CheckKeyOutput {
        /// The service responds.
        Ok(types::HealthResponse),
    }
    impl From<types::HealthResponse> for CheckKeyOutput {
        fn from(body: types::HealthResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CheckKeyOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/key`
    #[derive(Debug)]
    pub enum GetKeyOutput {
        /// The key of the request.
        Ok(types::KeyDetail),
    }
    impl From<types::KeyDetail> for GetKeyOutput {
        fn from(body: types::KeyDetail) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetKeyOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/server`
    #[derive(Debug)]
    pub enum GetServerOutput {
        /// The process that responds.
        Ok(types::ServerDetail),
    }
    impl From<types::ServerDetail> for GetServerOutput {
        fn from(body: types::ServerDetail) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetServerOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/usage`
    #[derive(Debug)]
    pub enum GetUsageOutput {
        /// Usage records, earliest day first.
        Ok(types::UsageReport),
    }
    impl From<types::UsageReport> for GetUsageOutput {
        fn from(body: types::UsageReport) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetUsageOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/system-check`
    #[derive(Debug)]
    pub enum CheckSystemOutput {
        /// Every check passed.
        Ok(types::SystemCheckResponse),
        /// A check failed, and the body names it. Or the database is too busy to verify the key: the body is then an ordinary error response, with `Retry-After`. The two bodies have no field in common.
        ServiceUnavailable(types::SystemCheckFailure),
    }
    impl From<types::SystemCheckFailure> for CheckSystemOutput {
        fn from(body: types::SystemCheckFailure) -> Self {
            Self::ServiceUnavailable(body)
        }
    }
    impl From<types::SystemCheckResponse> for CheckSystemOutput {
        fn from(body: types::SystemCheckResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CheckSystemOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
                Self::ServiceUnavailable(body) => {
                    http::response::json(503, "application/json", &body)
                }
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn service_routes<A: Service>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::open(A::health))
            .add(http::open(A::get_metrics))
            .add(http::secured(A::check_key))
            .add(http::secured(A::get_key))
            .add(http::secured(A::get_server))
            .add(http::secured(A::get_usage))
            .add(http::secured(A::check_system))
            .router()
    }
}
/// Recorded sessions: what an agent program samples is stored token by token, whichever dialect it speaks. Open a session,
/// give its key to the program, set the reward, and train: an RL job takes `sessions` or a `group` of them.
pub mod sessions {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// Recorded sessions: what an agent program samples is stored token by token, whichever dialect it speaks. Open a session,
    /// give its key to the program, set the reward, and train: an RL job takes `sessions` or a `group` of them.
    pub trait Sessions: http::Authenticate {
        /// List sessions
        ///
        /// Lists the recorded sessions of the key's entity by the time of their opening. Query parameters are filters, combined with AND.
        ///
        /// `GET /v1/preview/sessions`
        fn list_sessions(
            &self,
            caller: Self::Caller,
            input: ListSessionsInput,
        ) -> impl Future<Output = Result<ListSessionsOutput, http::ApiError>> + Send;
        /// Open session
        ///
        /// Opens a recorded session: the service stores every token that a program samples in it, to be rewarded and trained
        /// on later. A program uses it by its key, by the header `x-trainyard-session` beside another key of the entity, or by
        /// the base URL `{base_url}/sessions/ID/v1` with such a key, in chat completions, completions, responses and messages.
        ///
        /// The session's `key` is in this response alone. It samples the session's model, whatever `model` a request names,
        /// and does nothing else (403). It ends with the session or with the key that opened it. A session expires 7 days after
        /// its opening. An entity may have 10,000 sessions; more return 429.
        ///
        /// `POST /v1/preview/sessions`
        fn create_session(
            &self,
            caller: Self::Caller,
            input: CreateSessionInput,
        ) -> impl Future<Output = Result<CreateSessionOutput, http::ApiError>> + Send;
        /// Delete session
        ///
        /// Deletes a session and everything recorded in it, for good. Its key ends. Jobs that were created with it keep the data that they train on. Takes no body; a body is ignored.
        ///
        /// `DELETE /v1/preview/sessions/{session_id}`
        fn delete_session(
            &self,
            caller: Self::Caller,
            input: DeleteSessionInput,
        ) -> impl Future<Output = Result<DeleteSessionOutput, http::ApiError>> + Send;
        /// Get session
        ///
        /// Returns a session with its generations in their order: the texts of the choices, the counts of tokens, the sampled step, rewards and times.
        ///
        /// `GET /v1/preview/sessions/{session_id}`
        fn get_session(
            &self,
            caller: Self::Caller,
            input: GetSessionInput,
        ) -> impl Future<Output = Result<GetSessionOutput, http::ApiError>> + Send;
        /// Reward session
        ///
        /// Sets the reward of a session, or with `generation_id` that of one of its generations; a later one replaces it. The reward of a session without one of its own is the sum of those of its generations.
        ///
        /// `POST /v1/preview/sessions/{session_id}/reward`
        fn reward_session(
            &self,
            caller: Self::Caller,
            input: RewardSessionInput,
        ) -> impl Future<Output = Result<RewardSessionOutput, http::ApiError>> + Send;
    }
    /// `GET /v1/preview/sessions`
    #[derive(Clone, Debug)]
    pub struct ListSessionsInput {
        /// Group of the sessions.
        pub group: Option<String>,
        /// Model of the sessions, as in `model` of a session. A name without a step includes the sessions that are pinned to one.
        pub model: Option<String>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
    }
    impl http::Input for ListSessionsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_sessions",
                "GET",
                "/v1/preview/sessions",
                "Sessions",
                &["200", "401", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "group", "limit", "model", "order"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                group: call
                    .checked_option(
                        "group",
                        call.optional::<String>(&query("group", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 200);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain control characters",
                                    );
                            }
                        },
                    ),
                model: call
                    .checked_option(
                        "model",
                        call.optional::<String>(&query("model", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 1024);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain control characters",
                                    );
                            }
                        },
                    ),
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
            })
        }
    }
    /// `POST /v1/preview/sessions`
    #[derive(Clone, Debug)]
    pub struct CreateSessionInput {
        /// The host and port that the caller used; URLs in the response begin with it.
        pub host: Option<String>,
        /// `https` behind a proxy that terminates TLS; URLs in the response begin with it.
        pub x_forwarded_proto: Option<String>,
        /// The model and the labels of the session.
        pub body: types::CreateRecordedSession,
    }
    impl http::Input for CreateSessionInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_session",
                "POST",
                "/v1/preview/sessions",
                "Sessions",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "429",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                host: call
                    .checked_option(
                        "Host",
                        call.optional::<String>(&header("Host", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 512);
                        },
                    ),
                x_forwarded_proto: call
                    .checked_option(
                        "X-Forwarded-Proto",
                        call.optional::<String>(&header("X-Forwarded-Proto", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 16);
                        },
                    ),
                body: call
                    .only("application/json")?
                    .json::<
                        types::CreateRecordedSession,
                    >(65536, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `DELETE /v1/preview/sessions/{session_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteSessionInput {
        /// The `id` of a recorded session, a UUID. Any other value returns 404.
        pub session_id: String,
    }
    impl http::Input for DeleteSessionInput {
        const OPERATION: http::Operation = http::Operation::new(
                "delete_session",
                "DELETE",
                "/v1/preview/sessions/{session_id}",
                "Sessions",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                session_id: call.required(&path("session_id", STRING))?,
            })
        }
    }
    /// `GET /v1/preview/sessions/{session_id}`
    #[derive(Clone, Debug)]
    pub struct GetSessionInput {
        /// The `id` of a recorded session, a UUID. Any other value returns 404.
        pub session_id: String,
        /// Whether each generation has `request`, the messages, tools and sampling options that the model got.
        pub requests: bool,
        /// Whether each generation has `sequences`, its tokens with their texts and log-probabilities.
        pub tokens: bool,
        /// Id of the only generation that the response has, if there is one.
        pub generation_id: Option<String>,
    }
    impl http::Input for GetSessionInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_session",
                "GET",
                "/v1/preview/sessions/{session_id}",
                "Sessions",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["generation_id", "requests", "tokens"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                session_id: call.required(&path("session_id", STRING))?,
                requests: call
                    .optional(&query("requests", BOOLEAN))?
                    .unwrap_or_else(|| false),
                tokens: call
                    .optional(&query("tokens", BOOLEAN))?
                    .unwrap_or_else(|| false),
                generation_id: call
                    .checked_option(
                        "generation_id",
                        call.optional::<String>(&query("generation_id", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 64);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain control characters",
                                    );
                            }
                        },
                    ),
            })
        }
    }
    /// `POST /v1/preview/sessions/{session_id}/reward`
    #[derive(Clone, Debug)]
    pub struct RewardSessionInput {
        /// The `id` of a recorded session, a UUID. Any other value returns 404.
        pub session_id: String,
        /// The reward.
        pub body: types::RewardSession,
    }
    impl http::Input for RewardSessionInput {
        const OPERATION: http::Operation = http::Operation::new(
                "reward_session",
                "POST",
                "/v1/preview/sessions/{session_id}/reward",
                "Sessions",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                session_id: call.required(&path("session_id", STRING))?,
                body: call
                    .only("application/json")?
                    .json::<types::RewardSession>(65536, true, http::unlimited)
                    .await?,
            })
        }
    }
    /// `GET /v1/preview/sessions`
    #[derive(Debug)]
    pub enum ListSessionsOutput {
        /// One page of sessions, without their generations.
        Ok(types::RecordedSessionPage),
    }
    impl From<types::RecordedSessionPage> for ListSessionsOutput {
        fn from(body: types::RecordedSessionPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListSessionsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/preview/sessions`
    #[derive(Debug)]
    pub enum CreateSessionOutput {
        /// The open session.
        Ok(types::RecordedSession),
    }
    impl From<types::RecordedSession> for CreateSessionOutput {
        fn from(body: types::RecordedSession) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CreateSessionOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `DELETE /v1/preview/sessions/{session_id}`
    #[derive(Debug)]
    pub enum DeleteSessionOutput {
        /// The session is deleted.
        Ok(types::DeletedSession),
    }
    impl From<types::DeletedSession> for DeleteSessionOutput {
        fn from(body: types::DeletedSession) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for DeleteSessionOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/sessions/{session_id}`
    #[derive(Debug)]
    pub enum GetSessionOutput {
        /// The session.
        Ok(types::RecordedSession),
    }
    impl From<types::RecordedSession> for GetSessionOutput {
        fn from(body: types::RecordedSession) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetSessionOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/preview/sessions/{session_id}/reward`
    #[derive(Debug)]
    pub enum RewardSessionOutput {
        /// The session, without its generations.
        Ok(types::RecordedSession),
    }
    impl From<types::RecordedSession> for RewardSessionOutput {
        fn from(body: types::RecordedSession) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for RewardSessionOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn sessions_routes<A: Sessions>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::list_sessions))
            .add(http::secured(A::create_session))
            .add(http::secured(A::delete_session))
            .add(http::secured(A::get_session))
            .add(http::secured(A::reward_session))
            .router()
    }
}
/// RL jobs learn from trajectories with rewards, SFT jobs from example conversations. Both start from the newest
/// checkpoint of their model and create the next one. The jobs of a model run one after the other, in the order of
/// their creation. Different entities, and the models of an entity, take turns: if the jobs of `n` entities wait, each
/// of these entities gets one of the next `n` starts. Jobs resume after a restart.
///
/// A job reports its progress through events: `training_started`, one `gradient_step` for each optimizer step, then
/// `training_ended` or `training_failed`. When `training_ended` can be read, the new checkpoint exists.
pub mod training_jobs {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// RL jobs learn from trajectories with rewards, SFT jobs from example conversations. Both start from the newest
    /// checkpoint of their model and create the next one. The jobs of a model run one after the other, in the order of
    /// their creation. Different entities, and the models of an entity, take turns: if the jobs of `n` entities wait, each
    /// of these entities gets one of the next `n` starts. Jobs resume after a restart.
    ///
    /// A job reports its progress through events: `training_started`, one `gradient_step` for each optimizer step, then
    /// `training_ended` or `training_failed`. When `training_ended` can be read, the new checkpoint exists.
    pub trait TrainingJobs: http::Authenticate {
        /// Create SFT training job
        ///
        /// Queues supervised fine-tuning on a file of conversations. The file is uploaded (`POST /v1/files`, purpose
        /// `fine-tune`) or at a URL. The service fetches a URL when the job starts, so a URL that cannot be read is
        /// reported in the events (`training_failed`) and not in this response.
        ///
        /// The file contains JSON Lines, one conversation per line: `{"messages": [...], "tools": [...]}`; `tools` is
        /// optional. The limits are 16 MiB per line, 1000000 conversations and 1 GiB in total. Every line is validated
        /// before the first optimizer step. The first malformed line fails the job, and `error_message` names it. Blank
        /// lines are skipped.
        ///
        /// The loss covers the messages of the assistant. Conversations without such a message, and conversations longer
        /// than the model's context, are dropped and counted in `num_dropped_trajectories`; `training_started` lists the
        /// first of them with their lines. A dropped conversation keeps its place in its batch, so each learning rate
        /// applies to the same lines.
        ///
        /// An assistant message with `weight` 0 is context and is not trained. `parallel_tool_calls` is accepted, but false
        /// is an error if a message has several calls. `functions`, and `function_call`, `refusal` and `audio` of a
        /// message, are rejected unless null, because the chat template would ignore them.
        ///
        /// At most 1000 jobs of one entity may be queued or running; more return 429.
        ///
        /// `POST /v1/preview/sft-training-jobs`
        fn create_sft_training_job(
            &self,
            caller: Self::Caller,
            input: CreateSftTrainingJobInput,
        ) -> impl Future<
            Output = Result<CreateSftTrainingJobOutput, http::ApiError>,
        > + Send;
        /// List training jobs
        ///
        /// Lists the RL and SFT jobs of the key's entity by creation time. Query parameters are filters, combined with AND. To follow a page, send `Accept: text/event-stream`: the stream begins with the ids of the page's jobs in their order and each of these jobs; then the ids again when they change, and each job of the page that has changed, at most once a second. It ends when the service stops. A comment is sent after each 15 s without an event.
        ///
        /// `GET /v1/preview/training-jobs`
        fn list_training_jobs(
            &self,
            caller: Self::Caller,
            input: ListTrainingJobsInput,
        ) -> impl Future<Output = Result<ListTrainingJobsOutput, http::ApiError>> + Send;
        /// Create RL training job
        ///
        /// Queues reinforcement learning on trajectories. Rewards count relative to their group: completions of the same
        /// prompt belong in one group, and a group with equal rewards contributes no gradient. Each conversation of a
        /// trajectory that has a choice becomes one optimizer step, in the order of the request, unless
        /// `packed_sequence_length` puts several into one step. Conversations longer than the model's context are dropped
        /// and counted in `num_dropped_sequences`. A job with nothing to learn succeeds and creates a new step with the
        /// same weights.
        ///
        /// Send choices unchanged: they carry their own tokens and the tokens of their prompt, and training uses both. A
        /// turn whose prompt does not begin with the previous turns becomes a step of its own. Untrainable items are
        /// dropped, and the rest of the job is unaffected. The event `training_started` lists dropped items, and places
        /// where messages and tokens differ.
        ///
        /// At most 1000 jobs of one entity may be queued or running; more return 429.
        ///
        /// `POST /v1/preview/training-jobs`
        fn create_training_job(
            &self,
            caller: Self::Caller,
            input: CreateTrainingJobInput,
        ) -> impl Future<
            Output = Result<CreateTrainingJobOutput, http::ApiError>,
        > + Send;
        /// Get training job
        ///
        /// Returns the state of an RL or SFT job: its progress, its options and, after a failure, the reason. Its events carry the metrics of each step.
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}`
        fn get_training_job(
            &self,
            caller: Self::Caller,
            input: GetTrainingJobInput,
        ) -> impl Future<Output = Result<GetTrainingJobOutput, http::ApiError>> + Send;
        /// Name training job
        ///
        /// Changes the name and the tags of a job, whatever its status. They have no effect on training. A property that is left out stays.
        ///
        /// `PATCH /v1/preview/training-jobs/{training_job_id}`
        fn update_training_job(
            &self,
            caller: Self::Caller,
            input: UpdateTrainingJobInput,
        ) -> impl Future<
            Output = Result<UpdateTrainingJobOutput, http::ApiError>,
        > + Send;
        /// Cancel training job
        ///
        /// Cancels a queued or running RL or SFT job. Its last event is `training_failed`, which says that it was cancelled. The model keeps the step that it had. The worker's writes are rejected at once; it stops after the current step at the latest. Cancelling a cancelled job again returns the job unchanged. A job that ended otherwise returns 409.
        ///
        /// `POST /v1/preview/training-jobs/{training_job_id}/cancel`
        fn cancel_training_job(
            &self,
            caller: Self::Caller,
            input: CancelTrainingJobInput,
        ) -> impl Future<
            Output = Result<CancelTrainingJobOutput, http::ApiError>,
        > + Send;
        /// List dropped data
        ///
        /// Lists every place that the event `training_started` of an RL job counts: groups, trajectories, conversations and sequences that are not trained, and turns whose message and tokens disagree. The list is empty before that event. An SFT job has none and returns 404.
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}/drops`
        fn list_training_job_drops(
            &self,
            caller: Self::Caller,
            input: ListTrainingJobDropsInput,
        ) -> impl Future<
            Output = Result<ListTrainingJobDropsOutput, http::ApiError>,
        > + Send;
        /// Get training job events
        ///
        /// Lists the events of an RL or SFT job in chronological order. A queued job has none. To follow a job, send `Accept: text/event-stream`: the events are then streamed as they happen, and the stream ends after `training_ended` or `training_failed`. Each event has its `id`, its type as `event`, and an item of the list, as JSON, as `data`. After a disconnect, resume with `Last-Event-ID`. A comment is sent after each 15 s without an event. Alternatively poll with `after` set to the last id received, once a second or with `wait`.
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}/events`
        fn list_training_job_events(
            &self,
            caller: Self::Caller,
            input: ListTrainingJobEventsInput,
        ) -> impl Future<
            Output = Result<ListTrainingJobEventsOutput, http::ApiError>,
        > + Send;
        /// List trajectory groups
        ///
        /// Lists the trajectory groups of an RL job, by default in the order of the request, with their rewards and advantages. An SFT job has none and returns 404, as do a job whose data is not stored any more: that of a failed or cancelled job is removed at its end, that of another with its checkpoint and all later ones.
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}/groups`
        fn list_training_job_groups(
            &self,
            caller: Self::Caller,
            input: ListTrainingJobGroupsInput,
        ) -> impl Future<
            Output = Result<ListTrainingJobGroupsOutput, http::ApiError>,
        > + Send;
        /// List trajectories of group
        ///
        /// Lists the trajectories of a group with their tokens, as training sees them: which tokens are trained, their log-probabilities when they were sampled and when they were trained, their advantage, and the reasons for which trajectories or sequences are dropped. The service computes them when they are requested, with the code of the trainer; the log-probabilities of training are recorded by the job. A page ends early after 200,000 tokens or 8 MiB of messages.
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}/groups/{group_id}/trajectories`
        fn list_training_job_trajectories(
            &self,
            caller: Self::Caller,
            input: ListTrainingJobTrajectoriesInput,
        ) -> impl Future<
            Output = Result<ListTrainingJobTrajectoriesOutput, http::ApiError>,
        > + Send;
        /// Get the metrics of a job
        ///
        /// Returns the metrics of the job's optimizer steps as columns, thinned to at most `points` points: a point of several steps has their mean, smallest and largest value. With `Accept: text/csv`, returns a row for each step instead, and ignores `points`, `first_step` and `last_step`; its first columns are `step`, `tokens` and `time`.
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}/metrics`
        fn get_training_job_metrics(
            &self,
            caller: Self::Caller,
            input: GetTrainingJobMetricsInput,
        ) -> impl Future<
            Output = Result<GetTrainingJobMetricsOutput, http::ApiError>,
        > + Send;
    }
    /// `POST /v1/preview/sft-training-jobs`
    #[derive(Clone, Debug)]
    pub struct CreateSftTrainingJobInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<String>,
        /// Validates the job without creating it: the service checks the options, reads and tokenises the data as the job would, returns the result in `estimate`, and stores nothing. Options or data that would fail the job return 422. Two dry runs may run at the same time; more return 429.
        pub dry_run: bool,
        /// The model, the data and the options.
        pub body: types::CreateSftTrainingJob,
    }
    impl http::Input for CreateSftTrainingJobInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_sft_training_job",
                "POST",
                "/v1/preview/sft-training-jobs",
                "TrainingJobs",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "429",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(&["dry_run"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                idempotency_key: call
                    .checked_option(
                        "Idempotency-Key",
                        call.optional::<String>(&header("Idempotency-Key", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 255);
                        },
                    ),
                dry_run: call
                    .optional(&query("dry_run", BOOLEAN))?
                    .unwrap_or_else(|| false),
                body: call
                    .only("application/json")?
                    .json::<
                        types::CreateSftTrainingJob,
                    >(8388608, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `GET /v1/preview/training-jobs`
    #[derive(Clone, Debug)]
    pub struct ListTrainingJobsInput {
        /// Model of the jobs. An unknown id returns 404.
        pub model_id: Option<String>,
        /// Status of the jobs.
        pub status: Option<types::TrainingJobStatus>,
        /// Training type of the jobs.
        pub kind: Option<types::TrainingJobKind>,
        /// Text in the name or a tag of the jobs. The case of ASCII letters does not matter.
        pub q: Option<String>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
        /// Media types that the caller prefers.
        pub accept: http::Accept,
    }
    impl http::Input for ListTrainingJobsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_training_jobs",
                "GET",
                "/v1/preview/training-jobs",
                "TrainingJobs",
                &["200", "401", "404", "406", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "kind", "limit", "model_id", "order", "q", "status"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call
                    .checked_option(
                        "model_id",
                        call.optional::<String>(&query("model_id", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the `id` of a model",
                                    );
                            }
                        },
                    ),
                status: call
                    .optional(
                        &query(
                            "status",
                            string(
                                "one of `queued`, `running`, `succeeded`, `failed`, `cancelled`",
                            ),
                        ),
                    )?,
                kind: call.optional(&query("kind", string("one of `rl`, `sft`")))?,
                q: call
                    .checked_option(
                        "q",
                        call.optional::<String>(&query("q", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 200);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain control characters",
                                    );
                            }
                        },
                    ),
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
                accept: call.accept(&["application/json", "text/event-stream"])?,
            })
        }
    }
    /// `POST /v1/preview/training-jobs`
    #[derive(Debug)]
    pub struct CreateTrainingJobInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<String>,
        /// Validates the job without creating it: the service checks the options, reads and tokenises the data as the job would, returns the result in `estimate`, and stores nothing. Options or data that would fail the job return 422. Two dry runs may run at the same time; more return 429.
        pub dry_run: bool,
        /// The model, the trajectories and the options.
        pub body: http::JsonItems<types::CreateTrainingJob, types::TrajectoryGroup>,
    }
    impl http::Input for CreateTrainingJobInput {
        const OPERATION: http::Operation = http::Operation::new(
                "create_training_job",
                "POST",
                "/v1/preview/training-jobs",
                "TrainingJobs",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "429",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(&["dry_run"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                idempotency_key: call
                    .checked_option(
                        "Idempotency-Key",
                        call.optional::<String>(&header("Idempotency-Key", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 255);
                        },
                    ),
                dry_run: call
                    .optional(&query("dry_run", BOOLEAN))?
                    .unwrap_or_else(|| false),
                body: call
                    .only("application/json")?
                    .json_items(
                        268435456,
                        "trajectory_groups",
                        (validation::Validate::validate, validation::Validate::validate),
                    )?,
            })
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}`
    #[derive(Clone, Debug)]
    pub struct GetTrainingJobInput {
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: String,
    }
    impl http::Input for GetTrainingJobInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_training_job",
                "GET",
                "/v1/preview/training-jobs/{training_job_id}",
                "TrainingJobs",
                &["200", "401", "404", "default"],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                training_job_id: call.required(&path("training_job_id", STRING))?,
            })
        }
    }
    /// `PATCH /v1/preview/training-jobs/{training_job_id}`
    #[derive(Clone, Debug)]
    pub struct UpdateTrainingJobInput {
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: String,
        /// The properties to change.
        pub body: types::UpdateTrainingJob,
    }
    impl http::Input for UpdateTrainingJobInput {
        const OPERATION: http::Operation = http::Operation::new(
                "update_training_job",
                "PATCH",
                "/v1/preview/training-jobs/{training_job_id}",
                "TrainingJobs",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                training_job_id: call.required(&path("training_job_id", STRING))?,
                body: call
                    .only("application/json")?
                    .json::<
                        types::UpdateTrainingJob,
                    >(65536, true, validation::Validate::validate)
                    .await?,
            })
        }
    }
    /// `POST /v1/preview/training-jobs/{training_job_id}/cancel`
    #[derive(Clone, Debug)]
    pub struct CancelTrainingJobInput {
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: String,
    }
    impl http::Input for CancelTrainingJobInput {
        const OPERATION: http::Operation = http::Operation::new(
                "cancel_training_job",
                "POST",
                "/v1/preview/training-jobs/{training_job_id}/cancel",
                "TrainingJobs",
                &["200", "401", "404", "409", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                training_job_id: call.required(&path("training_job_id", STRING))?,
            })
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/drops`
    #[derive(Clone, Debug)]
    pub struct ListTrainingJobDropsInput {
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: String,
        /// True for turns whose message and tokens disagree, false for dropped data; all by default.
        pub drift: Option<bool>,
        /// Cursor: the `last_id` of the previous page. Without it, the listing starts at its first item. A page after the last item is empty.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    impl http::Input for ListTrainingJobDropsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_training_job_drops",
                "GET",
                "/v1/preview/training-jobs/{training_job_id}/drops",
                "TrainingJobs",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "drift", "limit"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                training_job_id: call.required(&path("training_job_id", STRING))?,
                drift: call.optional(&query("drift", BOOLEAN))?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9]{1,9}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the `last_id` of a page, a whole number",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/events`
    #[derive(Clone, Debug)]
    pub struct ListTrainingJobEventsInput {
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: String,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
        /// Time to wait for an event when there is none yet, in seconds. The page is empty if none arrives in that time, and returned at once if no more events can follow. Only with `order=asc`.
        pub wait: u32,
        /// Id of the last event received in a stream; replaces `after`.
        pub last_event_id: Option<String>,
        /// Media types that the caller prefers.
        pub accept: http::Accept,
    }
    impl http::Input for ListTrainingJobEventsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_training_job_events",
                "GET",
                "/v1/preview/training-jobs/{training_job_id}/events",
                "TrainingJobs",
                &["200", "401", "404", "406", "422", "default"],
            )
            .security(super::SECURITY_4);
        const QUERY: Option<&'static [&'static str]> = Some(
            &["after", "limit", "order", "wait"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                training_job_id: call.required(&path("training_job_id", STRING))?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
                wait: call
                    .checked(
                        "wait",
                        call
                            .optional::<
                                u32,
                            >(&query("wait", integer("an integer from 0 to 60")))?
                            .unwrap_or_else(|| 0),
                        |value, at, faults| {
                            faults.maximum(at, *value, 60);
                        },
                    ),
                last_event_id: call
                    .checked_option(
                        "Last-Event-ID",
                        call.optional::<String>(&header("Last-Event-ID", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an event of this job",
                                    );
                            }
                        },
                    ),
                accept: call.accept(&["application/json", "text/event-stream"])?,
            })
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/groups`
    #[derive(Clone, Debug)]
    pub struct ListTrainingJobGroupsInput {
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: String,
        /// Order of the groups. Groups without the value come last.
        pub sort: types::TrainingJobGroupSort,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
        /// Whether the groups are left out of training.
        pub dropped: Option<bool>,
        /// Smallest mean reward of the groups.
        pub min_reward: Option<f64>,
        /// Largest mean reward of the groups.
        pub max_reward: Option<f64>,
        /// Text in a message, a choice or a captured body of the group. The case of ASCII letters does not matter. The search reads all groups that pass the other filters.
        pub q: Option<String>,
        /// Cursor: the `last_id` of the previous page of the same query. Without it, the listing starts at its first item.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    impl http::Input for ListTrainingJobGroupsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_training_job_groups",
                "GET",
                "/v1/preview/training-jobs/{training_job_id}/groups",
                "TrainingJobs",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &[
                "after",
                "dropped",
                "limit",
                "max_reward",
                "min_reward",
                "order",
                "q",
                "sort",
            ],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                training_job_id: call.required(&path("training_job_id", STRING))?,
                sort: call
                    .optional(
                        &query(
                            "sort",
                            string(
                                "one of `position`, `reward_mean`, `reward_deviation`, `num_trajectories`, `completion_tokens`",
                            ),
                        ),
                    )?
                    .unwrap_or_else(|| types::TrainingJobGroupSort::Position),
                order: call
                    .optional(&query("order", string("one of `asc`, `desc`")))?
                    .unwrap_or_else(|| types::SortOrder::Asc),
                dropped: call.optional(&query("dropped", BOOLEAN))?,
                min_reward: call.optional(&query("min_reward", NUMBER))?,
                max_reward: call.optional(&query("max_reward", NUMBER))?,
                q: call
                    .checked_option(
                        "q",
                        call.optional::<String>(&query("q", STRING))?,
                        |value, at, faults| {
                            faults.min_length(at, value.as_str(), 1);
                            faults.max_length(at, value.as_str(), 1000);
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[^\\u0000]*$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain NUL characters",
                                    );
                            }
                        },
                    ),
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9]{1,9}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the `last_id` of a page, a whole number",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/groups/{group_id}/trajectories`
    #[derive(Clone, Debug)]
    pub struct ListTrainingJobTrajectoriesInput {
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: String,
        /// The `id` of a group of the job. Any other value returns 404.
        pub group_id: String,
        /// Cursor: the `last_id` of the previous page. Without it, the listing starts at its first item. A page after the last item is empty.
        pub after: Option<String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    impl http::Input for ListTrainingJobTrajectoriesInput {
        const OPERATION: http::Operation = http::Operation::new(
                "list_training_job_trajectories",
                "GET",
                "/v1/preview/training-jobs/{training_job_id}/groups/{group_id}/trajectories",
                "TrainingJobs",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["after", "limit"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                training_job_id: call.required(&path("training_job_id", STRING))?,
                group_id: call.required(&path("group_id", STRING))?,
                after: call
                    .checked_option(
                        "after",
                        call.optional::<String>(&query("after", STRING))?,
                        |value, at, faults| {
                            {
                                static PATTERN: validation::LazyPattern = validation::LazyPattern::new(
                                    "^[0-9]{1,9}$",
                                );
                                faults
                                    .pattern(
                                        at,
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the `last_id` of a page, a whole number",
                                    );
                            }
                        },
                    ),
                limit: call
                    .checked(
                        "limit",
                        call
                            .optional::<
                                u32,
                            >(&query("limit", integer("an integer from 1 to 100")))?
                            .unwrap_or_else(|| 20),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 100);
                        },
                    ),
            })
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/metrics`
    #[derive(Clone, Debug)]
    pub struct GetTrainingJobMetricsInput {
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: String,
        /// Names of metrics. Default: all metrics.
        pub name: Option<Vec<String>>,
        /// Maximum number of points.
        pub points: u32,
        /// Number of the first step of the points. Default: the first step.
        pub first_step: Option<u64>,
        /// Number of the last step of the points. Default: the newest step.
        pub last_step: Option<u64>,
        /// Media types that the caller prefers.
        pub accept: http::Accept,
    }
    impl http::Input for GetTrainingJobMetricsInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_training_job_metrics",
                "GET",
                "/v1/preview/training-jobs/{training_job_id}/metrics",
                "TrainingJobs",
                &["200", "401", "404", "406", "422", "default"],
            )
            .security(super::SECURITY_4)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(
            &["first_step", "last_step", "name", "points"],
        );
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                training_job_id: call.required(&path("training_job_id", STRING))?,
                name: call
                    .checked_option(
                        "name",
                        call
                            .optional::<
                                Vec<String>,
                            >(&query("name", decode::Shape::Array(&STRING)))?,
                        |value, at, faults| {
                            faults.max_items(at, value.len(), 100);
                            {
                                let at = at;
                                for (index, item) in value.iter().enumerate() {
                                    faults.min_length(&at.index(index), item.as_str(), 1);
                                    faults.max_length(&at.index(index), item.as_str(), 100);
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
                        },
                    ),
                points: call
                    .checked(
                        "points",
                        call
                            .optional::<
                                u32,
                            >(&query("points", integer("an integer from 1 to 10000")))?
                            .unwrap_or_else(|| 1000),
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                            faults.maximum(at, *value, 10000);
                        },
                    ),
                first_step: call
                    .checked_option(
                        "first_step",
                        call
                            .optional::<
                                u64,
                            >(
                                &query("first_step", integer("an integer of at least 1")),
                            )?,
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                        },
                    ),
                last_step: call
                    .checked_option(
                        "last_step",
                        call
                            .optional::<
                                u64,
                            >(&query("last_step", integer("an integer of at least 1")))?,
                        |value, at, faults| {
                            faults.minimum(at, *value, 1);
                        },
                    ),
                accept: call.accept(&["application/json", "text/csv"])?,
            })
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug, Default)]
    pub struct CreateSftTrainingJobOkHeaders {
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/sft-training-jobs`
    #[derive(Debug)]
    pub enum CreateSftTrainingJobOutput {
        /// The queued job.
        Ok { headers: CreateSftTrainingJobOkHeaders, body: types::TrainingJobResponse },
    }
    impl http::IntoResponse for CreateSftTrainingJobOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        http::response::json(200, "application/json", &body),
                        [
                            (
                                "Idempotency-Replayed",
                                http::response::header(
                                    &headers.idempotency_replayed,
                                    false,
                                    false,
                                ),
                            ),
                        ],
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/training-jobs`
    #[derive(Debug)]
    pub enum ListTrainingJobsOutput {
        /// One page of jobs, or a stream of its changes.
        Ok(types::TrainingJobPage),
        /// One page of jobs, or a stream of its changes.
        OkEventStream(http::EventStream<types::TrainingJobListEvent>),
    }
    impl From<http::EventStream<types::TrainingJobListEvent>>
    for ListTrainingJobsOutput {
        fn from(body: http::EventStream<types::TrainingJobListEvent>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::TrainingJobPage> for ListTrainingJobsOutput {
        fn from(body: types::TrainingJobPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListTrainingJobsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
                Self::OkEventStream(body) => body.response(200),
            }
        }
    }
    /// The headers of a response.
    #[derive(Clone, Debug, Default)]
    pub struct CreateTrainingJobOkHeaders {
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/training-jobs`
    #[derive(Debug)]
    pub enum CreateTrainingJobOutput {
        /// The queued job.
        Ok { headers: CreateTrainingJobOkHeaders, body: types::TrainingJobResponse },
    }
    impl http::IntoResponse for CreateTrainingJobOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok { headers, body } => {
                    http::response::with_headers(
                        http::response::json(200, "application/json", &body),
                        [
                            (
                                "Idempotency-Replayed",
                                http::response::header(
                                    &headers.idempotency_replayed,
                                    false,
                                    false,
                                ),
                            ),
                        ],
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}`
    #[derive(Debug)]
    pub enum GetTrainingJobOutput {
        /// The job.
        Ok(types::TrainingJobResponse),
    }
    impl From<types::TrainingJobResponse> for GetTrainingJobOutput {
        fn from(body: types::TrainingJobResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetTrainingJobOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `PATCH /v1/preview/training-jobs/{training_job_id}`
    #[derive(Debug)]
    pub enum UpdateTrainingJobOutput {
        /// The changed job.
        Ok(types::TrainingJobResponse),
    }
    impl From<types::TrainingJobResponse> for UpdateTrainingJobOutput {
        fn from(body: types::TrainingJobResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for UpdateTrainingJobOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /v1/preview/training-jobs/{training_job_id}/cancel`
    #[derive(Debug)]
    pub enum CancelTrainingJobOutput {
        /// The cancelled job.
        Ok(types::TrainingJobResponse),
    }
    impl From<types::TrainingJobResponse> for CancelTrainingJobOutput {
        fn from(body: types::TrainingJobResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for CancelTrainingJobOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/drops`
    #[derive(Debug)]
    pub enum ListTrainingJobDropsOutput {
        /// One page of places, in the order of the request.
        Ok(types::TrainingJobDropPage),
    }
    impl From<types::TrainingJobDropPage> for ListTrainingJobDropsOutput {
        fn from(body: types::TrainingJobDropPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListTrainingJobDropsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/events`
    #[derive(Debug)]
    pub enum ListTrainingJobEventsOutput {
        /// One page of events, or a stream of events.
        Ok(types::TrainingJobEventPage),
        /// One page of events, or a stream of events.
        OkEventStream(http::EventStream<types::TrainingJobEvent>),
    }
    impl From<http::EventStream<types::TrainingJobEvent>>
    for ListTrainingJobEventsOutput {
        fn from(body: http::EventStream<types::TrainingJobEvent>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::TrainingJobEventPage> for ListTrainingJobEventsOutput {
        fn from(body: types::TrainingJobEventPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListTrainingJobEventsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
                Self::OkEventStream(body) => body.response(200),
            }
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/groups`
    #[derive(Debug)]
    pub enum ListTrainingJobGroupsOutput {
        /// One page of groups.
        Ok(types::TrainingJobGroupPage),
    }
    impl From<types::TrainingJobGroupPage> for ListTrainingJobGroupsOutput {
        fn from(body: types::TrainingJobGroupPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListTrainingJobGroupsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/groups/{group_id}/trajectories`
    #[derive(Debug)]
    pub enum ListTrainingJobTrajectoriesOutput {
        /// One page of trajectories.
        Ok(types::TrainingJobTrajectoryPage),
    }
    impl From<types::TrainingJobTrajectoryPage> for ListTrainingJobTrajectoriesOutput {
        fn from(body: types::TrainingJobTrajectoryPage) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for ListTrainingJobTrajectoriesOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/metrics`
    #[derive(Debug)]
    pub enum GetTrainingJobMetricsOutput {
        /// Metrics as columns, or a row for each step.
        Ok(types::StepMetrics),
        /// Metrics as columns, or a row for each step.
        OkTextCsv(http::Download),
    }
    impl From<http::Download> for GetTrainingJobMetricsOutput {
        fn from(body: http::Download) -> Self {
            Self::OkTextCsv(body)
        }
    }
    impl From<types::StepMetrics> for GetTrainingJobMetricsOutput {
        fn from(body: types::StepMetrics) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetTrainingJobMetricsOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
                Self::OkTextCsv(body) => body.response(200, "text/csv"),
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn training_jobs_routes<A: TrainingJobs>(
        api: ::std::sync::Arc<A>,
    ) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::create_sft_training_job))
            .add(http::secured(A::list_training_jobs))
            .add(http::secured(A::create_training_job))
            .add(http::secured(A::get_training_job))
            .add(http::secured(A::update_training_job))
            .add(http::secured(A::cancel_training_job))
            .add(http::secured(A::list_training_job_drops))
            .add(http::secured(A::list_training_job_events))
            .add(http::secured(A::list_training_job_groups))
            .add(http::secured(A::list_training_job_trajectories))
            .add(http::secured(A::get_training_job_metrics))
            .router()
    }
}
/// The part of the protocol of Weights & Biases (W&B) that the Python client `openpipe-art` uses in addition to this
/// API. With `WANDB_BASE_URL` set to `{base_url}`, its `train_sft` uploads its data here, and checkpoints are pulled
/// from and forked on this service, without an account or another server. Runs are accepted and not stored: this
/// service does not track experiments.
pub mod wandb {
    use super::super::types;
    use crate::{
        http::{self, decode, parameters::*},
        json, validation::{self, Validate as _},
    };
    /// The part of the protocol of Weights & Biases (W&B) that the Python client `openpipe-art` uses in addition to this
    /// API. With `WANDB_BASE_URL` set to `{base_url}`, its `train_sft` uploads its data here, and checkpoints are pulled
    /// from and forked on this service, without an account or another server. Runs are accepted and not stored: this
    /// service does not track experiments.
    pub trait Wandb: http::Authenticate {
        /// W&B run files
        ///
        /// Accepts the log files of a run from W&B's client and stores nothing.
        ///
        /// `POST /files/{entity}/{project}/{run}/file_stream`
        fn log_wandb_run(
            &self,
            caller: Self::Caller,
            input: LogWandbRunInput,
        ) -> impl Future<Output = Result<LogWandbRunOutput, http::ApiError>> + Send;
        /// W&B query
        ///
        /// Executes the GraphQL operations with which W&B's client opens a run, uploads a data set, and pulls, forks or
        /// annotates a checkpoint. The root field and its arguments select the operation; its name is ignored. The response
        /// may have more fields than requested. A null entity is the key's own. An unsupported root field is rejected by
        /// name. Following GraphQL, an error is reported in `errors` with status 200.
        ///
        /// An artifact of type `lora` becomes a checkpoint of the registered model with the same name when it is committed.
        /// Its step is the N of its alias `stepN`, or the model's next step if that is higher. It is validated like an
        /// import by `add-checkpoint`, and an invalid artifact is rejected as a whole. The metadata of such an artifact is
        /// stored with the checkpoint. Checkpoints trained or copied from it inherit `wandb.provenance`.
        ///
        /// `POST /graphql`
        fn query_wandb(
            &self,
            caller: Self::Caller,
            input: QueryWandbInput,
        ) -> impl Future<Output = Result<QueryWandbOutput, http::ApiError>> + Send;
        /// W&B artifact file
        ///
        /// Stores a file of an artifact. `GET /v1/files` lists it as `wandb/PROJECT/ARTIFACT/FILE`, and `wandb-artifact:///ENTITY/PROJECT/ARTIFACT:v0` refers to the first `train.jsonl` of an artifact as training data. The file list of a data set, `wandb_manifest.json`, is accepted and not stored. Files of an adapter are stored until it is committed.
        ///
        /// `PUT /wandb/files/{project}/{artifact}/{file_name}`
        fn put_wandb_file(
            &self,
            caller: Self::Caller,
            input: PutWandbFileInput,
        ) -> impl Future<Output = Result<PutWandbFileOutput, http::ApiError>> + Send;
        /// W&B artifact manifest
        ///
        /// Returns the files of a checkpoint as the manifest of a W&B artifact, with their MD5 digests.
        ///
        /// `GET /wandb/manifests/{model_id}/{step}`
        fn get_wandb_manifest(
            &self,
            caller: Self::Caller,
            input: GetWandbManifestInput,
        ) -> impl Future<Output = Result<GetWandbManifestOutput, http::ApiError>> + Send;
    }
    /// `POST /files/{entity}/{project}/{run}/file_stream`
    #[derive(Clone, Debug)]
    pub struct LogWandbRunInput {
        /// Entity of the run.
        pub entity: String,
        /// Project of the run.
        pub project: String,
        /// Name of the run.
        pub run: String,
        /// Lines of the run's files.
        pub body: ::serde_json::Map<String, ::serde_json::Value>,
    }
    impl http::Input for LogWandbRunInput {
        const OPERATION: http::Operation = http::Operation::new(
                "stream_wandb_run",
                "POST",
                "/files/{entity}/{project}/{run}/file_stream",
                "Wandb",
                &[
                    "200",
                    "400",
                    "401",
                    "404",
                    "408",
                    "413",
                    "415",
                    "422",
                    "503",
                    "default",
                ],
            )
            .security(super::SECURITY_2)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                entity: call.required(&path("entity", STRING))?,
                project: call.required(&path("project", STRING))?,
                run: call.required(&path("run", STRING))?,
                body: call
                    .only("application/json")?
                    .json_by::<
                        json::Entries<json::Any>,
                        ::serde_json::Map<String, ::serde_json::Value>,
                    >(16777216, true, http::unlimited)
                    .await?,
            })
        }
    }
    /// `POST /graphql`
    #[derive(Clone, Debug)]
    pub struct QueryWandbInput {
        /// The host and port that the caller used; URLs in the response begin with it.
        pub host: Option<String>,
        /// `https` behind a proxy that terminates TLS; URLs in the response begin with it.
        pub x_forwarded_proto: Option<String>,
        /// The GraphQL operation and its variables.
        pub body: types::WandbQuery,
    }
    impl http::Input for QueryWandbInput {
        const OPERATION: http::Operation = http::Operation::new(
                "query_wandb",
                "POST",
                "/graphql",
                "Wandb",
                &["200", "400", "401", "408", "413", "415", "422", "503", "default"],
            )
            .security(super::SECURITY_2)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&[]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                host: call
                    .checked_option(
                        "Host",
                        call.optional::<String>(&header("Host", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 512);
                        },
                    ),
                x_forwarded_proto: call
                    .checked_option(
                        "X-Forwarded-Proto",
                        call.optional::<String>(&header("X-Forwarded-Proto", STRING))?,
                        |value, at, faults| {
                            faults.max_length(at, value.as_str(), 16);
                        },
                    ),
                body: call
                    .only("application/json")?
                    .json::<types::WandbQuery>(4194304, true, http::unlimited)
                    .await?,
            })
        }
    }
    /// `PUT /wandb/files/{project}/{artifact}/{file_name}`
    #[derive(Debug)]
    pub struct PutWandbFileInput {
        /// Project of the artifact.
        pub project: String,
        /// Name of the artifact.
        pub artifact: String,
        /// Name of a file of the artifact.
        pub file_name: String,
        /// The content of the file.
        pub body: http::BodyStream,
    }
    impl http::Input for PutWandbFileInput {
        const OPERATION: http::Operation = http::Operation::new(
                "put_wandb_file",
                "PUT",
                "/wandb/files/{project}/{artifact}/{file_name}",
                "Wandb",
                &["200", "401", "408", "413", "503", "default"],
            )
            .security(
                &[
                    &[
                        http::Requirement {
                            scheme: "bearer",
                            carrier: http::Carrier::Bearer,
                            scopes: &[],
                        },
                    ],
                    &[
                        http::Requirement {
                            scheme: "uploadToken",
                            carrier: http::Carrier::Query("upload_token"),
                            scopes: &[],
                        },
                    ],
                ],
            )
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["upload_token"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                project: call.required(&path("project", STRING))?,
                artifact: call.required(&path("artifact", STRING))?,
                file_name: call.required(&path("file_name", STRING))?,
                body: call.only("application/octet-stream")?.stream(4294967296)?,
            })
        }
    }
    /// `GET /wandb/manifests/{model_id}/{step}`
    #[derive(Clone, Debug)]
    pub struct GetWandbManifestInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: String,
        /// Number of a step of the model.
        pub step: u64,
    }
    impl http::Input for GetWandbManifestInput {
        const OPERATION: http::Operation = http::Operation::new(
                "get_wandb_manifest",
                "GET",
                "/wandb/manifests/{model_id}/{step}",
                "Wandb",
                &["200", "401", "404", "422", "default"],
            )
            .security(super::SECURITY_3)
            .extension();
        const QUERY: Option<&'static [&'static str]> = Some(&["token"]);
        async fn read(call: &mut http::Call<'_>) -> Result<Self, http::ApiError> {
            Ok(Self {
                model_id: call.required(&path("model_id", STRING))?,
                step: call
                    .checked(
                        "step",
                        call
                            .required::<
                                u64,
                            >(
                                &path(
                                    "step",
                                    integer("an integer from 0 to 9223372036854775807"),
                                ),
                            )?,
                        |value, at, faults| {
                            faults.maximum(at, *value, 9223372036854775807);
                        },
                    ),
            })
        }
    }
    /// `POST /files/{entity}/{project}/{run}/file_stream`
    #[derive(Debug)]
    pub enum LogWandbRunOutput {
        /// The lines are accepted.
        Ok(::serde_json::Map<String, ::serde_json::Value>),
    }
    impl From<::serde_json::Map<String, ::serde_json::Value>> for LogWandbRunOutput {
        fn from(body: ::serde_json::Map<String, ::serde_json::Value>) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for LogWandbRunOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `POST /graphql`
    #[derive(Debug)]
    pub enum QueryWandbOutput {
        /// The data, or the errors.
        Ok(types::WandbAnswer),
    }
    impl From<types::WandbAnswer> for QueryWandbOutput {
        fn from(body: types::WandbAnswer) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for QueryWandbOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `PUT /wandb/files/{project}/{artifact}/{file_name}`
    #[derive(Debug)]
    pub enum PutWandbFileOutput {
        /// The file is accepted.
        Ok(::serde_json::Map<String, ::serde_json::Value>),
    }
    impl From<::serde_json::Map<String, ::serde_json::Value>> for PutWandbFileOutput {
        fn from(body: ::serde_json::Map<String, ::serde_json::Value>) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for PutWandbFileOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// `GET /wandb/manifests/{model_id}/{step}`
    #[derive(Debug)]
    pub enum GetWandbManifestOutput {
        /// The manifest.
        Ok(::serde_json::Map<String, ::serde_json::Value>),
    }
    impl From<::serde_json::Map<String, ::serde_json::Value>>
    for GetWandbManifestOutput {
        fn from(body: ::serde_json::Map<String, ::serde_json::Value>) -> Self {
            Self::Ok(body)
        }
    }
    impl http::IntoResponse for GetWandbManifestOutput {
        fn into_response(self) -> http::Response {
            match self {
                Self::Ok(body) => http::response::json(200, "application/json", &body),
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn wandb_routes<A: Wandb>(api: ::std::sync::Arc<A>) -> http::Router {
        http::Routes::new(api)
            .add(http::secured(A::log_wandb_run))
            .add(http::secured(A::query_wandb))
            .add(http::secured(A::put_wandb_file))
            .add(http::secured(A::get_wandb_manifest))
            .router()
    }
}
