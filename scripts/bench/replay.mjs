// The yardstick: sends the requests that an action has sent, one after the other, with node:http alone.
//
//   replay.mjs FILE
import { readFileSync } from "node:fs";
import { request } from "node:http";

for (const { url, method, headers, body } of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const outgoing = request(url, { method, headers });
  outgoing.on("error", reject).on("response", resolve).end(body);
  const response = await promise;
  const text = (await response.setEncoding("utf8").toArray()).join("");
  if (response.headers["content-type"]?.includes("json")) JSON.parse(text);
}
