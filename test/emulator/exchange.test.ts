import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { exchange } from "../../emulator/http/exchange.ts";

const POST = { method: "POST", headers: {}, body: "text" };
const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** A server whose connections do as they are told with each piece that arrives on them. */
async function serve(onData: (socket: Socket, nth: number) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let pieces = 0;
    socket.on("error", () => {});
    socket.on("data", () => onData(socket, ++pieces));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("a request that meets a kept connection as it is closed goes out on a new one", async () => {
  const url = await serve((socket, nth) => {
    if (nth === 1) socket.write(ANSWER);
    else socket.resetAndDestroy();
  });
  for (let request = 0; request < 3; request++) {
    expect((await exchange(url, POST)).body.toString()).toBe("ok");
  }
});

test("a request whose own connection is reset fails", async () => {
  const url = await serve((socket) => socket.resetAndDestroy());
  await expect(exchange(url, POST)).rejects.toThrow("ECONNRESET");
});

test("half an answer on a kept connection fails, and is not asked for again", async () => {
  let requests = 0;
  const url = await serve((socket, nth) => {
    requests += 1;
    if (nth === 1) return void socket.write(ANSWER);
    socket.write(ANSWER.slice(0, -1), () => socket.resetAndDestroy());
  });
  await exchange(url, POST);
  await expect(exchange(url, POST)).rejects.toThrow();
  expect(requests).toBe(2);
});
