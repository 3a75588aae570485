import { describe, expect, test } from "vitest";
import { pullNumber } from "../../src/text/link.ts";
import { filesOf, gateComments, newPullOf, verdictRows } from "../support/world/gate.ts";
import { askByPhrase } from "../support/world/requests.ts";
import { startWorld, type World } from "../support/world/world.ts";

const TEXT = "A text that is moved, and otherwise stays as it is.\n".repeat(20);
const JOBS: Record<string, string> = {
  running: "emulate: duration=10m",
  completed: "Describe it.",
  failed: "emulate: outcome=failed",
  closed: "Describe it.",
};

/** Runs upkeep until its ledger has a docs pull request, and returns the agent's branch. */
async function documentChange(world: World): Promise<string> {
  await world.github.land({ commits: [{ files: { "src/old.ts": "1\n" } }] });
  await world.run("upkeep");
  await world.passTime();
  await world.run("upkeep");
  const docs = world.github.home.pulls.find(({ author }) => author === "docs-agent[bot]");
  return docs?.branch ?? "";
}

describe("the table of verdicts in docs/gate.md", () => {
  test.for(verdictRows().map((row) => [row.text, row] as const))("%s", async ([, row]) => {
    await using world = await startWorld();
    const moved = filesOf(row).filter(({ from, to }) => from !== to);
    for (const { from } of moved) world.github.home.push({ files: { [from]: TEXT } });
    const isByAgent = row.author === "the agent";
    const branch = isByAgent ? { branch: await documentChange(world) } : {};
    const number = await world.github.openPull({ ...newPullOf(row, TEXT), ...branch });
    if (row.job !== "") {
      const wait = row.job === "running" ? "false" : "true";
      const asked = await askByPhrase(world, number, `/docs ${JOBS[row.job]}`, {
        inputs: { wait },
      });
      const closed = pullNumber(asked.outputs.prLink || "https://none.test");
      const close = { method: "PATCH", body: { state: "closed" } };
      if (row.job === "closed") await world.github.api(`/pulls/${closed}`, close);
    }
    const { outputs, exitCode, errors, warnings } = await world.run("gate", { pull: number });
    const isNeeded = row.verdict === "needed";
    expect(outputs).toMatchObject({ verdict: row.verdict });
    expect(exitCode).toBe(0);
    expect(errors).toEqual([]);
    expect(warnings).toHaveLength(isNeeded ? 1 : 0);
    const [status, ...others] = world.statuses(number);
    expect(status).toMatchObject({
      state: isNeeded ? "failure" : "success",
      context: "docs gate",
    });
    expect(others).toEqual([]);
    expect(outputs.errorKind).toBeUndefined();
    const [comment] = gateComments(world, number);
    expect(comment?.url).toBe(row.verdict === "needed" ? outputs.commentUrl : undefined);
    const isDone = row.verdict === "covered" && row.job === "completed";
    const hasLink = isDone || (isNeeded && row.job === "closed");
    expect(outputs.prLink ?? "").toMatch(hasLink ? /\/pull\/\d+$/ : /^$/);
    if (isDone) expect(status?.target_url).toBe(outputs.prLink);
    if (isNeeded) expect(status?.target_url).toBe(comment?.url);
    expect((outputs.jobId ?? "") !== "").toBe(
      row.job !== "" && row.verdict !== "included" && row.verdict !== "not-needed",
    );
  });
});

test("with a token of a member whose membership is private, there is one comment, too", async () => {
  await using world = await startWorld();
  const { github } = world;
  github.home.switches.privateMembers.add("octocat");
  const number = await world.github.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const token = github.tokenOf("octocat");
  const first = await world.run("gate", { pull: number, token });
  await world.github.label(number, "skip-docs");
  const second = await world.run("gate", { pull: number, token });
  expect(second.outputs.commentUrl).toBe(first.outputs.commentUrl);
  const comments = await github.api<object[]>(`/issues/${number}/comments`);
  expect(comments).toMatchObject([{ author_association: "NONE" }]);
});

test("with only-labels, a pull request without one of them needs no documentation", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const inputs = { "only-labels": "needs-docs" };
  const without = await world.run("gate", { pull: number, inputs });
  expect(without.outputs).toMatchObject({ verdict: "not-needed" });
  expect(without.summary).toContain("no label of `only-labels`");
  await world.github.label(number, "needs-docs");
  const labelled = await world.run("gate", { pull: number, inputs });
  expect(labelled.outputs).toMatchObject({ verdict: "needed" });
});

test("one comment explains what to do, and becomes one line when documentation is no longer needed", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const red = await world.run("gate", { pull: number });
  expect(red.summary).toContain("This change needs documentation");
  const [first] = gateComments(world, number);
  expect(first?.body).toContain("a file that matches `docs/**`, `**/*.mdx`, `**/README.md`");
  expect(first?.body).toMatch(/^ {3}\/docs \S/m);
  expect(first?.body).toContain("set the label `skip-docs`");
  await world.github.label(number, "skip-docs");
  const green = await world.run("gate", { pull: number });
  expect(green.outputs).toMatchObject({ verdict: "not-needed", commentUrl: first?.url });
  const [second, ...more] = gateComments(world, number);
  expect(more).toEqual([]);
  expect(second?.id).toBe(first?.id);
  expect(second?.body.split("\n").slice(1)).toEqual([
    "✅ Docs gate: no documentation needed (label `skip-docs`)",
  ]);
});

test.for([
  { fields: {}, head: "acme/docs" },
  { fields: { author: "outsider", forkOwner: "outsider" }, head: "outsider/docs" },
])(
  "the comment links the form that creates a page on the branch of $head",
  async ({ fields, head }) => {
    await using world = await startWorld();
    const commits = [{ files: { "src/a.ts": "1\n" } }];
    const number = await world.github.openPull({ ...fields, commits });
    await world.run("gate", { pull: number });
    const { branch } = world.pull(number);
    const { webUrl } = world.github.home.site;
    const [comment] = gateComments(world, number);
    expect(comment?.body).toContain(
      `[create a page](${webUrl}/${head}/new/${branch}?filename=docs/new-page.md)`,
    );
  },
);

test("an outsider's comment with the gate's mark is not edited", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const { api, tokenOf } = world.github;
  const body = { body: "<!-- docs-agent-gate: -->\nNo docs needed." };
  await api(`/issues/${number}/comments`, { method: "POST", token: tokenOf("outsider"), body });
  await world.run("gate", { pull: number });
  const comments = gateComments(world, number);
  expect(comments.map(({ author }) => author)).toEqual(["outsider", "github-actions[bot]"]);
  expect(comments[0]?.body).toBe(body.body);
});

test("with if-needed: warn, the step succeeds with a warning; with comment: false, there is no comment", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const inputs = { "if-needed": "warn", comment: "false", "docs-paths": "manual/**" };
  const { exitCode, outputs, warnings, summary } = await world.run("gate", {
    pull: number,
    inputs,
  });
  expect({ exitCode, verdict: outputs.verdict }).toEqual({ exitCode: 0, verdict: "needed" });
  expect(warnings).toHaveLength(1);
  expect(summary).toContain("`manual/**`");
  expect(gateComments(world, number)).toEqual([]);
});

test("a run that changes nothing makes at most 5 requests to GitHub and none to the service", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const green = await world.github.openPull({ commits: [{ files: { "docs/a.md": "1\n" } }] });
  const labelled = await world.github.openPull({ labels: ["skip-docs"] });
  await world.run("gate", { pull: number });
  for (const [pull, most, set] of [
    // Its reviews and upkeep's ledger are read for a draft, and its status says the same.
    [number, 5, 0],
    [green, 4, 1],
    [labelled, 3, 1],
  ] as const) {
    const { toGitHub, toService } = await world.run("gate", {
      pull,
      inputs: { draft: "approved" },
    });
    expect(toGitHub.length).toBeLessThanOrEqual(most);
    const writes = toGitHub.filter((request) => !/^GET |^POST \/graphql$/.test(request));
    expect(writes).toEqual(Array(set).fill(expect.stringContaining("/statuses/")));
    expect(toService).toEqual([]);
  }
});

test("ignore-labels, ignore-authors and name are used", async () => {
  await using world = await startWorld();
  const commits = [{ files: { "src/a.ts": "1\n" } }];
  const number = await world.github.openPull({ author: "writer", commits });
  const inputs = { name: "api", "ignore-labels": "no-docs" };
  const red = await world.run("gate", { pull: number, inputs });
  expect(red.outputs).toMatchObject({ verdict: "needed" });
  const [comment] = gateComments(world, number);
  expect(comment?.body).toMatch(/^<!-- docs-agent-gate:api -->[\s\S]*set the label `no-docs`/);
  const green = await world.run("gate", { pull: number, inputs: { "ignore-authors": "Writer" } });
  expect(green.outputs).toMatchObject({ verdict: "not-needed", commentUrl: "" });
  expect(green.summary).toContain("author `writer`");
});

test("github-api-url and github-token are used instead of the runner's", async () => {
  await using world = await startWorld();
  const { github } = world;
  const number = await world.github.openPull({ commits: [{ files: { "src/a.ts": "1\n" } }] });
  const inputs = { "github-token": github.tokenOf("octocat"), "github-api-url": github.url };
  const { outputs } = await world.run("gate", {
    pull: number,
    apiUrl: "http://127.0.0.1:9",
    token: "",
    inputs,
  });
  expect(outputs).toMatchObject({ verdict: "needed" });
  const again = await world.run("gate", { pull: number, token: "", inputs });
  expect(again.outputs.commentUrl).toBe(outputs.commentUrl);
  expect(gateComments(world, number).map(({ author }) => author)).toEqual(["octocat"]);
});

test.each([
  ["src/**", "not-needed"],
  ["scripts/**", "needed"],
])("with `paths: %s`, a change to a script is %s", async (paths, verdict) => {
  await using world = await startWorld();
  const commits = [{ files: { "scripts/build.ts": "1\n" } }];
  const pull = await world.github.openPull({ commits });
  const { outputs } = await world.run("gate", { pull, inputs: { paths } });
  expect(outputs).toMatchObject({ verdict });
});
