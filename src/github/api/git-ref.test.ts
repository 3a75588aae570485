import { describe, expect, test } from "vitest";
import { GitHub } from "../../../emulator/github/github.ts";
import { lagOfAll } from "../../../emulator/github/lag.ts";
import { json } from "../../../test/support/answers.ts";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { connectClient, connectEmulated } from "../../../test/support/github-client.ts";
import { Cancellation } from "../../runtime/cancellation.ts";
import { GitRef } from "./git-ref.ts";

class Unavailable extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}
const MESSAGES = {
  unavailable: (reason: string) => new Unavailable(reason),
  repeating: "The notes are written again",
  ifRefused: "Name another ref",
};
const NAME = "refs/docs-agent/upkeep/1a2b3c4d5e6f";
const NOW = Date.parse("2026-05-01T10:00:00Z");

/** A ref of a repository in memory, and another run's view of it. */
function setUp() {
  let now = NOW;
  const github = new GitHub(() => now);
  const repository = github.create("acme/code");
  const client = connectEmulated(github);
  const delays: number[] = [];
  const sleep = async (delay: number) => void delays.push(delay);
  const dependencies = dependenciesOf({ clock: { now: () => 0, timeOfDay: () => 0, sleep } });
  const [ref, other] = [0, 1].map(
    () => new GitRef("acme/code", NAME, client.connect, dependencies, MESSAGES),
  );
  if (ref === undefined || other === undefined) throw new Error("there are two");
  const commit = (parent: string | null, text: string) =>
    ref.commit(parent, { "ledger.json": text }, text);
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  const tip = () => repository.refs.get(NAME) ?? null;
  return { github, repository, ref, other, commit, pass, tip, delays, ...client };
}

test("a ref that is not there is read with GitHub's time, in an empty repository too", async () => {
  const { github, ref } = setUp();
  expect(await ref.readRef()).toEqual({ sha: null, now: NOW });
  github.addFault({ status: 409, message: "Git Repository is empty." });
  expect(await ref.readRef()).toEqual({ sha: null, now: NOW });
});

test("files are written on top of those of the parent, and GitHub names author and date", async () => {
  const { repository, ref, commit } = setUp();
  const first = await commit(null, "1");
  const sha = await ref.commit(first, { "history/2026-05.jsonl": "\uFEFFline\n" }, "Two");
  expect(repository.find(sha)).toMatchObject({ parents: [first], message: "Two", at: NOW });
  expect(await ref.readFile(sha, "ledger.json")).toBe("1");
  expect(await ref.readFile(sha, "history/2026-05.jsonl")).toBe("\uFEFFline\n");
  expect(await ref.readFile(sha, "no.md")).toBeNull();
  expect(await ref.readFile("f".repeat(40), "ledger.json")).toBeNull();
  expect(await ref.readFile(null, "README.md")).toBe("# code\n");
});

test("where GitHub takes no commit for a tree, the tree is read first", async () => {
  const { github, ref, commit, asked } = setUp();
  const first = await commit(null, "1");
  const message = "base_tree is not a valid tree oid";
  github.addFault({ method: "POST", path: "/git/trees", status: 422, message });
  const made = await ref.commit(first, { "more.json": "{}" }, "Two");
  expect(asked.slice(-4).map((line) => line.replace(/\/[0-9a-f]{40}$/, "/SHA"))).toEqual([
    "POST /repos/acme/code/git/trees",
    "GET /repos/acme/code/git/commits/SHA",
    "POST /repos/acme/code/git/trees",
    "POST /repos/acme/code/git/commits",
  ]);
  expect(await ref.readFile(made, "ledger.json")).toBe("1");
  github.addFault({ method: "POST", path: "/git/trees", status: 422, message: "Bad tree" });
  await expect(ref.commit(first, {}, "Three")).rejects.toThrow(Unavailable);
});

describe("of two that move the ref from the same commit, the first has won", () => {
  test("when it is made", async () => {
    const { ref, other, commit, tip } = setUp();
    const [winner, loser] = [await commit(null, "1"), await commit(null, "2")];
    expect(await ref.move(null, winner)).toEqual({ type: "moved" });
    expect(await other.move(null, loser)).toMatchObject({ type: "refused", isRace: true });
    expect(tip()).toBe(winner);
  });

  test("when it goes on, also after a read from an old copy", async () => {
    const { github, ref, other, commit, pass, tip } = setUp();
    const first = await commit(null, "1");
    await ref.move(null, first);
    pass(60_000);
    const [winner, loser] = [await commit(first, "one"), await commit(first, "two")];
    expect(await ref.move(first, winner)).toEqual({ type: "moved" });
    github.lag = lagOfAll(30_000);
    expect(await other.readRef()).toMatchObject({ sha: first });
    expect(await other.move(first, loser)).toMatchObject({ type: "refused", isRace: true });
    expect(tip()).toBe(winner);
  });

  test("and a ref that was deleted meanwhile is not made again", async () => {
    const { repository, ref, commit, tip } = setUp();
    const first = await commit(null, "1");
    await ref.move(null, first);
    repository.setRef(NAME, null);
    const next = await commit(first, "2");
    expect(await ref.move(first, next)).toMatchObject({ type: "refused", isRace: true });
    expect(tip()).toBeNull();
  });
});

test("a move whose answer is lost may have been made", async () => {
  const { github, ref, commit, tip, loseNext } = setUp();
  const first = await commit(null, "1");
  loseNext("POST");
  expect(await ref.move(null, first)).toMatchObject({ type: "unanswered" });
  expect(tip()).toBe(first);
  github.addFault({ method: "PATCH", status: 502 });
  expect(await ref.move(first, first)).toMatchObject({ type: "unanswered" });
});

test("a rule that refuses the ref is no race, and its words come with the way around it", async () => {
  const { repository, ref, commit } = setUp();
  repository.protectedRefs = "^refs/docs-agent/";
  const moved = await ref.move(null, await commit(null, "1"));
  expect(moved).toMatchObject({ type: "refused", isRace: false });
  expect(JSON.stringify(moved)).toMatch(/rule violations found.*docs-agent.*Name another ref/);
});

test.each<[status: number, headers: Record<string, string>, reason: string, delay?: number]>([
  [403, {}, "the permission `contents: "],
  [401, {}, "`github-token` is invalid"],
  [500, {}, "GitHub returned 500"],
  [403, { "retry-after": "90" }, "rate limit is exceeded", 90_000],
  [429, {}, "rate limit is exceeded", 60_000],
])(
  "what GitHub refuses with %i %j is reported: %s",
  async (status, headers, reason, delay = 1_000) => {
    const { github, ref, commit, delays } = setUp();
    const first = await commit(null, "1");
    github.addFault({ status, headers, times: 99 });
    const refused = { reason: expect.stringContaining(reason) };
    await expect(ref.readFile(first, "ledger.json")).rejects.toMatchObject(refused);
    await expect(ref.commit(first, { a: "b" }, "Two")).rejects.toMatchObject(refused);
    await expect(ref.contains(first, first)).rejects.toMatchObject(refused);
    await expect(ref.readRef()).rejects.toMatchObject(refused);
    expect(await ref.pause(1)).toBe(true);
    expect(delays).toEqual([delay]);
    const moved = { type: status === 500 ? "unanswered" : "refused", ...refused };
    expect(await ref.move(first, first)).toMatchObject(moved);
  },
);

test("a commit is in the ref or it is not; two first commits have nothing in common", async () => {
  const { ref, commit } = setUp();
  const [first, lone] = [await commit(null, "1"), await commit(null, "2")];
  const [second, aside] = [await commit(first, "3"), await commit(first, "4")];
  for (const [head, sha, contains] of [
    [second, first, true],
    [second, second, true],
    [first, second, false],
    [second, aside, false],
    [second, lone, false],
  ] as const) {
    expect(await ref.contains(head, sha)).toBe(contains);
  }
});

test("the refs of other ledgers are listed", async () => {
  const { ref, commit, repository } = setUp();
  const first = await commit(null, "1");
  await ref.move(null, first);
  repository.setRef("refs/docs-agent/queue/0", first);
  expect(await ref.listRefs("docs-agent/")).toEqual([
    { ref: "refs/docs-agent/queue/0", sha: first },
    { ref: NAME, sha: first },
  ]);
});

test.each([{}, { date: "soon" }])(
  "a ref without GitHub's time cannot be read: %j",
  async (headers) => {
    const { server, connect } = connectClient();
    server.on(`GET /repos/acme/code/git/${NAME.replace("refs/", "ref/")}`, json(200, REF, headers));
    const ref = new GitRef("acme/code", NAME, connect, dependenciesOf(), MESSAGES);
    const reason = "GitHub's response has no valid date";
    await expect(ref.readRef()).rejects.toMatchObject({ reason });
  },
);

const REF = { object: { sha: "a".repeat(40) } };

/** A ref whose pauses advance the clock. */
function setUpPauses() {
  let now = 0;
  const delays: number[] = [];
  const sleep = async (delay: number) => {
    delays.push(delay);
    now += delay;
  };
  const cancellation = new Cancellation();
  const clock = { now: () => now, timeOfDay: () => 0, sleep };
  const dependencies = dependenciesOf({ clock, cancellation });
  const ref = new GitRef("acme/code", NAME, connectClient().connect, dependencies, MESSAGES);
  return { ref, delays, cancellation, lines: dependencies.lines };
}

test("a write is repeated for five minutes, less and less often, and the log says so", async () => {
  const { ref, delays, lines } = setUpPauses();
  for (let attempt = 1; await ref.pause(attempt); ) attempt += 1;
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, ...Array(8).fill(30_000)]);
  expect(lines).toHaveLength(delays.length - 1);
  expect(lines[0]).toBe("info: The notes are written again in 2 s.");
});

test("after a signal, a write is repeated three times at once", async () => {
  const { ref, delays, cancellation } = setUpPauses();
  cancellation.cancel();
  const may: boolean[] = [];
  for (const attempt of [1, 2, 3, 4]) may.push(await ref.pause(attempt));
  expect(may).toEqual([true, true, true, false]);
  expect(delays).toEqual([]);
});

test.each([
  ".github/workflows/docs #1.yml",
  "a?ref=x.yml",
  "100%25.yml",
  "{ref}.yml",
  "a:owner.yml",
  "été/+&.yml",
])("the path %j names a file, even if it has a meaning in a URL", async (path) => {
  const { ref } = setUp();
  const sha = await ref.commit(null, { [path]: "this", "a.yml": "other" }, "One");
  expect(await ref.readFile(sha, path)).toBe("this");
});

test.each(["", "..", "a/../ledger.json", "./ledger.json", "a//ledger.json"])(
  "the path %j leads to no file, and GitHub is not asked",
  async (path) => {
    const { ref, commit, asked } = setUp();
    const sha = await commit(null, "1");
    const before = asked.length;
    expect(await ref.readFile(sha, path)).toBeNull();
    expect(asked).toHaveLength(before);
  },
);

test.each(["refs/heads/docs/ledger#1", "refs/heads/100%25/{repo}", "refs/docs-agent/été/a&b"])(
  "the ref %s is created, listed, read, moved and removed under its name",
  async (name) => {
    const { repository, connect, commit } = setUp();
    const ref = new GitRef("acme/code", name, connect, dependenciesOf({}), MESSAGES);
    const first = await commit(null, "1");
    const second = await commit(first, "2");
    expect(await ref.move(null, first)).toEqual({ type: "moved" });
    expect(await ref.readRef()).toMatchObject({ sha: first });
    expect(await ref.listRefs(name.replace("refs/", ""))).toEqual([{ ref: name, sha: first }]);
    expect(await ref.move(first, second)).toEqual({ type: "moved" });
    expect(repository.refs.get(name)).toBe(second);
    await ref.remove();
    expect(repository.refs.has(name)).toBe(false);
  },
);
