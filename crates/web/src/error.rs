//! What a visitor did wrong, as an answer.

use crate::limits::ARRIVAL;
use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
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

    /// There is no room for it now.
    pub fn busy() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "server: it has no memory left for this now; try again")
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
#[derive(Clone, Copy, Debug, Default)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        // A body that does not arrive must not keep its share of the memory.
        let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "request: it did not arrive in time; try again");
        let Json(body) = tokio::time::timeout(ARRIVAL, Json::from_request(request, state)).await.map_err(late)??;
        Ok(Self(body))
    }
}

/// What stands after the question mark of an address.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut request::Parts, state: &S) -> Result<Self, Refusal> {
        let Query(asked) = Query::from_request_parts(parts, state).await?;
        Ok(Self(asked))
    }
}

/// The parts of an address that are names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parts<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Parts<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut request::Parts, state: &S) -> Result<Self, Refusal> {
        let Path(names) = Path::from_request_parts(parts, state).await?;
        Ok(Self(names))
    }
}
