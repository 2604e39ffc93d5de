//! Turns away requests that do not come from the server's own pages: another site open in the same browser could
//! otherwise use the server, by its address or by a name that points to it.

use crate::error::Refusal;
use crate::limits::{BODY_BYTES, SHORT_BODY};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;

/// What the browser may do with the pages: nothing but what they bring along.
const POLICY: &str =
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'";

/// Lets requests of the server's own pages pass.
pub async fn check(state: crate::State, request: Request, next: Next) -> Response {
    if let Err(refusal) = own(request.headers(), state.address) {
        return refusal.into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Lets long bodies in as long as there is memory for them; what is read takes more than its length.
pub async fn admit(state: crate::State, request: Request, next: Next) -> Response {
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let is_open_ended = request.headers().contains_key(header::TRANSFER_ENCODING);
    let length: usize = length.unwrap_or(if is_open_ended { BODY_BYTES } else { 0 }).min(BODY_BYTES);
    let share = if length > SHORT_BODY { 2 * length } else { 0 };
    let Some(_share) = state.messages.share(share) else { return Refusal::busy().into_response() };
    next.run(request).await
}

fn own(headers: &HeaderMap, address: SocketAddr) -> Result<(), Refusal> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let host = text(header::HOST).unwrap_or("");
    let is_known = !address.ip().is_loopback() || is_loopback(host);
    if host.is_empty() || !is_known {
        let problem = "host: this name is not the server's; open it as http://127.0.0.1 and its port";
        return Err(Refusal::new(StatusCode::FORBIDDEN, problem));
    }
    match text(header::ORIGIN) {
        Some(origin) if origin.split_once("://").map(|(_, rest)| rest) != Some(host) => Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "origin: requests of other sites are refused; open the server's own page",
        )),
        _ => Ok(()),
    }
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(""),
        None => host.split(':').next().unwrap_or(""),
    };
    name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(host: &str, origin: Option<&str>, address: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        own(&headers, address.parse().unwrap()).is_ok()
    }

    #[test]
    fn only_its_own_pages_are_served() {
        let here = "127.0.0.1:7777";
        assert!(judged(here, None, here) && judged("localhost:7777", Some("http://localhost:7777"), here));
        assert!(judged("[::1]:7777", None, "[::1]:7777"));
        assert!(!judged("evil.example:7777", None, here), "a name that was pointed at the loopback address");
        assert!(!judged(here, Some("http://evil.example"), here) && !judged(here, Some("null"), here));
        assert!(!judged(here, Some("http://127.0.0.1:1"), here), "another server on the same machine");
        assert!(judged("laboratory.example:80", None, "0.0.0.0:80"));
    }
}
