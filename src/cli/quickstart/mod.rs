//! `trainyard quickstart`: the whole job on a scratch directory, through the real HTTP API.
//!
//! It starts a service, teaches the built-in model by SFT, improves it by a few rounds of RL, shows loss and reward as
//! they move, and says how to reach what it made.

mod session;
mod toy;

use std::{path::PathBuf, time::Instant};

use clap::Args;
use tokio::{net::TcpListener, sync::watch};

use self::session::Session;
use super::{Failure, plot::line_plot, serve::LoadProgress};
use crate::{
    engine::ChatShare,
    server::{Limits, Service, Settings},
};

/// Passes over the examples: each is one job.
const LESSONS: usize = 3;

#[derive(Args)]
#[command(after_help = "Examples:\n  trainyard quickstart\n  trainyard quickstart --rounds 10 --data-dir ./scratch")]
pub(super) struct Options {
    /// Where to keep what is made [default: a new directory among the temporary files].
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Rounds of reinforcement learning.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
}

pub(super) async fn run(options: Options) -> Result<(), Failure> {
    let started = Instant::now();
    let directory = match options.data_dir {
        Some(directory) => directory,
        None => std::env::temp_dir().join(format!("trainyard-quickstart-{}", uuid::Uuid::now_v7().simple())),
    };
    std::fs::create_dir_all(&directory)?;
    let directory = directory.canonicalize()?;
    let settings = Settings {
        artifacts: None,
        data_directory: directory.clone(),
        database: None,
        base_models: Vec::new(),
        wandb: None,
        allow_data: vec![
            url::Url::from_directory_path(&directory).map_err(|()| "the scratch directory has no URL")?.into(),
        ],
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        chat_share: ChatShare::default(),
        cache_bytes: 64 << 20,
        weights: Default::default(),
        worker: true,
        limits: Limits::default(),
    };
    let mut progress = LoadProgress::default();
    let service = Service::open(&settings, &mut |stage, done, total| progress.show(stage, done, total)).await?;
    progress.finish();
    let key = service.scratch_key().await?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    println!("Trainyard answers at {url}; its data is in {}\n", directory.display());
    let (stop, stopped) = watch::channel(false);
    let server = tokio::spawn(service.run(listener, None, stopped));

    let session = Session::open(&url, key.reveal()).await?;
    let outcome = show(&session, &directory, options.rounds).await;
    let _ = stop.send(true);
    server.await?;
    outcome?;

    println!(
        "\nThat took {:.0} seconds. To go on from Python with what was made:\n\n    trainyard serve --data-dir {}\n",
        started.elapsed().as_secs_f64(),
        directory.display()
    );
    println!(
        "    from openai import OpenAI\n    client = OpenAI(base_url=\"http://127.0.0.1:8000/v1\", api_key=\"{}\")\n    \
         print(client.chat.completions.create(\n        model=\"{}\",\n        messages=[{{\"role\": \"user\", \"content\": \
         \"{}\"}}],\n    ).choices[0].message.content)\n\n    import art\n    backend = \
         art.ServerlessBackend(base_url=\"http://127.0.0.1:8000/v1\", api_key=\"…the same…\")",
        key.reveal(),
        session.model_name(),
        toy::FACTS[0].0,
    );
    Ok(())
}

/// What there is to see: before, SFT, RL, after.
async fn show(session: &Session, directory: &std::path::Path, rounds: u32) -> Result<(), Failure> {
    println!("1. Before training the model does not know the answers:\n");
    ask_facts(session).await?;

    println!("\n2. Supervised fine-tuning on {} examples:\n", toy::lesson(0).len() * LESSONS);
    let mut losses = Vec::new();
    for lesson in 0..LESSONS {
        let file = directory.join(format!("lesson-{lesson}.jsonl"));
        let rows: String = toy::lesson(lesson).iter().map(|row| format!("{row}\n")).collect();
        std::fs::write(&file, rows)?;
        losses.extend(session.train_on_file(&file, &format!("lesson {} of {LESSONS}", lesson + 1)).await?);
    }
    print!("{}", line_plot("loss", &losses));
    println!("\n   Now it does:\n");
    ask_facts(session).await?;

    println!(
        "\n3. Reinforcement learning. Asked to say yes, no or maybe, it gets {} for maybe, {} for no, {} for yes:\n",
        toy::REWARDS[0].1,
        toy::REWARDS[1].1,
        toy::REWARDS[2].1
    );
    let mut rewards = Vec::new();
    for round in 1..=rounds {
        let groups = session.roll_out(u64::from(round)).await?;
        rewards.push(groups.mean_reward);
        println!("   round {round}: mean reward {:.3}", groups.mean_reward);
        session.train_on_groups(groups, &format!("round {round} of {rounds}")).await?;
    }
    let last = session.roll_out(0).await?.mean_reward;
    rewards.push(last);
    println!("   after  : mean reward {last:.3}\n");
    print!("{}", line_plot("mean reward", &rewards));
    println!("\n   Every step stays servable. The prompt \"{}\":\n", toy::PROMPTS[0]);
    for step in [0, LESSONS as u64, LESSONS as u64 + u64::from(rounds)] {
        let answer = session.ask(Some(step), toy::PROMPTS[0]).await?;
        println!("   step {step:>2}: {answer}");
    }
    Ok(())
}

async fn ask_facts(session: &Session) -> Result<(), Failure> {
    for (question, _) in toy::FACTS {
        println!("   {question}  →  {}", session.ask(None, question).await?);
    }
    Ok(())
}
