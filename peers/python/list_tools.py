"""Lists the tools of an MCP server as its own SDK sees them: one name a line, sorted.

    list_tools.py stdio COMMAND [ARGUMENT...]
    list_tools.py http URL
    list_tools.py sse URL
"""

import asyncio
import sys

from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client


def server(kind, target):
    if kind == "stdio":
        return StdioServerParameters(command=target[0], args=target[1:])
    return sse_client(target[0]) if kind == "sse" else target[0]


async def names(kind, target):
    async with Client(server(kind, target)) as client:
        found, cursor = [], None
        while True:
            page = await client.list_tools(cursor=cursor)
            found += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if not cursor:
                return sorted(found)


print("\n".join(asyncio.run(names(sys.argv[1], sys.argv[2:]))))
