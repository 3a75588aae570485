import { expect, test } from "vitest";
import { tokenOf } from "../../emulator/github/people.ts";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { chance, type RunOptions, runInMemory } from "../../test/support/memory-world/runs.ts";
import { gate } from "./gate.ts";

/** A pull request with code, and runs of the gate on it. */
function setUp({ author = "writer", body = "" } = {}) {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 1 }));
  const commits = [{ files: { "src/retry.ts": "1\n" } }];
  const { number } = servers.repository.openPull({ author, body, commits });
  const say = (login: string, text: string) => {
    const posted = servers.github.handle({
      method: "POST",
      path: `/repos/${REPOSITORY}/issues/${number}/comments`,
      headers: { authorization: `Bearer ${tokenOf(login)}` },
      body: JSON.stringify({ body: text }),
    });
    expect(posted.status).toBe(201);
  };
  const action = {
    main: async (...args: Parameters<typeof gate>) => {
      await gate(...args);
    },
    inputs: { paths: "src/**", "docs-paths": "docs/**" },
    context: { eventName: "pull_request", payload: { pull_request: { number } } },
  };
  const run = (options: Partial<RunOptions> = {}) =>
    runInMemory(servers, action, { random: chance(1), ...options });
  const status = () => servers.repository.statuses.at(-1);
  return { servers, say, run, status };
}

test.each([
  ["docs: none, only tests change", "only tests change"],
  ["Fixes a typo.\r\n\r\nDocs: None,   internal\r\nThanks!", "internal"],
])("the description %j excuses with the reason %j", async (body, reason) => {
  const { run, status } = setUp({ body });
  expect(await run()).toMatchObject({ outputs: { verdict: "excused" } });
  expect(status()).toMatchObject({ state: "success", description: `excused by writer: ${reason}` });
});

test.each([
  ["without a reason", "docs: none"],
  ["with an empty reason", "docs: none, \n\nMore."],
  ["in the middle of a line", "It has docs: none, as I said"],
  ["in a quotation", "> docs: none, really"],
  ["in a code block", "```\ndocs: none, really\n```"],
  ["in a comment that readers do not see", "<!--\ndocs: none, really\n-->"],
])("a line %s does not excuse", async (_, body) => {
  const { run, status } = setUp({ body });
  expect(await run()).toMatchObject({ outputs: { verdict: "needed" } });
  expect(status()).toMatchObject({ state: "failure" });
});

test.each([
  ["maintainer", "excused"],
  ["writer", "excused"],
  ["triager", "needed"],
  ["outsider", "needed"],
  ["github-actions[bot]", "needed"],
])("a comment by %s makes the verdict %s", async (login, verdict) => {
  const { run, say } = setUp({ author: "outsider", body: "docs: none, I say so" });
  say(login, "docs: none, only tests change");
  const { outputs, log } = await run();
  expect(outputs).toMatchObject({ verdict });
  const summary = log.join("\n");
  if (verdict === "needed") {
    expect(summary).toContain("A line `docs: none, …` does not count: `outsider` has");
  }
});

test("a permission that cannot be read is an error, and no verdict", async () => {
  const { requests } = await setUp({ body: "docs: none, tests" }).run();
  const at = requests.findIndex((request) => request.endsWith("/writer/permission"));
  const { run, status } = setUp({ body: "docs: none, tests" });
  const faults = new Map(
    [0, 1, 2, 3].map((n) => [at + n, { kind: "error", status: 503 } as const]),
  );
  const ran = await run({ faults });
  expect(ran).toMatchObject({ errorKind: "github-unavailable" });
  expect(status()).toBeUndefined();
});
