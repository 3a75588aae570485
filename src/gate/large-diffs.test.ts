import { expect, test } from "vitest";
import { LocalGitHub } from "../../emulator/local-world/local-github.ts";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { chance, runInMemory } from "../../test/support/memory-world/runs.ts";
import type { Payload } from "../github/trigger/run-context.ts";
import { gate } from "./gate.ts";

/** A pull request whose diff is too large for GitHub, and runs of the gate. */
function setUp(body = "") {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 3_600_000 }));
  const { github, repository: home } = servers;
  const pull = home.openPull({ body, commits: [{ files: { "src/retry.ts": "1\n" } }] });
  const tooLarge = () => void home.switches.huge.add(pull.head);
  const run = async (payload: Payload = { pull_request: { number: pull.number } }) => {
    const inputs = { "docs-paths": "docs/**", "ignore-labels": "skip-docs", draft: "approved" };
    const eventName = payload.merge_group === undefined ? "pull_request" : "merge_group";
    const context = { eventName, payload, repository: REPOSITORY };
    const main = async (...args: Parameters<typeof gate>) => void (await gate(...args));
    return await runInMemory(servers, { main, inputs, context }, { random: chance(1) });
  };
  const approve = () => new LocalGitHub(github, home).review(pull.number, "APPROVE");
  return { servers, home, pull, tooLarge, run, approve };
}

test("without its files, a pull request is not called undocumented, and no draft is requested", async () => {
  const { servers, home, tooLarge, run, approve } = setUp();
  tooLarge();
  await approve();
  const { errorKind, outputs } = await run();
  expect(errorKind).toBe("github-unavailable");
  expect(outputs.errorMessage).toMatch(/^GitHub does not list the files of pull request #1\. Run/);
  expect(outputs.errorMessage).toContain("set the label skip-docs, or say why");
  expect(home.statuses).toEqual([]);
  expect(servers.agent.jobs).toEqual([]);
});

test("without its files, a person's word excuses it", async () => {
  const { tooLarge, run } = setUp("docs: none, it only moves generated files");
  tooLarge();
  expect(await run()).toMatchObject({ errorKind: "", outputs: { verdict: "excused" } });
});

test("without its files, a draft covers it that was requested before", async () => {
  const { tooLarge, run, approve } = setUp();
  await approve();
  await run();
  tooLarge();
  expect(await run()).toMatchObject({ errorKind: "", outputs: { verdict: "covered" } });
});

test("the commits of a merge queue's group are known without their diff", async () => {
  const { home, pull, tooLarge, run } = setUp("docs: none, it only moves generated files");
  tooLarge();
  const other = home.openPull({ commits: [{ files: { "docs/a.md": "1\n" } }] });
  const base_sha = home.tip();
  const branch = `gh-readonly-queue/main/pr-${other.number}-${base_sha}`;
  const messages = [`Move (#${pull.number})`, `Describe (#${other.number})`];
  const head_sha = home.forcePush(
    base_sha,
    branch,
    messages.map((message) => ({ message })),
  );
  home.switches.huge.add(head_sha);
  const group = { head_ref: `refs/heads/${branch}`, base_sha, head_sha };
  const { errorKind, outputs } = await run({ merge_group: group });
  expect({ errorKind, verdict: outputs.verdict }).toEqual({ errorKind: "", verdict: "excused" });
});
