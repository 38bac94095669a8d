//! `trainyard serve`: runs the service until a signal stops it.

use super::options::{EngineKind, ServeOptions};
use super::progress::LoadProgress;
use super::signals::stop_on_signal;
use super::{CommandError, engines, service_manager};
use crate::server::{Service, bind, bound_connections};

pub(super) async fn run(options: ServeOptions) -> Result<(), CommandError> {
    let mut settings = options.settings()?;
    // Sockets are bound first, so that an address in use is reported before minutes of loading.
    let listener = bind(options.listen()?)?;
    let inference = match options.inference_listen()? {
        Some(address) => Some(bind(address)?),
        None => None,
    };
    let mut progress = LoadProgress::default();
    let engines = match options.engine {
        Some(EngineKind::Managed) => Some(engines::start(options.engines_dir, &mut settings, &mut progress).await?),
        Some(EngineKind::Embedded) | None => None,
    };
    settings.limits.connections = bound_connections(settings.limits.connections, 1 + inference.iter().len());
    let service = Service::open(&settings, &mut |stage, done, total| progress.show(stage, done, total)).await?;
    progress.finish();
    let address = listener.local_addr()?;
    if let Some(key) = service.first_key().await? {
        let link = service.sign_in_link(address, &key)?;
        let key = key.reveal();
        note!(
            "This is the first start, so here is an API key. It is shown this once:\n\n    {key}\n\nOpen the \
             dashboard; this link signs in once, within ten minutes:\n\n    {link}\n\nTry the API:\n\n    \
             curl http://{address}/v1/chat/completions -H 'Authorization: Bearer {key}' \\\n      \
             -H 'Content-Type: application/json' \\\n      -d '{{\"model\": \"trainyard/seedling\", \"messages\": \
             [{{\"role\": \"user\", \"content\": \"hello\"}}]}}'\n\nKeep it for other commands: trainyard login \
             --base-url http://{address}\nMore keys: trainyard keys create --entity NAME\n"
        );
    }
    match &inference {
        Some(inference) => note!("inference at http://{}/v1", inference.local_addr()?),
        None => note!("inference at http://{address}/inference/v1"),
    }
    note!("dashboard at http://{address}/dashboard/");
    let stopped = stop_on_signal("stopping: running requests may finish");
    // Scripts wait for this line.
    note!("listening on http://{address}");
    service_manager::ready();
    service.run(listener, inference, stopped).await;
    drop(engines);
    Ok(())
}
