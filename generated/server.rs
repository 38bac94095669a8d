// Generated from spec/openapi.yaml by trainyard. Do not edit.

#![allow(clippy::all, missing_docs, deprecated, nonstandard_style, unused, rustdoc::all)]
/// Every operation of the document, aliases included.
pub const OPERATIONS: &[crate::http::Operation] = &[
    crate::http::Operation {
        id: "create_inference_chat_completion",
        method: "POST",
        path: "/chat/completions",
        tag: "Chat",
        base: Some("inference"),
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: Some("create_chat_completion"),
        extension: true,
    },
    crate::http::Operation {
        id: "create_inference_completion",
        method: "POST",
        path: "/completions",
        tag: "Chat",
        base: Some("inference"),
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: Some("create_completion"),
        extension: true,
    },
    crate::http::Operation {
        id: "stream_wandb_run",
        method: "POST",
        path: "/files/{entity}/{project}/{run}/file_stream",
        tag: "Wandb",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
            &[
                crate::http::Requirement {
                    scheme: "basic",
                    carrier: crate::http::Carrier::Basic,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "query_wandb",
        method: "POST",
        path: "/graphql",
        tag: "Wandb",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
            &[
                crate::http::Requirement {
                    scheme: "basic",
                    carrier: crate::http::Carrier::Basic,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "400", "401", "408", "413", "415", "422", "503", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "read_root_health_get",
        method: "GET",
        path: "/health",
        tag: "Service",
        base: None,
        secured: false,
        security: &[],
        statuses: &["200", "503"],
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "get_metrics",
        method: "GET",
        path: "/metrics",
        tag: "Service",
        base: None,
        secured: false,
        security: &[],
        statuses: &["200"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "list_inference_models",
        method: "GET",
        path: "/models",
        tag: "Inference",
        base: Some("inference"),
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "get_inference_model",
        method: "GET",
        path: "/models/{model}",
        tag: "Inference",
        base: Some("inference"),
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "default"],
        deprecated: false,
        alias_of: Some("get_served_model"),
        extension: true,
    },
    crate::http::Operation {
        id: "create_inference_response",
        method: "POST",
        path: "/responses",
        tag: "Chat",
        base: Some("inference"),
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: Some("create_response"),
        extension: true,
    },
    crate::http::Operation {
        id: "create_chat_completion",
        method: "POST",
        path: "/v1/chat/completions",
        tag: "Chat",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "create_chat_completion_trailing_slash",
        method: "POST",
        path: "/v1/chat/completions/",
        tag: "Chat",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: Some("create_chat_completion"),
        extension: false,
    },
    crate::http::Operation {
        id: "create_completion",
        method: "POST",
        path: "/v1/completions",
        tag: "Chat",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "list_files",
        method: "GET",
        path: "/v1/files",
        tag: "Files",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "create_file",
        method: "POST",
        path: "/v1/files",
        tag: "Files",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "400", "401", "408", "413", "415", "422", "503", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "delete_file",
        method: "DELETE",
        path: "/v1/files/{file_id}",
        tag: "Files",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "get_file",
        method: "GET",
        path: "/v1/files/{file_id}",
        tag: "Files",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "get_file_content",
        method: "GET",
        path: "/v1/files/{file_id}/content",
        tag: "Files",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
            &[
                crate::http::Requirement {
                    scheme: "downloadToken",
                    carrier: crate::http::Carrier::Query("token"),
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "206", "304", "401", "404", "416", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "list_fine_tuning_jobs",
        method: "GET",
        path: "/v1/fine_tuning/jobs",
        tag: "FineTuning",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "create_fine_tuning_job",
        method: "POST",
        path: "/v1/fine_tuning/jobs",
        tag: "FineTuning",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "get_fine_tuning_job",
        method: "GET",
        path: "/v1/fine_tuning/jobs/{fine_tuning_job_id}",
        tag: "FineTuning",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "cancel_fine_tuning_job",
        method: "POST",
        path: "/v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel",
        tag: "FineTuning",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "409", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "list_fine_tuning_job_checkpoints",
        method: "GET",
        path: "/v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints",
        tag: "FineTuning",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "list_fine_tuning_job_events",
        method: "GET",
        path: "/v1/fine_tuning/jobs/{fine_tuning_job_id}/events",
        tag: "FineTuning",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "get_health",
        method: "GET",
        path: "/v1/health",
        tag: "Service",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "default"],
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "list_served_models",
        method: "GET",
        path: "/v1/models",
        tag: "Inference",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "get_served_model",
        method: "GET",
        path: "/v1/models/{model}",
        tag: "Inference",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "list_base_models",
        method: "GET",
        path: "/v1/preview/base-models",
        tag: "Models",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "list_models",
        method: "GET",
        path: "/v1/preview/models",
        tag: "Models",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "create_model",
        method: "POST",
        path: "/v1/preview/models",
        tag: "Models",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "delete_model",
        method: "DELETE",
        path: "/v1/preview/models/{model_id}",
        tag: "Models",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "default"],
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "get_model",
        method: "GET",
        path: "/v1/preview/models/{model_id}",
        tag: "Models",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "add_checkpoint",
        method: "POST",
        path: "/v1/preview/models/{model_id}/add-checkpoint",
        tag: "Checkpoints",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "delete_checkpoints",
        method: "DELETE",
        path: "/v1/preview/models/{model_id}/checkpoints",
        tag: "Checkpoints",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "list_checkpoints",
        method: "GET",
        path: "/v1/preview/models/{model_id}/checkpoints",
        tag: "Checkpoints",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "get_checkpoint",
        method: "GET",
        path: "/v1/preview/models/{model_id}/checkpoints/{step}",
        tag: "Checkpoints",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "get_checkpoint_archive",
        method: "GET",
        path: "/v1/preview/models/{model_id}/checkpoints/{step}/archive",
        tag: "Checkpoints",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "get_checkpoint_file",
        method: "GET",
        path: "/v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}",
        tag: "Checkpoints",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
            &[
                crate::http::Requirement {
                    scheme: "downloadToken",
                    carrier: crate::http::Carrier::Query("token"),
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "206", "304", "401", "404", "416", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "get_checkpoint_manifest",
        method: "GET",
        path: "/v1/preview/models/{model_id}/checkpoints/{step}/manifest",
        tag: "Checkpoints",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "log_trajectories",
        method: "POST",
        path: "/v1/preview/models/{model_id}/log",
        tag: "Models",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "create_sft_training_job",
        method: "POST",
        path: "/v1/preview/sft-training-jobs",
        tag: "TrainingJobs",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "list_training_jobs",
        method: "GET",
        path: "/v1/preview/training-jobs",
        tag: "TrainingJobs",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "create_training_job",
        method: "POST",
        path: "/v1/preview/training-jobs",
        tag: "TrainingJobs",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "get_training_job",
        method: "GET",
        path: "/v1/preview/training-jobs/{training_job_id}",
        tag: "TrainingJobs",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "default"],
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "cancel_training_job",
        method: "POST",
        path: "/v1/preview/training-jobs/{training_job_id}/cancel",
        tag: "TrainingJobs",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "409", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "list_training_job_events",
        method: "GET",
        path: "/v1/preview/training-jobs/{training_job_id}/events",
        tag: "TrainingJobs",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "406", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "get_usage",
        method: "GET",
        path: "/v1/preview/usage",
        tag: "Service",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "create_response",
        method: "POST",
        path: "/v1/responses",
        tag: "Chat",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &[
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
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "get_system_check",
        method: "GET",
        path: "/v1/system-check",
        tag: "Service",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "503", "default"],
        deprecated: false,
        alias_of: None,
        extension: false,
    },
    crate::http::Operation {
        id: "put_wandb_file",
        method: "PUT",
        path: "/wandb/files/{project}/{artifact}/{file_name}",
        tag: "Wandb",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
            &[
                crate::http::Requirement {
                    scheme: "uploadToken",
                    carrier: crate::http::Carrier::Query("upload_token"),
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "408", "413", "503", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
    crate::http::Operation {
        id: "get_wandb_manifest",
        method: "GET",
        path: "/wandb/manifests/{model_id}/{step}",
        tag: "Wandb",
        base: None,
        secured: true,
        security: &[
            &[
                crate::http::Requirement {
                    scheme: "bearer",
                    carrier: crate::http::Carrier::Bearer,
                    scopes: &[],
                },
            ],
            &[
                crate::http::Requirement {
                    scheme: "downloadToken",
                    carrier: crate::http::Carrier::Query("token"),
                    scopes: &[],
                },
            ],
        ],
        statuses: &["200", "401", "404", "422", "default"],
        deprecated: false,
        alias_of: None,
        extension: true,
    },
];
/// The routes of every tag at the document's own base address.
pub fn router<
    A: chat::Chat + checkpoints::Checkpoints + files::Files + fine_tuning::FineTuning
        + inference::Inference + models::Models + service::Service
        + training_jobs::TrainingJobs + wandb::Wandb,
>(api: ::std::sync::Arc<A>) -> crate::http::Router {
    crate::http::Router::new()
        .merge(chat::chat_routes(api.clone()))
        .merge(checkpoints::checkpoints_routes(api.clone()))
        .merge(files::files_routes(api.clone()))
        .merge(fine_tuning::fine_tuning_routes(api.clone()))
        .merge(inference::inference_routes(api.clone()))
        .merge(models::models_routes(api.clone()))
        .merge(service::service_routes(api.clone()))
        .merge(training_jobs::training_jobs_routes(api.clone()))
        .merge(wandb::wandb_routes(api.clone()))
}
/// The routes of every tag at the inference base address.
pub fn inference_router<A: chat::Chat + inference::Inference>(
    api: ::std::sync::Arc<A>,
) -> crate::http::Router {
    crate::http::Router::new()
        .merge(chat::chat_inference_routes(api.clone()))
        .merge(inference::inference_inference_routes(api.clone()))
}
/// Sampling, compatible with OpenAI's chat completions: any client library for that format works with the base
/// address `{base_url}/v1`.
///
/// A name in `model` chooses the weights: `organization/model` is a base model,
/// `wandb-artifact:///entity/project/name` the newest step of a trained one, and the same with `:stepN` that step;
/// `:step0` is the untrained model. The prefix `wandb-artifact:///` may be left out.
///
/// Unlike at OpenAI, each choice always carries `logprobs`, and their `token` is `token_id:N`, the number of the
/// token in the vocabulary. Send choices back unchanged to train on exactly what was sampled.
pub mod chat {
    use super::super::types;
    /// Sampling, compatible with OpenAI's chat completions: any client library for that format works with the base
    /// address `{base_url}/v1`.
    ///
    /// A name in `model` chooses the weights: `organization/model` is a base model,
    /// `wandb-artifact:///entity/project/name` the newest step of a trained one, and the same with `:stepN` that step;
    /// `:step0` is the untrained model. The prefix `wandb-artifact:///` may be left out.
    ///
    /// Unlike at OpenAI, each choice always carries `logprobs`, and their `token` is `token_id:N`, the number of the
    /// token in the vocabulary. Send choices back unchanged to train on exactly what was sampled.
    pub trait Chat: crate::http::Authenticate {
        /// Create chat completion
        ///
        /// Samples one or more answers to a conversation. Answers with one JSON document, or with server-sent events when `stream` is true. Errors that occur before the first token have a status; later ones are an event of the stream.
        ///
        /// `POST /v1/chat/completions`
        fn create_chat_completion(
            &self,
            caller: Self::Caller,
            input: CreateChatCompletionInput,
        ) -> impl Future<
            Output = Result<CreateChatCompletionOutput, crate::http::Failure>,
        > + Send;
        /// Create completion
        ///
        /// Goes on with texts or tokens as they are, without a chat template: OpenAI's older interface, which evaluation harnesses use to score texts. With `echo`, `logprobs` and `max_tokens` 0 it answers the log-probabilities of a prompt's own tokens.
        ///
        /// `POST /v1/completions`
        fn create_completion(
            &self,
            caller: Self::Caller,
            input: CreateCompletionInput,
        ) -> impl Future<
            Output = Result<CreateCompletionOutput, crate::http::Failure>,
        > + Send;
        /// Create response
        ///
        /// Samples one answer, in the form of OpenAI's Responses API, for text and function tools. It is the same sampling as chat
        /// completions, and the same conversation has the same prompt: `instructions` is a system message, and `reasoning`,
        /// `message` and `function_call` items that follow one another are one message of the model.
        ///
        /// Nothing is stored: send the whole conversation as `input` each time. With `stream` true the answer is server-sent
        /// events, named after their `type`, without a `[DONE]`: `response.completed`, `response.incomplete` or
        /// `response.failed` ends them. After 15 s of silence `response.in_progress` comes again.
        ///
        /// `POST /v1/responses`
        fn create_response(
            &self,
            caller: Self::Caller,
            input: CreateResponseInput,
        ) -> impl Future<
            Output = Result<CreateResponseOutput, crate::http::Failure>,
        > + Send;
    }
    /// `POST /v1/chat/completions`
    #[derive(Clone, Debug)]
    pub struct CreateChatCompletionInput {
        /// What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
        pub vendor_project: Option<::std::string::String>,
        /// The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
        pub open_ai_project: Option<::std::string::String>,
        /// What the caller would like to get.
        pub accept: crate::http::Accept,
        /// The conversation and how to answer it.
        pub body: types::ChatCompletionRequest,
    }
    /// `POST /v1/completions`
    #[derive(Clone, Debug)]
    pub struct CreateCompletionInput {
        /// What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
        pub vendor_project: Option<::std::string::String>,
        /// The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
        pub open_ai_project: Option<::std::string::String>,
        /// What the caller would like to get.
        pub accept: crate::http::Accept,
        /// What to go on with, and how.
        pub body: types::CompletionRequest,
    }
    /// `POST /v1/responses`
    #[derive(Clone, Debug)]
    pub struct CreateResponseInput {
        /// What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
        pub vendor_project: Option<::std::string::String>,
        /// The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
        pub open_ai_project: Option<::std::string::String>,
        /// What the caller would like to get.
        pub accept: crate::http::Accept,
        /// The conversation and how to answer it.
        pub body: types::ResponseRequest,
    }
    /// `POST /v1/chat/completions`
    #[derive(Debug)]
    pub enum CreateChatCompletionOutput {
        /// The completion, whole or as a stream of chunks that a `[DONE]` event ends.
        Ok(types::ChatCompletion),
        /// The completion, whole or as a stream of chunks that a `[DONE]` event ends.
        OkEventStream(crate::http::EventStream<types::ChatCompletionChunk>),
    }
    impl From<crate::http::EventStream<types::ChatCompletionChunk>>
    for CreateChatCompletionOutput {
        fn from(body: crate::http::EventStream<types::ChatCompletionChunk>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::ChatCompletion> for CreateChatCompletionOutput {
        fn from(body: types::ChatCompletion) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for CreateChatCompletionOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
                Self::OkEventStream(body) => {
                    body.answer(crate::http::answer::Status::Fixed(200))
                }
            }
        }
    }
    /// `POST /v1/completions`
    #[derive(Debug)]
    pub enum CreateCompletionOutput {
        /// The completions, whole or as a stream of chunks that a `[DONE]` event ends.
        Ok(types::Completion),
        /// The completions, whole or as a stream of chunks that a `[DONE]` event ends.
        OkEventStream(crate::http::EventStream<types::Completion>),
    }
    impl From<crate::http::EventStream<types::Completion>> for CreateCompletionOutput {
        fn from(body: crate::http::EventStream<types::Completion>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::Completion> for CreateCompletionOutput {
        fn from(body: types::Completion) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for CreateCompletionOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
                Self::OkEventStream(body) => {
                    body.answer(crate::http::answer::Status::Fixed(200))
                }
            }
        }
    }
    /// `POST /v1/responses`
    #[derive(Debug)]
    pub enum CreateResponseOutput {
        /// The response, whole or as a stream of events.
        Ok(types::ResponseObject),
        /// The response, whole or as a stream of events.
        OkEventStream(crate::http::EventStream<types::ResponseEvent>),
    }
    impl From<crate::http::EventStream<types::ResponseEvent>> for CreateResponseOutput {
        fn from(body: crate::http::EventStream<types::ResponseEvent>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::ResponseObject> for CreateResponseOutput {
        fn from(body: types::ResponseObject) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for CreateResponseOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
                Self::OkEventStream(body) => {
                    body.answer(crate::http::answer::Status::Fixed(200))
                }
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn chat_routes<A: Chat>(api: ::std::sync::Arc<A>) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/v1/chat/completions",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::create_chat_completion::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/v1/chat/completions/",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::create_chat_completion::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/v1/completions",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::create_completion::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/v1/responses",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::create_response::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .with_state(api)
    }
    /// The routes of this tag at the inference base address.
    pub fn chat_inference_routes<A: Chat>(
        api: ::std::sync::Arc<A>,
    ) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/chat/completions",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::create_chat_completion::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/completions",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::create_completion::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/responses",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::create_response::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .with_state(api)
    }
    pub(super) mod handle {
        use super::super::super::types;
        pub async fn create_chat_completion<A: super::Chat>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "create_chat_completion",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Vendor-Project",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Vendor-Project",
                                    ),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "OpenAI-Project",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "OpenAI-Project",
                                    ),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let accept = crate::http::Accept::of(
                            &parts.headers,
                            &["application/json", "text/event-stream"],
                        )?;
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            let value: types::ChatCompletionRequest = crate::http::decode::json_body(
                                    &parts.headers,
                                    body,
                                    67108864,
                                    true,
                                )
                                .await?;
                            {
                                let checked = &value;
                                crate::validation::Validate::validate(
                                    checked,
                                    &crate::http::validation::Location::BODY,
                                    faults,
                                );
                            }
                            value
                        };
                        collected.into_result()?;
                        <A as super::Chat>::create_chat_completion(
                                &api,
                                caller,
                                super::CreateChatCompletionInput {
                                    vendor_project: parameter_0,
                                    open_ai_project: parameter_1,
                                    accept,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn create_completion<A: super::Chat>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "create_completion",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Vendor-Project",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Vendor-Project",
                                    ),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "OpenAI-Project",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "OpenAI-Project",
                                    ),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let accept = crate::http::Accept::of(
                            &parts.headers,
                            &["application/json", "text/event-stream"],
                        )?;
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            let value: types::CompletionRequest = crate::http::decode::json_body(
                                    &parts.headers,
                                    body,
                                    67108864,
                                    true,
                                )
                                .await?;
                            {
                                let checked = &value;
                                crate::validation::Validate::validate(
                                    checked,
                                    &crate::http::validation::Location::BODY,
                                    faults,
                                );
                            }
                            value
                        };
                        collected.into_result()?;
                        <A as super::Chat>::create_completion(
                                &api,
                                caller,
                                super::CreateCompletionInput {
                                    vendor_project: parameter_0,
                                    open_ai_project: parameter_1,
                                    accept,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn create_response<A: super::Chat>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "create_response",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Vendor-Project",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Vendor-Project",
                                    ),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "OpenAI-Project",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "OpenAI-Project",
                                    ),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let accept = crate::http::Accept::of(
                            &parts.headers,
                            &["application/json", "text/event-stream"],
                        )?;
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            let value: types::ResponseRequest = crate::http::decode::json_body(
                                    &parts.headers,
                                    body,
                                    67108864,
                                    true,
                                )
                                .await?;
                            {
                                let checked = &value;
                                crate::validation::Validate::validate(
                                    checked,
                                    &crate::http::validation::Location::BODY,
                                    faults,
                                );
                            }
                            value
                        };
                        collected.into_result()?;
                        <A as super::Chat>::create_response(
                                &api,
                                caller,
                                super::CreateResponseInput {
                                    vendor_project: parameter_0,
                                    open_ai_project: parameter_1,
                                    accept,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// Saved steps of a model. Each job that ends well adds one, numbered one higher than the highest there ever was.
/// A checkpoint can be sampled as soon as it is listed, under the model's name with `:stepN`.
pub mod checkpoints {
    use super::super::types;
    /// Saved steps of a model. Each job that ends well adds one, numbered one higher than the highest there ever was.
    /// A checkpoint can be sampled as soon as it is listed, under the model's name with `:stepN`.
    pub trait Checkpoints: crate::http::Authenticate {
        /// Add model checkpoint
        ///
        /// Makes the model's next step without training: a copy of another step, or an adapter that was made elsewhere. It can
        /// be sampled at once, and the next job goes on from it.
        ///
        /// A **copy** of a step, of this model or another one of yours, forks: register a model with the same `base_model`,
        /// `training_method` and `lora` and copy the step into it. The state of the optimizer comes along where it is kept,
        /// which is at the newest step of a model.
        ///
        /// An **import** takes the two files of a PEFT adapter: `adapter_config.json` as it is, and
        /// `adapter_model.safetensors` as a file that was uploaded with `POST /v1/files`. The adapter must fit the model: the
        /// names and shapes of its tensors the base model, its rank, alpha and targets what the model was registered with.
        /// Every number must be finite.
        ///
        /// `POST /v1/preview/models/{model_id}/add-checkpoint`
        fn add_checkpoint(
            &self,
            caller: Self::Caller,
            input: AddCheckpointInput,
        ) -> impl Future<
            Output = Result<AddCheckpointOutput, crate::http::Failure>,
        > + Send;
        /// Delete model checkpoints
        ///
        /// Deletes steps of a model. Steps that are not there are reported, not refused, so that the request may be repeated. The newest step is what the model's plain name samples, so it is refused (409) and nothing is deleted, unless `allow_latest` is true. After that the newest step that is left is what the plain name samples, what `latest_step` of the model says, and what the next job goes on from; when none is left, it is the base model, and `latest_step` is null. Numbers are not used again: after the deletion of step 2 the next one is 3. The manifest of a step stays. The data that a step was trained on goes when neither that step nor a later one is left.
        ///
        /// `DELETE /v1/preview/models/{model_id}/checkpoints`
        fn delete_checkpoints(
            &self,
            caller: Self::Caller,
            input: DeleteCheckpointsInput,
        ) -> impl Future<
            Output = Result<DeleteCheckpointsOutput, crate::http::Failure>,
        > + Send;
        /// List model checkpoints
        ///
        /// Lists the checkpoints of a model by step. `limit=1&order=desc` asks for the newest: its `step` is the number of the model's last finished job.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints`
        fn list_checkpoints(
            &self,
            caller: Self::Caller,
            input: ListCheckpointsInput,
        ) -> impl Future<
            Output = Result<ListCheckpointsOutput, crate::http::Failure>,
        > + Send;
        /// Get model checkpoint
        ///
        /// Answers one step of a model and the files that it consists of.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints/{step}`
        fn get_checkpoint(
            &self,
            caller: Self::Caller,
            input: GetCheckpointInput,
        ) -> impl Future<
            Output = Result<GetCheckpointOutput, crate::http::Failure>,
        > + Send;
        /// Download a checkpoint
        ///
        /// Answers every file of the checkpoint in one tar archive, in a directory `checkpoint-STEP`. Step 0 is the base model itself and has none, so 404.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/archive`
        fn get_checkpoint_archive(
            &self,
            caller: Self::Caller,
            input: GetCheckpointArchiveInput,
        ) -> impl Future<
            Output = Result<GetCheckpointArchiveOutput, crate::http::Failure>,
        > + Send;
        /// Download a file of a checkpoint
        ///
        /// Answers the bytes of one file, whole or a range of them, so that a download that broke off can go on. `ETag` is the SHA-256 of the file. The two files of an adapter in one directory are what PEFT loads.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`
        fn get_checkpoint_file(
            &self,
            caller: Self::Caller,
            input: GetCheckpointFileInput,
        ) -> impl Future<
            Output = Result<GetCheckpointFileOutput, crate::http::Failure>,
        > + Send;
        /// Get checkpoint manifest
        ///
        /// Answers how a step came to be: the step it was made from, the options and the hash of the data it was trained with, the hash of the base model, the program that computed it, and the hashes of its own files. It was written with the checkpoint and never changes. Each manifest has the hash of the one before, so the hash of the newest stands for the whole history of the model. It is there also when the checkpoint was deleted; of checkpoints that were made before the service wrote manifests, and of steps that never were, there is none.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/manifest`
        fn get_checkpoint_manifest(
            &self,
            caller: Self::Caller,
            input: GetCheckpointManifestInput,
        ) -> impl Future<
            Output = Result<GetCheckpointManifestOutput, crate::http::Failure>,
        > + Send;
    }
    /// `POST /v1/preview/models/{model_id}/add-checkpoint`
    #[derive(Clone, Debug)]
    pub struct AddCheckpointInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
        /// A name for this request, such as a UUID, so that it can be sent again when its answer was lost: within a day the same request under the same key creates nothing new, and answers with what the first one created, as it is then. Another request under a key that was used is 422; a request that was refused does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// What the checkpoint is made from.
        pub body: types::AddCheckpoint,
    }
    /// `DELETE /v1/preview/models/{model_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct DeleteCheckpointsInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
        /// The steps to delete.
        pub body: types::DeleteCheckpointsRequest,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct ListCheckpointsInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
        /// Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. An id that is not in the listing, also because it was deleted, is refused with 422.
        pub after: Option<::std::string::String>,
        /// Items on a page at most.
        pub limit: u32,
        /// Direction of the listing; `desc` begins with the newest item.
        pub order: types::SortOrder,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
        /// Number of a step of the model.
        pub step: u64,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/archive`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointArchiveInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
        /// Number of a step of the model.
        pub step: u64,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFileInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
        /// Number of a step of the model.
        pub step: u64,
        /// The `name` of one of the checkpoint's files. Another name is a file that does not exist, so 404.
        pub file_name: ::std::string::String,
        /// Which bytes to send, as in `bytes=1048576-` for all from the second mebibyte on (RFC 9110, section 14). More than one range, or another unit, is answered with the whole.
        pub range: Option<::std::string::String>,
        /// The `ETag` of what is there already; where the content has another one, all of it is sent.
        pub if_range: Option<::std::string::String>,
        /// The `ETag`s of what is there already; where the content has one of them, the answer is 304.
        pub if_none_match: Option<::std::string::String>,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/manifest`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointManifestInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
        /// Number of a step of the model.
        pub step: u64,
    }
    /// The headers of an answer.
    #[derive(Clone, Debug, Default)]
    pub struct AddCheckpointOkHeaders {
        /// `true` where an earlier request under the same `Idempotency-Key` had created what this answer shows; otherwise it is missing.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/models/{model_id}/add-checkpoint`
    #[derive(Debug)]
    pub enum AddCheckpointOutput {
        /// The new checkpoint.
        Ok { headers: AddCheckpointOkHeaders, body: types::Checkpoint },
    }
    impl crate::http::IntoResponse for AddCheckpointOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok { headers, body } => {
                    crate::http::answer::with_headers(
                        crate::http::answer::json(
                            crate::http::answer::Status::Fixed(200),
                            "application/json",
                            &body,
                        ),
                        [
                            (
                                "Idempotency-Replayed",
                                crate::http::answer::header(
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
        /// What was deleted and what was not there.
        Ok(types::DeleteCheckpointsResponse),
    }
    impl From<types::DeleteCheckpointsResponse> for DeleteCheckpointsOutput {
        fn from(body: types::DeleteCheckpointsResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for DeleteCheckpointsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints`
    #[derive(Debug)]
    pub enum ListCheckpointsOutput {
        /// One page, ordered by step.
        Ok(types::CheckpointPage),
    }
    impl From<types::CheckpointPage> for ListCheckpointsOutput {
        fn from(body: types::CheckpointPage) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for ListCheckpointsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
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
    impl crate::http::IntoResponse for GetCheckpointOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/archive`
    #[derive(Debug)]
    pub enum GetCheckpointArchiveOutput {
        /// The archive.
        Ok(crate::http::Download),
    }
    impl From<crate::http::Download> for GetCheckpointArchiveOutput {
        fn from(body: crate::http::Download) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for GetCheckpointArchiveOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    body.answer(
                        crate::http::answer::Status::Fixed(200),
                        "application/x-tar",
                    )
                }
            }
        }
    }
    /// The headers of an answer.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFileOkHeaders {
        /// That ranges of bytes can be asked for.
        pub accept_ranges: ::std::string::String,
        /// The SHA-256 of the whole content in hexadecimal digits, between quotes.
        pub e_tag: ::std::string::String,
    }
    /// The headers of an answer.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFilePartialContentHeaders {
        /// That ranges of bytes can be asked for.
        pub accept_ranges: ::std::string::String,
        /// Which bytes these are, of how many; of a 416, of how many alone.
        pub content_range: ::std::string::String,
        /// The SHA-256 of the whole content in hexadecimal digits, between quotes.
        pub e_tag: ::std::string::String,
    }
    /// The headers of an answer.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFileNotModifiedHeaders {
        /// The SHA-256 of the whole content in hexadecimal digits, between quotes.
        pub e_tag: ::std::string::String,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`
    #[derive(Debug)]
    pub enum GetCheckpointFileOutput {
        /// The whole content.
        Ok { headers: GetCheckpointFileOkHeaders, body: crate::http::Download },
        /// The range that was asked for.
        PartialContent {
            headers: GetCheckpointFilePartialContentHeaders,
            body: crate::http::Download,
        },
        /// The content has an `ETag` that `If-None-Match` names; it is not sent again.
        NotModified { headers: GetCheckpointFileNotModifiedHeaders },
    }
    impl crate::http::IntoResponse for GetCheckpointFileOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok { headers, body } => {
                    crate::http::answer::with_headers(
                        body
                            .answer(
                                crate::http::answer::Status::Fixed(200),
                                "application/octet-stream",
                            ),
                        [
                            (
                                "Accept-Ranges",
                                crate::http::answer::header(
                                    &headers.accept_ranges,
                                    false,
                                    false,
                                ),
                            ),
                            (
                                "ETag",
                                crate::http::answer::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
                Self::PartialContent { headers, body } => {
                    crate::http::answer::with_headers(
                        body
                            .answer(
                                crate::http::answer::Status::Fixed(206),
                                "application/octet-stream",
                            ),
                        [
                            (
                                "Accept-Ranges",
                                crate::http::answer::header(
                                    &headers.accept_ranges,
                                    false,
                                    false,
                                ),
                            ),
                            (
                                "Content-Range",
                                crate::http::answer::header(
                                    &headers.content_range,
                                    false,
                                    false,
                                ),
                            ),
                            (
                                "ETag",
                                crate::http::answer::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
                Self::NotModified { headers } => {
                    crate::http::answer::with_headers(
                        crate::http::answer::empty(
                            crate::http::answer::Status::Fixed(304),
                        ),
                        [
                            (
                                "ETag",
                                crate::http::answer::header(&headers.e_tag, false, false),
                            ),
                        ],
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
    impl crate::http::IntoResponse for GetCheckpointManifestOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn checkpoints_routes<A: Checkpoints>(
        api: ::std::sync::Arc<A>,
    ) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/v1/preview/models/{1}/add-checkpoint",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::add_checkpoint::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(1, &[crate::http::Part::Value("model_id")])],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/v1/preview/models/{1}/checkpoints",
                crate::http::on(
                        crate::http::MethodFilter::DELETE,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::delete_checkpoints::<
                            A,
                        >(
                            api,
                            &crate::http::Template(
                                &[(1, &[crate::http::Part::Value("model_id")])],
                            ),
                            request,
                        ),
                    )
                    .on(
                        crate::http::MethodFilter::GET,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::list_checkpoints::<
                            A,
                        >(
                            api,
                            &crate::http::Template(
                                &[(1, &[crate::http::Part::Value("model_id")])],
                            ),
                            request,
                        ),
                    ),
            )
            .route(
                "/v1/preview/models/{1}/checkpoints/{2}",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_checkpoint::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[
                                (2, &[crate::http::Part::Value("model_id")]),
                                (0, &[crate::http::Part::Value("step")]),
                            ],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/v1/preview/models/{1}/checkpoints/{2}/archive",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_checkpoint_archive::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[
                                (3, &[crate::http::Part::Value("model_id")]),
                                (1, &[crate::http::Part::Value("step")]),
                            ],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/v1/preview/models/{1}/checkpoints/{2}/files/{3}",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_checkpoint_file::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[
                                (4, &[crate::http::Part::Value("model_id")]),
                                (2, &[crate::http::Part::Value("step")]),
                                (0, &[crate::http::Part::Value("file_name")]),
                            ],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/v1/preview/models/{1}/checkpoints/{2}/manifest",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_checkpoint_manifest::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[
                                (3, &[crate::http::Part::Value("model_id")]),
                                (1, &[crate::http::Part::Value("step")]),
                            ],
                        ),
                        request,
                    ),
                ),
            )
            .with_state(api)
    }
    pub(super) mod handle {
        use super::super::super::types;
        pub async fn add_checkpoint<A: super::Checkpoints>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "add_checkpoint",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Idempotency-Key",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            faults
                                .min_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    1,
                                );
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    255,
                                );
                        }
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            let value: types::AddCheckpoint = crate::http::decode::json_body(
                                    &parts.headers,
                                    body,
                                    1048576,
                                    true,
                                )
                                .await?;
                            {
                                let checked = &value;
                                crate::validation::Validate::validate(
                                    checked,
                                    &crate::http::validation::Location::BODY,
                                    faults,
                                );
                            }
                            value
                        };
                        collected.into_result()?;
                        <A as super::Checkpoints>::add_checkpoint(
                                &api,
                                caller,
                                super::AddCheckpointInput {
                                    model_id: parameter_0,
                                    idempotency_key: parameter_1,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn delete_checkpoints<A: super::Checkpoints>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "delete_checkpoints",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            let value: types::DeleteCheckpointsRequest = crate::http::decode::json_body(
                                    &parts.headers,
                                    body,
                                    8388608,
                                    true,
                                )
                                .await?;
                            {
                                let checked = &value;
                                crate::validation::Validate::validate(
                                    checked,
                                    &crate::http::validation::Location::BODY,
                                    faults,
                                );
                            }
                            value
                        };
                        collected.into_result()?;
                        <A as super::Checkpoints>::delete_checkpoints(
                                &api,
                                caller,
                                super::DeleteCheckpointsInput {
                                    model_id: parameter_0,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn list_checkpoints<A: super::Checkpoints>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_checkpoints",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["after", "limit", "order"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "after",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["limit", "order"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("after"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        }
                        let parameter_2: _ = match crate::http::decode::parameter::<
                            u32,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "limit",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Integer,
                                        "an integer from 1 to 100",
                                    ),
                                    allow_empty: false,
                                    others: &["after", "order"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => 20,
                        };
                        {
                            let value = &parameter_2;
                            faults
                                .minimum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    1,
                                );
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    100,
                                );
                        }
                        let parameter_3: _ = match crate::http::decode::parameter::<
                            types::SortOrder,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "order",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "one of `asc`, `desc`",
                                    ),
                                    allow_empty: false,
                                    others: &["after", "limit"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => types::SortOrder::Asc,
                        };
                        collected.into_result()?;
                        <A as super::Checkpoints>::list_checkpoints(
                                &api,
                                caller,
                                super::ListCheckpointsInput {
                                    model_id: parameter_0,
                                    after: parameter_1,
                                    limit: parameter_2,
                                    order: parameter_3,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_checkpoint<A: super::Checkpoints>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_checkpoint",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                u64,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "step",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::Integer,
                                            "an integer from 0 to 9223372036854775807",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "step",
                        )?;
                        {
                            let value = &parameter_1;
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("step"),
                                    *value,
                                    9223372036854775807,
                                );
                        }
                        collected.into_result()?;
                        <A as super::Checkpoints>::get_checkpoint(
                                &api,
                                caller,
                                super::GetCheckpointInput {
                                    model_id: parameter_0,
                                    step: parameter_1,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_checkpoint_archive<A: super::Checkpoints>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_checkpoint_archive",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                u64,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "step",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::Integer,
                                            "an integer from 0 to 9223372036854775807",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "step",
                        )?;
                        {
                            let value = &parameter_1;
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("step"),
                                    *value,
                                    9223372036854775807,
                                );
                        }
                        collected.into_result()?;
                        <A as super::Checkpoints>::get_checkpoint_archive(
                                &api,
                                caller,
                                super::GetCheckpointArchiveInput {
                                    model_id: parameter_0,
                                    step: parameter_1,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_checkpoint_file<A: super::Checkpoints>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_checkpoint_file",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                    &[
                                        crate::http::Requirement {
                                            scheme: "downloadToken",
                                            carrier: crate::http::Carrier::Query("token"),
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["token"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                u64,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "step",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::Integer,
                                            "an integer from 0 to 9223372036854775807",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "step",
                        )?;
                        {
                            let value = &parameter_1;
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("step"),
                                    *value,
                                    9223372036854775807,
                                );
                        }
                        let parameter_2: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "file_name",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "file_name",
                        )?;
                        let parameter_3: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Range",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_3 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter("Range"),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let parameter_4: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "If-Range",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_4 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter("If-Range"),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let parameter_5: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "If-None-Match",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_5 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "If-None-Match",
                                    ),
                                    value.as_str(),
                                    1024,
                                );
                        }
                        collected.into_result()?;
                        <A as super::Checkpoints>::get_checkpoint_file(
                                &api,
                                caller,
                                super::GetCheckpointFileInput {
                                    model_id: parameter_0,
                                    step: parameter_1,
                                    file_name: parameter_2,
                                    range: parameter_3,
                                    if_range: parameter_4,
                                    if_none_match: parameter_5,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_checkpoint_manifest<A: super::Checkpoints>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_checkpoint_manifest",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                u64,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "step",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::Integer,
                                            "an integer from 0 to 9223372036854775807",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "step",
                        )?;
                        {
                            let value = &parameter_1;
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("step"),
                                    *value,
                                    9223372036854775807,
                                );
                        }
                        collected.into_result()?;
                        <A as super::Checkpoints>::get_checkpoint_manifest(
                                &api,
                                caller,
                                super::GetCheckpointManifestInput {
                                    model_id: parameter_0,
                                    step: parameter_1,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// Files that you upload once and name in later requests, compatible with OpenAI's: data to train on, weights to
/// import. Any client library for that format works with the base address `{base_url}/v1`.
pub mod files {
    use super::super::types;
    /// Files that you upload once and name in later requests, compatible with OpenAI's: data to train on, weights to
    /// import. Any client library for that format works with the base address `{base_url}/v1`.
    pub trait Files: crate::http::Authenticate {
        /// List files
        ///
        /// Lists the files of the key's entity, the newest first unless asked otherwise; with `purpose`, those for it.
        ///
        /// `GET /v1/files`
        fn list_files(
            &self,
            caller: Self::Caller,
            input: ListFilesInput,
        ) -> impl Future<Output = Result<ListFilesOutput, crate::http::Failure>> + Send;
        /// Upload file
        ///
        /// Keeps a file of at most 4 GiB. It goes to the store as it comes; what it holds is looked at when it is used. A file for `fine-tune` has JSON Lines, as `POST /v1/preview/sft-training-jobs` reads them; name its `id` there as `training_data_url`.
        ///
        /// `POST /v1/files`
        fn create_file(
            &self,
            caller: Self::Caller,
            input: CreateFileInput,
        ) -> impl Future<Output = Result<CreateFileOutput, crate::http::Failure>> + Send;
        /// Delete file
        ///
        /// Deletes a file. Jobs and checkpoints that were made with it keep what they need: what a job trained on is kept as long as the model has the checkpoint that it made or a later one, so that both can be made again. Takes no body; one that is sent is ignored.
        ///
        /// `DELETE /v1/files/{file_id}`
        fn delete_file(
            &self,
            caller: Self::Caller,
            input: DeleteFileInput,
        ) -> impl Future<Output = Result<DeleteFileOutput, crate::http::Failure>> + Send;
        /// Get file
        ///
        /// Answers what is known of a file of the key's entity.
        ///
        /// `GET /v1/files/{file_id}`
        fn get_file(
            &self,
            caller: Self::Caller,
            input: GetFileInput,
        ) -> impl Future<Output = Result<GetFileOutput, crate::http::Failure>> + Send;
        /// Download file
        ///
        /// Answers the bytes of a file, whole or a range of them. `ETag` is the SHA-256 of the file.
        ///
        /// `GET /v1/files/{file_id}/content`
        fn get_file_content(
            &self,
            caller: Self::Caller,
            input: GetFileContentInput,
        ) -> impl Future<
            Output = Result<GetFileContentOutput, crate::http::Failure>,
        > + Send;
    }
    /// `GET /v1/files`
    #[derive(Clone, Debug)]
    pub struct ListFilesInput {
        /// What they were uploaded for; without it, anything.
        pub purpose: Option<types::FilePurpose>,
        /// Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. A file that is not in the listing, also because it was deleted, is refused with 422.
        pub after: Option<::std::string::String>,
        /// Items on a page at most.
        pub limit: u32,
        /// Direction of the listing; `desc` begins with the newest file.
        pub order: types::FileOrder,
    }
    /// `POST /v1/files`
    #[derive(Debug)]
    pub struct CreateFileInput {
        /// A name for this request, such as a UUID, so that it can be sent again when its answer was lost: within a day the same request under the same key creates nothing new, and answers with what the first one created, as it is then. Another request under a key that was used is 422; a request that was refused does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// The file, and what it is for.
        pub body: crate::http::PartStream,
    }
    /// `DELETE /v1/files/{file_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteFileInput {
        /// The `id` of a file. Anything else is an id that does not exist, so 404.
        pub file_id: ::std::string::String,
    }
    /// `GET /v1/files/{file_id}`
    #[derive(Clone, Debug)]
    pub struct GetFileInput {
        /// The `id` of a file. Anything else is an id that does not exist, so 404.
        pub file_id: ::std::string::String,
    }
    /// `GET /v1/files/{file_id}/content`
    #[derive(Clone, Debug)]
    pub struct GetFileContentInput {
        /// The `id` of a file. Anything else is an id that does not exist, so 404.
        pub file_id: ::std::string::String,
        /// Which bytes to send, as in `bytes=1048576-` for all from the second mebibyte on (RFC 9110, section 14). More than one range, or another unit, is answered with the whole.
        pub range: Option<::std::string::String>,
        /// The `ETag` of what is there already; where the content has another one, all of it is sent.
        pub if_range: Option<::std::string::String>,
        /// The `ETag`s of what is there already; where the content has one of them, the answer is 304.
        pub if_none_match: Option<::std::string::String>,
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
    impl crate::http::IntoResponse for ListFilesOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The headers of an answer.
    #[derive(Clone, Debug, Default)]
    pub struct CreateFileOkHeaders {
        /// `true` where an earlier request under the same `Idempotency-Key` had created what this answer shows; otherwise it is missing.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/files`
    #[derive(Debug)]
    pub enum CreateFileOutput {
        /// The file is stored.
        Ok { headers: CreateFileOkHeaders, body: types::File },
    }
    impl crate::http::IntoResponse for CreateFileOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok { headers, body } => {
                    crate::http::answer::with_headers(
                        crate::http::answer::json(
                            crate::http::answer::Status::Fixed(200),
                            "application/json",
                            &body,
                        ),
                        [
                            (
                                "Idempotency-Replayed",
                                crate::http::answer::header(
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
        /// It is deleted.
        Ok(types::DeleteFileResponse),
    }
    impl From<types::DeleteFileResponse> for DeleteFileOutput {
        fn from(body: types::DeleteFileResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for DeleteFileOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `GET /v1/files/{file_id}`
    #[derive(Debug)]
    pub enum GetFileOutput {
        /// What is known.
        Ok(types::File),
    }
    impl From<types::File> for GetFileOutput {
        fn from(body: types::File) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for GetFileOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The headers of an answer.
    #[derive(Clone, Debug)]
    pub struct GetFileContentOkHeaders {
        /// That ranges of bytes can be asked for.
        pub accept_ranges: ::std::string::String,
        /// The SHA-256 of the whole content in hexadecimal digits, between quotes.
        pub e_tag: ::std::string::String,
    }
    /// The headers of an answer.
    #[derive(Clone, Debug)]
    pub struct GetFileContentPartialContentHeaders {
        /// That ranges of bytes can be asked for.
        pub accept_ranges: ::std::string::String,
        /// Which bytes these are, of how many; of a 416, of how many alone.
        pub content_range: ::std::string::String,
        /// The SHA-256 of the whole content in hexadecimal digits, between quotes.
        pub e_tag: ::std::string::String,
    }
    /// The headers of an answer.
    #[derive(Clone, Debug)]
    pub struct GetFileContentNotModifiedHeaders {
        /// The SHA-256 of the whole content in hexadecimal digits, between quotes.
        pub e_tag: ::std::string::String,
    }
    /// `GET /v1/files/{file_id}/content`
    #[derive(Debug)]
    pub enum GetFileContentOutput {
        /// The whole content.
        Ok { headers: GetFileContentOkHeaders, body: crate::http::Download },
        /// The range that was asked for.
        PartialContent {
            headers: GetFileContentPartialContentHeaders,
            body: crate::http::Download,
        },
        /// The content has an `ETag` that `If-None-Match` names; it is not sent again.
        NotModified { headers: GetFileContentNotModifiedHeaders },
    }
    impl crate::http::IntoResponse for GetFileContentOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok { headers, body } => {
                    crate::http::answer::with_headers(
                        body
                            .answer(
                                crate::http::answer::Status::Fixed(200),
                                "application/octet-stream",
                            ),
                        [
                            (
                                "Accept-Ranges",
                                crate::http::answer::header(
                                    &headers.accept_ranges,
                                    false,
                                    false,
                                ),
                            ),
                            (
                                "ETag",
                                crate::http::answer::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
                Self::PartialContent { headers, body } => {
                    crate::http::answer::with_headers(
                        body
                            .answer(
                                crate::http::answer::Status::Fixed(206),
                                "application/octet-stream",
                            ),
                        [
                            (
                                "Accept-Ranges",
                                crate::http::answer::header(
                                    &headers.accept_ranges,
                                    false,
                                    false,
                                ),
                            ),
                            (
                                "Content-Range",
                                crate::http::answer::header(
                                    &headers.content_range,
                                    false,
                                    false,
                                ),
                            ),
                            (
                                "ETag",
                                crate::http::answer::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
                Self::NotModified { headers } => {
                    crate::http::answer::with_headers(
                        crate::http::answer::empty(
                            crate::http::answer::Status::Fixed(304),
                        ),
                        [
                            (
                                "ETag",
                                crate::http::answer::header(&headers.e_tag, false, false),
                            ),
                        ],
                    )
                }
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn files_routes<A: Files>(api: ::std::sync::Arc<A>) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/v1/files",
                crate::http::on(
                        crate::http::MethodFilter::GET,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::list_files::<
                            A,
                        >(api, &crate::http::Template(&[]), request),
                    )
                    .on(
                        crate::http::MethodFilter::POST,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::create_file::<
                            A,
                        >(api, &crate::http::Template(&[]), request),
                    ),
            )
            .route(
                "/v1/files/{1}",
                crate::http::on(
                        crate::http::MethodFilter::DELETE,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::delete_file::<
                            A,
                        >(
                            api,
                            &crate::http::Template(
                                &[(0, &[crate::http::Part::Value("file_id")])],
                            ),
                            request,
                        ),
                    )
                    .on(
                        crate::http::MethodFilter::GET,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::get_file::<
                            A,
                        >(
                            api,
                            &crate::http::Template(
                                &[(0, &[crate::http::Part::Value("file_id")])],
                            ),
                            request,
                        ),
                    ),
            )
            .route(
                "/v1/files/{1}/content",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_file_content::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(1, &[crate::http::Part::Value("file_id")])],
                        ),
                        request,
                    ),
                ),
            )
            .with_state(api)
    }
    pub(super) mod handle {
        use super::super::super::types;
        pub async fn list_files<A: super::Files>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_files",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["after", "limit", "order", "purpose"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            types::FilePurpose,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "purpose",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "one of `fine-tune`, `user_data`",
                                    ),
                                    allow_empty: false,
                                    others: &["after", "limit", "order"],
                                }
                            },
                        )?;
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "after",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["purpose", "limit", "order"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^file-[0-9a-f]{32}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("after"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of a file, such as the `last_id` of a page",
                                    );
                            }
                        }
                        let parameter_2: _ = match crate::http::decode::parameter::<
                            u32,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "limit",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Integer,
                                        "an integer from 1 to 10000",
                                    ),
                                    allow_empty: false,
                                    others: &["purpose", "after", "order"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => 10000,
                        };
                        {
                            let value = &parameter_2;
                            faults
                                .minimum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    1,
                                );
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    10000,
                                );
                        }
                        let parameter_3: _ = match crate::http::decode::parameter::<
                            types::FileOrder,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "order",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "one of `asc`, `desc`",
                                    ),
                                    allow_empty: false,
                                    others: &["purpose", "after", "limit"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => types::FileOrder::Desc,
                        };
                        collected.into_result()?;
                        <A as super::Files>::list_files(
                                &api,
                                caller,
                                super::ListFilesInput {
                                    purpose: parameter_0,
                                    after: parameter_1,
                                    limit: parameter_2,
                                    order: parameter_3,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn create_file<A: super::Files>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "create_file",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Idempotency-Key",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .min_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    1,
                                );
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    255,
                                );
                        }
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["multipart/form-data"],
                            )?;
                            crate::http::multipart::stream(
                                &parts.headers,
                                body,
                                4294967296,
                            )?
                        };
                        collected.into_result()?;
                        <A as super::Files>::create_file(
                                &api,
                                caller,
                                super::CreateFileInput {
                                    idempotency_key: parameter_0,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn delete_file<A: super::Files>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "delete_file",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "file_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "file_id",
                        )?;
                        collected.into_result()?;
                        <A as super::Files>::delete_file(
                                &api,
                                caller,
                                super::DeleteFileInput {
                                    file_id: parameter_0,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_file<A: super::Files>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_file",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "file_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "file_id",
                        )?;
                        collected.into_result()?;
                        <A as super::Files>::get_file(
                                &api,
                                caller,
                                super::GetFileInput {
                                    file_id: parameter_0,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_file_content<A: super::Files>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_file_content",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                    &[
                                        crate::http::Requirement {
                                            scheme: "downloadToken",
                                            carrier: crate::http::Carrier::Query("token"),
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["token"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "file_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "file_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Range",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter("Range"),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let parameter_2: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "If-Range",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_2 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter("If-Range"),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let parameter_3: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "If-None-Match",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_3 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "If-None-Match",
                                    ),
                                    value.as_str(),
                                    1024,
                                );
                        }
                        collected.into_result()?;
                        <A as super::Files>::get_file_content(
                                &api,
                                caller,
                                super::GetFileContentInput {
                                    file_id: parameter_0,
                                    range: parameter_1,
                                    if_range: parameter_2,
                                    if_none_match: parameter_3,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// Supervised training in the format of OpenAI's fine-tuning API. Any client library for that format works with the base
/// address `{base_url}/v1`: upload a file with purpose `fine-tune`, create a job, ask for it until its status is
/// `succeeded`, then name its `fine_tuned_model` in a chat request.
///
/// These are the same jobs as those of `/v1/preview/sft-training-jobs`: each API lists the jobs of the other. The
/// difference is the model. A job here trains a new one of its own, in the project `fine-tuning`; what it began from
/// stays as it was.
///
/// The methods `dpo` and `reinforcement`, `integrations`, and pausing a job are not supported.
pub mod fine_tuning {
    use super::super::types;
    /// Supervised training in the format of OpenAI's fine-tuning API. Any client library for that format works with the base
    /// address `{base_url}/v1`: upload a file with purpose `fine-tune`, create a job, ask for it until its status is
    /// `succeeded`, then name its `fine_tuned_model` in a chat request.
    ///
    /// These are the same jobs as those of `/v1/preview/sft-training-jobs`: each API lists the jobs of the other. The
    /// difference is the model. A job here trains a new one of its own, in the project `fine-tuning`; what it began from
    /// stays as it was.
    ///
    /// The methods `dpo` and `reinforcement`, `integrations`, and pausing a job are not supported.
    pub trait FineTuning: crate::http::Authenticate {
        /// List fine-tuning jobs
        ///
        /// Lists the supervised jobs of the key's entity, the newest first, whichever API created them.
        ///
        /// `GET /v1/fine_tuning/jobs`
        fn list_fine_tuning_jobs(
            &self,
            caller: Self::Caller,
            input: ListFineTuningJobsInput,
        ) -> impl Future<
            Output = Result<ListFineTuningJobsOutput, crate::http::Failure>,
        > + Send;
        /// Create fine-tuning job
        ///
        /// Makes a model and queues supervised training of it, both or neither. The model begins from a base model, or from a
        /// copy of a step of a trained one, with the state of its optimizer. Its name is the `suffix`, or the name of what it
        /// began from, and the end of the job's id.
        ///
        /// The file has JSON Lines, as `POST /v1/preview/sft-training-jobs` reads them; a row is one conversation,
        /// `{"messages": [...], "tools": [...]}`. A message of the assistant with `weight` 0 is context and not trained.
        /// `parallel_tool_calls` is accepted, and false is refused where a message has several calls; `functions`,
        /// `function_call`, `refusal` and `audio` are refused. The rows are checked when the job begins: a fault in one ends
        /// the job with status `failed` and an `error`.
        ///
        /// At most 1000 jobs of one entity may wait or run; more is 429.
        ///
        /// `POST /v1/fine_tuning/jobs`
        fn create_fine_tuning_job(
            &self,
            caller: Self::Caller,
            input: CreateFineTuningJobInput,
        ) -> impl Future<
            Output = Result<CreateFineTuningJobOutput, crate::http::Failure>,
        > + Send;
        /// Get fine-tuning job
        ///
        /// Answers how far a supervised job is, whichever API created it.
        ///
        /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}`
        fn get_fine_tuning_job(
            &self,
            caller: Self::Caller,
            input: GetFineTuningJobInput,
        ) -> impl Future<
            Output = Result<GetFineTuningJobOutput, crate::http::Failure>,
        > + Send;
        /// Cancel fine-tuning job
        ///
        /// Ends a supervised job that waits or runs. Its model stays as it was made. A job that was cancelled before is answered as it is; one that has ended otherwise is 409.
        ///
        /// `POST /v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel`
        fn cancel_fine_tuning_job(
            &self,
            caller: Self::Caller,
            input: CancelFineTuningJobInput,
        ) -> impl Future<
            Output = Result<CancelFineTuningJobOutput, crate::http::Failure>,
        > + Send;
        /// List fine-tuning checkpoints
        ///
        /// Lists the checkpoints of a supervised job: the one that it made, once it has succeeded and as long as nobody deletes it.
        ///
        /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints`
        fn list_fine_tuning_job_checkpoints(
            &self,
            caller: Self::Caller,
            input: ListFineTuningJobCheckpointsInput,
        ) -> impl Future<
            Output = Result<ListFineTuningJobCheckpointsOutput, crate::http::Failure>,
        > + Send;
        /// List fine-tuning events
        ///
        /// Lists the events of a supervised job, the newest first: its start, each optimizer step with its metrics, and its end. There are none while it waits. To follow a job as it runs, ask for its events as `GET /v1/preview/training-jobs/{training_job_id}/events` gives them.
        ///
        /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/events`
        fn list_fine_tuning_job_events(
            &self,
            caller: Self::Caller,
            input: ListFineTuningJobEventsInput,
        ) -> impl Future<
            Output = Result<ListFineTuningJobEventsOutput, crate::http::Failure>,
        > + Send;
    }
    /// `GET /v1/fine_tuning/jobs`
    #[derive(Clone, Debug)]
    pub struct ListFineTuningJobsInput {
        /// Cursor: the `id` of the last job of the page before. Without it the listing begins with the newest. A job that is not in the listing is refused with 422.
        pub after: Option<::std::string::String>,
        /// Items on a page at most.
        pub limit: u32,
    }
    /// `POST /v1/fine_tuning/jobs`
    #[derive(Clone, Debug)]
    pub struct CreateFineTuningJobInput {
        /// A name for this request, such as a UUID, so that it can be sent again when its answer was lost: within a day the same request under the same key creates nothing new, and answers with what the first one created, as it is then. Another request under a key that was used is 422; a request that was refused does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// What to train, and on which file.
        pub body: types::CreateFineTuningJob,
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}`
    #[derive(Clone, Debug)]
    pub struct GetFineTuningJobInput {
        /// The `id` of a supervised job, as this API or the other one writes it. Anything else is an id that does not exist, so 404.
        pub fine_tuning_job_id: ::std::string::String,
    }
    /// `POST /v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel`
    #[derive(Clone, Debug)]
    pub struct CancelFineTuningJobInput {
        /// The `id` of a supervised job, as this API or the other one writes it. Anything else is an id that does not exist, so 404.
        pub fine_tuning_job_id: ::std::string::String,
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct ListFineTuningJobCheckpointsInput {
        /// The `id` of a supervised job, as this API or the other one writes it. Anything else is an id that does not exist, so 404.
        pub fine_tuning_job_id: ::std::string::String,
        /// Cursor: the `id` of the last checkpoint of the page before. A checkpoint of another job is refused with 422.
        pub after: Option<::std::string::String>,
        /// Items on a page at most.
        pub limit: u32,
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/events`
    #[derive(Clone, Debug)]
    pub struct ListFineTuningJobEventsInput {
        /// The `id` of a supervised job, as this API or the other one writes it. Anything else is an id that does not exist, so 404.
        pub fine_tuning_job_id: ::std::string::String,
        /// Cursor: the `id` of the last event of the page before. Without it the listing begins with the newest. An event of another job is refused with 422.
        pub after: Option<::std::string::String>,
        /// Items on a page at most.
        pub limit: u32,
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
    impl crate::http::IntoResponse for ListFineTuningJobsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The headers of an answer.
    #[derive(Clone, Debug, Default)]
    pub struct CreateFineTuningJobOkHeaders {
        /// `true` where an earlier request under the same `Idempotency-Key` had created what this answer shows; otherwise it is missing.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/fine_tuning/jobs`
    #[derive(Debug)]
    pub enum CreateFineTuningJobOutput {
        /// The job, queued.
        Ok { headers: CreateFineTuningJobOkHeaders, body: types::FineTuningJob },
    }
    impl crate::http::IntoResponse for CreateFineTuningJobOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok { headers, body } => {
                    crate::http::answer::with_headers(
                        crate::http::answer::json(
                            crate::http::answer::Status::Fixed(200),
                            "application/json",
                            &body,
                        ),
                        [
                            (
                                "Idempotency-Replayed",
                                crate::http::answer::header(
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
    impl crate::http::IntoResponse for GetFineTuningJobOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `POST /v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel`
    #[derive(Debug)]
    pub enum CancelFineTuningJobOutput {
        /// The job, cancelled.
        Ok(types::FineTuningJob),
    }
    impl From<types::FineTuningJob> for CancelFineTuningJobOutput {
        fn from(body: types::FineTuningJob) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for CancelFineTuningJobOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
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
    impl crate::http::IntoResponse for ListFineTuningJobCheckpointsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
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
    impl crate::http::IntoResponse for ListFineTuningJobEventsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn fine_tuning_routes<A: FineTuning>(
        api: ::std::sync::Arc<A>,
    ) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/v1/fine_tuning/jobs",
                crate::http::on(
                        crate::http::MethodFilter::GET,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::list_fine_tuning_jobs::<
                            A,
                        >(api, &crate::http::Template(&[]), request),
                    )
                    .on(
                        crate::http::MethodFilter::POST,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::create_fine_tuning_job::<
                            A,
                        >(api, &crate::http::Template(&[]), request),
                    ),
            )
            .route(
                "/v1/fine_tuning/jobs/{1}",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_fine_tuning_job::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(0, &[crate::http::Part::Value("fine_tuning_job_id")])],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/v1/fine_tuning/jobs/{1}/cancel",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::cancel_fine_tuning_job::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(1, &[crate::http::Part::Value("fine_tuning_job_id")])],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/v1/fine_tuning/jobs/{1}/checkpoints",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::list_fine_tuning_job_checkpoints::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(1, &[crate::http::Part::Value("fine_tuning_job_id")])],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/v1/fine_tuning/jobs/{1}/events",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::list_fine_tuning_job_events::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(1, &[crate::http::Part::Value("fine_tuning_job_id")])],
                        ),
                        request,
                    ),
                ),
            )
            .with_state(api)
    }
    pub(super) mod handle {
        use super::super::super::types;
        pub async fn list_fine_tuning_jobs<A: super::FineTuning>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_fine_tuning_jobs",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["after", "limit"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "after",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["limit"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^(ftjob-[0-9a-f]{32}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("after"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of a job, such as that of the last job of a page",
                                    );
                            }
                        }
                        let parameter_1: _ = match crate::http::decode::parameter::<
                            u32,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "limit",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Integer,
                                        "an integer from 1 to 100",
                                    ),
                                    allow_empty: false,
                                    others: &["after"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => 20,
                        };
                        {
                            let value = &parameter_1;
                            faults
                                .minimum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    1,
                                );
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    100,
                                );
                        }
                        collected.into_result()?;
                        <A as super::FineTuning>::list_fine_tuning_jobs(
                                &api,
                                caller,
                                super::ListFineTuningJobsInput {
                                    after: parameter_0,
                                    limit: parameter_1,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn create_fine_tuning_job<A: super::FineTuning>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "create_fine_tuning_job",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Idempotency-Key",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .min_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    1,
                                );
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    255,
                                );
                        }
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            let value: types::CreateFineTuningJob = crate::http::decode::json_body(
                                    &parts.headers,
                                    body,
                                    1048576,
                                    true,
                                )
                                .await?;
                            {
                                let checked = &value;
                                crate::validation::Validate::validate(
                                    checked,
                                    &crate::http::validation::Location::BODY,
                                    faults,
                                );
                            }
                            value
                        };
                        collected.into_result()?;
                        <A as super::FineTuning>::create_fine_tuning_job(
                                &api,
                                caller,
                                super::CreateFineTuningJobInput {
                                    idempotency_key: parameter_0,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_fine_tuning_job<A: super::FineTuning>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_fine_tuning_job",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "fine_tuning_job_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "fine_tuning_job_id",
                        )?;
                        collected.into_result()?;
                        <A as super::FineTuning>::get_fine_tuning_job(
                                &api,
                                caller,
                                super::GetFineTuningJobInput {
                                    fine_tuning_job_id: parameter_0,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn cancel_fine_tuning_job<A: super::FineTuning>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "cancel_fine_tuning_job",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "fine_tuning_job_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "fine_tuning_job_id",
                        )?;
                        collected.into_result()?;
                        <A as super::FineTuning>::cancel_fine_tuning_job(
                                &api,
                                caller,
                                super::CancelFineTuningJobInput {
                                    fine_tuning_job_id: parameter_0,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn list_fine_tuning_job_checkpoints<A: super::FineTuning>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_fine_tuning_job_checkpoints",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["after", "limit"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "fine_tuning_job_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "fine_tuning_job_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "after",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["limit"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^ftckpt-[0-9a-f]{32}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("after"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of a checkpoint of this job",
                                    );
                            }
                        }
                        let parameter_2: _ = match crate::http::decode::parameter::<
                            u32,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "limit",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Integer,
                                        "an integer from 1 to 100",
                                    ),
                                    allow_empty: false,
                                    others: &["after"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => 20,
                        };
                        {
                            let value = &parameter_2;
                            faults
                                .minimum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    1,
                                );
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    100,
                                );
                        }
                        collected.into_result()?;
                        <A as super::FineTuning>::list_fine_tuning_job_checkpoints(
                                &api,
                                caller,
                                super::ListFineTuningJobCheckpointsInput {
                                    fine_tuning_job_id: parameter_0,
                                    after: parameter_1,
                                    limit: parameter_2,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn list_fine_tuning_job_events<A: super::FineTuning>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_fine_tuning_job_events",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["after", "limit"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "fine_tuning_job_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "fine_tuning_job_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "after",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["limit"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^ftevent-[0-9a-f]{32}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("after"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an event, such as that of the last event of a page",
                                    );
                            }
                        }
                        let parameter_2: _ = match crate::http::decode::parameter::<
                            u32,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "limit",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Integer,
                                        "an integer from 1 to 100",
                                    ),
                                    allow_empty: false,
                                    others: &["after"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => 20,
                        };
                        {
                            let value = &parameter_2;
                            faults
                                .minimum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    1,
                                );
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    100,
                                );
                        }
                        collected.into_result()?;
                        <A as super::FineTuning>::list_fine_tuning_job_events(
                                &api,
                                caller,
                                super::ListFineTuningJobEventsInput {
                                    fine_tuning_job_id: parameter_0,
                                    after: parameter_1,
                                    limit: parameter_2,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// The models that can be named in a request, in the format of OpenAI's models.
pub mod inference {
    use super::super::types;
    /// The models that can be named in a request, in the format of OpenAI's models.
    pub trait Inference: crate::http::Authenticate {
        /// List models
        ///
        /// Lists what can be named in `model` of a chat request. The list is not paged.
        ///
        /// `GET /models`
        fn list_inference_models(
            &self,
            caller: Self::Caller,
            input: ListInferenceModelsInput,
        ) -> impl Future<
            Output = Result<ListInferenceModelsOutput, crate::http::Failure>,
        > + Send;
        /// List models and steps
        ///
        /// Lists what can be named in `model` of a request, in the format of OpenAI's model list: the base models, then the trained models of the key's entity whose base model is served, the oldest first, each with its steps. The list is not paged. It has at most 1,000 names of trained models and steps: those of the newest models, and then as many of the newest steps as there is room for; `has_more` says whether there are others, which can be named all the same.
        ///
        /// `GET /v1/models`
        fn list_served_models(
            &self,
            caller: Self::Caller,
            input: ListServedModelsInput,
        ) -> impl Future<
            Output = Result<ListServedModelsOutput, crate::http::Failure>,
        > + Send;
        /// Get model by name
        ///
        /// Answers a model or step that can be named in `model` of a request, also one that the list has no room for.
        ///
        /// `GET /v1/models/{model}`
        fn get_served_model(
            &self,
            caller: Self::Caller,
            input: GetServedModelInput,
        ) -> impl Future<
            Output = Result<GetServedModelOutput, crate::http::Failure>,
        > + Send;
    }
    /// `GET /models`
    #[derive(Clone, Debug)]
    pub struct ListInferenceModelsInput {
        /// What the usage is recorded under, usually `team/project`; it has no other effect. When both headers are sent, this one counts; an empty one counts as absent.
        pub vendor_project: Option<::std::string::String>,
        /// The same as `Vendor-Project`, under the name that OpenAI's client libraries send.
        pub open_ai_project: Option<::std::string::String>,
    }
    /// `GET /v1/models`
    #[derive(Clone, Debug)]
    pub struct ListServedModelsInput {}
    /// `GET /v1/models/{model}`
    #[derive(Clone, Debug)]
    pub struct GetServedModelInput {
        /// A name as requests have it in `model`: of a base model, or of a trained one with or without `:stepN` and `wandb-artifact:///`. Its slashes may be percent-encoded or not. A name that nothing has is 404.
        pub model: ::std::string::String,
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
    impl crate::http::IntoResponse for ListInferenceModelsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `GET /v1/models`
    #[derive(Debug)]
    pub enum ListServedModelsOutput {
        /// The names.
        Ok(types::ServedModelList),
    }
    impl From<types::ServedModelList> for ListServedModelsOutput {
        fn from(body: types::ServedModelList) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for ListServedModelsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
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
    impl crate::http::IntoResponse for GetServedModelOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn inference_routes<A: Inference>(
        api: ::std::sync::Arc<A>,
    ) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/v1/models",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::list_served_models::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/v1/models/{1}",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_served_model::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(0, &[crate::http::Part::Value("model")])],
                        ),
                        request,
                    ),
                ),
            )
            .with_state(api)
    }
    /// The routes of this tag at the inference base address.
    pub fn inference_inference_routes<A: Inference>(
        api: ::std::sync::Arc<A>,
    ) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/models",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::list_inference_models::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/models/{1}",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_served_model::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(0, &[crate::http::Part::Value("model")])],
                        ),
                        request,
                    ),
                ),
            )
            .with_state(api)
    }
    pub(super) mod handle {
        use super::super::super::types;
        pub async fn list_inference_models<A: super::Inference>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_inference_models",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Vendor-Project",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Vendor-Project",
                                    ),
                                    value.as_str(),
                                    256,
                                );
                        }
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "OpenAI-Project",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "OpenAI-Project",
                                    ),
                                    value.as_str(),
                                    256,
                                );
                        }
                        collected.into_result()?;
                        <A as super::Inference>::list_inference_models(
                                &api,
                                caller,
                                super::ListInferenceModelsInput {
                                    vendor_project: parameter_0,
                                    open_ai_project: parameter_1,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn list_served_models<A: super::Inference>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_served_models",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        collected.into_result()?;
                        <A as super::Inference>::list_served_models(
                                &api,
                                caller,
                                super::ListServedModelsInput {},
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_served_model<A: super::Inference>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_served_model",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model",
                        )?;
                        collected.into_result()?;
                        <A as super::Inference>::get_served_model(
                                &api,
                                caller,
                                super::GetServedModelInput {
                                    model: parameter_0,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// Trainable models and their trajectory logs. A model is a name, `entity/project/name`, on top of a base model; it is
/// made with checkpoint 0, the untrained base model, so that rollouts can begin before the first job.
pub mod models {
    use super::super::types;
    /// Trainable models and their trajectory logs. A model is a name, `entity/project/name`, on top of a base model; it is
    /// made with checkpoint 0, the untrained base model, so that rollouts can begin before the first job.
    pub trait Models: crate::http::Authenticate {
        /// List base models
        ///
        /// Lists the models on top of which others can be made here, by name. The list is not paged.
        ///
        /// `GET /v1/preview/base-models`
        fn list_base_models(
            &self,
            caller: Self::Caller,
            input: ListBaseModelsInput,
        ) -> impl Future<
            Output = Result<ListBaseModelsOutput, crate::http::Failure>,
        > + Send;
        /// List models
        ///
        /// Lists the models of the key's entity by age; with `project`, those of this project.
        ///
        /// `GET /v1/preview/models`
        fn list_models(
            &self,
            caller: Self::Caller,
            input: ListModelsInput,
        ) -> impl Future<Output = Result<ListModelsOutput, crate::http::Failure>> + Send;
        /// Create model
        ///
        /// Registers a trainable model, which can be sampled at once. A name is unique within its project. With `return_existing` the model of that name is answered if there is one on the same base model, which makes the request safe to repeat; without, a taken name is 409. How the model is trained is chosen here, for good: with a LoRA adapter, whose rank, alpha and targets `lora` may name, or as a whole.
        ///
        /// `POST /v1/preview/models`
        fn create_model(
            &self,
            caller: Self::Caller,
            input: CreateModelInput,
        ) -> impl Future<
            Output = Result<CreateModelOutput, crate::http::Failure>,
        > + Send;
        /// Delete model
        ///
        /// Deletes the model with every checkpoint, job and trajectory log of it; its name is free again. A job of it that is running ends without a result. Takes no body; one that is sent is ignored.
        ///
        /// `DELETE /v1/preview/models/{model_id}`
        fn delete_model(
            &self,
            caller: Self::Caller,
            input: DeleteModelInput,
        ) -> impl Future<
            Output = Result<DeleteModelOutput, crate::http::Failure>,
        > + Send;
        /// Get model
        ///
        /// Answers a model of the key's entity.
        ///
        /// `GET /v1/preview/models/{model_id}`
        fn get_model(
            &self,
            caller: Self::Caller,
            input: GetModelInput,
        ) -> impl Future<Output = Result<GetModelOutput, crate::http::Failure>> + Send;
        /// Log
        ///
        /// Keeps trajectory groups beside the model, for the record, without training on them.
        ///
        /// `POST /v1/preview/models/{model_id}/log`
        fn log_trajectories(
            &self,
            caller: Self::Caller,
            input: LogTrajectoriesInput,
        ) -> impl Future<
            Output = Result<LogTrajectoriesOutput, crate::http::Failure>,
        > + Send;
    }
    /// `GET /v1/preview/base-models`
    #[derive(Clone, Debug)]
    pub struct ListBaseModelsInput {}
    /// `GET /v1/preview/models`
    #[derive(Clone, Debug)]
    pub struct ListModelsInput {
        /// Where they were registered; without it, anywhere.
        pub project: Option<::std::string::String>,
        /// Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. An id that is not in the listing, also because it was deleted, is refused with 422.
        pub after: Option<::std::string::String>,
        /// Items on a page at most.
        pub limit: u32,
        /// Direction of the listing; `desc` begins with the newest item.
        pub order: types::SortOrder,
    }
    /// `POST /v1/preview/models`
    #[derive(Clone, Debug)]
    pub struct CreateModelInput {
        /// A name for this request, such as a UUID, so that it can be sent again when its answer was lost: within a day the same request under the same key creates nothing new, and answers with what the first one created, as it is then. Another request under a key that was used is 422; a request that was refused does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// Name, base model and how to train it.
        pub body: types::ModelCreate,
    }
    /// `DELETE /v1/preview/models/{model_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteModelInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
    }
    /// `GET /v1/preview/models/{model_id}`
    #[derive(Clone, Debug)]
    pub struct GetModelInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
    }
    /// `POST /v1/preview/models/{model_id}/log`
    #[derive(Debug)]
    pub struct LogTrajectoriesInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
        /// A name for this request, such as a UUID, so that it can be sent again when its answer was lost: within a day the same request under the same key creates nothing new, and answers with what the first one created, as it is then. Another request under a key that was used is 422; a request that was refused does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// The trajectories and the split that they belong to.
        pub body: crate::http::JsonItems<types::LogRequest, types::TrajectoryGroup>,
    }
    /// `GET /v1/preview/base-models`
    #[derive(Debug)]
    pub enum ListBaseModelsOutput {
        /// The base models of this server.
        Ok(types::BaseModelList),
    }
    impl From<types::BaseModelList> for ListBaseModelsOutput {
        fn from(body: types::BaseModelList) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for ListBaseModelsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
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
    impl crate::http::IntoResponse for ListModelsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The headers of an answer.
    #[derive(Clone, Debug, Default)]
    pub struct CreateModelOkHeaders {
        /// `true` where an earlier request under the same `Idempotency-Key` had created what this answer shows; otherwise it is missing.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/models`
    #[derive(Debug)]
    pub enum CreateModelOutput {
        /// The new model, or the existing one when `return_existing` is true.
        Ok { headers: CreateModelOkHeaders, body: types::ModelResponse },
    }
    impl crate::http::IntoResponse for CreateModelOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok { headers, body } => {
                    crate::http::answer::with_headers(
                        crate::http::answer::json(
                            crate::http::answer::Status::Fixed(200),
                            "application/json",
                            &body,
                        ),
                        [
                            (
                                "Idempotency-Replayed",
                                crate::http::answer::header(
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
        /// What was deleted.
        Ok(types::DeleteModelResponse),
    }
    impl From<types::DeleteModelResponse> for DeleteModelOutput {
        fn from(body: types::DeleteModelResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for DeleteModelOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
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
    impl crate::http::IntoResponse for GetModelOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The headers of an answer.
    #[derive(Clone, Debug, Default)]
    pub struct LogTrajectoriesOkHeaders {
        /// `true` where an earlier request under the same `Idempotency-Key` had created what this answer shows; otherwise it is missing.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/models/{model_id}/log`
    #[derive(Debug)]
    pub enum LogTrajectoriesOutput {
        /// How much was kept.
        Ok { headers: LogTrajectoriesOkHeaders, body: types::LogResponse },
    }
    impl crate::http::IntoResponse for LogTrajectoriesOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok { headers, body } => {
                    crate::http::answer::with_headers(
                        crate::http::answer::json(
                            crate::http::answer::Status::Fixed(200),
                            "application/json",
                            &body,
                        ),
                        [
                            (
                                "Idempotency-Replayed",
                                crate::http::answer::header(
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
    /// The routes of this tag at the document's own base address.
    pub fn models_routes<A: Models>(api: ::std::sync::Arc<A>) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/v1/preview/base-models",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::list_base_models::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/v1/preview/models",
                crate::http::on(
                        crate::http::MethodFilter::GET,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::list_models::<
                            A,
                        >(api, &crate::http::Template(&[]), request),
                    )
                    .on(
                        crate::http::MethodFilter::POST,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::create_model::<
                            A,
                        >(api, &crate::http::Template(&[]), request),
                    ),
            )
            .route(
                "/v1/preview/models/{1}",
                crate::http::on(
                        crate::http::MethodFilter::DELETE,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::delete_model::<
                            A,
                        >(
                            api,
                            &crate::http::Template(
                                &[(0, &[crate::http::Part::Value("model_id")])],
                            ),
                            request,
                        ),
                    )
                    .on(
                        crate::http::MethodFilter::GET,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::get_model::<
                            A,
                        >(
                            api,
                            &crate::http::Template(
                                &[(0, &[crate::http::Part::Value("model_id")])],
                            ),
                            request,
                        ),
                    ),
            )
            .route(
                "/v1/preview/models/{1}/log",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::log_trajectories::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(1, &[crate::http::Part::Value("model_id")])],
                        ),
                        request,
                    ),
                ),
            )
            .with_state(api)
    }
    pub(super) mod handle {
        use super::super::super::types;
        pub async fn list_base_models<A: super::Models>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_base_models",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        collected.into_result()?;
                        <A as super::Models>::list_base_models(
                                &api,
                                caller,
                                super::ListBaseModelsInput {},
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn list_models<A: super::Models>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_models",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["after", "limit", "order", "project"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "project",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["after", "limit", "order"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .min_length(
                                    &crate::http::validation::Location::parameter("project"),
                                    value.as_str(),
                                    1,
                                );
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter("project"),
                                    value.as_str(),
                                    128,
                                );
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^[^/:\\u0000-\\u001f\\u007f]*$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("project"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain `/`, `:` or control characters",
                                    );
                            }
                        }
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "after",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["project", "limit", "order"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("after"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        }
                        let parameter_2: _ = match crate::http::decode::parameter::<
                            u32,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "limit",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Integer,
                                        "an integer from 1 to 100",
                                    ),
                                    allow_empty: false,
                                    others: &["project", "after", "order"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => 20,
                        };
                        {
                            let value = &parameter_2;
                            faults
                                .minimum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    1,
                                );
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    100,
                                );
                        }
                        let parameter_3: _ = match crate::http::decode::parameter::<
                            types::SortOrder,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "order",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "one of `asc`, `desc`",
                                    ),
                                    allow_empty: false,
                                    others: &["project", "after", "limit"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => types::SortOrder::Asc,
                        };
                        collected.into_result()?;
                        <A as super::Models>::list_models(
                                &api,
                                caller,
                                super::ListModelsInput {
                                    project: parameter_0,
                                    after: parameter_1,
                                    limit: parameter_2,
                                    order: parameter_3,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn create_model<A: super::Models>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "create_model",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Idempotency-Key",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .min_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    1,
                                );
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    255,
                                );
                        }
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            let value: types::ModelCreate = crate::http::decode::json_body(
                                    &parts.headers,
                                    body,
                                    1048576,
                                    true,
                                )
                                .await?;
                            {
                                let checked = &value;
                                crate::validation::Validate::validate(
                                    checked,
                                    &crate::http::validation::Location::BODY,
                                    faults,
                                );
                            }
                            value
                        };
                        collected.into_result()?;
                        <A as super::Models>::create_model(
                                &api,
                                caller,
                                super::CreateModelInput {
                                    idempotency_key: parameter_0,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn delete_model<A: super::Models>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "delete_model",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        collected.into_result()?;
                        <A as super::Models>::delete_model(
                                &api,
                                caller,
                                super::DeleteModelInput {
                                    model_id: parameter_0,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_model<A: super::Models>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_model",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        collected.into_result()?;
                        <A as super::Models>::get_model(
                                &api,
                                caller,
                                super::GetModelInput {
                                    model_id: parameter_0,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn log_trajectories<A: super::Models>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "log_trajectories",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Idempotency-Key",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            faults
                                .min_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    1,
                                );
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    255,
                                );
                        }
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            crate::http::JsonItems::of(
                                &parts.headers,
                                body,
                                268435456,
                                "trajectory_groups",
                                (
                                    |checked, at, faults| {
                                        crate::validation::Validate::validate(checked, at, faults);
                                    },
                                    |checked, at, faults| {
                                        crate::validation::Validate::validate(checked, at, faults);
                                    },
                                ),
                            )?
                        };
                        collected.into_result()?;
                        <A as super::Models>::log_trajectories(
                                &api,
                                caller,
                                super::LogTrajectoriesInput {
                                    model_id: parameter_0,
                                    idempotency_key: parameter_1,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// Whether the process answers (health), whether its parts work (system check), and what was used.
pub mod service {
    use super::super::types;
    /// Whether the process answers (health), whether its parts work (system check), and what was used.
    pub trait Service: crate::http::Authenticate {
        /// Read Root
        ///
        /// Says whether requests may be sent to this process: 503 from the moment that it is told to stop, while it still answers everything else. It needs no key, for load balancers.
        ///
        /// `GET /health`
        fn read_root_health_get(
            &self,
            input: ReadRootHealthGetInput,
        ) -> impl Future<
            Output = Result<ReadRootHealthGetOutput, crate::http::Failure>,
        > + Send;
        /// Metrics
        ///
        /// Counters, gauges and histograms of the process in the text format of Prometheus, version 0.0.4. Open like `GET /health`, for scrapers; there is nothing in it of entities, projects, trained models, keys or texts: labels are operations of this document, classes of statuses, states and the names of base models. Counters begin at zero with the process. It is answered at the address of the training service only.
        ///
        /// `GET /metrics`
        fn get_metrics(
            &self,
            input: GetMetricsInput,
        ) -> impl Future<Output = Result<GetMetricsOutput, crate::http::Failure>> + Send;
        /// Health check
        ///
        /// Says that the process answers and the key is good; looks at nothing else.
        ///
        /// `GET /v1/health`
        fn get_health(
            &self,
            caller: Self::Caller,
            input: GetHealthInput,
        ) -> impl Future<Output = Result<GetHealthOutput, crate::http::Failure>> + Send;
        /// Get usage
        ///
        /// Answers what the keys of the entity used, by day, key, project, model and job: requests and tokens of chat, and tokens that jobs were trained on, of the day on which the job ended.
        ///
        /// `GET /v1/preview/usage`
        fn get_usage(
            &self,
            caller: Self::Caller,
            input: GetUsageInput,
        ) -> impl Future<Output = Result<GetUsageOutput, crate::http::Failure>> + Send;
        /// System check
        ///
        /// Tries every part at once and answers within a second: the database; the store of artifacts, which keeps a few bytes and gives them back; the job queue; the engine, which computes one token; and the room on the disk. A part that does not answer within 0.9 s has failed, but not an engine that gets on with requests before this one. For monitoring, not for each request.
        ///
        /// `GET /v1/system-check`
        fn get_system_check(
            &self,
            caller: Self::Caller,
            input: GetSystemCheckInput,
        ) -> impl Future<
            Output = Result<GetSystemCheckOutput, crate::http::Failure>,
        > + Send;
    }
    /// `GET /health`
    #[derive(Clone, Debug)]
    pub struct ReadRootHealthGetInput {}
    /// `GET /metrics`
    #[derive(Clone, Debug)]
    pub struct GetMetricsInput {}
    /// `GET /v1/health`
    #[derive(Clone, Debug)]
    pub struct GetHealthInput {}
    /// `GET /v1/preview/usage`
    #[derive(Clone, Debug)]
    pub struct GetUsageInput {
        /// The first day, in UTC; 30 days before the last one unless given.
        pub start_date: Option<::std::string::String>,
        /// The last day, in UTC; today unless given.
        pub end_date: Option<::std::string::String>,
        /// Only what was used in this project.
        pub project: Option<::std::string::String>,
    }
    /// `GET /v1/system-check`
    #[derive(Clone, Debug)]
    pub struct GetSystemCheckInput {}
    /// `GET /health`
    #[derive(Debug)]
    pub enum ReadRootHealthGetOutput {
        /// Successful Response
        Ok(crate::http::Value),
    }
    impl From<crate::http::Value> for ReadRootHealthGetOutput {
        fn from(body: crate::http::Value) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for ReadRootHealthGetOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `GET /metrics`
    #[derive(Debug)]
    pub enum GetMetricsOutput {
        /// Every metric, each with its `HELP` and `TYPE` line.
        Ok(::std::string::String),
    }
    impl From<::std::string::String> for GetMetricsOutput {
        fn from(body: ::std::string::String) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for GetMetricsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::text(
                        crate::http::answer::Status::Fixed(200),
                        "text/plain; version=0.0.4; charset=utf-8",
                        body,
                    )
                }
            }
        }
    }
    /// `GET /v1/health`
    #[derive(Debug)]
    pub enum GetHealthOutput {
        /// The service answers.
        Ok(types::HealthResponse),
    }
    impl From<types::HealthResponse> for GetHealthOutput {
        fn from(body: types::HealthResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for GetHealthOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/usage`
    #[derive(Debug)]
    pub enum GetUsageOutput {
        /// The sums, the earliest day first.
        Ok(types::UsageReport),
    }
    impl From<types::UsageReport> for GetUsageOutput {
        fn from(body: types::UsageReport) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for GetUsageOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `GET /v1/system-check`
    #[derive(Debug)]
    pub enum GetSystemCheckOutput {
        /// Every check passed.
        Ok(types::SystemCheckResponse),
        /// A check failed, and the body says which; or the database is too busy to look at the key, and the body is that of every refusal, with `Retry-After`. The two have no field in common.
        ServiceUnavailable(types::SystemCheckFailure),
    }
    impl From<types::SystemCheckFailure> for GetSystemCheckOutput {
        fn from(body: types::SystemCheckFailure) -> Self {
            Self::ServiceUnavailable(body)
        }
    }
    impl From<types::SystemCheckResponse> for GetSystemCheckOutput {
        fn from(body: types::SystemCheckResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for GetSystemCheckOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
                Self::ServiceUnavailable(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(503),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn service_routes<A: Service>(api: ::std::sync::Arc<A>) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/health",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::read_root_health_get::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/metrics",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_metrics::<A>(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/v1/health",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_health::<A>(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/v1/preview/usage",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_usage::<A>(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/v1/system-check",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_system_check::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .with_state(api)
    }
    pub(super) mod handle {
        use super::super::super::types;
        pub async fn read_root_health_get<A: super::Service>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "read_root_health_get",
                    async move {
                        let (parts, body) = request.into_parts();
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        collected.into_result()?;
                        <A as super::Service>::read_root_health_get(
                                &api,
                                super::ReadRootHealthGetInput {},
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_metrics<A: super::Service>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_metrics",
                    async move {
                        let (parts, body) = request.into_parts();
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        collected.into_result()?;
                        <A as super::Service>::get_metrics(
                                &api,
                                super::GetMetricsInput {},
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_health<A: super::Service>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_health",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        collected.into_result()?;
                        <A as super::Service>::get_health(
                                &api,
                                caller,
                                super::GetHealthInput {},
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_usage<A: super::Service>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_usage",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["end_date", "project", "start_date"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "start_date",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["end_date", "project"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("start_date"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be a day such as 2026-11-22",
                                    );
                            }
                        }
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "end_date",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["start_date", "project"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("end_date"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be a day such as 2026-11-22",
                                    );
                            }
                        }
                        let parameter_2: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "project",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["start_date", "end_date"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_2 {
                            faults
                                .min_length(
                                    &crate::http::validation::Location::parameter("project"),
                                    value.as_str(),
                                    1,
                                );
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter("project"),
                                    value.as_str(),
                                    256,
                                );
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^[^\\u0000-\\u001f\\u007f]*$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("project"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must not contain control characters",
                                    );
                            }
                        }
                        collected.into_result()?;
                        <A as super::Service>::get_usage(
                                &api,
                                caller,
                                super::GetUsageInput {
                                    start_date: parameter_0,
                                    end_date: parameter_1,
                                    project: parameter_2,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_system_check<A: super::Service>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_system_check",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        collected.into_result()?;
                        <A as super::Service>::get_system_check(
                                &api,
                                caller,
                                super::GetSystemCheckInput {},
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// RL jobs learn from trajectories with rewards, SFT jobs from example conversations. Both start from the newest
/// checkpoint of their model and end in the next one. Jobs of one service run one after the other, in the order of
/// their creation, and are taken up again after a restart.
///
/// A job says what happens through its events: `training_started`, one `gradient_step` for each optimizer step, then
/// `training_ended` or `training_failed`. When `training_ended` can be read, the new checkpoint is there.
pub mod training_jobs {
    use super::super::types;
    /// RL jobs learn from trajectories with rewards, SFT jobs from example conversations. Both start from the newest
    /// checkpoint of their model and end in the next one. Jobs of one service run one after the other, in the order of
    /// their creation, and are taken up again after a restart.
    ///
    /// A job says what happens through its events: `training_started`, one `gradient_step` for each optimizer step, then
    /// `training_ended` or `training_failed`. When `training_ended` can be read, the new checkpoint is there.
    pub trait TrainingJobs: crate::http::Authenticate {
        /// Create SFT training job
        ///
        /// Queues supervised fine-tuning on a file of conversations: one that was uploaded (`POST /v1/files`, purpose
        /// `fine-tune`), or one at a URL. What is at a URL is fetched when the job starts, so one that cannot be read shows in
        /// the events (`training_failed`), not here.
        ///
        /// The file has JSON Lines, one conversation a line: `{"messages": [...], "tools": [...]}`, `tools` optional, at most
        /// 16 MiB a line, 1000000 conversations and 1 GiB in all. Every line is checked before the first optimizer step; the
        /// first that is malformed fails the job, and `error_message` names it. Blank lines are skipped.
        ///
        /// Trained is what the assistant says. Conversations in which it says nothing, and those longer than the model's
        /// context, are left out and counted in `num_dropped_trajectories`; `training_started` lists the first of them with
        /// their lines. They keep their place in their batch, so learning rates stay with the same lines.
        ///
        /// A message of the assistant with `weight` 0 is context and not trained. `parallel_tool_calls` is accepted, and false
        /// is refused where a message has several calls. `functions`, and `function_call`, `refusal` and `audio` of a message,
        /// are refused unless null: the chat template would pass over them.
        ///
        /// At most 1000 jobs of one entity may wait or run; more is 429.
        ///
        /// `POST /v1/preview/sft-training-jobs`
        fn create_sft_training_job(
            &self,
            caller: Self::Caller,
            input: CreateSftTrainingJobInput,
        ) -> impl Future<
            Output = Result<CreateSftTrainingJobOutput, crate::http::Failure>,
        > + Send;
        /// List training jobs
        ///
        /// Lists the jobs of the key's entity, RL and SFT, by age; with parameters, those that fit all of them.
        ///
        /// `GET /v1/preview/training-jobs`
        fn list_training_jobs(
            &self,
            caller: Self::Caller,
            input: ListTrainingJobsInput,
        ) -> impl Future<
            Output = Result<ListTrainingJobsOutput, crate::http::Failure>,
        > + Send;
        /// Create RL training job
        ///
        /// Queues reinforcement learning on trajectories. Rewards count relative to their group: answers to the same prompt
        /// belong into one group, and a group whose rewards are all equal teaches nothing. Each conversation of a trajectory
        /// with a choice in it becomes one optimizer step, in the order of the request, unless `packed_sequence_length` puts
        /// several into one; those longer than the model's context are left out and counted in `num_dropped_sequences`. A job with nothing to learn ends well, with a new
        /// step of the same weights.
        ///
        /// Send choices as they were answered: they carry the tokens they consist of and those they were sampled from, and
        /// these are trained. A turn whose prompt does not begin with the turns before it becomes a step of its own. What
        /// cannot be trained on is left out, without harm to the rest of the job; the event `training_started` names it, and
        /// where messages and tokens have come apart.
        ///
        /// At most 1000 jobs of one entity may wait or run; more is 429.
        ///
        /// `POST /v1/preview/training-jobs`
        fn create_training_job(
            &self,
            caller: Self::Caller,
            input: CreateTrainingJobInput,
        ) -> impl Future<
            Output = Result<CreateTrainingJobOutput, crate::http::Failure>,
        > + Send;
        /// Get training job
        ///
        /// Answers the state of a job, RL or SFT: how far it is, what it was asked to do, and why it failed if it did. Its events have the metrics of each step.
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}`
        fn get_training_job(
            &self,
            caller: Self::Caller,
            input: GetTrainingJobInput,
        ) -> impl Future<
            Output = Result<GetTrainingJobOutput, crate::http::Failure>,
        > + Send;
        /// Cancel training job
        ///
        /// Ends a job, RL or SFT, that waits or runs. Its last event is `training_failed`, which says so; the model stays at the step it had, and whoever computes it can write nothing more and stops when it notices, after a step at the latest. A job that was cancelled before is answered as it is; one that has ended otherwise is 409.
        ///
        /// `POST /v1/preview/training-jobs/{training_job_id}/cancel`
        fn cancel_training_job(
            &self,
            caller: Self::Caller,
            input: CancelTrainingJobInput,
        ) -> impl Future<
            Output = Result<CancelTrainingJobOutput, crate::http::Failure>,
        > + Send;
        /// Get training job events
        ///
        /// Lists the events of a job, RL or SFT, in the order in which they happened; none while it waits. To follow a job, ask with `Accept: text/event-stream`: then its events come as they happen, until `training_ended` or `training_failed`, behind which nothing comes. Each has its `id`, its type as `event`, and as `data` the JSON of an item of the list; a client that was cut off goes on with `Last-Event-ID`. A comment comes every 15 s of silence. Or ask again and again, with `after` set to the last id that you have seen: once a second, or with `wait`.
        ///
        /// `GET /v1/preview/training-jobs/{training_job_id}/events`
        fn list_training_job_events(
            &self,
            caller: Self::Caller,
            input: ListTrainingJobEventsInput,
        ) -> impl Future<
            Output = Result<ListTrainingJobEventsOutput, crate::http::Failure>,
        > + Send;
    }
    /// `POST /v1/preview/sft-training-jobs`
    #[derive(Clone, Debug)]
    pub struct CreateSftTrainingJobInput {
        /// A name for this request, such as a UUID, so that it can be sent again when its answer was lost: within a day the same request under the same key creates nothing new, and answers with what the first one created, as it is then. Another request under a key that was used is 422; a request that was refused does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// Whether to say only what the job would do: its options are checked, its data is read and tokenised as the job would do it, `estimate` of the answer has what was found, and nothing is stored. A job that would fail on its data or options is refused with 422. Two dry runs at a time; more are 429.
        pub dry_run: bool,
        /// The model, the data and the options.
        pub body: types::CreateSftTrainingJob,
    }
    /// `GET /v1/preview/training-jobs`
    #[derive(Clone, Debug)]
    pub struct ListTrainingJobsInput {
        /// Jobs of this model; an unknown one is 404.
        pub model_id: Option<::std::string::String>,
        /// Jobs that are this far.
        pub status: Option<types::TrainingJobStatus>,
        /// Jobs of this kind of training.
        pub kind: Option<types::TrainingJobKind>,
        /// Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. An id that is not in the listing, also because it was deleted, is refused with 422.
        pub after: Option<::std::string::String>,
        /// Items on a page at most.
        pub limit: u32,
        /// Direction of the listing; `desc` begins with the newest item.
        pub order: types::SortOrder,
    }
    /// `POST /v1/preview/training-jobs`
    #[derive(Debug)]
    pub struct CreateTrainingJobInput {
        /// A name for this request, such as a UUID, so that it can be sent again when its answer was lost: within a day the same request under the same key creates nothing new, and answers with what the first one created, as it is then. Another request under a key that was used is 422; a request that was refused does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// Whether to say only what the job would do: its options are checked, its data is read and tokenised as the job would do it, `estimate` of the answer has what was found, and nothing is stored. A job that would fail on its data or options is refused with 422. Two dry runs at a time; more are 429.
        pub dry_run: bool,
        /// The model, the trajectories and the options.
        pub body: crate::http::JsonItems<
            types::CreateTrainingJob,
            types::TrajectoryGroup,
        >,
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}`
    #[derive(Clone, Debug)]
    pub struct GetTrainingJobInput {
        /// The `id` of a training job, RL or SFT, a UUID. Anything else is an id that does not exist, so 404.
        pub training_job_id: ::std::string::String,
    }
    /// `POST /v1/preview/training-jobs/{training_job_id}/cancel`
    #[derive(Clone, Debug)]
    pub struct CancelTrainingJobInput {
        /// The `id` of a training job, RL or SFT, a UUID. Anything else is an id that does not exist, so 404.
        pub training_job_id: ::std::string::String,
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/events`
    #[derive(Clone, Debug)]
    pub struct ListTrainingJobEventsInput {
        /// The `id` of a training job, RL or SFT, a UUID. Anything else is an id that does not exist, so 404.
        pub training_job_id: ::std::string::String,
        /// Cursor: the `last_id` of the page before, in the same `order`. Without it the listing begins at its first item. An id that is not in the listing, also because it was deleted, is refused with 422.
        pub after: Option<::std::string::String>,
        /// Items on a page at most.
        pub limit: u32,
        /// Direction of the listing; `desc` begins with the newest item.
        pub order: types::SortOrder,
        /// Seconds to wait for an event where there is none yet; the answer is an empty page when there is none then either, and at once when none can come any more. Oldest first only.
        pub wait: u32,
        /// The last event of a stream that has come, instead of `after`.
        pub last_event_id: Option<::std::string::String>,
        /// What the caller would like to get.
        pub accept: crate::http::Accept,
    }
    /// The headers of an answer.
    #[derive(Clone, Debug, Default)]
    pub struct CreateSftTrainingJobOkHeaders {
        /// `true` where an earlier request under the same `Idempotency-Key` had created what this answer shows; otherwise it is missing.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/sft-training-jobs`
    #[derive(Debug)]
    pub enum CreateSftTrainingJobOutput {
        /// The job, queued.
        Ok { headers: CreateSftTrainingJobOkHeaders, body: types::TrainingJobResponse },
    }
    impl crate::http::IntoResponse for CreateSftTrainingJobOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok { headers, body } => {
                    crate::http::answer::with_headers(
                        crate::http::answer::json(
                            crate::http::answer::Status::Fixed(200),
                            "application/json",
                            &body,
                        ),
                        [
                            (
                                "Idempotency-Replayed",
                                crate::http::answer::header(
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
        /// One page of jobs.
        Ok(types::TrainingJobPage),
    }
    impl From<types::TrainingJobPage> for ListTrainingJobsOutput {
        fn from(body: types::TrainingJobPage) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for ListTrainingJobsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The headers of an answer.
    #[derive(Clone, Debug, Default)]
    pub struct CreateTrainingJobOkHeaders {
        /// `true` where an earlier request under the same `Idempotency-Key` had created what this answer shows; otherwise it is missing.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/training-jobs`
    #[derive(Debug)]
    pub enum CreateTrainingJobOutput {
        /// The job, queued.
        Ok { headers: CreateTrainingJobOkHeaders, body: types::TrainingJobResponse },
    }
    impl crate::http::IntoResponse for CreateTrainingJobOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok { headers, body } => {
                    crate::http::answer::with_headers(
                        crate::http::answer::json(
                            crate::http::answer::Status::Fixed(200),
                            "application/json",
                            &body,
                        ),
                        [
                            (
                                "Idempotency-Replayed",
                                crate::http::answer::header(
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
    impl crate::http::IntoResponse for GetTrainingJobOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `POST /v1/preview/training-jobs/{training_job_id}/cancel`
    #[derive(Debug)]
    pub enum CancelTrainingJobOutput {
        /// The job, cancelled.
        Ok(types::TrainingJobResponse),
    }
    impl From<types::TrainingJobResponse> for CancelTrainingJobOutput {
        fn from(body: types::TrainingJobResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for CancelTrainingJobOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/events`
    #[derive(Debug)]
    pub enum ListTrainingJobEventsOutput {
        /// One page of events, or the events as they happen.
        Ok(types::TrainingJobEventPage),
        /// One page of events, or the events as they happen.
        OkEventStream(crate::http::EventStream<types::TrainingJobEvent>),
    }
    impl From<crate::http::EventStream<types::TrainingJobEvent>>
    for ListTrainingJobEventsOutput {
        fn from(body: crate::http::EventStream<types::TrainingJobEvent>) -> Self {
            Self::OkEventStream(body)
        }
    }
    impl From<types::TrainingJobEventPage> for ListTrainingJobEventsOutput {
        fn from(body: types::TrainingJobEventPage) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for ListTrainingJobEventsOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
                Self::OkEventStream(body) => {
                    body.answer(crate::http::answer::Status::Fixed(200))
                }
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn training_jobs_routes<A: TrainingJobs>(
        api: ::std::sync::Arc<A>,
    ) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/v1/preview/sft-training-jobs",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::create_sft_training_job::<
                        A,
                    >(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/v1/preview/training-jobs",
                crate::http::on(
                        crate::http::MethodFilter::GET,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::list_training_jobs::<
                            A,
                        >(api, &crate::http::Template(&[]), request),
                    )
                    .on(
                        crate::http::MethodFilter::POST,
                        |
                            crate::http::State(
                                api,
                            ): crate::http::State<::std::sync::Arc<A>>,
                            request: crate::http::Request|
                        handle::create_training_job::<
                            A,
                        >(api, &crate::http::Template(&[]), request),
                    ),
            )
            .route(
                "/v1/preview/training-jobs/{1}",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_training_job::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(0, &[crate::http::Part::Value("training_job_id")])],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/v1/preview/training-jobs/{1}/cancel",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::cancel_training_job::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(1, &[crate::http::Part::Value("training_job_id")])],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/v1/preview/training-jobs/{1}/events",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::list_training_job_events::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[(1, &[crate::http::Part::Value("training_job_id")])],
                        ),
                        request,
                    ),
                ),
            )
            .with_state(api)
    }
    pub(super) mod handle {
        use super::super::super::types;
        pub async fn create_sft_training_job<A: super::TrainingJobs>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "create_sft_training_job",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["dry_run"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Idempotency-Key",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .min_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    1,
                                );
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    255,
                                );
                        }
                        let parameter_1: _ = match crate::http::decode::parameter::<
                            bool,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "dry_run",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Boolean,
                                        "true or false",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => false,
                        };
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            let value: types::CreateSftTrainingJob = crate::http::decode::json_body(
                                    &parts.headers,
                                    body,
                                    8388608,
                                    true,
                                )
                                .await?;
                            {
                                let checked = &value;
                                crate::validation::Validate::validate(
                                    checked,
                                    &crate::http::validation::Location::BODY,
                                    faults,
                                );
                            }
                            value
                        };
                        collected.into_result()?;
                        <A as super::TrainingJobs>::create_sft_training_job(
                                &api,
                                caller,
                                super::CreateSftTrainingJobInput {
                                    idempotency_key: parameter_0,
                                    dry_run: parameter_1,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn list_training_jobs<A: super::TrainingJobs>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_training_jobs",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source
                            .refuse_others(
                                &["after", "kind", "limit", "model_id", "order", "status"],
                            )?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "model_id",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["status", "kind", "after", "limit", "order"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("model_id"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the `id` of a model",
                                    );
                            }
                        }
                        let parameter_1: _ = crate::http::decode::parameter::<
                            types::TrainingJobStatus,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "status",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "one of `queued`, `running`, `succeeded`, `failed`, `cancelled`",
                                    ),
                                    allow_empty: false,
                                    others: &["model_id", "kind", "after", "limit", "order"],
                                }
                            },
                        )?;
                        let parameter_2: _ = crate::http::decode::parameter::<
                            types::TrainingJobKind,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "kind",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "one of `rl`, `sft`",
                                    ),
                                    allow_empty: false,
                                    others: &["model_id", "status", "after", "limit", "order"],
                                }
                            },
                        )?;
                        let parameter_3: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "after",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["model_id", "status", "kind", "limit", "order"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_3 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("after"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        }
                        let parameter_4: _ = match crate::http::decode::parameter::<
                            u32,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "limit",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Integer,
                                        "an integer from 1 to 100",
                                    ),
                                    allow_empty: false,
                                    others: &["model_id", "status", "kind", "after", "order"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => 20,
                        };
                        {
                            let value = &parameter_4;
                            faults
                                .minimum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    1,
                                );
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    100,
                                );
                        }
                        let parameter_5: _ = match crate::http::decode::parameter::<
                            types::SortOrder,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "order",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "one of `asc`, `desc`",
                                    ),
                                    allow_empty: false,
                                    others: &["model_id", "status", "kind", "after", "limit"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => types::SortOrder::Asc,
                        };
                        collected.into_result()?;
                        <A as super::TrainingJobs>::list_training_jobs(
                                &api,
                                caller,
                                super::ListTrainingJobsInput {
                                    model_id: parameter_0,
                                    status: parameter_1,
                                    kind: parameter_2,
                                    after: parameter_3,
                                    limit: parameter_4,
                                    order: parameter_5,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn create_training_job<A: super::TrainingJobs>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "create_training_job",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["dry_run"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Idempotency-Key",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .min_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    1,
                                );
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "Idempotency-Key",
                                    ),
                                    value.as_str(),
                                    255,
                                );
                        }
                        let parameter_1: _ = match crate::http::decode::parameter::<
                            bool,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "dry_run",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Boolean,
                                        "true or false",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => false,
                        };
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            crate::http::JsonItems::of(
                                &parts.headers,
                                body,
                                268435456,
                                "trajectory_groups",
                                (
                                    |checked, at, faults| {
                                        crate::validation::Validate::validate(checked, at, faults);
                                    },
                                    |checked, at, faults| {
                                        crate::validation::Validate::validate(checked, at, faults);
                                    },
                                ),
                            )?
                        };
                        collected.into_result()?;
                        <A as super::TrainingJobs>::create_training_job(
                                &api,
                                caller,
                                super::CreateTrainingJobInput {
                                    idempotency_key: parameter_0,
                                    dry_run: parameter_1,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_training_job<A: super::TrainingJobs>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_training_job",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "training_job_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "training_job_id",
                        )?;
                        collected.into_result()?;
                        <A as super::TrainingJobs>::get_training_job(
                                &api,
                                caller,
                                super::GetTrainingJobInput {
                                    training_job_id: parameter_0,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn cancel_training_job<A: super::TrainingJobs>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "cancel_training_job",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "training_job_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "training_job_id",
                        )?;
                        collected.into_result()?;
                        <A as super::TrainingJobs>::cancel_training_job(
                                &api,
                                caller,
                                super::CancelTrainingJobInput {
                                    training_job_id: parameter_0,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn list_training_job_events<A: super::TrainingJobs>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "list_training_job_events",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["after", "limit", "order", "wait"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "training_job_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "training_job_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "after",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &["limit", "order", "wait"],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter("after"),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an item of this listing, such as the `last_id` of a page",
                                    );
                            }
                        }
                        let parameter_2: _ = match crate::http::decode::parameter::<
                            u32,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "limit",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Integer,
                                        "an integer from 1 to 100",
                                    ),
                                    allow_empty: false,
                                    others: &["after", "order", "wait"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => 20,
                        };
                        {
                            let value = &parameter_2;
                            faults
                                .minimum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    1,
                                );
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("limit"),
                                    *value,
                                    100,
                                );
                        }
                        let parameter_3: _ = match crate::http::decode::parameter::<
                            types::SortOrder,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "order",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "one of `asc`, `desc`",
                                    ),
                                    allow_empty: false,
                                    others: &["after", "limit", "wait"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => types::SortOrder::Asc,
                        };
                        let parameter_4: _ = match crate::http::decode::parameter::<
                            u32,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "wait",
                                    place: crate::http::decode::Place::Query,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Form,
                                        true,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::Integer,
                                        "an integer from 0 to 60",
                                    ),
                                    allow_empty: false,
                                    others: &["after", "limit", "order"],
                                }
                            },
                        )? {
                            Some(value) => value,
                            None => 0,
                        };
                        {
                            let value = &parameter_4;
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("wait"),
                                    *value,
                                    60,
                                );
                        }
                        let parameter_5: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Last-Event-ID",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_5 {
                            {
                                static PATTERN: ::std::sync::LazyLock<
                                    crate::validation::Pattern,
                                > = ::std::sync::LazyLock::new(|| crate::validation::Pattern::new(
                                    "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
                                ));
                                faults
                                    .pattern(
                                        &crate::http::validation::Location::parameter(
                                            "Last-Event-ID",
                                        ),
                                        value.as_str(),
                                        &PATTERN,
                                        "must be the id of an event of this job",
                                    );
                            }
                        }
                        let accept = crate::http::Accept::of(
                            &parts.headers,
                            &["application/json", "text/event-stream"],
                        )?;
                        collected.into_result()?;
                        <A as super::TrainingJobs>::list_training_job_events(
                                &api,
                                caller,
                                super::ListTrainingJobEventsInput {
                                    training_job_id: parameter_0,
                                    after: parameter_1,
                                    limit: parameter_2,
                                    order: parameter_3,
                                    wait: parameter_4,
                                    last_event_id: parameter_5,
                                    accept,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
/// As much of the protocol of Weights & Biases (W&B) as the Python client `openpipe-art` speaks beside this API: with
/// `WANDB_BASE_URL` set to `{base_url}`, its `train_sft` uploads its data here, and checkpoints are pulled from here and
/// forked here, with no account and no other server. Runs are accepted and not kept: this is no tracker of experiments.
pub mod wandb {
    use super::super::types;
    /// As much of the protocol of Weights & Biases (W&B) as the Python client `openpipe-art` speaks beside this API: with
    /// `WANDB_BASE_URL` set to `{base_url}`, its `train_sft` uploads its data here, and checkpoints are pulled from here and
    /// forked here, with no account and no other server. Runs are accepted and not kept: this is no tracker of experiments.
    pub trait Wandb: crate::http::Authenticate {
        /// W&B run files
        ///
        /// Takes what W&B's client logs of a run, and keeps nothing of it.
        ///
        /// `POST /files/{entity}/{project}/{run}/file_stream`
        fn stream_wandb_run(
            &self,
            caller: Self::Caller,
            input: StreamWandbRunInput,
        ) -> impl Future<
            Output = Result<StreamWandbRunOutput, crate::http::Failure>,
        > + Send;
        /// W&B query
        ///
        /// Answers the GraphQL operations with which W&B's client opens a run, uploads a data set, and pulls, forks or annotates a checkpoint. What is asked for follows from the root field and its arguments, whatever the operation is called; the answer may have more fields than were asked for. An entity that is null is the key's own. A root field that is not answered here is refused by name. A fault is in `errors`, with status 200, as GraphQL has it.
        /// An artifact of type `lora` becomes a checkpoint of the registered model of its name when it is committed: the step of its alias `stepN`, or the model's next one if that is higher. It is checked as `add-checkpoint` checks an import, and refused whole otherwise. The metadata of such an artifact are kept with the checkpoint; what is trained or copied from it inherits `wandb.provenance`.
        ///
        /// `POST /graphql`
        fn query_wandb(
            &self,
            caller: Self::Caller,
            input: QueryWandbInput,
        ) -> impl Future<Output = Result<QueryWandbOutput, crate::http::Failure>> + Send;
        /// W&B artifact file
        ///
        /// Keeps a file of an artifact: it is listed by `GET /v1/files` as `wandb/PROJECT/ARTIFACT/FILE`, and `wandb-artifact:///ENTITY/PROJECT/ARTIFACT:v0` names the first `train.jsonl` of an artifact as training data. The list of a data set's files, `wandb_manifest.json`, is taken and not kept. Files of an adapter are kept until it is committed.
        ///
        /// `PUT /wandb/files/{project}/{artifact}/{file_name}`
        fn put_wandb_file(
            &self,
            caller: Self::Caller,
            input: PutWandbFileInput,
        ) -> impl Future<
            Output = Result<PutWandbFileOutput, crate::http::Failure>,
        > + Send;
        /// W&B artifact manifest
        ///
        /// Answers the files of a checkpoint as the manifest of a W&B artifact, with their MD5 digests.
        ///
        /// `GET /wandb/manifests/{model_id}/{step}`
        fn get_wandb_manifest(
            &self,
            caller: Self::Caller,
            input: GetWandbManifestInput,
        ) -> impl Future<
            Output = Result<GetWandbManifestOutput, crate::http::Failure>,
        > + Send;
    }
    /// `POST /files/{entity}/{project}/{run}/file_stream`
    #[derive(Clone, Debug)]
    pub struct StreamWandbRunInput {
        /// Of the run.
        pub entity: ::std::string::String,
        /// Of the run.
        pub project: ::std::string::String,
        /// Name of the run.
        pub run: ::std::string::String,
        /// Lines of the run's files.
        pub body: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    /// `POST /graphql`
    #[derive(Clone, Debug)]
    pub struct QueryWandbInput {
        /// The address that the caller knows; URLs in the answer begin with it.
        pub host: Option<::std::string::String>,
        /// `https` where a proxy that speaks it stands before the service; URLs in the answer begin with it.
        pub x_forwarded_proto: Option<::std::string::String>,
        /// The operation and its variables.
        pub body: types::WandbQuery,
    }
    /// `PUT /wandb/files/{project}/{artifact}/{file_name}`
    #[derive(Debug)]
    pub struct PutWandbFileInput {
        /// Of the artifact.
        pub project: ::std::string::String,
        /// Name of the artifact.
        pub artifact: ::std::string::String,
        /// Name of a file of the artifact.
        pub file_name: ::std::string::String,
        /// The content of the file.
        pub body: crate::http::BodyStream,
    }
    /// `GET /wandb/manifests/{model_id}/{step}`
    #[derive(Clone, Debug)]
    pub struct GetWandbManifestInput {
        /// The `id` of a model, a UUID. Anything else is an id that does not exist, so 404.
        pub model_id: ::std::string::String,
        /// Number of a step of the model.
        pub step: u64,
    }
    /// `POST /files/{entity}/{project}/{run}/file_stream`
    #[derive(Debug)]
    pub enum StreamWandbRunOutput {
        /// It was taken.
        Ok(::serde_json::Map<::std::string::String, ::serde_json::Value>),
    }
    impl From<::serde_json::Map<::std::string::String, ::serde_json::Value>>
    for StreamWandbRunOutput {
        fn from(
            body: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        ) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for StreamWandbRunOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `POST /graphql`
    #[derive(Debug)]
    pub enum QueryWandbOutput {
        /// The answer, or what is wrong.
        Ok(types::WandbAnswer),
    }
    impl From<types::WandbAnswer> for QueryWandbOutput {
        fn from(body: types::WandbAnswer) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for QueryWandbOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `PUT /wandb/files/{project}/{artifact}/{file_name}`
    #[derive(Debug)]
    pub enum PutWandbFileOutput {
        /// It was taken.
        Ok(::serde_json::Map<::std::string::String, ::serde_json::Value>),
    }
    impl From<::serde_json::Map<::std::string::String, ::serde_json::Value>>
    for PutWandbFileOutput {
        fn from(
            body: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        ) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for PutWandbFileOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// `GET /wandb/manifests/{model_id}/{step}`
    #[derive(Debug)]
    pub enum GetWandbManifestOutput {
        /// The manifest.
        Ok(::serde_json::Map<::std::string::String, ::serde_json::Value>),
    }
    impl From<::serde_json::Map<::std::string::String, ::serde_json::Value>>
    for GetWandbManifestOutput {
        fn from(
            body: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        ) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for GetWandbManifestOutput {
        fn into_response(self) -> crate::http::Response {
            match self {
                Self::Ok(body) => {
                    crate::http::answer::json(
                        crate::http::answer::Status::Fixed(200),
                        "application/json",
                        &body,
                    )
                }
            }
        }
    }
    /// The routes of this tag at the document's own base address.
    pub fn wandb_routes<A: Wandb>(api: ::std::sync::Arc<A>) -> crate::http::Router {
        crate::http::Router::new()
            .route(
                "/files/{1}/{2}/{3}/file_stream",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::stream_wandb_run::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[
                                (3, &[crate::http::Part::Value("entity")]),
                                (2, &[crate::http::Part::Value("project")]),
                                (1, &[crate::http::Part::Value("run")]),
                            ],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/graphql",
                crate::http::on(
                    crate::http::MethodFilter::POST,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::query_wandb::<A>(api, &crate::http::Template(&[]), request),
                ),
            )
            .route(
                "/wandb/files/{1}/{2}/{3}",
                crate::http::on(
                    crate::http::MethodFilter::PUT,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::put_wandb_file::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[
                                (2, &[crate::http::Part::Value("project")]),
                                (1, &[crate::http::Part::Value("artifact")]),
                                (0, &[crate::http::Part::Value("file_name")]),
                            ],
                        ),
                        request,
                    ),
                ),
            )
            .route(
                "/wandb/manifests/{1}/{2}",
                crate::http::on(
                    crate::http::MethodFilter::GET,
                    |
                        crate::http::State(api): crate::http::State<::std::sync::Arc<A>>,
                        request: crate::http::Request|
                    handle::get_wandb_manifest::<
                        A,
                    >(
                        api,
                        &crate::http::Template(
                            &[
                                (1, &[crate::http::Part::Value("model_id")]),
                                (0, &[crate::http::Part::Value("step")]),
                            ],
                        ),
                        request,
                    ),
                ),
            )
            .with_state(api)
    }
    pub(super) mod handle {
        use super::super::super::types;
        pub async fn stream_wandb_run<A: super::Wandb>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "stream_wandb_run",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                    &[
                                        crate::http::Requirement {
                                            scheme: "basic",
                                            carrier: crate::http::Carrier::Basic,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "entity",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "entity",
                        )?;
                        let parameter_1: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "project",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "project",
                        )?;
                        let parameter_2: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "run",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "run",
                        )?;
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            let value: ::serde_json::Map<
                                ::std::string::String,
                                ::serde_json::Value,
                            > = {
                                use crate::http::json;
                                crate::http::decode::json_body::<
                                    json::Typed<
                                        json::Entries<json::Any>,
                                        ::serde_json::Map<
                                            ::std::string::String,
                                            ::serde_json::Value,
                                        >,
                                    >,
                                >(&parts.headers, body, 16777216, true)
                                    .await?
                                    .0
                            };
                            value
                        };
                        collected.into_result()?;
                        <A as super::Wandb>::stream_wandb_run(
                                &api,
                                caller,
                                super::StreamWandbRunInput {
                                    entity: parameter_0,
                                    project: parameter_1,
                                    run: parameter_2,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn query_wandb<A: super::Wandb>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "query_wandb",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                    &[
                                        crate::http::Requirement {
                                            scheme: "basic",
                                            carrier: crate::http::Carrier::Basic,
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&[])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "Host",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_0 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter("Host"),
                                    value.as_str(),
                                    512,
                                );
                        }
                        let parameter_1: _ = crate::http::decode::parameter::<
                            ::std::string::String,
                        >(
                            &source,
                            const {
                                &crate::http::decode::Parameter {
                                    name: "X-Forwarded-Proto",
                                    place: crate::http::decode::Place::Header,
                                    encoding: crate::http::decode::Encoding::Styled(
                                        crate::http::decode::Style::Simple,
                                        false,
                                    ),
                                    shape: crate::http::decode::Shape::Scalar(
                                        crate::http::decode::Scalar::String,
                                        "a string",
                                    ),
                                    allow_empty: false,
                                    others: &[],
                                }
                            },
                        )?;
                        if let Some(value) = &parameter_1 {
                            faults
                                .max_length(
                                    &crate::http::validation::Location::parameter(
                                        "X-Forwarded-Proto",
                                    ),
                                    value.as_str(),
                                    16,
                                );
                        }
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/json"],
                            )?;
                            let value: types::WandbQuery = crate::http::decode::json_body(
                                    &parts.headers,
                                    body,
                                    4194304,
                                    true,
                                )
                                .await?;
                            value
                        };
                        collected.into_result()?;
                        <A as super::Wandb>::query_wandb(
                                &api,
                                caller,
                                super::QueryWandbInput {
                                    host: parameter_0,
                                    x_forwarded_proto: parameter_1,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn put_wandb_file<A: super::Wandb>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "put_wandb_file",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                    &[
                                        crate::http::Requirement {
                                            scheme: "uploadToken",
                                            carrier: crate::http::Carrier::Query("upload_token"),
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["upload_token"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "project",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "project",
                        )?;
                        let parameter_1: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "artifact",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "artifact",
                        )?;
                        let parameter_2: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "file_name",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "file_name",
                        )?;
                        let payload = {
                            crate::http::decode::media_type(
                                &parts.headers,
                                &["application/octet-stream"],
                            )?;
                            crate::http::BodyStream::of(
                                &parts.headers,
                                body,
                                4294967296,
                            )?
                        };
                        collected.into_result()?;
                        <A as super::Wandb>::put_wandb_file(
                                &api,
                                caller,
                                super::PutWandbFileInput {
                                    project: parameter_0,
                                    artifact: parameter_1,
                                    file_name: parameter_2,
                                    body: payload,
                                },
                            )
                            .await
                    },
                )
                .await
        }
        pub async fn get_wandb_manifest<A: super::Wandb>(
            api: ::std::sync::Arc<A>,
            template: &'static crate::http::Template,
            request: crate::http::Request,
        ) -> crate::http::Response {
            crate::http::answer::run(
                    "get_wandb_manifest",
                    async move {
                        let (parts, body) = request.into_parts();
                        let caller = crate::http::authenticate(
                                api.as_ref(),
                                &parts,
                                &[
                                    &[
                                        crate::http::Requirement {
                                            scheme: "bearer",
                                            carrier: crate::http::Carrier::Bearer,
                                            scopes: &[],
                                        },
                                    ],
                                    &[
                                        crate::http::Requirement {
                                            scheme: "downloadToken",
                                            carrier: crate::http::Carrier::Query("token"),
                                            scopes: &[],
                                        },
                                    ],
                                ],
                            )
                            .await?;
                        let source = crate::http::decode::Source::of(&parts, template)?;
                        source.refuse_others(&["token"])?;
                        let mut collected = crate::http::validation::Faults::default();
                        let faults = &mut collected;
                        let parameter_0: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                ::std::string::String,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "model_id",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::String,
                                            "a string",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "model_id",
                        )?;
                        let parameter_1: _ = crate::http::decode::required(
                            crate::http::decode::parameter::<
                                u64,
                            >(
                                &source,
                                const {
                                    &crate::http::decode::Parameter {
                                        name: "step",
                                        place: crate::http::decode::Place::Path,
                                        encoding: crate::http::decode::Encoding::Styled(
                                            crate::http::decode::Style::Simple,
                                            false,
                                        ),
                                        shape: crate::http::decode::Shape::Scalar(
                                            crate::http::decode::Scalar::Integer,
                                            "an integer from 0 to 9223372036854775807",
                                        ),
                                        allow_empty: false,
                                        others: &[],
                                    }
                                },
                            )?,
                            "step",
                        )?;
                        {
                            let value = &parameter_1;
                            faults
                                .maximum(
                                    &crate::http::validation::Location::parameter("step"),
                                    *value,
                                    9223372036854775807,
                                );
                        }
                        collected.into_result()?;
                        <A as super::Wandb>::get_wandb_manifest(
                                &api,
                                caller,
                                super::GetWandbManifestInput {
                                    model_id: parameter_0,
                                    step: parameter_1,
                                },
                            )
                            .await
                    },
                )
                .await
        }
    }
}
