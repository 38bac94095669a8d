//! Date and time as Python's `strftime` writes them, in UTC: templates that ask for today's date call it.

use std::time::{SystemTime, UNIX_EPOCH};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const SECONDS_PER_DAY: u64 = 86_400;

/// A moment in the Gregorian calendar.
struct Moment {
    year: u64,
    /// From 0.
    month: usize,
    /// From 1.
    day: u64,
    /// From 1.
    day_of_year: u64,
    /// From Sunday, which is 0.
    weekday: usize,
    hour: u64,
    minute: u64,
    second: u64,
}

impl Moment {
    /// A time before 1970 counts as its beginning.
    fn of(time: SystemTime) -> Self {
        let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
        let (days, rest) = (seconds / SECONDS_PER_DAY, seconds % SECONDS_PER_DAY);
        let leap = |year: u64| (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
        let mut year = 1970;
        let mut left = days;
        while left >= 365 + u64::from(leap(year)) {
            left -= 365 + u64::from(leap(year));
            year += 1;
        }
        let day_of_year = left + 1;
        let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let mut month = 0;
        while left >= lengths[month] {
            left -= lengths[month];
            month += 1;
        }
        Self {
            year,
            month,
            day: left + 1,
            day_of_year,
            // The first of January 1970 was a Thursday.
            weekday: ((days + 4) % 7) as usize,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
        }
    }
}

/// Writes `time` in UTC by a format of Python's `strftime`, in the C locale. A directive that this does not know stays
/// as it is.
pub fn strftime(time: SystemTime, format: &str) -> String {
    let now = Moment::of(time);
    let hour12 = (now.hour + 11) % 12 + 1;
    let mut out = String::new();
    let mut rest = format.chars();
    while let Some(character) = rest.next() {
        if character != '%' {
            out.push(character);
            continue;
        }
        let mut directive = rest.next();
        // A minus leaves the padding out.
        let padded = directive != Some('-');
        if !padded {
            directive = rest.next();
        }
        let number = |value: u64, width: usize| if padded { format!("{value:0width$}") } else { value.to_string() };
        let text = match directive {
            Some('Y') => now.year.to_string(),
            Some('y') => number(now.year % 100, 2),
            Some('m') => number(now.month as u64 + 1, 2),
            Some('B') => MONTHS[now.month].to_owned(),
            Some('b' | 'h') => MONTHS[now.month][..3].to_owned(),
            Some('d') => number(now.day, 2),
            Some('e') if padded => format!("{:2}", now.day),
            Some('e') => now.day.to_string(),
            Some('j') => number(now.day_of_year, 3),
            Some('A') => WEEKDAYS[now.weekday].to_owned(),
            Some('a') => WEEKDAYS[now.weekday][..3].to_owned(),
            Some('w') => now.weekday.to_string(),
            Some('u') => ((now.weekday + 6) % 7 + 1).to_string(),
            Some('H') => number(now.hour, 2),
            Some('I') => number(hour12, 2),
            Some('p') => if now.hour < 12 { "AM" } else { "PM" }.to_owned(),
            Some('M') => number(now.minute, 2),
            Some('S') => number(now.second, 2),
            Some('f') => "000000".to_owned(),
            Some('F') => strftime(time, "%Y-%m-%d"),
            Some('T' | 'X') => strftime(time, "%H:%M:%S"),
            Some('D' | 'x') => strftime(time, "%m/%d/%y"),
            Some('R') => strftime(time, "%H:%M"),
            Some('c') => strftime(time, "%a %b %e %H:%M:%S %Y"),
            Some('%') => "%".to_owned(),
            // A time zone is written only where one is known.
            Some('Z' | 'z') => String::new(),
            Some(other) => format!("%{}{other}", if padded { "" } else { "-" }),
            None => "%".to_owned(),
        };
        out.push_str(&text);
    }
    out
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn moments_like_python() {
        let at = |seconds, format| strftime(UNIX_EPOCH + Duration::from_secs(seconds), format);
        assert_eq!(at(1_741_529_107, "%d %b %Y, %A %H:%M:%S %j"), "09 Mar 2025, Sunday 14:05:07 068");
        assert_eq!(at(951_782_399, "%Y-%m-%d %I:%M %p %j"), "2000-02-28 11:59 PM 059");
        assert_eq!(at(951_782_400, "%F %a %w %u"), "2000-02-29 Tue 2 2");
        assert_eq!(at(978_220_800, "%B %-d, %y %j %e"), "December 31, 00 366 31");
        assert_eq!(at(0, "%T %c 100%% %Q %"), "00:00:00 Thu Jan  1 00:00:00 1970 100% %Q %");
    }
}
