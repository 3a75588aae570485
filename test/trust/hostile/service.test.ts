import { expect, test } from "vitest";
import type { RunOptions, RunResult } from "../../../emulator/runner/runner.ts";
import { ADMIN_KEY } from "../../../emulator/service/state.ts";
import { MAX_TEXT } from "../../../src/service/agent.ts";
import { cut } from "../../../src/text/markdown.ts";
import { each, json, redirect, text } from "../../support/answers.ts";
import { checkRun, recordingConnections } from "../../support/check-run.ts";
import type { Answer } from "../../support/faulty-server.ts";
import { ALL_HOSTILE, CANARY, chunks, hostile, LONG_LINE } from "../../support/hostile-texts.ts";
import {
  chanceOf,
  isExhaustive,
  numberedSampleOf,
  sampleOf,
  someOf,
} from "../../support/sample.ts";
import { CREATE, POLL, PR_LINK, record, WITH_JOB } from "../../support/world/jobs.ts";
import { startWorld, type World } from "../../support/world/world.ts";

const ANY_POLL = "GET service /v2/agent/acme-docs/job/:id";
/** The number of texts in one run, and the index of the first one. */
const COUNT = isExhaustive ? ALL_HOSTILE.length : 20;
const FIRST = Math.floor(chanceOf("first text") * ALL_HOSTILE.length);
const nthText = (nth: number) => hostile(FIRST + nth);
/** Addresses without a server, for redirects. */
const ELSEWHERE = [
  "https://h0stile.example/x",
  "javascript:h0stile",
  "//h0stile.example",
  "http://",
];

async function run(world: World, options: RunOptions = {}): Promise<RunResult> {
  return await world.run("root", recordingConnections({ debug: true, ...options }));
}

/** A record in which every field except for the ID has another text. */
function hostileRecord(nth: number, status: string): Record<string, unknown> {
  return record(status, {
    source: { repository: hostile(nth), ref: hostile(nth + 1), [hostile(nth + 2)]: hostile(nth) },
    model: hostile(nth + 3),
    prLink: hostile(nth + 4),
    createdAt: hostile(nth + 5),
    archivedAt: hostile(nth + 6),
    [hostile(nth + 7)]: hostile(nth + 8),
    message: hostile(nth + 9),
    error: { message: hostile(nth + 10) },
  });
}

test("every hostile text in every field of a polled record has no effect", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(
    POLL,
    each((nth) => json(200, hostileRecord(FIRST + nth, nth < COUNT ? "active" : "completed"))),
  );
  const result = await run(world);
  expect(checkRun(result, world)).toEqual([]);
  expect(result).toMatchObject({ exitCode: 0, errors: [], outputs: { status: "completed" } });
  expect(world.received(POLL)).toHaveLength(COUNT + 1);
});

test("every hostile text as an unknown status, or as the ID in a poll, has no effect", async () => {
  await using world = await startWorld(WITH_JOB);
  world.on(
    POLL,
    each((nth) =>
      json(200, nth < COUNT ? record(nthText(nth), { id: nthText(nth + 1) }) : record("failed")),
    ),
  );
  const result = await run(world);
  expect(checkRun(result, world)).toEqual([]);
  expect(result).toMatchObject({ exitCode: 1, outputs: { status: "failed", jobId: "job_1" } });
  expect(world.received(POLL)).toHaveLength(COUNT + 1);
  // There is a warning for each status, and two for the poll whose ID is too long.
  expect(result.warnings.length).toBeLessThanOrEqual(new Set(ALL_HOSTILE).size + 2);
  expect(result.errors).toHaveLength(1);
});

test.each(someOf(["completed", "archived", "failed"]))(
  "outputs of a job that is %s are the hostile texts of the service, up to the maximum length",
  async (status) => {
    await using world = await startWorld(WITH_JOB);
    const whole = ALL_HOSTILE.join("\n");
    const source = { repository: whole, ref: `\r${whole}\r\n` };
    const sent = { model: whole, createdAt: `${whole}\n`, archivedAt: `\n${whole}` };
    world.on(POLL, json(200, record(status, { source, ...sent, prLink: whole })));
    const result = await run(world);
    expect(checkRun(result, world)).toEqual([]);
    const { outputs } = result;
    const expected = { repository: source.repository, ref: source.ref, ...sent };
    for (const [name, value] of Object.entries(expected))
      expect(outputs[name] === cut(value, MAX_TEXT).toWellFormed(), name).toBe(true);
    expect(outputs).toMatchObject({ jobId: "job_1", status });
    expect(outputs.prLink ?? "").toBe("");
  },
);

const IDS = chunks(900).filter((id) => id.length <= 1000);

test.each(numberedSampleOf(IDS, 1, "ids"))(
  "a hostile ID (%i) is one output and one segment of the poll's path",
  async (_, id) => {
    await using world = await startWorld(WITH_JOB);
    world
      .on(CREATE, json(201, record("active", { id })))
      .on(ANY_POLL, json(200, record("completed", { id, prLink: PR_LINK })));
    const result = await run(world);
    expect(checkRun(result, world)).toEqual([]);
    expect(result.outputs.jobId).toBe(id.toWellFormed());
    const [, path = ""] =
      /^\/v2\/agent\/acme-docs\/job\/([^/]+)$/.exec(world.received("service")[1]?.path ?? "") ?? [];
    expect(decodeURIComponent(path)).toBe(id.toWellFormed());
  },
);

test("hostile messages of failed polls cause two warnings each, of which eight are annotations, and have no other effect", async () => {
  await using world = await startWorld(WITH_JOB);
  const statuses = [500, 502, 503, 504, 408, 425, 429];
  world.on(
    POLL,
    each((nth) => {
      const error = nthText(Math.floor(nth / 2));
      if (nth >= 2 * COUNT) return json(200, record("completed", { prLink: PR_LINK }));
      if (nth % 2 === 1) return json(200, record("active"));
      const body = nth % 4 === 0 ? { error } : { message: error, error: null };
      return json(statuses[nth % statuses.length] ?? 500, body);
    }),
  );
  const result = await run(world);
  expect(checkRun(result, world)).toEqual([]);
  expect(result).toMatchObject({ exitCode: 0, errors: [] });
  // One at the first failure and one after it, each time: seven annotations, one that counts the rest, and the log.
  expect(result.warnings).toHaveLength(8);
  const others = result.stdout.split("\n").filter((line) => line.startsWith("Warning: "));
  expect(others).toHaveLength(2 * COUNT - 7);
});

test.each(numberedSampleOf(IDS, 1, "ids of the post step"))(
  "the post step reports a failed job with a hostile ID (%i) without any effect of the texts",
  async (_, id) => {
    await using world = await startWorld(WITH_JOB);
    world.on(CREATE, json(201, record("active", { id })));
    const main = world.start("root", { inputs: { "poll-interval-seconds": "60" } });
    await main.waitForOutput("commentUrl");
    main.signal("SIGKILL");
    const { state } = await main.result;
    world.on(ANY_POLL, json(200, hostileRecord(id.length, "failed")));
    const result = await run(world, { entry: "post", state });
    expect(checkRun(result, world, { unmarked: 0 })).toEqual([]);
    expect(result.exitCode).toBe(0);
    expect(world.comments(7)).toHaveLength(1);
  },
);

const REFUSALS = [400, 401, 403, 404, 410, 418, 422, 500, 502, 503, 504];

const REFUSED = chunks(480, " ").map((error, nth) => ({
  error,
  nth,
  status: REFUSALS[nth % REFUSALS.length] ?? 400,
}));

test.each(sampleOf(REFUSED, 2, "refusals"))(
  "a refusal with $status and a hostile message ($nth) is one error",
  async ({ status, error }) => {
    await using world = await startWorld(WITH_JOB);
    world.on(CREATE, json(status, { error }));
    const result = await run(world);
    expect(checkRun(result, world)).toEqual([]);
    expect(result.exitCode).toBe(1);
    expect(result.errors).toHaveLength(1);
    expect(result.outputs.errorMessage).toContain(CANARY);
  },
);

test.each(someOf(ELSEWHERE))(
  "a redirect to %s fails with invalid-response, and is not followed",
  async (location) => {
    await using world = await startWorld(WITH_JOB);
    world.on(CREATE, redirect(307, location));
    const result = await run(world);
    expect(checkRun(result, world)).toEqual([]);
    expect(result.outputs.errorKind).toBe("invalid-response");
  },
);

test.each<[string, Answer]>([
  ["HTML", text(200, `<p>${ALL_HOSTILE.join("\n")}</p>`)],
  ["text", text(200, ALL_HOSTILE.join("\n"), { "content-type": "text/plain" })],
  ["a hostile type", text(200, "{", { "content-type": "::error::h0stile/x; ##[error]h0stile" })],
  ["JSON of hostile names", json(200, Object.fromEntries(ALL_HOSTILE.map((name) => [name, name])))],
  ["fields of other types", json(200, { id: ALL_HOSTILE, status: { [LONG_LINE]: 1 } })],
  ["a mebibyte too much", json(200, record("active", { model: LONG_LINE }))],
])(
  "a create response with %s fails with invalid-response, and nothing of it is logged",
  async (_, answer) => {
    await using world = await startWorld(WITH_JOB);
    world.on(CREATE, answer);
    const result = await run(world);
    expect(checkRun(result, world)).toEqual([]);
    expect(result.outputs.errorKind).toBe("invalid-response");
    expect(result.stdout).not.toContain(CANARY);
  },
);

const LONG = LONG_LINE.slice(0, 1024 * 1024 - 4096);

test.each<[string, Record<string, unknown>]>([
  ["model", { model: LONG }],
  ["ref", { source: { repository: null, ref: LONG } }],
  ["createdAt", { createdAt: LONG }],
  ["prLink", { prLink: `https://h0stile.example/${LONG}` }],
  ["prLink, and it is an address", { prLink: `https://h0stile.example/${"x".repeat(1_000_000)}` }],
  ["an extra field", { extra: LONG }],
])("a line of 1 MiB in %s does not affect the result", async (_, more) => {
  await using world = await startWorld(WITH_JOB);
  world.on(POLL, json(200, record("completed", { prLink: PR_LINK, ...more })));
  const result = await run(world);
  expect(checkRun(result, world)).toEqual([]);
  expect(result).toMatchObject({ exitCode: 0, outputs: { jobId: "job_1", status: "completed" } });
  expect(Math.max(...world.bodies.map((body) => body.length))).toBeLessThan(65_536);
  expect(Buffer.byteLength(result.summary)).toBeLessThan(1024 * 1024);
});

test("comments and the state of the post step have room for the longest ID", async () => {
  await using world = await startWorld(WITH_JOB);
  const id = "\u6F22".repeat(1000);
  world.on(CREATE, json(201, record("active", { id })));
  const result = await run(world, { inputs: { wait: "false" } });
  expect(checkRun(result, world)).toEqual([]);
  for (const body of [...world.bodies, result.summary]) expect(body.length).toBeLessThan(65_536);
  // The post step gets it in an environment variable, whose size is limited.
  expect(JSON.stringify(result.state).length).toBeLessThan(10_000);
});

test("the key is redacted if the service returns it in every field", async () => {
  await using world = await startWorld(WITH_JOB);
  const key = `x${ADMIN_KEY}y @octocat`;
  const source = { repository: key, ref: key };
  const fields = { source, model: key, createdAt: key, archivedAt: key };
  world.on(
    POLL,
    json(500, { error: key }),
    json(200, record(key, { ...fields, prLink: `https://x.example/${ADMIN_KEY}` })),
    json(200, record("failed", { ...fields, prLink: `https://${ADMIN_KEY}.example/` })),
  );
  const result = await run(world);
  expect(checkRun(result, world)).toEqual([]);
});
