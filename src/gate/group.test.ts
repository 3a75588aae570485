import { describe, expect, test } from "vitest";
import { WORKFLOW } from "../../emulator/github/people.ts";
import { LocalGitHub } from "../../emulator/local-world/local-github.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { clientOf } from "../../test/support/github-client.ts";
import { type Fault, FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { chance, type RunOptions, runInMemory } from "../../test/support/memory-world/runs.ts";
import { contextOf } from "../../test/support/run-context.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ABSENT } from "../runtime/fact.ts";
import { gate } from "./gate.ts";
import { GateReader } from "./gate-reader.ts";
import { parseGateInputs } from "./inputs.ts";
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
    const github = await clientOf(() => [500, {}]);
    const run = {
      inputs,
      context,
      connect,
      dependencies: dependenciesOf(),
      reader: new GateReader(github, "acme/code", "docs gate", connect),
      ledgers: async () => ABSENT,
      inTurn: <T>(write: () => Promise<T>) => write(),
    };
    const showing = showError({ type: "group", sha: "abc" }, new Error("a mistake"), run);
    await expect(showing).rejects.toThrow("another mistake");
  });
});

describe("a group that cannot be judged", () => {
  const PULL = /\/graphql$/;

  test.each<[Fault, number, string, string]>([
    [{ kind: "refused", status: 403 }, 1, "github-refused", "GitHub refused a request"],
    // It is asked again.
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

describe("of the pull requests of a group", () => {
  const UNKNOWN = "Fix it (#4711)";

  test("a number in a title that is no pull request is passed over", async () => {
    const { run, statuses } = setUp(DOCUMENTED, [UNKNOWN]);
    expect(await run()).toMatchObject({ errorKind: "", outputs: { verdict: "included" } });
    expect(statuses()).toMatchObject([{ state: "success" }]);
  });

  test("one that is named otherwise must be known", async () => {
    const { requests } = await setUp(DOCUMENTED).run();
    const at = requests.findIndex((request) => request.endsWith("/graphql"));
    const { run, statuses } = setUp(DOCUMENTED);
    const refused = { kind: "refused", status: 404 } as const;
    expect(await run({ faults: new Map([[at, refused]]) })).toMatchObject({
      errorKind: "github-refused",
    });
    expect(statuses()).toMatchObject([{ state: "error" }]);
  });

  test("one that was found by a title must be readable", async () => {
    const { requests } = await setUp(DOCUMENTED, [UNKNOWN]).run();
    const at = requests.findLastIndex((request) => request.endsWith("/graphql"));
    const { run } = setUp(DOCUMENTED, [UNKNOWN]);
    const refused = { kind: "refused", status: 403 } as const;
    const ran = await run({ faults: new Map([[at, refused]]) });
    expect(ran).toMatchObject({ errorKind: "github-refused" });
  });

  test("none is drafted, though it is approved", async () => {
    const { servers, run, statuses, approve } = setUp(CODE);
    await approve();
    const ran = await run({ inputs: { draft: "approved" } });
    expect(ran).toMatchObject({ errorKind: "", outputs: { verdict: "needed" } });
    expect(servers.agent.jobs).toEqual([]);
    expect(statuses()).toMatchObject([{ state: "failure" }]);
  });

  test("none gets a status or a comment of its own", async () => {
    const { servers, run } = setUp(CODE);
    await run();
    // The statuses are those of the group's head.
    expect(servers.repository.statuses).toHaveLength(1);
    expect([...servers.repository.comments.values()]).toEqual([]);
  });
});

describe("with a token that may not write statuses, a group", () => {
  test("has a verdict, and no status", async () => {
    const { servers, run, statuses } = setUp(CODE);
    servers.github.restrict(WORKFLOW, { statuses: "read" });
    const ran = await run();
    expect(ran).toMatchObject({ errorKind: "", outputs: { verdict: "needed" } });
    expect(ran.log).toContainEqual(expect.stringContaining("The step's result shows the verdict"));
    expect(statuses()).toEqual([]);
  });

  test("that cannot be judged has the error of its own, and no status", async () => {
    const { requests } = await setUp(CODE).run();
    const at = requests.findIndex((request) => request.endsWith("/graphql"));
    const { servers, run, statuses } = setUp(CODE);
    servers.github.restrict(WORKFLOW, { statuses: "read" });
    const faults = new Map([
      [at, { kind: "error", status: 500 }],
      [at + 1, { kind: "error", status: 500 }],
      [at + 2, { kind: "error", status: 500 }],
      [at + 3, { kind: "error", status: 500 }],
    ] as const);
    const ran = await run({ faults });
    expect(ran).toMatchObject({ errorKind: "github-unavailable" });
    expect(statuses()).toEqual([]);
  });
});
