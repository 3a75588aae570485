import { expect, test } from "vitest";
import { someOf } from "../support/sample.ts";
import { startWorld } from "../support/world/world.ts";

test.each(
  someOf([
    ["name", "../main", "name:"],
    ["ledger-ref", "main", "ledger-ref:"],
    ["after", "tag", "after:"],
    ["release-tag", "v*", "only together with after: release"],
    ["job-deadline-hours", "0", "job-deadline-hours:"],
    ["repositories", "just-a-name", "repositories:"],
    ["repositories", "acme/docs\nacme/docs", "list each branch once"],
    ["paths", "src/[", "paths:"],
    ["since", "last week", "since:"],
    ["since", "2999-01-01", "a time in the past"],
    ["since", "v0.0.0-nowhere", "since: acme/docs has no commit or tag"],
    ["max-changes", "0", "max-changes:"],
    ["max-attempts", "many", "max-attempts:"],
    ["prompt-file", "nothing.md", "prompt-file:"],
  ]),
)("%s: %j fails with invalid-input before anything is sent", async (name, value, words) => {
  await using world = await startWorld();
  await world.github.land();
  const refused = await world.run("upkeep", { inputs: { [name]: value } });
  expect(refused.exitCode).toBe(1);
  expect(refused.outputs.errorKind).toBe("invalid-input");
  expect(refused.outputs.errorMessage).toContain(words);
  expect(world.received("service")).toEqual([]);
});

test("one error reports an invalid key, project and address of the service, and nothing is sent", async () => {
  await using world = await startWorld();
  const inputs = {
    "api-key": "two words",
    "project-id": "..",
    "base-url": "http://api.example",
  };
  const { exitCode, outputs } = await world.run("upkeep", { inputs });
  expect(exitCode).toBe(1);
  expect(outputs.errorKind).toBe("invalid-input");
  for (const name of Object.keys(inputs)) expect(outputs.errorMessage).toContain(`${name}: `);
  expect(world.received("service")).toEqual([]);
});

test("unknown repositories and branches fail the step, and changes of the others are handed over", async () => {
  await using world = await startWorld();
  await world.github.land();
  const repositories = "acme/docs\nacme/nothing\nacme/docs@nowhere";
  const { exitCode, outputs } = await world.run("upkeep", { inputs: { repositories, since: "" } });
  expect(exitCode).toBe(1);
  expect(outputs).toMatchObject({ errorKind: "github-refused", result: "started" });
  expect(outputs.errorMessage).toContain("acme/nothing could not be read: GitHub returned 404");
  expect(outputs.errorMessage).toContain(
    "acme/docs@nowhere could not be read: it has no branch nowhere",
  );
});

test.each(
  someOf([
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not-found"],
  ]),
)(
  "a request that the service refuses with %i fails the step, and the next run sends the changes",
  async (status, kind) => {
    await using world = await startWorld({
      service: { faults: [{ route: "v2-create", status }] },
    });
    await world.github.land({ title: "Still there" });
    const refused = await world.run("upkeep");
    expect(refused.exitCode).toBe(1);
    expect(refused.outputs).toMatchObject({ errorKind: kind, changes: "[]", waitingCount: "1" });
    expect(refused.outputs.result).toBe("");
    // The dashboard is opened after the key and the project were accepted.
    expect(world.dashboards("upkeep")).toHaveLength(0);
    expect(world.ledger("upkeep").log).toContain("Withdraw #2");
    const later = await world.run("upkeep");
    expect(later.outputs).toMatchObject({ result: "started", changeCount: "1", waitingCount: "0" });
  },
);
