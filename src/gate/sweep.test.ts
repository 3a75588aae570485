import { expect, test } from "vitest";
import { FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { chance, type RunOptions, runInMemory } from "../../test/support/memory-world/runs.ts";
import { gate } from "./gate.ts";
import { MOST_OPEN } from "./subjects.ts";

const HOUR = 3_600_000;

/** Open pull requests, and runs on a schedule. @param docs whether they contain their documentation */
function setUp(count: number, docs = false) {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 1 }));
  const pulls = Array.from({ length: count }, (_, nth) => {
    const files = docs
      ? { "src/a.ts": `${nth}\n`, "docs/a.md": "1\n" }
      : { "src/a.ts": `${nth}\n` };
    return servers.repository.openPull({ commits: [{ files }] });
  });
  const action = {
    main: async (...args: Parameters<typeof gate>) => {
      await gate(...args);
    },
    inputs: { paths: "src/**", "docs-paths": "docs/**", comment: "false" },
    context: { eventName: "schedule", payload: {} },
  };
  /** @returns the numbers of the pull requests that the run set the status of */
  const run = async (options: Partial<RunOptions> = {}) => {
    servers.now += HOUR;
    const before = servers.repository.statuses.length;
    const ran = await runInMemory(servers, action, { random: chance(1), ...options });
    const set = servers.repository.statuses.slice(before);
    const numbers = set.map(({ sha }) => pulls.find(({ head }) => head === sha)?.number ?? 0);
    return { ...ran, numbers };
  };
  return { servers, run, numbers: pulls.map(({ number }) => number) };
}

test("of more open pull requests than one run judges, each gets its turn", async () => {
  const { run, numbers } = setUp(2 * MOST_OPEN + 1);
  expect((await run()).numbers).toEqual(numbers.slice(0, MOST_OPEN));
  expect((await run()).numbers).toEqual(numbers.slice(MOST_OPEN, 2 * MOST_OPEN));
  const third = [...numbers.slice(-1), ...numbers.slice(0, MOST_OPEN - 1)];
  expect((await run()).numbers).toEqual(third);
});

test("a status that says the same is not set again, and one that is final is not judged again", async () => {
  const needed = setUp(2);
  expect((await needed.run()).numbers).toEqual(needed.numbers);
  const again = await needed.run();
  expect(again).toMatchObject({ numbers: [], outputs: { verdict: "needed" } });
  const included = setUp(2, true);
  expect((await included.run()).numbers).toEqual(included.numbers);
  const { requests, numbers } = await included.run();
  expect({ numbers, requests }).toEqual({
    numbers: [],
    requests: ["POST api.github.test/graphql"],
  });
});

test("after a push, the new head gets a status", async () => {
  const { run, servers, numbers } = setUp(1);
  await run();
  const [pull] = servers.repository.pulls;
  servers.repository.push({ files: { "docs/a.md": "1\n" } }, pull?.branch);
  expect((await run()).numbers).toEqual(numbers);
  expect(servers.repository.statuses.at(-1)).toMatchObject({ sha: pull?.head, state: "success" });
});

test("three pull requests in a row that cannot be judged end the run", async () => {
  const { run, numbers } = setUp(5);
  const { requests } = await setUp(5).run();
  const refused = { kind: "refused", status: 404 } as const;
  const faults = new Map(requests.map((_, at) => [at + 1, refused]));
  const ran = await run({ faults });
  expect(ran).toMatchObject({ errorKind: "github-unavailable", numbers: [] });
  expect(ran.requests).toHaveLength(4);
  expect(ran.log.join("\n")).toContain(
    `3 pull requests could not be judged, for example #${numbers[0]}`,
  );
});
