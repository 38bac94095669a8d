//! Formats points in time as ages, for tables.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the age of a point in time in seconds since 1970-01-01 UTC: `3 min ago`.
pub(super) fn age(seconds: i64) -> String {
    let then = UNIX_EPOCH + Duration::from_secs(seconds.try_into().unwrap_or_default());
    // If the service's clock is ahead of this machine's, the point is in the future; its age is 0.
    ago(SystemTime::now().duration_since(then).unwrap_or_default())
}

/// Returns the age of a point in time that the service may omit.
pub(super) fn age_if_known(seconds: Option<i64>) -> String {
    seconds.map_or_else(|| "?".to_owned(), age)
}

/// Returns the time until a point in seconds since 1970-01-01 UTC: `3 min`; `None` if it has passed.
pub(super) fn time_until(seconds: i64) -> Option<String> {
    let then = UNIX_EPOCH + Duration::from_secs(seconds.try_into().ok()?);
    then.duration_since(SystemTime::now()).ok().map(length)
}

fn ago(passed: Duration) -> String {
    if passed.as_secs() < 5 { "just now".to_owned() } else { format!("{} ago", length(passed)) }
}

fn length(time: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let seconds = time.as_secs();
    match seconds {
        0..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => format!("{} min", seconds / MINUTE),
        HOUR..DAY => format!("{} h", seconds / HOUR),
        _ if seconds < 2 * DAY => "1 day".to_owned(),
        _ => format!("{} days", seconds / DAY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_one_unit() {
        for (seconds, expected) in [
            (0, "just now"),
            (5, "5 s ago"),
            (59, "59 s ago"),
            (60, "1 min ago"),
            (3599, "59 min ago"),
            (3600, "1 h ago"),
            (86_399, "23 h ago"),
            (86_400, "1 day ago"),
            (172_800, "2 days ago"),
        ] {
            assert_eq!(ago(Duration::from_secs(seconds)), expected);
        }
        assert_eq!(age(i64::MAX / 4), "just now", "the future");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs() as i64;
        assert_eq!((time_until(now - 1), time_until(now + 150)), (None, Some("2 min".to_owned())));
        assert!(age(-1).ends_with(" days ago"));
    }
}
