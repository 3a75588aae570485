import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import { CREATE } from "../support/world/jobs.ts";
import { titlesIn } from "../support/world/outputs.ts";
import { startWorld, type World } from "../support/world/world.ts";

const UNCERTAIN = { service: { faults: [{ route: "v2-create" as const, status: 500 }] } };

/** Sets up a change that the service may have received. */
async function setUpUncertain(): Promise<World> {
  const world = await startWorld(UNCERTAIN);
  await world.github.land({ title: "Perhaps" });
  await world.run("upkeep");
  await world.passTime();
  return world;
}

async function numberOf(world: World): Promise<number> {
  return world.dashboards("upkeep").at(-1)?.number ?? 0;
}

test("a closed dashboard pauses upkeep with a warning that says who closed it and when, and a reopened one continues", async () => {
  await using world = await startWorld();
  await world.github.land();
  await world.run("upkeep");
  await world.editDashboard("upkeep", { state: "closed" });
  await world.github.land({ title: "Waits" });
  const paused = await world.run("upkeep");
  expect(paused.exitCode).toBe(0);
  expect(paused.outputs).toMatchObject({
    result: "paused",
    waitingCount: "",
    needsDecisionCount: "",
  });
  expect(paused.warnings.join()).toMatch(/closed by `octocat` on 2\d{3}-.*Z, so nothing/);
  expect(await world.prompts()).toHaveLength(1);
  await world.editDashboard("upkeep", { state: "open" });
  await world.passTime();
  expect((await world.run("upkeep")).outputs).toMatchObject({
    result: "continued",
    changeCount: "1",
  });
});

test("without issues: write, changes are handed over, and a warning names the permission", async () => {
  await using world = await startWorld();
  await world.github.land();
  await world.github.restrict({ issues: "read", pull_requests: "read", contents: "write" });
  const run = await world.run("upkeep");
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ result: "started", dashboardUrl: "" });
  expect(run.warnings.join()).toContain("issues: write");
});

test("the dashboard is opened after the service has accepted the key, by one of several runs", async () => {
  await using world = await startWorld({
    service: { faults: [{ route: "v2-create", status: 401, times: 1 }] },
  });
  await world.github.land();
  expect((await world.run("upkeep")).outputs.errorKind).toBe("unauthorized");
  expect(world.dashboards("upkeep")).toEqual([]);
  await Promise.all([world.run("upkeep"), world.run("upkeep"), world.run("upkeep")]);
  expect(world.dashboards("upkeep")).toHaveLength(1);
});

test.each([401, 403, 404])(
  "after a first run that the service refused with %i, the corrected one opens the dashboard at once",
  async (status) => {
    await using world = await startWorld({
      service: { faults: [{ route: "v2-create", status, times: 1 }] },
    });
    await world.github.land();
    expect((await world.run("upkeep")).exitCode).toBe(1);
    expect(world.ledger("upkeep").ledger.dashboard).toEqual({ type: "none" });
    const corrected = await world.run("upkeep");
    expect(corrected.outputs.dashboardUrl).toMatch(/\/issues\/\d+$/);
    expect(world.dashboards("upkeep")).toHaveLength(1);
  },
);

test("`dashboard` accepts an existing issue, but no missing issue, pull request or issue of another ledger", async () => {
  await using world = await startWorld();
  await world.github.land();
  const pull = await world.github.openPull();
  for (const number of ["999", String(pull)]) {
    const refused = await world.run("upkeep", { inputs: { dashboard: number } });
    expect(refused.outputs.errorKind).toBe("invalid-input");
    expect(refused.outputs.errorMessage).toContain(`dashboard: there is no issue #${number}`);
  }
  const run = await world.run("upkeep", { inputs: { dashboard: "1" } });
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(run.outputs.dashboardUrl).toMatch(/\/issues\/1$/);
  const other = await world.run("upkeep", { inputs: { dashboard: "1", name: "other" } });
  expect(other.outputs.errorMessage).toContain("issue #1 shows another ledger");
});

test("comments and issues by outsiders have no effect, even with a copy of the dashboard", async () => {
  await using world = await setUpUncertain();
  const { api, tokenOf, home } = world.github;
  const token = tokenOf("outsider");
  const number = await numberOf(world);
  const body = world
    .dashboard("upkeep")
    .body.replaceAll("[ ]", "[x]")
    .replace(/ \d+ -->/, " 999 -->");
  await api(`/issues/${number}/comments`, { method: "POST", token, body: { body } });
  await api("/issues", { method: "POST", token, body: { title: "Docs upkeep", body } });
  const run = await world.run("upkeep");
  expect(run.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(await world.prompts()).toEqual([]);
  // The list of comments is never read, so any number of them has no effect.
  for (let nth = 1; nth < 2_500; nth++) home.comment({ number }, "…", "outsider");
  await world.tick("upkeep");
  expect((await world.run("upkeep")).outputs).toMatchObject({
    result: "started",
    changeCount: "1",
  });
});

test("other issues with the dashboard's label do not stop a run", async () => {
  await using world = await startWorld();
  const { api } = world.github;
  for (const body of ["", "<!-- docs-agent:abc.def -->", "Somebody wrote this."]) {
    const issue = { title: "Docs upkeep", body, labels: ["docs-upkeep"] };
    await api("/issues", { method: "POST", body: issue });
  }
  await world.github.land();
  const run = await world.run("upkeep");
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(world.dashboards("upkeep")).toHaveLength(4);
});

test("a tick that is set during a run is kept, and the next run handles it", async () => {
  await using world = await setUpUncertain();
  world.on(CREATE, async (exchange) => {
    await world.tick("upkeep");
    await world.genuine.service(exchange);
  });
  await world.github.land({ title: "Next" });
  const run = await world.run("upkeep");
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(world.dashboard("upkeep").body).toMatch(/`Perhaps`[\s\S]*- \[x\] <!-- again:/);
  await world.passTime();
  const next = await world.run("upkeep");
  expect(next.outputs).toMatchObject({ result: "continued", needsDecisionCount: "0" });
  expect(JSON.parse(next.outputs.changes ?? "")).toMatchObject([{ title: "Perhaps" }]);
});

test("an event of a person's edit handles a tick, and other events make no request", async () => {
  await using world = await setUpUncertain();
  const from = world.dashboard("upkeep").body;
  await world.tick("upkeep");
  const [dashboard] = world.dashboards("upkeep");
  const person = { login: "maintainer", type: "User" };
  const event = {
    action: "edited",
    issue: dashboard,
    sender: person,
    changes: { body: { from } },
  };
  const byBot = { ...event, sender: { login: "github-actions[bot]", type: "Bot" } };
  const before = world.asked("github");
  for (const other of [byBot, { ...event, action: "labeled" }]) {
    expect((await world.run("upkeep", { eventName: "issues", event: other })).outputs.result).toBe(
      "idle",
    );
  }
  expect(world.asked("github")).toEqual(before);
  const otherIssue = { ...event, issue: { ...dashboard, number: 1 } };
  expect(
    (await world.run("upkeep", { eventName: "issues", event: otherIssue })).outputs.result,
  ).toBe("idle");
  expect(await world.prompts()).toEqual([]);
  const ticked = await world.run("upkeep", { eventName: "issues", event });
  expect(ticked.outputs).toMatchObject({ result: "started", changeCount: "1" });
  // With a person's token, the action's own edits cause the event, too.
  const own = { ...event, issue: { ...dashboard, body: world.dashboard("upkeep").body } };
  const after = world.asked("github");
  const { outputs } = await world.run("upkeep", { eventName: "issues", event: own });
  expect(outputs).toMatchObject({ result: "idle", changes: "[]", finished: "[]" });
  expect(world.asked("github")).toEqual(after);
});

test("a tick that a run has overwritten is found in the event of its edit, and counts once", async () => {
  await using world = await setUpUncertain();
  const from = world.dashboard("upkeep").body;
  await world.tick("upkeep");
  const [issue] = world.dashboards("upkeep");
  const event = {
    action: "edited",
    issue,
    sender: { login: "maintainer", type: "User" },
    changes: { body: { from } },
  };
  // Between the reading and the writing of another run.
  await world.editDashboard("upkeep", { body: from });
  await world.github.land({ title: "Next" });
  expect((await world.run("upkeep")).outputs).toMatchObject({
    changeCount: "1",
    needsDecisionCount: "1",
  });
  await world.passTime();
  const ticked = await world.run("upkeep", { eventName: "issues", event });
  expect(ticked.outputs).toMatchObject({ result: "continued", needsDecisionCount: "0" });
  expect(titlesIn(ticked)).toEqual(["Perhaps"]);
  await world.passTime();
  const again = await world.run("upkeep", { eventName: "issues", event });
  expect(again.outputs).toMatchObject({ changes: "[]", needsDecisionCount: "0" });
});

test("a dashboard that a bot for stale issues closed is opened again with a word, and nothing is paused", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "One" });
  await world.run("upkeep");
  await world.passTime();
  const { home } = world.github;
  home.close(world.issue(await numberOf(world)), "stale[bot]");
  await world.github.land({ title: "Two" });
  const run = await world.run("upkeep");
  expect(run.outputs).toMatchObject({ result: "continued", changeCount: "1" });
  expect(world.dashboard("upkeep")).toMatchObject({
    state: "open",
    body: expect.stringMatching(/`stale\[bot\]` closed this issue on .*Z, and it was opened again/),
  });
  // A person's closing still pauses.
  await world.editDashboard("upkeep", { state: "closed" });
  expect((await world.run("upkeep")).outputs.result).toBe("paused");
  expect(world.dashboard("upkeep").state).toBe("closed");
});

test("a dashboard that GitHub fails to show stops a run, and one that was deleted or converted is replaced", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "One" });
  await world.run("upkeep");
  await world.passTime();
  await world.github.land({ title: "Two" });
  const number = await numberOf(world);
  const route = `GET /repos/acme/docs/issues/${number}`;
  world.on(route, json(502, { message: "Bad gateway" }));
  const failed = await world.run("upkeep");
  expect(failed.outputs.errorKind).toBe("github-unavailable");
  expect(failed.toService).toEqual([]);
  world.restore(route);
  world.github.home.moveIssue(number);
  const run = await world.run("upkeep");
  expect(run.outputs).toMatchObject({ result: "continued", changeCount: "1" });
  expect(run.outputs.dashboardUrl).not.toMatch(new RegExp(`/${number}$`));
  expect(world.dashboard("upkeep").body).toContain("`Two`");
});

test("a dashboard that was transferred is left where it is, and another one is opened", async () => {
  await using world = await setUpUncertain();
  const elsewhere = world.github.emulated.create("acme/elsewhere");
  world.github.home.moveIssue(await numberOf(world), elsewhere);
  const [moved] = elsewhere.issues.values();
  const run = await world.run("upkeep");
  expect(run.outputs).toMatchObject({ result: "idle", needsDecisionCount: "1" });
  expect(world.dashboard("upkeep").body).toContain("`Perhaps`");
  expect(run.outputs.dashboardUrl).toMatch(
    new RegExp(`/acme/docs/issues/${await numberOf(world)}$`),
  );
  expect([...elsewhere.issues.values()]).toEqual([moved]);
});

test("a dashboard that takes no text is a warning, and the changes are handed over", async () => {
  await using world = await setUpUncertain();
  const number = await numberOf(world);
  const { body } = world.dashboard("upkeep");
  world.github.emulated.addFault({
    method: "PATCH",
    path: `/issues/${number}$`,
    status: 403,
    times: 1,
  });
  await world.github.land({ title: "Two" });
  const run = await world.run("upkeep");
  expect(run.exitCode).toBe(0);
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(run.warnings.join()).toContain("The dashboard could not be written");
  expect(world.dashboard("upkeep").body).toBe(body);
  // Boxes are read all the same.
  await world.tick("upkeep", "leave");
  expect((await world.run("upkeep")).outputs).toMatchObject({ needsDecisionCount: "0" });
});
