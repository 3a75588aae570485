import { expect, test } from "vitest";
import { tokenOf } from "../../emulator/github/people.ts";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { ledgersOf } from "../../test/support/ledgers-of.ts";
import { type Fault, FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { type RunOptions, runInMemory } from "../../test/support/memory-world/runs.ts";
import { recordKilledRun } from "../ledger/batches/post-step.ts";
import { gate } from "./gate.ts";

const MINUTE = 60_000;
const CREATE = "POST service.test/v2/agent/docs/job";
const REF = /^GET .*\/git\/ref\/docs-agent\/upkeep\//;
const WARNING = "warning: There is no draft: ";

/** An approved pull request whose draft's job never ends, and runs of the gate on it. */
function setUp() {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 1_000 * MINUTE }));
  const commits = [{ files: { "src/retry.ts": "export const retries = 3;\n" } }];
  const { number } = servers.repository.openPull({ title: "Add retries", commits });
  const review = {
    method: "POST",
    path: `/repos/${REPOSITORY}/pulls/${number}/reviews`,
    headers: { authorization: `Bearer ${tokenOf("maintainer")}` },
    body: JSON.stringify({ event: "APPROVE" }),
  };
  expect(servers.github.handle(review).status).toBe(200);
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
  const run = async (options: Partial<RunOptions> = {}) => {
    seed += 0.01;
    const ran = await runInMemory(servers, action, { random: () => seed, ...options });
    const warnings = ran.log.filter((line) => line.startsWith(WARNING));
    return { ...ran, isFailed, warnings: warnings.map((line) => line.slice(WARNING.length)) };
  };
  return { servers, run, drafts: () => ledgersOf(servers.repository)[0]?.ledger.drafts };
}

const REFUSED: Fault = { kind: "refused", status: 401 };

test.each(["fail", "warn"])(
  "a key that is refused when a draft is polled ends a gate with `if-needed: %s` as an error",
  async (ifNeeded) => {
    const { run } = setUp();
    await run();
    const inputs = { "if-needed": ifNeeded };
    const before = await run({ inputs });
    expect(before).toMatchObject({ isFailed: false, outputs: { verdict: "covered" } });
    const at = before.requests.findIndex((request) => request.startsWith("GET service.test/"));
    const refused = await run({ inputs, faults: new Map([[at, REFUSED]]) });
    expect(refused).toMatchObject({ errorKind: "unauthorized", warnings: [], isFailed: null });
    expect(refused.outputs.verdict).toBeUndefined();
  },
);

test("a draft whose run died before its request was answered covers for ten minutes, then is uncertain", async () => {
  const { servers, run, drafts } = setUp();
  const { requests } = await setUp().run();
  const kill = { at: requests.indexOf(CREATE), when: "before" } as const;
  await run({ kill });
  expect(drafts()).toMatchObject([{ state: "intended" }]);
  servers.now += 9 * MINUTE;
  const early = await run();
  expect(early).toMatchObject({ outputs: { verdict: "covered", jobId: "" }, warnings: [] });
  servers.now += 2 * MINUTE;
  const late = await run();
  expect(late).toMatchObject({ isFailed: true, outputs: { verdict: "needed" } });
  expect(late.warnings).toEqual([
    "the service may have received the request (The run ended before it could record the service's answer).",
  ]);
  expect(servers.agent.jobs).toEqual([]);
  // Upkeep records it.
  expect(drafts()).toMatchObject([{ state: "intended" }]);
});

test("a run that requests a draft reads the ledger's ref once before it writes", async () => {
  const { requests } = await setUp().run();
  const begun = requests.slice(0, requests.indexOf(CREATE));
  expect(begun.filter((request) => REF.test(request))).toHaveLength(1);
});
