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
use super::server;
use ::trainyard::http;
/// Operations that respond with the examples of the document. Implement those that shall respond otherwise, and
/// serve [`WithExamples`].
pub trait Examples: http::Authenticate {
    /// `POST /detokenize`
    fn detokenize(
        &self,
        caller: Self::Caller,
        input: server::chat::DetokenizeInput,
    ) -> impl Future<
        Output = Result<server::chat::DetokenizeOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::DetokenizeOutput::Ok(
                    http::example(r#"{"prompt":"yes,"}"#)?,
                ),
            )
        }
    }
    /// `POST /files/{entity}/{project}/{run}/file_stream`
    fn log_wandb_run(
        &self,
        caller: Self::Caller,
        input: server::wandb::LogWandbRunInput,
    ) -> impl Future<
        Output = Result<server::wandb::LogWandbRunOutput, http::ApiError>,
    > + Send {
        async move { Ok(server::wandb::LogWandbRunOutput::Ok(http::example(r#"{}"#)?)) }
    }
    /// `POST /graphql`
    fn query_wandb(
        &self,
        caller: Self::Caller,
        input: server::wandb::QueryWandbInput,
    ) -> impl Future<
        Output = Result<server::wandb::QueryWandbOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::wandb::QueryWandbOutput::Ok(
                    http::example(
                        r#"{"data":{"viewer":{"entity":"default","id":"default"}}}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /health`
    fn health(
        &self,
        input: server::service::HealthInput,
    ) -> impl Future<
        Output = Result<server::service::HealthOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(server::service::HealthOutput::Ok(http::example(r#"{"status":"ok"}"#)?))
        }
    }
    /// `GET /metrics`
    fn get_metrics(
        &self,
        input: server::service::GetMetricsInput,
    ) -> impl Future<
        Output = Result<server::service::GetMetricsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::service::GetMetricsOutput::Ok(
                    "# HELP trainyard_samples_running Samples that are generating.\n# TYPE trainyard_samples_running gauge\ntrainyard_samples_running{base_model=\"trainyard/seedling\"} 3\n# HELP trainyard_requests_total Requests that were answered, by operation and class of the status.\n# TYPE trainyard_requests_total counter\ntrainyard_requests_total{operation=\"create_chat_completion\",status=\"2xx\"} 1027\n"
                        .to_owned(),
                ),
            )
        }
    }
    /// `GET /models`
    fn list_inference_models(
        &self,
        caller: Self::Caller,
        input: server::inference::ListInferenceModelsInput,
    ) -> impl Future<
        Output = Result<server::inference::ListInferenceModelsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::inference::ListInferenceModelsOutput::Ok(
                    http::example(
                        r#"{"data":[{"created":0,"id":"trainyard/seedling","object":"model","owned_by":"system","root":"trainyard/seedling"},{"created":1795191690,"id":"wandb-artifact:///default/demo/agent","object":"model","owned_by":"default","root":"trainyard/seedling"}],"object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /tokenize`
    fn tokenize(
        &self,
        caller: Self::Caller,
        input: server::chat::TokenizeInput,
    ) -> impl Future<
        Output = Result<server::chat::TokenizeOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::TokenizeOutput::Ok(
                    http::example(
                        r#"{"count":4,"max_model_len":4096,"token_strs":null,"tokens":[568,12,341,676]}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /tokenizer_info`
    fn get_tokenizer_info(
        &self,
        caller: Self::Caller,
        input: server::chat::GetTokenizerInfoInput,
    ) -> impl Future<
        Output = Result<server::chat::GetTokenizerInfoOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::GetTokenizerInfoOutput::Ok(
                    http::example(
                        r#"{"add_bos_token":false,"bos_token":null,"chat_template":"{% for message in messages %}{{ message.content }}{% endfor %}","eos_token":"<|im_end|>","model_max_length":4096,"pad_token":null,"tokenizer_class":"PreTrainedTokenizerFast","unk_token":null}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/batches`
    fn list_batches(
        &self,
        caller: Self::Caller,
        input: server::batches::ListBatchesInput,
    ) -> impl Future<
        Output = Result<server::batches::ListBatchesOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::batches::ListBatchesOutput::Ok(
                    http::example(
                        r#"{"data":[{"cancelled_at":null,"cancelling_at":null,"completed_at":1795330061,"completion_window":"24h","created_at":1795330000,"endpoint":"/v1/chat/completions","error_file_id":null,"errors":null,"expired_at":null,"expires_at":1795416400,"failed_at":null,"finalizing_at":1795330060,"id":"batch_01a1f9ca33b07e108c553b1f60a2c9e4","in_progress_at":1795330001,"input_file_id":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","metadata":{"run":"nightly"},"object":"batch","output_file_id":"file-01a1f9cb00037d10aa553b1f60a2c9e4","request_counts":{"completed":100,"failed":0,"total":100},"status":"completed","usage":{"input_tokens":2100,"input_tokens_details":{"cached_tokens":1400},"output_tokens":1600,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":3700}}],"first_id":"batch_01a1f9ca33b07e108c553b1f60a2c9e4","has_more":false,"last_id":"batch_01a1f9ca33b07e108c553b1f60a2c9e4","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/batches`
    fn create_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::CreateBatchInput,
    ) -> impl Future<
        Output = Result<server::batches::CreateBatchOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(server::batches::CreateBatchOutput::Ok {
                headers: server::batches::CreateBatchOkHeaders {
                    idempotency_replayed: None,
                },
                body: http::example(
                    r#"{"cancelled_at":null,"cancelling_at":null,"completed_at":null,"completion_window":"24h","created_at":1795330000,"endpoint":"/v1/chat/completions","error_file_id":null,"errors":null,"expired_at":null,"expires_at":1795416400,"failed_at":null,"finalizing_at":null,"id":"batch_01a1f9ca33b07e108c553b1f60a2c9e4","in_progress_at":null,"input_file_id":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","metadata":{"run":"nightly"},"object":"batch","output_file_id":null,"request_counts":{"completed":0,"failed":0,"total":0},"status":"validating","usage":null}"#,
                )?,
            })
        }
    }
    /// `GET /v1/batches/{batch_id}`
    fn get_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::GetBatchInput,
    ) -> impl Future<
        Output = Result<server::batches::GetBatchOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::batches::GetBatchOutput::Ok(
                    http::example(
                        r#"{"cancelled_at":null,"cancelling_at":null,"completed_at":1795330061,"completion_window":"24h","created_at":1795330000,"endpoint":"/v1/chat/completions","error_file_id":null,"errors":null,"expired_at":null,"expires_at":1795416400,"failed_at":null,"finalizing_at":1795330060,"id":"batch_01a1f9ca33b07e108c553b1f60a2c9e4","in_progress_at":1795330001,"input_file_id":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","metadata":{"run":"nightly"},"object":"batch","output_file_id":"file-01a1f9cb00037d10aa553b1f60a2c9e4","request_counts":{"completed":100,"failed":0,"total":100},"status":"completed","usage":{"input_tokens":2100,"input_tokens_details":{"cached_tokens":1400},"output_tokens":1600,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":3700}}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/batches/{batch_id}/cancel`
    fn cancel_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::CancelBatchInput,
    ) -> impl Future<
        Output = Result<server::batches::CancelBatchOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::batches::CancelBatchOutput::Ok(
                    http::example(
                        r#"{"cancelled_at":null,"cancelling_at":1795330030,"completed_at":null,"completion_window":"24h","created_at":1795330000,"endpoint":"/v1/chat/completions","error_file_id":null,"errors":null,"expired_at":null,"expires_at":1795416400,"failed_at":null,"finalizing_at":null,"id":"batch_01a1f9ca33b07e108c553b1f60a2c9e4","in_progress_at":1795330001,"input_file_id":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","metadata":{"run":"nightly"},"object":"batch","output_file_id":null,"request_counts":{"completed":40,"failed":0,"total":100},"status":"cancelling","usage":{"input_tokens":2100,"input_tokens_details":{"cached_tokens":1400},"output_tokens":1600,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":3700}}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/chat/completions`
    fn list_chat_completions(
        &self,
        caller: Self::Caller,
        input: server::chat::ListChatCompletionsInput,
    ) -> impl Future<
        Output = Result<server::chat::ListChatCompletionsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::ListChatCompletionsOutput::Ok(
                    http::example(
                        r#"{"data":[{"choices":[{"finish_reason":"stop","index":0,"logprobs":null,"message":{"content":"maybe","refusal":null,"role":"assistant"}}],"created":1795191690,"id":"chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8","metadata":{"team":"support"},"model":"trainyard/seedling","object":"chat.completion","usage":{"completion_tokens":2,"prompt_tokens":14,"total_tokens":16}}],"first_id":"chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8","has_more":false,"last_id":"chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/chat/completions`
    fn create_chat_completion(
        &self,
        caller: Self::Caller,
        input: server::chat::CreateChatCompletionInput,
    ) -> impl Future<
        Output = Result<server::chat::CreateChatCompletionOutput, http::ApiError>,
    > + Send {
        async move {
            match input.accept.best(&["application/json", "text/event-stream"]) {
                Some("text/event-stream") => {
                    Ok(
                        server::chat::CreateChatCompletionOutput::OkEventStream(
                            http::EventStream::of_events([
                                http::example(
                                    r#"{"choices":[{"delta":{},"finish_reason":"length","index":0}],"created":1795191690,"id":"chatcmpl-6b0b7d31afdf44269ddc2b807240d2d3","model":"trainyard/seedling","object":"chat.completion.chunk"}"#,
                                )?,
                                http::example(
                                    r#"{"choices":[{"delta":{"content":"","role":"assistant"},"finish_reason":null,"index":0}],"created":1795191690,"id":"chatcmpl-6b0b7d31afdf44269ddc2b807240d2d3","model":"trainyard/seedling","object":"chat.completion.chunk"}"#,
                                )?,
                                http::example(
                                    r#"{"choices":[{"delta":{"content":"Hello"},"finish_reason":null,"index":0,"logprobs":{"content":[{"bytes":[72,101,108,108,111],"logprob":-0.9058680534362793,"token":"token_id:676","top_logprobs":[]}],"refusal":null}}],"created":1795191690,"id":"chatcmpl-6b0b7d31afdf44269ddc2b807240d2d3","model":"trainyard/seedling","object":"chat.completion.chunk"}"#,
                                )?,
                                http::example(
                                    r#"{"choices":[],"created":1795191690,"id":"chatcmpl-6b0b7d31afdf44269ddc2b807240d2d3","model":"trainyard/seedling","object":"chat.completion.chunk","usage":{"completion_tokens":3,"prompt_tokens":10,"total_tokens":13}}"#,
                                )?,
                            ]),
                        ),
                    )
                }
                _ => {
                    Ok(
                        server::chat::CreateChatCompletionOutput::Ok(
                            http::example(
                                r#"{"choices":[{"finish_reason":"stop","index":0,"logprobs":{"content":[{"bytes":[109,97,121,98,101],"logprob":-1.6348193883895874,"token":"token_id:969","top_logprobs":[]},{"bytes":[],"logprob":-0.00008487341256113723,"token":"token_id:2","top_logprobs":[]}],"refusal":null},"message":{"content":"maybe","refusal":null,"role":"assistant"}},{"finish_reason":"stop","index":1,"logprobs":{"content":[{"bytes":[121,101,115],"logprob":-1.7791446447372437,"token":"token_id:568","top_logprobs":[]},{"bytes":[],"logprob":-0.00003349725011503324,"token":"token_id:2","top_logprobs":[]}],"refusal":null},"message":{"content":"yes","refusal":null,"role":"assistant"}}],"created":1795191690,"id":"chatcmpl-e28ff8095f234e3788c978b33ffab3c7","model":"wandb-artifact:///default/demo/agent","object":"chat.completion","usage":{"completion_tokens":4,"prompt_tokens":14,"total_tokens":18}}"#,
                            )?,
                        ),
                    )
                }
            }
        }
    }
    /// `DELETE /v1/chat/completions/{completion_id}`
    fn delete_chat_completion(
        &self,
        caller: Self::Caller,
        input: server::chat::DeleteChatCompletionInput,
    ) -> impl Future<
        Output = Result<server::chat::DeleteChatCompletionOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::DeleteChatCompletionOutput::Ok(
                    http::example(
                        r#"{"deleted":true,"id":"chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8","object":"chat.completion.deleted"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/chat/completions/{completion_id}`
    fn get_chat_completion(
        &self,
        caller: Self::Caller,
        input: server::chat::GetChatCompletionInput,
    ) -> impl Future<
        Output = Result<server::chat::GetChatCompletionOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::GetChatCompletionOutput::Ok(
                    http::example(
                        r#"{"choices":[{"finish_reason":"stop","index":0,"logprobs":null,"message":{"content":"maybe","refusal":null,"role":"assistant"}}],"created":1795191690,"id":"chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8","metadata":{"team":"support"},"model":"trainyard/seedling","object":"chat.completion","usage":{"completion_tokens":2,"prompt_tokens":14,"total_tokens":16}}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/chat/completions/{completion_id}`
    fn update_chat_completion(
        &self,
        caller: Self::Caller,
        input: server::chat::UpdateChatCompletionInput,
    ) -> impl Future<
        Output = Result<server::chat::UpdateChatCompletionOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::UpdateChatCompletionOutput::Ok(
                    http::example(
                        r#"{"choices":[{"finish_reason":"stop","index":0,"logprobs":null,"message":{"content":"maybe","refusal":null,"role":"assistant"}}],"created":1795191690,"id":"chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8","metadata":{"team":"support"},"model":"trainyard/seedling","object":"chat.completion","usage":{"completion_tokens":2,"prompt_tokens":14,"total_tokens":16}}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/chat/completions/{completion_id}/messages`
    fn list_chat_completion_messages(
        &self,
        caller: Self::Caller,
        input: server::chat::ListChatCompletionMessagesInput,
    ) -> impl Future<
        Output = Result<server::chat::ListChatCompletionMessagesOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::ListChatCompletionMessagesOutput::Ok(
                    http::example(
                        r#"{"data":[{"content":"yes, no or maybe?","content_parts":null,"id":"chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8-0","refusal":null,"role":"user"}],"first_id":"chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8-0","has_more":false,"last_id":"chatcmpl-01a1f9cb4d7a7c20b1f2d3e4a5b6c7d8-0","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/completions`
    fn create_completion(
        &self,
        caller: Self::Caller,
        input: server::chat::CreateCompletionInput,
    ) -> impl Future<
        Output = Result<server::chat::CreateCompletionOutput, http::ApiError>,
    > + Send {
        async move {
            match input.accept.best(&["application/json", "text/event-stream"]) {
                Some("text/event-stream") => {
                    Ok(
                        server::chat::CreateCompletionOutput::OkEventStream(
                            http::EventStream::of_events([
                                http::example(
                                    r#"{"choices":[{"finish_reason":null,"index":0,"logprobs":null,"text":" maybe"}],"created":1795191690,"id":"cmpl-6b0b7d31afdf44269ddc2b807240d2d3","model":"trainyard/seedling","object":"text_completion"}"#,
                                )?,
                            ]),
                        ),
                    )
                }
                _ => {
                    Ok(
                        server::chat::CreateCompletionOutput::Ok(
                            http::example(
                                r#"{"choices":[{"finish_reason":"length","index":0,"logprobs":{"text_offset":[0,3,4],"token_logprobs":[null,-0.75,-1.5],"tokens":["yes",","," no"],"top_logprobs":[null,{",":-0.75},{" maybe":-0.5," no":-1.5}]},"text":"yes, no"}],"created":1795191690,"id":"cmpl-ea7af4a0f5624cdebecf72f359e68a9d","model":"wandb-artifact:///default/demo/agent","object":"text_completion","usage":{"completion_tokens":0,"prompt_tokens":3,"total_tokens":3}}"#,
                            )?,
                        ),
                    )
                }
            }
        }
    }
    /// `GET /v1/files`
    fn list_files(
        &self,
        caller: Self::Caller,
        input: server::files::ListFilesInput,
    ) -> impl Future<
        Output = Result<server::files::ListFilesOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::files::ListFilesOutput::Ok(
                    http::example(
                        r#"{"data":[{"bytes":48213,"created_at":1795329100,"filename":"train.jsonl","id":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","object":"file","purpose":"fine-tune","status":"processed"}],"first_id":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","has_more":false,"last_id":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/files`
    fn create_file(
        &self,
        caller: Self::Caller,
        input: server::files::CreateFileInput,
    ) -> impl Future<
        Output = Result<server::files::CreateFileOutput, http::ApiError>,
    > + Send {
        async move {
            let mut body = input.body;
            while let Some(mut part) = body.next().await? {
                while part.chunk().await?.is_some() {}
            }
            Ok(server::files::CreateFileOutput::Ok {
                headers: server::files::CreateFileOkHeaders {
                    idempotency_replayed: None,
                },
                body: http::example(
                    r#"{"bytes":48213,"created_at":1795329100,"filename":"train.jsonl","id":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","object":"file","purpose":"fine-tune","status":"processed"}"#,
                )?,
            })
        }
    }
    /// `DELETE /v1/files/{file_id}`
    fn delete_file(
        &self,
        caller: Self::Caller,
        input: server::files::DeleteFileInput,
    ) -> impl Future<
        Output = Result<server::files::DeleteFileOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::files::DeleteFileOutput::Ok(
                    http::example(
                        r#"{"deleted":true,"id":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","object":"file"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/files/{file_id}`
    fn get_file(
        &self,
        caller: Self::Caller,
        input: server::files::GetFileInput,
    ) -> impl Future<
        Output = Result<server::files::GetFileOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::files::GetFileOutput::Ok(
                    http::example(
                        r#"{"bytes":48213,"created_at":1795329100,"filename":"train.jsonl","id":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","object":"file","purpose":"fine-tune","status":"processed"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/files/{file_id}/content`
    fn get_file_content(
        &self,
        caller: Self::Caller,
        input: server::files::GetFileContentInput,
    ) -> impl Future<
        Output = Result<server::files::GetFileContentOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(server::files::GetFileContentOutput::Ok {
                headers: server::files::GetFileContentOkHeaders {
                    accept_ranges: http::example(r#""bytes""#)?,
                    e_tag: http::example(
                        r#""\"7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730\"""#,
                    )?,
                },
                body: http::Download::bytes(
                    "{\"messages\": [{\"role\": \"user\", \"content\": \"2+2?\"}, {\"role\": \"assistant\", \"content\": \"4\"}]}",
                ),
            })
        }
    }
    /// `GET /v1/fine_tuning/jobs`
    fn list_fine_tuning_jobs(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::ListFineTuningJobsInput,
    ) -> impl Future<
        Output = Result<server::fine_tuning::ListFineTuningJobsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::fine_tuning::ListFineTuningJobsOutput::Ok(
                    http::example(
                        r#"{"data":[{"created_at":1795330000,"error":null,"estimated_finish":null,"fine_tuned_model":"wandb-artifact:///default/fine-tuning/support-3b1f60a2c9e4:step1","finished_at":1795330031,"hyperparameters":{"batch_size":2,"learning_rate_multiplier":1,"n_epochs":3},"id":"ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4","integrations":[],"metadata":{"team":"support"},"method":{"supervised":{"hyperparameters":{"batch_size":2,"learning_rate_multiplier":1,"n_epochs":3}},"type":"supervised"},"model":"trainyard/seedling","object":"fine_tuning.job","organization_id":"default","result_files":[],"seed":0,"status":"succeeded","trained_tokens":1954,"training_file":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","user_provided_suffix":"support","validation_file":null}],"first_id":"ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4","has_more":false,"last_id":"ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/fine_tuning/jobs`
    fn create_fine_tuning_job(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::CreateFineTuningJobInput,
    ) -> impl Future<
        Output = Result<server::fine_tuning::CreateFineTuningJobOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(server::fine_tuning::CreateFineTuningJobOutput::Ok {
                headers: server::fine_tuning::CreateFineTuningJobOkHeaders {
                    idempotency_replayed: None,
                },
                body: http::example(
                    r#"{"created_at":1795330000,"error":null,"estimated_finish":null,"fine_tuned_model":null,"finished_at":null,"hyperparameters":{"batch_size":2,"learning_rate_multiplier":1,"n_epochs":3},"id":"ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4","integrations":[],"metadata":{"team":"support"},"method":{"supervised":{"hyperparameters":{"batch_size":2,"learning_rate_multiplier":1,"n_epochs":3}},"type":"supervised"},"model":"trainyard/seedling","object":"fine_tuning.job","organization_id":"default","result_files":[],"seed":0,"status":"queued","trained_tokens":null,"training_file":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","user_provided_suffix":"support","validation_file":null}"#,
                )?,
            })
        }
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}`
    fn get_fine_tuning_job(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::GetFineTuningJobInput,
    ) -> impl Future<
        Output = Result<server::fine_tuning::GetFineTuningJobOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::fine_tuning::GetFineTuningJobOutput::Ok(
                    http::example(
                        r#"{"created_at":1795330000,"error":null,"estimated_finish":null,"fine_tuned_model":"wandb-artifact:///default/fine-tuning/support-3b1f60a2c9e4:step1","finished_at":1795330031,"hyperparameters":{"batch_size":2,"learning_rate_multiplier":1,"n_epochs":3},"id":"ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4","integrations":[],"metadata":{"team":"support"},"method":{"supervised":{"hyperparameters":{"batch_size":2,"learning_rate_multiplier":1,"n_epochs":3}},"type":"supervised"},"model":"trainyard/seedling","object":"fine_tuning.job","organization_id":"default","result_files":[],"seed":0,"status":"succeeded","trained_tokens":1954,"training_file":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","user_provided_suffix":"support","validation_file":null}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel`
    fn cancel_fine_tuning_job(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::CancelFineTuningJobInput,
    ) -> impl Future<
        Output = Result<server::fine_tuning::CancelFineTuningJobOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::fine_tuning::CancelFineTuningJobOutput::Ok(
                    http::example(
                        r#"{"created_at":1795330000,"error":null,"estimated_finish":null,"fine_tuned_model":null,"finished_at":1795330031,"hyperparameters":{"batch_size":2,"learning_rate_multiplier":1,"n_epochs":3},"id":"ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4","integrations":[],"metadata":{"team":"support"},"method":{"supervised":{"hyperparameters":{"batch_size":2,"learning_rate_multiplier":1,"n_epochs":3}},"type":"supervised"},"model":"trainyard/seedling","object":"fine_tuning.job","organization_id":"default","result_files":[],"seed":0,"status":"cancelled","trained_tokens":1954,"training_file":"file-01a1f9c6218a7d10aa553b1f60a2c9e4","user_provided_suffix":"support","validation_file":null}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints`
    fn list_fine_tuning_job_checkpoints(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::ListFineTuningJobCheckpointsInput,
    ) -> impl Future<
        Output = Result<
            server::fine_tuning::ListFineTuningJobCheckpointsOutput,
            http::ApiError,
        >,
    > + Send {
        async move {
            Ok(
                server::fine_tuning::ListFineTuningJobCheckpointsOutput::Ok(
                    http::example(
                        r#"{"data":[{"created_at":1795330031,"fine_tuned_model_checkpoint":"wandb-artifact:///default/fine-tuning/support-3b1f60a2c9e4:step1","fine_tuning_job_id":"ftjob-01a1f9c49a7e7d108c553b1f60a2c9e4","id":"ftckpt-01a1f9c50d127a319a8b5f0c2f6f1d27","metrics":{"full_valid_loss":1.5,"step":8,"train_loss":1.25,"valid_loss":1.5},"object":"fine_tuning.job.checkpoint","step_number":8}],"first_id":"ftckpt-01a1f9c50d127a319a8b5f0c2f6f1d27","has_more":false,"last_id":"ftckpt-01a1f9c50d127a319a8b5f0c2f6f1d27","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/events`
    fn list_fine_tuning_job_events(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::ListFineTuningJobEventsInput,
    ) -> impl Future<
        Output = Result<
            server::fine_tuning::ListFineTuningJobEventsOutput,
            http::ApiError,
        >,
    > + Send {
        async move {
            Ok(
                server::fine_tuning::ListFineTuningJobEventsOutput::Ok(
                    http::example(
                        r#"{"data":[{"created_at":1795330031,"data":{"num_gradient_steps":1,"num_trained_tokens":12},"id":"ftevent-01a1f9c4a00470008000000000000004","level":"info","message":"the job has succeeded; the new model is wandb-artifact:///default/fine-tuning/support-3b1f60a2c9e4:step1","object":"fine_tuning.job.event","type":"message"},{"created_at":1795330030,"data":{"step":1,"total_steps":1,"train_loss":1.25,"valid_loss":1.5},"id":"ftevent-01a1f9c4a00370008000000000000003","level":"info","message":"step 1/1: training loss=1.2500, validation loss=1.5000","object":"fine_tuning.job.event","type":"metrics"}],"first_id":"ftevent-01a1f9c4a00470008000000000000004","has_more":true,"last_id":"ftevent-01a1f9c4a00370008000000000000003","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/health`
    fn check_key(
        &self,
        caller: Self::Caller,
        input: server::service::CheckKeyInput,
    ) -> impl Future<
        Output = Result<server::service::CheckKeyOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(server::service::CheckKeyOutput::Ok(http::example(r#"{"status":"ok"}"#)?))
        }
    }
    /// `POST /v1/messages`
    fn create_message(
        &self,
        caller: Self::Caller,
        input: server::chat::CreateMessageInput,
    ) -> impl Future<
        Output = Result<server::chat::CreateMessageOutput, http::ApiError>,
    > + Send {
        async move {
            match input.accept.best(&["application/json", "text/event-stream"]) {
                Some("text/event-stream") => {
                    Ok(
                        server::chat::CreateMessageOutput::OkEventStream(
                            http::EventStream::of_events([
                                http::example(
                                    r#"{"content_block":{"text":"","type":"text"},"index":0,"type":"content_block_start"}"#,
                                )?,
                                http::example(
                                    r#"{"delta":{"text":"maybe","type":"text_delta"},"index":0,"type":"content_block_delta"}"#,
                                )?,
                            ]),
                        ),
                    )
                }
                _ => {
                    Ok(
                        server::chat::CreateMessageOutput::Ok(
                            http::example(
                                r#"{"content":[{"text":"maybe","type":"text"}],"id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","model":"trainyard/seedling","role":"assistant","stop_reason":"end_turn","stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":21,"output_tokens":2,"output_tokens_details":{"thinking_tokens":0}}}"#,
                            )?,
                        ),
                    )
                }
            }
        }
    }
    /// `GET /v1/messages/batches`
    fn list_message_batches(
        &self,
        caller: Self::Caller,
        input: server::batches::ListMessageBatchesInput,
    ) -> impl Future<
        Output = Result<server::batches::ListMessageBatchesOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::batches::ListMessageBatchesOutput::Ok(
                    http::example(
                        r#"{"data":[{"archived_at":null,"cancel_initiated_at":null,"created_at":"2026-11-22T19:25:05Z","ended_at":null,"expires_at":"2026-11-23T19:25:05Z","id":"msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4","processing_status":"in_progress","request_counts":{"canceled":0,"errored":0,"expired":0,"processing":1,"succeeded":0},"results_url":null,"type":"message_batch"}],"first_id":"msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4","has_more":false,"last_id":"msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/messages/batches`
    fn create_message_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::CreateMessageBatchInput,
    ) -> impl Future<
        Output = Result<server::batches::CreateMessageBatchOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::batches::CreateMessageBatchOutput::Ok(
                    http::example(
                        r#"{"archived_at":null,"cancel_initiated_at":null,"created_at":"2026-11-22T19:25:05Z","ended_at":null,"expires_at":"2026-11-23T19:25:05Z","id":"msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4","processing_status":"in_progress","request_counts":{"canceled":0,"errored":0,"expired":0,"processing":1,"succeeded":0},"results_url":null,"type":"message_batch"}"#,
                    )?,
                ),
            )
        }
    }
    /// `DELETE /v1/messages/batches/{message_batch_id}`
    fn delete_message_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::DeleteMessageBatchInput,
    ) -> impl Future<
        Output = Result<server::batches::DeleteMessageBatchOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::batches::DeleteMessageBatchOutput::Ok(
                    http::example(
                        r#"{"id":"msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4","type":"message_batch_deleted"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/messages/batches/{message_batch_id}`
    fn get_message_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::GetMessageBatchInput,
    ) -> impl Future<
        Output = Result<server::batches::GetMessageBatchOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::batches::GetMessageBatchOutput::Ok(
                    http::example(
                        r#"{"archived_at":null,"cancel_initiated_at":null,"created_at":"2026-11-22T19:25:05Z","ended_at":null,"expires_at":"2026-11-23T19:25:05Z","id":"msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4","processing_status":"in_progress","request_counts":{"canceled":0,"errored":0,"expired":0,"processing":1,"succeeded":0},"results_url":null,"type":"message_batch"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/messages/batches/{message_batch_id}/cancel`
    fn cancel_message_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::CancelMessageBatchInput,
    ) -> impl Future<
        Output = Result<server::batches::CancelMessageBatchOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::batches::CancelMessageBatchOutput::Ok(
                    http::example(
                        r#"{"archived_at":null,"cancel_initiated_at":"2026-11-22T19:25:35Z","created_at":"2026-11-22T19:25:05Z","ended_at":null,"expires_at":"2026-11-23T19:25:05Z","id":"msgbatch_01a1f9ca33b07e108c553b1f60a2c9e4","processing_status":"canceling","request_counts":{"canceled":0,"errored":0,"expired":0,"processing":1,"succeeded":0},"results_url":null,"type":"message_batch"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/messages/batches/{message_batch_id}/results`
    fn get_message_batch_results(
        &self,
        caller: Self::Caller,
        input: server::batches::GetMessageBatchResultsInput,
    ) -> impl Future<
        Output = Result<server::batches::GetMessageBatchResultsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::batches::GetMessageBatchResultsOutput::Ok(
                    http::Download::bytes(
                        "{\"custom_id\": \"first\", \"result\": {\"type\": \"canceled\"}}",
                    ),
                ),
            )
        }
    }
    /// `POST /v1/messages/count_tokens`
    fn count_message_tokens(
        &self,
        caller: Self::Caller,
        input: server::chat::CountMessageTokensInput,
    ) -> impl Future<
        Output = Result<server::chat::CountMessageTokensOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::CountMessageTokensOutput::Ok(
                    http::example(r#"{"input_tokens":21}"#)?,
                ),
            )
        }
    }
    /// `GET /v1/models`
    fn list_served_models(
        &self,
        caller: Self::Caller,
        input: server::inference::ListServedModelsInput,
    ) -> impl Future<
        Output = Result<server::inference::ListServedModelsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::inference::ListServedModelsOutput::Ok(
                    http::example(
                        r#"{"data":[{"created":0,"id":"trainyard/seedling","object":"model","owned_by":"system","root":"trainyard/seedling"},{"created":1795191690,"id":"wandb-artifact:///default/demo/agent","object":"model","owned_by":"default","root":"trainyard/seedling"},{"created":1795191690,"id":"wandb-artifact:///default/demo/agent:step0","object":"model","owned_by":"default","root":"trainyard/seedling"}],"has_more":false,"object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/models/{model}`
    fn get_served_model(
        &self,
        caller: Self::Caller,
        input: server::inference::GetServedModelInput,
    ) -> impl Future<
        Output = Result<server::inference::GetServedModelOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::inference::GetServedModelOutput::Ok(
                    http::example(
                        r#"{"created":1795191690,"id":"wandb-artifact:///default/demo/agent:step2","object":"model","owned_by":"default","root":"trainyard/seedling"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/admin/keys`
    fn list_keys(
        &self,
        caller: Self::Caller,
        input: server::admin::ListKeysInput,
    ) -> impl Future<
        Output = Result<server::admin::ListKeysOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::admin::ListKeysOutput::Ok(
                    http::example(
                        r#"{"data":[{"admin":false,"created_at":1795320000,"entity":"my-team","id":"01a1f9c2-0d12-7a31-9a8b-5f0c2f6f1d27","last_used_at":1795330000,"limits":{"requests_per_minute":600},"name":"laptop","suffix":"x7Gk"}],"first_id":"01a1f9c2-0d12-7a31-9a8b-5f0c2f6f1d27","has_more":false,"last_id":"01a1f9c2-0d12-7a31-9a8b-5f0c2f6f1d27","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/preview/admin/keys`
    fn create_key(
        &self,
        caller: Self::Caller,
        input: server::admin::CreateKeyInput,
    ) -> impl Future<
        Output = Result<server::admin::CreateKeyOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::admin::CreateKeyOutput::Ok(
                    http::example(
                        r#"{"api_key":"ty_0123456789abcdefghijABCDEFGHIJ0123456789abcABCDx7Gk","key":{"admin":false,"created_at":1795320000,"entity":"my-team","id":"01a1f9c2-0d12-7a31-9a8b-5f0c2f6f1d27","limits":{"requests_per_minute":600},"name":"laptop","suffix":"x7Gk"}}"#,
                    )?,
                ),
            )
        }
    }
    /// `PUT /v1/preview/admin/keys/{key_id}/limits`
    fn set_key_limits(
        &self,
        caller: Self::Caller,
        input: server::admin::SetKeyLimitsInput,
    ) -> impl Future<
        Output = Result<server::admin::SetKeyLimitsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::admin::SetKeyLimitsOutput::Ok(
                    http::example(
                        r#"{"admin":false,"created_at":1795320000,"entity":"my-team","id":"01a1f9c2-0d12-7a31-9a8b-5f0c2f6f1d27","last_used_at":1795330000,"limits":{"requests_per_minute":600},"name":"laptop","suffix":"x7Gk"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/preview/admin/keys/{key_id}/revoke`
    fn revoke_key(
        &self,
        caller: Self::Caller,
        input: server::admin::RevokeKeyInput,
    ) -> impl Future<
        Output = Result<server::admin::RevokeKeyOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::admin::RevokeKeyOutput::Ok(
                    http::example(
                        r#"{"admin":false,"created_at":1795320000,"entity":"my-team","id":"01a1f9c2-0d12-7a31-9a8b-5f0c2f6f1d27","last_used_at":1795330000,"limits":{"requests_per_minute":600},"name":"laptop","suffix":"x7Gk"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/admin/training-jobs`
    fn list_all_training_jobs(
        &self,
        caller: Self::Caller,
        input: server::admin::ListAllTrainingJobsInput,
    ) -> impl Future<
        Output = Result<server::admin::ListAllTrainingJobsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::admin::ListAllTrainingJobsOutput::Ok(
                    http::example(
                        r#"{"data":[{"config":{"epsilon":1,"epsilon_high":4,"learning_rate":0.0001,"loss_fn":"cispo"},"created_at":1795330000,"entity":"my-team","id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","kind":"rl","model_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","queue_position":0,"status":"queued","trained_tokens":0}],"first_id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","has_more":false,"last_id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/admin/workers`
    fn list_workers(
        &self,
        caller: Self::Caller,
        input: server::admin::ListWorkersInput,
    ) -> impl Future<
        Output = Result<server::admin::ListWorkersOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::admin::ListWorkersOutput::Ok(
                    http::example(
                        r#"{"data":[{"alive":true,"host":"gpu-1","jobs":[{"entity":"my-team","id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4"}],"name":"worker-4711-01a1f9c20d127a319a8b5f0c2f6f1d27","reported_at":1795330000,"started_at":1795320000,"trainers":{"trainyard/seedling":"bf16"},"version":"0.1.0"}],"object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/base-models`
    fn list_base_models(
        &self,
        caller: Self::Caller,
        input: server::models::ListBaseModelsInput,
    ) -> impl Future<
        Output = Result<server::models::ListBaseModelsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::models::ListBaseModelsOutput::Ok(
                    http::example(
                        r#"{"data":[{"context_length":4096,"id":"trainyard/seedling","vocabulary_size":1536,"weights":"f32"}],"object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/key`
    fn get_key(
        &self,
        caller: Self::Caller,
        input: server::service::GetKeyInput,
    ) -> impl Future<
        Output = Result<server::service::GetKeyOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::service::GetKeyOutput::Ok(
                    http::example(
                        r#"{"admin":false,"created_at":1795320000,"entity":"my-team","id":"01a1f9c2-0d12-7a31-9a8b-5f0c2f6f1d27","limits":{"requests_per_minute":600,"tokens_per_month":50000000},"name":"laptop","suffix":"x7Gk","use":{"queued_jobs":2,"requests_left":598,"stored_bytes":4100000,"streams":1,"tokens_this_month":18200}}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/models`
    fn list_models(
        &self,
        caller: Self::Caller,
        input: server::models::ListModelsInput,
    ) -> impl Future<
        Output = Result<server::models::ListModelsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::models::ListModelsOutput::Ok(
                    http::example(
                        r#"{"data":[{"base_model":"trainyard/seedling","created_at":1795329000,"entity":"default","id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","latest_step":2,"lora":{"alpha":16,"rank":8,"target_modules":["q_proj","k_proj","v_proj","o_proj","gate_proj","up_proj","down_proj"],"use_rslora":false},"name":"agent","project":"demo","run_id":null,"training_method":"lora"}],"first_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","has_more":false,"last_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/preview/models`
    fn create_model(
        &self,
        caller: Self::Caller,
        input: server::models::CreateModelInput,
    ) -> impl Future<
        Output = Result<server::models::CreateModelOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(server::models::CreateModelOutput::Ok {
                headers: server::models::CreateModelOkHeaders {
                    idempotency_replayed: None,
                },
                body: http::example(
                    r#"{"base_model":"trainyard/seedling","entity":"default","id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","lora":{"alpha":16,"rank":8,"target_modules":["q_proj","k_proj","v_proj","o_proj","gate_proj","up_proj","down_proj"],"use_rslora":false},"name":"agent","project":"demo","run_id":null,"training_method":"lora"}"#,
                )?,
            })
        }
    }
    /// `DELETE /v1/preview/models/{model_id}`
    fn delete_model(
        &self,
        caller: Self::Caller,
        input: server::models::DeleteModelInput,
    ) -> impl Future<
        Output = Result<server::models::DeleteModelOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::models::DeleteModelOutput::Ok(
                    http::example(
                        r#"{"deleted_checkpoints":3,"deleted_run":false,"model_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/models/{model_id}`
    fn get_model(
        &self,
        caller: Self::Caller,
        input: server::models::GetModelInput,
    ) -> impl Future<
        Output = Result<server::models::GetModelOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::models::GetModelOutput::Ok(
                    http::example(
                        r#"{"base_model":"trainyard/seedling","created_at":1795329000,"entity":"default","id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","latest_step":2,"lora":{"alpha":16,"rank":8,"target_modules":["q_proj","k_proj","v_proj","o_proj","gate_proj","up_proj","down_proj"],"use_rslora":false},"name":"agent","project":"demo","run_id":null,"training_method":"lora"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/preview/models/{model_id}/add-checkpoint`
    fn add_checkpoint(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::AddCheckpointInput,
    ) -> impl Future<
        Output = Result<server::checkpoints::AddCheckpointOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(server::checkpoints::AddCheckpointOutput::Ok {
                headers: server::checkpoints::AddCheckpointOkHeaders {
                    idempotency_replayed: None,
                },
                body: http::example(
                    r#"{"id":"01a1f9c6-7c1e-7be1-b3c4-8d5a90f1e2a7","metrics":{},"step":3}"#,
                )?,
            })
        }
    }
    /// `DELETE /v1/preview/models/{model_id}/checkpoints`
    fn delete_checkpoints(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::DeleteCheckpointsInput,
    ) -> impl Future<
        Output = Result<server::checkpoints::DeleteCheckpointsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::checkpoints::DeleteCheckpointsOutput::Ok(
                    http::example(r#"{"deleted_count":1,"not_found_steps":[2]}"#)?,
                ),
            )
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints`
    fn list_checkpoints(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::ListCheckpointsInput,
    ) -> impl Future<
        Output = Result<server::checkpoints::ListCheckpointsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::checkpoints::ListCheckpointsOutput::Ok(
                    http::example(
                        r#"{"data":[],"first_id":"","has_more":false,"last_id":"","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}`
    fn get_checkpoint(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::GetCheckpointInput,
    ) -> impl Future<
        Output = Result<server::checkpoints::GetCheckpointOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::checkpoints::GetCheckpointOutput::Ok(
                    http::example(
                        r#"{"created_at":1795329600,"files":[{"bytes":702,"name":"adapter_config.json","sha256":"7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730"},{"bytes":156368,"name":"adapter_model.safetensors","sha256":"b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"}],"id":"01a1f9c5-0d12-7a31-9a8b-5f0c2f6f1d27","metrics":{"loss/learning_rate":0.0001,"loss/train":-0.02},"model_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","step":2}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/archive`
    fn get_checkpoint_archive(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::GetCheckpointArchiveInput,
    ) -> impl Future<
        Output = Result<server::checkpoints::GetCheckpointArchiveOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::checkpoints::GetCheckpointArchiveOutput::Ok(
                    http::Download::bytes("checkpoint-2/adapter_config.json"),
                ),
            )
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/export`
    fn get_checkpoint_export(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::GetCheckpointExportInput,
    ) -> impl Future<
        Output = Result<server::checkpoints::GetCheckpointExportOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(server::checkpoints::GetCheckpointExportOutput::Ok {
                headers: server::checkpoints::GetCheckpointExportOkHeaders {
                    accept_ranges: http::example(r#""bytes""#)?,
                    e_tag: http::example(
                        r#""\"7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730\"""#,
                    )?,
                },
                body: http::Download::bytes("agent-step2-merged/config.json"),
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`
    fn get_checkpoint_file(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::GetCheckpointFileInput,
    ) -> impl Future<
        Output = Result<server::checkpoints::GetCheckpointFileOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(server::checkpoints::GetCheckpointFileOutput::Ok {
                headers: server::checkpoints::GetCheckpointFileOkHeaders {
                    accept_ranges: http::example(r#""bytes""#)?,
                    e_tag: http::example(
                        r#""\"7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730\"""#,
                    )?,
                },
                body: http::Download::bytes(
                    "{\"messages\": [{\"role\": \"user\", \"content\": \"2+2?\"}, {\"role\": \"assistant\", \"content\": \"4\"}]}",
                ),
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/manifest`
    fn get_checkpoint_manifest(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::GetCheckpointManifestInput,
    ) -> impl Future<
        Output = Result<server::checkpoints::GetCheckpointManifestOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::checkpoints::GetCheckpointManifestOutput::Ok(
                    http::example(
                        r#"{"manifest":{"format":1,"made_by":"training","model_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","step":1},"sha256":"7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730","step":1}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/models/{model_id}/log`
    fn list_trajectory_logs(
        &self,
        caller: Self::Caller,
        input: server::models::ListTrajectoryLogsInput,
    ) -> impl Future<
        Output = Result<server::models::ListTrajectoryLogsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::models::ListTrajectoryLogsOutput::Ok(
                    http::example(
                        r#"{"data":[{"created_at":1795330000,"id":"01a1f9c8-0d12-7a31-9a8b-5f0c2f6f1d27","num_groups":1,"split":"val"}],"first_id":"01a1f9c8-0d12-7a31-9a8b-5f0c2f6f1d27","has_more":false,"last_id":"01a1f9c8-0d12-7a31-9a8b-5f0c2f6f1d27","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/preview/models/{model_id}/log`
    fn log_trajectories(
        &self,
        caller: Self::Caller,
        input: server::models::LogTrajectoriesInput,
    ) -> impl Future<
        Output = Result<server::models::LogTrajectoriesOutput, http::ApiError>,
    > + Send {
        async move {
            let mut body = input.body;
            body.rest().await?;
            Ok(server::models::LogTrajectoriesOutput::Ok {
                headers: server::models::LogTrajectoriesOkHeaders {
                    idempotency_replayed: None,
                },
                body: http::example(r#"{"logged_groups":1,"logged_trajectories":2}"#)?,
            })
        }
    }
    /// `GET /v1/preview/models/{model_id}/log/{log_id}/groups`
    fn list_trajectory_log_groups(
        &self,
        caller: Self::Caller,
        input: server::models::ListTrajectoryLogGroupsInput,
    ) -> impl Future<
        Output = Result<server::models::ListTrajectoryLogGroupsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::models::ListTrajectoryLogGroupsOutput::Ok(
                    http::example(
                        r#"{"data":[{"advantages":[0.999998,-0.999998],"completion_tokens":[4,4],"id":"0","num_trajectories":2,"reward_deviation":0.5,"reward_mean":0.5,"rewards":[1,0]}],"first_id":"0","has_more":false,"last_id":"0","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/models/{model_id}/log/{log_id}/groups/{group_id}/trajectories`
    fn list_trajectory_log_trajectories(
        &self,
        caller: Self::Caller,
        input: server::models::ListTrajectoryLogTrajectoriesInput,
    ) -> impl Future<
        Output = Result<
            server::models::ListTrajectoryLogTrajectoriesOutput,
            http::ApiError,
        >,
    > + Send {
        async move {
            Ok(
                server::models::ListTrajectoryLogTrajectoriesOutput::Ok(
                    http::example(
                        r#"{"data":[{"advantage":0.999998,"drift":[],"dropped":[],"id":"0","items":[{"content":"Is it late?","role":"user"}],"omitted_sequences":0,"reward":1,"sequences":[]}],"first_id":"0","has_more":false,"last_id":"0","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/models/{model_id}/manifests`
    fn list_manifests(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::ListManifestsInput,
    ) -> impl Future<
        Output = Result<server::checkpoints::ListManifestsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::checkpoints::ListManifestsOutput::Ok(
                    http::example(
                        r#"{"data":[{"manifest":{"format":1,"made_by":"training","model_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","step":1},"sha256":"7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730","step":1}],"first_id":"1","has_more":false,"last_id":"1","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/models/{model_id}/metrics`
    fn get_model_metrics(
        &self,
        caller: Self::Caller,
        input: server::models::GetModelMetricsInput,
    ) -> impl Future<
        Output = Result<server::models::GetModelMetricsOutput, http::ApiError>,
    > + Send {
        async move {
            match input.accept.best(&["application/json", "text/csv"]) {
                Some("text/csv") => {
                    Ok(
                        server::models::GetModelMetricsOutput::OkTextCsv(
                            http::Download::bytes(
                                "training_job_id,step,tokens,time,loss/train\n01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4,1,12,1795330002.12,-1\n01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4,2,24,1795330002.31,1\n01a1f9c6-b000-7000-8000-000000000001,3,40,1795330102.5,0.5\n",
                            ),
                        ),
                    )
                }
                _ => {
                    Ok(
                        server::models::GetModelMetricsOutput::Ok(
                            http::example(
                                r#"{"jobs":[{"checkpoint":1,"first_step":1,"kind":"rl","num_steps":2,"training_job_id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4"},{"first_step":3,"kind":"rl","num_steps":1,"training_job_id":"01a1f9c6-b000-7000-8000-000000000001"}],"metrics":[{"name":"loss/train","values":[-1,1,0.5]}],"num_steps":3,"steps":[1,2,3],"times":[1795330002.12,1795330002.31,1795330102.5],"tokens":[12,24,40]}"#,
                            )?,
                        ),
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/server`
    fn get_server(
        &self,
        caller: Self::Caller,
        input: server::service::GetServerInput,
    ) -> impl Future<
        Output = Result<server::service::GetServerOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::service::GetServerOutput::Ok(
                    http::example(
                        r#"{"artifacts":"directory","database":"sqlite","instruction_set":"avx2","max_unfinished_jobs":1000,"started_at":1795320000,"threads":8,"trains":true,"version":"0.1.0"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/sessions`
    fn list_sessions(
        &self,
        caller: Self::Caller,
        input: server::sessions::ListSessionsInput,
    ) -> impl Future<
        Output = Result<server::sessions::ListSessionsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::sessions::ListSessionsOutput::Ok(
                    http::example(
                        r#"{"data":[{"bytes":2310,"created_at":1795330400,"expires_at":1795935200,"group":"capitals","id":"01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811","metadata":{"task":"paris"},"metrics":{"turns":2},"model":"wandb-artifact:///default/demo/agent","name":"attempt 3","num_generations":1,"object":"session","reward":1.0,"tags":["nightly"]}],"first_id":"01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811","has_more":false,"last_id":"01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/preview/sessions`
    fn create_session(
        &self,
        caller: Self::Caller,
        input: server::sessions::CreateSessionInput,
    ) -> impl Future<
        Output = Result<server::sessions::CreateSessionOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::sessions::CreateSessionOutput::Ok(
                    http::example(
                        r#"{"base_url":"http://127.0.0.1:8000/sessions/01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811/v1","bytes":0,"created_at":1795330400,"expires_at":1795935200,"group":"capitals","id":"01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811","key":"ty_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm","metadata":{"task":"paris"},"model":"wandb-artifact:///default/demo/agent","name":"attempt 3","num_generations":0,"object":"session","tags":["nightly"]}"#,
                    )?,
                ),
            )
        }
    }
    /// `DELETE /v1/preview/sessions/{session_id}`
    fn delete_session(
        &self,
        caller: Self::Caller,
        input: server::sessions::DeleteSessionInput,
    ) -> impl Future<
        Output = Result<server::sessions::DeleteSessionOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::sessions::DeleteSessionOutput::Ok(
                    http::example(
                        r#"{"deleted":true,"id":"01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811","object":"session"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/sessions/{session_id}`
    fn get_session(
        &self,
        caller: Self::Caller,
        input: server::sessions::GetSessionInput,
    ) -> impl Future<
        Output = Result<server::sessions::GetSessionOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::sessions::GetSessionOutput::Ok(
                    http::example(
                        r#"{"bytes":2310,"created_at":1795330400,"expires_at":1795935200,"generations":[{"choices":[{"finish_reason":"stop","index":0,"text":"Paris"}],"completion_tokens":3,"ended_at":1795330411,"id":"01a1f9d0-5a02-7c41-8e0f-1c2d3e4f5a6b","model":"wandb-artifact:///default/demo/agent","operation":"create_chat_completion","prompt_tokens":21,"started_at":1795330410,"status":"completed","step":2}],"group":"capitals","id":"01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811","metadata":{"task":"paris"},"metrics":{"turns":2},"model":"wandb-artifact:///default/demo/agent","name":"attempt 3","num_generations":1,"object":"session","reward":1.0,"tags":["nightly"]}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/preview/sessions/{session_id}/reward`
    fn reward_session(
        &self,
        caller: Self::Caller,
        input: server::sessions::RewardSessionInput,
    ) -> impl Future<
        Output = Result<server::sessions::RewardSessionOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::sessions::RewardSessionOutput::Ok(
                    http::example(
                        r#"{"bytes":2310,"created_at":1795330400,"expires_at":1795935200,"group":"capitals","id":"01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811","metadata":{"task":"paris"},"metrics":{"turns":2},"model":"wandb-artifact:///default/demo/agent","name":"attempt 3","num_generations":1,"object":"session","reward":1.0,"tags":["nightly"]}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/preview/sft-training-jobs`
    fn create_sft_training_job(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::CreateSftTrainingJobInput,
    ) -> impl Future<
        Output = Result<
            server::training_jobs::CreateSftTrainingJobOutput,
            http::ApiError,
        >,
    > + Send {
        async move {
            Ok(server::training_jobs::CreateSftTrainingJobOutput::Ok {
                headers: server::training_jobs::CreateSftTrainingJobOkHeaders {
                    idempotency_replayed: None,
                },
                body: http::example(
                    r#"{"id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","status":"queued"}"#,
                )?,
            })
        }
    }
    /// `GET /v1/preview/training-jobs`
    fn list_training_jobs(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::ListTrainingJobsInput,
    ) -> impl Future<
        Output = Result<server::training_jobs::ListTrainingJobsOutput, http::ApiError>,
    > + Send {
        async move {
            match input.accept.best(&["application/json", "text/event-stream"]) {
                Some("text/event-stream") => {
                    Ok(
                        server::training_jobs::ListTrainingJobsOutput::OkEventStream(
                            http::EventStream::of_events([
                                http::example(
                                    r#"{"job":{"config":{"epsilon":1,"epsilon_high":4,"learning_rate":0.0001,"loss_fn":"cispo"},"created_at":1795330000,"id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","kind":"rl","model_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","name":"warm start","queue_position":0,"status":"queued","tags":["baseline"],"trained_tokens":0,"waiting_for":{"message":"the workers run other jobs","reason":"turn","since":1795330000}}}"#,
                                )?,
                            ]),
                        ),
                    )
                }
                _ => {
                    Ok(
                        server::training_jobs::ListTrainingJobsOutput::Ok(
                            http::example(
                                r#"{"data":[{"config":{"epsilon":1,"epsilon_high":4,"learning_rate":0.0001,"loss_fn":"cispo"},"created_at":1795330000,"id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","kind":"rl","model_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","name":"warm start","queue_position":0,"status":"queued","tags":["baseline"],"trained_tokens":0,"waiting_for":{"message":"the workers run other jobs","reason":"turn","since":1795330000}}],"first_id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","has_more":false,"last_id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","object":"list"}"#,
                            )?,
                        ),
                    )
                }
            }
        }
    }
    /// `POST /v1/preview/training-jobs`
    fn create_training_job(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::CreateTrainingJobInput,
    ) -> impl Future<
        Output = Result<server::training_jobs::CreateTrainingJobOutput, http::ApiError>,
    > + Send {
        async move {
            let mut body = input.body;
            body.rest().await?;
            Ok(server::training_jobs::CreateTrainingJobOutput::Ok {
                headers: server::training_jobs::CreateTrainingJobOkHeaders {
                    idempotency_replayed: None,
                },
                body: http::example(
                    r#"{"id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","status":"queued"}"#,
                )?,
            })
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}`
    fn get_training_job(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::GetTrainingJobInput,
    ) -> impl Future<
        Output = Result<server::training_jobs::GetTrainingJobOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::training_jobs::GetTrainingJobOutput::Ok(
                    http::example(
                        r#"{"config":{"batch_size":2,"learning_rate":0.00005},"created_at":1795330100,"error":{"code":"invalid_training_data","message":"line 2 of the training data: `messages` is missing","retryable":false,"step":null},"finished_at":1795330102,"id":"01a1f9c6-b000-7000-8000-000000000001","kind":"sft","model_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","started_at":1795330101,"status":"failed","trained_tokens":0}"#,
                    )?,
                ),
            )
        }
    }
    /// `PATCH /v1/preview/training-jobs/{training_job_id}`
    fn update_training_job(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::UpdateTrainingJobInput,
    ) -> impl Future<
        Output = Result<server::training_jobs::UpdateTrainingJobOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::training_jobs::UpdateTrainingJobOutput::Ok(
                    http::example(
                        r#"{"config":{"epsilon":1,"epsilon_high":4,"learning_rate":0.0001,"loss_fn":"cispo"},"created_at":1795330000,"id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","kind":"rl","model_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","name":"warm start","queue_position":0,"status":"queued","tags":["baseline"],"trained_tokens":0,"waiting_for":{"message":"the workers run other jobs","reason":"turn","since":1795330000}}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/preview/training-jobs/{training_job_id}/cancel`
    fn cancel_training_job(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::CancelTrainingJobInput,
    ) -> impl Future<
        Output = Result<server::training_jobs::CancelTrainingJobOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::training_jobs::CancelTrainingJobOutput::Ok(
                    http::example(
                        r#"{"config":{"epsilon":1,"epsilon_high":4,"learning_rate":0.0001,"loss_fn":"cispo"},"created_at":1795330000,"error":{"code":"cancelled","message":"the job was cancelled by its owner","retryable":true,"step":4},"finished_at":1795330031,"id":"01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4","kind":"rl","model_id":"01a1f9c3-5630-77c3-a5f2-daaf4564b88a","progress":{"steps":3,"total_steps":8},"started_at":1795330001,"status":"cancelled","trained_tokens":1954}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/drops`
    fn list_training_job_drops(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::ListTrainingJobDropsInput,
    ) -> impl Future<
        Output = Result<
            server::training_jobs::ListTrainingJobDropsOutput,
            http::ApiError,
        >,
    > + Send {
        async move {
            Ok(
                server::training_jobs::ListTrainingJobDropsOutput::Ok(
                    http::example(
                        r#"{"data":[{"code":"equal_rewards","drift":false,"group_id":"1","id":"0","message":"all rewards of the group are equal","place":"trajectory_groups[1]"}],"first_id":"0","has_more":false,"last_id":"0","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/events`
    fn list_training_job_events(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::ListTrainingJobEventsInput,
    ) -> impl Future<
        Output = Result<
            server::training_jobs::ListTrainingJobEventsOutput,
            http::ApiError,
        >,
    > + Send {
        async move {
            match input.accept.best(&["application/json", "text/event-stream"]) {
                Some("text/event-stream") => {
                    Ok(
                        server::training_jobs::ListTrainingJobEventsOutput::OkEventStream(
                            http::EventStream::of_events([
                                http::example(
                                    r#"{"data":{"loss/entropy":0.88,"loss/grad_norm":0.49,"loss/learning_rate":0.0001,"loss/train":1.0},"id":"01a1f9c4-a003-7000-8000-000000000003","type":"gradient_step"}"#,
                                )?,
                            ]),
                        ),
                    )
                }
                _ => {
                    Ok(
                        server::training_jobs::ListTrainingJobEventsOutput::Ok(
                            http::example(
                                r#"{"data":[{"data":{"error_message":"line 2 of the training data: `messages` is missing","num_gradient_steps":0,"num_trained_tokens":0},"id":"01a1f9c6-b001-7000-8000-000000000001","type":"training_failed"}],"first_id":"01a1f9c6-b001-7000-8000-000000000001","has_more":false,"last_id":"01a1f9c6-b001-7000-8000-000000000001","object":"list"}"#,
                            )?,
                        ),
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/groups`
    fn list_training_job_groups(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::ListTrainingJobGroupsInput,
    ) -> impl Future<
        Output = Result<
            server::training_jobs::ListTrainingJobGroupsOutput,
            http::ApiError,
        >,
    > + Send {
        async move {
            Ok(
                server::training_jobs::ListTrainingJobGroupsOutput::Ok(
                    http::example(
                        r#"{"data":[{"advantages":[0.999998,-0.999998],"completion_tokens":[4,4],"id":"0","num_trajectories":2,"reward_deviation":0.5,"reward_mean":0.5,"rewards":[1,0]},{"advantages":[null,null],"completion_tokens":[4,9],"dropped":{"code":"equal_rewards","message":"all rewards of the group are equal","place":"trajectory_groups[1]"},"id":"1","num_trajectories":2,"reward_deviation":0,"reward_mean":1,"rewards":[1,1]}],"first_id":"0","has_more":false,"last_id":"1","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/groups/{group_id}/trajectories`
    fn list_training_job_trajectories(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::ListTrainingJobTrajectoriesInput,
    ) -> impl Future<
        Output = Result<
            server::training_jobs::ListTrainingJobTrajectoriesOutput,
            http::ApiError,
        >,
    > + Send {
        async move {
            Ok(
                server::training_jobs::ListTrainingJobTrajectoriesOutput::Ok(
                    http::example(
                        r#"{"data":[{"advantage":0.999998,"drift":[],"dropped":[],"id":"0","items":[{"content":"Is it late?","role":"user"},{"finish_reason":"stop","index":0,"message":{"content":"yes","role":"assistant"}}],"omitted_sequences":0,"reward":1,"sequences":[{"advantage":1,"logprobs":[null,null,null,null,-0.75,-0.125,-0.125,-0.25],"texts":["<user>","I","s","<assistant>","y","e","s","<end>"],"token_ids":[257,73,115,258,121,101,115,259],"trained":[false,false,false,false,true,true,true,true],"trained_logprobs":[null,null,null,null,-0.75,-0.125,-0.125,-0.25],"weight":1}]}],"first_id":"0","has_more":false,"last_id":"0","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/metrics`
    fn get_training_job_metrics(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::GetTrainingJobMetricsInput,
    ) -> impl Future<
        Output = Result<
            server::training_jobs::GetTrainingJobMetricsOutput,
            http::ApiError,
        >,
    > + Send {
        async move {
            match input.accept.best(&["application/json", "text/csv"]) {
                Some("text/csv") => {
                    Ok(
                        server::training_jobs::GetTrainingJobMetricsOutput::OkTextCsv(
                            http::Download::bytes(
                                "step,tokens,time,loss/train,loss/val\n1,12,1795330002.12,-1,\n2,24,1795330002.31,1,\n3,40,1795330002.5,0.5,0.75\n",
                            ),
                        ),
                    )
                }
                _ => {
                    Ok(
                        server::training_jobs::GetTrainingJobMetricsOutput::Ok(
                            http::example(
                                r#"{"last_event_id":"01a1f9c4-a003-7000-8000-000000000003","metrics":[{"name":"loss/train","values":[-1,1,0.5]},{"name":"loss/val","values":[null,null,0.75]}],"num_steps":3,"steps":[1,2,3],"times":[1795330002.12,1795330002.31,1795330002.5],"tokens":[12,24,40]}"#,
                            )?,
                        ),
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/usage`
    fn get_usage(
        &self,
        caller: Self::Caller,
        input: server::service::GetUsageInput,
    ) -> impl Future<
        Output = Result<server::service::GetUsageOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::service::GetUsageOutput::Ok(
                    http::example(
                        r#"{"data":[{"completion_tokens":96,"day":"2026-11-22","key_id":"01a1f9c2-0d12-7a31-9a8b-5f0c2f6f1d27","key_name":"laptop","model":"wandb-artifact:///default/demo/agent","project":"research/agent","prompt_tokens":340,"requests":12,"trained_tokens":0}],"end_date":"2026-11-30","object":"list","start_date":"2026-11-01","total":{"completion_tokens":96,"prompt_tokens":340,"requests":12,"trained_tokens":0}}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/responses`
    fn create_response(
        &self,
        caller: Self::Caller,
        input: server::chat::CreateResponseInput,
    ) -> impl Future<
        Output = Result<server::chat::CreateResponseOutput, http::ApiError>,
    > + Send {
        async move {
            match input.accept.best(&["application/json", "text/event-stream"]) {
                Some("text/event-stream") => {
                    Ok(
                        server::chat::CreateResponseOutput::OkEventStream(
                            http::EventStream::of_events([
                                http::example(
                                    r#"{"content_index":0,"delta":"maybe","item_id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","logprobs":[],"output_index":0,"sequence_number":4,"type":"response.output_text.delta"}"#,
                                )?,
                                http::example(
                                    r#"{"item":{"content":[],"id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","role":"assistant","status":"in_progress","type":"message"},"output_index":0,"sequence_number":2,"type":"response.output_item.added"}"#,
                                )?,
                            ]),
                        ),
                    )
                }
                _ => {
                    Ok(
                        server::chat::CreateResponseOutput::Ok(
                            http::example(
                                r#"{"background":false,"completed_at":1795191691,"created_at":1795191690,"error":null,"id":"resp_e28ff8095f234e3788c978b33ffab3c7","incomplete_details":null,"instructions":null,"max_output_tokens":null,"metadata":{},"model":"wandb-artifact:///default/demo/agent","object":"response","output":[{"content":[{"annotations":[],"logprobs":[],"text":"maybe","type":"output_text"}],"id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","role":"assistant","status":"completed","type":"message"}],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"status":"completed","store":true,"temperature":1,"text":{"format":{"type":"text"}},"token_generations":[{"output_indices":[0],"output_tokens":[{"logprob":-1.6348193883895874,"token_id":969},{"logprob":-0.00008487341256113723,"token_id":2}],"prompt_token_ids":[1,568,2]}],"tool_choice":"auto","tools":[],"top_logprobs":0,"top_p":1,"truncation":"disabled","usage":{"input_tokens":14,"input_tokens_details":{"cache_write_tokens":0,"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":16},"user":null}"#,
                            )?,
                        ),
                    )
                }
            }
        }
    }
    /// `POST /v1/responses/compact`
    fn compact_response(
        &self,
        caller: Self::Caller,
        input: server::chat::CompactResponseInput,
    ) -> impl Future<
        Output = Result<server::chat::CompactResponseOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::CompactResponseOutput::Ok(
                    http::example(
                        r#"{"created_at":1795191690,"id":"resp_01a1f9c83a4c7b51a9d3c1e07b2f6d90","object":"response.compaction","output":[{"content":[{"text":"yes, no or maybe?","type":"input_text"}],"id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","role":"user","status":"completed","type":"message"},{"encrypted_content":"trainyard:summary:The user asks for one of three words.","id":"cmp_0f2d6a7a5c2e4b6f9b1d3c5e7a9b8d6c","type":"compaction"}],"usage":{"input_tokens":90,"input_tokens_details":{"cache_write_tokens":0,"cached_tokens":0},"output_tokens":9,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":99}}"#,
                    )?,
                ),
            )
        }
    }
    /// `POST /v1/responses/input_tokens`
    fn count_response_tokens(
        &self,
        caller: Self::Caller,
        input: server::chat::CountResponseTokensInput,
    ) -> impl Future<
        Output = Result<server::chat::CountResponseTokensOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::CountResponseTokensOutput::Ok(
                    http::example(
                        r#"{"input_tokens":21,"object":"response.input_tokens"}"#,
                    )?,
                ),
            )
        }
    }
    /// `DELETE /v1/responses/{response_id}`
    fn delete_response(
        &self,
        caller: Self::Caller,
        input: server::chat::DeleteResponseInput,
    ) -> impl Future<
        Output = Result<server::chat::DeleteResponseOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::DeleteResponseOutput::Ok(
                    http::example(
                        r#"{"deleted":true,"id":"resp_e28ff8095f234e3788c978b33ffab3c7","object":"response"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/responses/{response_id}`
    fn get_response(
        &self,
        caller: Self::Caller,
        input: server::chat::GetResponseInput,
    ) -> impl Future<
        Output = Result<server::chat::GetResponseOutput, http::ApiError>,
    > + Send {
        async move {
            match input.accept.best(&["application/json", "text/event-stream"]) {
                Some("text/event-stream") => {
                    Ok(
                        server::chat::GetResponseOutput::OkEventStream(
                            http::EventStream::of_events([
                                http::example(
                                    r#"{"content_index":0,"delta":"maybe","item_id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","logprobs":[],"output_index":0,"sequence_number":4,"type":"response.output_text.delta"}"#,
                                )?,
                            ]),
                        ),
                    )
                }
                _ => {
                    Ok(
                        server::chat::GetResponseOutput::Ok(
                            http::example(
                                r#"{"background":false,"completed_at":1795191691,"created_at":1795191690,"error":null,"id":"resp_e28ff8095f234e3788c978b33ffab3c7","incomplete_details":null,"instructions":null,"max_output_tokens":null,"metadata":{},"model":"wandb-artifact:///default/demo/agent","object":"response","output":[{"content":[{"annotations":[],"logprobs":[],"text":"maybe","type":"output_text"}],"id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","role":"assistant","status":"completed","type":"message"}],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"status":"completed","store":true,"temperature":1,"text":{"format":{"type":"text"}},"token_generations":[{"output_indices":[0],"output_tokens":[{"logprob":-1.6348193883895874,"token_id":969},{"logprob":-0.00008487341256113723,"token_id":2}],"prompt_token_ids":[1,568,2]}],"tool_choice":"auto","tools":[],"top_logprobs":0,"top_p":1,"truncation":"disabled","usage":{"input_tokens":14,"input_tokens_details":{"cache_write_tokens":0,"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":16},"user":null}"#,
                            )?,
                        ),
                    )
                }
            }
        }
    }
    /// `POST /v1/responses/{response_id}/cancel`
    fn cancel_response(
        &self,
        caller: Self::Caller,
        input: server::chat::CancelResponseInput,
    ) -> impl Future<
        Output = Result<server::chat::CancelResponseOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::CancelResponseOutput::Ok(
                    http::example(
                        r#"{"background":false,"completed_at":1795191691,"created_at":1795191690,"error":null,"id":"resp_e28ff8095f234e3788c978b33ffab3c7","incomplete_details":null,"instructions":null,"max_output_tokens":null,"metadata":{},"model":"wandb-artifact:///default/demo/agent","object":"response","output":[{"content":[{"annotations":[],"logprobs":[],"text":"maybe","type":"output_text"}],"id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","role":"assistant","status":"completed","type":"message"}],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},"status":"completed","store":true,"temperature":1,"text":{"format":{"type":"text"}},"token_generations":[{"output_indices":[0],"output_tokens":[{"logprob":-1.6348193883895874,"token_id":969},{"logprob":-0.00008487341256113723,"token_id":2}],"prompt_token_ids":[1,568,2]}],"tool_choice":"auto","tools":[],"top_logprobs":0,"top_p":1,"truncation":"disabled","usage":{"input_tokens":14,"input_tokens_details":{"cache_write_tokens":0,"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":16},"user":null}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/responses/{response_id}/input_items`
    fn list_response_input_items(
        &self,
        caller: Self::Caller,
        input: server::chat::ListResponseInputItemsInput,
    ) -> impl Future<
        Output = Result<server::chat::ListResponseInputItemsOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::chat::ListResponseInputItemsOutput::Ok(
                    http::example(
                        r#"{"data":[{"content":[{"text":"yes, no or maybe?","type":"input_text"}],"id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","role":"user","status":"completed","type":"message"}],"first_id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","has_more":false,"last_id":"msg_6b0b7d31afdf44269ddc2b807240d2d3","object":"list"}"#,
                    )?,
                ),
            )
        }
    }
    /// `GET /v1/system-check`
    fn check_system(
        &self,
        caller: Self::Caller,
        input: server::service::CheckSystemInput,
    ) -> impl Future<
        Output = Result<server::service::CheckSystemOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::service::CheckSystemOutput::Ok(
                    http::example(
                        r#"{"api":true,"artifacts":{"duration":0.002117,"errors":[],"success":true},"cpu_queue":{"duration":0.000128,"errors":[],"success":true},"database":true,"disk":{"duration":0.000046,"errors":[],"success":true},"gpu_queue":{"duration":0.008736,"errors":[],"success":true},"instruction_set":"avx2"}"#,
                    )?,
                ),
            )
        }
    }
    /// `PUT /wandb/files/{project}/{artifact}/{file_name}`
    fn put_wandb_file(
        &self,
        caller: Self::Caller,
        input: server::wandb::PutWandbFileInput,
    ) -> impl Future<
        Output = Result<server::wandb::PutWandbFileOutput, http::ApiError>,
    > + Send {
        async move {
            let mut body = input.body;
            while body.next().await?.is_some() {}
            Ok(server::wandb::PutWandbFileOutput::Ok(http::example(r#"{}"#)?))
        }
    }
    /// `GET /wandb/manifests/{model_id}/{step}`
    fn get_wandb_manifest(
        &self,
        caller: Self::Caller,
        input: server::wandb::GetWandbManifestInput,
    ) -> impl Future<
        Output = Result<server::wandb::GetWandbManifestOutput, http::ApiError>,
    > + Send {
        async move {
            Ok(
                server::wandb::GetWandbManifestOutput::Ok(
                    http::example(
                        r#"{"contents":{"adapter_config.json":{"birthArtifactID":"checkpoint:01a1f9c3-5630-77c3-a5f2-daaf4564b88a:2","digest":"XrY7u+Ae7tCTyyK7j1rNww==","size":702}},"storagePolicy":"wandb-storage-policy-v1","storagePolicyConfig":{"storageLayout":"V2"},"version":1}"#,
                    )?,
                ),
            )
        }
    }
}
/// A server of [`Examples`].
pub struct WithExamples<T>(pub T);
impl<T: http::Authenticate> http::Authenticate for WithExamples<T> {
    type Caller = T::Caller;
    async fn authenticate(
        &self,
        credentials: &http::Credentials<'_>,
        headers: &http::HeaderMap,
    ) -> Result<Self::Caller, http::ApiError> {
        http::Authenticate::authenticate(&self.0, credentials, headers).await
    }
}
impl<T: Examples> server::admin::Admin for WithExamples<T> {
    async fn list_keys(
        &self,
        caller: Self::Caller,
        input: server::admin::ListKeysInput,
    ) -> Result<server::admin::ListKeysOutput, http::ApiError> {
        Examples::list_keys(&self.0, caller, input).await
    }
    async fn create_key(
        &self,
        caller: Self::Caller,
        input: server::admin::CreateKeyInput,
    ) -> Result<server::admin::CreateKeyOutput, http::ApiError> {
        Examples::create_key(&self.0, caller, input).await
    }
    async fn set_key_limits(
        &self,
        caller: Self::Caller,
        input: server::admin::SetKeyLimitsInput,
    ) -> Result<server::admin::SetKeyLimitsOutput, http::ApiError> {
        Examples::set_key_limits(&self.0, caller, input).await
    }
    async fn revoke_key(
        &self,
        caller: Self::Caller,
        input: server::admin::RevokeKeyInput,
    ) -> Result<server::admin::RevokeKeyOutput, http::ApiError> {
        Examples::revoke_key(&self.0, caller, input).await
    }
    async fn list_all_training_jobs(
        &self,
        caller: Self::Caller,
        input: server::admin::ListAllTrainingJobsInput,
    ) -> Result<server::admin::ListAllTrainingJobsOutput, http::ApiError> {
        Examples::list_all_training_jobs(&self.0, caller, input).await
    }
    async fn list_workers(
        &self,
        caller: Self::Caller,
        input: server::admin::ListWorkersInput,
    ) -> Result<server::admin::ListWorkersOutput, http::ApiError> {
        Examples::list_workers(&self.0, caller, input).await
    }
}
impl<T: Examples> server::batches::Batches for WithExamples<T> {
    async fn list_batches(
        &self,
        caller: Self::Caller,
        input: server::batches::ListBatchesInput,
    ) -> Result<server::batches::ListBatchesOutput, http::ApiError> {
        Examples::list_batches(&self.0, caller, input).await
    }
    async fn create_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::CreateBatchInput,
    ) -> Result<server::batches::CreateBatchOutput, http::ApiError> {
        Examples::create_batch(&self.0, caller, input).await
    }
    async fn get_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::GetBatchInput,
    ) -> Result<server::batches::GetBatchOutput, http::ApiError> {
        Examples::get_batch(&self.0, caller, input).await
    }
    async fn cancel_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::CancelBatchInput,
    ) -> Result<server::batches::CancelBatchOutput, http::ApiError> {
        Examples::cancel_batch(&self.0, caller, input).await
    }
    async fn list_message_batches(
        &self,
        caller: Self::Caller,
        input: server::batches::ListMessageBatchesInput,
    ) -> Result<server::batches::ListMessageBatchesOutput, http::ApiError> {
        Examples::list_message_batches(&self.0, caller, input).await
    }
    async fn create_message_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::CreateMessageBatchInput,
    ) -> Result<server::batches::CreateMessageBatchOutput, http::ApiError> {
        Examples::create_message_batch(&self.0, caller, input).await
    }
    async fn delete_message_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::DeleteMessageBatchInput,
    ) -> Result<server::batches::DeleteMessageBatchOutput, http::ApiError> {
        Examples::delete_message_batch(&self.0, caller, input).await
    }
    async fn get_message_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::GetMessageBatchInput,
    ) -> Result<server::batches::GetMessageBatchOutput, http::ApiError> {
        Examples::get_message_batch(&self.0, caller, input).await
    }
    async fn cancel_message_batch(
        &self,
        caller: Self::Caller,
        input: server::batches::CancelMessageBatchInput,
    ) -> Result<server::batches::CancelMessageBatchOutput, http::ApiError> {
        Examples::cancel_message_batch(&self.0, caller, input).await
    }
    async fn get_message_batch_results(
        &self,
        caller: Self::Caller,
        input: server::batches::GetMessageBatchResultsInput,
    ) -> Result<server::batches::GetMessageBatchResultsOutput, http::ApiError> {
        Examples::get_message_batch_results(&self.0, caller, input).await
    }
}
impl<T: Examples> server::chat::Chat for WithExamples<T> {
    async fn detokenize(
        &self,
        caller: Self::Caller,
        input: server::chat::DetokenizeInput,
    ) -> Result<server::chat::DetokenizeOutput, http::ApiError> {
        Examples::detokenize(&self.0, caller, input).await
    }
    async fn tokenize(
        &self,
        caller: Self::Caller,
        input: server::chat::TokenizeInput,
    ) -> Result<server::chat::TokenizeOutput, http::ApiError> {
        Examples::tokenize(&self.0, caller, input).await
    }
    async fn get_tokenizer_info(
        &self,
        caller: Self::Caller,
        input: server::chat::GetTokenizerInfoInput,
    ) -> Result<server::chat::GetTokenizerInfoOutput, http::ApiError> {
        Examples::get_tokenizer_info(&self.0, caller, input).await
    }
    async fn list_chat_completions(
        &self,
        caller: Self::Caller,
        input: server::chat::ListChatCompletionsInput,
    ) -> Result<server::chat::ListChatCompletionsOutput, http::ApiError> {
        Examples::list_chat_completions(&self.0, caller, input).await
    }
    async fn create_chat_completion(
        &self,
        caller: Self::Caller,
        input: server::chat::CreateChatCompletionInput,
    ) -> Result<server::chat::CreateChatCompletionOutput, http::ApiError> {
        Examples::create_chat_completion(&self.0, caller, input).await
    }
    async fn delete_chat_completion(
        &self,
        caller: Self::Caller,
        input: server::chat::DeleteChatCompletionInput,
    ) -> Result<server::chat::DeleteChatCompletionOutput, http::ApiError> {
        Examples::delete_chat_completion(&self.0, caller, input).await
    }
    async fn get_chat_completion(
        &self,
        caller: Self::Caller,
        input: server::chat::GetChatCompletionInput,
    ) -> Result<server::chat::GetChatCompletionOutput, http::ApiError> {
        Examples::get_chat_completion(&self.0, caller, input).await
    }
    async fn update_chat_completion(
        &self,
        caller: Self::Caller,
        input: server::chat::UpdateChatCompletionInput,
    ) -> Result<server::chat::UpdateChatCompletionOutput, http::ApiError> {
        Examples::update_chat_completion(&self.0, caller, input).await
    }
    async fn list_chat_completion_messages(
        &self,
        caller: Self::Caller,
        input: server::chat::ListChatCompletionMessagesInput,
    ) -> Result<server::chat::ListChatCompletionMessagesOutput, http::ApiError> {
        Examples::list_chat_completion_messages(&self.0, caller, input).await
    }
    async fn create_completion(
        &self,
        caller: Self::Caller,
        input: server::chat::CreateCompletionInput,
    ) -> Result<server::chat::CreateCompletionOutput, http::ApiError> {
        Examples::create_completion(&self.0, caller, input).await
    }
    async fn create_message(
        &self,
        caller: Self::Caller,
        input: server::chat::CreateMessageInput,
    ) -> Result<server::chat::CreateMessageOutput, http::ApiError> {
        Examples::create_message(&self.0, caller, input).await
    }
    async fn count_message_tokens(
        &self,
        caller: Self::Caller,
        input: server::chat::CountMessageTokensInput,
    ) -> Result<server::chat::CountMessageTokensOutput, http::ApiError> {
        Examples::count_message_tokens(&self.0, caller, input).await
    }
    async fn create_response(
        &self,
        caller: Self::Caller,
        input: server::chat::CreateResponseInput,
    ) -> Result<server::chat::CreateResponseOutput, http::ApiError> {
        Examples::create_response(&self.0, caller, input).await
    }
    async fn compact_response(
        &self,
        caller: Self::Caller,
        input: server::chat::CompactResponseInput,
    ) -> Result<server::chat::CompactResponseOutput, http::ApiError> {
        Examples::compact_response(&self.0, caller, input).await
    }
    async fn count_response_tokens(
        &self,
        caller: Self::Caller,
        input: server::chat::CountResponseTokensInput,
    ) -> Result<server::chat::CountResponseTokensOutput, http::ApiError> {
        Examples::count_response_tokens(&self.0, caller, input).await
    }
    async fn delete_response(
        &self,
        caller: Self::Caller,
        input: server::chat::DeleteResponseInput,
    ) -> Result<server::chat::DeleteResponseOutput, http::ApiError> {
        Examples::delete_response(&self.0, caller, input).await
    }
    async fn get_response(
        &self,
        caller: Self::Caller,
        input: server::chat::GetResponseInput,
    ) -> Result<server::chat::GetResponseOutput, http::ApiError> {
        Examples::get_response(&self.0, caller, input).await
    }
    async fn cancel_response(
        &self,
        caller: Self::Caller,
        input: server::chat::CancelResponseInput,
    ) -> Result<server::chat::CancelResponseOutput, http::ApiError> {
        Examples::cancel_response(&self.0, caller, input).await
    }
    async fn list_response_input_items(
        &self,
        caller: Self::Caller,
        input: server::chat::ListResponseInputItemsInput,
    ) -> Result<server::chat::ListResponseInputItemsOutput, http::ApiError> {
        Examples::list_response_input_items(&self.0, caller, input).await
    }
}
impl<T: Examples> server::checkpoints::Checkpoints for WithExamples<T> {
    async fn add_checkpoint(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::AddCheckpointInput,
    ) -> Result<server::checkpoints::AddCheckpointOutput, http::ApiError> {
        Examples::add_checkpoint(&self.0, caller, input).await
    }
    async fn delete_checkpoints(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::DeleteCheckpointsInput,
    ) -> Result<server::checkpoints::DeleteCheckpointsOutput, http::ApiError> {
        Examples::delete_checkpoints(&self.0, caller, input).await
    }
    async fn list_checkpoints(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::ListCheckpointsInput,
    ) -> Result<server::checkpoints::ListCheckpointsOutput, http::ApiError> {
        Examples::list_checkpoints(&self.0, caller, input).await
    }
    async fn get_checkpoint(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::GetCheckpointInput,
    ) -> Result<server::checkpoints::GetCheckpointOutput, http::ApiError> {
        Examples::get_checkpoint(&self.0, caller, input).await
    }
    async fn get_checkpoint_archive(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::GetCheckpointArchiveInput,
    ) -> Result<server::checkpoints::GetCheckpointArchiveOutput, http::ApiError> {
        Examples::get_checkpoint_archive(&self.0, caller, input).await
    }
    async fn get_checkpoint_export(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::GetCheckpointExportInput,
    ) -> Result<server::checkpoints::GetCheckpointExportOutput, http::ApiError> {
        Examples::get_checkpoint_export(&self.0, caller, input).await
    }
    async fn get_checkpoint_file(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::GetCheckpointFileInput,
    ) -> Result<server::checkpoints::GetCheckpointFileOutput, http::ApiError> {
        Examples::get_checkpoint_file(&self.0, caller, input).await
    }
    async fn get_checkpoint_manifest(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::GetCheckpointManifestInput,
    ) -> Result<server::checkpoints::GetCheckpointManifestOutput, http::ApiError> {
        Examples::get_checkpoint_manifest(&self.0, caller, input).await
    }
    async fn list_manifests(
        &self,
        caller: Self::Caller,
        input: server::checkpoints::ListManifestsInput,
    ) -> Result<server::checkpoints::ListManifestsOutput, http::ApiError> {
        Examples::list_manifests(&self.0, caller, input).await
    }
}
impl<T: Examples> server::files::Files for WithExamples<T> {
    async fn list_files(
        &self,
        caller: Self::Caller,
        input: server::files::ListFilesInput,
    ) -> Result<server::files::ListFilesOutput, http::ApiError> {
        Examples::list_files(&self.0, caller, input).await
    }
    async fn create_file(
        &self,
        caller: Self::Caller,
        input: server::files::CreateFileInput,
    ) -> Result<server::files::CreateFileOutput, http::ApiError> {
        Examples::create_file(&self.0, caller, input).await
    }
    async fn delete_file(
        &self,
        caller: Self::Caller,
        input: server::files::DeleteFileInput,
    ) -> Result<server::files::DeleteFileOutput, http::ApiError> {
        Examples::delete_file(&self.0, caller, input).await
    }
    async fn get_file(
        &self,
        caller: Self::Caller,
        input: server::files::GetFileInput,
    ) -> Result<server::files::GetFileOutput, http::ApiError> {
        Examples::get_file(&self.0, caller, input).await
    }
    async fn get_file_content(
        &self,
        caller: Self::Caller,
        input: server::files::GetFileContentInput,
    ) -> Result<server::files::GetFileContentOutput, http::ApiError> {
        Examples::get_file_content(&self.0, caller, input).await
    }
}
impl<T: Examples> server::fine_tuning::FineTuning for WithExamples<T> {
    async fn list_fine_tuning_jobs(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::ListFineTuningJobsInput,
    ) -> Result<server::fine_tuning::ListFineTuningJobsOutput, http::ApiError> {
        Examples::list_fine_tuning_jobs(&self.0, caller, input).await
    }
    async fn create_fine_tuning_job(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::CreateFineTuningJobInput,
    ) -> Result<server::fine_tuning::CreateFineTuningJobOutput, http::ApiError> {
        Examples::create_fine_tuning_job(&self.0, caller, input).await
    }
    async fn get_fine_tuning_job(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::GetFineTuningJobInput,
    ) -> Result<server::fine_tuning::GetFineTuningJobOutput, http::ApiError> {
        Examples::get_fine_tuning_job(&self.0, caller, input).await
    }
    async fn cancel_fine_tuning_job(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::CancelFineTuningJobInput,
    ) -> Result<server::fine_tuning::CancelFineTuningJobOutput, http::ApiError> {
        Examples::cancel_fine_tuning_job(&self.0, caller, input).await
    }
    async fn list_fine_tuning_job_checkpoints(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::ListFineTuningJobCheckpointsInput,
    ) -> Result<
        server::fine_tuning::ListFineTuningJobCheckpointsOutput,
        http::ApiError,
    > {
        Examples::list_fine_tuning_job_checkpoints(&self.0, caller, input).await
    }
    async fn list_fine_tuning_job_events(
        &self,
        caller: Self::Caller,
        input: server::fine_tuning::ListFineTuningJobEventsInput,
    ) -> Result<server::fine_tuning::ListFineTuningJobEventsOutput, http::ApiError> {
        Examples::list_fine_tuning_job_events(&self.0, caller, input).await
    }
}
impl<T: Examples> server::inference::Inference for WithExamples<T> {
    async fn list_inference_models(
        &self,
        caller: Self::Caller,
        input: server::inference::ListInferenceModelsInput,
    ) -> Result<server::inference::ListInferenceModelsOutput, http::ApiError> {
        Examples::list_inference_models(&self.0, caller, input).await
    }
    async fn list_served_models(
        &self,
        caller: Self::Caller,
        input: server::inference::ListServedModelsInput,
    ) -> Result<server::inference::ListServedModelsOutput, http::ApiError> {
        Examples::list_served_models(&self.0, caller, input).await
    }
    async fn get_served_model(
        &self,
        caller: Self::Caller,
        input: server::inference::GetServedModelInput,
    ) -> Result<server::inference::GetServedModelOutput, http::ApiError> {
        Examples::get_served_model(&self.0, caller, input).await
    }
}
impl<T: Examples> server::models::Models for WithExamples<T> {
    async fn list_base_models(
        &self,
        caller: Self::Caller,
        input: server::models::ListBaseModelsInput,
    ) -> Result<server::models::ListBaseModelsOutput, http::ApiError> {
        Examples::list_base_models(&self.0, caller, input).await
    }
    async fn list_models(
        &self,
        caller: Self::Caller,
        input: server::models::ListModelsInput,
    ) -> Result<server::models::ListModelsOutput, http::ApiError> {
        Examples::list_models(&self.0, caller, input).await
    }
    async fn create_model(
        &self,
        caller: Self::Caller,
        input: server::models::CreateModelInput,
    ) -> Result<server::models::CreateModelOutput, http::ApiError> {
        Examples::create_model(&self.0, caller, input).await
    }
    async fn delete_model(
        &self,
        caller: Self::Caller,
        input: server::models::DeleteModelInput,
    ) -> Result<server::models::DeleteModelOutput, http::ApiError> {
        Examples::delete_model(&self.0, caller, input).await
    }
    async fn get_model(
        &self,
        caller: Self::Caller,
        input: server::models::GetModelInput,
    ) -> Result<server::models::GetModelOutput, http::ApiError> {
        Examples::get_model(&self.0, caller, input).await
    }
    async fn list_trajectory_logs(
        &self,
        caller: Self::Caller,
        input: server::models::ListTrajectoryLogsInput,
    ) -> Result<server::models::ListTrajectoryLogsOutput, http::ApiError> {
        Examples::list_trajectory_logs(&self.0, caller, input).await
    }
    async fn log_trajectories(
        &self,
        caller: Self::Caller,
        input: server::models::LogTrajectoriesInput,
    ) -> Result<server::models::LogTrajectoriesOutput, http::ApiError> {
        Examples::log_trajectories(&self.0, caller, input).await
    }
    async fn list_trajectory_log_groups(
        &self,
        caller: Self::Caller,
        input: server::models::ListTrajectoryLogGroupsInput,
    ) -> Result<server::models::ListTrajectoryLogGroupsOutput, http::ApiError> {
        Examples::list_trajectory_log_groups(&self.0, caller, input).await
    }
    async fn list_trajectory_log_trajectories(
        &self,
        caller: Self::Caller,
        input: server::models::ListTrajectoryLogTrajectoriesInput,
    ) -> Result<server::models::ListTrajectoryLogTrajectoriesOutput, http::ApiError> {
        Examples::list_trajectory_log_trajectories(&self.0, caller, input).await
    }
    async fn get_model_metrics(
        &self,
        caller: Self::Caller,
        input: server::models::GetModelMetricsInput,
    ) -> Result<server::models::GetModelMetricsOutput, http::ApiError> {
        Examples::get_model_metrics(&self.0, caller, input).await
    }
}
impl<T: Examples> server::service::Service for WithExamples<T> {
    async fn health(
        &self,
        input: server::service::HealthInput,
    ) -> Result<server::service::HealthOutput, http::ApiError> {
        Examples::health(&self.0, input).await
    }
    async fn get_metrics(
        &self,
        input: server::service::GetMetricsInput,
    ) -> Result<server::service::GetMetricsOutput, http::ApiError> {
        Examples::get_metrics(&self.0, input).await
    }
    async fn check_key(
        &self,
        caller: Self::Caller,
        input: server::service::CheckKeyInput,
    ) -> Result<server::service::CheckKeyOutput, http::ApiError> {
        Examples::check_key(&self.0, caller, input).await
    }
    async fn get_key(
        &self,
        caller: Self::Caller,
        input: server::service::GetKeyInput,
    ) -> Result<server::service::GetKeyOutput, http::ApiError> {
        Examples::get_key(&self.0, caller, input).await
    }
    async fn get_server(
        &self,
        caller: Self::Caller,
        input: server::service::GetServerInput,
    ) -> Result<server::service::GetServerOutput, http::ApiError> {
        Examples::get_server(&self.0, caller, input).await
    }
    async fn get_usage(
        &self,
        caller: Self::Caller,
        input: server::service::GetUsageInput,
    ) -> Result<server::service::GetUsageOutput, http::ApiError> {
        Examples::get_usage(&self.0, caller, input).await
    }
    async fn check_system(
        &self,
        caller: Self::Caller,
        input: server::service::CheckSystemInput,
    ) -> Result<server::service::CheckSystemOutput, http::ApiError> {
        Examples::check_system(&self.0, caller, input).await
    }
}
impl<T: Examples> server::sessions::Sessions for WithExamples<T> {
    async fn list_sessions(
        &self,
        caller: Self::Caller,
        input: server::sessions::ListSessionsInput,
    ) -> Result<server::sessions::ListSessionsOutput, http::ApiError> {
        Examples::list_sessions(&self.0, caller, input).await
    }
    async fn create_session(
        &self,
        caller: Self::Caller,
        input: server::sessions::CreateSessionInput,
    ) -> Result<server::sessions::CreateSessionOutput, http::ApiError> {
        Examples::create_session(&self.0, caller, input).await
    }
    async fn delete_session(
        &self,
        caller: Self::Caller,
        input: server::sessions::DeleteSessionInput,
    ) -> Result<server::sessions::DeleteSessionOutput, http::ApiError> {
        Examples::delete_session(&self.0, caller, input).await
    }
    async fn get_session(
        &self,
        caller: Self::Caller,
        input: server::sessions::GetSessionInput,
    ) -> Result<server::sessions::GetSessionOutput, http::ApiError> {
        Examples::get_session(&self.0, caller, input).await
    }
    async fn reward_session(
        &self,
        caller: Self::Caller,
        input: server::sessions::RewardSessionInput,
    ) -> Result<server::sessions::RewardSessionOutput, http::ApiError> {
        Examples::reward_session(&self.0, caller, input).await
    }
}
impl<T: Examples> server::training_jobs::TrainingJobs for WithExamples<T> {
    async fn create_sft_training_job(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::CreateSftTrainingJobInput,
    ) -> Result<server::training_jobs::CreateSftTrainingJobOutput, http::ApiError> {
        Examples::create_sft_training_job(&self.0, caller, input).await
    }
    async fn list_training_jobs(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::ListTrainingJobsInput,
    ) -> Result<server::training_jobs::ListTrainingJobsOutput, http::ApiError> {
        Examples::list_training_jobs(&self.0, caller, input).await
    }
    async fn create_training_job(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::CreateTrainingJobInput,
    ) -> Result<server::training_jobs::CreateTrainingJobOutput, http::ApiError> {
        Examples::create_training_job(&self.0, caller, input).await
    }
    async fn get_training_job(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::GetTrainingJobInput,
    ) -> Result<server::training_jobs::GetTrainingJobOutput, http::ApiError> {
        Examples::get_training_job(&self.0, caller, input).await
    }
    async fn update_training_job(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::UpdateTrainingJobInput,
    ) -> Result<server::training_jobs::UpdateTrainingJobOutput, http::ApiError> {
        Examples::update_training_job(&self.0, caller, input).await
    }
    async fn cancel_training_job(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::CancelTrainingJobInput,
    ) -> Result<server::training_jobs::CancelTrainingJobOutput, http::ApiError> {
        Examples::cancel_training_job(&self.0, caller, input).await
    }
    async fn list_training_job_drops(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::ListTrainingJobDropsInput,
    ) -> Result<server::training_jobs::ListTrainingJobDropsOutput, http::ApiError> {
        Examples::list_training_job_drops(&self.0, caller, input).await
    }
    async fn list_training_job_events(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::ListTrainingJobEventsInput,
    ) -> Result<server::training_jobs::ListTrainingJobEventsOutput, http::ApiError> {
        Examples::list_training_job_events(&self.0, caller, input).await
    }
    async fn list_training_job_groups(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::ListTrainingJobGroupsInput,
    ) -> Result<server::training_jobs::ListTrainingJobGroupsOutput, http::ApiError> {
        Examples::list_training_job_groups(&self.0, caller, input).await
    }
    async fn list_training_job_trajectories(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::ListTrainingJobTrajectoriesInput,
    ) -> Result<
        server::training_jobs::ListTrainingJobTrajectoriesOutput,
        http::ApiError,
    > {
        Examples::list_training_job_trajectories(&self.0, caller, input).await
    }
    async fn get_training_job_metrics(
        &self,
        caller: Self::Caller,
        input: server::training_jobs::GetTrainingJobMetricsInput,
    ) -> Result<server::training_jobs::GetTrainingJobMetricsOutput, http::ApiError> {
        Examples::get_training_job_metrics(&self.0, caller, input).await
    }
}
impl<T: Examples> server::wandb::Wandb for WithExamples<T> {
    async fn log_wandb_run(
        &self,
        caller: Self::Caller,
        input: server::wandb::LogWandbRunInput,
    ) -> Result<server::wandb::LogWandbRunOutput, http::ApiError> {
        Examples::log_wandb_run(&self.0, caller, input).await
    }
    async fn query_wandb(
        &self,
        caller: Self::Caller,
        input: server::wandb::QueryWandbInput,
    ) -> Result<server::wandb::QueryWandbOutput, http::ApiError> {
        Examples::query_wandb(&self.0, caller, input).await
    }
    async fn put_wandb_file(
        &self,
        caller: Self::Caller,
        input: server::wandb::PutWandbFileInput,
    ) -> Result<server::wandb::PutWandbFileOutput, http::ApiError> {
        Examples::put_wandb_file(&self.0, caller, input).await
    }
    async fn get_wandb_manifest(
        &self,
        caller: Self::Caller,
        input: server::wandb::GetWandbManifestInput,
    ) -> Result<server::wandb::GetWandbManifestOutput, http::ApiError> {
        Examples::get_wandb_manifest(&self.0, caller, input).await
    }
}
