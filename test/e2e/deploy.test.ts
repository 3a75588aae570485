import { expect, test } from "vitest";
import { readActionMetadata } from "../../emulator/runner/prepare-step.ts";
import { REPOSITORY_ROOT } from "../../emulator/runner/runner.ts";
import { UPDATE } from "../support/world/builds.ts";
import { startWorld } from "../support/world/world.ts";

test("after a push, the documentation is built, and GitHub shows the deployment", async () => {
  await using world = await startWorld();
  const { github } = world;
  const result = await world.run("deploy", { inputs: { url: "https://docs.acme.example" } });
  expect(result.errors).toEqual([]);
  expect(result.warnings).toEqual([]);
  expect(result.exitCode).toBe(0);
  const [deployment, ...others] = world.deployments();
  expect(others).toEqual([]);
  expect(deployment).toMatchObject({
    sha: github.home.tip(),
    environment: "docs",
    isTransient: false,
    last: { state: "success", environment_url: "https://docs.acme.example/" },
  });
  expect(deployment?.states[0]).toBe("queued");
  expect(deployment?.last?.log_url).toContain("/actions/runs/");
  expect(result.outputs).toMatchObject({
    status: "success",
    url: "https://docs.acme.example/",
    commit: github.home.tip(),
    logs: expect.stringContaining("Build succeeded"),
    deploymentId: String(deployment?.id),
  });
  expect(result.summary).toContain("### ✅ Docs deployment: deployed");
  const started = result.requests.filter((request) => request.startsWith("POST service "));
  expect(started).toEqual([UPDATE]);
  expect(String(world.received(UPDATE)[0]?.body)).toBe("");
  const { outputs } = readActionMetadata(`${REPOSITORY_ROOT}/deploy`);
  expect(outputs).toEqual(expect.arrayContaining(Object.keys(result.outputs)));
});

test("a preview of a pull request is a transient deployment on its head, with its address", async () => {
  await using world = await startWorld();
  const { github } = world;
  const number = await github.openPull({ commits: [{ files: { "docs/a.md": "# A\n" } }] });
  const result = await world.run("deploy", { pull: number });
  expect(result.errors).toEqual([]);
  expect(result.exitCode).toBe(0);
  const [deployment] = world.deployments();
  const pull = await github.api<{ head: { sha: string } }>(`/pulls/${number}`);
  expect(deployment).toMatchObject({
    sha: pull.head.sha,
    environment: "docs-preview",
    isTransient: true,
    last: { state: "success", environment_url: result.outputs.url },
  });
  const page = await fetch(result.outputs.url ?? "");
  expect(await page.text()).toContain("# A");
  expect(world.comments(number)).toEqual([]);
});

test("a failed build fails the step, with the end of its log", async () => {
  await using world = await startWorld({ steering: { build: "stuck" } });
  const result = await world.run("deploy");
  expect(result.exitCode).toBe(1);
  expect(result.outputs).toMatchObject({ status: "failure", errorKind: "build-failed" });
  expect(result.errors).toEqual([expect.stringContaining("unexpected end of a component")]);
  expect(result.summary).toContain("unexpected end of a component");
  expect(world.deployments().map(({ last }) => last?.state)).toEqual(["failure"]);
});

test("a branch that is behind is not merged, and a red check keeps no deployment from being made", async () => {
  await using world = await startWorld();
  const { github } = world;
  const number = await github.openPull({ commits: [{ files: { "docs/a.md": "# A\n" } }] });
  await github.report(number, { conclusion: "failure" });
  github.home.push();
  const { head } = await github.api<{ head: { sha: string } }>(`/pulls/${number}`);
  const result = await world.run("deploy", { pull: number });
  expect(result.warnings).toEqual([]);
  expect(world.deployments()).toMatchObject([{ sha: head.sha, last: { state: "success" } }]);
  expect(await github.api(`/pulls/${number}`)).toMatchObject({ head: { sha: head.sha } });
});
