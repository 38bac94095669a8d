//! Files, checkpoints, fine-tuning, W&B, deletion.

mod checkpoints;
mod deletion;
mod exports;
mod files;
mod fine_tuning;
mod missing_directory;
mod overflow;
mod wandb;
