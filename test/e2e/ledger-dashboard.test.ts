import { expect, test } from "vitest";
import { type Answer, startFaultyServer } from "../support/faulty-server.ts";
import { CREATE_IN_WORLD } from "../support/ledger-setup.ts";
import { setUpUpkeep, titlesIn, type UpkeepSetup } from "../support/upkeep-setup.ts";

const UNCERTAIN = { service: { faults: [{ route: "v2-create" as const, status: 500 }] } };

/** Sets up a change that the service may have received. */
async function setUpUncertain(): Promise<UpkeepSetup> {
  const scene = await setUpUpkeep(UNCERTAIN);
  await scene.history.land({ title: "Perhaps" });
  await scene.run();
  await scene.passTime();
  return scene;
}

async function numberOf(scene: UpkeepSetup): Promise<number> {
  return (await scene.dashboards()).at(-1)?.number ?? 0;
}

test("a closed dashboard pauses upkeep with a warning that says who closed it and when, and a reopened one continues", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  await scene.run();
  await scene.editDashboard({ state: "closed" });
  await scene.history.land({ title: "Waits" });
  const paused = await scene.run();
  expect(paused.exitCode).toBe(0);
  expect(paused.outputs).toMatchObject({
    result: "paused",
    waitingCount: "",
    needsDecisionCount: "",
  });
  expect(paused.warnings.join()).toMatch(/closed by `octocat` on 2\d{3}-.*Z, so nothing/);
  expect(await scene.prompts()).toHaveLength(1);
  await scene.editDashboard({ state: "open" });
  await scene.passTime();
  expect((await scene.run()).outputs).toMatchObject({ result: "continued", changeCount: "1" });
});

test("without issues: write, changes are handed over, and a warning names the permission", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  await scene.history.restrict({ issues: "read", pull_requests: "read", contents: "write" });
  const run = await scene.run();
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ result: "started", dashboardUrl: "" });
  expect(run.warnings.join()).toContain("issues: write");
});

test("the dashboard is opened after the service has accepted the key, by one of several runs", async () => {
  await using scene = await setUpUpkeep({
    service: { faults: [{ route: "v2-create", status: 401, times: 1 }] },
  });
  await scene.history.land();
  expect((await scene.run()).outputs.errorKind).toBe("unauthorized");
  expect(await scene.dashboards()).toEqual([]);
  await Promise.all([scene.run(), scene.run(), scene.run()]);
  expect(await scene.dashboards()).toHaveLength(1);
});

test.each([401, 403, 404])(
  "after a first run that the service refused with %i, the corrected one opens the dashboard at once",
  async (status) => {
    await using scene = await setUpUpkeep({
      service: { faults: [{ route: "v2-create", status, times: 1 }] },
    });
    await scene.history.land();
    expect((await scene.run()).exitCode).toBe(1);
    expect(scene.ledger().ledger.dashboard).toEqual({ type: "none" });
    const corrected = await scene.run();
    expect(corrected.outputs.dashboardUrl).toMatch(/\/issues\/\d+$/);
    expect(await scene.dashboards()).toHaveLength(1);
  },
);

test("`dashboard` accepts an existing issue, but no missing issue, pull request or issue of another ledger", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  const pull = await scene.history.openPull();
  for (const number of ["999", String(pull)]) {
    const refused = await scene.run({ inputs: { dashboard: number } });
    expect(refused.outputs.errorKind).toBe("invalid-input");
    expect(refused.outputs.errorMessage).toContain(`dashboard: there is no issue #${number}`);
  }
  const run = await scene.run({ inputs: { dashboard: "1" } });
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(run.outputs.dashboardUrl).toMatch(/\/issues\/1$/);
  const other = await scene.run({ inputs: { dashboard: "1", name: "other" } });
  expect(other.outputs.errorMessage).toContain("issue #1 shows another ledger");
});

test("comments and issues by outsiders have no effect, even with a copy of the dashboard", async () => {
  await using scene = await setUpUncertain();
  const { api, tokenOf, home } = scene.world.github;
  const token = tokenOf("outsider");
  const number = await numberOf(scene);
  const body = (await scene.body()).replaceAll("[ ]", "[x]").replace(/ \d+ -->/, " 999 -->");
  await api(`/issues/${number}/comments`, { method: "POST", token, body: { body } });
  await api("/issues", { method: "POST", token, body: { title: "Docs upkeep", body } });
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(await scene.prompts()).toEqual([]);
  // The list of comments is never read, so any number of them has no effect.
  for (let nth = 1; nth < 2_500; nth++) home.comment({ number }, "…", "outsider");
  await scene.tick();
  expect((await scene.run()).outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("other issues with the dashboard's label do not stop a run", async () => {
  await using scene = await setUpUpkeep();
  const { api } = scene.world.github;
  for (const body of ["", "<!-- docs-agent:abc.def -->", "Somebody wrote this."]) {
    const issue = { title: "Docs upkeep", body, labels: ["docs-upkeep"] };
    await api("/issues", { method: "POST", body: issue });
  }
  await scene.history.land();
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(await scene.dashboards()).toHaveLength(4);
});

/** Forwards a request to the world's service, after `before`. */
function forward(scene: UpkeepSetup, before: () => Promise<void>): Answer {
  return async ({ request: { method, path, headers, body }, response }) => {
    await before();
    const { authorization = "" } = headers;
    const answer = await fetch(`${scene.world.service.url}${path}`, {
      method,
      body: body.toString(),
      headers: { authorization, "content-type": "application/json" },
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  };
}

test("a tick that is set during a run is kept, and the next run handles it", async () => {
  await using scene = await setUpUncertain();
  await using service = await startFaultyServer();
  service.on(
    CREATE_IN_WORLD,
    forward(scene, () => scene.tick()),
  );
  await scene.history.land({ title: "Next" });
  const run = await scene.run({ inputs: { "base-url": service.url } });
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(await scene.body()).toMatch(/`Perhaps`[\s\S]*- \[x\] <!-- again:/);
  await scene.passTime();
  const next = await scene.run();
  expect(next.outputs).toMatchObject({ result: "continued", needsDecisionCount: "0" });
  expect(JSON.parse(next.outputs.changes ?? "")).toMatchObject([{ title: "Perhaps" }]);
});

test("an event of a person's edit handles a tick, and other events make no request", async () => {
  await using scene = await setUpUncertain();
  const from = await scene.body();
  await scene.tick();
  const [dashboard] = await scene.dashboards();
  const person = { login: "maintainer", type: "User" };
  const event = {
    action: "edited",
    issue: dashboard,
    sender: person,
    changes: { body: { from } },
  };
  const requestsOfAction = async () => {
    const requests = await scene.world.github.requests();
    return requests.filter(({ headers }) => headers["user-agent"]?.startsWith("docs-agent-action"));
  };
  const byBot = { ...event, sender: { login: "github-actions[bot]", type: "Bot" } };
  const before = await requestsOfAction();
  for (const other of [byBot, { ...event, action: "labeled" }]) {
    expect((await scene.run({ eventName: "issues", event: other })).outputs.result).toBe("idle");
  }
  expect(await requestsOfAction()).toEqual(before);
  const otherIssue = { ...event, issue: { ...dashboard, number: 1 } };
  expect((await scene.run({ eventName: "issues", event: otherIssue })).outputs.result).toBe("idle");
  expect(await scene.prompts()).toEqual([]);
  const ticked = await scene.run({ eventName: "issues", event });
  expect(ticked.outputs).toMatchObject({ result: "started", changeCount: "1" });
  // With a person's token, the action's own edits cause the event, too.
  const own = { ...event, issue: { ...dashboard, body: await scene.body() } };
  const after = await requestsOfAction();
  const { outputs } = await scene.run({ eventName: "issues", event: own });
  expect(outputs).toMatchObject({ result: "idle", changes: "[]", finished: "[]" });
  expect(await requestsOfAction()).toEqual(after);
});

test("a tick that a run has overwritten is found in the event of its edit, and counts once", async () => {
  await using scene = await setUpUncertain();
  const from = await scene.body();
  await scene.tick();
  const [issue] = await scene.dashboards();
  const event = {
    action: "edited",
    issue,
    sender: { login: "maintainer", type: "User" },
    changes: { body: { from } },
  };
  // Between the reading and the writing of another run.
  await scene.editDashboard({ body: from });
  await scene.history.land({ title: "Next" });
  expect((await scene.run()).outputs).toMatchObject({ changeCount: "1", needsDecisionCount: "1" });
  await scene.passTime();
  const ticked = await scene.run({ eventName: "issues", event });
  expect(ticked.outputs).toMatchObject({ result: "continued", needsDecisionCount: "0" });
  expect(titlesIn(ticked)).toEqual(["Perhaps"]);
  await scene.passTime();
  const again = await scene.run({ eventName: "issues", event });
  expect(again.outputs).toMatchObject({ changes: "[]", needsDecisionCount: "0" });
});
