//! What a visitor did wrong, as an answer.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use spinney_core::{InputError, InputErrorKind};
use spinney_lab::LabError;

/// A request that cannot be served.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    text: String,
    /// The kind of a mistake in what was sent.
    kind: Option<&'static str>,
    /// Whether the page shall send its rule sheet again.
    wants_sheet: bool,
}

impl Refusal {
    /// With this status.
    pub fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), kind: None, wants_sheet: false }
    }

    /// There is no such thing.
    pub fn not_found(text: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, text)
    }

    /// The message.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A pasted rule sheet has been forgotten.
    pub fn wants_sheet() -> Self {
        let text = "game: this rule sheet is no longer known; paste it again";
        let kind = Some(InputErrorKind::Unknown.word());
        Self { wants_sheet: true, kind, ..Self::new(StatusCode::BAD_REQUEST, text) }
    }
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Self {
        Self { kind: Some(error.kind.word()), ..Self::new(StatusCode::BAD_REQUEST, error.to_string()) }
    }
}

impl From<LabError> for Refusal {
    fn from(error: LabError) -> Self {
        match error {
            LabError::Input(error) => error.into(),
            other => Self::new(StatusCode::INTERNAL_SERVER_ERROR, other.to_string()),
        }
    }
}

impl From<QueryRejection> for Refusal {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), format!("address: {}; see docs/web.md", rejection.body_text()))
    }
}

impl From<PathRejection> for Refusal {
    fn from(rejection: PathRejection) -> Self {
        Self::new(rejection.status(), format!("address: {}; see docs/web.md", rejection.body_text()))
    }
}

impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), format!("request: {}; see docs/web.md", rejection.body_text()))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut body = json!({"error": self.text});
        if let Some(kind) = self.kind {
            body["kind"] = json!(kind);
        }
        if self.wants_sheet {
            body["sheet"] = json!(true);
        }
        (self.status, Json(body)).into_response()
    }
}

/// A body of JSON whose faults are answered like all others.
#[derive(Clone, Copy, Debug, Default, axum::extract::FromRequest)]
#[from_request(via(Json), rejection(Refusal))]
pub struct Body<T>(pub T);

/// What stands after the question mark of an address.
#[derive(Clone, Copy, Debug, Default, axum::extract::FromRequestParts)]
#[from_request(via(Query), rejection(Refusal))]
pub struct Asked<T>(pub T);

/// The parts of an address that are names.
#[derive(Clone, Copy, Debug, Default, axum::extract::FromRequestParts)]
#[from_request(via(Path), rejection(Refusal))]
pub struct Parts<T>(pub T);
