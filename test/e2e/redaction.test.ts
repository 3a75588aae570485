import { expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { ADMIN_KEY, ASSISTANT_KEY } from "../../emulator/service/state.ts";
import { json, redirect, text } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { someOf } from "../support/sample.ts";
import { streamed } from "../support/streams.ts";
import { CREATE_COMMENT, TOKEN } from "../support/world/conversation.ts";
import { CREATE, record, WITH_JOB } from "../support/world/jobs.ts";
import { ASK, DATA_HEADERS, end, part, WITH_ANSWER } from "../support/world/questions.ts";
import { CREATE_V1, created, WITH_SESSION } from "../support/world/sessions.ts";
import { startWorld } from "../support/world/world.ts";

/**
 * The pieces of a secret, of ten characters each, that a run has written anywhere. Keys of the service can have up to
 * nine characters in common.
 */
function leaked(result: RunResult, bodies: readonly string[], secret = ADMIN_KEY): string[] {
  const printed = `${result.stdout}\n${result.stderr}`.replaceAll(/^::add-mask::.*$/gm, "");
  const { outputs, state, summary, files, environment } = result;
  const written = JSON.stringify([printed, outputs, state, summary, files, environment, bodies]);
  const pieces = Array.from({ length: secret.length - 9 }, (_, at) => secret.slice(at, at + 10));
  const decoded = written.replace(/%([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const hex = Buffer.from(secret).toString("hex").slice(4, 30);
  const text = (written + decoded).toLowerCase();
  return [...pieces, hex, ...base64(secret)].filter((piece) => text.includes(piece.toLowerCase()));
}

/** The middle of a secret in Base64, for each alignment in a longer text. */
function base64(secret: string): string[] {
  return [0, 1, 2].map((at) => Buffer.from(secret.slice(at)).toString("base64url").slice(4, 20));
}

const escaped = [...ADMIN_KEY]
  .map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
  .join("");
const percent = [...ADMIN_KEY].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");

function encode(content: string, encoding: BufferEncoding = "base64"): string {
  return Buffer.from(content).toString(encoding);
}

function inLink(encoding: BufferEncoding): string {
  return `https://example.com/${encode(ADMIN_KEY, encoding)}/1`;
}

const ANSWERS: [string, Answer][] = [
  // Messages are cut at 500 characters.
  ["an error that is cut", json(400, { error: `${"x".repeat(485)} ${ADMIN_KEY} is wrong` })],
  ["an error, in JSON escapes", text(400, `{"error":"no: ${escaped}"}`)],
  [
    "an error, percent-encoded in an address",
    json(400, { error: `GET /?key=${percent} is wrong` }),
  ],
  ["an error, in Base64", json(400, { error: `no ${encode(`user:${ADMIN_KEY}`)} here` })],
  ["an error, in hexadecimal", json(400, { error: `no 0x${encode(ADMIN_KEY, "hex")} here` })],
  ["a link, in Base64", json(201, record("active", { prLink: inLink("base64") }))],
  ["a content type", text(200, "?", { "content-type": `text/${ADMIN_KEY}` })],
  ["a redirect", redirect(302, `https://${ADMIN_KEY}.example/`)],
  ["an id", json(201, { id: `job ${ADMIN_KEY}`, status: "active" })],
];

test.each(someOf(ANSWERS))(
  "the key is redacted if the service returns it in %s",
  async (_, answer) => {
    await using world = await startWorld(WITH_JOB);
    world.on(CREATE, answer);
    const result = await world.run("root", { debug: true, inputs: { wait: "false" } });
    expect(leaked(result, world.bodies)).toEqual([]);
    expect(world.received("service")).toHaveLength(1);
  },
);

test.each(someOf(["end", "reset"] as const))(
  "the beginning of the key at the end of a stream is redacted: %s",
  async (how) => {
    const cut = ADMIN_KEY.slice(0, -2);
    await using world = await startWorld(WITH_SESSION);
    world.on(CREATE_V1, created(["Reading. ", cut.slice(0, 12), cut.slice(12)], how));
    const result = await world.run("root", { debug: true });
    expect(leaked(result, world.bodies)).toEqual([]);

    await using other = await startWorld(WITH_ANSWER);
    const pieces = [part("0", "Use "), part("0", ASSISTANT_KEY.slice(0, -2))];
    other.on(ASK, streamed([...pieces, ...(how === "end" ? [end()] : [])], DATA_HEADERS, how));
    const answered = await other.run("assistant", { debug: true });
    expect(answered.outputs.answer).toBe("Use ***");
    expect(leaked(answered, other.bodies, ASSISTANT_KEY)).toEqual([]);
  },
);

test("github-token and previous-api-key are redacted", async () => {
  const previous = "mint_0ldK3yOfTheScenario_11bb";
  await using world = await startWorld(WITH_JOB);
  const error = `neither ${previous} nor ${TOKEN} is right`;
  world.on(CREATE, json(400, { error }));
  world.on(
    CREATE_COMMENT,
    json(201, { id: 1, html_url: `https://github.com/?a=${TOKEN}&b=${ADMIN_KEY}` }),
  );
  const inputs = { "previous-api-key": previous };
  const result = await world.run("root", { debug: true, inputs });
  expect(result.outputs.errorMessage).toContain("neither *** nor *** is right");
  expect(result.outputs.commentUrl).toBe("https://github.com/?a=***&b=***");
  for (const secret of [ADMIN_KEY, TOKEN, previous]) {
    expect(leaked(result, world.bodies, secret)).toEqual([]);
  }
});

test("the key is redacted if it is also in another input", async () => {
  await using world = await startWorld(WITH_JOB);
  const inputs = {
    "base-url": `https://x.example/?key=${ADMIN_KEY}`,
    "job-id": "..",
    wait: ADMIN_KEY,
  };
  const invalid = await world.run("root", { debug: true, inputs });
  expect(invalid.outputs.errorKind).toBe("invalid-input");
  expect(leaked(invalid, world.bodies)).toEqual([]);
  const asJob = await world.run("root", {
    debug: true,
    fastClock: 60,
    inputs: { "job-id": ADMIN_KEY, prompt: "" },
  });
  expect(asJob.outputs.errorKind).toBe("not-found");
  expect(leaked(asJob, world.bodies)).toEqual([]);
});
