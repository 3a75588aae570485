import { expect, test } from "vitest";
import type { RunResult } from "../../emulator/runner/runner.ts";
import { RequestGate } from "../support/request-gate.ts";
import { someOf } from "../support/sample.ts";
import { setUpUpkeep, type UpkeepSetup } from "../support/upkeep-setup.ts";

const OLD_KEY = "mint_local_admin_key";
const NEW_KEY = "mint_rotated_key";
const BOTH_KEYS = { keys: [{ secret: OLD_KEY }, { secret: NEW_KEY }] };

/** The numbers of the pull requests that runs said they handed over. */
function handed(runs: RunResult[]): number[] {
  return runs
    .flatMap(({ outputs }) => JSON.parse(outputs.changes ?? "[]"))
    .map(({ number }: { number: number }) => number)
    .sort((one, other) => one - other);
}

/** Runs until one says that nothing is new. */
async function runUntilQuiet(scene: UpkeepSetup): Promise<RunResult[]> {
  const runs: RunResult[] = [];
  for (let count = 0; count < 8 && runs.at(-1)?.outputs.result !== "idle"; count += 1) {
    await scene.passTime();
    runs.push(await scene.run());
  }
  return runs;
}

test("of two dashboards that two first runs opened, the lower number is used and the other closed", async () => {
  await using scene = await setUpUpkeep();
  // Neither run opens one before the other has found none.
  await using gate = new RequestGate(null, { at: /^POST .*\/issues$/, count: 2 });
  const { number } = await scene.history.land();
  const apiUrl = await gate.before(scene.world.github.url);
  const first = await Promise.all([scene.run({ apiUrl }), scene.run({ apiUrl })]);
  expect(first.map(({ errors }) => errors)).toEqual([[], []]);
  expect(gate.requests.filter((it) => /^POST .*\/issues$/.test(it))).toHaveLength(2);
  const rest = await runUntilQuiet(scene);
  expect(handed([...first, ...rest])).toEqual([number]);
  expect(await scene.prompts()).toHaveLength(1);
  const issues = await scene.world.github.api<{ number: number; title: string; state: string }[]>(
    "/issues?state=all&per_page=100",
  );
  const [lower, higher] = issues
    .filter(({ title }) => title === "Docs upkeep" || title.startsWith("Not in use"))
    .sort((one, other) => one.number - other.number);
  expect(lower).toMatchObject({ title: "Docs upkeep", state: "open" });
  expect(higher).toMatchObject({ title: `Not in use: see #${lower?.number}`, state: "closed" });
  expect((await scene.dashboards()).map((it) => it.number)).toEqual([lower?.number]);
});

test("a dashboard that somebody took the label off is found, labelled again, and nothing is sent twice", async () => {
  await using scene = await setUpUpkeep();
  const { number } = await scene.history.land({ title: "Once only" });
  const first = await scene.run();
  const dashboard = Number(first.outputs.dashboardUrl?.split("/").at(-1));
  await scene.passTime();
  await scene.world.github.api(`/issues/${dashboard}`, { method: "PATCH", body: { labels: [] } });
  expect(await scene.dashboards()).toEqual([]);
  const found = await scene.run();
  expect(found.exitCode).toBe(0);
  expect(found.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(found.outputs.dashboardUrl).toBe(first.outputs.dashboardUrl);
  expect(found.warnings.join()).toContain(`#${dashboard} had lost the label \`docs-upkeep\``);
  expect((await scene.dashboards()).map((it) => it.number)).toEqual([dashboard]);
  expect(handed([first, found, ...(await runUntilQuiet(scene))])).toEqual([number]);
  expect(await scene.prompts()).toHaveLength(1);
});

test("a closed dashboard without its label still pauses", async () => {
  await using scene = await setUpUpkeep();
  const { dashboardUrl = "" } = (await scene.run()).outputs;
  const path = `/issues/${dashboardUrl.split("/").at(-1)}`;
  const body = { labels: [], state: "closed" };
  await scene.world.github.api(path, { method: "PATCH", body });
  await scene.history.land();
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ result: "paused", dashboardUrl });
  expect(await scene.prompts()).toEqual([]);
});

test.each(someOf([2, 5]))(
  "%i runs at once hand each change over once",
  async (count) => {
    await using scene = await setUpUpkeep();
    await scene.run();
    const landed: number[] = [];
    for (let nth = 0; nth < 3; nth += 1) landed.push((await scene.history.land()).number);
    const runs = await Promise.all(
      Array.from({ length: count }, () => scene.run({ limitMs: 60_000 })),
    );
    for (const { exitCode, outputs } of runs) {
      expect(exitCode).toBe(0);
      expect(["started", "continued", "busy", "idle"]).toContain(outputs.result);
    }
    const rest = await runUntilQuiet(scene);
    expect(handed([...runs, ...rest])).toEqual(landed);
    expect((await scene.prompts()).join().match(/## Change \d+/g)).toHaveLength(3);
  },
  90_000,
);

test("after a key rotation the ledger goes on with `previous-api-key`, and then without it", async () => {
  await using scene = await setUpUpkeep({ service: BOTH_KEYS });
  await scene.history.land();
  await scene.run();
  await scene.passTime();
  await scene.history.land({ title: "Landed meanwhile" });
  const rotated = await scene.run({
    inputs: { "api-key": NEW_KEY, "previous-api-key": OLD_KEY },
  });
  expect(rotated.errors).toEqual([]);
  expect(rotated.outputs).toMatchObject({ result: "continued", changeCount: "1" });
  await scene.passTime();
  const alone = await scene.run({ inputs: { "api-key": NEW_KEY } });
  expect(alone.errors).toEqual([]);
  expect(alone.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(await scene.body()).toContain("2 of 2 changes covered");
  // What still matters is signed anew: the body can be rebuilt without the old key.
  await scene.editDashboard({ body: "" });
  await scene.passTime();
  const rebuilt = await scene.run({ inputs: { "api-key": NEW_KEY } });
  expect(rebuilt.errors).toEqual([]);
  expect(rebuilt.outputs).toMatchObject({ result: "idle", changeCount: "0" });
});

test("two projects have a dashboard each", async () => {
  await using scene = await setUpUpkeep({
    service: {
      projects: [
        { id: "acme-docs", repository: "acme/docs" },
        { id: "other-docs", repository: "acme/docs" },
      ],
    },
  });
  await scene.history.land();
  const one = await scene.run();
  const other = await scene.run({ inputs: { "project-id": "other-docs" } });
  expect(one.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(other.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(one.outputs.dashboardUrl).not.toBe(other.outputs.dashboardUrl);
});

test("an edit of the dashboard by a person acts on a tick at once", async () => {
  await using scene = await setUpUpkeep({
    service: { faults: [{ route: "v2-create", status: 500 }] },
  });
  await scene.history.land();
  await scene.run();
  const from = await scene.body();
  await scene.tick();
  const [dashboard] = await scene.dashboards();
  const person = { login: "maintainer", type: "User" };
  const event = {
    ...{ action: "edited", issue: dashboard, sender: person },
    changes: { body: { from } },
  };
  const byBot = { ...event, sender: { login: "github-actions[bot]", type: "Bot" } };
  expect((await scene.run({ eventName: "issues", event: byBot })).outputs.result).toBe("idle");
  const issue = { ...dashboard, number: 1 };
  const ofOther = { ...event, issue };
  expect((await scene.run({ eventName: "issues", event: ofOther })).outputs.result).toBe("idle");
  expect(await scene.prompts()).toEqual([]);
  const ticked = await scene.run({ eventName: "issues", event });
  expect(ticked.outputs).toMatchObject({ result: "started", changeCount: "1" });
  // With a person's token, the action's own edits raise the event, too.
  const own = { ...event, issue: { ...dashboard, body: await scene.body() } };
  const ofActions = async () => {
    const requests = await scene.world.github.requests();
    return requests.filter(({ headers }) => headers["user-agent"]?.startsWith("docs-agent-action"));
  };
  const before = await ofActions();
  expect((await scene.run({ eventName: "issues", event: own })).outputs.result).toBe("idle");
  expect(await ofActions()).toEqual(before);
});

test("an edit of some issue opens no dashboard", async () => {
  await using scene = await setUpUpkeep();
  const event = {
    action: "edited",
    issue: { number: 1 },
    sender: { login: "reader", type: "User" },
  };
  const run = await scene.run({ eventName: "issues", event });
  expect(run.exitCode).toBe(0);
  expect(run.outputs.result).toBe("idle");
  expect(await scene.dashboards()).toEqual([]);
});
