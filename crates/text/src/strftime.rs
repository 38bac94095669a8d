//! Python's `strftime`, for templates that ask for the date.

use std::time::SystemTime;

use chrono::format::{Fixed, Item, Numeric, StrftimeItems};
use chrono::{DateTime, Utc};

/// Formats a time in UTC as Python's `strftime` does for a naive time in the C locale. Unknown directives stay as they
/// are.
pub(super) fn strftime(time: SystemTime, format: &str) -> String {
    let items = StrftimeItems::new_lenient(format).map(|item| match item {
        // Microseconds; templates get whole seconds.
        Item::Numeric(Numeric::Nanosecond, _) => Item::Literal("000000"),
        // A naive time has no time zone.
        Item::Fixed(Fixed::TimezoneName | Fixed::TimezoneOffset) => Item::Literal(""),
        item => item,
    });
    DateTime::<Utc>::from(time).format_with_items(items).to_string()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn times_are_formatted_as_python_formats_them() {
        let at = |seconds, format| strftime(UNIX_EPOCH + Duration::from_secs(seconds), format);
        assert_eq!(at(1_741_529_107, "%d %b %Y, %A %H:%M:%S %j"), "09 Mar 2025, Sunday 14:05:07 068");
        assert_eq!(at(951_782_399, "%Y-%m-%d %I:%M %p %j"), "2000-02-28 11:59 PM 059");
        assert_eq!(at(951_782_400, "%F %a %w %u"), "2000-02-29 Tue 2 2");
        assert_eq!(at(978_220_800, "%B %-d, %y %j %e"), "December 31, 00 366 31");
        assert_eq!(at(0, "%T %c 100%% %%f %f%Z%z %Q %"), "00:00:00 Thu Jan  1 00:00:00 1970 100% %f 000000 %Q %");
    }
}
