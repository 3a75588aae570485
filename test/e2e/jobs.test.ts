import { expect, test } from "vitest";
import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { ADMIN_KEY } from "../../emulator/service/state.ts";
import { hangBeforeHeaders, json } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { GONE_AFTER } from "../support/grace.ts";
import { someOf } from "../support/sample.ts";
import { PR_LINK } from "../support/world/jobs.ts";
import { halted, LIST_V1, session } from "../support/world/sessions.ts";
import { startWorld } from "../support/world/world.ts";

/** `count` finished sessions, newest first. */
function sessions(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) =>
    halted("completed", {
      sessionId: `session_${index}`,
      createdAt: new Date(Date.UTC(2026, 7, 1) - index * 60_000).toISOString(),
    }),
  );
}

/** The list in pages, as the service serves it. It can ignore parameters. */
function served(
  all: readonly unknown[],
  { ignores = [], byDefault = 12 }: { ignores?: string[]; byDefault?: number } = {},
): Answer {
  return (exchange) => {
    const query = new URL(exchange.request.path, "http://localhost").searchParams;
    for (const name of ignores) query.delete(name);
    const skip = Number(query.get("skip") ?? 0);
    const take = Number(query.get("take") ?? byDefault);
    return json(200, { allSessions: all.slice(skip, skip + take) })(exchange);
  };
}

const idsOf = (outputs: Record<string, string>): string[] =>
  JSON.parse(outputs.jobs ?? "null").map((job: { sessionId: string }) => job.sessionId);

test("the jobs of a project are an output as JSON, and a table in the summary", async () => {
  await using world = await startWorld();
  const running = session({ sessionId: "s_2", createdAt: "2026-08-02T12:00:00.000Z" });
  const failed = halted("error", { sessionId: "s_1", pullRequestLink: PR_LINK });
  world.on(LIST_V1, served([failed, running]));
  const result = await world.run("jobs");
  expect(result.exitCode).toBe(0);
  expect(result.errors).toEqual([]);
  expect(result.warnings).toEqual([]);
  expect(world.received()[0]).toMatchObject({
    path: "/v1/agent/acme-docs/jobs?skip=0&take=100",
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  expect(JSON.parse(result.outputs.jobs ?? "")).toEqual([
    { ...running, status: "active" },
    { ...failed, status: "failed" },
  ]);
  expect(result.outputs).toMatchObject({ count: "2", runningCount: "1" });
  expect(result.summary).toContain("1 job running");
  expect(result.summary).toContain("| `s_2` | active | `Document the webhooks` |");
  expect(result.summary).toContain(`[#9](${PR_LINK})`);
  expect(result.log[0]).toMatchObject({ kind: "mask", text: ADMIN_KEY });
  const { outputs } = readActionMetadata(`${REPOSITORY_ROOT}/jobs`);
  expect(outputs).toEqual(expect.arrayContaining(Object.keys(result.outputs)));
});

test.each(
  someOf([
    ["nothing", [], 100],
    ["take", ["take"], 12],
  ]),
)("if the service ignores %s, every session is listed once", async (_, ignores, size) => {
  await using world = await startWorld();
  const all = sessions(250);
  world.on(LIST_V1, served(all, { ignores, byDefault: size }));
  const result = await world.run("jobs", { inputs: { limit: "1000" } });
  expect(idsOf(result.outputs)).toEqual(all.map(({ sessionId }) => sessionId));
  expect(world.received().length).toBe(Math.ceil(250 / size) + 1);
  expect(result.warnings).toEqual([]);
});

test.each(
  someOf([
    ["skip", 43, ["skip"], 43],
    ["skip, of a long list", 250, ["skip"], 100],
    ["skip and take", 43, ["skip", "take"], 12],
  ]),
)(
  "if the service ignores %s, what it returns is listed, with a warning",
  async (_, all, ignores, listed) => {
    await using world = await startWorld();
    world.on(LIST_V1, served(sessions(all), { ignores }));
    const result = await world.run("jobs", { inputs: { limit: "1000" } });
    expect(new Set(idsOf(result.outputs)).size).toBe(listed);
    expect(result.outputs.count).toBe(String(listed));
    expect(world.received()).toHaveLength(2);
    expect(result.warnings).toEqual([
      expect.stringContaining(`the same ${listed} jobs for the next page`),
    ]);
  },
);

test("a page that is too large is asked for in smaller ones", async () => {
  await using world = await startWorld();
  const all = sessions(40).map((record) => ({ ...record, userId: "u".repeat(300_000) }));
  world.on(LIST_V1, served(all));
  const result = await world.run("jobs");
  expect(result.outputs.count).toBe("40");
  expect(result.warnings).toEqual([]);
  const takes = world
    .received()
    .map(({ path }) => new URL(path, "http://x").searchParams.get("take"));
  expect(takes).toEqual(["100", "50", "25", "25", "25"]);
});

test("an endless list is read up to 100 pages, with a warning", async () => {
  await using world = await startWorld();
  let id = 0;
  world.on(LIST_V1, (exchange) => {
    const fresh = Array.from({ length: 3 }, () => session({ sessionId: `s_${id++}` }));
    return json(200, { allSessions: fresh })(exchange);
  });
  const result = await world.run("jobs");
  expect(world.received()).toHaveLength(100);
  expect(result.outputs).toMatchObject({ count: "100", runningCount: "300" });
  expect(result.warnings).toEqual([expect.stringContaining("the 300 jobs that were read")]);
});

test("sessions are sorted by date, newest first, with those without a date last", async () => {
  await using world = await startWorld();
  const [a, b, c] = sessions(3);
  const undated = session({ sessionId: "undated", createdAt: "soon" });
  world.on(LIST_V1, served([undated, b, c, a]));
  const result = await world.run("jobs");
  expect(idsOf(result.outputs)).toEqual(["session_0", "session_1", "session_2", "undated"]);
});

test.each(
  someOf([
    ["all", ["new", "session_0", "session_1", "old"]],
    ["running", ["new", "old"]],
    ["finished", ["session_0", "session_1"]],
  ]),
)("state: %s filters the sessions, and running ones are counted regardless", async (state, ids) => {
  await using world = await startWorld();
  const fresh = session({ sessionId: "new", createdAt: "2026-08-09T00:00:00Z" });
  const old = session({ sessionId: "old", createdAt: "2025-08-09T00:00:00Z" });
  world.on(LIST_V1, served([fresh, ...sessions(2), old]));
  const result = await world.run("jobs", { inputs: { state } });
  expect(idsOf(result.outputs)).toEqual(ids);
  expect(result.outputs).toMatchObject({ count: String(ids.length), runningCount: "2" });
});

test("limit keeps the newest sessions of the state, and running ones beyond it are counted", async () => {
  await using world = await startWorld();
  const old = session({ sessionId: "old", createdAt: "2025-08-09T00:00:00Z" });
  world.on(LIST_V1, served([...sessions(5), old]));
  const result = await world.run("jobs", { inputs: { state: "finished", limit: "2" } });
  expect(idsOf(result.outputs)).toEqual(["session_0", "session_1"]);
  expect(result.outputs).toMatchObject({ count: "2", runningCount: "1" });
});

test("fields that are missing, null or of another type are listed as null, and rows without a valid ID are left out, with a warning", async () => {
  await using world = await startWorld();
  const records = [
    null,
    "text",
    {},
    { haulted: false },
    { sessionId: ".." },
    { sessionId: "bare" },
    { sessionId: "odd", branch: null, todos: {}, title: 7, haulted: "yes", haultReason: "error" },
  ];
  world.on(LIST_V1, served(records));
  const result = await world.run("jobs");
  expect(result.exitCode).toBe(0);
  expect(idsOf(result.outputs)).toEqual(["bare", "odd"]);
  expect(result.warnings).toEqual([expect.stringContaining("5 rows of the service's list")]);
  const [bare, other] = JSON.parse(result.outputs.jobs ?? "");
  expect(bare).toMatchObject({ status: "active", branch: null, todos: null });
  expect(other).toMatchObject({ status: "failed", title: null, haulted: null });
});

test("SIGINT while the list is read ends the step with cancelled", async () => {
  await using world = await startWorld();
  world.on(LIST_V1, hangBeforeHeaders);
  const run = world.start("jobs");
  await world.waitForRequest(LIST_V1);
  const signalledAt = performance.now();
  run.signal("SIGINT");
  const result = await run.result;
  expect(performance.now() - signalledAt).toBeLessThan(GONE_AFTER);
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("cancelled");
});

test("one error reports every invalid input, and there is no request", async () => {
  await using world = await startWorld();
  const inputs = { "api-key": "", "project-id": "..", state: "active", limit: "0" };
  const result = await world.run("jobs", { inputs });
  expect(world.received()).toEqual([]);
  expect(result.errors).toHaveLength(1);
  for (const name of Object.keys(inputs)) expect(result.errors[0]).toContain(`${name}: `);
  expect(result.outputs.errorKind).toBe("invalid-input");
});

test("an address that is no HTTPS URL is an invalid input", async () => {
  await using world = await startWorld();
  const inputs = { "base-url": "http://api.example.com" };
  const result = await world.run("jobs", { inputs });
  expect(result.errors).toEqual([expect.stringContaining("base-url: ")]);
  expect(world.received()).toEqual([]);
});
