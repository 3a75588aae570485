import { describe, expect, test } from "vitest";
import { LocalGitHub } from "../../emulator/local-world/local-github.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { type Fault, FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { chance, type RunOptions, runInMemory } from "../../test/support/memory-world/runs.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { parseGateInputs } from "../inputs/gate.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { gate } from "./gate.ts";
import { showError } from "./show.ts";

const INPUTS = { paths: "src/**", "docs-paths": "docs/**" };

interface GroupOptions extends Partial<RunOptions> {
  /** What the gate is given in place of the run's own. */
  dependencies?: (own: Dependencies) => Dependencies;
}

/** A merge queue's group of one pull request, and runs of the gate on it. @param titles of its commits */
function setUp(files: Record<string, string>, titles: readonly string[] = []) {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 3_600_000 }));
  const { github, repository: home } = servers;
  const pull = home.openPull({ commits: [{ files }] });
  const base_sha = home.tip();
  const branch = `gh-readonly-queue/main/pr-${pull.number}-${base_sha}`;
  const commits = [`Add it (#${pull.number})`, ...titles].map((message) => ({ message }));
  const head_sha = home.forcePush(base_sha, branch, commits);
  const merge_group = { head_ref: `refs/heads/${branch}`, base_sha, head_sha };
  const run = async ({ dependencies = (own) => own, ...options }: GroupOptions = {}) => {
    const action = {
      main: async (...[read, context, own]: Parameters<typeof gate>) => {
        await gate(read, context, dependencies(own));
      },
      inputs: INPUTS,
      context: { eventName: "merge_group", payload: { merge_group } },
    };
    return await runInMemory(servers, action, { random: chance(1), ...options });
  };
  const statuses = () =>
    home.statuses.map(({ sha, state, description }) => {
      expect(sha).toBe(head_sha);
      return { state, description };
    });
  const approve = () => new LocalGitHub(github, home).review(pull.number, "APPROVE");
  return { servers, pull, run, statuses, approve };
}

const CODE = { "src/a.ts": "1\n" };
const DOCUMENTED = { ...CODE, "docs/a.md": "1\n" };

describe("a mistake of the action", () => {
  test("is not shown as GitHub's", async () => {
    const { run, statuses, approve } = setUp(CODE);
    await approve();
    const warning = () => {
      throw new TypeError("a mistake");
    };
    const dependencies = (own: Dependencies) => ({ ...own, log: { ...own.log, warning } });
    // Without a key, the gate warns that there is no draft.
    const ran = await run({ dependencies, inputs: { draft: "approved", "api-key": "" } });
    expect(ran).toMatchObject({ errorKind: "internal" });
    expect(statuses()).toEqual([
      { state: "error", description: "could not be judged: unexpected error" },
    ]);
  });

  test("is not hidden if it keeps the status from being set", async () => {
    const context = contextOf("merge_group");
    const values: Record<string, string> = { ...INPUTS, "github-token": "ghs_test" };
    const inputs = parseGateInputs((name) => values[name] ?? "", context);
    const connect = async () => {
      throw new TypeError("another mistake");
    };
    const run = { inputs, context, connect, dependencies: dependenciesOf() };
    await expect(showError("abc", new Error("a mistake"), run)).rejects.toThrow("another mistake");
  });
});

describe("a group that cannot be judged", () => {
  const PULL = /\/pulls\/\d+$/;

  test.each<[Fault, number, string, string]>([
    [{ kind: "refused", status: 403 }, 1, "github-refused", "GitHub refused a request"],
    // The client tries again once.
    [{ kind: "error", status: 500 }, 2, "github-unavailable", "GitHub is unavailable"],
  ])("because of %j has a status that says so", async (fault, times, errorKind, words) => {
    const { requests } = await setUp(DOCUMENTED).run();
    const first = requests.findIndex((request) => PULL.test(request));
    const faults = new Map(Array.from({ length: times }, (_, nth) => [first + nth, fault]));
    const { run, statuses } = setUp(DOCUMENTED);
    expect(await run({ faults })).toMatchObject({ errorKind });
    const description = `could not be judged: ${words}`;
    expect(statuses()).toEqual([{ state: "error", description }]);
  });
});
