use sqlx::migrate::Migrator;

/// Checks that every file of `migrations/FOLDER` is embedded: another one would never run.
pub(crate) fn assert_all_are_embedded(folder: &str, migrations: &Migrator) {
    let path = format!("{}/src/migrations/{folder}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(&path).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let files: std::collections::BTreeSet<_> = files.collect();
    assert_eq!(
        migrations.iter().map(|one| one.sql.as_str().to_owned()).collect::<std::collections::BTreeSet<_>>(),
        files
    );
}
