//! Files, checkpoints, fine-tuning, W&B, deletion.

mod checkpoints;
mod deletion;
mod files;
mod fine_tuning;
mod wandb;
