//! Published ids. A change here splits every estate in two: what was scanned before and what is scanned after.

use super::*;

#[track_caller]
fn check(id: &NodeId, expected: &str) {
    assert_eq!(id.as_str(), format!("sha256:{expected}"));
}

fn postgres() -> NodeId {
    NodeId::stdio_server("npx", &["-y", "@modelcontextprotocol/server-postgres"])
}

fn remote() -> NodeId {
    NodeId::http_server("https://mcp.example.com/api")
}

#[test]
fn servers() {
    check(&postgres(), "b0e352f282eeb383a3c45015f78827ed9ba735f3636df9d24a5239e319aba46a");
    check(&remote(), "5eb5eeef47c53ebe7d7be7cf8cb7e12fc93eba38de43c1576e0e1d91c70372d8");
    check(
        &NodeId::http_server("https://mcp.example.com/api/"),
        "b261875b3c9824306c21a94b1439d2fce8ef31c46e43fe5388467367d6f0f783",
    );
    check(
        &NodeId::stdio_server::<&str>("npx", &[]),
        "80b487acd1029ac29b378f5b3e0ec43eb6dda1e071b2db52f1d1ee904f9c3f83",
    );
    check(
        &NodeId::stdio_server(" npx ", &["@modelcontextprotocol/server-filesystem", "-y", "/home/user/documents"]),
        "c9443470d71769399b038458fdddecab38cba476cd4c477fd37e7b63484754ef",
    );
}

#[test]
fn argument_order_does_not_matter() {
    assert_eq!(NodeId::stdio_server("npx", &["@modelcontextprotocol/server-postgres", "-y"]), postgres());
}

#[test]
fn what_analysis_makes_up() {
    check(
        &NodeId::resource_group(&postgres(), "postgres", "prod-db"),
        "2e8e048c4897bf989cfeaa0ac1d74f27c86b373c399771c5dbe5156c2f8e8c75",
    );
    check(&NodeId::trust_zone("private"), "85af37756928e787328edc4f29b5bc15c70fdb99f8f1dedf902c6446b6142ad7");
}

#[test]
fn tools_resources_and_prompts() {
    let jupyter = NodeId::service(NodeKind::JupyterServer, "http://10.0.0.14:8888");
    check(
        &NodeId::mcp_tool(&postgres(), "execute_sql"),
        "c7643babec3a0e4decac50b10f5ac55c447889fafa7111db7396ce9e84e798d1",
    );
    check(
        &NodeId::mcp_tool(&remote(), "list_tables"),
        "e775d62a877c10fc4af33faa90391c380ba268a048e04d0b68844159041c9e6d",
    );
    check(
        &NodeId::mcp_resource(&postgres(), "postgres://prod-db:5432/customers"),
        "c09c8a9fc626c6441d26f56147c073d644d38a12931bdd4cd524fe6ef647af55",
    );
    check(
        &NodeId::mcp_resource(&remote(), "file:///etc/shadow"),
        "c6636a56040662a0ec91ad269907073cb029c08333c22f3cc4f46bd27f7469ca",
    );
    check(
        &NodeId::mcp_resource(&jupyter, "jupyter://10.0.0.14:8888/train.ipynb"),
        "12912cd5529c54eae6590dffadd6212c76af99a181d737650165a72109fcd913",
    );
    check(
        &NodeId::mcp_resource(&jupyter, "jupyter://10.0.0.14:8888/data/raw.csv"),
        "7f470035eb81c3a4a6cd9aba69eb5b63754496df855c574044e83509f19b3851",
    );
    check(
        &NodeId::mcp_prompt(&postgres(), "summarize"),
        "3ddd0a0a42e8518dc6b8449a9a81904a92a3546f8495fc31acc594e57ac83f58",
    );
    check(
        &NodeId::mcp_prompt(&remote(), "review-code"),
        "960b7ac960523e17b7e3639fa24848cf9a138b22770274dc586371410aed491a",
    );
}

#[test]
fn agents_and_skills() {
    let research = NodeId::a2a_agent("https://research.example.com");
    let weather = NodeId::a2a_agent("https://weather.example.com/a2a");
    check(&research, "199665f61b61e181e7bffa82601f39edaff9f6ff0697c4a5656ad2c07b4084c4");
    check(&weather, "814e76f7b7561c6d80bf6b632501062d9caca66d70b2989bd26b9f8b22365d0b");
    check(
        &NodeId::a2a_agent("http://10.0.0.5:3000/.well-known/agent-card.json"),
        "af3ffd6f5a8e78c9ab99661d663122561d4d3e75c2a07f34569c05f7f8490051",
    );
    check(
        &NodeId::a2a_skill(&research, "web-research"),
        "f29cc56f5dd102195f9e1f189591f84c2445867bac3c97055faee24ce92358c4",
    );
    check(
        &NodeId::a2a_skill(&weather, "get-weather"),
        "2bdbb8f5aff568391b7fe40c8af9d54f858afb929ec681c0528afab32cdb7f68",
    );
}

#[test]
fn agent_addresses_are_reduced_to_their_base() {
    for (url, base) in [
        ("example.com", "https://example.com"),
        ("https://example.com/", "https://example.com"),
        ("https://example.com/.well-known/agent-card.json", "https://example.com"),
        ("https://example.com/.well-known/agent.json", "https://example.com"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("  https://example.com  ", "https://example.com"),
        ("https://agent.example.com:443/.well-known/agent.json", "https://agent.example.com:443"),
    ] {
        assert_eq!(a2a_base_url(url), base, "{url}");
    }
}

#[test]
fn files_clients_hosts() {
    let alice = NodeId::config_file("/home/alice/.config/claude/claude_desktop_config.json");
    let dev = NodeId::config_file("/Users/dev/.config/claude/claude_desktop_config.json");
    check(&alice, "5903ef4b46df8dbceaf3968e5a93b039bc5ae28deac7fa1519ab5f01eb20a34a");
    check(&dev, "55ded6ce9a6992962ab8989d228fccd4a1ba9d2c8bf241bec3c5f8e9523f5397");
    check(
        &NodeId::agent_instance(&alice, "claude-desktop"),
        "e98580f34fd379b4772772ade8d388cfacf056671e11bc4f99411dff87fda98e",
    );
    check(
        &NodeId::agent_instance(&dev, "claude-desktop"),
        "55555669cfdb8a62247a7d5b857df9dfbac760df7330fdf454b07e422ea384d4",
    );
    check(
        &NodeId::agent_instance(&alice, "cursor"),
        "fa7ea61a731a0f94d96aa60d235e60a252e3bedbd53f1b637487f5d640509de8",
    );
    check(
        &NodeId::instruction_file("/home/alice/.claude/CLAUDE.md"),
        "d73036a1e3228dedad2ec420d3751553ff2bc1eec41c3c45265c10c80f70aa1b",
    );
    check(
        &NodeId::instruction_file("/srv/app/AGENTS.md"),
        "745c274f56b5cc03521f2370a8ca50db000f1bc1d7394036db6242859b984297",
    );
    check(&NodeId::host("localhost"), "e064ba278c66ee6985b52020aba0cd6fc426a8a1369191333fd6fdae688acd3a");
    check(&NodeId::host("mcp.example.com"), "4bdf2d955b5bdc8ccc27fa0f6161aa848e70dbd27529b37172b17f2a52b28771");
    check(&NodeId::host("10.0.0.5"), "933894effa7f60daf647ce2632c57fdbbd14d76f64be94368392cb69545b245a");
}

#[test]
fn identities_and_credentials() {
    check(&NodeId::identity(&postgres(), "apiKey"), "abff97b404a41c32e3eca5dc54923f389eb34e79e121a7f5ed7105e7941d171e");
    check(&NodeId::identity(&remote(), "bearer"), "dd0cb92fa3c50feee2bcb268f25e64883a549d6012136bf130bcdc43c26fd846");
    check(
        &NodeId::identity(&NodeId::a2a_agent("https://weather.example.com/a2a"), "apiKey"),
        "a3607ba9866890986f9ef04bd809b57918f7d99f12f5e5e1cff2a75004f0a2ee",
    );
    for (source, name, expected) in [
        ("postgres", "PGPASSWORD", "21feb28e37fc51591152ff89ecf5653f99cd9e5dc31855596a1bffc31cab0121"),
        ("remote-api", "Authorization", "bbb4cb82ed1e9021b0aa6a797bc06961518ae8dd368920aa74588c986ff9c033"),
        (
            "http://172.20.0.10:4000",
            "litellm-master",
            "c65c2794a002a4f4eda09b91e5669d1dd66d35a81c9f2464e231eb1fe09415b4",
        ),
        (
            "http://172.20.0.10:4000",
            "upstream-gpt-4o",
            "7b656b8b2b5358e0ac6ce5ac95933fd4392ba2e9c35d14b344350c45c5603e75",
        ),
        (
            "http://172.20.0.10:4000",
            "virtual-key-1",
            "76cdde3e531f4042861cd748b84379d71404d88840e7fdc65227f9c1770e313e",
        ),
        (
            "http://10.0.0.30:3000",
            "upstream-openai-0",
            "815bc17100b5a8c99a8ba6e4b790ee43412f0ee4a9433bd12bc48a6260a1f8b0",
        ),
    ] {
        check(&NodeId::credential(source, name), expected);
    }
}

#[test]
fn services() {
    use NodeKind::{
        JupyterServer, LangserveApp, LitellmGateway, MlflowServer, OllamaInstance, OpenWebuiInstance, QdrantInstance,
        VllmInstance,
    };
    for (kind, base_url, expected) in [
        (OllamaInstance, "http://10.0.0.10:11434", "f59d7126393b29ba109a469374da380b3b1eed6367eeb4925e1d91617428da3d"),
        (OllamaInstance, "http://127.0.0.1:11434", "bdc4038c9ec6e94341d1f080fc6a5b444b3edd1c2bf18d08a5b7d7ead3fd8486"),
        (OllamaInstance, "http://[fc00::1]:11434", "b03edbe113a702d59a466a6863a023e17d1bfa58ccfb1beb66990ebb227d9606"),
        (VllmInstance, "http://10.0.0.11:8000", "30f80e27d774ef76b1e7ac1573a9c48671d27b5e51a948c86fe45a8873f38a7c"),
        (VllmInstance, "http://127.0.0.1:8000", "9f669c4db89b3cdb0381de52276b225fe4005117b8d5ae0a251e8cfd904c72eb"),
        (QdrantInstance, "http://10.0.0.12:6333", "5bd28694fd06600bd2833c0a0ca5438714cd40b59549a9b5771324d68fca2d81"),
        (QdrantInstance, "http://127.0.0.1:6333", "c365ac54ab970c3293966da735a254fb6eecb11fff3ed183cbebdb39f8c5997f"),
        (MlflowServer, "http://10.0.0.13:5000", "815e9c152355219a234f420ff909f0f13f972dfa4e7290f8a4fa2dd9e9d9e555"),
        (MlflowServer, "http://127.0.0.1:5000", "981276c3c2a6fc09c46a6feedf75034e3fa94caa5856e89de803920094f7420e"),
        (LitellmGateway, "http://172.20.0.10:4000", "7a55d43755574ea2a4ad0150d84cf548603f37406af3c16f54a87d12203972e9"),
        (LitellmGateway, "http://127.0.0.1:4000", "04bc184d8f4c8d7e548689d9ccf6ae999b818b7e92a418804085b431686f1da7"),
        (JupyterServer, "http://10.0.0.14:8888", "896693d18c63d54f51322340b1f6682c8da7789a37baadab3e70dc347e0c2719"),
        (JupyterServer, "http://127.0.0.1:8888", "7d7f6a25e00a69100edcb080c296e76d022ffe2ea1da34475d77e69aff1f7c77"),
        (LangserveApp, "http://10.0.0.11:8000", "d0e197eecb5c8aa2e27c4818200e0d5d05a609c8efa1fc6899417bd3b1a6ac0b"),
        (LangserveApp, "http://127.0.0.1:8000", "9e40bb4121432913e322cdb582b97ed2d2a97dc7abf6ad15b50f64facd9492af"),
        (
            OpenWebuiInstance,
            "http://10.0.0.30:3000",
            "b64325420a2f5db9aaddc120c23b3caecc7748f69e03751ccbe5927929d47889",
        ),
        (
            OpenWebuiInstance,
            "http://127.0.0.1:3000",
            "47699cd8db66f8ae474ab1d1df185bbcf9ad9731a853dc85745d888615dc0e3f",
        ),
    ] {
        check(&NodeId::service(kind, base_url), expected);
    }
}

/// The published data model derives model ids from the instance's id; the other known producer derives them from its
/// base URL. Ours follow the data model, and the other form stays recognisable.
#[test]
fn models() {
    let ollama = NodeId::service(NodeKind::OllamaInstance, "http://10.0.0.10:11434");
    let base_url = NodeId::from_wire("http://10.0.0.10:11434");
    for (instance, name, expected) in [
        (&ollama, "tinyllama:latest", "daad8cdc8cfad8a2bd543bdb298021f07eaef5454ff0717e73a5f88282bf9d58"),
        (&ollama, "support-agent-v3:latest", "9a856e4012c1c350fc013bcd57498b317d3f6b62aa9f179ad47a5edda29c33b5"),
        (&base_url, "tinyllama:latest", "ab009fba0e30fdccdf21c9f8819a4409d3675b4084a14ccbf06d84518c47eb26"),
        (&base_url, "support-agent-v3:latest", "fb72487cf21159fa591e9e416ca4ea203ba852ac9152e49b3a00134bad7dad63"),
    ] {
        check(&NodeId::ai_model(instance, name), expected);
    }
}
