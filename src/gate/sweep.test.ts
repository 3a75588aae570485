import { describe, expect, test } from "vitest";
import { WORKFLOW } from "../../emulator/github/people.ts";
import type { Pull } from "../../emulator/github/state.ts";
import { REPOSITORY } from "../../emulator/local-world/memory-servers.ts";
import { largeTest } from "../../test/support/large-test.ts";
import { type Fault, FaultyServers } from "../../test/support/memory-world/faulty-servers.ts";
import { chance, type RunOptions, runInMemory } from "../../test/support/memory-world/runs.ts";
import { jobMarkers } from "../github/conversation/job-marker.ts";
import { ExchangeError } from "../net/exchange.ts";
import { gate } from "./gate.ts";

const HOUR = 3_600_000;
const STOPPED = new ExchangeError("sent", "stopped", "the run was cancelled");
const MISTAKE = new TypeError("x is not a function");
const STATUS = "/statuses/";
const CREATE = new URL("https://service.test/v2/agent/docs/job");

/** Open pull requests, and runs on a schedule. @param docs whether they contain their documentation */
function setUp(count: number, docs = false) {
  const servers = new FaultyServers(() => ({ outcome: "completed", takes: 1_000 * HOUR }));
  const pulls = Array.from({ length: count }, (_, nth) => {
    const files = docs
      ? { "src/a.ts": `${nth}\n`, "docs/a.md": "1\n" }
      : { "src/a.ts": `${nth}\n` };
    return servers.repository.openPull({ commits: [{ files }] });
  });
  let cancel = () => {};
  const action = {
    main: async (...args: Parameters<typeof gate>) => {
      cancel = () => args[2].cancellation.cancel();
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
  return {
    servers,
    action,
    run,
    cancel: () => cancel(),
    numbers: pulls.map(({ number }) => number),
  };
}

/** Asks for the documentation of a pull request, as the root action does. */
function askFor(servers: FaultyServers, { number }: Pull): void {
  servers.exchange({ method: "POST", url: CREATE, body: JSON.stringify({ prompt: "Docs." }) });
  const job = servers.agent.jobs.at(-1)?.id ?? "";
  const place = { repository: REPOSITORY, issue: number };
  const comment = servers.repository.comment({ number }, "", WORKFLOW);
  const facts = { job, api: "v2", request: "accepted", ended: null } as const;
  const marker = { ...facts, run: "1", attempt: 1, step: "docs", asks: job };
  const body = jobMarkers(["mint_test"], "docs").write(place, marker, comment.id);
  servers.repository.setComment(comment, body);
}

largeTest("of more open pull requests than one run judges, each gets its turn", async () => {
  const { run, numbers } = setUp(120);
  const seen = new Set<number>();
  const first = await run();
  expect(first.requests.length).toBeLessThanOrEqual(200);
  expect(first.numbers.length).toBeGreaterThan(60);
  for (const number of first.numbers) seen.add(number);
  for (const number of (await run()).numbers) seen.add(number);
  expect([...seen].toSorted((one, other) => one - other)).toEqual(numbers);
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

test("one that was closed since it was listed gets no status", async () => {
  const { run, servers } = setUp(2);
  const [first, second] = servers.repository.pulls;
  if (first === undefined) throw new Error("there is one");
  let asked = 0;
  const onRequest: RunOptions["onRequest"] = ({ url }) => {
    if (url.pathname.endsWith("/graphql")) asked += 1;
    if (asked === 2) servers.repository.close(first);
  };
  const ran = await run({ onRequest });
  expect(ran).toMatchObject({ errorKind: "", numbers: [second?.number] });
});

test("a status that would say the same is not set again, also after a change", async () => {
  const { run, servers, numbers } = setUp(1, true);
  expect((await run()).numbers).toEqual(numbers);
  const [pull] = servers.repository.pulls;
  if (pull === undefined) throw new Error("there is one");
  servers.now += HOUR;
  servers.repository.change(pull, { labels: ["other"] });
  expect((await run()).numbers).toEqual([]);
});

test("on workflow_dispatch, those whose status is final are judged, too", async () => {
  const { run, servers, action } = setUp(1, true);
  await run();
  const dispatched = { ...action, context: { ...action.context, eventName: "workflow_dispatch" } };
  const { outputs } = await runInMemory(servers, dispatched, { random: chance(1) });
  expect(outputs).toMatchObject({ verdict: "included" });
  expect(servers.repository.statuses).toHaveLength(1);
});

test("a token that may not write statuses ends the run at the first pull requests", async () => {
  const { numbers, requests, ...ran } = await runWith(12, STATUS, () => 403);
  expect(ran).toMatchObject({
    errorKind: "github-refused",
    outputs: { errorMessage: ran.message },
  });
  expect(ran.message).toMatch(/^The status could not be set: .*`statuses: write`/);
  expect(requests.filter((request) => request.includes(STATUS))).toHaveLength(10);
});

test("a key that is refused is the error of the run, and keeps no other pull request from its status", async () => {
  const { run, servers, numbers } = setUp(3);
  for (const pull of servers.repository.pulls.slice(0, 2)) askFor(servers, pull);
  const ran = await run(refusing(isPoll, () => 401));
  expect(ran).toMatchObject({ errorKind: "unauthorized", outputs: { verdict: "needed" } });
  expect(ran.numbers).toEqual(numbers);
  const states = servers.repository.statuses.map(({ state }) => state);
  expect(states).toEqual(["error", "error", "failure"]);
});

test("the summary is a list, also of a single pull request", async () => {
  const { log } = await setUp(1).run();
  expect(log.join("\n")).toContain("summary: ### ❌ Docs gate: 1 of 1 pull request needs doc");
});

const isPoll = (url: URL) => url.pathname.includes("/job/");
const UNAVAILABLE = "The next run tries again.";
const LASTING = "The next run fails, too, unless the cause is removed.";

/** Refuses requests for some addresses. @param statusOf by their number among those, from 0; null for as it should */
function refusing(
  matches: (url: URL) => boolean,
  statusOf: (nth: number) => Refused | null,
): Partial<RunOptions> {
  const faults = new Map<number, Fault>();
  let nth = 0;
  return {
    faults,
    onRequest: ({ url }, at) => {
      if (!matches(url)) return;
      const status = statusOf(nth);
      nth += 1;
      if (status !== null) faults.set(at, { kind: "refused", status });
    },
  };
}

/** Runs in which GitHub answers each request for a part of a path with a status. */
async function runWith(count: number, part: string, statusOf: (nth: number) => Refused | null) {
  const { run, numbers } = setUp(count);
  const ran = await run(refusing((url) => url.pathname.includes(part), statusOf));
  const { errorMessage: message = "" } = ran.outputs;
  return { ...ran, message, all: numbers };
}

type Refused = Extract<Fault, { kind: "refused" }>["status"];

describe("of pull requests that cannot be judged", () => {
  test("three in a row end the run", async () => {
    const { numbers, message } = await runWith(12, "/compare/", () => 403);
    expect(numbers).toEqual([]);
    // They are judged ten at a time.
    expect(message).toContain("10 pull requests could not be judged, for example #");
  });

  test("three that get no further status do not", async () => {
    const { numbers, all, message } = await runWith(5, STATUS, (nth) => (nth < 3 ? 422 : null));
    expect(numbers).toEqual(all.slice(3));
    expect(message).toMatch(/^3 pull requests could not be judged, .*: GitHub returned 422: /);
  });

  test.each<[string, string, Refused, string, string]>([
    ["are all refused, that", "/compare/", 403, "github-refused", LASTING],
    ["get no further status, that", STATUS, 422, "github-refused", LASTING],
    ["are all limited, that", "/compare/", 429, "github-unavailable", UNAVAILABLE],
  ])("if they %s is the kind", async (_, part, status, errorKind, advice) => {
    const { message, ...ran } = await runWith(2, part, () => status);
    expect(ran).toMatchObject({ errorKind });
    expect(message).toContain(`2 pull requests could not be judged`);
    expect(message).toContain(advice);
  });

  test("those whose polls the service redirects do not end the run, which has their kind", async () => {
    const { run, servers, numbers } = setUp(5);
    for (const pull of servers.repository.pulls.slice(0, 4)) askFor(servers, pull);
    const { numbers: set, ...ran } = await run(refusing(isPoll, () => 307));
    expect(ran.errorKind).toBe("invalid-response");
    expect(set).toEqual(numbers.slice(4));
    expect(ran.outputs.errorMessage).toMatch(/^4 pull requests could not be judged, /);
    expect(ran.outputs.errorMessage).toContain(LASTING);
  });

  test("if none may be judged later, though for different causes, the kind is that of the first", async () => {
    const { run, servers } = setUp(2);
    const [first] = servers.repository.pulls;
    if (first === undefined) throw new Error("there is one");
    askFor(servers, first);
    const matches = (url: URL) => isPoll(url) || url.pathname.includes(STATUS);
    const ran = await run(refusing(matches, (nth) => (nth === 0 ? 307 : 422)));
    expect(ran.errorKind).toBe("invalid-response");
    expect(ran.outputs.errorMessage).toMatch(/^2 pull requests could not be judged, /);
    expect(ran.outputs.errorMessage).toContain(LASTING);
  });

  test("if some may be judged later, that is the kind", async () => {
    const { message, ...ran } = await runWith(2, STATUS, (nth) => (nth === 0 ? 422 : 429));
    expect(ran).toMatchObject({ errorKind: "github-unavailable" });
    expect(message).toContain(UNAVAILABLE);
  });
});

describe("after a signal", () => {
  test.each<[string, string, Error, string]>([
    ["a list that was interrupted", "/graphql", STOPPED, "cancelled"],
    ["a read that was interrupted", "/compare/", STOPPED, "cancelled"],
    ["a status that was interrupted", STATUS, STOPPED, "cancelled"],
    ["a mistake of ours in a list", "/graphql", MISTAKE, "internal"],
    ["a mistake of ours in a read", "/compare/", MISTAKE, "internal"],
  ])("%s ends the run as it should", async (_, part, error, errorKind) => {
    const { run, cancel } = setUp(2);
    const onRequest: RunOptions["onRequest"] = ({ url }) => {
      if (!url.pathname.includes(part)) return;
      cancel();
      throw error;
    };
    expect(await run({ onRequest })).toMatchObject({ errorKind });
  });

  test("a key that is refused is the error of the run", async () => {
    const { run, servers, cancel } = setUp(2);
    for (const pull of servers.repository.pulls) askFor(servers, pull);
    const isPollAtSignal = (url: URL) => {
      if (isPoll(url)) cancel();
      return isPoll(url);
    };
    expect(await run(refusing(isPollAtSignal, () => 401))).toMatchObject({
      errorKind: "unauthorized",
    });
  });
});
