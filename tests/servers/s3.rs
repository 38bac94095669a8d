//! A real S3 server over a directory, for testing the service against one: `s3_server DIRECTORY`. Each directory in it is
//! a bucket. Prints its address, takes the key `test` with the secret `test-secret`, and runs until it is ended.

#[path = "../support/s3.rs"]
mod s3;

use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::env::args().nth(1).ok_or("usage: s3_server DIRECTORY")?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    s3::serve(listener, root.as_ref()).await
}
