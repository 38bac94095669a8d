//! `trainyard cluster check`, on doubles whose tokens are those of the embedded engine. `tests/cluster` and
//! `tests/remote_training` run it on real servers.

use serde_json::Value;

use super::{Site, finish, program};
use crate::vllm::{Adapters, Behaviour, FakeVllm};

/// Runs the check of these replicas; the exit code and the printed text.
async fn check(site: &Site, replicas: &[&FakeVllm], more: &[&str]) -> (i32, String) {
    let urls: Vec<String> = replicas.iter().map(|replica| replica.url()).collect();
    let (sampler, data) = (format!("vllm={}", urls.join(",")), site.path().join("data"));
    let mut arguments = vec!["cluster", "check", "--threads", "1", "--sampler", &sampler];
    arguments.extend(["--data-dir", data.to_str().expect("text")]);
    arguments.extend(more);
    let (code, shown, told) = finish(program(site, &arguments)).await;
    (code, shown + &told)
}

#[tokio::test]
async fn replicas_are_measured_beside_the_embedded_engine() {
    let (site, replica) = (Site::new(), FakeVllm::start());
    let (code, text) = check(&site, &[&replica], &["--json"]).await;
    assert_eq!(code, 0, "{text}");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let base = &report["base_models"][0];
    assert_eq!((base["base_model"].as_str(), base["passed"].as_bool()), (Some("trainyard/seedling"), Some(true)));
    let sampler = &base["samplers"][0];
    assert_eq!(sampler["address"], replica.name());
    assert_eq!(sampler["figures"]["version"], "0.32.0");
    for difference in ["base_model_difference", "adapter_difference"] {
        let value = sampler["figures"][difference].as_f64().expect("a number");
        assert!(value < 1e-5, "{difference}: {value}");
    }
    assert!(sampler["figures"]["tokens_per_second"].as_f64().expect("a number") > 0.0);
    assert_eq!(replica.loads().len(), 1);
    // The adapter has the same name again, so the replica has it already.
    let (code, text) = check(&site, &[&replica], &[]).await;
    assert_eq!((code, replica.loads().len()), (0, 1), "{text}");
    assert!(text.contains("1 of 1 base models can be sampled and trained"), "{text}");
}

#[tokio::test]
async fn the_reason_and_the_remedy_of_each_failure_are_shown() {
    type Change = fn(&mut Behaviour);
    let site = Site::new();
    let faults: [(Change, &str); 4] = [
        (|behaviour| behaviour.key = Some("secret".to_owned()), "--sampler-key-file"),
        (|behaviour| behaviour.other_model = true, "it serves another model"),
        (|behaviour| behaviour.version = "0.31.4", "it runs vLLM 0.31.4"),
        (|behaviour| behaviour.adapters = Adapters::Ignored, "it does not apply adapters"),
    ];
    let mut replicas: Vec<FakeVllm> = faults.iter().map(|(fault, _)| FakeVllm::start_with(fault)).collect();
    replicas.push(FakeVllm::start());
    let (code, text) = check(&site, &replicas.iter().collect::<Vec<_>>(), &[]).await;
    assert_eq!(code, 1, "{text}");
    for (replica, (_, reason)) in replicas.iter().zip(faults) {
        let lines = text.lines().skip_while(|line| !line.contains(&replica.name())).take(2).collect::<String>();
        assert!(lines.contains("cannot be used") && lines.contains(reason), "{reason}: {text}");
    }
    let good = text.lines().find(|line| line.contains(&replicas[4].name())).expect("a line");
    assert!(good.contains("0.32.0"), "{text}");
    // A fault that costs speed or safety is advice.
    for (change, advice) in [
        ((|behaviour| behaviour.scale_out = false) as Change, "--enable-scale-out"),
        (|behaviour| behaviour.dev_mode = true, "VLLM_SERVER_DEV_MODE"),
    ] {
        let replica = FakeVllm::start_with(change);
        let (code, text) = check(&site, &[&replica], &[]).await;
        let advised = text.lines().any(|line| line.contains("advice") && line.contains(advice));
        assert!(code == 0 && advised, "{advice}: {text}");
    }
    let (code, text) = check(&site, &[&replicas[4]], &["--trainer", "http://127.0.0.1:9"]).await;
    assert!(code == 1 && text.contains("learner http://127.0.0.1:9: cannot be used"), "{text}");
}

#[tokio::test]
async fn a_configuration_without_other_servers_has_nothing_to_check() {
    let (code, shown, told) = finish(program(&Site::new(), &["cluster", "check"])).await;
    assert_eq!((code, shown.as_str()), (1, ""));
    assert!(told.contains("--sampler") && told.contains("--trainer"), "{told}");
    let unknown = ["cluster", "check", "--trainer", "acme/large=http://127.0.0.1:9"];
    let (code, _, told) = finish(program(&Site::new(), &unknown)).await;
    assert!(code == 1 && told.contains("there is no base model acme/large"), "{told}");
}
