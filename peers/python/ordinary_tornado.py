"""An ordinary application of Tornado on loopback, in the neighbourhood of Jupyter's paths.

    ordinary_tornado.py PORT
"""

import asyncio
import sys

import tornado.web


class Version(tornado.web.RequestHandler):
    def get(self):
        self.write({"version": "1.4.0"})


class Forbidden(tornado.web.RequestHandler):
    def get(self):
        self.set_status(403)
        self.write({"message": "Forbidden"})


async def main():
    paths = [("/api", Version), ("/api/version", Version), ("/version", Version), ("/api/status", Forbidden)]
    tornado.web.Application(paths).listen(int(sys.argv[1]), address="127.0.0.1")
    await asyncio.Event().wait()


asyncio.run(main())
