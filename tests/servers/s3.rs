//! A real S3 server over a directory, for testing the service against one: `s3_server DIRECTORY`. Each directory in it is
//! a bucket. Prints its address, takes the key `test` with the secret `test-secret`, and runs until it is ended.

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::env::args().nth(1).ok_or("usage: s3_server DIRECTORY")?;
    let files = s3s_fs::FileSystem::new(&root).map_err(|error| format!("cannot serve {root}: {error:?}"))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single("test", "test-secret"));
    let service = builder.build();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    loop {
        let (socket, _) = listener.accept().await?;
        let service = service.clone();
        tokio::spawn(async move {
            if let Err(error) = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(socket), service).await
            {
                eprintln!("a connection ended: {error}");
            }
        });
    }
}
