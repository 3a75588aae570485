import { expect, test } from "vitest";
import { WORKFLOW } from "../../emulator/github/people.ts";
import { SERVICE } from "../../emulator/local-world/memory-servers.ts";
import { ledgersOf } from "../../test/support/ledgers-of.ts";
import { FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { runInMemory } from "../../test/support/memory-world/runs.ts";
import { recordKilledRun } from "../batches/post-step.ts";
import { upkeep } from "./upkeep.ts";

const MINUTE = 60_000;

/** A merged change, and upkeep's runs in memory. */
function setUp() {
  const servers = new FaultyServers(() => ({ outcome: "no-changes", takes: 0 }));
  const action = {
    main: upkeep,
    post: recordKilledRun,
    inputs: { since: servers.repository.tip() },
  };
  servers.repository.land({ title: "Add retries" });
  return { servers, action };
}

test("a hand-over that was written down too long ago is withdrawn, and the result is idle", async () => {
  const { servers, action } = setUp();
  const late = await runInMemory(servers, action, {
    random: () => 0.1,
    onRequest: ({ method, url }) => {
      const isWrite = method === "POST" && url.pathname.endsWith("/git/refs");
      if (isWrite) servers.now += 6 * MINUTE;
    },
  });
  expect(late).toMatchObject({
    errorKind: "",
    outputs: { result: "idle", changeCount: "0", waitingCount: "1", jobId: "" },
  });
  expect(servers.agent.jobs).toEqual([]);
  const next = await runInMemory(servers, action, { random: () => 0.2 });
  expect(next.outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("after a refused key that could not be recorded, the post step gives the dashboard's claim back", async () => {
  const { servers, action } = setUp();
  const ledger = () => ledgersOf(servers.repository)[0]?.ledger;
  const claims: unknown[] = [];
  const post: typeof recordKilledRun = async (...parts) => {
    claims.push(ledger()?.dashboard);
    servers.github.restrict(WORKFLOW, {});
    await recordKilledRun(...parts);
  };
  servers.refusal = 401;
  const refused = await runInMemory(
    servers,
    { ...action, post },
    {
      random: () => 0.1,
      onRequest: ({ method, url }) => {
        const isSent = method === "POST" && url.origin === SERVICE;
        if (isSent) servers.github.restrict(WORKFLOW, { contents: "read" });
      },
    },
  );
  expect(refused.errorKind).toBe("unauthorized");
  expect(claims).toMatchObject([{ type: "claimed" }]);
  expect(ledger()).toMatchObject({
    dashboard: { type: "none" },
    waiting: [{ attempts: 0 }],
    starts: [],
  });
});
