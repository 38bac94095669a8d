//! The `trainyard` command: parses its arguments and hands over to [`trainyard::cli`].

fn main() -> std::process::ExitCode {
    trainyard::cli::main()
}
