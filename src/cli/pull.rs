//! `trainyard models pull`: a base model from the hub, before a service needs it.

use std::path::PathBuf;

use clap::Args;
use url::Url;

use super::options::default_data_directory;
use super::progress::LoadProgress;
use super::{CommandError, print};
use crate::model_files::WeightOrigin;
use crate::server::{BaseModelOption, Download, lock_directory};

#[derive(Args)]
pub(super) struct Options {
    /// Model on the hub, and perhaps which of its GGUF files: ORG/NAME, ORG/NAME:FILE.gguf or ORG/NAME:QUANTISATION.
    #[arg(value_name = "ORG/NAME[:FILE-OR-QUANT]")]
    model: BaseModelOption,
    /// Address of another hub [default: HF_ENDPOINT, or https://huggingface.co].
    #[arg(long, value_name = "URL", value_parser = address)]
    from: Option<Url>,
    /// Data directory of the service that will use the model [default: trainyard in the user's data directory].
    #[arg(long, env = "TRAINYARD_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

pub(super) async fn run(options: Options) -> Result<(), CommandError> {
    let BaseModelOption { name, path, choice } = options.model;
    if path.is_some() {
        return Err(format!("a model is pulled from the hub, without a path: trainyard models pull {name}").into());
    }
    let directory = default_data_directory(options.data_dir)?;
    let _lock = lock_directory(&directory)?;
    let from = options.from.map(String::from);
    let download = Download {
        name: &name,
        choice: choice.as_deref(),
        with_weights: true,
        directory: &directory,
        endpoint: from.as_deref(),
    };
    let mut progress = LoadProgress::each_second();
    let files = download.fetch(&mut |stage, done, total| progress.show(stage, done, total)).await;
    progress.finish();
    let path = match files?.origin {
        WeightOrigin::Directory(path) | WeightOrigin::Gguf(path) => path,
        WeightOrigin::BuiltIn => return Err(format!("{name} is in the program; nothing is pulled").into()),
    };
    let choice = choice.map_or_else(String::new, |choice| format!(":{choice}"));
    note!("{name} is complete; serve it with: trainyard serve --base-model {name}{choice}");
    print(&format!("{}\n", path.display()))
}

fn address(given: &str) -> Result<Url, &'static str> {
    let url = Url::parse(given).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.ok_or("write an address such as https://hub.example.org")
}
