import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Http } from "../../src/net/http.ts";
import { post } from "../support/http-client.ts";

test("closing drops a connection that is being made, so that the process can end", async () => {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const http = new Http({});
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const result = post(http, url);
  const [socket] = (await once(server, "connection")) as [net.Socket];
  socket.on("error", () => {});
  socket.resume();
  await http.close();
  await once(socket, "close");
  expect(await result).toMatchObject({ stage: "connect", reason: "network" });
  server.close();
});

test("closing right after a request was given up leaves no connection behind, so that the process can end", async () => {
  let count = 0;
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    const isFirst = ++count === 1;
    socket.once("data", () => {
      if (isFirst) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const http = new Http({});
  expect(await post(http, url)).toEqual({ status: 200, text: "" });
  expect(await post(http, url, { headerLimit: 50 })).toMatchObject({ reason: "time-limit" });
  await http.close();
  // What undici began to connect to meanwhile arrives here first.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  server.close();
  await once(server, "close");
});
