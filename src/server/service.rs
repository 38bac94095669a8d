//! Puts the service together: store, base models, worker and routes; and runs it.

use std::{path::PathBuf, sync::Arc};

use axum::Router;
use tokio::{
    net::TcpListener,
    sync::{Notify, watch},
};

use super::{Limits, middleware, serve};
use crate::{
    api::{self, Api},
    chat::{ServedModel, ServedModelError},
    cli::BaseModelOption,
    engine::ComputePool,
    jobs::{Worker, WorkerParts},
    model_files::{ModelFiles, ModelFilesError},
    models::Catalog,
    store::{
        artifacts::{ArtifactError, Artifacts},
        garbage,
        metadata::{Metadata, StoreError},
        sqlite::SqliteMetadata,
    },
    training::{DataPolicy, DataPolicyError},
    usage::UsageLog,
};
