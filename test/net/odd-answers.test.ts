import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Http, readWhole } from "../../src/net/http.ts";
import { text } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { openClient, post } from "../support/http-client.ts";
import { WAYS } from "../support/route.ts";

/** Bytes in place of an answer. */
const raw =
  (...lines: string[]): Answer =>
  ({ socket }) =>
    void socket.end(`${lines.join("\r\n")}\r\n\r\n`);

const OK = "HTTP/1.1 200 OK";
const CHUNKED = "transfer-encoding: chunked";

describe.each(WAYS)("what a server does wrong is no mistake of the action, %s:", (way) => {
  test.each<[string, Answer, stage: "sent" | "answer"]>([
    ["no HTTP", raw("220 mail.example ESMTP"), "sent"],
    ["an invalid header", raw(OK, "a b: c"), "sent"],
    ["headers that are too large", raw(OK, `a: ${"x".repeat(100_000)}`), "sent"],
    ["a protocol that nobody asked for", raw("HTTP/1.1 101 Switching Protocols"), "sent"],
    ["a status that does not exist", raw("HTTP/1.1 099 Odd", "content-length: 0"), "sent"],
    ["only an answer before the answer", raw("HTTP/1.1 100 Continue"), "sent"],
    ["a chunk without a length", raw(OK, CHUNKED, "", "zz"), "answer"],
    ["a body that is shorter than announced", raw(OK, "content-length: 10", "", "ab"), "answer"],
    ["bytes that are not gzip", encoded("gzip", Buffer.from("x".repeat(50))), "answer"],
    ["half of gzip", encoded("gzip", gzipSync("x".repeat(99)).subarray(0, 20)), "answer"],
    ["bytes that are not Brotli", encoded("br", Buffer.from("x".repeat(50))), "answer"],
    ["half of Brotli", encoded("br", brotliCompressSync("x y z").subarray(0, 6)), "answer"],
  ])("%s", async (_, answer, stage) => {
    await using client = await openClient(way);
    client.service.on("POST /", answer);
    expect(await client.post()).toMatchObject({ stage, reason: "network" });
  });
});

function encoded(encoding: string, body: Uint8Array): Answer {
  return text(200, body, { "content-encoding": encoding });
}

describe("a mistake of the action is never the network's:", () => {
  test.each([
    ["a header that cannot be sent", { headers: { authorization: "Bearer a\nb" } }],
    ["a header that undici refuses", { headers: { expect: "100-continue" } }],
    ["a wrong length", { headers: { "content-length": "1" } }],
  ])("%s", async (_, request) => {
    await using client = await openClient("directly");
    await expect(client.post(request)).rejects.toMatchObject({
      code: expect.stringMatching(
        /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|REQ_CONTENT_LENGTH_MISMATCH)$/,
      ),
    });
    expect(client.service.requests).toEqual([]);
  });

  test.each([200, 502])("one while the answer with %i arrives", async (status) => {
    await using client = await openClient("directly");
    client.service.on("POST /", text(status, "fine"));
    const mistake = new TypeError("x is not a function");
    const http = new Http({}, () => {
      throw mistake;
    });
    await expect(post(http, client.url)).rejects.toBe(mistake);
    await client.service.waitForDisconnect();
  });

  test("one while the body of an error is read", async () => {
    const mistake = new TypeError("x is not a function");
    const body = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(mistake) }) };
    await expect(readWhole({ status: 502, headers: {}, body })).rejects.toBe(mistake);
  });
});
