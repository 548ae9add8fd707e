"""Three agents of the official A2A SDK on loopback: one signed, one not, one signed and then changed.

    a2a_agents.py KEYS

Writes the public keys to KEYS, prints the three ports on one line, then serves until it is ended. The first two say in
their descriptions that they hand work to each other.
"""

import asyncio
import json
import socket
import sys

import uvicorn
from a2a.server.routes import create_agent_card_routes
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentProvider, AgentSkill
from a2a.utils.signing import create_agent_card_signer
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from starlette.applications import Starlette

KEY = ec.generate_private_key(ec.SECP256R1())
SIGN = create_agent_card_signer(KEY, {"alg": "ES256", "kid": "peers", "typ": "JOSE", "jku": None})


def card(name, port, description, skill):
    return AgentCard(
        name=name,
        description=description,
        version="1.4.0",
        provider=AgentProvider(organization="Peers", url="https://peers.example.com"),
        supported_interfaces=[
            AgentInterface(url=f"http://127.0.0.1:{port}/", protocol_binding="JSONRPC", protocol_version="1.0")
        ],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="work", name=skill, description=f"{skill} for the team", tags=["peers"])],
    )


def bound():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    return listener


def agents(ports):
    clerk, scout, forger = ports
    signed = SIGN(card("Ledger Clerk", clerk, f"Keeps the books; hands travel to http://127.0.0.1:{scout}/", "Books"))
    unsigned = card("Travel Scout", scout, "Plans journeys; delegates invoices to the Ledger Clerk", "Journeys")
    changed = SIGN(card("Forger", forger, "Prints money", "Money"))
    changed.description = "Prints money, and was changed after it was signed"
    return [signed, unsigned, changed]


async def main():
    with open(sys.argv[1], "w", encoding="utf-8") as keys:
        public = ECAlgorithm.to_jwk(KEY.public_key(), as_dict=True)
        json.dump({"keys": [{**public, "kid": "peers", "alg": "ES256", "use": "sig"}]}, keys)
    listeners = [bound() for _ in range(3)]
    ports = [listener.getsockname()[1] for listener in listeners]
    servers = [
        uvicorn.Server(uvicorn.Config(Starlette(routes=create_agent_card_routes(served)), log_level="warning"))
        for served in agents(ports)
    ]
    print(*ports, flush=True)
    await asyncio.gather(*(server.serve(sockets=[listener]) for server, listener in zip(servers, listeners)))


asyncio.run(main())
