"""Makes the signed agent cards beside this file with another implementation than ours: the protocol's own library.

    python3 -m venv venv
    venv/bin/pip install 'a2a-sdk[http-server,signing]==1.3.0'
    venv/bin/python make.py

Each run makes new keys and writes all files anew; the private halves are never written.
"""

import base64
import copy
import json
import pathlib

from a2a.server.request_handlers.response_helpers import agent_card_to_dict
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentExtension,
    AgentInterface,
    AgentProvider,
    AgentSkill,
    APIKeySecurityScheme,
    ClientCredentialsOAuthFlow,
    HTTPAuthSecurityScheme,
    OAuth2SecurityScheme,
    OAuthFlows,
    SecurityRequirement,
    SecurityScheme,
    StringList,
)
from a2a.utils._jcs import canonicalize
from a2a.utils.signing import create_agent_card_signer
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Struct
from jwt import algorithms

HERE = pathlib.Path(__file__).parent


def write(name, value):
    text = json.dumps(value, indent=1, ensure_ascii=False)
    (HERE / name).write_text(text + "\n", encoding="utf-8")


def public(algorithm, key, kid):
    jwk = json.loads(algorithm.to_jwk(key.public_key()))
    jwk.pop("key_ops", None)
    return {**jwk, "kid": kid, "use": "sig"}


KEYS = {
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "RS256": rsa.generate_private_key(65537, 2048),
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
}
OTHER = ec.generate_private_key(ec.SECP256R1())
WEAK = rsa.generate_private_key(65537, 1024)
JWKS = {
    "keys": [
        public(algorithms.ECAlgorithm, KEYS["ES256"], "es256"),
        public(algorithms.RSAAlgorithm, KEYS["RS256"], "rs256"),
        public(algorithms.OKPAlgorithm, KEYS["EdDSA"], "eddsa"),
    ]
}


def card():
    """A card with all that makes canonical forms differ: empty values, defaults, numbers, letters beyond ASCII."""
    params = Struct()
    ParseDict(
        {"b": 1.0, "a": 1e21, "ä": [0.1, -0.0, None, "", []], "\U0001f600": {"\ufb33": 1}, "e": {}},
        params,
    )
    return AgentCard(
        name="Reisebüro",
        description='Plant "Reisen" <b>&</b> mehr.\u2028',
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url="https://reise.example/a2a", protocol_binding="JSONRPC", protocol_version="1.0"),
            AgentInterface(url="https://reise.example/a2a", protocol_binding="JSONRPC", protocol_version="0.3"),
        ],
        provider=AgentProvider(organization="Beispiel", url=""),
        capabilities=AgentCapabilities(
            streaming=False,
            push_notifications=True,
            extensions=[AgentExtension(uri="https://ext.example/v1", required=False, params=params)],
        ),
        security_schemes={
            "key": SecurityScheme(api_key_security_scheme=APIKeySecurityScheme(location="header", name="X-Key")),
            "bearer": SecurityScheme(http_auth_security_scheme=HTTPAuthSecurityScheme(scheme="bearer")),
            "oauth": SecurityScheme(
                oauth2_security_scheme=OAuth2SecurityScheme(
                    flows=OAuthFlows(
                        client_credentials=ClientCredentialsOAuthFlow(
                            token_url="https://login.example/token", scopes={"read": "", "book": "Book trips"}
                        )
                    )
                )
            ),
        },
        security_requirements=[
            SecurityRequirement(schemes={"oauth": StringList(list=["read"])}),
            SecurityRequirement(schemes={"bearer": StringList(list=[])}),
        ],
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[
            AgentSkill(id="plan", name="Planen", description="Plant eine Reise.", tags=["reise"], examples=[""]),
            AgentSkill(id="book", name="Buchen", description="Bucht eine Reise.", tags=[]),
        ],
    )


def by_library(algorithm, version="1.0.0", **header):
    """A card that the library signs and that it would serve."""
    signed = card()
    signed.version = version
    protected = {"alg": algorithm, "typ": "JOSE", "kid": algorithm.lower(), **header}
    return agent_card_to_dict(create_agent_card_signer(KEYS[algorithm], protected)(signed))


RAW = {
    "protocolVersion": "0.3.0",
    "name": "Wetter",
    "description": "Sagt das Wetter voraus.",
    "url": "https://wetter.example/a2a",
    "preferredTransport": "JSONRPC",
    "version": "1",
    "capabilities": {"streaming": False, "extensions": []},
    "defaultInputModes": [],
    "defaultOutputModes": ["text/plain"],
    "iconUrl": "",
    "skills": [{"id": "forecast", "name": "Vorhersage", "description": "Wie wird das Wetter?", "tags": []}],
    "\U0001f600": 1.0,
    "\ufb33": 2,
}


def parts(signed, key, protected):
    """The parts of a signature over a text. Headers are as given, whatever the library would say of them."""
    encode = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=")
    head = encode(json.dumps(protected).encode())
    payload = encode(signed)
    algorithm = {"ES256": algorithms.ECAlgorithm(algorithms.ECAlgorithm.SHA256),
                 "RS256": algorithms.RSAAlgorithm(algorithms.RSAAlgorithm.SHA256),
                 "EdDSA": algorithms.OKPAlgorithm(),
                 "HS256": algorithms.HMACAlgorithm(algorithms.HMACAlgorithm.SHA256),
                 "none": None}[protected["alg"]]
    signature = encode(algorithm.sign(head + b"." + payload, key)) if algorithm else b"AA"
    return head.decode(), payload.decode(), signature.decode()


def raw(key, protected, header=None, **members):
    """A card of 0.3, signed as it stands."""
    value = {**RAW, **members}
    head, _, signature = parts(canonicalize(value).encode(), key, protected)
    entry = {"protected": head, "signature": signature}
    if header is not None:
        entry["header"] = header
    return {**value, "signatures": [entry]}


def tampered(value, change):
    value = copy.deepcopy(value)
    change(value)
    return value


def main():
    write("keys.json", JWKS)
    write("other-keys.json", {"keys": [public(algorithms.ECAlgorithm, OTHER, "es256")]})
    write("weak-keys.json", {"keys": [public(algorithms.RSAAlgorithm, WEAK, "rs256")]})
    for algorithm in KEYS:
        name = algorithm.lower()
        good = by_library(algorithm)
        write(f"library-{name}.json", good)
        write(f"library-{name}-skill-changed.json",
              tampered(good, lambda it: it["skills"][0].update(description="Bucht, was es will.")))
        write(f"raw-{name}.json", raw(KEYS[algorithm], {"alg": algorithm, "kid": name}))
    good = by_library("ES256")
    write("library-url-changed.json", tampered(good, lambda it: it.update(url="https://evil.example/a2a")))
    write("library-interface-changed.json",
          tampered(good, lambda it: it["supportedInterfaces"][0].update(url="https://evil.example/a2a")))
    write("library-scheme-added.json",
          tampered(good, lambda it: it["securitySchemes"].update(extra={"type": "mutualTLS"})))
    write("library-flag-changed.json", tampered(good, lambda it: it["capabilities"].update(streaming=True)))
    write("library-signature-swapped.json",
          tampered(good, lambda it: it.update(signatures=by_library("ES256", version="2.0.0")["signatures"])))
    write("library-jku.json", by_library("ES256", jku="https://keys.reise.example/jwks.json"))
    write("library-two-keys.json",
          {**good, "signatures": good["signatures"] + by_library("EdDSA")["signatures"]})
    wrong = by_library("EdDSA")["signatures"]
    wrong[0]["signature"] = "A" * len(wrong[0]["signature"])
    write("library-one-wrong.json", {**good, "signatures": good["signatures"] + wrong})

    es256 = {"alg": "ES256", "kid": "es256"}
    key = KEYS["ES256"]
    write("raw-changed.json", tampered(raw(key, es256), lambda it: it.update(description="Sagt nichts.")))
    write("raw-added.json", tampered(raw(key, es256), lambda it: it.update(delegates=["https://evil.example"])))
    write("raw-kid-absent.json", raw(key, {"alg": "ES256"}))
    write("raw-kid-outside.json", raw(key, {"alg": "ES256"}, {"kid": "es256"}))
    write("raw-kid-unknown.json", raw(key, {"alg": "ES256", "kid": "another"}))
    write("raw-kid-twice.json", raw(key, es256, {"kid": "es256"}))
    write("raw-crit.json", raw(key, {**es256, "crit": ["exp"], "exp": 1}))
    write("raw-none.json", raw(None, {"alg": "none"}))
    hmac = json.dumps(JWKS["keys"][0]).encode()
    write("raw-hs256.json", raw(hmac, {"alg": "HS256", "kid": "es256"}))
    write("raw-weak.json", raw(WEAK, {"alg": "RS256", "kid": "rs256"}))
    write("raw-inline-header.json", raw(OTHER, {"alg": "ES256", "jwk": public(algorithms.ECAlgorithm, OTHER, "x")}))
    write("raw-inline-card.json",
          raw(OTHER, {"alg": "ES256", "kid": "x"}, jwks={"keys": [public(algorithms.ECAlgorithm, OTHER, "x")]}))
    write("raw-inline-private.json",
          raw(OTHER, {"alg": "ES256", "kid": "x"},
              jwks={"keys": [{**json.loads(algorithms.ECAlgorithm.to_jwk(OTHER)), "kid": "x", "d": "AA"}]}))
    write("raw-jku-loopback.json", raw(key, {**es256, "jku": "https://127.0.0.1:1/jwks.json"}))
    text = canonicalize(RAW).encode()
    head, payload, signature = parts(text, key, es256)
    write("compact.json", {**RAW, "signatures": [f"{head}.{payload}.{signature}"]})
    write("compact-detached.json", {**RAW, "signatures": [f"{head}..{signature}"]})
    write("compact-changed.json", {**RAW, "name": "Sturm", "signatures": [f"{head}.{payload}.{signature}"]})
    loose = parts(json.dumps(RAW, indent=2).encode(), key, es256)
    write("compact-loose.json", {**RAW, "signatures": [".".join(loose)]})


main()
