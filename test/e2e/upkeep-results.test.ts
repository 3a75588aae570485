import { expect, test } from "vitest";
import { pullNumberOf } from "../support/world/outputs.ts";
import { startWorld } from "../support/world/world.ts";

test("a batch goes to the job of the open docs pull request, or to a new job after it is merged", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "Add retries" });
  const first = await world.run("upkeep");
  expect(first.outputs).toMatchObject({ result: "started", changeCount: "1" });
  await world.passTime();
  await world.github.land({ title: "Rename a flag" });
  const second = await world.run("upkeep");
  expect(second.outputs).toMatchObject({ result: "continued", jobId: first.outputs.jobId });
  const prLink = JSON.parse(second.outputs.finished ?? "")[0].prLink;
  // The result of the earlier batch comes first, in the summary and in the last line of the log.
  expect(second.visible.at(-1)).toBe(
    `Docs upkeep: docs pull request ${prLink} for 1 change, 1 change handed over.`,
  );
  expect(second.summary).toContain(`(${prLink}) for 1 change, 1 change handed over\n`);
  await world.passTime();
  await world.github.merge(pullNumberOf(prLink));
  await world.github.land({ title: "Drop a field" });
  const third = await world.run("upkeep");
  expect(third.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(third.visible.at(-1)).toBe(
    `Docs upkeep: docs pull request ${prLink} merged, 1 change handed over.`,
  );
  expect(third.outputs.jobId).not.toBe(first.outputs.jobId);
  // The agent's own pull request, which was merged, does not count as a change.
  expect(world.dashboard("upkeep").body).toContain("opened by the documentation agent");
});

test("with open-pull-request: new, every batch gets its own job", async () => {
  await using world = await startWorld();
  const inputs = { "open-pull-request": "new" };
  await world.github.land();
  const first = await world.run("upkeep", { inputs });
  await world.passTime();
  await world.github.land();
  const second = await world.run("upkeep", { inputs });
  expect(second.outputs.result).toBe("started");
  expect(second.outputs.jobId).not.toBe(first.outputs.jobId);
});

test("with open-pull-request: hold, changes wait until the docs pull request is closed", async () => {
  await using world = await startWorld();
  const inputs = { "open-pull-request": "hold" };
  await world.github.land();
  await world.run("upkeep", { inputs });
  await world.passTime();
  await world.github.land({ title: "Wait for me" });
  const held = await world.run("upkeep", { inputs });
  expect(held.outputs).toMatchObject({ result: "held", waitingCount: "1", changeCount: "0" });
  expect(world.dashboard("upkeep").body).toMatch(/## Waiting\n\n[^#]*`Wait for me`/);
  const { prLink } = JSON.parse(held.outputs.finished ?? "")[0];
  await world.github.close(pullNumberOf(prLink));
  expect((await world.run("upkeep", { inputs })).outputs).toMatchObject({
    result: "started",
    changeCount: "1",
    waitingCount: "0",
  });
});

test("while the job is running, changes wait, and a run without news writes nothing", async () => {
  await using world = await startWorld({ steering: { durationMs: null } });
  await world.github.land();
  await world.run("upkeep");
  await world.passTime();
  await world.github.land({ title: "Next in line" });
  const busy = await world.run("upkeep");
  expect(busy.outputs).toMatchObject({ result: "busy", waitingCount: "1", finished: "[]" });
  expect(world.dashboard("upkeep").body).toMatch(
    /## In progress[\s\S]*## Waiting\n\n.*`Next in line`/,
  );
  const { outputs, requests } = await world.run("upkeep");
  expect(outputs.result).toBe("busy");
  expect(requests.filter((request) => !/^GET |^POST \/graphql$/.test(request))).toEqual([]);
});

test("a batch that exceeds the service's rate limit is withdrawn, and a later run sends it", async () => {
  await using world = await startWorld({
    service: { faults: [{ route: "v2-create", status: 429, headers: { "retry-after": "600" } }] },
  });
  await world.github.land({ title: "Too many" });
  const limited = await world.run("upkeep");
  expect(limited.exitCode).toBe(0);
  expect(limited.outputs).toMatchObject({ result: "limited", waitingCount: "1", changes: "[]" });
  expect(limited.warnings.join()).toContain("100 uses");
  expect(world.dashboard("upkeep").body).toMatch(/## Waiting\n\n[^#]*`Too many`/);
  // A withdrawn batch does not count for max-jobs-per-day.
  const later = await world.run("upkeep", { inputs: { "max-jobs-per-day": "1" } });
  expect(later.outputs).toMatchObject({ result: "started", changeCount: "1", waitingCount: "0" });
});

test("after max-jobs-per-day jobs in 24 hours, the result is limited and no job is started", async () => {
  await using world = await startWorld();
  const inputs = { "max-jobs-per-day": "1" };
  await world.github.land();
  await world.run("upkeep", { inputs });
  await world.passTime();
  await world.github.land();
  const limited = await world.run("upkeep", { inputs });
  expect(limited.exitCode).toBe(0);
  expect(limited.outputs).toMatchObject({ result: "limited", waitingCount: "1" });
  expect(limited.warnings.join()).toContain("max-jobs-per-day");
  await world.passTime(24 * 3_600_000);
  expect((await world.run("upkeep", { inputs })).outputs.result).toBe("continued");
});

test("a dry run reports what it would send, and writes and starts nothing", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "Only look" });
  const dry = await world.run("upkeep", { inputs: { "dry-run": "true" } });
  expect(dry.exitCode).toBe(0);
  expect(dry.outputs).toMatchObject({ result: "dry-run", changeCount: "0", dashboardUrl: "" });
  expect(dry.summary).toContain("Bring the documentation up to date");
  expect(dry.summary).toContain("Only look");
  expect(dry.visible.join("\n")).toContain("Only look");
  expect(dry.requests.filter((request) => !/^GET |^POST \/graphql$/.test(request))).toEqual([]);
  expect(world.asked("service")).toEqual([]);
});

test("with `dry-run: new`, upkeep and land write nothing as long as there is no ledger, and say who hands over", async () => {
  await using world = await startWorld();
  await world.github.land({ title: "Only look" });
  const inputs = { "dry-run": "new" };
  const byHand = { eventName: "workflow_dispatch", event: {}, inputs };
  for (const action of ["upkeep", "land"] as const) {
    const dry = await world.run(action, byHand);
    expect(dry.exitCode).toBe(0);
    expect(dry.visible.join("\n")).toContain("There is no ledger yet: the next scheduled run");
    expect(dry.summary).toContain("There is no ledger yet: the next scheduled run");
    expect(dry.requests.filter((request) => !/^GET |^POST \/graphql$/.test(request))).toEqual([]);
  }
  expect(world.ledgers()).toEqual([]);
  const scheduled = await world.run("upkeep");
  expect(scheduled.outputs).toMatchObject({ result: "started", changeCount: "1" });
  await world.passTime();
  await world.github.land({ title: "More" });
  const later = await world.run("upkeep", byHand);
  expect(later.outputs).toMatchObject({ result: "continued", changeCount: "1" });
  await world.run("land");
  expect((await world.run("land", byHand)).summary).not.toContain("Dry run");
});

test("a change that is handed over again has the same prompt as the first time", async () => {
  await using world = await startWorld({ steering: { durationMs: 0, outcome: "failed" } });
  await world.github.land({ title: "Add a limit", body: "The limit is 20.", labels: ["feature"] });
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await world.run("upkeep", { inputs: { "include-diff": "true" } });
    await world.passTime();
  }
  const [first = "", second = ""] = await world.prompts();
  for (const part of ["The limit is 20.", "Labels: feature", " (+1 -0)"]) {
    expect(first).toContain(part);
  }
  expect(second).toBe(first);
});
