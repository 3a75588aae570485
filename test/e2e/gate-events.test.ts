import { describe, expect, test } from "vitest";
import type { RunOptions } from "../../emulator/runner/runner.ts";
import { DRAFTS, setUpGate } from "../support/gate-setup.ts";
import { examplesOf } from "../support/webhook-examples.ts";

const CODE = [{ files: { "src/retry.ts": "1\n" } }];
/** What a run for a fork gets. */
const FORK: RunOptions = { inputs: { "api-key": "", draft: "approved" } };
const READ = { pull_requests: "read", issues: "read", contents: "read" } as const;

/** The events and actions of the examples, as GitHub publishes them. */
const EVENTS = [
  ...["opened", "reopened", "synchronize", "labeled", "unlabeled", "ready_for_review"].map(
    (action) => ["pull_request", action] as const,
  ),
  ...["pull_request", "pull_request_target"].map((name) => [name, "closed"] as const),
  ...["submitted", "dismissed"].map((action) => ["pull_request_review", action] as const),
];

test.for(EVENTS)(
  "GitHub's own example of %s, %s, is judged by what is there now",
  async ([eventName, action]) => {
    await using scene = await setUpGate();
    // The payload tells of labels and files of another time.
    const number = await scene.history.openPull({ commits: CODE });
    const name = eventName.replace("_target", "");
    for (const example of examplesOf(name, action)) {
      const pull_request = { ...(example.pull_request as object), number };
      const event = { ...example, number, pull_request };
      const { outputs, exitCode } = await scene.gate(number, { eventName, event });
      expect(outputs).toMatchObject({ verdict: "needed" });
      expect(exitCode).toBe(1);
    }
    expect(await scene.told(number)).toHaveLength(1);
  },
);

describe("on a merge_group", () => {
  test.for([
    ["documented", "documented", "included"],
    ["documented", "undocumented", "needed"],
    ["undocumented", "documented", "needed"],
  ])("the verdict of a %s and a %s pull request is %s", async ([one, other, verdict]) => {
    await using scene = await setUpGate();
    const { github } = scene.world;
    const open = (kind = "") => {
      const docs: Record<string, string> =
        kind === "documented" ? { [`docs/${kind}.md`]: "1\n" } : {};
      return scene.history.openPull({ commits: [{ files: { "src/a.ts": `${kind}\n`, ...docs } }] });
    };
    const [first, last] = [await open(one), await open(other)];
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
    const run = await scene.gate(last, { ...DRAFTS, eventName: "merge_group", event });
    expect(run.outputs).toMatchObject({ verdict });
    expect(run.summary).toContain(`[pull request #${first}](`);
    expect(await scene.told(first)).toEqual([]);
  });
});

describe("a pull request from a fork", () => {
  test("on pull_request, the verdict is in the check and the summary, and there is no draft", async () => {
    await using scene = await setUpGate();
    const number = await scene.history.openPull({ author: "outsider", commits: CODE });
    await scene.review(number);
    await scene.history.restrict(READ);
    const { outputs, summary, warnings, exitCode } = await scene.gate(number, FORK);
    expect(outputs).toMatchObject({ verdict: "needed", commentUrl: "" });
    expect(exitCode).toBe(1);
    expect(summary).toContain("There is no draft: there is no `api-key`. Secrets are not passed");
    expect(warnings.join("\n")).toContain("The verdict is in the step summary.");
    expect(await scene.prompts()).toEqual([]);
  });

  test.for([
    ["a bot's status comment counts", "", "covered"],
    ["one that tells of a failure does not", "emulate: outcome=failed", "needed"],
  ])("on pull_request, %s", async ([, steering, verdict]) => {
    await using scene = await setUpGate();
    const number = await scene.history.openPull({ author: "outsider", commits: CODE });
    await scene.say(number, `/docs Describe it.\n${steering}`);
    const polls = (await scene.world.service.requests()).length;
    const { outputs } = await scene.gate(number, FORK);
    expect(outputs).toMatchObject({ verdict });
    expect((await scene.world.service.requests()).length).toBe(polls);
  });

  test("on pull_request, a person's copy of a status comment counts for nothing", async () => {
    await using scene = await setUpGate();
    const number = await scene.history.openPull({ author: "outsider", commits: CODE });
    await scene.say(number, "/docs Describe it.");
    const { home } = scene.world.github;
    const own = home.commentsOn(number).find(({ author }) => author.endsWith("[bot]"));
    expect(own).toBeDefined();
    Object.assign(own ?? {}, { author: "outsider" });
    expect((await scene.gate(number, FORK)).outputs).toMatchObject({ verdict: "needed" });
  });

  test("on pull_request_target, it has a comment and a draft", async () => {
    await using scene = await setUpGate();
    const number = await scene.history.openPull({ author: "outsider", commits: CODE });
    await scene.gate(number, { ...DRAFTS, eventName: "pull_request_target" });
    expect(await scene.told(number)).toHaveLength(1);
    await scene.review(number);
    const { outputs } = await scene.gate(number, { ...DRAFTS, eventName: "pull_request_target" });
    expect(outputs).toMatchObject({ verdict: "covered" });
  });
});

test.for([
  ["a pattern that is none", { paths: "src/[" }, /^paths: .*"src\/\["/],
  ["no pattern for the documentation", { "docs-paths": " " }, /^docs-paths: an empty value/],
  ["a key without a project", { "project-id": "" }, /^project-id: an empty value/],
  ["a name that is no part of a ref", { name: "a b" }, /^name: /],
  ["another word for drafts", { draft: "always" }, /never, approved/],
] as const)("%s is an invalid input", async ([, inputs, message]) => {
  await using scene = await setUpGate();
  const number = await scene.history.openPull({ commits: CODE });
  const { outputs, exitCode } = await scene.gate(number, { inputs });
  expect(outputs).toMatchObject({ errorKind: "invalid-input" });
  expect(outputs.errorMessage).toMatch(message);
  expect(exitCode).toBe(1);
});

test("an event without a pull request is an invalid input", async () => {
  await using scene = await setUpGate();
  const number = await scene.history.openPull({ commits: CODE });
  const { outputs } = await scene.gate(number, { eventName: "push", event: {} });
  expect(outputs).toMatchObject({ errorKind: "invalid-input" });
});

test.for([
  ["the files", "/files"],
  ["the comments", "/comments"],
] as const)("when GitHub does not show %s, the step fails and says so", async ([, path]) => {
  await using scene = await setUpGate();
  const number = await scene.history.openPull({ commits: CODE });
  scene.world.github.emulated.addFault({ status: 502, path, times: 3 });
  const { outputs, exitCode } = await scene.gate(number);
  expect(outputs).toMatchObject({ errorKind: "github-unavailable" });
  expect(exitCode).toBe(1);
});

test.for([
  [503, "counts, with a warning", { verdict: "covered" }],
  [404, "may be too new, and counts", { verdict: "covered" }],
  [401, "fails the step", { errorKind: "unauthorized" }],
] as const)("a job whose poll is answered %i %s", async ([status, , outputs]) => {
  await using scene = await setUpGate();
  const number = await scene.history.openPull({ commits: CODE });
  await scene.say(number, "/docs Describe it.");
  await scene.world.service.addFault({ route: "v2-get", status });
  const run = await scene.gate(number);
  expect(run.outputs).toMatchObject(outputs);
  expect(run.exitCode).toBe(status === 401 ? 1 : 0);
});
