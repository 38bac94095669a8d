//! `trainyard models inspect`: what the files of a base model are, and the memory that they need here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::BinaryBytes;
use serde::Serialize;

use super::options::default_data_directory;
use super::progress::LoadProgress;
use super::table::Table;
use super::{CommandError, print_report};
use crate::chat::{ReasoningStyle, ToolFormat};
use crate::engine::export::MergedModel;
use crate::engine::{InstructionSet, ModelConfig, ModelMemory, StoredForm, WeightFormat, machine_memory, stored_forms};
use crate::model_files::{ModelFiles, SEEDLING};
use crate::models::{JobMemory, MemoryNeeds, Workload};
use crate::server::{BaseModelOption, Download, Settings};

/// Greatest number of tokens of a step whose memory is computed.
const MAX_TOKENS: usize = 1 << 22;

#[derive(Args)]
pub(super) struct Options {
    /// Model: a directory in Hugging Face format, a GGUF file, or a name on the hub that was fetched, as in ORG/NAME or
    /// ORG/NAME:Q4_K_M. Of one that was not, the small files are fetched.
    #[arg(value_name = "PATH-OR-NAME")]
    model: String,
    /// Tokens of each served conversation.
    #[arg(long, value_name = "TOKENS", default_value_t = 4096)]
    context: usize,
    /// Conversations that are served at once.
    #[arg(long, value_name = "N", default_value_t = 4)]
    streams: usize,
    /// Rank of the LoRA adapter.
    #[arg(long, value_name = "N", default_value_t = 8)]
    rank: usize,
    /// Sequences of a training step.
    #[arg(long, value_name = "N", default_value_t = 8)]
    batch: usize,
    /// Tokens of each of them.
    #[arg(long, value_name = "TOKENS", default_value_t = 512)]
    length: usize,
    /// Number of engine threads [default: one per core].
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Print JSON instead of lines.
    #[arg(long)]
    json: bool,
    /// Data directory with models from the hub [default: trainyard in the user's data directory].
    #[arg(long, env = "TRAINYARD_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

/// What the files of a model are.
#[derive(Serialize)]
struct Report {
    model: String,
    family: Option<&'static str>,
    parameters: Option<usize>,
    file_bytes: u64,
    forms: Vec<StoredForm>,
    context_length: Option<usize>,
    chat_template: bool,
    tool_format: Option<&'static str>,
    reasoning: Option<&'static str>,
    problems: Vec<Problem>,
    memory: Option<Memory>,
}

/// What is not supported, and what to do.
#[derive(Serialize)]
struct Problem {
    reason: String,
    remedy: String,
}

/// Memory of the model in each format of the weights.
#[derive(Serialize)]
struct Memory {
    machine_bytes: Option<usize>,
    instructions: &'static str,
    threads: usize,
    context: usize,
    streams: usize,
    rank: usize,
    batch: usize,
    length: usize,
    formats: Vec<FormatMemory>,
}

#[derive(Serialize)]
struct FormatMemory {
    weights: &'static str,
    #[serde(flatten)]
    needs: MemoryNeeds,
}

pub(super) async fn run(options: Options) -> Result<(), CommandError> {
    for (name, value, most) in [
        ("--context", options.context, MAX_TOKENS),
        ("--streams", options.streams, 4096),
        ("--rank", options.rank, crate::engine::lora::MAX_RANK),
        ("--batch", options.batch, 4096),
        ("--length", options.length, MAX_TOKENS),
        ("--batch times --length", options.batch.saturating_mul(options.length), MAX_TOKENS),
    ] {
        if !(1..=most).contains(&value) {
            return Err(format!("{name} is {value}; it must lie from 1 to {most}").into());
        }
    }
    let files = files(&options).await?;
    let report = tokio::task::spawn_blocking(move || (report(&files, &options), options.json)).await?;
    let (report, as_json) = report;
    print_report(as_json, &report, &report.text()?)
}

/// Reads the files of the model, with the weights where they are here.
async fn files(options: &Options) -> Result<ModelFiles, CommandError> {
    let path = Path::new(&options.model);
    if options.model == SEEDLING {
        return Ok(ModelFiles::seedling()?);
    }
    if path.exists() {
        let name = format!("local/{}", path.file_stem().unwrap_or_default().to_string_lossy());
        let whole = ModelFiles::from_path(&name, path);
        return Ok(whole.or_else(|_| ModelFiles::without_weights(&name, path))?);
    }
    let Ok(BaseModelOption { name, path: None, choice }) = options.model.parse() else {
        return Err(format!(
            "{}: nothing is there, and it is no name on the hub; write a directory, a .gguf file, or organization/model",
            options.model
        )
        .into());
    };
    let directory = default_data_directory(options.data_dir.clone())?;
    let choice = choice.as_deref();
    let download = Download { name: &name, choice, with_weights: true, directory: &directory, endpoint: None };
    if let Some(files) = download.cached().await {
        return Ok(files);
    }
    if choice.is_some() {
        return Err(format!("{} was not fetched; run: trainyard models pull {0}", options.model).into());
    }
    let mut progress = LoadProgress::each_second();
    let small = Download { with_weights: false, ..download };
    let files = small.fetch(&mut |stage, done, total| progress.show(stage, done, total)).await;
    progress.finish();
    Ok(files?)
}

fn report(files: &ModelFiles, options: &Options) -> Report {
    let mut problems = Vec::new();
    let mut problem = |reason: String, remedy: &str| problems.push(Problem { reason, remedy: remedy.to_owned() });
    let config = match ModelConfig::from_json(&files.config_json) {
        Ok(config) => Some(config),
        Err(error) => {
            let others = ModelConfig::from_json_of_others(&files.config_json).is_ok();
            let remedy = match others {
                true => "vLLM and a learner on torch can run it: docs/cluster/overview.md",
                false => "take a model of a family that is computed: docs/install.md, \"Base models and hardware\"",
            };
            problem(error.to_string(), remedy);
            None
        }
    };
    let is_text_part = config.as_ref().is_some_and(|config| config.is_text_part);
    let forms = stored_forms(&files.weights, is_text_part).unwrap_or_else(|error| {
        problem(error.to_string(), "fetch the file again; trainyard models pull checks its hash");
        Vec::new()
    });
    if files.weights.is_empty() {
        let remedy = match files.name.strip_prefix("local/") {
            Some(_) => "put the safetensors of the model beside config.json".to_owned(),
            None => format!("fetch them: trainyard models pull {}", files.name),
        };
        problem("the weights are not here".to_owned(), &remedy);
    } else if config.is_some() {
        let weights: Vec<(&str, &[u8])> =
            files.weights.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref())).collect();
        if let Err(error) = MergedModel::new(&files.config_json, &weights, None) {
            problem(error.to_string(), "compare config.json with the files, or fetch all of them again");
        }
    }
    let text = files.tokenizer().and_then(|tokenizer| {
        files.end_of_turn(&tokenizer)?;
        files.generation_defaults()?;
        Ok((files.template()?, tokenizer))
    });
    let text =
        text.map_err(|error| problem(error.to_string(), "correct the file that is named, or fetch it again")).ok();
    if files.chat_template.is_none() {
        let remedy = "it completes texts; for chat, put chat_template.jinja of a model of the same kind beside it";
        problem("the model has no chat template".to_owned(), remedy);
    }
    let template = text.filter(|_| files.chat_template.is_some());
    let file_bytes = files.weights.iter().map(|(_, bytes)| bytes.len()).sum();
    let is_quantised = forms.iter().any(|form| form.is_quantised);
    let memory = config.as_ref().map(|config| Memory::of(config, is_quantised.then_some(file_bytes), options));
    Report {
        model: files.name.clone(),
        family: config.as_ref().map(|config| config.family.model_type()),
        parameters: config.as_ref().map(ModelMemory::parameters),
        file_bytes: file_bytes as u64,
        forms,
        context_length: config.as_ref().map(|config| config.max_position_embeddings),
        chat_template: files.chat_template.is_some(),
        tool_format: template.as_ref().map(|(template, tokenizer)| ToolFormat::of(template, tokenizer).kind().name()),
        reasoning: template
            .as_ref()
            .map(|(template, tokenizer)| ReasoningStyle::of(template, tokenizer).map_or("none", ReasoningStyle::name)),
        problems,
        memory,
    }
}

impl Memory {
    /// Computes it in each format, and for quantised files of so many bytes as they are.
    fn of(config: &ModelConfig, quantised: Option<usize>, options: &Options) -> Self {
        let threads = options.threads.unwrap_or_else(|| Settings::new(PathBuf::new()).threads);
        let instructions = InstructionSet::best();
        let Options { streams, context, rank, batch, length, .. } = *options;
        let workload = Workload { streams, context, rank, batch, length }.within(config);
        let of_format = |format: WeightFormat| {
            let memory = match (format, quantised) {
                (WeightFormat::File, Some(bytes)) => ModelMemory::of_file(config, bytes, instructions, threads),
                (WeightFormat::File, None) => return None, // one of the others
                _ => ModelMemory::new(config, format, instructions, threads),
            };
            Some(FormatMemory { weights: format.name(), needs: MemoryNeeds::of(config, &memory, &workload) })
        };
        Self {
            machine_bytes: machine_memory(),
            instructions: instructions.name(),
            threads,
            context: workload.context,
            streams,
            rank,
            batch,
            length: workload.length,
            formats: WeightFormat::ALL.into_iter().filter_map(of_format).collect(),
        }
    }

    /// Returns a size, and whether it is more than the machine has.
    fn size(&self, bytes: usize, fits: bool) -> String {
        let too_much = !fits || self.machine_bytes.is_some_and(|machine| bytes > machine);
        format!("{}{}", BinaryBytes(bytes as u64), if too_much { " (too much here)" } else { "" })
    }

    fn table(&self) -> Table {
        let mut table = Table::new(["--weights", "WEIGHTS", "SERVE", "LORA", "FULL"]);
        for FormatMemory { weights, needs } in &self.formats {
            let MemoryNeeds { weight_bytes, serving_bytes, lora, full } = needs;
            let training = |training: &JobMemory| {
                let again = if training.recomputes { ", layers twice" } else { "" };
                format!("{}{again}", self.size(training.bytes, training.fits))
            };
            table.row([
                (*weights).to_owned(),
                self.size(*weight_bytes, true),
                self.size(*serving_bytes, true),
                training(lora),
                full.as_ref().map_or_else(|| "not with experts".to_owned(), training),
            ]);
        }
        table
    }
}

impl Report {
    fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| writeln!(text, "{name:11}{value}");
        line("model", &self.model)?;
        line("family", self.family.unwrap_or("not supported"))?;
        if let Some(parameters) = self.parameters {
            line("parameters", &millions(parameters))?;
        }
        let forms: Vec<String> = self.forms.iter().map(|form| format!("{} {}", form.tensors, form.name)).collect();
        if !forms.is_empty() {
            line("files", &format!("{}: {}", BinaryBytes(self.file_bytes), forms.join(", ")))?;
        }
        if let Some(context) = self.context_length {
            line("context", &format!("{context} tokens"))?;
        }
        line("template", if self.chat_template { "there" } else { "none" })?;
        if let (Some(tools), Some(reasoning)) = (self.tool_format, self.reasoning) {
            line("tools", tools)?;
            line("reasoning", reasoning)?;
        }
        for Problem { reason, remedy } in &self.problems {
            line("problem", &format!("{reason}\n{:11}{remedy}", ""))?;
        }
        if let Some(memory) = &self.memory {
            let Memory { context, streams, rank, batch, length, instructions, threads, .. } = memory;
            let machine = memory.machine_bytes.map_or_else(String::new, |bytes| {
                format!(
                    "; this machine has {}, of which training takes at most half for sequences",
                    BinaryBytes(bytes as u64)
                )
            });
            writeln!(
                text,
                "\nMemory with {threads} threads of {instructions}{machine}.\nSERVE: {streams} conversations of {context} tokens. \
                 LORA: rank {rank}, {batch} sequences of {length} tokens. FULL: all weights, as many sequences.\n\n{}",
                memory.table()
            )?;
        }
        Ok(text)
    }
}

/// Returns a number of parameters in words.
fn millions(parameters: usize) -> String {
    match parameters {
        1_000_000_000.. => format!("{:.2} billion", parameters as f64 / 1e9),
        _ => format!("{:.2} million", parameters as f64 / 1e6),
    }
}
