import { describe, expect, test } from "vitest";
import { filesOf, type GateSetup, pullOf, setUpGate, verdictRows } from "../support/gate-setup.ts";

const TEXT = "A text that is moved, and otherwise stays as it is.\n".repeat(20);
const JOBS: Record<string, string> = {
  running: "emulate: duration=10m",
  completed: "Describe it.",
  failed: "emulate: outcome=failed",
};

/** A branch of the agent that upkeep's ledger knows. */
async function knowAgent({ history, upkeep, world }: GateSetup): Promise<string> {
  await history.land({ commits: [{ files: { "src/old.ts": "1\n" } }] });
  await upkeep();
  await history.advance(60_000);
  await upkeep();
  const docs = world.github.home.pulls.find(({ author }) => author === "docs-agent[bot]");
  return docs?.branch ?? "";
}

describe("the table of verdicts in docs/gate.md", () => {
  test.for(verdictRows().map((row) => [row.text, row] as const))("%s", async ([, row]) => {
    await using scene = await setUpGate();
    const moved = filesOf(row).filter(({ from, to }) => from !== to);
    for (const { from } of moved) scene.history.home.push({ files: { [from]: TEXT } });
    const isAgents = row.author === "the agent";
    const own = isAgents ? { branch: `${await knowAgent(scene)}-2` } : {};
    const number = await scene.history.openPull({ ...pullOf(row, TEXT), ...own });
    if (row.job !== "") {
      const wait = row.job === "running" ? "false" : "true";
      await scene.say(number, `/docs ${JOBS[row.job]}`, { inputs: { wait } });
    }
    const { outputs, exitCode, errors } = await scene.gate(number);
    expect(outputs).toMatchObject({ verdict: row.verdict });
    expect(exitCode).toBe(row.verdict === "needed" ? 1 : 0);
    expect(errors).toHaveLength(row.verdict === "needed" ? 1 : 0);
    expect(outputs.errorKind).toBeUndefined();
    const [comment] = await scene.told(number);
    expect(comment?.html_url).toBe(row.verdict === "needed" ? outputs.commentUrl : undefined);
    const isDone = row.verdict === "covered" && row.job === "completed";
    expect(outputs.prLink ?? "").toMatch(isDone ? /\/pull\/\d+$/ : /^$/);
    expect((outputs.jobId ?? "") !== "").toBe(
      row.job !== "" && row.verdict !== "included" && row.verdict !== "not-needed",
    );
  });
});

test("one comment says what to do, and is one line once nothing has to be done", async () => {
  await using scene = await setUpGate();
  const number = await scene.history.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const red = await scene.gate(number);
  expect(red.summary).toContain("Docs gate: documentation needed");
  const [first] = await scene.told(number);
  expect(first?.body).toContain("a file that matches `**/*.md`, `**/*.mdx`, `docs/**`");
  expect(first?.body).toMatch(/^ {3}\/docs \S/m);
  expect(first?.body).toContain("set the label `skip-docs`");
  await scene.history.label(number, "skip-docs");
  const green = await scene.gate(number);
  expect(green.outputs).toMatchObject({ verdict: "not-needed", commentUrl: first?.html_url });
  const [second, ...more] = await scene.told(number);
  expect(more).toEqual([]);
  expect(second?.id).toBe(first?.id);
  expect(second?.body.split("\n").slice(1)).toEqual([
    "✅ Docs gate: no documentation needed (`label skip-docs`)",
  ]);
});

test("a mark in an outsider's comment is nobody's comment", async () => {
  await using scene = await setUpGate();
  const number = await scene.history.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const { api, tokenOf } = scene.world.github;
  const body = { body: "<!-- docs-agent-gate: -->\nNo docs needed." };
  await api(`/issues/${number}/comments`, { method: "POST", token: tokenOf("outsider"), body });
  await scene.gate(number);
  const said = await scene.told(number);
  expect(said.map(({ user }) => user.login)).toEqual(["outsider", "github-actions[bot]"]);
  expect(said[0]?.body).toBe(body.body);
});

test("with if-needed: warn the step succeeds with a warning, and comment: false writes none", async () => {
  await using scene = await setUpGate();
  const number = await scene.history.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const inputs = { "if-needed": "warn", comment: "false", "docs-paths": "manual/**" };
  const { exitCode, outputs, warnings, summary } = await scene.gate(number, { inputs });
  expect({ exitCode, verdict: outputs.verdict }).toEqual({ exitCode: 0, verdict: "needed" });
  expect(warnings).toHaveLength(1);
  expect(summary).toContain("`manual/**`");
  expect(await scene.told(number)).toEqual([]);
});

test("a run that changes nothing makes at most 4 requests to GitHub, and none to the service", async () => {
  await using scene = await setUpGate();
  const { github, service } = scene.world;
  const number = await scene.history.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const green = await scene.history.openPull({ commits: [{ files: { "docs/a.md": "1\n" } }] });
  const labelled = await scene.history.openPull({ labels: ["skip-docs"] });
  await scene.gate(number);
  const ofApi = async () =>
    (await github.requests()).filter(({ path }) => path.startsWith("/repos/"));
  const asked = (await service.requests()).length;
  for (const [one, most] of [
    [number, 4],
    [green, 3],
    [labelled, 2],
  ] as const) {
    const before = (await ofApi()).length;
    await scene.gate(one, { inputs: { draft: "approved" } });
    const made = (await ofApi()).slice(before);
    expect(made.length).toBeLessThanOrEqual(most);
    expect(made.every(({ method }) => method === "GET")).toBe(true);
  }
  expect((await service.requests()).length).toBe(asked);
});

test("ignore-labels, ignore-authors and name are the workflow's own", async () => {
  await using scene = await setUpGate();
  const commits = [{ files: { "src/a.ts": "1\n" } }];
  const number = await scene.history.openPull({ author: "writer", commits });
  const inputs = { name: "api", "ignore-labels": "no-docs" };
  const red = await scene.gate(number, { inputs });
  expect(red.outputs).toMatchObject({ verdict: "needed" });
  const [comment] = await scene.told(number);
  expect(comment?.body).toMatch(/^<!-- docs-agent-gate:api -->[\s\S]*set the label `no-docs`/);
  const green = await scene.gate(number, { inputs: { "ignore-authors": "Writer" } });
  expect(green.outputs).toMatchObject({ verdict: "not-needed", commentUrl: "" });
  expect(green.summary).toContain("author writer");
});

test("another GitHub, and another token, are the workflow's own", async () => {
  await using scene = await setUpGate();
  const { github } = scene.world;
  const number = await scene.history.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const inputs = { "github-token": github.tokenOf("octocat"), "github-api-url": github.url };
  const { outputs } = await scene.gate(number, { apiUrl: "http://127.0.0.1:9", token: "", inputs });
  expect(outputs).toMatchObject({ verdict: "needed" });
  const again = await scene.gate(number);
  expect(again.outputs.commentUrl).toBe(outputs.commentUrl);
  expect((await scene.told(number)).map(({ user }) => user.login)).toEqual(["octocat"]);
});
