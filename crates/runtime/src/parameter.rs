//! Location and style of a parameter, as OpenAPI 3.0.3 has them.

/// Location of a parameter in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ParameterLocation {
    /// A segment of the path, or a part of one.
    Path,
    /// The query.
    Query,
    /// A header.
    Header,
    /// A cookie.
    Cookie,
}

impl ParameterLocation {
    /// Every location.
    pub const ALL: [Self; 4] = [Self::Path, Self::Query, Self::Header, Self::Cookie];

    /// Returns the word for the location in a document.
    pub fn key(self) -> &'static str {
        ["path", "query", "header", "cookie"][self as usize]
    }

    /// Returns the style of a parameter that names none.
    pub const fn default_style(self) -> Style {
        match self {
            Self::Path | Self::Header => Style::Simple,
            Self::Query | Self::Cookie => Style::Form,
        }
    }
}

/// Style of a value that is written as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `a,b`
    Simple,
    /// `.a.b`
    Label,
    /// `;name=a,b`
    Matrix,
    /// `name=a,b`, or exploded `name=a&name=b`
    Form,
    /// `name=a%20b`
    SpaceDelimited,
    /// `name=a|b`
    PipeDelimited,
    /// `name[a]=b`
    DeepObject,
}

impl Style {
    /// Returns the style of this name in a document; the default of the location without one.
    pub fn of(name: Option<&str>, location: ParameterLocation) -> Self {
        match name {
            Some("label") => Self::Label,
            Some("matrix") => Self::Matrix,
            Some("spaceDelimited") => Self::SpaceDelimited,
            Some("pipeDelimited") => Self::PipeDelimited,
            Some("deepObject") => Self::DeepObject,
            _ => location.default_style(),
        }
    }
}
