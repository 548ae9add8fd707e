// Loaded before a server that would listen on all interfaces: it listens on loopback, on a free port, and prints it.
//
//     node --require loopback.cjs SERVER [ARGUMENT...]

const { Server } = require("node:net");

// What the server tells people would be taken for the port.
console.log = console.error;

const listen = Server.prototype.listen;

Server.prototype.listen = function (...given) {
  const callback = given.find((argument) => typeof argument === "function");
  return listen.call(this, { host: "127.0.0.1", port: 0 }, () => {
    process.stdout.write(`${this.address().port}\n`);
    callback?.();
  });
};
