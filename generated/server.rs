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
    /// Sampling, compatible with OpenAI's chat completions. Any client library for that format works with the base URL
    /// `{base_url}/v1`.
    ///
    /// `model` selects the weights. `organization/model` is a base model. `wandb-artifact:///entity/project/name` is the
    /// newest step of a trained model; with `:stepN` it is that step. `:step0` is the untrained model. The prefix
    /// `wandb-artifact:///` may be omitted.
    ///
    /// Unlike OpenAI's API, each choice always carries `logprobs`, and each `token` in it is `token_id:N`, with N the id
    /// of the token in the vocabulary. Send choices back unchanged to train on exactly the sampled tokens.
    pub trait Chat: crate::http::Authenticate {
        /// Create chat completion
        ///
        /// Samples one or more completions of a conversation. Returns one JSON document, or server-sent events when `stream` is true. An error before the first token has an error status; a later error is an event of the stream.
        ///
        /// `POST /v1/chat/completions`
        fn create_chat_completion(
            &self,
            caller: Self::Caller,
            input: CreateChatCompletionInput,
        ) -> impl Future<
            Output = Result<CreateChatCompletionOutput, crate::http::ApiError>,
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
        ) -> impl Future<
            Output = Result<CreateCompletionOutput, crate::http::ApiError>,
        > + Send;
        /// Create response
        ///
        /// Samples one response in the format of OpenAI's Responses API, for text and function tools. Sampling is the same
        /// as in chat completions, and the same conversation has the same prompt. `instructions` is a system message.
        /// Consecutive `reasoning`, `message` and `function_call` items form one message of the assistant.
        ///
        /// Nothing is stored: send the whole conversation as `input` in each request. With `stream` true, the response is
        /// server-sent events, named after their `type`. The last event is `response.completed`, `response.incomplete` or
        /// `response.failed`; there is no `[DONE]`. After 15 s without an event, `response.in_progress` is sent again.
        ///
        /// `POST /v1/responses`
        fn create_response(
            &self,
            caller: Self::Caller,
            input: CreateResponseInput,
        ) -> impl Future<
            Output = Result<CreateResponseOutput, crate::http::ApiError>,
        > + Send;
    }
    /// `POST /v1/chat/completions`
    #[derive(Clone, Debug)]
    pub struct CreateChatCompletionInput {
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<::std::string::String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<::std::string::String>,
        /// What the caller would like to get.
        pub accept: crate::http::Accept,
        /// Conversation and sampling options.
        pub body: types::ChatCompletionRequest,
    }
    /// `POST /v1/completions`
    #[derive(Clone, Debug)]
    pub struct CreateCompletionInput {
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<::std::string::String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<::std::string::String>,
        /// What the caller would like to get.
        pub accept: crate::http::Accept,
        /// Prompts and sampling options.
        pub body: types::CompletionRequest,
    }
    /// `POST /v1/responses`
    #[derive(Clone, Debug)]
    pub struct CreateResponseInput {
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<::std::string::String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<::std::string::String>,
        /// What the caller would like to get.
        pub accept: crate::http::Accept,
        /// Conversation and sampling options.
        pub body: types::ResponseRequest,
    }
    /// `POST /v1/chat/completions`
    #[derive(Debug)]
    pub enum CreateChatCompletionOutput {
        /// The chat completion: one JSON document, or a stream of chunks that ends with a `[DONE]` event.
        Ok(types::ChatCompletion),
        /// The chat completion: one JSON document, or a stream of chunks that ends with a `[DONE]` event.
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
        /// The completions: one JSON document, or a stream of chunks that ends with a `[DONE]` event.
        Ok(types::Completion),
        /// The completions: one JSON document, or a stream of chunks that ends with a `[DONE]` event.
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
        /// The response: one JSON document, or a stream of events.
        Ok(types::ResponseObject),
        /// The response: one JSON document, or a stream of events.
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
/// Saved steps of a model. Each job that succeeds adds one, numbered one higher than the highest step ever created. A
/// checkpoint can be sampled as soon as it is listed, by the model's name with `:stepN`.
pub mod checkpoints {
    use super::super::types;
    /// Saved steps of a model. Each job that succeeds adds one, numbered one higher than the highest step ever created. A
    /// checkpoint can be sampled as soon as it is listed, by the model's name with `:stepN`.
    pub trait Checkpoints: crate::http::Authenticate {
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
        ) -> impl Future<
            Output = Result<AddCheckpointOutput, crate::http::ApiError>,
        > + Send;
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
            Output = Result<DeleteCheckpointsOutput, crate::http::ApiError>,
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
        ) -> impl Future<
            Output = Result<ListCheckpointsOutput, crate::http::ApiError>,
        > + Send;
        /// Get model checkpoint
        ///
        /// Returns one step of a model and its files.
        ///
        /// `GET /v1/preview/models/{model_id}/checkpoints/{step}`
        fn get_checkpoint(
            &self,
            caller: Self::Caller,
            input: GetCheckpointInput,
        ) -> impl Future<
            Output = Result<GetCheckpointOutput, crate::http::ApiError>,
        > + Send;
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
            Output = Result<GetCheckpointArchiveOutput, crate::http::ApiError>,
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
            Output = Result<GetCheckpointFileOutput, crate::http::ApiError>,
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
            Output = Result<GetCheckpointManifestOutput, crate::http::ApiError>,
        > + Send;
    }
    /// `POST /v1/preview/models/{model_id}/add-checkpoint`
    #[derive(Clone, Debug)]
    pub struct AddCheckpointInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// Source of the checkpoint.
        pub body: types::AddCheckpoint,
    }
    /// `DELETE /v1/preview/models/{model_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct DeleteCheckpointsInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
        /// Numbers of the steps to delete.
        pub body: types::DeleteCheckpointsRequest,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct ListCheckpointsInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<::std::string::String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
        /// Number of a step of the model.
        pub step: u64,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/archive`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointArchiveInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
        /// Number of a step of the model.
        pub step: u64,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFileInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
        /// Number of a step of the model.
        pub step: u64,
        /// The `name` of one of the checkpoint's files. Any other name returns 404.
        pub file_name: ::std::string::String,
        /// Bytes to send, for example `bytes=1048576-` for all bytes from the second mebibyte on (RFC 9110, section 14). Several ranges, or another unit, return the whole content.
        pub range: Option<::std::string::String>,
        /// The `ETag` of the client's partial copy. If the content has another `ETag`, the whole content is sent.
        pub if_range: Option<::std::string::String>,
        /// The `ETag`s of the client's copies. If the content has one of them, the response is 304.
        pub if_none_match: Option<::std::string::String>,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/manifest`
    #[derive(Clone, Debug)]
    pub struct GetCheckpointManifestInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
        /// Number of a step of the model.
        pub step: u64,
    }
    /// The headers of an answer.
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
        /// Counts of the deleted steps, and the steps that do not exist.
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
        /// One page of checkpoints, ordered by step.
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
        /// Unit of the ranges that can be requested, bytes.
        pub accept_ranges: ::std::string::String,
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: ::std::string::String,
    }
    /// The headers of an answer.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFilePartialContentHeaders {
        /// Unit of the ranges that can be requested, bytes.
        pub accept_ranges: ::std::string::String,
        /// Range of the bytes sent and the total length; with 416, only the total length.
        pub content_range: ::std::string::String,
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: ::std::string::String,
    }
    /// The headers of an answer.
    #[derive(Clone, Debug)]
    pub struct GetCheckpointFileNotModifiedHeaders {
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: ::std::string::String,
    }
    /// `GET /v1/preview/models/{model_id}/checkpoints/{step}/files/{file_name}`
    #[derive(Debug)]
    pub enum GetCheckpointFileOutput {
        /// The whole content.
        Ok { headers: GetCheckpointFileOkHeaders, body: crate::http::Download },
        /// The requested range.
        PartialContent {
            headers: GetCheckpointFilePartialContentHeaders,
            body: crate::http::Download,
        },
        /// The content has an `ETag` listed in `If-None-Match`, and is not sent again.
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
/// Files to upload once and refer to in later requests, compatible with OpenAI's: training data, and weights to
/// import. Any client library for that format works with the base URL `{base_url}/v1`.
pub mod files {
    use super::super::types;
    /// Files to upload once and refer to in later requests, compatible with OpenAI's: training data, and weights to
    /// import. Any client library for that format works with the base URL `{base_url}/v1`.
    pub trait Files: crate::http::Authenticate {
        /// List files
        ///
        /// Lists the files of the key's entity, newest first by default. `purpose` restricts the list to one purpose.
        ///
        /// `GET /v1/files`
        fn list_files(
            &self,
            caller: Self::Caller,
            input: ListFilesInput,
        ) -> impl Future<Output = Result<ListFilesOutput, crate::http::ApiError>> + Send;
        /// Upload file
        ///
        /// Stores a file of at most 4 GiB. The body is streamed to the artifact store; the content is validated when it is used. A file with purpose `fine-tune` contains JSON Lines in the format of `POST /v1/preview/sft-training-jobs`; send its `id` there as `training_data_url`.
        ///
        /// `POST /v1/files`
        fn create_file(
            &self,
            caller: Self::Caller,
            input: CreateFileInput,
        ) -> impl Future<
            Output = Result<CreateFileOutput, crate::http::ApiError>,
        > + Send;
        /// Delete file
        ///
        /// Deletes a file. Jobs and checkpoints that used it keep the data that they need: the data of a job is kept as long as the model has the checkpoint of that job or a later one, so that both can be reproduced. Takes no body; a body is ignored.
        ///
        /// `DELETE /v1/files/{file_id}`
        fn delete_file(
            &self,
            caller: Self::Caller,
            input: DeleteFileInput,
        ) -> impl Future<
            Output = Result<DeleteFileOutput, crate::http::ApiError>,
        > + Send;
        /// Get file
        ///
        /// Returns the metadata of a file of the key's entity.
        ///
        /// `GET /v1/files/{file_id}`
        fn get_file(
            &self,
            caller: Self::Caller,
            input: GetFileInput,
        ) -> impl Future<Output = Result<GetFileOutput, crate::http::ApiError>> + Send;
        /// Download file
        ///
        /// Returns the bytes of a file, whole or a range. `ETag` is the SHA-256 of the file.
        ///
        /// `GET /v1/files/{file_id}/content`
        fn get_file_content(
            &self,
            caller: Self::Caller,
            input: GetFileContentInput,
        ) -> impl Future<
            Output = Result<GetFileContentOutput, crate::http::ApiError>,
        > + Send;
    }
    /// `GET /v1/files`
    #[derive(Clone, Debug)]
    pub struct ListFilesInput {
        /// Purpose of the files. Default: all purposes.
        pub purpose: Option<types::FilePurpose>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. A file that is not in the listing, for example a deleted one, returns 422.
        pub after: Option<::std::string::String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest file.
        pub order: types::FileOrder,
    }
    /// `POST /v1/files`
    #[derive(Debug)]
    pub struct CreateFileInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// The file and its purpose.
        pub body: crate::http::PartStream,
    }
    /// `DELETE /v1/files/{file_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteFileInput {
        /// The `id` of a file. Any other value returns 404.
        pub file_id: ::std::string::String,
    }
    /// `GET /v1/files/{file_id}`
    #[derive(Clone, Debug)]
    pub struct GetFileInput {
        /// The `id` of a file. Any other value returns 404.
        pub file_id: ::std::string::String,
    }
    /// `GET /v1/files/{file_id}/content`
    #[derive(Clone, Debug)]
    pub struct GetFileContentInput {
        /// The `id` of a file. Any other value returns 404.
        pub file_id: ::std::string::String,
        /// Bytes to send, for example `bytes=1048576-` for all bytes from the second mebibyte on (RFC 9110, section 14). Several ranges, or another unit, return the whole content.
        pub range: Option<::std::string::String>,
        /// The `ETag` of the client's partial copy. If the content has another `ETag`, the whole content is sent.
        pub if_range: Option<::std::string::String>,
        /// The `ETag`s of the client's copies. If the content has one of them, the response is 304.
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
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
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
        /// The file is deleted.
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
        /// The metadata of the file.
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
        /// Unit of the ranges that can be requested, bytes.
        pub accept_ranges: ::std::string::String,
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: ::std::string::String,
    }
    /// The headers of an answer.
    #[derive(Clone, Debug)]
    pub struct GetFileContentPartialContentHeaders {
        /// Unit of the ranges that can be requested, bytes.
        pub accept_ranges: ::std::string::String,
        /// Range of the bytes sent and the total length; with 416, only the total length.
        pub content_range: ::std::string::String,
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: ::std::string::String,
    }
    /// The headers of an answer.
    #[derive(Clone, Debug)]
    pub struct GetFileContentNotModifiedHeaders {
        /// SHA-256 of the whole content in hexadecimal digits, in quotes.
        pub e_tag: ::std::string::String,
    }
    /// `GET /v1/files/{file_id}/content`
    #[derive(Debug)]
    pub enum GetFileContentOutput {
        /// The whole content.
        Ok { headers: GetFileContentOkHeaders, body: crate::http::Download },
        /// The requested range.
        PartialContent {
            headers: GetFileContentPartialContentHeaders,
            body: crate::http::Download,
        },
        /// The content has an `ETag` listed in `If-None-Match`, and is not sent again.
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
    /// Supervised training in the format of OpenAI's fine-tuning API. Any client library for that format works with the
    /// base URL `{base_url}/v1`: upload a file with purpose `fine-tune`, create a job, poll it until its status is
    /// `succeeded`, then send its `fine_tuned_model` as `model` of a chat request.
    ///
    /// These are the same jobs as those of `/v1/preview/sft-training-jobs`, and each API lists the jobs of the other. The
    /// difference is the model. A job created here trains a new model in the project `fine-tuning`; the model that it
    /// starts from does not change.
    ///
    /// The methods `dpo` and `reinforcement`, `integrations`, and pausing a job are not supported.
    pub trait FineTuning: crate::http::Authenticate {
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
            Output = Result<ListFineTuningJobsOutput, crate::http::ApiError>,
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
            Output = Result<CreateFineTuningJobOutput, crate::http::ApiError>,
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
        ) -> impl Future<
            Output = Result<GetFineTuningJobOutput, crate::http::ApiError>,
        > + Send;
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
            Output = Result<CancelFineTuningJobOutput, crate::http::ApiError>,
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
            Output = Result<ListFineTuningJobCheckpointsOutput, crate::http::ApiError>,
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
            Output = Result<ListFineTuningJobEventsOutput, crate::http::ApiError>,
        > + Send;
    }
    /// `GET /v1/fine_tuning/jobs`
    #[derive(Clone, Debug)]
    pub struct ListFineTuningJobsInput {
        /// Cursor: the `id` of the last job of the previous page. Without it, the listing starts with the newest job. A job that is not in the listing returns 422.
        pub after: Option<::std::string::String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    /// `POST /v1/fine_tuning/jobs`
    #[derive(Clone, Debug)]
    pub struct CreateFineTuningJobInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// Model, training file and options.
        pub body: types::CreateFineTuningJob,
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}`
    #[derive(Clone, Debug)]
    pub struct GetFineTuningJobInput {
        /// The `id` of a supervised job, in the form of either API. Any other value returns 404.
        pub fine_tuning_job_id: ::std::string::String,
    }
    /// `POST /v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel`
    #[derive(Clone, Debug)]
    pub struct CancelFineTuningJobInput {
        /// The `id` of a supervised job, in the form of either API. Any other value returns 404.
        pub fine_tuning_job_id: ::std::string::String,
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints`
    #[derive(Clone, Debug)]
    pub struct ListFineTuningJobCheckpointsInput {
        /// The `id` of a supervised job, in the form of either API. Any other value returns 404.
        pub fine_tuning_job_id: ::std::string::String,
        /// Cursor: the `id` of the last checkpoint of the previous page. A checkpoint of another job returns 422.
        pub after: Option<::std::string::String>,
        /// Maximum number of items on a page.
        pub limit: u32,
    }
    /// `GET /v1/fine_tuning/jobs/{fine_tuning_job_id}/events`
    #[derive(Clone, Debug)]
    pub struct ListFineTuningJobEventsInput {
        /// The `id` of a supervised job, in the form of either API. Any other value returns 404.
        pub fine_tuning_job_id: ::std::string::String,
        /// Cursor: the `id` of the last event of the previous page. Without it, the listing starts with the newest event. An event of another job returns 422.
        pub after: Option<::std::string::String>,
        /// Maximum number of items on a page.
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
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/fine_tuning/jobs`
    #[derive(Debug)]
    pub enum CreateFineTuningJobOutput {
        /// The queued job.
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
        /// The cancelled job.
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
/// The models available for sampling, in the format of OpenAI's models.
pub mod inference {
    use super::super::types;
    /// The models available for sampling, in the format of OpenAI's models.
    pub trait Inference: crate::http::Authenticate {
        /// List models
        ///
        /// Lists the models accepted as `model` of a chat request. The list is not paginated.
        ///
        /// `GET /models`
        fn list_inference_models(
            &self,
            caller: Self::Caller,
            input: ListInferenceModelsInput,
        ) -> impl Future<
            Output = Result<ListInferenceModelsOutput, crate::http::ApiError>,
        > + Send;
        /// List models and steps
        ///
        /// Lists the names accepted as `model` of a request, in the format of OpenAI's model list. Base models come first, then the trained models of the key's entity whose base model is served, oldest first, each followed by its steps. The list is not paginated. It has at most 1,000 names of trained models and steps: those of the newest models, and as many of their newest steps as fit. `has_more` is true if names were omitted; omitted names are accepted in requests too.
        ///
        /// `GET /v1/models`
        fn list_served_models(
            &self,
            caller: Self::Caller,
            input: ListServedModelsInput,
        ) -> impl Future<
            Output = Result<ListServedModelsOutput, crate::http::ApiError>,
        > + Send;
        /// Get model by name
        ///
        /// Returns a model or step accepted as `model` of a request, including one omitted from the list.
        ///
        /// `GET /v1/models/{model}`
        fn get_served_model(
            &self,
            caller: Self::Caller,
            input: GetServedModelInput,
        ) -> impl Future<
            Output = Result<GetServedModelOutput, crate::http::ApiError>,
        > + Send;
    }
    /// `GET /models`
    #[derive(Clone, Debug)]
    pub struct ListInferenceModelsInput {
        /// Label under which usage is recorded, usually `team/project`; it has no other effect. It takes precedence over `OpenAI-Project`. An empty value counts as absent.
        pub vendor_project: Option<::std::string::String>,
        /// Same as `Vendor-Project`, with the header name that OpenAI's client libraries send.
        pub open_ai_project: Option<::std::string::String>,
    }
    /// `GET /v1/models`
    #[derive(Clone, Debug)]
    pub struct ListServedModelsInput {}
    /// `GET /v1/models/{model}`
    #[derive(Clone, Debug)]
    pub struct GetServedModelInput {
        /// A name as in `model` of a request: of a base model, or of a trained model with or without `:stepN` and `wandb-artifact:///`. Its slashes may be percent-encoded. An unknown name returns 404.
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
        /// The accepted names.
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
/// Trainable models and their trajectory logs. A model is a name, `entity/project/name`, on top of a base model. It
/// is created with checkpoint 0, the untrained base model, so rollouts can begin before the first job.
pub mod models {
    use super::super::types;
    /// Trainable models and their trajectory logs. A model is a name, `entity/project/name`, on top of a base model. It
    /// is created with checkpoint 0, the untrained base model, so rollouts can begin before the first job.
    pub trait Models: crate::http::Authenticate {
        /// List base models
        ///
        /// Lists the base models of this service, ordered by name. The list is not paginated.
        ///
        /// `GET /v1/preview/base-models`
        fn list_base_models(
            &self,
            caller: Self::Caller,
            input: ListBaseModelsInput,
        ) -> impl Future<
            Output = Result<ListBaseModelsOutput, crate::http::ApiError>,
        > + Send;
        /// List models
        ///
        /// Lists the models of the key's entity, ordered by creation time. `project` restricts the list to one project.
        ///
        /// `GET /v1/preview/models`
        fn list_models(
            &self,
            caller: Self::Caller,
            input: ListModelsInput,
        ) -> impl Future<
            Output = Result<ListModelsOutput, crate::http::ApiError>,
        > + Send;
        /// Create model
        ///
        /// Registers a trainable model, which can be sampled at once. A name is unique within its project. If the name is taken, `return_existing` true returns the existing model if it has the same base model, which makes the request idempotent; without it, the response is 409. The training method is chosen here and never changes: a LoRA adapter, with the rank, alpha and targets of `lora`, or the whole model.
        ///
        /// `POST /v1/preview/models`
        fn create_model(
            &self,
            caller: Self::Caller,
            input: CreateModelInput,
        ) -> impl Future<
            Output = Result<CreateModelOutput, crate::http::ApiError>,
        > + Send;
        /// Delete model
        ///
        /// Deletes the model with all its checkpoints, jobs and trajectory logs. Its name can be used again. A running job of the model ends without a result. Takes no body; a body is ignored.
        ///
        /// `DELETE /v1/preview/models/{model_id}`
        fn delete_model(
            &self,
            caller: Self::Caller,
            input: DeleteModelInput,
        ) -> impl Future<
            Output = Result<DeleteModelOutput, crate::http::ApiError>,
        > + Send;
        /// Get model
        ///
        /// Returns a model of the key's entity.
        ///
        /// `GET /v1/preview/models/{model_id}`
        fn get_model(
            &self,
            caller: Self::Caller,
            input: GetModelInput,
        ) -> impl Future<Output = Result<GetModelOutput, crate::http::ApiError>> + Send;
        /// Log trajectories
        ///
        /// Stores trajectory groups with the model, as a record, without training on them.
        ///
        /// `POST /v1/preview/models/{model_id}/log`
        fn log_trajectories(
            &self,
            caller: Self::Caller,
            input: LogTrajectoriesInput,
        ) -> impl Future<
            Output = Result<LogTrajectoriesOutput, crate::http::ApiError>,
        > + Send;
    }
    /// `GET /v1/preview/base-models`
    #[derive(Clone, Debug)]
    pub struct ListBaseModelsInput {}
    /// `GET /v1/preview/models`
    #[derive(Clone, Debug)]
    pub struct ListModelsInput {
        /// Project of the models. Default: all projects.
        pub project: Option<::std::string::String>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<::std::string::String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
    }
    /// `POST /v1/preview/models`
    #[derive(Clone, Debug)]
    pub struct CreateModelInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// Name, base model and training method.
        pub body: types::ModelCreate,
    }
    /// `DELETE /v1/preview/models/{model_id}`
    #[derive(Clone, Debug)]
    pub struct DeleteModelInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
    }
    /// `GET /v1/preview/models/{model_id}`
    #[derive(Clone, Debug)]
    pub struct GetModelInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
    }
    /// `POST /v1/preview/models/{model_id}/log`
    #[derive(Debug)]
    pub struct LogTrajectoriesInput {
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// The trajectories and their split.
        pub body: crate::http::JsonItems<types::LogRequest, types::TrajectoryGroup>,
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
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
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
        /// Counts of the deleted objects.
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
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/models/{model_id}/log`
    #[derive(Debug)]
    pub enum LogTrajectoriesOutput {
        /// Counts of the stored groups and trajectories.
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
/// Liveness of the process (health), state of its components (system check), metrics and usage.
pub mod service {
    use super::super::types;
    /// Liveness of the process (health), state of its components (system check), metrics and usage.
    pub trait Service: crate::http::Authenticate {
        /// Readiness check
        ///
        /// Readiness probe for load balancers, without a key. Returns 503 as soon as shutdown begins, while all other requests are still served.
        ///
        /// `GET /health`
        fn health(
            &self,
            input: HealthInput,
        ) -> impl Future<Output = Result<HealthOutput, crate::http::ApiError>> + Send;
        /// Metrics
        ///
        /// Returns counters, gauges and histograms of the process in the text format of Prometheus, version 0.0.4. Needs no key, like `GET /health`, so that scrapers can read it. It exposes no entities, projects, trained models, keys or texts: the labels are operations of this document, status classes, states and names of base models. Counters start at zero with the process. Available only at the base URL of the training service.
        ///
        /// `GET /metrics`
        fn get_metrics(
            &self,
            input: GetMetricsInput,
        ) -> impl Future<
            Output = Result<GetMetricsOutput, crate::http::ApiError>,
        > + Send;
        /// Health check
        ///
        /// Confirms that the process responds and that the key is valid. Checks nothing else.
        ///
        /// `GET /v1/health`
        fn check_key(
            &self,
            caller: Self::Caller,
            input: CheckKeyInput,
        ) -> impl Future<Output = Result<CheckKeyOutput, crate::http::ApiError>> + Send;
        /// Get usage
        ///
        /// Returns the usage of the entity's keys by day, key, project, model and job: chat requests, chat tokens and trained tokens. Trained tokens count for the day on which the job ended.
        ///
        /// `GET /v1/preview/usage`
        fn get_usage(
            &self,
            caller: Self::Caller,
            input: GetUsageInput,
        ) -> impl Future<Output = Result<GetUsageOutput, crate::http::ApiError>> + Send;
        /// System check
        ///
        /// Checks every component in parallel and responds within a second: the database; the artifact store, by writing and reading back a few bytes; the job queue; the engine, by computing one token; and the free disk space. A component that does not respond within 0.9 s in two requests in a row fails its check; the first time, only its `duration` shows it. The engine does not fail while it makes progress on earlier requests. Intended for monitoring, not for each request.
        ///
        /// `GET /v1/system-check`
        fn check_system(
            &self,
            caller: Self::Caller,
            input: CheckSystemInput,
        ) -> impl Future<
            Output = Result<CheckSystemOutput, crate::http::ApiError>,
        > + Send;
    }
    /// `GET /health`
    #[derive(Clone, Debug)]
    pub struct HealthInput {}
    /// `GET /metrics`
    #[derive(Clone, Debug)]
    pub struct GetMetricsInput {}
    /// `GET /v1/health`
    #[derive(Clone, Debug)]
    pub struct CheckKeyInput {}
    /// `GET /v1/preview/usage`
    #[derive(Clone, Debug)]
    pub struct GetUsageInput {
        /// First day, in UTC. Default: 30 days before `end_date`.
        pub start_date: Option<::std::string::String>,
        /// Last day, in UTC. Default: today.
        pub end_date: Option<::std::string::String>,
        /// Project to report. Default: all projects.
        pub project: Option<::std::string::String>,
    }
    /// `GET /v1/system-check`
    #[derive(Clone, Debug)]
    pub struct CheckSystemInput {}
    /// `GET /health`
    #[derive(Debug)]
    pub enum HealthOutput {
        /// Successful Response
        Ok(crate::http::Value),
    }
    impl From<crate::http::Value> for HealthOutput {
        fn from(body: crate::http::Value) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for HealthOutput {
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
        /// All metrics, each with its `HELP` and `TYPE` line.
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
    pub enum CheckKeyOutput {
        /// The service responds.
        Ok(types::HealthResponse),
    }
    impl From<types::HealthResponse> for CheckKeyOutput {
        fn from(body: types::HealthResponse) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for CheckKeyOutput {
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
        /// Usage records, earliest day first.
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
    impl crate::http::IntoResponse for CheckSystemOutput {
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
                    handle::health::<A>(api, &crate::http::Template(&[]), request),
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
                    handle::check_key::<A>(api, &crate::http::Template(&[]), request),
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
                    handle::check_system::<A>(api, &crate::http::Template(&[]), request),
                ),
            )
            .with_state(api)
    }
    pub(super) mod handle {
        use super::super::super::types;
        pub async fn health<A: super::Service>(
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
                        <A as super::Service>::health(&api, super::HealthInput {}).await
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
        pub async fn check_key<A: super::Service>(
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
                        <A as super::Service>::check_key(
                                &api,
                                caller,
                                super::CheckKeyInput {},
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
        pub async fn check_system<A: super::Service>(
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
                        <A as super::Service>::check_system(
                                &api,
                                caller,
                                super::CheckSystemInput {},
                            )
                            .await
                    },
                )
                .await
        }
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
    /// RL jobs learn from trajectories with rewards, SFT jobs from example conversations. Both start from the newest
    /// checkpoint of their model and create the next one. The jobs of a model run one after the other, in the order of
    /// their creation. Different entities, and the models of an entity, take turns: if the jobs of `n` entities wait, each
    /// of these entities gets one of the next `n` starts. Jobs resume after a restart.
    ///
    /// A job reports its progress through events: `training_started`, one `gradient_step` for each optimizer step, then
    /// `training_ended` or `training_failed`. When `training_ended` can be read, the new checkpoint exists.
    pub trait TrainingJobs: crate::http::Authenticate {
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
            Output = Result<CreateSftTrainingJobOutput, crate::http::ApiError>,
        > + Send;
        /// List training jobs
        ///
        /// Lists the RL and SFT jobs of the key's entity by creation time. Query parameters are filters, combined with AND.
        ///
        /// `GET /v1/preview/training-jobs`
        fn list_training_jobs(
            &self,
            caller: Self::Caller,
            input: ListTrainingJobsInput,
        ) -> impl Future<
            Output = Result<ListTrainingJobsOutput, crate::http::ApiError>,
        > + Send;
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
            Output = Result<CreateTrainingJobOutput, crate::http::ApiError>,
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
        ) -> impl Future<
            Output = Result<GetTrainingJobOutput, crate::http::ApiError>,
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
            Output = Result<CancelTrainingJobOutput, crate::http::ApiError>,
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
            Output = Result<ListTrainingJobEventsOutput, crate::http::ApiError>,
        > + Send;
    }
    /// `POST /v1/preview/sft-training-jobs`
    #[derive(Clone, Debug)]
    pub struct CreateSftTrainingJobInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// Validates the job without creating it: the service checks the options, reads and tokenises the data as the job would, returns the result in `estimate`, and stores nothing. Options or data that would fail the job return 422. Two dry runs may run at the same time; more return 429.
        pub dry_run: bool,
        /// The model, the data and the options.
        pub body: types::CreateSftTrainingJob,
    }
    /// `GET /v1/preview/training-jobs`
    #[derive(Clone, Debug)]
    pub struct ListTrainingJobsInput {
        /// Model of the jobs. An unknown id returns 404.
        pub model_id: Option<::std::string::String>,
        /// Status of the jobs.
        pub status: Option<types::TrainingJobStatus>,
        /// Training type of the jobs.
        pub kind: Option<types::TrainingJobKind>,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<::std::string::String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
    }
    /// `POST /v1/preview/training-jobs`
    #[derive(Debug)]
    pub struct CreateTrainingJobInput {
        /// Unique name of this request, such as a UUID, so that the request can be retried when its response was lost. Within a day, the same request with the same key creates nothing new and returns the object that the first one created, in its current state. Another request with a used key returns 422. A rejected request does not use its key.
        pub idempotency_key: Option<::std::string::String>,
        /// Validates the job without creating it: the service checks the options, reads and tokenises the data as the job would, returns the result in `estimate`, and stores nothing. Options or data that would fail the job return 422. Two dry runs may run at the same time; more return 429.
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
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: ::std::string::String,
    }
    /// `POST /v1/preview/training-jobs/{training_job_id}/cancel`
    #[derive(Clone, Debug)]
    pub struct CancelTrainingJobInput {
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: ::std::string::String,
    }
    /// `GET /v1/preview/training-jobs/{training_job_id}/events`
    #[derive(Clone, Debug)]
    pub struct ListTrainingJobEventsInput {
        /// The `id` of an RL or SFT training job, a UUID. Any other value returns 404.
        pub training_job_id: ::std::string::String,
        /// Cursor: the `last_id` of the previous page, in the same `order`. Without it, the listing starts at its first item. An id that is not in the listing, for example of a deleted item, returns 422.
        pub after: Option<::std::string::String>,
        /// Maximum number of items on a page.
        pub limit: u32,
        /// Order of the listing; `desc` starts with the newest item.
        pub order: types::SortOrder,
        /// Time to wait for an event when there is none yet, in seconds. The page is empty if none arrives in that time, and returned at once if no more events can follow. Only with `order=asc`.
        pub wait: u32,
        /// Id of the last event received in a stream; replaces `after`.
        pub last_event_id: Option<::std::string::String>,
        /// What the caller would like to get.
        pub accept: crate::http::Accept,
    }
    /// The headers of an answer.
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
        /// `true` if an earlier request with the same `Idempotency-Key` created the returned object; otherwise absent.
        pub idempotency_replayed: Option<bool>,
    }
    /// `POST /v1/preview/training-jobs`
    #[derive(Debug)]
    pub enum CreateTrainingJobOutput {
        /// The queued job.
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
        /// The cancelled job.
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
        /// One page of events, or a stream of events.
        Ok(types::TrainingJobEventPage),
        /// One page of events, or a stream of events.
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
/// The part of the protocol of Weights & Biases (W&B) that the Python client `openpipe-art` uses in addition to this
/// API. With `WANDB_BASE_URL` set to `{base_url}`, its `train_sft` uploads its data here, and checkpoints are pulled
/// from and forked on this service, without an account or another server. Runs are accepted and not stored: this
/// service does not track experiments.
pub mod wandb {
    use super::super::types;
    /// The part of the protocol of Weights & Biases (W&B) that the Python client `openpipe-art` uses in addition to this
    /// API. With `WANDB_BASE_URL` set to `{base_url}`, its `train_sft` uploads its data here, and checkpoints are pulled
    /// from and forked on this service, without an account or another server. Runs are accepted and not stored: this
    /// service does not track experiments.
    pub trait Wandb: crate::http::Authenticate {
        /// W&B run files
        ///
        /// Accepts the log files of a run from W&B's client and stores nothing.
        ///
        /// `POST /files/{entity}/{project}/{run}/file_stream`
        fn log_wandb_run(
            &self,
            caller: Self::Caller,
            input: LogWandbRunInput,
        ) -> impl Future<
            Output = Result<LogWandbRunOutput, crate::http::ApiError>,
        > + Send;
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
        ) -> impl Future<
            Output = Result<QueryWandbOutput, crate::http::ApiError>,
        > + Send;
        /// W&B artifact file
        ///
        /// Stores a file of an artifact. `GET /v1/files` lists it as `wandb/PROJECT/ARTIFACT/FILE`, and `wandb-artifact:///ENTITY/PROJECT/ARTIFACT:v0` refers to the first `train.jsonl` of an artifact as training data. The file list of a data set, `wandb_manifest.json`, is accepted and not stored. Files of an adapter are stored until it is committed.
        ///
        /// `PUT /wandb/files/{project}/{artifact}/{file_name}`
        fn put_wandb_file(
            &self,
            caller: Self::Caller,
            input: PutWandbFileInput,
        ) -> impl Future<
            Output = Result<PutWandbFileOutput, crate::http::ApiError>,
        > + Send;
        /// W&B artifact manifest
        ///
        /// Returns the files of a checkpoint as the manifest of a W&B artifact, with their MD5 digests.
        ///
        /// `GET /wandb/manifests/{model_id}/{step}`
        fn get_wandb_manifest(
            &self,
            caller: Self::Caller,
            input: GetWandbManifestInput,
        ) -> impl Future<
            Output = Result<GetWandbManifestOutput, crate::http::ApiError>,
        > + Send;
    }
    /// `POST /files/{entity}/{project}/{run}/file_stream`
    #[derive(Clone, Debug)]
    pub struct LogWandbRunInput {
        /// Entity of the run.
        pub entity: ::std::string::String,
        /// Project of the run.
        pub project: ::std::string::String,
        /// Name of the run.
        pub run: ::std::string::String,
        /// Lines of the run's files.
        pub body: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    }
    /// `POST /graphql`
    #[derive(Clone, Debug)]
    pub struct QueryWandbInput {
        /// The host and port that the caller used; URLs in the response begin with it.
        pub host: Option<::std::string::String>,
        /// `https` behind a proxy that terminates TLS; URLs in the response begin with it.
        pub x_forwarded_proto: Option<::std::string::String>,
        /// The GraphQL operation and its variables.
        pub body: types::WandbQuery,
    }
    /// `PUT /wandb/files/{project}/{artifact}/{file_name}`
    #[derive(Debug)]
    pub struct PutWandbFileInput {
        /// Project of the artifact.
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
        /// The `id` of a model, a UUID. Any other value returns 404.
        pub model_id: ::std::string::String,
        /// Number of a step of the model.
        pub step: u64,
    }
    /// `POST /files/{entity}/{project}/{run}/file_stream`
    #[derive(Debug)]
    pub enum LogWandbRunOutput {
        /// The lines are accepted.
        Ok(::serde_json::Map<::std::string::String, ::serde_json::Value>),
    }
    impl From<::serde_json::Map<::std::string::String, ::serde_json::Value>>
    for LogWandbRunOutput {
        fn from(
            body: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        ) -> Self {
            Self::Ok(body)
        }
    }
    impl crate::http::IntoResponse for LogWandbRunOutput {
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
        /// The data, or the errors.
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
        /// The file is accepted.
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
                    handle::log_wandb_run::<
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
        pub async fn log_wandb_run<A: super::Wandb>(
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
                        <A as super::Wandb>::log_wandb_run(
                                &api,
                                caller,
                                super::LogWandbRunInput {
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
