"""An MCP server of the official SDK on loopback, over Streamable HTTP or the older HTTP+SSE.

    mcp_server.py streamable-http|sse

Prints its port, then serves until it is ended.
"""

import socket
import sys

import uvicorn
from mcp.server.mcpserver import MCPServer

server = MCPServer("library", version="2.1.0", instructions="Ask for books by their title.")


@server.tool()
def find_book(title: str) -> str:
    """Finds a book by its title."""
    return title


@server.tool()
def lend_book(title: str, reader: str) -> str:
    """Writes down that a reader has borrowed a book."""
    return f"{reader}: {title}"


@server.resource("file:///srv/library/catalogue.txt")
def catalogue() -> str:
    """All books."""
    return ""


@server.resource("library://books/{title}")
def book(title: str) -> str:
    """One book."""
    return title


@server.prompt()
def recommend(reader: str) -> str:
    """Recommends a book to a reader."""
    return reader


app = server.streamable_http_app() if sys.argv[1] == "streamable-http" else server.sse_app()
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
