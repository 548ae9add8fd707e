use std::time::Duration;

use serde_json::{Value, json};
use tracehound_model::{EdgeKind, NodeId, NodeKind, hash};

use super::Named;
use super::limits::{
    ANSWER, COLLECTIONS, COUNTED, DEPTH, FILES, FOLDERS, LISTED, MODELS, NAME, PAGES, PARTS, UPSTREAMS, VIRTUAL_KEYS,
};
use crate::net::Certificate;

mod peer;

use peer::{Peer, Read};

/// The answer in Ollama's documentation of `GET /api/tags`.
fn tags() -> Value {
    json!({"models": [{
        "name": "gemma3",
        "model": "gemma3",
        "modified_at": "2025-10-03T23:34:03.409490317-07:00",
        "size": 3_338_801_804_u64,
        "digest": "a2af6cc3eb7fa8be8504abaf9b04e88f17a119ec3f04a3addf55f92841195f5a",
        "details": {"format": "gguf", "family": "gemma", "families": ["gemma"], "parameter_size": "4.3B", "quantization_level": "Q4_K_M"},
    }]})
}

#[tokio::test]
async fn ollama_tells_its_models() {
    let peer = Peer::with(&[("/api/tags", tags())]).await;
    let read = peer.read(NodeKind::OllamaInstance, None).await;
    let model = read.node(EdgeKind::ProvidesModel, "gemma3");
    assert_eq!(model.id, NodeId::ai_model(&read.id, "gemma3"));
    assert_eq!(
        serde_json::to_value(&model.properties).unwrap(),
        json!({
            "objectid": model.id.as_str(),
            "name": "gemma3",
            "size": 3_338_801_804_u64,
            "digest": "a2af6cc3eb7fa8be8504abaf9b04e88f17a119ec3f04a3addf55f92841195f5a",
            "family": "gemma",
            "parameter_size": "4.3B",
            "quantization": "Q4_K_M",
            "modified_at": "2025-10-03T23:34:03.409490317-07:00",
        })
    );
    let edge = &read.document.graph.edges[0];
    assert_eq!((edge.source_kind, edge.target_kind), (Some(NodeKind::OllamaInstance), Some(NodeKind::AiModel)));
    assert_eq!((&edge.properties["risk_weight"], &edge.properties["confidence"]), (&json!(0.1), &json!(1.0)));
    assert_eq!(read.properties, json!({"model_count": 1}));
    assert!(read.is_whole && read.problems.is_empty() && read.cut_short.is_empty());
    assert!(peer.heads().iter().all(|head| head.starts_with("GET ")));
}

#[tokio::test]
async fn an_instance_without_models_is_read_whole() {
    let peer = Peer::with(&[("/api/tags", json!({"models": null}))]).await;
    let read = peer.read(NodeKind::OllamaInstance, None).await;
    assert_eq!((read.properties, read.is_whole), (json!({"model_count": 0}), true));
}

/// What LiteLLM 1.106 answers to `GET /model/info`, without its prices, and keys as no release shows them.
fn model_info() -> Value {
    let entry = |name: &str, params: Value, id: &str, provider: &str| json!({"model_name": name, "litellm_params": params, "model_info": {"id": id, "litellm_provider": provider}});
    json!({"data": [
        entry("gpt-4o", json!({"model": "openai/gpt-4o"}), "7d9e21a80dd31cb3", "openai"),
        entry(
            "gpt-4o",
            json!({"model": "azure/gpt-4o", "api_base": "https://user:Pl4nted%2Din-url@az.example.com/x?api-key=Pl4nted-in-query"}),
            "907eb0c33d52e53e",
            "azure",
        ),
        entry("Claude 3/5", json!({"model": "anthropic/claude", "api_key": "sk-ant-Pl4ntedUpstream0123456789"}), "118b10d95cda7101", ""),
        entry("masked", json!({"model": "openai/x", "api_key": "sk-12****34"}), "c", "openai"),
        entry("environment", json!({"model": "openai/x", "api_key": "os.environ/OPENAI_API_KEY"}), "d", "openai"),
        entry("local", json!({"model": "ollama/llama3", "api_base": "http://127.0.0.1:11434"}), "e", "ollama"),
    ]})
}

const MASTER: &str = "sk-Pl4ntedMasterKey0123456789";

/// What LiteLLM answers to `GET /key/list?return_full_object=true`; its source calls the parts of it
/// `KeyListResponseObject` and `UserAPIKeyAuth`.
fn key_list(keys: &Value, page: u64, pages: u64) -> Value {
    json!({"keys": keys, "total_count": 3, "current_page": page, "total_pages": pages})
}

fn key_page(page: usize) -> String {
    format!("/key/list?page={page}&size=100&return_full_object=true")
}

async fn litellm(first: Value, second: Value) -> (Peer, Read) {
    let peer = Peer::with(&[("/model/info", model_info()), (&key_page(1), first), (&key_page(2), second)]).await;
    let read = peer.read(NodeKind::LitellmGateway, Some(MASTER)).await;
    (peer, read)
}

#[tokio::test]
async fn litellm_tells_its_keys_and_what_is_behind_it() {
    let given_out = hash::content("sk-given-out");
    let first = json!([{"token": given_out, "key_name": "sk-...-out", "key_alias": "billing", "spend": 1.5, "models": ["gpt-4o"]}]);
    let second = json!([{"token": "sk-Pl4ntedRawToken", "key_id": "sk-Pl4ntedRawToken"}, {"key_id": "key-1"}, {}]);
    let (peer, read) = litellm(key_list(&first, 1, 2), key_list(&second, 2, 2)).await;
    let raw = hash::content("sk-Pl4ntedRawToken");
    let (by_hash, by_raw) = (format!("virtual-{given_out}"), format!("virtual-{raw}"));
    let mut expected = vec![
        "litellm-master".to_owned(),
        "upstream-claude-3-5".to_owned(),
        "upstream-environment".to_owned(),
        "upstream-gpt-4o".to_owned(),
        "upstream-gpt-4o-907eb0c33d52".to_owned(),
        "upstream-masked".to_owned(),
        "virtual-key-1".to_owned(),
        by_hash.clone(),
        by_raw.clone(),
    ];
    expected.sort_unstable();
    assert_eq!(read.names(), expected);
    for (name, value_hash) in [
        ("litellm-master", Some(hash::content(MASTER))),
        ("upstream-claude-3-5", Some(hash::content("sk-ant-Pl4ntedUpstream0123456789"))),
        ("upstream-gpt-4o", None),
        ("upstream-masked", None),
        ("upstream-environment", None),
        ("virtual-key-1", None),
        (by_hash.as_str(), Some(given_out.clone())),
        (by_raw.as_str(), Some(raw.clone())),
    ] {
        let node = read.node(EdgeKind::ExposesCredential, name);
        let is_known = value_hash.is_some();
        let value_hash = value_hash.unwrap_or_else(|| hash::content(node.id.as_str()));
        assert_eq!(node.id, NodeId::credential(&peer.base, name));
        assert_eq!(
            (&node.properties["value_hash"], &node.properties["value_known"]),
            (&json!(value_hash), &json!(is_known))
        );
    }
    let master = serde_json::to_value(&read.node(EdgeKind::ExposesCredential, "litellm-master").properties).unwrap();
    assert_eq!(master["type"], "master_key");
    assert_eq!((&master["source"], &master["format"]), (&json!("litellm"), &json!("litellm")));
    assert_eq!((&master["is_exposed"], &master["high_entropy"]), (&json!(true), &json!(true)));
    let azure = read.node(EdgeKind::ExposesCredential, "upstream-gpt-4o-907eb0c33d52");
    assert_eq!((&azure.properties["type"], &azure.properties["provider"]), (&json!("apiKey"), &json!("azure")));
    assert_eq!(azure.properties["provider_endpoint"], "https://az.example.com/x");
    assert_eq!(read.node(EdgeKind::ExposesCredential, "upstream-claude-3-5").properties["provider"], "anthropic");
    let billing = &read.node(EdgeKind::ExposesCredential, &by_hash).properties;
    assert_eq!((&billing["type"], &billing["alias"]), (&json!("virtual_key"), &json!("billing")));
    assert_eq!((&billing["spend_usd"], &billing["models"]), (&json!(1.5), &json!(["gpt-4o"])));
    assert_eq!(
        read.named,
        [
            Named { kind: None, base: "https://az.example.com:443".to_owned() },
            Named { kind: Some(NodeKind::OllamaInstance), base: "http://127.0.0.1:11434".to_owned() },
        ]
    );
    assert_eq!(read.problems, ["1 virtual keys have neither an id nor a token that could be taken"]);
    let heads = peer.heads();
    assert!(
        heads.iter().all(|head| head.starts_with("GET ") && head.contains(&format!("authorization: Bearer {MASTER}")))
    );
}

#[tokio::test]
async fn keys_are_understood_in_every_form_that_lists_them() {
    let token = hash::content("sk-given-out");
    for list in [json!([token]), json!([{"token": token}]), json!({"keys": [token]})] {
        let (_, read) = litellm(list.clone(), json!([])).await;
        let name = format!("virtual-{token}");
        let node = read.node(EdgeKind::ExposesCredential, &name);
        assert_eq!(node.properties["value_hash"], json!(token), "{list}");
        assert!(read.is_whole, "{list}");
    }
}

#[tokio::test]
async fn a_key_that_was_given_out_is_no_master_key() {
    let (_, read) = litellm(json!([hash::content(MASTER)]), json!([])).await;
    assert!(!read.names().contains(&"litellm-master"));
    assert!(read.problems[0].contains("gave out") && !read.is_whole);
}

#[tokio::test]
async fn a_gateway_without_a_database_is_read_as_far_as_it_goes() {
    // LiteLLM 1.106 answers 500 to `GET /key/list` when it has no database.
    let peer = Peer::start(|path| match path {
        "/model/info" => Some((200, model_info().to_string())),
        _ => Some((500, json!({"error": {"message": "Authentication Error, Database not connected"}}).to_string())),
    })
    .await;
    let read = peer.read(NodeKind::LitellmGateway, Some(MASTER)).await;
    assert!(read.names().contains(&"litellm-master") && read.names().contains(&"upstream-gpt-4o"));
    assert!(read.problems[0].contains("database") && !read.is_whole, "{:?}", read.problems);
}

#[tokio::test]
async fn a_key_that_is_not_accepted_is_not_said_to_be_the_gateways() {
    // LiteLLM 1.106 without a database answers 400 to a key that is not its own.
    for status in [400, 401, 403] {
        let peer = Peer::start(move |_| Some((status, String::new()))).await;
        let read = peer.read(NodeKind::LitellmGateway, Some(MASTER)).await;
        assert!(read.document.graph.nodes.is_empty() && !read.is_whole);
        assert!(read.problems[0].contains("not accepted"), "{:?}", read.problems);
    }
}

#[tokio::test]
async fn without_a_key_a_gateway_is_not_asked() {
    let peer = Peer::with(&[("/model/info", model_info())]).await;
    let read = peer.read(NodeKind::LitellmGateway, None).await;
    assert!(read.problems[0].contains("needs the gateway's master key") && !read.is_whole);
    assert!(peer.heads().is_empty());
}

#[tokio::test]
async fn no_key_is_sent_where_the_certificate_is_not_valid() {
    let peer = Peer::with(&[("/collections", collections(&["a"]))]).await;
    let read =
        peer.read_as(NodeKind::QdrantInstance, Some("Pl4ntedKey"), Certificate::Ignored, Duration::from_secs(5)).await;
    assert!(read.problems[0].contains("certificate is not valid"), "{:?}", read.problems);
    assert!(!peer.heads().is_empty() && peer.heads().iter().all(|head| !head.contains("Pl4nted")));
}

/// A folder as Jupyter's `GET /api/contents/{path}` shows it.
fn folder(path: &str, content: &[Value]) -> Value {
    json!({"name": path, "path": path, "type": "directory", "format": "json", "content": content})
}

fn entry(sort: &str, name: &str) -> Value {
    json!({"name": name, "path": "ignored", "type": sort, "mimetype": null, "size": 59, "content": null})
}

#[tokio::test]
async fn jupyter_tells_its_tree_of_notebooks() {
    let asked = |path: &str| format!("/api/contents{path}?type=directory&content=1");
    let root = [entry("directory", "sub folder"), entry("notebook", "a.ipynb"), entry("file", ".env")];
    let peer = Peer::with(&[
        (&asked(""), folder("", &root)),
        (&asked("/sub%20folder"), folder("sub folder", &[entry("file", "server.key"), entry("file", "ä#?%.csv")])),
        ("/api/sessions", json!([{"id": "1", "path": "a.ipynb"}])),
        ("/api/kernels", json!([{"id": "1"}, {"id": "2"}])),
    ])
    .await;
    let read = peer.read(NodeKind::JupyterServer, Some("t0ken")).await;
    assert_eq!(read.names(), [".env", "a.ipynb", "server.key", "ä#?%.csv"]);
    let place = peer.base.replace("http://", "jupyter://");
    for (name, path, sensitivity) in [
        (".env", "/.env", "critical"),
        ("a.ipynb", "/a.ipynb", "high"),
        ("server.key", "/sub folder/server.key", "critical"),
        ("ä#?%.csv", "/sub folder/ä#?%.csv", "high"),
    ] {
        let node = read.node(EdgeKind::ProvidesResource, name);
        let uri = format!("{place}{path}");
        assert_eq!(node.id, NodeId::mcp_resource(&read.id, &uri), "{name}");
        assert_eq!((&node.properties["uri"], &node.properties["uri_scheme"]), (&json!(uri), &json!("jupyter")));
        assert_eq!(node.properties["sensitivity"], sensitivity, "{name}");
        assert_eq!(node.properties["size"], 59);
    }
    let notebook = read.node(EdgeKind::ProvidesResource, "a.ipynb");
    assert_eq!(notebook.properties["mime_type"], "application/x-ipynb+json");
    let edge = &read.document.graph.edges[0];
    assert_eq!((edge.source_kind, &edge.properties["risk_weight"]), (Some(NodeKind::JupyterServer), &json!(0.2)));
    assert_eq!(read.properties, json!({"active_sessions": 1, "active_kernels": 2}));
    assert!(read.is_whole, "{:?}", read.problems);
    assert!(peer.heads().iter().all(|head| head.starts_with("GET ") && head.contains("authorization: token t0ken")));
}

#[tokio::test]
async fn a_folder_that_can_not_be_read_does_not_hide_the_others() {
    let peer = Peer::start(|path| {
        let body = match path.split('?').next().unwrap() {
            "/api/contents" => folder("", &[entry("directory", "a"), entry("directory", "b"), entry("directory", "c")]),
            "/api/contents/c" => {
                folder("c", &[entry("notebook", "c.ipynb"), entry("file", "../x"), entry("file", "..")])
            }
            "/api/sessions" | "/api/kernels" => json!([]),
            _ => return Some((403, String::new())),
        };
        Some((200, body.to_string()))
    })
    .await;
    let read = peer.read(NodeKind::JupyterServer, None).await;
    assert_eq!(read.names(), ["c.ipynb"]);
    assert_eq!(
        read.problems,
        [
            "`/api/contents/a` was not read: the answer is 403: it wants a key that may read this",
            "1 more folders were not read",
            "2 notebooks and files have no name that could be taken",
        ]
    );
    assert!(!read.is_whole);
}

#[tokio::test]
async fn a_tree_without_an_end_is_read_to_a_depth() {
    let peer = Peer::start(|path| {
        let content = [entry("directory", "again"), entry("file", "x.txt")];
        Some((200, if path.starts_with("/api/contents") { folder("", &content) } else { json!([]) }.to_string()))
    })
    .await;
    let read = peer.read(NodeKind::JupyterServer, None).await;
    assert_eq!((read.names().len(), read.cut_short), (DEPTH + 1, vec![format!("folders more than {DEPTH} deep")]));
    assert!(!read.is_whole);
}

#[tokio::test]
async fn a_link_that_leads_back_is_not_followed() {
    let at = |mut entry: Value, time: &str| {
        entry["last_modified"] = json!(time);
        entry
    };
    let peer = Peer::start(move |path| {
        let body = match path.split('?').next().unwrap() {
            "/api/sessions" | "/api/kernels" => json!([]),
            // A folder may look like another one beside it.
            path if path.ends_with("/sub") || path.ends_with("/copy") => {
                folder("", &[at(entry("directory", "loop"), "t2"), at(entry("file", "b.txt"), "t3")])
            }
            _ => folder(
                "",
                &[
                    at(entry("directory", "sub"), "t1"),
                    at(entry("directory", "copy"), "t1"),
                    at(entry("file", "a.txt"), "t0"),
                ],
            ),
        };
        Some((200, body.to_string()))
    })
    .await;
    let read = peer.read(NodeKind::JupyterServer, None).await;
    assert_eq!((read.names(), read.is_whole), (vec!["a.txt", "b.txt", "b.txt"], true));
}

#[tokio::test]
async fn a_tree_is_read_to_a_number_of_folders_and_files() {
    let many: Vec<Value> = (0..FOLDERS).map(|number| entry("directory", &format!("d{number}"))).collect();
    let files: Vec<Value> = (0..=FILES).map(|number| entry("file", &format!("f{number}.txt"))).collect();
    for (root, words) in [
        (folder("", &many), format!("folders after the first {FOLDERS}")),
        (folder("", &files), format!("notebooks and files after the first {FILES}")),
    ] {
        let root = root.to_string();
        let peer = Peer::start(move |path| {
            let is_root = path.starts_with("/api/contents?");
            let below = if path.starts_with("/api/contents") { folder("", &[]) } else { json!([]) };
            Some((200, if is_root { root.clone() } else { below.to_string() }))
        })
        .await;
        let read = peer.read(NodeKind::JupyterServer, None).await;
        assert_eq!((read.cut_short, read.is_whole), (vec![words], false));
        assert!(read.document.graph.nodes.len() <= FILES && peer.heads().len() <= FOLDERS + 2);
    }
}

/// A page of MLflow's `GET /api/2.0/mlflow/experiments/search`.
fn experiments(from: usize, count: usize, next: Option<&str>) -> Value {
    let list: Vec<Value> = (from..from + count)
        .map(|number| json!({"experiment_id": number.to_string(), "name": format!("e{number}"), "lifecycle_stage": "active"}))
        .collect();
    next.map_or_else(|| json!({"experiments": list}), |next| json!({"experiments": list, "next_page_token": next}))
}

#[tokio::test]
async fn mlflow_tells_its_experiments_page_by_page() {
    let path = "/api/2.0/mlflow/experiments/search?max_results=1000";
    let peer = Peer::with(&[
        (path, experiments(0, 2, Some("a+b/c="))),
        (&format!("{path}&page_token=a%2Bb%2Fc%3D"), experiments(2, 1, Some("last"))),
        (&format!("{path}&page_token=last"), experiments(3, 1, None)),
        // MLflow leaves out a list that is empty.
        ("/api/2.0/mlflow/registered-models/search?max_results=1000", json!({})),
    ])
    .await;
    let read = peer.read(NodeKind::MlflowServer, Some("admin:Pl4ntedPassword")).await;
    assert_eq!(
        read.properties,
        json!({"experiment_count": 4, "experiments": ["e0", "e1", "e2", "e3"], "registered_model_count": 0})
    );
    assert!(read.is_whole, "{:?}", read.problems);
    assert!(peer.heads().iter().all(|head| head.contains("authorization: Basic YWRtaW46UGw0bnRlZFBhc3N3b3Jk")));
}

#[tokio::test]
async fn pages_without_an_end_are_counted_and_so_is_what_is_on_them() {
    let number = std::sync::atomic::AtomicUsize::new(0);
    let endless = Peer::start(move |_| {
        let number = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Some((200, experiments(number, 1, Some(&format!("t{number}"))).to_string()))
    })
    .await;
    let read = endless.read(NodeKind::MlflowServer, None).await;
    assert_eq!(read.cut_short[0], format!("experiments after the first {PAGES} pages"));
    assert_eq!(read.properties["experiment_count"], PAGES);
    let stuck = Peer::start(|_| Some((200, experiments(0, 1, Some("same")).to_string()))).await;
    let read = stuck.read(NodeKind::MlflowServer, None).await;
    assert!(read.problems[0].contains("to the same page"), "{:?}", read.problems);
    let large = Peer::start(|_| Some((200, experiments(0, COUNTED + 1, None).to_string()))).await;
    let read = large.read(NodeKind::MlflowServer, None).await;
    assert!(read.cut_short.contains(&format!("experiments after the first {COUNTED}")), "{:?}", read.cut_short);
    assert!(read.cut_short.contains(&format!("names in `experiments` after the first {LISTED}")));
    assert_eq!(read.properties["experiments"].as_array().unwrap().len(), LISTED);
    assert!(!read.is_whole);
}

/// The answer in Qdrant's documentation of `GET /collections`.
fn collections(names: &[&str]) -> Value {
    let list: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
    json!({"result": {"collections": list}, "status": "ok", "time": 0.000_02})
}

/// As in Qdrant's documentation of `GET /collections/{collection_name}`.
fn collection(points: &Value) -> Value {
    json!({"result": {"status": "green", "optimizer_status": "ok", "points_count": points, "segments_count": 2}, "status": "ok"})
}

#[tokio::test]
async fn qdrant_tells_its_collections() {
    let peer = Peer::with(&[
        ("/collections", collections(&["b/c d", "a", "new"])),
        ("/collections/a", collection(&json!(10))),
        ("/collections/b%2Fc%20d", collection(&json!(5))),
        ("/collections/new", collection(&Value::Null)),
    ])
    .await;
    let read = peer.read(NodeKind::QdrantInstance, None).await;
    let expected = json!({"collection_count": 3, "collections": ["a", "b/c d", "new"], "total_points": 15, "anonymous_listing": true});
    assert_eq!(read.properties, expected);
    assert!(read.is_whole, "{:?}", read.problems);
    let read = peer.read(NodeKind::QdrantInstance, Some("the-key")).await;
    assert_eq!(read.properties.get("anonymous_listing"), None);
    assert!(peer.heads().iter().any(|head| head.contains("api-key: the-key")));
}

#[tokio::test]
async fn a_sum_that_lacks_a_part_is_not_told() {
    let peer =
        Peer::with(&[("/collections", collections(&["a", "b", ".."])), ("/collections/a", collection(&json!(10)))])
            .await;
    let read = peer.read(NodeKind::QdrantInstance, None).await;
    assert_eq!((read.properties["collection_count"].as_u64(), read.properties.get("total_points")), (Some(3), None));
    assert_eq!(
        read.problems,
        ["`/collections/..` was not read: its name is no part of a path", "1 more collections were not read"]
    );
    let names: Vec<String> = (0..=COLLECTIONS).map(|number| format!("c{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let peer = Peer::with(&[("/collections", collections(&names))]).await;
    let read = peer.read(NodeKind::QdrantInstance, None).await;
    assert!(read.cut_short.contains(&format!("what is in collections after the first {COLLECTIONS}")));
    assert_eq!(peer.heads().len(), 1);
}

/// What Open WebUI's source answers to `GET /api/config`, `GET /openai/config` and `GET /ollama/config`.
fn open_webui() -> [(&'static str, Value); 3] {
    [
        (
            "/api/config",
            json!({
                "status": true, "name": "Open WebUI", "version": "0.6.32", "default_locale": "",
                "oauth": {"providers": {}},
                "features": {"auth": true, "auth_trusted_header": false, "enable_signup": false, "enable_ldap": false},
            }),
        ),
        (
            "/openai/config",
            json!({
                "ENABLE_OPENAI_API": true,
                "OPENAI_API_BASE_URLS": ["https://api.openai.com/v1", "http://10.0.0.7:4000/v1", "http://10.0.0.8:8000/v1"],
                "OPENAI_API_KEYS": ["sk-Pl4ntedOpenAiKey0123456789", "sk-Pl4ntedGateway0123456789", ""],
                "OPENAI_API_CONFIGS": {"0": {"enable": true, "headers": {"X-Secret": "Pl4nted-header"}}},
            }),
        ),
        (
            "/ollama/config",
            json!({
                "ENABLE_OLLAMA_API": true,
                "OLLAMA_BASE_URLS": ["http://ollama:11434", "https://u:Pl4ntedUrl@far.example/ollama"],
                "OLLAMA_API_CONFIGS": {"1": {"key": "Pl4ntedOllamaKey0123"}},
            }),
        ),
    ]
}

#[tokio::test]
async fn open_webui_tells_what_is_behind_it() {
    let peer = Peer::with(&open_webui()).await;
    let read = peer.read(NodeKind::OpenWebuiInstance, Some("sk-admin-Pl4nted")).await;
    assert_eq!(read.properties, json!({"version": "0.6.32", "webui_auth_enabled": true, "signup_enabled": false}));
    assert_eq!(read.names(), ["upstream-ollama-1", "upstream-openai-0", "upstream-openai-1"]);
    for (name, value, endpoint) in [
        ("upstream-openai-0", "sk-Pl4ntedOpenAiKey0123456789", "https://api.openai.com/v1"),
        ("upstream-openai-1", "sk-Pl4ntedGateway0123456789", "http://10.0.0.7:4000/v1"),
        ("upstream-ollama-1", "Pl4ntedOllamaKey0123", "https://far.example/ollama"),
    ] {
        let node = read.node(EdgeKind::ExposesCredential, name);
        assert_eq!(node.id, NodeId::credential(&peer.base, name));
        assert_eq!(node.properties["value_hash"], json!(hash::content(value)), "{name}");
        assert_eq!(
            (&node.properties["provider_endpoint"], &node.properties["source"]),
            (&json!(endpoint), &json!("openwebui"))
        );
    }
    let named = |kind, base: &str| Named { kind, base: base.to_owned() };
    let ollama = Some(NodeKind::OllamaInstance);
    assert_eq!(
        read.named,
        [
            named(None, "http://10.0.0.7:4000"),
            named(None, "http://10.0.0.8:8000"),
            named(None, "https://api.openai.com:443"),
            named(ollama, "http://ollama:11434"),
            named(ollama, "https://far.example:443"),
        ]
    );
    assert!(read.is_whole, "{:?}", read.problems);
}

#[tokio::test]
async fn without_a_key_open_webui_tells_who_may_come_in() {
    let peer = Peer::with(&[(
        "/api/config",
        json!({"version": "0.3.0", "features": {"auth": false}, "default_user_role": "admin", "ollama": {"base_url": "http://o:11434"}}),
    )])
    .await;
    let read = peer.read(NodeKind::OpenWebuiInstance, None).await;
    assert_eq!(read.properties, json!({"version": "0.3.0", "webui_auth_enabled": false, "default_user_role": "admin"}));
    assert_eq!(read.named, [Named { kind: Some(NodeKind::OllamaInstance), base: "http://o:11434".to_owned() }]);
    assert!(read.problems[0].contains("key of an administrator") && !read.is_whole);
    assert_eq!(peer.heads().len(), 1);
}

#[tokio::test]
async fn no_secret_leaves_a_reader_wherever_a_service_repeats_it() {
    let echo = json!({"model_name": format!("echo {MASTER}"), "litellm_params": {"model": "x/sk-ant-Pl4ntedUpstream0123456789"},
        "model_info": {"id": MASTER, "litellm_provider": "Pl4nted-in-url"}});
    let mut models = model_info();
    models["data"].as_array_mut().unwrap().push(echo);
    let again = models["data"][6].clone();
    models["data"].as_array_mut().unwrap().push(again);
    let keys = json!([{"token": "sk-Pl4ntedRawToken", "key_alias": "alias sk-Pl4ntedRawToken", "models": [MASTER]}, "sk-Pl4ntedOther"]);
    let peer = Peer::with(&[("/model/info", models), (&key_page(1), keys)]).await;
    let gateway = peer.read(NodeKind::LitellmGateway, Some(MASTER)).await;
    assert_eq!(gateway.document.graph.nodes.len(), 10);
    let mut answers = open_webui().to_vec();
    answers[0].1["version"] = json!("1 sk-Pl4ntedGateway0123456789");
    let peer = Peer::with(&answers).await;
    let webui = peer.read(NodeKind::OpenWebuiInstance, Some("sk-admin-Pl4nted")).await;
    let peer = Peer::with(&[("/collections", collections(&["Pl4ntedCollectionKey"]))]).await;
    let qdrant = peer.read(NodeKind::QdrantInstance, Some("Pl4ntedCollectionKey")).await;
    assert!(!qdrant.problems.is_empty());
    for read in [gateway, webui, qdrant] {
        let text = read.everything();
        assert!(!text.to_lowercase().contains("pl4nted"), "{text}");
    }
}

#[tokio::test]
async fn answers_that_are_too_long_too_deep_or_no_json_are_told() {
    let long = format!("\"{}\"", "x".repeat(ANSWER));
    let parts = format!("[{}]", vec!["0"; PARTS + 1].join(","));
    for (body, words) in [
        (long, "longer than"),
        (parts, "more than 1000000 parts"),
        ("[".repeat(200), "not JSON"),
        (r#"{"models":[],"models":[]}"#.to_owned(), "stands twice"),
        ("<html>".to_owned(), "not JSON"),
        ("[]".to_owned(), "no list of models"),
    ] {
        let peer = Peer::start(move |_| Some((200, body.clone()))).await;
        let read = peer.read(NodeKind::OllamaInstance, None).await;
        assert!(read.problems[0].contains(words) && !read.is_whole, "{words}: {:?}", read.problems);
    }
}

#[tokio::test]
async fn a_service_that_never_answers_takes_no_longer_than_its_time() {
    let peer = Peer::start(|path| (path == "/api/sessions").then(|| (200, "[]".to_owned()))).await;
    let time = Duration::from_millis(300);
    let read = peer.read_as(NodeKind::JupyterServer, None, Certificate::Checked, time).await;
    assert_eq!(read.properties, json!({"active_sessions": 0}));
    assert!(read.cut_short[0].contains("time for this service is over") && !read.is_whole, "{:?}", read.cut_short);
}

#[tokio::test]
async fn lists_are_read_to_a_number_and_names_to_a_length() {
    let models: Vec<Value> = (0..=MODELS).map(|number| json!({"name": format!("m{number}")})).collect();
    let peer = Peer::with(&[("/api/tags", json!({"models": models}))]).await;
    let read = peer.read(NodeKind::OllamaInstance, None).await;
    assert_eq!(read.cut_short, [format!("models after the first {MODELS}")]);
    assert_eq!((read.document.graph.nodes.len(), &read.properties["model_count"]), (MODELS, &json!(MODELS + 1)));
    let peer =
        Peer::with(&[("/api/tags", json!({"models": [{"name": "x".repeat(NAME + 1)}, {}, {"name": "y"}]}))]).await;
    let read = peer.read(NodeKind::OllamaInstance, None).await;
    assert_eq!(read.problems, ["2 models have no name that could be taken"]);
    let upstreams: Vec<Value> = (0..=UPSTREAMS).map(|_| json!({"model_name": "same"})).collect();
    let tokens: Vec<Value> = (0..=VIRTUAL_KEYS).map(|number| json!(hash::content(number.to_string()))).collect();
    let peer = Peer::with(&[("/model/info", json!({"data": upstreams})), (&key_page(1), json!(tokens))]).await;
    let read = peer.read(NodeKind::LitellmGateway, Some(MASTER)).await;
    assert!(read.cut_short.contains(&format!("models after the first {UPSTREAMS}")), "{:?}", read.cut_short);
    assert!(read.cut_short.contains(&format!("virtual keys after the first {VIRTUAL_KEYS}")));
    assert_eq!(read.document.graph.nodes.len(), 1 + UPSTREAMS + VIRTUAL_KEYS);
}

#[tokio::test]
async fn the_same_answers_in_any_order_give_the_same_document() {
    let mut models = model_info();
    let mut documents = Vec::new();
    for _ in 0..2 {
        // The answers speak of no port, and the document of the peer's.
        let peer = Peer::with(&[("/model/info", models.clone()), (&key_page(1), json!([]))]).await;
        let read = peer.read(NodeKind::LitellmGateway, Some(MASTER)).await;
        let mut names: Vec<(String, String)> = read
            .names()
            .iter()
            .map(|name| {
                ((*name).to_owned(), read.node(EdgeKind::ExposesCredential, name).properties["format"].to_string())
            })
            .collect();
        let azure = read.node(EdgeKind::ExposesCredential, "upstream-gpt-4o-907eb0c33d52");
        names.push(("azure".to_owned(), azure.properties["provider"].to_string()));
        documents.push(names);
        models["data"].as_array_mut().unwrap().reverse();
    }
    assert_eq!(documents[0], documents[1]);
}
