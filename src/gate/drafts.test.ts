import { describe, expect, test } from "vitest";
import { tokenOf } from "../../emulator/github/people.ts";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { ledgersOf } from "../../test/support/ledgers-of.ts";
import { type Fault, FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { type RunOptions, runInMemory } from "../../test/support/memory-world/runs.ts";
import { recordKilledRun } from "../batches/post-step.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import { gate } from "./gate.ts";

const MINUTE = 60_000;
const CREATE = "POST service.test/v2/agent/docs/job";
const REF = /^GET .*\/git\/ref\/docs-agent\/upkeep\//;
const NO_DRAFT = "warning: There is no draft";
const WARNING = `${NO_DRAFT}: `;

type GateOptions = Partial<RunOptions> & { context?: Partial<RunContext> };

/** An approved pull request whose draft's job never ends, and runs of the gate on it. */
function setUp() {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 1_000 * MINUTE }));
  const commits = [{ files: { "src/retry.ts": "export const retries = 3;\n" } }];
  const { number } = servers.repository.openPull({ title: "Add retries", commits });
  const review = (login: string, event: string) => {
    const posted = servers.github.handle({
      method: "POST",
      path: `/repos/${REPOSITORY}/pulls/${number}/reviews`,
      headers: { authorization: `Bearer ${tokenOf(login)}` },
      body: JSON.stringify({ event, body: "It needs tests." }),
    });
    expect(posted.status).toBe(200);
  };
  review("maintainer", "APPROVE");
  let isFailed: boolean | null = null;
  const action = {
    main: async (...args: Parameters<typeof gate>) => {
      isFailed = null;
      isFailed = await gate(...args);
    },
    post: recordKilledRun,
    inputs: { draft: "approved", paths: "src/**", "docs-paths": "docs/**" },
    context: { eventName: "pull_request", payload: { pull_request: { number } } },
  };
  let seed = 0;
  const run = async ({ context, ...options }: GateOptions = {}) => {
    seed += 0.01;
    const started = { ...action, context: context ?? action.context };
    const ran = await runInMemory(servers, started, { random: () => seed, ...options });
    const warnings = ran.log.filter((line) => line.startsWith(WARNING));
    return { ...ran, isFailed, warnings: warnings.map((line) => line.slice(WARNING.length)) };
  };
  const statuses = () => servers.repository.statuses.map(({ state }) => state);
  return {
    servers,
    run,
    review,
    statuses,
    drafts: () => ledgersOf(servers.repository)[0]?.ledger.drafts,
  };
}

const REFUSED: Fault = { kind: "refused", status: 401 };

test.each(["error", "warn"])(
  "a key that is refused when a draft is polled ends a gate with `if-needed: %s` as an error",
  async (ifNeeded) => {
    const { run, statuses } = setUp();
    await run();
    const inputs = { "if-needed": ifNeeded };
    const before = await run({ inputs });
    expect(before).toMatchObject({ isFailed: false, outputs: { verdict: "covered" } });
    const at = before.requests.findIndex((request) => request.startsWith("GET service.test/"));
    const refused = await run({ inputs, faults: new Map([[at, REFUSED]]) });
    expect(refused).toMatchObject({ errorKind: "unauthorized", warnings: [], isFailed: null });
    expect(refused.outputs.verdict).toBeUndefined();
    expect(statuses()).toEqual(["success", "error"]);
  },
);

test.each(["error", "warn"])(
  "a key that is refused when a draft is requested ends a gate with `if-needed: %s` as an error",
  async (ifNeeded) => {
    const { run, servers, statuses } = setUp();
    servers.refusal = 401;
    const refused = await run({ inputs: { "if-needed": ifNeeded } });
    expect(refused).toMatchObject({ errorKind: "unauthorized", isFailed: null });
    expect(statuses()).toEqual(["error"]);
  },
);

describe("while somebody asks for changes", () => {
  test.each([
    ["octocat", 0],
    ["maintainer", 0],
    ["outsider", 1],
    ["triager", 1],
  ])("%s, the number of drafts is %i", async (login, count) => {
    const { run, review, drafts } = setUp();
    review(login, "REQUEST_CHANGES");
    const { outputs, log } = await run();
    expect(outputs.verdict).toBe(count === 0 ? "needed" : "covered");
    expect(drafts() ?? []).toHaveLength(count);
    const isNoted = log.join("\n").includes("There is no draft while `octocat` asks for changes.");
    expect(isNoted).toBe(login === "octocat");
  });

  test("a draft is asked for once they approve", async () => {
    const { run, review } = setUp();
    review("octocat", "REQUEST_CHANGES");
    await run();
    review("octocat", "COMMENT");
    expect(await run()).toMatchObject({ outputs: { verdict: "needed" } });
    review("octocat", "APPROVE");
    expect(await run()).toMatchObject({ outputs: { verdict: "covered" } });
  });
});

test("ledger-ref is where the draft is recorded", async () => {
  const { run, servers } = setUp();
  await run({ inputs: { "ledger-ref": "refs/heads/docs-ledger" } });
  expect(servers.repository.tip("docs-ledger")).not.toBe("");
});

test("a ledger that cannot be read is a warning for a bot's pull request", async () => {
  const { run, servers } = setUp();
  const { number } = servers.repository.openPull({
    author: "renovate[bot]",
    commits: [{ files: { "src/a.ts": "1\n" } }],
  });
  const context = { eventName: "pull_request", payload: { pull_request: { number } } };
  const first = await run({ context });
  const at = first.requests.findIndex((request) => request.includes("/git/matching-refs/"));
  expect(at).toBeGreaterThan(0);
  const ran = await run({ context, faults: new Map([[at, { kind: "refused", status: 403 }]]) });
  expect(ran).toMatchObject({ errorKind: "", outputs: { verdict: "needed" } });
  expect(ran.log.join("\n")).toMatch(/warning: The ledger could not be read: GitHub returned 403/);
});

test("a draft whose run died before the service answered makes the gate green for ten minutes, and then is uncertain", async () => {
  const { servers, run, drafts, statuses } = setUp();
  const { requests } = await setUp().run();
  const kill = { at: requests.indexOf(CREATE), when: "before" } as const;
  await run({ kill });
  expect(drafts()).toMatchObject([{ state: "intended" }]);
  servers.now += 9 * MINUTE;
  const early = await run();
  expect(early).toMatchObject({ outputs: { verdict: "covered", jobId: "" }, warnings: [] });
  servers.now += 2 * MINUTE;
  const late = await run();
  expect(late).toMatchObject({ isFailed: false, outputs: { verdict: "needed" } });
  expect(statuses()).toEqual(["success", "failure"]);
  expect(late.warnings).toEqual([
    "the service may have received the request (The run ended before it could record the service's answer).",
  ]);
  expect(servers.agent.jobs).toEqual([]);
  // Upkeep records it.
  expect(drafts()).toMatchObject([{ state: "intended" }]);
});

test.each([
  [429, /^: the service's hourly limit is reached\.$/],
  [400, /^\. The service returned 400\. The service refused the request\. /],
])(
  "a draft that the service refuses with %i is a note of whole sentences",
  async (status, words) => {
    const { run, servers } = setUp();
    servers.refusal = status;
    const { log, ...ran } = await run();
    expect(ran).toMatchObject({ errorKind: "", outputs: { verdict: "needed" } });
    const [warning = ""] = log.filter((line) => line.startsWith(NO_DRAFT));
    expect(warning.slice(NO_DRAFT.length)).toMatch(words);
  },
);

test("a run that requests a draft reads the ledger's ref once before it writes", async () => {
  const { requests } = await setUp().run();
  const begun = requests.slice(0, requests.indexOf(CREATE));
  expect(begun.filter((request) => REF.test(request))).toHaveLength(1);
});
