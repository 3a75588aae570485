import { describe, expect, test } from "vitest";
import { WORKFLOW } from "../../emulator/github/people.ts";
import { LocalGitHub } from "../../emulator/local-world/local-github.ts";
import { FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { chance, runInMemory } from "../../test/support/memory-world/runs.ts";
import { gate } from "./gate.ts";

const NO_STATUSES = { statuses: "read" } as const;

/** The payloads of events on the pull request of a number. */
const PAYLOADS = {
  pull_request: (number: number) => ({ pull_request: { number } }),
  issue_comment: (number: number) => ({ issue: { number, pull_request: {} } }),
  schedule: () => ({}),
};

/** A pull request without documentation, and runs of the gate on it. */
function setUp(eventName: keyof typeof PAYLOADS = "pull_request") {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 3_600_000 }));
  const { github, repository: home } = servers;
  const pull = home.openPull({ commits: [{ files: { "src/retry.ts": "1\n" } }] });
  const run = async (inputs: Record<string, string> = {}) => {
    let isFailed = false;
    const main = async (...args: Parameters<typeof gate>) => {
      isFailed = await gate(...args);
    };
    const payload = PAYLOADS[eventName](pull.number);
    const all = { paths: "src/**", "docs-paths": "docs/**", ...inputs };
    const action = { main, inputs: all, context: { eventName, payload } };
    const { errorKind, outputs, log } = await runInMemory(servers, action, { random: chance(1) });
    const warnings = log.filter((line) => line.startsWith("warning: "));
    return { errorKind, isFailed, verdict: outputs.verdict, warnings };
  };
  const comments = () => [...home.comments.values()].map(({ body }) => body);
  const review = (event: "APPROVE" | "COMMENT") =>
    new LocalGitHub(github, home).review(pull.number, event);
  return { servers, home, pull, run, comments, review };
}

describe("the verdict", () => {
  test("is the status, and the step is green", async () => {
    const { home, run } = setUp();
    expect(await run()).toMatchObject({ verdict: "needed", isFailed: false });
    expect(home.statuses).toMatchObject([{ state: "failure" }]);
  });

  test("is the step's result, with a warning, if the token may not write statuses", async () => {
    const { servers, home, run } = setUp();
    servers.github.restrict(WORKFLOW, NO_STATUSES);
    const { isFailed, warnings } = await run({ comment: "false" });
    expect(isFailed).toBe(true);
    expect(warnings[0]).toMatch(
      /`statuses: write`. The step's result shows the verdict instead\.$/,
    );
    const warned = await run({ comment: "false", "if-needed": "warn" });
    expect(warned).toMatchObject({ isFailed: false });
    expect(home.statuses).toEqual([]);
  });

  test.each(["schedule", "issue_comment"] as const)(
    "cannot be shown on %s if the token may not write statuses",
    async (eventName) => {
      const { servers, run } = setUp(eventName);
      servers.github.restrict(WORKFLOW, NO_STATUSES);
      expect(await run({ comment: "false" })).toMatchObject({ errorKind: "github-refused" });
    },
  );

  test("on a pull request that was closed has neither status nor comment", async () => {
    const { home, pull, run, comments } = setUp();
    home.close(pull);
    expect(await run()).toMatchObject({ verdict: "not-needed", isFailed: false });
    expect(home.statuses).toEqual([]);
    expect(comments()).toEqual([]);
  });
});

describe("the comment", () => {
  test("is written if documentation is needed, and brought up to date once it is there", async () => {
    const { home, pull, run, comments } = setUp();
    await run();
    expect(comments()).toEqual([expect.stringContaining("❌ This change needs documentation")]);
    home.push({ files: { "docs/a.md": "1\n" } }, pull.branch);
    await run();
    expect(comments()).toEqual([expect.stringContaining("✅ Docs gate: documentation included")]);
  });

  test("is not written if nobody has to act, or with comment: false", async () => {
    const { home, pull, run, comments } = setUp();
    await run({ comment: "false" });
    home.push({ files: { "docs/a.md": "1\n" } }, pull.branch);
    expect(await run()).toMatchObject({ verdict: "included" });
    expect(comments()).toEqual([]);
  });
});

test("a comment that may not be written is a warning, and the verdict is shown", async () => {
  const { servers, home, run, comments } = setUp();
  servers.github.restrict(WORKFLOW, { pull_requests: "read", issues: "read" });
  const { warnings, ...ran } = await run();
  expect(ran).toMatchObject({ errorKind: "", verdict: "needed" });
  expect(warnings[0]).toMatch(
    /The comment could not be written: .*`pull-requests: write`.* The verdict is in the step summary\.$/,
  );
  expect(home.statuses).toMatchObject([{ state: "failure" }]);
  expect(comments()).toEqual([]);
});

test("the comment on a pull request that was closed stays as it was", async () => {
  const { home, pull, run, comments } = setUp();
  await run();
  const before = comments();
  home.close(pull);
  await run();
  expect(comments()).toEqual(before);
});

describe("a draft", () => {
  test.each<[string, ("APPROVE" | "COMMENT")[], Record<string, string>, string, number]>([
    ["is requested once it is approved", ["APPROVE"], {}, "covered", 1],
    ["is not requested before", [], {}, "needed", 0],
    ["is not requested for a comment", ["COMMENT"], {}, "needed", 0],
    ["is not requested with draft: never", ["APPROVE"], { draft: "never" }, "needed", 0],
    ["is not requested without a key", ["APPROVE"], { "api-key": "" }, "needed", 0],
  ])("%s", async (_, events, inputs, verdict, jobs) => {
    const { servers, run, review } = setUp();
    for (const event of events) await review(event);
    expect(await run({ draft: "approved", ...inputs })).toMatchObject({ verdict });
    expect(servers.agent.jobs).toHaveLength(jobs);
  });

  test("that cannot be requested without a key is a note in the comment", async () => {
    const { run, review, comments } = setUp();
    await run({ draft: "approved", "api-key": "" });
    expect(comments()[0]).not.toContain("There is no draft");
    await review("APPROVE");
    const { warnings } = await run({ draft: "approved", "api-key": "" });
    expect(warnings[0]).toContain(
      "There is no draft: there is no `api-key`, as in runs for forks.",
    );
    expect(comments()[0]).toContain(
      "There is no draft: there is no `api-key`, as in runs for forks.",
    );
  });
});
