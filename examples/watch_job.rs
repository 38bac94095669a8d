//! Follows a training job to its end.
//!
//! `TRAINYARD_API_KEY=… cargo run --example watch_job -- JOB_ID`

use trainyard::client::Client;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let job = std::env::args().nth(1).ok_or("usage: watch_job JOB_ID")?;
    let mut events = Client::from_env()?.watch_training_job(&job);
    while let Some(event) = events.try_next().await? {
        println!("{}", event.type_);
        for (name, value) in event.data {
            println!("    {name}: {value}");
        }
    }
    Ok(())
}
