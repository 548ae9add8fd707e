"""An ordinary application of FastAPI on loopback, with its documentation and a path that ends as those of chains do.

    ordinary_fastapi.py PORT
"""

import sys

import uvicorn
from fastapi import FastAPI

app = FastAPI(title="Shop", version="2.1.0")


@app.get("/")
def root():
    return {"status": "ok", "version": "2.1.0"}


@app.get("/version")
def version():
    return {"version": "2.1.0"}


@app.post("/functions/{name}/invoke")
def invoke(name: str):
    return {"name": name}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
