//! Answers, read no further than a limit.

use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};
use url::Url;

use super::NetError;

/// An answer that was read whole.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Vec<u8>,
    /// Where it came from, after redirects.
    pub url: Url,
}

impl Answer {
    pub(super) async fn read(response: Response, limit: usize) -> Result<Self, NetError> {
        let (status, headers, url) = (response.status().as_u16(), response.headers().clone(), response.url().clone());
        let body = read_bounded(response, limit).await?;
        Ok(Self { status, headers, body, url })
    }
}

impl Answer {
    /// An answer with as much of its body as is wanted; the rest is left where it is.
    pub(super) async fn read_beginning(mut response: Response, wanted: usize) -> Result<Self, NetError> {
        let (status, headers, url) = (response.status().as_u16(), response.headers().clone(), response.url().clone());
        let mut body = Vec::new();
        while body.len() < wanted {
            let chunk = response.chunk().await.map_err(|error| NetError::sending(&url, error))?;
            let Some(chunk) = chunk else { break };
            body.extend_from_slice(chunk.get(..wanted - body.len()).unwrap_or(&chunk));
        }
        Ok(Self { status, headers, body, url })
    }
}

/// The body of an answer, or that it is too long.
pub(crate) async fn read_bounded(mut response: Response, limit: usize) -> Result<Vec<u8>, NetError> {
    let url = response.url().clone();
    let too_large = || NetError::TooLarge { url: url.clone(), limit };
    if response.content_length().is_some_and(|length| length > limit as u64) {
        return Err(too_large());
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| NetError::sending(&url, error))? {
        if body.len() + chunk.len() > limit {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Whether an answer is compressed.
pub(crate) fn is_compressed(response: &Response) -> bool {
    let encodings = response.headers().get_all(CONTENT_ENCODING);
    encodings.iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity"))
}
