import { describe, expect, test } from "vitest";
import { AGENT } from "../../emulator/github/people.ts";
import { ADMIN_KEY } from "../../emulator/service/state.ts";
import { json } from "../support/answers.ts";
import { examplesOf } from "../support/webhook-examples.ts";
import { DRAFTS, gateComments } from "../support/world/gate.ts";
import { askByPhrase } from "../support/world/requests.ts";
import { HOUR, MINUTE, startWorld, type World, type WorldRun } from "../support/world/world.ts";

const CODE = [{ files: { "src/retry.ts": "1\n" } }];
/** The options of a run for a fork, which gets no secrets. */
const FORK: WorldRun = { inputs: { "api-key": "", draft: "approved" } };
const READ = {
  pull_requests: "read",
  issues: "read",
  contents: "read",
  statuses: "read",
} as const;

/** The events and actions of GitHub's example payloads. */
const EVENTS = [
  ...["opened", "reopened", "synchronize", "labeled", "unlabeled", "ready_for_review"].map(
    (action) => ["pull_request", action] as const,
  ),
  ["pull_request", "closed"] as const,
  ...["submitted", "dismissed"].map((action) => ["pull_request_review", action] as const),
];

test.for(EVENTS)(
  "on GitHub's example payload of %s, %s, the verdict depends on the current pull request",
  async ([eventName, action]) => {
    await using world = await startWorld();
    // The labels and files in the payload are outdated.
    const number = await world.github.openPull({ commits: CODE });
    for (const example of examplesOf(eventName, action)) {
      const pull_request = { ...(example.pull_request as object), number };
      const event = { ...example, number, pull_request };
      const { outputs, exitCode } = await world.run("gate", { pull: number, eventName, event });
      expect(outputs).toMatchObject({ verdict: "needed" });
      expect(exitCode).toBe(0);
    }
    expect(new Set(world.statuses(number).map(({ state }) => state))).toEqual(new Set(["failure"]));
    expect(gateComments(world, number)).toHaveLength(1);
  },
);

describe("on a merge_group", () => {
  test.for([
    ["documented", "documented", "included"],
    ["documented", "undocumented", "needed"],
    ["undocumented", "documented", "needed"],
  ])("the verdict of a %s and a %s pull request is %s", async ([firstKind, lastKind, verdict]) => {
    await using world = await startWorld();
    const { github } = world;
    const open = (kind = "") => {
      const docs: Record<string, string> =
        kind === "documented" ? { [`docs/${kind}.md`]: "1\n" } : {};
      return world.github.openPull({ commits: [{ files: { "src/a.ts": `${kind}\n`, ...docs } }] });
    };
    const [first, last] = [await open(firstKind), await open(lastKind)];
    const base_sha = github.home.tip();
    const branch = `gh-readonly-queue/main/pr-${last}-${base_sha}`;
    const commits = [`Add one (#${first})`, `Add another (#${last})`, "Fix (#4711)"];
    const head_sha = github.home.forcePush(
      base_sha,
      branch,
      commits.map((message) => ({ message })),
    );
    const [example] = examplesOf("merge_group", "checks_requested");
    const merge_group = { head_ref: `refs/heads/${branch}`, base_sha, head_sha };
    const event = { ...example, merge_group };
    const run = await world.run("gate", { pull: last, ...DRAFTS, eventName: "merge_group", event });
    expect(run.outputs).toMatchObject({ verdict });
    expect(run.summary).toContain(`[pull request #${first}](`);
    expect(run.exitCode).toBe(0);
    const state = verdict === "needed" ? "failure" : "success";
    expect(world.statuses(head_sha)).toMatchObject([{ state, context: "docs gate" }]);
    expect([...world.statuses(first), ...world.statuses(last)]).toEqual([]);
    expect(gateComments(world, first)).toEqual([]);
  });
});

/** A group of a merge queue whose commits are those of two pull requests, the last of which is documented. */
async function groupOfCommits({ github }: World) {
  const { home } = github;
  const base_sha = home.tip();
  const first = await github.openPull({
    commits: [{ message: "Add one", files: { "src/a.ts": "1\n" } }],
  });
  const [pull] = home.pulls;
  const files = { "src/b.ts": "1\n", "docs/b.md": "1\n" };
  const last = await github.openPull({ commits: [{ files }] });
  const branch = `gh-readonly-queue/main/pr-${last}-${base_sha}`;
  home.setRef(`refs/heads/${branch}`, pull?.head ?? "");
  const head_sha = home.push({ message: "Add another", files }, branch);
  const merge_group = { head_ref: `refs/heads/${branch}`, base_sha, head_sha };
  return { first, last, head_sha, event: { action: "checks_requested", merge_group } };
}

test("in a group that is rebased, the pull requests are those of its commits", async () => {
  await using world = await startWorld();
  const { first, last, head_sha, event } = await groupOfCommits(world);
  const { outputs } = await world.run("gate", { pull: last, eventName: "merge_group", event });
  expect(outputs).toMatchObject({ verdict: "needed" });
  expect(world.statuses(head_sha)).toMatchObject([
    {
      state: "failure",
      description: expect.stringMatching(`^needed \\(#${first} of 2 pull requests\\): `),
    },
  ]);
});

test("a group that cannot be judged gets a status too, so that the queue does not wait", async () => {
  await using world = await startWorld();
  const { first, last, head_sha, event } = await groupOfCommits(world);
  world.github.home.switches.unresolvable.add(first);
  const { outputs } = await world.run("gate", { pull: last, eventName: "merge_group", event });
  expect(outputs).toMatchObject({ errorKind: "github-unavailable" });
  expect(world.statuses(head_sha)).toMatchObject([{ state: "error" }]);
});

test("with ledger-ref, the agent's own pull requests are those that this ledger knows", async () => {
  await using world = await startWorld();
  const inputs = { "ledger-ref": "refs/heads/docs-ledger" };
  await world.github.land({ commits: [{ files: { "src/old.ts": "1\n" } }] });
  await world.run("upkeep", { inputs });
  await world.passTime();
  await world.run("upkeep", { inputs });
  const docs = world.github.home.pulls.find(({ author }) => author === AGENT);
  const branch = docs?.branch ?? "";
  const number = await world.github.openPull({ author: AGENT, commits: CODE, branch });
  const ignored = { "ignore-authors": "x" };
  const known = await world.run("gate", { pull: number, inputs: { ...ignored, ...inputs } });
  expect(known.outputs).toMatchObject({ verdict: "not-needed" });
  const unknown = await world.run("gate", { pull: number, inputs: ignored });
  expect(unknown.outputs).toMatchObject({ verdict: "needed" });
});

describe("a pull request from a fork", () => {
  test("on pull_request, the verdict is in the step's result and the summary, and there is no draft", async () => {
    await using world = await startWorld();
    const number = await world.github.openPull({ author: "outsider", commits: CODE });
    await world.github.review(number, "APPROVE");
    await world.github.restrict(READ);
    const { outputs, summary, warnings, exitCode } = await world.run("gate", {
      pull: number,
      ...FORK,
    });
    expect(outputs).toMatchObject({ verdict: "needed", commentUrl: "" });
    expect(exitCode).toBe(1);
    expect(summary).toContain("There is no draft: there is no `api-key`, as in runs for forks.");
    expect(warnings.join("\n")).toContain("The verdict is in the step summary.");
    expect(warnings.join("\n")).toContain("The status could not be set: GitHub returned 403");
    expect(world.statuses(number)).toEqual([]);
    expect(await world.prompts()).toEqual([]);
  });

  test.for([
    ["a bot's status comment makes the verdict covered, without a poll", "", "covered"],
    [
      "a bot's status comment about a failed job does not count",
      "emulate: outcome=failed",
      "needed",
    ],
  ])("on pull_request, %s", async ([, steering, verdict]) => {
    await using world = await startWorld();
    const number = await world.github.openPull({ author: "outsider", commits: CODE });
    await askByPhrase(world, number, `/docs Describe it.\n${steering}`);
    const { outputs, toService } = await world.run("gate", { pull: number, ...FORK });
    expect(outputs).toMatchObject({ verdict });
    expect(toService).toEqual([]);
  });

  test("on pull_request, a status comment by a person does not count", async () => {
    await using world = await startWorld();
    const number = await world.github.openPull({ author: "outsider", commits: CODE });
    await askByPhrase(world, number, "/docs Describe it.");
    const { home } = world.github;
    const statusComment = home.commentsOn(number).find(({ author }) => author.endsWith("[bot]"));
    if (statusComment === undefined) throw new Error("There is no status comment");
    statusComment.author = "outsider";
    expect((await world.run("gate", { pull: number, ...FORK })).outputs).toMatchObject({
      verdict: "needed",
    });
  });
});

test.for([
  ["an invalid pattern", { paths: "src/[" }, /^paths: .*"src\/\["/],
  ["an empty docs-paths", { "docs-paths": " " }, /^docs-paths: an empty value/],
  ["an api-key of two words", { "api-key": "two words" }, /^api-key: its value \(not shown\)/],
  ["a base-url without encryption", { "base-url": "http://api.example" }, /^base-url: "http:/],
  ["an api-key without a project-id", { "project-id": "" }, /^project-id: an empty value/],
  ["a name that cannot be part of a ref", { name: "a b" }, /^name: /],
  ["an unknown value of draft", { draft: "always" }, /never, approved/],
  ["a status-name of two lines", { "status-name": "a\nb" }, /^status-name: /],
] as const)("%s fails with invalid-input", async ([, inputs, message]) => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  const { outputs, exitCode } = await world.run("gate", { pull: number, inputs });
  expect(outputs).toMatchObject({ errorKind: "invalid-input" });
  expect(outputs.errorMessage).toMatch(message);
  expect(exitCode).toBe(1);
});

test("an event without a pull request fails with invalid-input", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  const { outputs } = await world.run("gate", { pull: number, eventName: "push", event: {} });
  expect(outputs).toMatchObject({ errorKind: "invalid-input" });
});

test.for([
  ["the files", ["/compare/", "/files"]],
  ["the pull request", ["/graphql"]],
] as const)(
  "if GitHub does not return %s, the step fails with github-unavailable",
  async ([, paths]) => {
    await using world = await startWorld();
    const number = await world.github.openPull({ commits: CODE });
    for (const path of paths) world.github.emulated.addFault({ status: 502, path, times: 4 });
    const { outputs, exitCode } = await world.run("gate", { pull: number });
    expect(outputs).toMatchObject({ errorKind: "github-unavailable" });
    expect(exitCode).toBe(1);
  },
);

test.for([
  [503, "makes the verdict covered", { verdict: "covered" }],
  // It may be too new.
  [404, "makes the verdict covered", { verdict: "covered" }],
  [401, "fails the step with unauthorized", { errorKind: "unauthorized" }],
] as const)("a job whose poll is answered with %i %s", async ([status, , outputs]) => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  await askByPhrase(world, number, "/docs Describe it.");
  await world.service.addFault({ route: "v2-get", status });
  const run = await world.run("gate", { pull: number });
  expect(run.outputs).toMatchObject(outputs);
  expect(run.exitCode).toBe(status === 401 ? 1 : 0);
});

test("a job that has failed does not cover while the service is unavailable", async () => {
  await using world = await startWorld({ steering: { outcome: "failed" } });
  const number = await world.github.openPull({ commits: CODE });
  await askByPhrase(world, number, "/docs Describe it.");
  await world.service.addFault({ route: "v2-get", status: 503 });
  const run = await world.run("gate", { pull: number });
  expect(run.outputs).toMatchObject({ verdict: "needed" });
  expect(JSON.parse(run.outputs.reason ?? "{}")).toMatchObject({ code: "job-failed" });
});

test("a job that the service does not know for a while covers for 40 minutes, and gets no draft beside it", async () => {
  await using world = await startWorld({
    hasOneClock: true,
    steering: { durationMs: 2 * HOUR, missingMs: HOUR },
  });
  const number = await world.github.openPull({ commits: CODE });
  await world.github.review(number, "APPROVE");
  await askByPhrase(world, number, "/docs Describe it.", { inputs: { wait: "false" } });
  const verdicts: string[] = [];
  for (const time of [5 * MINUTE, 34 * MINUTE, 2 * MINUTE, 20 * MINUTE]) {
    await world.passTime(time);
    const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
    verdicts.push(`${outputs.verdict}: ${JSON.parse(outputs.reason ?? "{}").code}`);
  }
  expect(verdicts).toEqual(["covered: job", "covered: job", "needed: job-unknown", "covered: job"]);
  expect(await world.prompts()).toHaveLength(1);
});

test("a draft whose job the service does not know covers until its ledger says otherwise", async () => {
  await using world = await startWorld({
    hasOneClock: true,
    steering: { durationMs: 2 * HOUR, missingMs: 3 * HOUR },
  });
  const number = await world.github.openPull({ commits: CODE });
  await world.github.review(number, "APPROVE");
  for (const time of [MINUTE, 5 * MINUTE, HOUR]) {
    await world.passTime(time);
    const { outputs } = await world.run("gate", { pull: number, ...DRAFTS });
    expect(outputs).toMatchObject({ verdict: "covered" });
  }
  expect(await world.prompts()).toHaveLength(1);
});

test("after a key rotation, a status comment that the previous key signed still counts", async () => {
  await using world = await startWorld();
  const number = await world.github.openPull({ commits: CODE });
  const inputs = { "api-key": "mint_before" };
  await askByPhrase(world, number, "/docs Describe it.");
  const rotated = { ...inputs, "previous-api-key": ADMIN_KEY };
  world.on("GET service /v2/agent/acme-docs/job/:id", json(503, {}));
  const { outputs } = await world.run("gate", { pull: number, inputs: rotated });
  expect(outputs).toMatchObject({ verdict: "covered" });
  const without = await world.run("gate", { pull: number, inputs });
  expect(without.outputs).toMatchObject({ verdict: "needed" });
});
