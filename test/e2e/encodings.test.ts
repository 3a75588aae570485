import zlib from "node:zlib";
import { expect, test } from "vitest";
import { json, text } from "../support/answers.ts";
import {
  ASK,
  DATA_HEADERS,
  end,
  part,
  startAssistantScenario,
} from "../support/assistant-scenario.ts";
import type { Answer } from "../support/faulty-server.ts";
import { someOf } from "../support/sample.ts";
import { CREATE, completed, POLL, PR_LINK, record, startScenario } from "../support/scenario.ts";

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
    await using scenario = await startScenario();
    const { service, github } = scenario;
    service.on(CREATE, encoded(201, record("active"), encoding));
    service.on(POLL, encoded(200, completed, encoding));
    const written = { id: 8, html_url: "https://github.com/octo/docs/issues/7#8" };
    github.answer("create-comment", encoded(201, written, encoding));
    github.answer("edit-comment", encoded(200, written, encoding));
    const result = await scenario.run();
    expect(result).toMatchObject({ exitCode: 0, errors: [], warnings: [] });
    expect(result.outputs).toMatchObject({ prLink: PR_LINK, commentUrl: written.html_url });
    for (const { headers } of [...service.requests, ...github.server.requests]) {
      expect(headers["accept-encoding"]).toBe("identity");
    }
  },
);

test("a small response that is too large when decoded is an invalid response", async () => {
  await using scenario = await startScenario();
  const bomb = record("active", { padding: " ".repeat(64 * 1024 * 1024) });
  const gzip: (typeof ENCODINGS)[number] = ["gzip", zlib.gzipSync];
  scenario.service.on(CREATE, encoded(201, bomb, gzip));
  const result = await scenario.run();
  expect(result.outputs.errorKind).toBe("invalid-response");
  expect(result.errors.join()).toContain("larger than 1048576 bytes");
  scenario.service.on(CREATE, json(201, record("active")));
  scenario.service.on(POLL, encoded(200, bomb, gzip), json(200, completed));
  expect((await scenario.run()).outputs.status).toBe("completed");
});

test.each(someOf(ENCODINGS))("a stream encoded with %s is decoded", async (name, encode) => {
  await using scenario = await startAssistantScenario();
  const stream = [part("0", "Use a "), part("0", "key."), end("thread_1")].join("");
  const headers = { ...DATA_HEADERS, "content-encoding": name };
  scenario.service.on(ASK, text(200, encode(Buffer.from(stream)), headers));
  const result = await scenario.run();
  expect(result.outputs).toMatchObject({ answer: "Use a key.", threadId: "thread_1" });
});
