import { describe, expect, test } from "vitest";
import { holdRun } from "../../emulator/github/checks.ts";
import { AGENT, WORKFLOW } from "../../emulator/github/people.ts";
import type { Pull } from "../../emulator/github/state.ts";
import {
  checksThatAre,
  type DoctorSetup,
  found,
  setUpDoctor,
  WORKFLOW_FILE,
  WORKFLOW_TEXT,
} from "../support/doctor-setup.ts";

/** A pull request of the agent that the service's list of jobs names. */
async function openDocsPull({ world, home, complete }: DoctorSetup): Promise<Pull> {
  const prompt = "Describe the webhooks.";
  const { service } = world;
  const body = JSON.stringify({ prompt });
  const headers = {
    authorization: `Bearer ${service.adminKey}`,
    "content-type": "application/json",
  };
  const url = `${service.url}/v2/agent/${complete().inputs?.["project-id"]}/job`;
  await fetch(url, { method: "POST", headers, body });
  await service.untilJobsEnd();
  const pull = home.pulls.find(({ author }) => author === AGENT);
  if (pull === undefined) throw new Error("the agent opened no pull request");
  return pull;
}

const check = (name: string, { head }: Pull) => ({ name, head_sha: head, conclusion: "success" });

describe("the agent's pull requests", () => {
  test("on which checks start are fine", async () => {
    await using setup = await setUpDoctor();
    setup.home.report(check("build", await openDocsPull(setup)));
    const result = await setup.doctor();
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "agent-checks")).toMatchObject([{ state: "fine" }]);
  });

  test("on which no checks start, although others have some, are wrong", async () => {
    await using setup = await setUpDoctor();
    await openDocsPull(setup);
    setup.home.report(check("build", setup.home.openPull()));
    const result = await setup.doctor();
    expect(checksThatAre(result, "wrong")).toEqual(["agent-checks"]);
  });

  test("on which no checks start, as on all others, are fine", async () => {
    await using setup = await setUpDoctor();
    await openDocsPull(setup);
    setup.home.openPull();
    expect(found(await setup.doctor(), "agent-checks")).toMatchObject([{ state: "fine" }]);
  });

  test("on which runs wait for an approval are wrong", async () => {
    await using setup = await setUpDoctor();
    const { head } = await openDocsPull(setup);
    holdRun(setup.home, { sha: head, app: WORKFLOW, event: "pull_request" });
    const result = await setup.doctor();
    expect(checksThatAre(result, "wrong")).toEqual(["agent-checks"]);
    expect(found(result, "agent-checks")).toMatchObject([
      { what: expect.stringContaining("wait for somebody's approval") },
    ]);
  });

  test("whose checks the token may not read are unknown", async () => {
    await using setup = await setUpDoctor();
    await openDocsPull(setup);
    await setup.world.github.restrict({ checks: "none" });
    const result = await setup.doctor();
    expect(found(result, "agent-checks")).toMatchObject([{ state: "unknown" }]);
  });

  test("say where the documentation is, if the workflow does not", async () => {
    await using setup = await setUpDoctor({
      service: { projects: [{ id: "acme-docs", repository: "acme/manual" }] },
    });
    const { github } = setup.world;
    const manual = github.emulated.create("acme/manual", { "docs/index.md": "# Manual\n" });
    await openDocsPull({ ...setup, home: manual });
    const result = await setup.doctor();
    expect(found(result, "docs-repository")).toMatchObject([
      { state: "fine", what: expect.stringContaining("acme/manual") },
    ]);
  });
});

describe("a check that the branch requires", () => {
  test("is fine if it is made on pull requests", async () => {
    await using setup = await setUpDoctor();
    setup.home.mergeRule = { checks: ["build", "legal"] };
    const pull = setup.home.openPull();
    setup.home.report(check("build", pull));
    await setup.world.github.api(`/statuses/${pull.head}`, {
      method: "POST",
      body: { state: "success", context: "legal" },
    });
    const result = await setup.doctor();
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "required-checks")).toMatchObject([{ state: "fine" }]);
  });

  test("is wrong if no workflow makes it", async () => {
    await using setup = await setUpDoctor();
    setup.home.mergeRule = { checks: ["build", "biuld"] };
    setup.home.report(check("build", setup.home.openPull()));
    const result = await setup.doctor();
    expect(checksThatAre(result, "wrong")).toEqual(["required-checks"]);
    expect(found(result, "required-checks")).toMatchObject([
      { what: expect.stringMatching(/requires: `biuld`\.$/) },
    ]);
  });

  test("is wrong, too, if a classic branch protection requires it", async () => {
    await using setup = await setUpDoctor();
    setup.home.mergeRule = { checks: ["build", "biuld"], isClassic: true };
    setup.home.report(check("build", setup.home.openPull()));
    const result = await setup.doctor();
    expect(checksThatAre(result, "wrong")).toEqual(["required-checks"]);
  });

  test("is unknown before the first pull request", async () => {
    await using setup = await setUpDoctor();
    setup.home.mergeRule = { checks: ["build"] };
    const result = await setup.doctor();
    expect(found(result, "required-checks")).toMatchObject([{ state: "unknown" }]);
  });
});

describe("a merge queue", () => {
  async function setUpQueue(checks: string[], text = WORKFLOW_TEXT) {
    const setup = await setUpDoctor({ files: { [WORKFLOW_FILE]: text } });
    setup.home.mergeRule = { queue: true, checks };
    for (const name of checks) setup.home.report(check(name, setup.home.openPull()));
    return setup;
  }

  test("whose required checks no workflow makes for it is wrong", async () => {
    await using setup = await setUpQueue(["build"]);
    expect(checksThatAre(await setup.doctor(), "wrong")).toEqual(["merge-queue"]);
  });

  test.each([
    ["without required checks", [], WORKFLOW_TEXT],
    [
      "with a workflow for it",
      ["build"],
      WORKFLOW_TEXT.replace(/^on:\n(?: .*\n)+/m, "on: [push, merge_group]\n"),
    ],
    [
      "with a workflow for it, in a map",
      ["build"],
      WORKFLOW_TEXT.replace("on:", "on:\n  merge_group:"),
    ],
  ])("%s is fine", async (_, checks, text) => {
    await using setup = await setUpQueue(checks, text);
    const result = await setup.doctor();
    expect(checksThatAre(result, "wrong")).toEqual([]);
    expect(found(result, "merge-queue")).toMatchObject([{ state: "fine" }]);
  });

  test("with a workflow that only names it in a comment is wrong", async () => {
    const text = WORKFLOW_TEXT.replace("on:", "on: # merge_group:");
    await using setup = await setUpQueue(["build"], text);
    expect(checksThatAre(await setup.doctor(), "wrong")).toEqual(["merge-queue"]);
  });
});

test("rules that GitHub does not tell are unknown", async () => {
  await using setup = await setUpDoctor();
  setup.world.github.emulated.addFault({ path: "/rules/branches/", status: 404 });
  const result = await setup.doctor();
  expect(checksThatAre(result, "unknown")).toEqual(
    expect.arrayContaining(["required-checks", "merge-queue"]),
  );
});
