// An ordinary server of Node on loopback: `node ordinary_http.cjs PORT`.
const http = require("node:http");

http
  .createServer((request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ path: request.url, status: true, name: "ordinary", version: "1.0.0" }));
  })
  .listen(Number(process.argv[2]), "127.0.0.1");
