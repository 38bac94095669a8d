//! [`Sessions`].

use async_trait::async_trait;
use uuid::Uuid;

use super::columns;
use super::dialect::{self, Connection, Store, lock, locking, now, reading, writing};
use super::fetch::Fetch;
use super::paging::listing;
use super::sql::limit;
use crate::metadata::{Result, Sessions, StoreError};
use crate::paging::Value;
use crate::records::{
    GenerationRecord, KeyRecord, NewSession, Page, PageRequest, RecordedGeneration, SessionFilter, SessionLabels,
    SessionRecord, SessionReward,
};
use crate::rows;

/// Number of sessions that are deleted at once, each with its generations.
const DELETED_AT_ONCE: i64 = 20;

/// SQL for a condition on an entity's session that is not expired.
macro_rules! owned {
    () => {
        concat!("id = $1 AND entity = $2 AND expires_at > ", now!())
    };
}

#[async_trait]
impl Sessions for Store {
    async fn create_session(&self, session: NewSession) -> Result<SessionRecord> {
        writing!(self, |connection| {
            // Serializes the openings of an entity.
            lock!(connection, "SELECT pg_advisory_xact_lock(hashtextextended($1, 5))", &session.entity);
            let count = concat!("SELECT count(*) FROM sessions WHERE entity = $1 AND expires_at > ", now!());
            let count: i64 = sqlx::query_scalar(count).bind(&session.entity).fetch_one(&mut *connection).await?;
            if count >= session.most {
                return Err(StoreError::TooManySessions(session.most));
            }
            let SessionLabels { model, name, group, tags, metadata } = &session.labels;
            sqlx::query(concat!(
                "INSERT INTO sessions (id, entity, key_id, sha256, model, name, group_name, tags, metadata, created_at,
                     expires_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ",
                now!(),
                ", ",
                now!(),
                " + $10) RETURNING ",
                columns::sessions!()
            ))
            .bind(dialect::id(session.id))
            .bind(&session.entity)
            .bind(dialect::id(session.key_id))
            .bind(&session.sha256[..])
            .bind(model)
            .bind(name.as_deref())
            .bind(group.as_deref())
            .bind(rows::json(tags))
            .bind(rows::json(metadata))
            .bind(session.life)
            .one(connection, rows::session)
            .await
        })
    }

    async fn find_session_by_key(&self, sha256: &[u8; 32]) -> Result<Option<(SessionRecord, KeyRecord)>> {
        reading!(self, |connection| {
            let found = sqlx::query(columns::select!(sessions, "sha256 = $1 AND expires_at > ", now!()))
                .bind(&sha256[..])
                .optional(connection, rows::session)
                .await?;
            let Some(session) = found else { return Ok(None) };
            let key = sqlx::query(columns::select!(keys, "id = $1"))
                .bind(dialect::id(session.key_id))
                .existing("key", connection, rows::key)
                .await?;
            Ok(Some((session, key)))
        })
    }

    async fn get_session(&self, entity: &str, id: Uuid) -> Result<SessionRecord> {
        reading!(self, |connection| session(connection, entity, id).await)
    }

    async fn list_sessions(
        &self,
        entity: &str,
        filter: SessionFilter<'_>,
        request: PageRequest,
    ) -> Result<Page<SessionRecord>> {
        if [filter.group, filter.model].into_iter().flatten().any(|text| !dialect::is_storable(text)) {
            return Ok(Page { items: Vec::new(), has_more: false });
        }
        let listing = listing! {
            position: "SELECT sequence FROM sessions WHERE entity = $1 AND id = $2",
            rows: columns::sessions!(), columns::select!(
                sessions,
                "entity = $1 AND ($2 IS NULL OR group_name = $2)
                 AND ($3 IS NULL OR model = $3 OR substr(model, 1, length($3) + 5) = $3 || ':step') AND expires_at > ",
                now!()
            );
            order: "sequence", "$4", "$5";
            read: rows::session,
        };
        let filters = [Value::Text(filter.group), Value::Text(filter.model)];
        reading!(self, |connection| listing.page(connection, entity.into(), &filters, request).await)
    }

    async fn delete_session(&self, entity: &str, id: Uuid) -> Result<()> {
        writing!(self, |connection| {
            let deleted = sqlx::query(concat!("DELETE FROM sessions WHERE ", owned!()))
                .bind(dialect::id(id))
                .bind(entity)
                .execute(connection)
                .await?;
            if deleted.rows_affected() == 0 { Err(StoreError::NotFound("session")) } else { Ok(()) }
        })
    }

    async fn reward_session(
        &self,
        entity: &str,
        id: Uuid,
        generation: Option<Uuid>,
        reward: SessionReward,
    ) -> Result<SessionRecord> {
        writing!(self, |connection| {
            let record = session(connection, entity, id).await?;
            let reward_text = rows::json(&reward);
            let Some(generation) = generation else {
                sqlx::query("UPDATE sessions SET reward = $1 WHERE id = $2")
                    .bind(reward_text)
                    .bind(dialect::id(id))
                    .execute(connection)
                    .await?;
                return Ok(SessionRecord { reward: Some(reward.clone()), ..record });
            };
            let rewarded = sqlx::query("UPDATE generations SET reward = $1 WHERE id = $2 AND session_id = $3")
                .bind(reward_text)
                .bind(dialect::id(generation))
                .bind(dialect::id(id))
                .execute(connection)
                .await?;
            if rewarded.rows_affected() == 0 { Err(StoreError::NotFound("generation")) } else { Ok(record) }
        })
    }

    async fn add_generation(&self, session: Uuid, recorded: RecordedGeneration) -> Result<()> {
        writing!(self, |connection| {
            let number: Option<i64> = sqlx::query_scalar(concat!(
                "UPDATE sessions SET generations = generations + 1, bytes = bytes + $1 WHERE id = $2 AND expires_at > ",
                now!(),
                " RETURNING generations"
            ))
            .bind(recorded.bytes())
            .bind(dialect::id(session))
            .fetch_optional(&mut *connection)
            .await?;
            let number = number.ok_or(StoreError::NotFound("session"))?;
            let RecordedGeneration { generation, tokens } = &recorded;
            sqlx::query(
                "INSERT INTO generations (id, session_id, number, operation, model, step, is_whole, prompt_tokens,
                     completion_tokens, request, choices, tokens, started_at, ended_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
            )
            .bind(dialect::id(generation.id))
            .bind(dialect::id(session))
            .bind(number)
            .bind(&generation.operation)
            .bind(&generation.model)
            .bind(generation.step)
            .bind(i64::from(generation.is_whole))
            .bind(generation.prompt_tokens)
            .bind(generation.completion_tokens)
            .bind(&generation.request)
            .bind(&generation.choices)
            .bind(tokens)
            .bind(generation.started_at)
            .bind(generation.ended_at)
            .execute(connection)
            .await?;
            Ok(())
        })
    }

    async fn list_generations(&self, session: Uuid, after: i64, limit: u32) -> Result<Vec<GenerationRecord>> {
        reading!(self, |connection| {
            let all = columns::select!(generations, "session_id = $1 AND number > $2 ORDER BY number", limit!("$3"));
            sqlx::query(all)
                .bind(dialect::id(session))
                .bind(after)
                .bind(i64::from(limit))
                .all(connection, rows::generation)
                .await
        })
    }

    async fn next_generation(&self, session: Uuid, after: i64) -> Result<Option<RecordedGeneration>> {
        reading!(self, |connection| {
            let next = concat!(
                "SELECT tokens, ",
                columns::generations!(),
                " FROM generations WHERE session_id = $1 AND number > $2 ORDER BY number LIMIT 1"
            );
            let next = sqlx::query(next).bind(dialect::id(session)).bind(after);
            next.optional(connection, rows::recorded_generation).await
        })
    }

    async fn session_bytes(&self, entity: &str) -> Result<u64> {
        reading!(self, |connection| {
            let sum = concat!(
                "SELECT CAST(coalesce(sum(bytes), 0) AS bigint) FROM sessions WHERE entity = $1 AND expires_at > ",
                now!()
            );
            let bytes: i64 = sqlx::query_scalar(sum).bind(entity).fetch_one(connection).await?;
            Ok(bytes.unsigned_abs())
        })
    }

    async fn delete_expired_sessions(&self) -> Result<u64> {
        writing!(self, |connection| {
            let deleted = sqlx::query(concat!(
                "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= ",
                now!(),
                " ORDER BY expires_at LIMIT $1",
                locking!("FOR UPDATE SKIP LOCKED"),
                ")"
            ))
            .bind(DELETED_AT_ONCE)
            .execute(connection)
            .await?;
            Ok(deleted.rows_affected())
        })
    }
}

/// Reads the session, if it belongs to the entity and is not expired.
async fn session(connection: &mut Connection, entity: &str, id: Uuid) -> Result<SessionRecord> {
    sqlx::query(columns::select!(sessions, owned!()))
        .bind(dialect::id(id))
        .bind(entity)
        .existing("session", connection, rows::session)
        .await
}
