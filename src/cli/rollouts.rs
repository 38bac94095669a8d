//! `trainyard rollouts`: the trajectory groups of a job, with rewards, advantages and texts.

use std::process::ExitCode;

use clap::Args;

use super::remote::Remote;
use super::table::Table;
use super::{CommandError, print_report};
use crate::client::types::{
    SortOrder, TrainingJobDrop, TrainingJobGroup, TrainingJobGroupSort, TrainingJobRemark, TrainingJobTrajectory,
};

/// Maximum number of rewards in a row of the table.
const SHOWN_REWARDS: usize = 8;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    trainyard rollouts 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4\n  \
    trainyard rollouts 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4 --sort reward_mean --order desc --search \"red?\"\n  \
    trainyard rollouts 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4 --drops\n  \
    trainyard rollouts 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4 --group 0\n  \
    trainyard rollouts 01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4 --group 0 --json")]
pub(super) struct Options {
    /// Id of an RL job.
    job: String,
    /// Show the trajectories of this group: its position in the request, from 0.
    #[arg(long, conflicts_with_all = ["drops", "sort", "order", "left_out", "search"])]
    group: Option<String>,
    /// List each place that is left out of training, and each turn whose message and tokens disagree.
    #[arg(long, conflicts_with_all = ["sort", "order", "left_out", "search"])]
    drops: bool,
    /// Sort the groups by this value instead of their position.
    #[arg(long, value_name = "VALUE")]
    sort: Option<TrainingJobGroupSort>,
    /// Order of the groups: asc or desc.
    #[arg(long)]
    order: Option<SortOrder>,
    /// Show only groups that are left out of training, or with `false` only the others.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    left_out: Option<bool>,
    /// Show only groups with this text in a message.
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Maximum number of groups, trajectories or places.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: u32,
    /// Continue after this group, trajectory or place.
    #[arg(long)]
    after: Option<String>,
    /// Print JSON: with --group, the tokens and their log-probabilities too.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    remote: Remote,
}

pub(super) async fn run(options: Options) -> Result<ExitCode, CommandError> {
    let Options { job, group, drops, sort, order, left_out, search, limit, after, json, remote } = options;
    let client = remote.client()?;
    let (has_more, last) = match group {
        None if drops => {
            let mut request = client.list_training_job_drops(&job).limit(limit);
            request.after = after;
            let page = request.await?.into_inner();
            print_report(json, &page.data, &table_of_drops(&page.data).to_string())?;
            (page.has_more, page.last_id)
        }
        None => {
            let mut request = client.list_training_job_groups(&job).limit(limit);
            (request.after, request.sort, request.order) = (after, sort, order);
            (request.dropped, request.q) = (left_out, search);
            let page = request.await?.into_inner();
            print_report(json, &page.data, &as_table(&page.data).to_string())?;
            (page.has_more, page.last_id)
        }
        Some(group) => {
            let mut request = client.list_training_job_trajectories(&job, &group).limit(limit);
            request.after = after;
            let page = request.await?.into_inner();
            print_report(json, &page.data, &page.data.iter().map(as_text).collect::<String>())?;
            (page.has_more, page.last_id)
        }
    };
    if has_more {
        note!("there are more: --after {last}");
    }
    Ok(ExitCode::SUCCESS)
}

fn as_table(groups: &[TrainingJobGroup]) -> Table {
    let mut table = Table::new(["GROUP", "TRAJECTORIES", "MEAN", "SPREAD", "REWARDS", "LEFT OUT"]);
    for group in groups {
        let mut rewards: Vec<String> = group.rewards.iter().take(SHOWN_REWARDS).map(|&reward| number(reward)).collect();
        if group.num_trajectories > rewards.len() as u64 {
            rewards.push("…".to_owned());
        }
        table.row([
            group.id.clone(),
            group.num_trajectories.to_string(),
            group.reward_mean.map(number).unwrap_or_default(),
            group.reward_deviation.map(number).unwrap_or_default(),
            rewards.join(" "),
            group.dropped.as_ref().map(|remark| printable(&remark.message)).unwrap_or_default(),
        ]);
    }
    table
}

fn table_of_drops(drops: &[TrainingJobDrop]) -> Table {
    let mut table = Table::new(["NUMBER", "GROUP", "CODE", "PLACE", "WHY"]);
    for drop in drops {
        let TrainingJobDrop { id, group_id, code, place, message, .. } = drop;
        table.row([id.clone(), group_id.clone(), code.clone(), place.clone(), printable(message)]);
    }
    table
}

/// Returns a trajectory with its remarks and the texts of its sequences.
fn as_text(trajectory: &TrainingJobTrajectory) -> String {
    let trained: usize = trajectory.sequences.iter().flat_map(|sequence| &sequence.trained).filter(|it| **it).count();
    let advantage = trajectory.advantage.map_or_else(|| "none".to_owned(), number);
    let TrainingJobTrajectory { id, reward, .. } = trajectory;
    let reward = number(*reward);
    let mut text = format!("trajectory {id}: reward {reward}, advantage {advantage}, {trained} trained tokens\n");
    let remark = |kind: &str, TrainingJobRemark { code, place, message }: &TrainingJobRemark| {
        format!("  {kind}: {} ({code}, {place})\n", printable(message))
    };
    text.extend(trajectory.dropped.iter().map(|dropped| remark("left out", dropped)));
    text.extend(trajectory.drift.iter().map(|drift| remark("drift", drift)));
    for sequence in &trajectory.sequences {
        let whole: String = sequence.texts.concat();
        text.extend(whole.lines().map(|line| format!("  | {}\n", printable(line))));
    }
    text.push('\n');
    text
}

/// Returns a number with four decimals at most.
fn number(value: f64) -> String {
    format!("{value:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a text without the characters that control a terminal or the direction of text: escape sequences in a rollout are
/// not executed.
fn printable(text: &str) -> String {
    let turns = |character| matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = |character: char| match character.is_control() || turns(character) {
        true => character.escape_default().to_string(),
        false => character.to_string(),
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_escape_sequences_are_shown() {
        assert_eq!([0.0, 1.0, -0.25, 0.123_456, 10.0].map(number), ["0", "1", "-0.25", "0.1235", "10"]);
        assert_eq!(printable("a\u{1b}[31m☃\u{202e}b"), "a\\u{1b}[31m☃\\u{202e}b");
    }
}
