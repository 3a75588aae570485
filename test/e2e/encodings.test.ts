import zlib from "node:zlib";
import { expect, test } from "vitest";
import { json, text } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { someOf } from "../support/sample.ts";
import { CREATE_COMMENT, EDIT_COMMENT } from "../support/world/conversation.ts";
import { CREATE, completed, POLL, PR_LINK, record, WITH_JOB } from "../support/world/jobs.ts";
import { ASK, DATA_HEADERS, end, part, WITH_ANSWER } from "../support/world/questions.ts";
import { startWorld } from "../support/world/world.ts";

const ENCODINGS: [string, (body: Buffer) => Buffer][] = [
  ["gzip", zlib.gzipSync],
  ["x-gzip", zlib.gzipSync],
  ["GZIP", zlib.gzipSync],
  ["deflate", zlib.deflateSync],
  ["br", zlib.brotliCompressSync],
];

function encoded(
  status: number,
  body: unknown,
  [name, encode]: (typeof ENCODINGS)[number],
): Answer {
  const headers = { "content-type": "application/json", "content-encoding": name };
  return text(status, encode(Buffer.from(JSON.stringify(body))), headers);
}

test.each(someOf(ENCODINGS))(
  "responses encoded with %s are decoded, although requests ask for identity",
  async (...encoding) => {
    await using world = await startWorld(WITH_JOB);
    world.on(CREATE, encoded(201, record("active"), encoding));
    world.on(POLL, encoded(200, completed, encoding));
    const written = { id: 8, html_url: "https://github.com/octo/docs/issues/7#8" };
    world.on(CREATE_COMMENT, encoded(201, written, encoding));
    world.on(EDIT_COMMENT, encoded(200, written, encoding));
    const result = await world.run("root");
    expect(result).toMatchObject({ exitCode: 0, errors: [], warnings: [] });
    expect(result.outputs).toMatchObject({ prLink: PR_LINK, commentUrl: written.html_url });
    for (const { headers } of world.received()) {
      expect(headers["accept-encoding"]).toBe("identity");
    }
  },
);

test("a small response that is too large when decoded is an invalid response", async () => {
  await using world = await startWorld(WITH_JOB);
  const bomb = record("active", { padding: " ".repeat(64 * 1024 * 1024) });
  const gzip: (typeof ENCODINGS)[number] = ["gzip", zlib.gzipSync];
  world.on(CREATE, encoded(201, bomb, gzip));
  const result = await world.run("root");
  expect(result.outputs.errorKind).toBe("invalid-response");
  expect(result.errors.join()).toContain("larger than 1048576 bytes");
  world.on(CREATE, json(201, record("active")));
  world.on(POLL, encoded(200, bomb, gzip), json(200, completed));
  expect((await world.run("root")).outputs.status).toBe("completed");
});

test.each(someOf(ENCODINGS))("a stream encoded with %s is decoded", async (name, encode) => {
  await using world = await startWorld(WITH_ANSWER);
  const stream = [part("0", "Use a "), part("0", "key."), end("thread_1")].join("");
  const headers = { ...DATA_HEADERS, "content-encoding": name };
  world.on(ASK, text(200, encode(Buffer.from(stream)), headers));
  const result = await world.run("assistant");
  expect(result.outputs).toMatchObject({ answer: "Use a key.", threadId: "thread_1" });
});
