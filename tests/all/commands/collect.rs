//! `collect`: attempts of an agent program, their rewards, and training on them.

use std::os::unix::fs::PermissionsExt;

use reqwest::Method;
use serde_json::json;

use super::{asking, done, finish, run};
use crate::support::process::{Process, Site};
use crate::support::{SEEDLING, row};

/// An agent that asks for a word, in Anthropic's dialect and with a model of its own, and succeeds with one of them.
const AGENT: &str = r#"#!/bin/sh
body='{"model":"some-small-model","max_tokens":8,"temperature":1,"messages":[{"role":"user","content":"yes, no or maybe?"}]}'
said=$(curl -sf "$ANTHROPIC_BASE_URL/v1/messages" -H "x-api-key: $ANTHROPIC_API_KEY" -H 'content-type: application/json' \
    -d "$body") || exit 9
echo "$said"
case "$said" in *'"text":"maybe'*) exit 0 ;; *) exit 1 ;; esac
"#;

/// Writes a script into the site; returns its path.
fn script(site: &Site, name: &str, content: &str) -> String {
    let path = site.path().join(name);
    std::fs::write(&path, content).expect("the script is written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    path.display().to_string()
}

/// The mean reward in the output of `collect`.
fn mean_reward(shown: &str) -> f64 {
    let line = shown.lines().next().unwrap_or_default();
    line.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no mean reward: {shown}"))
}

#[tokio::test]
async fn the_mean_reward_of_an_agent_rises() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    let agent = script(&site, "agent.sh", AGENT);
    let words: Vec<String> =
        (0..60).map(|n| row("yes, no or maybe?", ["yes", "no", "maybe"][n % 3]).to_string()).collect();
    let data = script(&site, "train.jsonl", &words.join("\n"));
    let lesson =
        ["sft", "demo/agent", &data, "--base-model", SEEDLING, "--batch-size", "6", "--learning-rate", "0.005"];
    done(&site, &root, &[&lesson[..], &["--watch"]].concat()).await;
    let mut means = Vec::new();
    for step in 0..5 {
        let collect = ["collect", "--model", "demo/agent", "--n", "16", "--train", "--learning-rate", "0.0003"];
        let (code, shown, told) = run(&site, &root, &[&collect[..], &["--", &agent]].concat()).await;
        assert_eq!(code, 0, "step {step}: {shown}{told}");
        assert!(shown.contains(": 16 sessions, mean reward ") && told.contains("attempt 16: reward "), "{shown}{told}");
        means.push(mean_reward(&shown));
    }
    assert!(means[0] < 0.75 && means[4] > means[0] + 0.2, "the mean reward rises: {means:?}");
    server.stop();
}

#[tokio::test]
async fn an_attempt_gets_its_session_and_no_other_key() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    done(&site, &root, &["models", "create", "demo/agent", "--base-model", SEEDLING]).await;
    let collect = ["collect", "--model", "demo/agent", "--n", "2", "--parallel", "1", "--group", "g"];
    let shown = "env | sort > \"$0\"; echo \"$1 $2 $3\" >> \"$0\"; echo reward 0.25";
    let file = site.path().join("shown").display().to_string();
    let program = ["--reward-from-output", "--", "sh", "-c", shown, &file, "{base_url}", "{key}", "{model}"];
    let mut command = asking(&site, &root, &[&collect[..], &program].concat());
    command.env("OTHER_API_KEY", "secret").env("OPENAI_API_KEY", "secret").env("HARMLESS", "1");
    let (code, shown, told) = finish(command).await;
    assert_eq!((code, mean_reward(&shown)), (0, 0.25), "{shown}{told}");
    let environment = std::fs::read_to_string(&file).expect("what the program saw");
    let last = environment.lines().last().expect("its arguments");
    let [base_url, key, model] = last.split(' ').collect::<Vec<_>>()[..] else { panic!("three arguments: {last}") };
    assert_eq!((base_url, model), (&*format!("{root}/v1"), "acme/demo/agent"));
    for line in [
        format!("OPENAI_BASE_URL={base_url}"),
        format!("OPENAI_API_KEY={key}"),
        format!("ANTHROPIC_BASE_URL={root}"),
        format!("ANTHROPIC_AUTH_TOKEN={key}"),
        format!("ANTHROPIC_MODEL={model}"),
        "HARMLESS=1".to_owned(),
    ] {
        assert!(environment.lines().any(|found| found == line), "{line}: {environment}");
    }
    assert!(!environment.contains("secret") && !environment.contains(&site.key), "{environment}");

    // Attempts with a reward count; those that were interrupted are made again.
    let resumed = ["collect", "--model", "demo/agent", "--n", "3", "--group", "g", "--grade"];
    let grade = "read -r line; echo \"$line, exit $EXIT_CODE: 0.75\"";
    let (code, shown, told) =
        run(&site, &root, &[&resumed[..], &[grade, "--", "sh", "-c", "echo done; exit 7"]].concat()).await;
    assert_eq!(code, 0, "{shown}{told}");
    assert!(told.contains("group g has 2 attempts with a reward") && told.contains("attempt 3: reward 0.75"), "{told}");
    assert!(!told.contains("attempt 2:") && (mean_reward(&shown) - 1.25 / 3.0).abs() < 1e-3, "{shown}");
    for (more, code, reason) in [
        (&["--timeout", "1", "--", "sleep", "600"][..], 0, "attempt 1: reward 0, stopped at its time limit"),
        (&["--grade", "echo none", "--", "true"], 1, "no reward: --grade printed no number: none"),
        (&["--grade", "echo wrong >&2; exit 1", "--", "true"], 1, "no reward: --grade failed: wrong"),
        (&["--", "/nowhere/agent"], 1, "/nowhere/agent cannot be started"),
    ] {
        let command = [&["collect", "--model", "demo/agent", "--n", "1"][..], more].concat();
        let (exit, shown, told) = run(&site, &root, &command).await;
        assert!(exit == code && told.contains(reason), "{more:?}: {exit} {shown}{told}");
    }
    // Sessions without a reward are not left behind.
    let sessions = site.call(&server, Method::GET, "/v1/preview/sessions?limit=100", None).await.ok();
    let sessions = sessions["data"].as_array().expect("a list");
    assert!(sessions.iter().all(|session| session["reward"].is_number() && session["tags"] == json!(["collect"])));
    assert_eq!(sessions.len(), 4);
    server.stop();
}

#[tokio::test]
async fn attempts_that_were_broken_off_are_made_again() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    done(&site, &root, &["models", "create", "demo/agent", "--base-model", SEEDLING]).await;
    let begun = site.path().join("begun");
    let agent = script(&site, "killed.sh", "#!/bin/sh\n[ -e \"$1\" ] || { touch \"$1\"; kill -9 $$; }\n");
    let endless = site.path().join("endless");
    std::os::unix::fs::symlink(&endless, &endless).expect("a link to itself");
    let (agent, begun, endless) = (&*agent, &*begun.display().to_string(), &*endless.display().to_string());
    for (more, code, expected, absent) in [
        (
            &["--", agent, begun][..],
            0,
            &["attempt 1: the program was killed by signal 9; again in 1 s (1 of 3)", "attempt 1: reward 1"][..],
            "no reward",
        ),
        (
            &["--retries", "1", "--", "sh", "-c", "kill -15 $$"],
            1,
            &["(1 of 1)", "attempt 1: no reward: the program was killed by signal 15"],
            "(2 of",
        ),
        (&["--retries", "0", "--", endless], 1, &["attempt 1: no reward: ", "cannot be started"], "again in"),
    ] {
        let collect = ["collect", "--model", "demo/agent", "--n", "1"];
        let (exit, shown, told) = run(&site, &root, &[&collect[..], more].concat()).await;
        assert_eq!(exit, code, "{more:?}: {shown}{told}");
        assert!(expected.iter().all(|text| told.contains(text)) && !told.contains(absent), "{more:?}: {told}");
    }
    // The sessions of attempts that were broken off are deleted.
    let sessions = site.call(&server, Method::GET, "/v1/preview/sessions", None).await.ok();
    assert_eq!(sessions["data"].as_array().map(Vec::len), Some(1), "{sessions}");
    server.stop();
}
