use super::super::PART_SIZE;
use super::*;

const PART_BYTES: usize = PART_SIZE as usize;

fn scratch() -> (tempfile::TempDir, Artifacts) {
    let directory = tempfile::tempdir().unwrap();
    let artifacts = Artifacts::open_directory(&directory.path().join("artifacts")).unwrap();
    (directory, artifacts)
}

fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

async fn write(artifacts: &Artifacts, content: &[u8], piece: usize) -> ArtifactId {
    let mut writer = artifacts.writer();
    for piece in content.chunks(piece) {
        writer.write(piece).await.unwrap();
    }
    writer.finish().await.unwrap()
}

/// Readers block, so they are used on a thread of their own.
async fn reading<T: Send + 'static>(
    artifacts: &Artifacts,
    id: ArtifactId,
    work: impl FnOnce(&mut ArtifactReader) -> T + Send + 'static,
) -> T {
    let mut reader = artifacts.open(id).await.unwrap();
    tokio::task::spawn_blocking(move || work(&mut reader)).await.unwrap()
}

#[tokio::test]
async fn pieces_give_the_artifact_that_the_whole_gives() {
    let (_directory, artifacts) = scratch();
    for (length, piece) in [(0, 1), (1, 1), (PART_BYTES, 1 << 20), (2 * PART_BYTES + 17, 3 << 20)] {
        let content = noise(length);
        let id = write(&artifacts, &content, piece).await;
        assert_eq!(id.hash(), ArtifactId::of(&content).hash());
        assert_eq!(artifacts.get(id).await.unwrap(), content);
        let back = reading(&artifacts, id, |reader| {
            let mut back = Vec::new();
            reader.read_to_end(&mut back).unwrap();
            reader.verify().unwrap();
            back
        });
        assert!(back.await == content, "{length} bytes");
    }
}

#[tokio::test]
async fn an_unfinished_write_leaves_no_artifact() {
    let (directory, artifacts) = scratch();
    let incoming = directory.path().join("artifacts/incoming");
    let files = || std::fs::read_dir(&incoming).unwrap().count();
    let begun = async || {
        let mut writer = artifacts.writer();
        writer.write(&noise(PART_BYTES + 1)).await.unwrap();
        writer
    };
    let (kept, dropped) = (begun().await, begun().await);
    assert!(artifacts.list().await.unwrap().is_empty());
    assert_eq!(files(), 2);
    drop(dropped);
    for _ in 0..100 {
        if files() == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(files(), 1, "what is dropped is removed");
    // As a killed process leaves it.
    std::mem::forget(kept);
    artifacts.remove_unfinished(std::time::Duration::from_secs(60)).await.unwrap();
    assert_eq!(files(), 1, "somebody may be writing it");
    artifacts.remove_unfinished(std::time::Duration::ZERO).await.unwrap();
    assert_eq!(files(), 0);
    assert!(artifacts.list().await.unwrap().is_empty());
}

#[tokio::test]
async fn bytes_keep_their_name_in_another_store() {
    let (_here, artifacts) = scratch();
    let (_there, other) = scratch();
    let id = artifacts.put("bytes").await.unwrap();
    let copy = async |content: &[u8]| {
        let mut writer = other.writer();
        writer.write(content).await.unwrap();
        writer.finish_as(id).await
    };
    let damaged = copy(b"byteS").await;
    assert!(
        matches!(damaged, Err(ArtifactError::Corrupt { expected, length: 5, .. }) if expected == id),
        "{damaged:?}"
    );
    assert!(matches!(other.get(id).await, Err(ArtifactError::NotFound(_))));
    copy(b"bytes").await.unwrap();
    assert_eq!(other.get(id).await.unwrap(), "bytes");
}

#[tokio::test]
async fn damage_is_noticed_wherever_it_is_and_however_much_was_read() {
    let (directory, artifacts) = scratch();
    let content = noise(600_000);
    let id = artifacts.put(content.clone()).await.unwrap();
    let name = id.to_string();
    let file = directory.path().join("artifacts/sha256").join(&name[..2]).join(&name);
    for position in [0, 299_999, 599_999] {
        let mut damaged = content.clone();
        damaged[position] ^= 1;
        std::fs::write(&file, &damaged).unwrap();
        for read in [0, 10, 600_000] {
            let outcome = reading(&artifacts, id, move |reader| {
                reader.read_exact(&mut vec![0; read]).unwrap();
                reader.verify()
            });
            match outcome.await {
                Err(ArtifactError::Corrupt { expected, found, length: 600_000 }) => {
                    assert_eq!((expected, found), (id, ArtifactId::of(&damaged)));
                }
                other => panic!("{other:?}"),
            }
        }
    }
    std::fs::write(&file, &content).unwrap();
    reading(&artifacts, id, |reader| reader.verify()).await.unwrap();
    // Jumping about changes nothing about what is proven.
    let outcome = reading(&artifacts, id, |reader| {
        for position in [500_000, 3, 270_000] {
            reader.seek(SeekFrom::Start(position)).unwrap();
            reader.read_exact(&mut [0; 10]).unwrap();
        }
        reader.verify()
    });
    outcome.await.unwrap();
}

#[tokio::test]
async fn seeks_find_their_position() {
    let (_directory, artifacts) = scratch();
    let content = noise(700_000);
    let id = artifacts.put(content.clone()).await.unwrap();
    let found = reading(&artifacts, id, |reader| {
        let mut read = |to| {
            reader.seek(to).unwrap();
            let mut bytes = [0; 4];
            reader.read_exact(&mut bytes).map(|()| bytes).ok()
        };
        [
            read(SeekFrom::Start(0)),
            read(SeekFrom::Current(6)),
            read(SeekFrom::Start(699_996)),
            read(SeekFrom::End(-5)),
            read(SeekFrom::Start(2)),
            read(SeekFrom::Start(699_998)),
            read(SeekFrom::Start(800_000)),
        ]
    });
    let at = |start: usize| Some(<[u8; 4]>::try_from(&content[start..start + 4]).unwrap());
    assert_eq!(found.await, [at(0), at(10), at(699_996), at(699_995), at(2), None, None]);
    let before = reading(&artifacts, id, |reader| reader.seek(SeekFrom::Current(-1)).is_err());
    assert!(before.await);
}
