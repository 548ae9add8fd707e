use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

/// Answers each connection with the next of these texts and tells what was asked.
async fn server(answers: Vec<String>) -> (Url, tokio::task::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let task = tokio::spawn(async move {
        let mut asked = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = vec![0; 4096];
            let length = stream.read(&mut head).await.unwrap();
            asked.push(String::from_utf8_lossy(&head[..length]).into_owned());
            // The other side may hang up in the middle of an answer that is too long for it.
            let _ = stream.write_all(answer.as_bytes()).await;
        }
        asked
    });
    (url, task)
}

fn answer(head: &str, body: &str) -> String {
    format!("HTTP/1.1 {head}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

async fn get(url: &Url, bytes: usize) -> Result<Answer, NetError> {
    let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static("Bearer abc"))]);
    let (trust, accept, time) = (Trust::Asked, "application/json", Duration::from_secs(5));
    Guard::new(Policy::default()).unwrap().get(&Ask { url, trust, accept, headers: &headers, bytes, time }).await
}

#[tokio::test]
async fn a_redirect_within_the_origin_is_followed_with_its_headers() {
    let (url, task) = server(vec![answer("302 Found\r\nLocation: /next", ""), answer("200 OK", "{}")]).await;
    let found = get(&url, 100).await.unwrap();
    assert_eq!((found.status, found.body.as_slice(), found.url.path()), (200, &b"{}"[..], "/next"));
    let asked = task.await.unwrap();
    assert!(asked.iter().all(|head| head.contains("authorization: Bearer abc")), "{asked:?}");
}

#[tokio::test]
async fn redirects_that_lead_elsewhere_are_refused() {
    for (to, words) in [
        ("http://169.254.169.254/latest", "another site"),
        ("http://localhost:1/", "another site"),
        ("file:///etc/passwd", "another site"),
        // The same machine, but another port that only the answer named.
        ("http://127.0.0.1:1/", "only another party named it"),
    ] {
        let (url, _task) = server(vec![answer(&format!("302 Found\r\nLocation: {to}"), "")]).await;
        let error = get(&url, 100).await.unwrap_err();
        assert!(error.is_refusal() && error.to_string().contains(words), "{to}: {error}");
    }
}

#[tokio::test]
async fn redirects_are_counted() {
    let answers = (0..10).map(|_| answer("302 Found\r\nLocation: /", "")).collect();
    let (url, _task) = server(answers).await;
    assert!(matches!(get(&url, 100).await, Err(NetError::Redirects { .. })));
}

#[tokio::test]
async fn answers_are_bounded() {
    let (url, _task) = server(vec![answer("200 OK", &"x".repeat(1000))]).await;
    assert!(matches!(get(&url, 999).await, Err(NetError::TooLarge { .. })));
    // Without a length, what comes is counted.
    let (url, _task) = server(vec![format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}", "x".repeat(1000))]).await;
    assert!(matches!(get(&url, 999).await, Err(NetError::TooLarge { .. })));
    let (url, _task) = server(vec![answer("200 OK\r\nContent-Encoding: gzip", "xx")]).await;
    assert!(matches!(get(&url, 999).await, Err(NetError::Compressed { .. })));
}

#[tokio::test]
async fn names_are_held_to_what_they_resolve_to() {
    let (url, _task) = server(vec![answer("200 OK", "{}")]).await;
    let mut named = url.clone();
    named.set_host(Some("localhost")).unwrap();
    let guard = Guard::new(Policy::default()).unwrap();
    let headers = HeaderMap::new();
    let (accept, bytes, time) = ("*/*", 100, Duration::from_secs(5));
    let told = Ask { url: &named, trust: Trust::Told, accept, headers: &headers, bytes, time };
    let error = guard.get(&told).await.unwrap_err();
    assert!(matches!(&error, NetError::Name { why, .. } if why.contains("this machine")), "{error}");
    assert_eq!(guard.get(&Ask { trust: Trust::Asked, ..told }).await.unwrap().status, 200);
}

#[tokio::test]
async fn nobody_waits_longer_than_the_limit() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let headers = HeaderMap::new();
    let time = Duration::from_millis(50);
    let ask = Ask { url: &url, trust: Trust::Asked, accept: "*/*", headers: &headers, bytes: 10, time };
    assert!(matches!(Guard::new(Policy::default()).unwrap().get(&ask).await, Err(NetError::Timeout { .. })));
}
