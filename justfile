# The commands of development; each is a line that can be typed as well. https://just.systems

# Lists the commands.
default:
    @just --list

# Formatting, lints, documentation, features and spelling: the part of `tests/run` that builds no tests.
check:
    tests/check

# Rust tests of one crate or name: `just test store::`.
test *FILTER:
    cargo test --workspace {{ FILTER }}

# Everything, as CI runs it.
test-all:
    tests/run

# Accepts new snapshots and publishes the document of this version. Read the diff before you commit.
bless:
    INSTA_UPDATE=always cargo test --test all contract
    cargo run -- spec publish
    git diff --stat tests spec generated

# The documentation of the crates.
docs:
    cargo doc --workspace --no-deps --open

# The book, at http://127.0.0.1:8001; needs `pip install -r docs/requirements.txt`.
book:
    mkdocs serve --dev-addr 127.0.0.1:8001

# Benchmarks against the peers: see benches/README.md.
bench *NAME:
    cargo bench {{ NAME }}

# The program as it is distributed: stripped, with link-time optimisation of the whole.
release:
    cargo build --profile dist --locked
