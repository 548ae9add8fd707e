use super::*;

/// `registry:name version pinned?` of a command line.
fn check(line: &str, expected: &str) {
    let words = shell::words(line);
    let (command, args) = words.split_first().unwrap();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let found = of(command, &args).map_or_else(
        || "none".to_owned(),
        |package| {
            let version = package.version.as_deref().unwrap_or("-");
            let pinned = if package.is_pinned { "pinned" } else { "floating" };
            format!("{}:{} {version} {pinned}", package.registry.name(), package.name)
        },
    );
    assert_eq!(found, expected, "{line}");
}

#[test]
fn packages_of_node() {
    check("npx -y @scope/server", "npm:@scope/server - floating");
    check("npx -y @scope/server@1.0.0", "npm:@scope/server 1.0.0 pinned");
    check("npx tool", "npm:tool - floating");
    check("npx -y tool@2", "npm:tool 2 floating");
    check("npx -y tool@latest /home/a", "npm:tool latest floating");
    check("npx -y tool@^1.2.3", "npm:tool ^1.2.3 floating");
    check("npx -y tool@1.2.3-beta.1", "npm:tool 1.2.3-beta.1 pinned");
    check("npx -y", "none");
    check("npx --package=@a/b@3.1.4 b-cli", "npm:@a/b 3.1.4 pinned");
    check("npx -y -p tool tool-bin", "npm:tool - floating");
    check("npx --registry https://r.example tool", "npm:tool - floating");
    check(
        "npx github:owner/repo#0123456789abcdef0123456789abcdef01234567",
        "git:owner/repo 0123456789abcdef0123456789abcdef01234567 pinned",
    );
    check("npx ./local", "none");
    check("/usr/local/bin/npx -y tool", "npm:tool - floating");
    check("npx.cmd -y tool@1.0.0", "npm:tool 1.0.0 pinned");
    check("npm exec -y -- tool@1.0.0", "npm:tool 1.0.0 pinned");
    check("pnpm dlx tool", "npm:tool - floating");
    check("bunx --bun tool", "npm:tool - floating");
    check("node server.js", "none");
    check("deno run -A npm:tool@1.2.3", "npm:tool 1.2.3 pinned");
    check("deno run --allow-net jsr:@a/b@1.2.3/main.ts", "jsr:@a/b 1.2.3/main.ts floating");
}

#[test]
fn packages_of_python() {
    check("uvx pkg", "pypi:pkg - floating");
    check("uvx pkg==1.0.2", "pypi:pkg 1.0.2 pinned");
    check("uvx pkg@1.0.2", "pypi:pkg 1.0.2 pinned");
    check("uvx pkg==1.0", "pypi:pkg 1.0 pinned");
    check("uvx 'pkg==1.*'", "pypi:pkg 1.* floating");
    check("uvx pkg@latest", "pypi:pkg latest floating");
    check("uvx 'pkg>=1.0'", "pypi:pkg >=1.0 floating");
    check("uvx --quiet pkg", "pypi:pkg - floating");
    check("uvx --verbose", "none");
    check("uvx --python 3.12 --from 'pkg[cli]==2.0.0' tool --flag", "pypi:pkg 2.0.0 pinned");
    check("uvx --from git+https://example.com/a/b@main tool", "git:https://example.com/a/b main floating");
    check("uv tool run pkg", "pypi:pkg - floating");
    check("uv run --with pkg python -m pkg", "pypi:pkg - floating");
    check("uv --directory /srv/app run server.py", "none");
    check("pipx run --spec pkg==1.2.3 tool", "pypi:pkg 1.2.3 pinned");
    check("python -m server", "none");
}

#[test]
fn images() {
    let digest = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    check("docker run -i --rm mcp/server", "oci:mcp/server - floating");
    check(
        "docker run -it --rm -e KEY=value -v /a:/b registry.example:5000/x/y:1.2",
        "oci:registry.example:5000/x/y 1.2 floating",
    );
    check(&format!("docker run x/y@{digest}"), &format!("oci:x/y {digest} pinned"));
    check("docker --context remote run --network=host x", "oci:x - floating");
    check("docker run -eKEY=v -p8080:80 x", "oci:x - floating");
    check("docker mcp gateway run", "none");
    check("docker compose run app", "none");
    check("docker exec -i box server", "none");
    check("podman run quay.io/a/b", "oci:quay.io/a/b - floating");
}

#[test]
fn wrappers_are_looked_through() {
    check("cmd /c npx -y tool@1.0.0", "npm:tool 1.0.0 pinned");
    check("cmd.exe /C npx tool", "npm:tool - floating");
    check("bash -lc 'cd /srv && FOO=1 npx -y tool'", "npm:tool - floating");
    check("sh -c 'exec uvx pkg'", "pypi:pkg - floating");
    check("powershell -NoProfile -Command npx -y tool", "npm:tool - floating");
    check("env A=b npx tool", "npm:tool - floating");
    check("op run --env-file=x -- npx tool", "npm:tool - floating");
    check("wsl -e npx tool", "npm:tool - floating");
    check("timeout 30 npx tool", "npm:tool - floating");
    check("'npx -y tool'", "npm:tool - floating");
    check("bash start.sh", "none");
    check("sh -c 'sh -c \"sh -c x\"'", "none");
}

#[test]
fn other_registries() {
    check("go run example.com/a/b@v1.2.3", "go:example.com/a/b v1.2.3 pinned");
    check("go run ./cmd/server", "none");
    check("dnx Some.Server@1.0.0 --yes", "nuget:Some.Server 1.0.0 pinned");
}
