//! Rules of workers and their reports.

use super::{LONG, Store, job, model, worker};
use crate::store::records::{LeasedJob, WorkerReport};

pub(crate) async fn a_worker_is_listed_with_its_jobs_until_it_leaves(store: Store) {
    assert!(store.list_workers().await.unwrap().is_empty());
    let report = |name: &str| {
        let profile = worker(name);
        let (name, base_models, weights) = (profile.owner, profile.base_models, profile.weights);
        WorkerReport { name, host: "gpu-1".to_owned(), version: "1.2.3".to_owned(), weights, base_models }
    };
    let (one, two) = (report("one"), report("two"));
    for report in [&one, &two, &one] {
        store.report_worker(report).await.unwrap();
    }
    let model = model(&store, "acme", "agent").await;
    let held = job(&store, &model).await;
    let waiting = job(&store, &model).await;
    let lease = store.claim_next(&worker("two"), LONG).await.unwrap().unwrap().lease;
    let workers = store.list_workers().await.unwrap();
    let names: Vec<&str> = workers.iter().map(|worker| worker.report.name.as_str()).collect();
    assert_eq!(names, ["one", "two"]);
    assert_eq!((&workers[0].report, &workers[1].report), (&one, &two));
    assert!(workers.iter().all(|worker| worker.is_alive && worker.started_at <= worker.reported_at));
    assert_eq!(workers[0].jobs, []);
    assert_eq!(workers[1].jobs, [LeasedJob { id: held.id, entity: "acme".to_owned() }]);
    store.release_job(&lease).await.unwrap();
    assert_eq!(store.list_workers().await.unwrap()[1].jobs, [], "{} waits as {} does", held.id, waiting.id);
    store.remove_worker("one").await.unwrap();
    store.remove_worker("one").await.unwrap();
    assert_eq!(store.list_workers().await.unwrap().len(), 1);
}
