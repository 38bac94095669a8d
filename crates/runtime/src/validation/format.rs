//! String `format`s that are validated.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

/// A validated string `format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Base64 (RFC 4648) with padding.
    Byte,
    /// `full-date` of RFC 3339.
    Date,
    /// `date-time` of RFC 3339.
    DateTime,
    /// UUID (RFC 9562) with hyphens.
    Uuid,
    /// IPv4 address: four decimal numbers.
    Ipv4,
    /// IPv6 address (RFC 4291).
    Ipv6,
    /// Email address: a local part, `@` and a host.
    Email,
    /// URI (RFC 3986) with a scheme.
    Uri,
    /// Host name (RFC 1123).
    Hostname,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Byte => "base64",
            Self::Date => "a date like 2024-02-29",
            Self::DateTime => "a time like 2024-02-29T12:00:00Z",
            Self::Uuid => "a UUID",
            Self::Ipv4 => "an IPv4 address",
            Self::Ipv6 => "an IPv6 address",
            Self::Email => "an email address",
            Self::Uri => "an absolute URI",
            Self::Hostname => "a host name",
        })
    }
}

impl Format {
    /// Returns whether the text has the format.
    pub fn matches(self, text: &str) -> bool {
        match self {
            Self::Byte => is_base64(text.as_bytes()),
            Self::Date => is_date(text.as_bytes()),
            Self::DateTime => is_date_time(text.as_bytes()),
            Self::Uuid => is_uuid(text.as_bytes()),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            Self::Email => is_email(text),
            Self::Uri => is_uri(text),
            Self::Hostname => is_host(text),
        }
    }
}

fn is_base64(text: &[u8]) -> bool {
    let unpadded = match text {
        [rest @ .., b'=', b'='] | [rest @ .., b'='] => rest,
        rest => rest,
    };
    text.len().is_multiple_of(4)
        && unpadded.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// Parses digits only, so no sign.
fn number(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0')))
}

fn is_date(text: &[u8]) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text else { return false };
    let (Some(year), Some(month), Some(day)) =
        (number(&[*y1, *y2, *y3, *y4]), number(&[*m1, *m2]), number(&[*d1, *d2]))
    else {
        return false;
    };
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

fn is_date_time(text: &[u8]) -> bool {
    if text.len() < 20 || !is_date(&text[..10]) || !matches!(text[10], b'T' | b't' | b' ') {
        return false;
    }
    let (clock, rest) = text[11..].split_at(8);
    let Some((hour, minute)) = hour_and_minute(&clock[..5]) else { return false };
    let Some(second) = number(&clock[6..]) else { return false };
    if clock[5] != b':' || second > 60 {
        return false;
    }
    let rest = match rest {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            &fraction[digits..]
        }
        rest => rest,
    };
    let minutes = |(hour, minute): (u32, u32)| i64::from(hour * 60 + minute);
    let offset = match rest {
        b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), offset @ ..] => match hour_and_minute(offset).map(minutes) {
            Some(offset) if *sign == b'-' => -offset,
            Some(offset) => offset,
            None => return false,
        },
        _ => return false,
    };
    // A leap second is at the end of a UTC day.
    const DAY: i64 = 24 * 60;
    second < 60 || (minutes((hour, minute)) - offset).rem_euclid(DAY) == DAY - 1
}

fn hour_and_minute(text: &[u8]) -> Option<(u32, u32)> {
    let [h1, h2, b':', m1, m2] = text else { return None };
    let (hour, minute) = (number(&[*h1, *h2])?, number(&[*m1, *m2])?);
    (hour < 24 && minute < 60).then_some((hour, minute))
}

fn is_uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let quoted = local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    let plain = !local.is_empty()
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && local.chars().all(|c| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c));
    let address = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let literal = address.is_some_and(|address| {
        address.parse::<Ipv4Addr>().is_ok()
            || address.strip_prefix("IPv6:").is_some_and(|address| address.parse::<Ipv6Addr>().is_ok())
    });
    local.len() <= 64 && (quoted || plain) && (literal || is_host(domain))
}

fn is_host(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || !c.is_ascii() && c.is_alphanumeric())
    };
    text.len() <= 253 && text.split('.').all(label)
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let scheme_fits = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let bytes = rest.as_bytes();
    scheme_fits
        && bytes.iter().enumerate().all(|(index, byte)| match byte {
            b'%' => bytes.get(index + 1..index + 3).is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit)),
            _ => byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(byte),
        })
}

#[cfg(test)]
mod tests {
    use crate::validation::format::Format::{self, *};

    fn table(format: Format, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(format.matches(text), "{format:?} {text:?}");
        }
        for text in bad {
            assert!(!format.matches(text), "{format:?} {text:?}");
        }
    }

    #[test]
    fn each_format_takes_what_its_rfc_says() {
        table(Byte, &["", "aGk=", "YQ==", "abcd"], &["a", "aGk", "aG=k", "a-_="]);
        table(
            Date,
            &["2024-02-29", "2000-02-29", "1999-12-31"],
            &["2023-02-29", "1900-02-29", "2024-13-01", "2024-1-1", "+024-01-01"],
        );
        table(
            DateTime,
            &[
                "2024-02-29T12:00:00Z",
                "2024-01-01t00:00:00.123z",
                "2024-01-01T00:00:00+05:30",
                "1990-12-31T23:59:60Z",
                "1990-12-31T15:59:60.5-08:00",
                "1991-01-01T05:29:60+05:30",
            ],
            &[
                "1990-12-31T23:00:60Z",
                "1990-12-31T22:59:60Z",
                "1990-12-31T23:59:60+01:00",
                "1990-12-31T23:59:61Z",
                "2024-01-01",
                "2024-01-01T24:00:00Z",
                "2024-01-01T00:00:00",
                "2024-01-01T00:00:00.Z",
                "2024-01-01T00:00:00+5:30",
            ],
        );
        table(Uuid, &["2d931510-d99f-494a-8c67-87feb05e1594"], &["2d931510d99f494a8c6787feb05e1594", "x"]);
        table(Ipv4, &["127.0.0.1"], &["127.0.0.01", "256.1.1.1", "1.1.1"]);
        table(Ipv6, &["::1", "2001:db8::"], &["12345::", "::1%eth0"]);
        table(
            Email,
            &["a@b.c", "joe.bloggs+x@example.com", "\"a b\"@example.com", "a@[127.0.0.1]"],
            &["a", "@b", ".a@b.c", "a..b@c.d", "a@-b.c"],
        );
        table(Uri, &["https://example.com/a?b#c", "urn:isbn:1", "a:%20"], &["/a", "https://a b", "a:%2", "1a:b"]);
        table(Hostname, &["example.com", "localhost", "xn--4gbwdl.xn--wgbh1c"], &["", "-a.b", "a..b", "a_b"]);
    }
}
