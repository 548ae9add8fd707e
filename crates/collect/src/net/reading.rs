//! Reading from services: requests that change nothing, by construction.
//!
//! There is no way to send a body or another method than GET and HEAD through these types. Redirects are answers like others
//! and are not followed; compressed answers are refused, so that nothing can grow after it was counted.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::redirect::Policy as Redirects;
use reqwest::{Client, Method, Response};
use tokio::sync::Semaphore;
use url::Url;

use super::answer::is_compressed;
use super::{Answer, Bounds, NetError, use_one_provider};

/// Longest time for a connection to come about.
const CONNECT: Duration = Duration::from_secs(3);

/// Clients that read within bounds.
#[derive(Debug, Clone)]
pub struct Reader {
    verified: Client,
    unverified: Client,
    bounds: Bounds,
}

/// Whether the certificate of a service must be good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certificate {
    /// It must.
    Checked,
    /// It is known not to be. What is read says nothing secret, and nothing secret is sent.
    Ignored,
}

impl Reader {
    /// Clients that keep to these bounds.
    ///
    /// # Errors
    ///
    /// When the machine's certificates can't be read.
    pub fn new(bounds: Bounds) -> Result<Self, NetError> {
        use_one_provider();
        let client = |is_checked: bool| {
            Client::builder()
                .user_agent(concat!("tracehound/", env!("CARGO_PKG_VERSION")))
                .redirect(Redirects::none())
                .referer(false)
                .no_proxy()
                .connect_timeout(CONNECT)
                .http1_max_headers(100)
                .pool_max_idle_per_host(1)
                .pool_idle_timeout(Duration::from_secs(5))
                .tls_danger_accept_invalid_certs(!is_checked)
                .dns_resolver(Arc::new(bounds.clone()))
                .build()
                .map_err(NetError::Client)
        };
        Ok(Self { verified: client(true)?, unverified: client(false)?, bounds })
    }

    /// A way to read from the service at a base URL. `turns` are shared by all that read from the same machine.
    ///
    /// # Errors
    ///
    /// When the URL is none of a service, or lies out of bounds.
    pub fn open(&self, base: &str, certificate: Certificate, turns: &Arc<Semaphore>) -> Result<Reading, NetError> {
        let url = Url::parse(base).map_err(|_| NetError::NoBase { text: base.to_owned() })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(NetError::Scheme { url });
        }
        self.bounds.admit(&url)?;
        let client = match certificate {
            Certificate::Checked => &self.verified,
            Certificate::Ignored => &self.unverified,
        };
        let (client, base, turns) = (client.clone(), base.to_owned(), Arc::clone(turns));
        Ok(Reading { client, base, url, is_verified: certificate == Certificate::Checked, turns })
    }
}

/// Reads from one service: GET and HEAD and nothing else.
#[derive(Debug, Clone)]
pub struct Reading {
    client: Client,
    base: String,
    url: Url,
    is_verified: bool,
    turns: Arc<Semaphore>,
}

/// Longest time for one answer.
const ANSWER: Duration = Duration::from_secs(10);
/// Longest answer to a question that has no body.
const NO_BODY: usize = 1_024;

impl Reading {
    /// The base URL, such as `http://127.0.0.1:4000`.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Whether nobody can stand in between: not if the certificate of the service is known to be wrong.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        self.is_verified
    }

    /// Reads what is at a path, which may have a query, up to so many bytes.
    ///
    /// # Errors
    ///
    /// When nobody answers in time, or the answer is too long or compressed.
    pub async fn get(&self, path: &str, headers: &HeaderMap, bytes: usize) -> Result<Answer, NetError> {
        self.send(Method::GET, path, headers, |response| Answer::read(response, bytes)).await
    }

    /// Reads what is at a path, but no more of it than so many bytes.
    ///
    /// # Errors
    ///
    /// When nobody answers in time, or the answer is compressed.
    pub async fn beginning(&self, path: &str, headers: &HeaderMap, bytes: usize) -> Result<Answer, NetError> {
        let response = self.send(Method::GET, path, headers, |response| Answer::read_beginning(response, bytes));
        response.await
    }

    /// Asks what is at a path without its content.
    ///
    /// # Errors
    ///
    /// When nobody answers in time.
    pub async fn head(&self, path: &str, headers: &HeaderMap) -> Result<Answer, NetError> {
        self.send(Method::HEAD, path, headers, |response| Answer::read_beginning(response, NO_BODY)).await
    }

    async fn send<R: Future<Output = Result<Answer, NetError>>>(
        &self,
        method: Method,
        path: &str,
        headers: &HeaderMap,
        read: impl FnOnce(Response) -> R,
    ) -> Result<Answer, NetError> {
        let url = self.place(path)?;
        // The semaphore is never closed.
        let _turn = self.turns.acquire().await;
        let whole = async {
            let request = self.client.request(method, url.clone()).headers(headers.clone());
            let response = request.send().await.map_err(|error| NetError::sending(&url, error))?;
            if is_compressed(&response) {
                return Err(NetError::Compressed { url: url.clone() });
            }
            read(response).await
        };
        tokio::time::timeout(ANSWER, whole).await.map_err(|_| NetError::timeout(&url, ANSWER))?
    }

    /// A place of the service: the base URL and the path, joined by exactly one slash.
    fn place(&self, path: &str) -> Result<Url, NetError> {
        let text = format!("{}/{}", self.base.trim_end_matches('/'), path.trim_start_matches('/'));
        let url = Url::parse(&text).map_err(|_| NetError::NoBase { text: path.to_owned() })?;
        // Whatever the path is, it leads nowhere else.
        if url.origin() == self.url.origin() { Ok(url) } else { Err(NetError::NoBase { text: path.to_owned() }) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::net::IpAddr;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    fn reader() -> Reader {
        let names = BTreeMap::from([("here.example".to_owned(), vec![IpAddr::from([127, 0, 0, 1])])]);
        Reader::new(Bounds::new(names, |ip| ip.is_loopback())).unwrap()
    }

    fn open(base: &str) -> Result<Reading, NetError> {
        reader().open(base, Certificate::Checked, &Arc::new(Semaphore::new(2)))
    }

    /// Answers one connection and tells what was asked.
    async fn server(answer: String) -> (u16, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let task = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = vec![0; 4096];
            let length = stream.read(&mut head).await.unwrap();
            let _ = stream.write_all(answer.as_bytes()).await;
            String::from_utf8_lossy(&head[..length]).into_owned()
        });
        (port, task)
    }

    #[tokio::test]
    async fn a_name_leads_where_it_led_when_it_was_looked_at_and_no_other_name_leads_anywhere() {
        let (port, task) = server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".to_owned()).await;
        let reading = open(&format!("http://here.example:{port}")).unwrap();
        let answer = reading.get("/api/version?x=1", &HeaderMap::new(), 10).await.unwrap();
        assert_eq!((answer.status, answer.body.as_slice()), (200, &b"{}"[..]));
        let asked = task.await.unwrap();
        assert!(asked.starts_with("GET /api/version?x=1 HTTP/1.1\r\n"), "{asked}");
        assert!(asked.contains("host: here.example"), "{asked}");
        let other = open(&format!("http://localhost:{port}")).unwrap();
        let error = other.get("/", &HeaderMap::new(), 10).await.unwrap_err();
        assert!(error.is_refusal() && error.to_string().contains("not among the targets"), "{error}");
    }

    #[test]
    fn addresses_out_of_bounds_are_refused_before_anything_is_sent() {
        for base in ["http://192.0.2.1:80", "https://[2001:db8::1]:443", "ftp://127.0.0.1:21", "nonsense"] {
            assert!(open(base).is_err_and(|error| error.is_refusal()), "{base}");
        }
        assert!(open("http://127.9.9.9:80").is_ok());
    }

    #[tokio::test]
    async fn redirects_are_answers_and_lead_nowhere() {
        let redirect = "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n";
        let (port, _task) = server(redirect.to_owned()).await;
        let answer = open(&format!("http://127.0.0.1:{port}")).unwrap().get("/", &HeaderMap::new(), 10).await.unwrap();
        assert_eq!(answer.status, 302);
    }

    #[tokio::test]
    async fn answers_are_bounded_and_not_unpacked() {
        let long = format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}", "x".repeat(1000));
        let packed = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx".to_owned();
        for (answer, words) in [(long, "longer than 999 bytes"), (packed, "compressed")] {
            let (port, _task) = server(answer).await;
            let reading = open(&format!("http://127.0.0.1:{port}")).unwrap();
            let error = reading.get("/", &HeaderMap::new(), 999).await.unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[tokio::test]
    async fn of_a_long_answer_the_beginning_can_be_had() {
        let (port, _task) = server(format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}", "x".repeat(1000))).await;
        let reading = open(&format!("http://127.0.0.1:{port}")).unwrap();
        assert_eq!(reading.beginning("/", &HeaderMap::new(), 10).await.unwrap().body, b"xxxxxxxxxx");
    }

    #[tokio::test]
    async fn a_path_leads_to_no_other_service() {
        let reading = open("http://127.0.0.1:9").unwrap();
        for (path, expected) in [
            ("/a", "http://127.0.0.1:9/a"),
            ("a?b=c", "http://127.0.0.1:9/a?b=c"),
            ("//192.0.2.1/a", "http://127.0.0.1:9/192.0.2.1/a"),
            ("@192.0.2.1/a", "http://127.0.0.1:9/@192.0.2.1/a"),
        ] {
            assert_eq!(reading.place(path).unwrap().as_str(), expected);
        }
    }
}
