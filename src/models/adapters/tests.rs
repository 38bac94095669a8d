use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::engine::testing::odd_config;
use crate::engine::{LoraOptions, ModelConfig};

fn adapter(seed: u64) -> Adapter {
    Adapter::new(&ModelConfig::from_json(&odd_config().to_string()).unwrap(), &LoraOptions::new(2, 4.0), seed)
}

fn key(model: u128, content: u8) -> AdapterKey {
    let file = ArtifactId::of(&[content]);
    AdapterKey::new(Uuid::from_u128(model), &AdapterArtifacts { config: file, weights: file })
}

#[tokio::test]
async fn an_adapter_that_many_ask_for_is_loaded_once() {
    let (cache, loads) = (Arc::new(AdapterCache::new(1 << 30, 4)), Arc::new(AtomicUsize::new(0)));
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let (cache, loads) = (cache.clone(), loads.clone());
            tokio::spawn(async move {
                let load = async || {
                    loads.fetch_add(1, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                    Ok::<_, ()>(adapter(1))
                };
                cache.get_or_load(key(1, 1), load).await.unwrap()
            })
        })
        .collect();
    let mut adapters = Vec::new();
    for task in tasks {
        adapters.push(task.await.unwrap());
    }
    assert_eq!(loads.load(Ordering::SeqCst), 1);
    assert!(adapters.iter().all(|adapter| Arc::ptr_eq(adapter, &adapters[0])));
    assert!(cache.resident.lock().loading.is_empty());
    assert_eq!(cache.load().pinned, 1);
    drop(adapters);
    assert_eq!(cache.load(), AdapterLoad { resident: 1, pinned: 0, bytes: adapter(1).resident_bytes() });
}

#[tokio::test]
async fn a_load_that_fails_or_is_given_up_is_tried_again() {
    let cache = AdapterCache::new(1 << 30, 4);
    assert_eq!(cache.get_or_load(key(1, 1), async || Err("broken")).await, Err("broken"));
    let given_up = cache.get_or_load(key(1, 1), async || std::future::pending::<Result<Adapter, ()>>().await);
    assert!(futures_util::FutureExt::now_or_never(given_up).is_none());
    assert!(cache.resident.lock().loading.is_empty());
    assert!(cache.get_or_load(key(1, 1), async || Ok::<_, ()>(adapter(1))).await.is_ok());
}

#[tokio::test]
async fn only_so_many_are_loaded_at_a_time() {
    let (cache, now, most) =
        (Arc::new(AdapterCache::new(1 << 30, 4)), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let tasks: Vec<_> = (0..20)
        .map(|content| {
            let (cache, now, most) = (cache.clone(), now.clone(), most.clone());
            tokio::spawn(async move {
                let load = async || {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                    now.fetch_sub(1, Ordering::SeqCst);
                    Ok::<_, ()>(adapter(1))
                };
                cache.get_or_load(key(1, content), load).await.unwrap();
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(most.load(Ordering::SeqCst), 4);
    assert_eq!(cache.load().resident, 20);
}

#[test]
fn the_least_recently_used_idle_adapter_is_evicted() {
    let size = adapter(0).resident_bytes();
    let cache = AdapterCache::new(3 * size, 4);
    let used = Arc::new(adapter(1));
    cache.insert(key(1, 1), used.clone());
    for content in 2..=3 {
        cache.insert(key(1, content), Arc::new(adapter(1)));
    }
    assert!(cache.get(&key(1, 2)).is_some());
    cache.insert(key(1, 4), Arc::new(adapter(1)));
    assert!(cache.get(&key(1, 3)).is_none(), "the one that was not used for the longest time, of those not in use");
    assert_eq!(cache.load(), AdapterLoad { resident: 3, pinned: 1, bytes: 3 * size });
    // All adapters are in use, so they exceed the limit until they are released.
    let held: Vec<_> = [2, 4].map(|content| cache.get(&key(1, content)).unwrap()).into();
    cache.insert(key(1, 5), Arc::new(adapter(1)));
    assert_eq!(cache.load(), AdapterLoad { resident: 4, pinned: 3, bytes: 4 * size });
    drop((held, used));
    cache.insert(key(1, 6), Arc::new(adapter(1)));
    assert_eq!(cache.load().bytes, 3 * size);
}

#[test]
fn a_deleted_adapter_is_removed_after_its_last_use() {
    let cache = AdapterCache::new(1 << 30, 4);
    for (model, content) in [(1, 1), (1, 2), (2, 3)] {
        cache.insert(key(model, content), Arc::new(adapter(1)));
    }
    let running = cache.get(&key(1, 1)).unwrap();
    let gone = ArtifactId::of(&[1]);
    cache.forget(|_, weights| weights == gone);
    assert!(cache.get(&key(1, 1)).is_none());
    assert_eq!(Arc::strong_count(&running), 1, "what runs on it is all that keeps it");
    cache.forget(|model, _| model == Uuid::from_u128(1));
    assert_eq!(cache.load(), AdapterLoad { resident: 1, pinned: 0, bytes: adapter(1).resident_bytes() });
}
