//! `trainyard quickstart`: a complete training run in a temporary directory, through the real HTTP API.
//!
//! It starts a service, trains the built-in model by SFT, improves it by a few rounds of RL, plots loss and reward, and
//! prints how to use the result. On a terminal the service then stays open, to show the last job in a browser.

mod scratch;
mod session;
mod toy;

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use self::scratch::Scratch;
use self::session::Session;
use super::plot::line_plot;
use super::progress::LoadProgress;
use super::signals::wait_for_signal;
use super::{CommandError, INTERRUPTED, print};
use crate::auth::{ApiKey, SignInCodes};
use crate::server::{Service, Settings};

/// Number of passes over the examples; each pass is one job.
const LESSONS: usize = 3;
/// Time limit for the service to stop.
const END_TIME: Duration = Duration::from_secs(10);

#[derive(Args)]
#[command(after_help = "The results are removed at the end, also after Ctrl-C, unless --keep names a directory.\n\n\
    Examples:\n  trainyard quickstart\n  trainyard quickstart --keep --rounds 10\n  trainyard quickstart --keep ./scratch")]
pub(super) struct Options {
    /// Keep the service open at the end, until Ctrl-C, as on a terminal; with DIR, keep the results there too.
    #[arg(long, alias = "data-dir", value_name = "DIR")]
    keep: Option<Option<PathBuf>>,
    /// Number of rounds of reinforcement learning.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
}

/// A running service with its stop switch.
struct Running {
    address: SocketAddr,
    key: ApiKey,
    sign_in_codes: Arc<SignInCodes>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// Result of the training.
struct Trained {
    model: String,
    last_job: String,
}

pub(super) async fn run(options: Options) -> Result<ExitCode, CommandError> {
    let stays_open = options.keep.is_some() || std::io::stdout().is_terminal();
    let scratch =
        Scratch::new(options.keep.flatten()).map_err(|error| format!("cannot make the directory: {error}"))?;
    let mut running = None;
    let learned = tokio::select! {
        learned = learn(&scratch, options.rounds, &mut running) => learned.map(Some),
        () = wait_for_signal() => Ok(None),
    };
    let outcome = match (learned, &mut running) {
        (Ok(Some(trained)), Some(running)) => match tell(&scratch, &trained, running, stays_open) {
            Ok(()) if stays_open => {
                tokio::select! {
                    () = wait_for_signal() => {}
                    _ = &mut running.task => {}
                }
                note!("\nstopped");
                Ok(ExitCode::SUCCESS)
            }
            told => told.map(|()| ExitCode::SUCCESS),
        },
        (Ok(_), _) => {
            note!("\nstopped");
            Ok(ExitCode::from(INTERRUPTED))
        }
        (Err(error), _) => Err(error),
    };
    if let Some(Running { stop, task, .. }) = running
        && !task.is_finished()
    {
        let _ = stop.send(true);
        // A service that does not stop in time ends with the process.
        let _ = tokio::time::timeout(END_TIME, task).await;
    }
    outcome
}

/// Starts the service and trains on it.
async fn learn(scratch: &Scratch, rounds: u32, running: &mut Option<Running>) -> Result<Trained, CommandError> {
    let started = Instant::now();
    let directory = scratch.path();
    let data = url::Url::from_directory_path(directory).map_err(|()| "the scratch directory has no URL")?;
    let settings =
        Settings { allow_data: vec![data.into()], cache_bytes: 64 << 20, ..Settings::new(directory.to_owned()) };
    let mut progress = LoadProgress::default();
    let service = Service::open(&settings, &mut |stage, done, total| progress.show(stage, done, total)).await?;
    progress.finish();
    let key = service.scratch_key().await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let url = format!("http://{address}");
    let link = service.sign_in_link(address, &key)?;
    let until = if scratch.is_kept() { "" } else { " until this command ends" };
    print(&format!("The service listens on {url}; its data is in {}{until}\n", directory.display()))?;
    print(&format!("Watch it in a browser; this link signs in once: {link}\n\n"))?;
    let (stop, stopped) = watch::channel(false);
    let sign_in_codes = service.sign_in_codes();
    let task = tokio::spawn(service.run(listener, None, stopped));
    *running = Some(Running { address, key: key.clone(), sign_in_codes, stop, task });

    let session = Session::open(&url, key.reveal()).await?;
    let last_job = show(&session, directory, rounds).await?;
    print(&format!("\nThat took {:.0} seconds. ", started.elapsed().as_secs_f64()))?;
    Ok(Trained { model: session.model_name(), last_job })
}

/// Prints how to use the results, and a link to the last job if the service stays open.
fn tell(scratch: &Scratch, trained: &Trained, running: &Running, stays_open: bool) -> Result<(), CommandError> {
    let Running { address, key, sign_in_codes, .. } = running;
    if scratch.is_kept() {
        print(&farewell(scratch.path(), key.reveal(), &trained.model))?;
    } else {
        let removed = if stays_open { "at the end" } else { "now" };
        print(&format!(
            "The results are removed {removed}. To keep them and use them from Python:\n\n    \
             trainyard quickstart --keep ./scratch\n\nTo start a service:\n\n    trainyard serve\n",
        ))?;
    }
    if !stays_open {
        return Ok(());
    }
    let code = sign_in_codes.create(key)?;
    print(&format!(
        "\nThe service stays open until Ctrl-C. See the last job in a browser; this link signs in once:\n\n    \
         http://{address}/dashboard/#code={code}/jobs/{}\n",
        trained.last_job
    ))
}

/// Describes how to use the kept model.
fn farewell(directory: &Path, key: &str, model: &str) -> String {
    format!(
        "To use the results from Python:\n\n    trainyard serve --data-dir {}\n\n    \
         from openai import OpenAI\n    client = OpenAI(base_url=\"http://127.0.0.1:8000/v1\", api_key=\"{key}\")\n    \
         print(client.chat.completions.create(\n        model=\"{model}\",\n        messages=[{{\"role\": \"user\", \"content\": \
         \"{}\"}}],\n    ).choices[0].message.content)\n\n    import art\n    backend = \
         art.ServerlessBackend(base_url=\"http://127.0.0.1:8000/v1\", api_key=\"…the same…\")\n",
        directory.display(),
        toy::FACTS[0].0,
    )
}

/// Runs and prints all parts: the untrained model, SFT, RL, the trained steps.
/// Returns the id of the last job.
async fn show(session: &Session, directory: &Path, rounds: u32) -> Result<String, CommandError> {
    say("1. Before training the model does not know the answers:\n")?;
    ask_facts(session).await?;

    say(&format!("\n2. Supervised fine-tuning on {} examples:\n", toy::lesson(0).len() * LESSONS))?;
    let mut losses = Vec::new();
    for lesson in 0..LESSONS {
        let file = directory.join(format!("lesson-{lesson}.jsonl"));
        let rows: String = toy::lesson(lesson).iter().map(|row| format!("{row}\n")).collect();
        std::fs::write(&file, rows)?;
        losses.extend(session.train_on_file(&file, &format!("lesson {} of {LESSONS}", lesson + 1)).await?);
    }
    print(&line_plot("loss", &losses))?;
    say("\n   After training:\n")?;
    ask_facts(session).await?;

    say(&format!(
        "\n3. Reinforcement learning. Asked to say yes, no or maybe, it gets {} for maybe, {} for no, {} for yes:\n",
        toy::REWARDS[0].1,
        toy::REWARDS[1].1,
        toy::REWARDS[2].1
    ))?;
    let (mut rewards, mut last_job) = (Vec::new(), String::new());
    for round in 1..=rounds {
        let groups = session.roll_out(u64::from(round)).await?;
        rewards.push(groups.mean_reward);
        say(&format!("   round {round}: mean reward {:.3}", groups.mean_reward))?;
        last_job = session.train_on_groups(groups, &format!("round {round} of {rounds}")).await?;
    }
    let last = session.roll_out(0).await?.mean_reward;
    rewards.push(last);
    say(&format!("   after  : mean reward {last:.3}\n"))?;
    print(&line_plot("mean reward", &rewards))?;
    say(&format!("\n   Every step remains servable. The prompt \"{}\":\n", toy::PROMPTS[0]))?;
    for step in [0, LESSONS as u64, LESSONS as u64 + u64::from(rounds)] {
        let completion = session.ask(Some(step), toy::PROMPTS[0]).await?;
        say(&format!("   step {step:>2}: {completion}"))?;
    }
    Ok(last_job)
}

async fn ask_facts(session: &Session) -> Result<(), CommandError> {
    for (question, _) in toy::FACTS {
        say(&format!("   {question}  →  {}", session.ask(None, question).await?))?;
    }
    Ok(())
}

/// Prints a line.
fn say(line: &str) -> Result<(), CommandError> {
    print(&format!("{line}\n"))
}
