"""Two chains of LangServe on loopback, for everybody or for those who bring what is asked for.

    langserve_app.py PORT open|header|bearer
"""

import sys

import uvicorn
from fastapi import Depends, FastAPI, Header
from fastapi.security import HTTPBearer
from langchain_core.runnables import RunnableLambda
from langserve import add_routes


def token(x_token: str = Header()):
    return x_token


ASKED_FOR = {"open": [], "header": [Depends(token)], "bearer": [Depends(HTTPBearer())]}

app = FastAPI(title="Peers", version="1.4.0", dependencies=ASKED_FOR[sys.argv[2]])
add_routes(app, RunnableLambda(str.upper).with_types(input_type=str), path="/shout")
add_routes(app, RunnableLambda(len).with_types(input_type=str), path="/team/measure")
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
