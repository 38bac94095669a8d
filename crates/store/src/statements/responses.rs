//! [`Responses`].

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::columns;
use super::dialect::{self, Connection, Database, Store, idempotent, lock, now, reading, snapshot, writing};
use super::fetch::Fetch;
use super::sql::limit;
use crate::metadata::{MAX_CONVERSATION_BYTES, Responses, Result, StoreError};
use crate::records::{
    NewResponse, Order, Page, PageRequest, ResponseItem, ResponseOutcome, ResponseRecord, StoredConversation,
    StoredKind,
};
use crate::rows;
use crate::rules::milliseconds;

/// Number of items of one statement. Databases limit the number of its parameters.
const ITEMS_AT_ONCE: usize = 500;
/// Number of responses that a conversation may have.
const MAX_CHAIN: i64 = 10_000;

/// SQL for the responses of a conversation, as `chain`, with the last one at depth 0. Parameters: response, entity.
macro_rules! chain {
    () => {
        concat!(
            "WITH RECURSIVE chain (id, previous, state, lease_deadline, depth) AS (
                 SELECT id, previous, state, lease_deadline, CAST(0 AS bigint) FROM responses
                 WHERE id = $1 AND entity = $2 AND kind = 'response' AND expires_at > ",
            now!(),
            " UNION ALL
                 SELECT responses.id, responses.previous, responses.state, responses.lease_deadline, chain.depth + 1
                 FROM chain JOIN responses ON responses.id = chain.previous
                 WHERE responses.entity = $2 AND responses.kind = 'response' AND chain.depth < 10000
                     AND responses.expires_at > ",
            now!(),
            ") "
        )
    };
}

/// SQL for the condition that something exists. Parameters: id, entity, kind.
macro_rules! existing {
    () => {
        concat!("id = $1 AND entity = $2 AND kind = $3 AND expires_at > ", now!())
    };
}

/// SQL for a page of what is stored of a kind. Ids are in the order of time. Parameters: entity, kind, id before the page, maximum
/// number.
macro_rules! listed {
    ($comparison:literal, $order:literal) => {
        concat!(
            "SELECT ",
            columns::responses!(),
            " FROM responses WHERE entity = $1 AND kind = $2 AND expires_at > ",
            now!(),
            " AND id ",
            $comparison,
            " $3 ORDER BY id",
            $order,
            limit!("$4")
        )
    };
}

/// Serializes the changes of the responses of an entity, so that their sum is right and deadlocks are impossible.
macro_rules! lock_entity {
    ($connection:expr, $entity:expr) => {
        lock!($connection, "SELECT pg_advisory_xact_lock(hashtextextended($1, 6))", $entity);
    };
}

#[async_trait]
impl Responses for Store {
    async fn store_response(&self, response: NewResponse) -> Result<()> {
        let NewResponse { id, kind, entity, previous, outcome, life, room, lease } = &response;
        let bytes = outcome.bytes();
        writing!(self, |connection| {
            lock_entity!(connection, entity);
            make_room(connection, entity, room.saturating_sub(bytes)).await?;
            sqlx::query(concat!(
                "INSERT INTO responses (id, entity, previous, state, object, events, bytes, lease_deadline, created_at,
                     expires_at, kind)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, ",
                now!(),
                " + $8, ",
                now!(),
                ", ",
                now!(),
                " + $9, $10)"
            ))
            .bind(dialect::id(*id))
            .bind(entity)
            .bind(previous.map(dialect::id))
            .bind(outcome.state.as_str())
            .bind(&outcome.object)
            .bind(&outcome.events)
            .bind(bytes)
            .bind(lease.map(milliseconds))
            .bind(milliseconds(*life))
            .bind(kind.as_str())
            .execute(&mut *connection)
            .await?;
            insert_items(connection, entity, *id, 0, &outcome.items).await?;
            add_bytes(connection, entity, bytes).await
        })
    }

    async fn get_response(&self, entity: &str, kind: StoredKind, id: Uuid) -> Result<ResponseRecord> {
        snapshot!(self, |connection| {
            let record = sqlx::query(columns::select!(responses, existing!()))
                .bind(dialect::id(id))
                .bind(entity)
                .bind(kind.as_str())
                .existing(kind.noun(), connection, rows::response)
                .await?;
            let items = sqlx::query(
                "SELECT item_id, is_output, item FROM response_items WHERE response_id = $1 ORDER BY position",
            )
            .bind(dialect::id(id))
            .all(connection, rows::response_item)
            .await?;
            Ok(ResponseRecord { items, ..record })
        })
    }

    async fn list_responses(
        &self,
        entity: &str,
        kind: StoredKind,
        request: PageRequest,
    ) -> Result<Page<ResponseRecord>> {
        snapshot!(self, |connection| {
            if let Some(after) = request.after {
                let known: Option<i64> =
                    sqlx::query_scalar(concat!("SELECT CAST(1 AS bigint) FROM responses WHERE ", existing!()))
                        .bind(dialect::id(after))
                        .bind(entity)
                        .bind(kind.as_str())
                        .fetch_optional(&mut *connection)
                        .await?;
                known.ok_or(StoreError::InvalidCursor(after))?;
            }
            let (rows, first) = match request.order {
                Order::Ascending => (listed!(">", ""), Uuid::nil()),
                Order::Descending => (listed!("<", " DESC"), Uuid::max()),
            };
            // One more row than the limit tells whether more follow.
            let mut items = sqlx::query(rows)
                .bind(entity)
                .bind(kind.as_str())
                .bind(dialect::id(request.after.unwrap_or(first)))
                .bind(i64::from(request.limit) + 1)
                .all(connection, rows::response)
                .await?;
            let has_more = items.len() > request.limit as usize;
            items.truncate(request.limit as usize);
            Ok(Page { items, has_more })
        })
    }

    async fn replace_response_object(&self, entity: &str, kind: StoredKind, id: Uuid, object: &str) -> Result<()> {
        writing!(self, |connection| {
            lock_entity!(connection, entity);
            let before: Option<i64> = sqlx::query_scalar(concat!(
                "SELECT CAST(octet_length(object) AS bigint) FROM responses WHERE state <> 'in_progress' AND ",
                existing!()
            ))
            .bind(dialect::id(id))
            .bind(entity)
            .bind(kind.as_str())
            .fetch_optional(&mut *connection)
            .await?;
            let before = before.ok_or(StoreError::NotFound(kind.noun()))?;
            let more = i64::try_from(object.len()).unwrap_or(i64::MAX) - before;
            sqlx::query("UPDATE responses SET object = $2, bytes = bytes + $3 WHERE id = $1")
                .bind(dialect::id(id))
                .bind(object)
                .bind(more)
                .execute(&mut *connection)
                .await?;
            add_bytes(connection, entity, more).await
        })
    }

    async fn stored_conversation(&self, entity: &str, id: Uuid) -> Result<StoredConversation> {
        snapshot!(self, |connection| {
            let responses = sqlx::query(concat!(
                chain!(),
                "SELECT previous, ",
                columns::response_state!(),
                " FROM chain ORDER BY depth"
            ))
            .bind(dialect::id(id))
            .bind(entity)
            .all(connection, rows::chained_response)
            .await?;
            let (Some(last), Some(first)) = (responses.first(), responses.last()) else {
                return Err(StoreError::NotFound("response"));
            };
            if responses.len() as i64 > MAX_CHAIN {
                return Err(too_long());
            }
            let bytes: i64 = sqlx::query_scalar(concat!(
                chain!(),
                "SELECT CAST(coalesce(sum(length(response_items.item)), 0) AS bigint)
                 FROM chain JOIN response_items ON response_items.response_id = chain.id"
            ))
            .bind(dialect::id(id))
            .bind(entity)
            .fetch_one(&mut *connection)
            .await?;
            if bytes > MAX_CONVERSATION_BYTES {
                return Err(too_long());
            }
            let items = sqlx::query(concat!(
                chain!(),
                "SELECT response_items.item_id, response_items.is_output, response_items.item
                 FROM chain JOIN response_items ON response_items.response_id = chain.id
                 ORDER BY chain.depth DESC, response_items.position"
            ))
            .bind(dialect::id(id))
            .bind(entity)
            .all(connection, rows::response_item)
            .await?;
            Ok(StoredConversation { items, state: last.state, missing: first.previous })
        })
    }

    async fn find_response_items(&self, entity: &str, ids: &[String]) -> Result<Vec<ResponseItem>> {
        snapshot!(self, |connection| {
            let mut items = Vec::new();
            let mut bytes = 0;
            for id in ids.iter().filter(|id| dialect::is_storable(id)) {
                let found = sqlx::query(concat!(
                    "SELECT item_id, is_output, item FROM response_items JOIN responses ON responses.id = response_id
                     WHERE response_items.entity = $1 AND item_id = $2 AND kind = 'response' AND expires_at > ",
                    now!(),
                    " ORDER BY is_output DESC, created_at LIMIT 1"
                ))
                .bind(entity)
                .bind(id)
                .optional(connection, rows::response_item)
                .await?;
                bytes += found.as_ref().map_or(0, |item| item.json.len());
                if bytes > MAX_CONVERSATION_BYTES as usize {
                    return Err(too_long());
                }
                items.extend(found);
            }
            Ok(items)
        })
    }

    async fn delete_response(&self, entity: &str, kind: StoredKind, id: Uuid) -> Result<()> {
        writing!(self, |connection| {
            lock_entity!(connection, entity);
            let bytes: Option<i64> =
                sqlx::query_scalar(concat!("DELETE FROM responses WHERE ", existing!(), " RETURNING bytes"))
                    .bind(dialect::id(id))
                    .bind(entity)
                    .bind(kind.as_str())
                    .fetch_optional(&mut *connection)
                    .await?;
            add_bytes(connection, entity, -bytes.ok_or(StoreError::NotFound(kind.noun()))?).await
        })
    }

    async fn cancel_response(&self, entity: &str, id: Uuid) -> Result<bool> {
        writing!(self, |connection| {
            let cancelled = sqlx::query(concat!(
                "UPDATE responses SET state = 'cancelled'
                 WHERE id = $1 AND entity = $2 AND state = 'in_progress' AND lease_deadline >= ",
                now!()
            ))
            .bind(dialect::id(id))
            .bind(entity)
            .execute(connection)
            .await?;
            Ok(cancelled.rows_affected() > 0)
        })
    }

    async fn renew_response(&self, id: Uuid, lease: Duration) -> Result<bool> {
        idempotent!(self, |connection| {
            let renewed = sqlx::query(concat!(
                "UPDATE responses SET lease_deadline = ",
                now!(),
                " + $2 WHERE id = $1 AND state = 'in_progress' AND lease_deadline >= ",
                now!()
            ))
            .bind(dialect::id(id))
            .bind(milliseconds(lease))
            .execute(connection)
            .await?;
            Ok(renewed.rows_affected() > 0)
        })
    }

    async fn finish_response(&self, entity: &str, id: Uuid, outcome: ResponseOutcome) -> Result<bool> {
        let bytes = outcome.bytes();
        writing!(self, |connection| {
            lock_entity!(connection, entity);
            let finished = sqlx::query(concat!(
                "UPDATE responses SET state = $3, object = $4, events = $5, bytes = bytes + $6
                 WHERE id = $1 AND entity = $2 AND state = 'in_progress' AND lease_deadline >= ",
                now!()
            ))
            .bind(dialect::id(id))
            .bind(entity)
            .bind(outcome.state.as_str())
            .bind(&outcome.object)
            .bind(&outcome.events)
            .bind(bytes)
            .execute(&mut *connection)
            .await?;
            if finished.rows_affected() == 0 {
                return Ok(false);
            }
            let first: i64 =
                sqlx::query_scalar("SELECT coalesce(max(position), -1) + 1 FROM response_items WHERE response_id = $1")
                    .bind(dialect::id(id))
                    .fetch_one(&mut *connection)
                    .await?;
            insert_items(connection, entity, id, first, &outcome.items).await?;
            add_bytes(connection, entity, bytes).await?;
            Ok(true)
        })
    }

    async fn expire_responses(&self) -> Result<()> {
        let entities: Vec<String> = reading!(self, |connection| {
            let expired = concat!("SELECT DISTINCT entity FROM responses WHERE expires_at <= ", now!());
            Ok(sqlx::query_scalar(expired).fetch_all(connection).await?)
        })?;
        for entity in &entities {
            while writing!(self, |connection| {
                lock_entity!(connection, entity);
                remove_expired(connection, entity).await
            })? > 0
            {}
        }
        Ok(())
    }
}

fn too_long() -> StoreError {
    StoreError::InvalidValue(format!(
        "the stored conversation has more than {MAX_CONVERSATION_BYTES} bytes or {MAX_CHAIN} responses; begin a shorter one"
    ))
}

/// Deletes expired responses of the entity, and the oldest ones that have ended while there are more than `most` bytes.
async fn make_room(connection: &mut Connection, entity: &str, most: i64) -> Result<()> {
    remove_expired(connection, entity).await?;
    loop {
        let total: Option<i64> = sqlx::query_scalar("SELECT bytes FROM response_totals WHERE entity = $1")
            .bind(entity)
            .fetch_optional(&mut *connection)
            .await?;
        if total.unwrap_or(0) <= most.max(0) {
            return Ok(());
        }
        let removed = sqlx::query_scalar(
            "DELETE FROM responses WHERE id IN (
                 SELECT id FROM responses WHERE entity = $1 AND state <> 'in_progress' ORDER BY expires_at LIMIT 16
             ) RETURNING bytes",
        )
        .bind(entity)
        .fetch_all(&mut *connection)
        .await?;
        if subtract(connection, entity, &removed).await? == 0 {
            return Ok(());
        }
    }
}

/// Deletes some expired responses of the entity; returns their number.
async fn remove_expired(connection: &mut Connection, entity: &str) -> Result<usize> {
    let removed = sqlx::query_scalar(concat!(
        "DELETE FROM responses WHERE id IN (
             SELECT id FROM responses WHERE entity = $1 AND expires_at <= ",
        now!(),
        " ORDER BY expires_at LIMIT 100) RETURNING bytes"
    ))
    .bind(entity)
    .fetch_all(&mut *connection)
    .await?;
    subtract(connection, entity, &removed).await
}

/// Subtracts the bytes of deleted responses; returns their number.
async fn subtract(connection: &mut Connection, entity: &str, removed: &[i64]) -> Result<usize> {
    if !removed.is_empty() {
        add_bytes(connection, entity, -removed.iter().sum::<i64>()).await?;
    }
    Ok(removed.len())
}

async fn add_bytes(connection: &mut Connection, entity: &str, bytes: i64) -> Result<()> {
    sqlx::query(
        "INSERT INTO response_totals (entity, bytes) VALUES ($1, $2)
         ON CONFLICT (entity) DO UPDATE SET bytes = response_totals.bytes + excluded.bytes",
    )
    .bind(entity)
    .bind(bytes)
    .execute(connection)
    .await?;
    Ok(())
}

/// Inserts items from a position on.
async fn insert_items(
    connection: &mut Connection,
    entity: &str,
    response: Uuid,
    first: i64,
    items: &[ResponseItem],
) -> Result<()> {
    let mut position = first;
    for items in items.chunks(ITEMS_AT_ONCE) {
        let mut insert = sqlx::QueryBuilder::<Database>::new(
            "INSERT INTO response_items (response_id, position, entity, item_id, is_output, item) ",
        );
        insert.push_values(items, |mut row, item| {
            row.push_bind(dialect::id(response)).push_bind(position).push_bind(entity);
            row.push_bind(dialect::storable(&item.id)).push_bind(i64::from(item.is_output)).push_bind(&item.json);
            position += 1;
        });
        // Their number differs, so the statement is not worth keeping.
        insert.build().persistent(false).execute(&mut *connection).await?;
    }
    Ok(())
}
