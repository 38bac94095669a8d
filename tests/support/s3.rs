//! A real S3 server over a directory: each directory in it is a bucket. It takes the key `test` with the secret
//! `test-secret`.

use std::error::Error;
use std::path::Path;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tokio::net::TcpListener;

/// Serves the buckets in `root` until it is dropped.
pub(crate) async fn serve(listener: TcpListener, root: &Path) -> Result<(), Box<dyn Error>> {
    let files = s3s_fs::FileSystem::new(root).map_err(|error| format!("cannot serve {}: {error:?}", root.display()))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single("test", "test-secret"));
    let service = builder.build();
    loop {
        let (socket, _) = listener.accept().await?;
        let service = service.clone();
        tokio::spawn(async move {
            // A client that goes away is no fault of the server.
            let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(socket), service).await;
        });
    }
}
