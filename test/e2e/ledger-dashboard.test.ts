import { expect, test } from "vitest";
import { type Answer, startFaultyServer } from "../support/faulty-server.ts";
import { setUpUpkeep, type UpkeepSetup } from "../support/upkeep-setup.ts";

const CREATE = "POST /v2/agent/acme-docs/job";
const UNCERTAIN = { service: { faults: [{ route: "v2-create" as const, status: 500 }] } };

/** A world with a change that the service may have received. */
async function setUncertainWorld(): Promise<UpkeepSetup> {
  const scene = await setUpUpkeep(UNCERTAIN);
  await scene.history.land({ title: "Perhaps" });
  await scene.run();
  await scene.passTime();
  return scene;
}

async function numberOf(scene: UpkeepSetup): Promise<number> {
  return (await scene.dashboards()).at(-1)?.number ?? 0;
}

test("a closed dashboard pauses, and the warning says since when and by whom; reopened it goes on", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  await scene.run();
  await scene.editDashboard({ state: "closed" });
  await scene.history.land({ title: "Waits" });
  const paused = await scene.run();
  expect(paused.exitCode).toBe(0);
  expect(paused.outputs.result).toBe("paused");
  expect(paused.warnings.join()).toMatch(/closed since 2\d{3}-.*Z by `octocat`, so nothing/);
  expect(await scene.prompts()).toHaveLength(1);
  await scene.editDashboard({ state: "open" });
  await scene.passTime();
  expect((await scene.run()).outputs).toMatchObject({ result: "continued", changeCount: "1" });
});

test("without `issues: write` the ledger goes on, with a warning that names it", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  await scene.history.restrict({ issues: "read", pull_requests: "read", contents: "write" });
  const run = await scene.run();
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ result: "started", dashboardUrl: "" });
  expect(run.warnings.join()).toContain("issues: write");
});

test("it is opened only once the service has not refused the key, and by one run", async () => {
  await using scene = await setUpUpkeep({
    service: { faults: [{ route: "v2-create", status: 401, times: 1 }] },
  });
  await scene.history.land();
  expect((await scene.run()).outputs.errorKind).toBe("unauthorized");
  expect(await scene.dashboards()).toEqual([]);
  await scene.history.advance(11 * 60_000);
  await Promise.all([scene.run(), scene.run(), scene.run()]);
  expect(await scene.dashboards()).toHaveLength(1);
});

test("an issue that is named, an issue that is not there, and a pull request", async () => {
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

test("what strangers write means nothing: comments, copies of the body, issues of their own", async () => {
  await using scene = await setUncertainWorld();
  const { api, tokenOf, home } = scene.world.github;
  const token = tokenOf("outsider");
  const number = await numberOf(scene);
  const body = (await scene.body()).replaceAll("[ ]", "[x]").replace(/ \d+ -->/, " 999 -->");
  await api(`/issues/${number}/comments`, { method: "POST", token, body: { body } });
  await api("/issues", { method: "POST", token, body: { title: "Docs upkeep", body } });
  const run = await scene.run();
  expect(run.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(await scene.prompts()).toEqual([]);
  // The list of comments is never read, so that nobody can fill it.
  for (let nth = 1; nth < 2_500; nth++) home.comment({ number }, "…", "outsider");
  await scene.tick();
  expect((await scene.run()).outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("another project's dashboard, or an old one with the label, stops nothing", async () => {
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

/** Passes a request on to the world's service, once something else is done. */
function passOn(scene: UpkeepSetup, first: () => Promise<void>): Answer {
  return async ({ request: { method, path, headers, body }, response }) => {
    await first();
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

test("a tick set while a run is at work stays, and the next run acts on it", async () => {
  await using scene = await setUncertainWorld();
  await using service = await startFaultyServer();
  service.on(
    CREATE,
    passOn(scene, () => scene.tick()),
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

test("an edit of the dashboard by a person acts on a tick at once; other edits ask for nothing", async () => {
  await using scene = await setUncertainWorld();
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
  const ofActions = async () => {
    const requests = await scene.world.github.requests();
    return requests.filter(({ headers }) => headers["user-agent"]?.startsWith("docs-agent-action"));
  };
  const byBot = { ...event, sender: { login: "github-actions[bot]", type: "Bot" } };
  const before = await ofActions();
  for (const other of [byBot, { ...event, action: "labeled" }]) {
    expect((await scene.run({ eventName: "issues", event: other })).outputs.result).toBe("idle");
  }
  expect(await ofActions()).toEqual(before);
  const ofOther = { ...event, issue: { ...dashboard, number: 1 } };
  expect((await scene.run({ eventName: "issues", event: ofOther })).outputs.result).toBe("idle");
  expect(await scene.prompts()).toEqual([]);
  const ticked = await scene.run({ eventName: "issues", event });
  expect(ticked.outputs).toMatchObject({ result: "started", changeCount: "1" });
  // With a person's token, the action's own edits raise the event, too.
  const own = { ...event, issue: { ...dashboard, body: await scene.body() } };
  const after = await ofActions();
  const { outputs } = await scene.run({ eventName: "issues", event: own });
  expect(outputs).toMatchObject({ result: "idle", changes: "[]", finished: "[]" });
  expect(await ofActions()).toEqual(after);
});
