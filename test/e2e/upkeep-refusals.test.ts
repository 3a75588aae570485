import { expect, test } from "vitest";
import { refusedUrl } from "../support/connections.ts";
import { someOf } from "../support/sample.ts";
import { setUpUpkeep } from "../support/upkeep-setup.ts";

test("without the permission to open the dashboard nothing is sent, and the message names it", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  await scene.history.restrict({ issues: "read", pull_requests: "read", contents: "read" });
  const refused = await scene.run();
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("github-unavailable");
  expect(refused.outputs.errorMessage).toContain("issues: write");
  expect(await scene.world.service.requests()).toEqual([]);
});

test("without the permission to write a claim nothing is sent, and a later run sends it", async () => {
  await using scene = await setUpUpkeep();
  await scene.run();
  await scene.history.land();
  await scene.history.restrict({ issues: "read", pull_requests: "read", contents: "read" });
  const refused = await scene.run();
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("github-unavailable");
  expect(refused.outputs.errorMessage).toContain("issues: write");
  expect(refused.outputs.dashboardUrl).toContain("/issues/");
  expect(await scene.world.service.requests()).toEqual([]);
  await scene.history.restrict({});
  expect((await scene.run()).outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("without the permission to read pull requests nothing is sent, and the message names it", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  await scene.history.restrict({ issues: "write", pull_requests: "none", contents: "read" });
  const refused = await scene.run();
  expect(refused.outputs.errorKind).toBe("github-unavailable");
  expect(refused.outputs.errorMessage).toContain("pull-requests: read");
  expect(await scene.world.service.requests()).toEqual([]);
});

test("a repository with issues disabled has no dashboard, and nothing is sent", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  await scene.history.setIssues(false);
  const refused = await scene.run();
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("github-unavailable");
  expect(refused.outputs.errorMessage).toContain("issues");
  expect(await scene.world.service.requests()).toEqual([]);
});

test.each(
  someOf([
    ["dashboard", "999", "there is no such issue"],
    ["repositories", "acme/nothing", "repositories: acme/nothing does not exist"],
    ["repositories", "acme/docs@nowhere", "repositories: acme/docs has no branch nowhere"],
    ["repositories", "just-a-name", "repositories:"],
    ["repositories", "acme/docs\nacme/docs", "list each branch once"],
    ["paths", "src/[", "paths:"],
    ["since", "last week", "since:"],
    ["since", "2999-01-01", "a time in the past"],
    ["since", "v0.0.0-nowhere", "since: acme/docs has no commit or tag v0.0.0-nowhere"],
    ["max-changes", "0", "max-changes:"],
    ["max-attempts", "many", "max-attempts:"],
    ["prompt-file", "nothing.md", "prompt-file:"],
  ]),
)("%s: %j is refused before anything is sent", async (name, value, words) => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  const refused = await scene.run({ inputs: { [name]: value } });
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("invalid-input");
  expect(refused.outputs.errorMessage).toContain(words);
  expect(await scene.world.service.requests()).toEqual([]);
});

test("a pull request is no dashboard", async () => {
  await using scene = await setUpUpkeep();
  const number = await scene.history.openPull();
  const refused = await scene.run({ inputs: { dashboard: String(number) } });
  expect(refused.outputs.errorKind).toBe("invalid-input");
  expect(refused.outputs.errorMessage).toContain("it is a pull request");
});

test("an issue given by its number becomes the dashboard", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  const inputs = { dashboard: "1" };
  const run = await scene.run({ inputs });
  expect(run.outputs).toMatchObject({ result: "started", changeCount: "1" });
  expect(run.outputs.dashboardUrl).toMatch(/\/issues\/1$/);
  expect(await scene.dashboards()).toEqual([]);
  expect((await scene.run({ inputs })).outputs.changeCount).toBe("0");
});

test("a dashboard that another key signed stops the run", async () => {
  const rotated = "mint_rotated_key";
  await using scene = await setUpUpkeep({
    service: { keys: [{ secret: "mint_local_admin_key" }, { secret: rotated }] },
  });
  await scene.history.land();
  await scene.run();
  await scene.history.land();
  const before = (await scene.world.service.requests()).length;
  const refused = await scene.run({ inputs: { "api-key": rotated } });
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("invalid-input");
  expect(refused.outputs.errorMessage).toContain("previous-api-key");
  expect(await scene.world.service.requests()).toHaveLength(before);
});

test.each(
  someOf([
    ["an emptied body", () => ""],
    ["a body without its marker", () => "Somebody wrote this."],
    [
      "a body whose marker was altered",
      (body: string) => body.replace(/docs-agent:..../, "docs-agent:AAAA"),
    ],
    [
      "an edited text",
      (body: string) => body.replace("1 of 1 change covered", "9 of 9 changes covered"),
    ],
  ]),
)("%s is rebuilt from the thread, and nothing is sent twice", async (_, edit) => {
  await using scene = await setUpUpkeep();
  await scene.history.land({ title: "Once only" });
  await scene.run();
  await scene.passTime();
  await scene.run();
  const body = await scene.body();
  expect(body).toContain("1 of 1 change covered");
  await scene.editDashboard({ body: edit(body) });
  const run = await scene.run();
  expect(run.errors).toEqual([]);
  expect(run.outputs).toMatchObject({ result: "idle", changeCount: "0" });
  expect(await scene.body()).toContain("1 of 1 change covered");
  expect(await scene.prompts()).toHaveLength(1);
});

test.each(
  someOf([
    [401, "unauthorized"],
    [403, "forbidden"],
    [400, "bad-request"],
    [404, "not-found"],
  ]),
)(
  "a request that the service refuses with %i fails the step, and the changes wait",
  async (status, kind) => {
    await using scene = await setUpUpkeep({
      service: { faults: [{ route: "v2-create", status }] },
    });
    await scene.history.land({ title: "Still there" });
    const refused = await scene.run();
    expect(refused.exitCode).toBe(1);
    expect(refused.outputs).toMatchObject({ errorKind: kind, changes: "[]", waitingCount: "1" });
    expect(refused.outputs.result).toBe("");
    expect(await scene.body()).toMatch(/## Waiting\n\n.*`Still there`/);
    expect((await scene.comments()).join()).toContain("withdrawn");
    const later = await scene.run();
    expect(later.outputs).toMatchObject({ result: "started", changeCount: "1", waitingCount: "0" });
  },
);

test("a key that the service refuses for polls fails the step, and the batch is finished later", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  await scene.run();
  await scene.passTime();
  await scene.world.service.addFault({ route: "v2-get", status: 401 });
  const refused = await scene.run();
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("unauthorized");
  const later = await scene.run();
  expect(JSON.parse(later.outputs.finished ?? "")).toHaveLength(1);
});

test("a service that cannot be reached fails the step, and the changes go out with the next run", async () => {
  await using scene = await setUpUpkeep();
  await scene.history.land();
  const inputs = { "base-url": await refusedUrl() };
  const refused = await scene.run({ inputs, fastClock: 20 });
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs).toMatchObject({ errorKind: "service-unavailable", waitingCount: "1" });
  expect((await scene.run()).outputs).toMatchObject({ result: "started", changeCount: "1" });
});

test("an answer that is none of the service's fails the step, and nothing is sent twice", async () => {
  await using scene = await setUpUpkeep({
    service: { faults: [{ route: "v2-create", status: 302 }] },
  });
  await scene.history.land();
  const refused = await scene.run();
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("invalid-response");
  await scene.run();
  expect(await scene.prompts()).toHaveLength(1);
});
