/**
 * Preloaded into a step by `node --import`: writes whom it talked to, as `host:port`, into
 * `connections.json` in the runner's folder for temporary files.
 */

import dns from "node:dns";
import { writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import path from "node:path";

const seen = new Set();

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  // Called with options, a port and a host, or what Node has made of either for itself.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const {
    host,
    port,
    path: pipe,
  } = typeof first === "object" ? first : { host: second, port: first };
  seen.add(pipe ?? `${host ?? "localhost"}:${port}`);
  return connect.apply(this, args);
};

const { lookup } = dns;
dns.lookup = (host, ...rest) => {
  if (net.isIP(host) === 0) seen.add(`${host}:lookup`);
  return lookup(host, ...rest);
};
syncBuiltinESMExports();

process.on("exit", () => {
  writeFileSync(path.join(process.env.RUNNER_TEMP, "connections.json"), JSON.stringify([...seen]));
});
