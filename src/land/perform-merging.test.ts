import { expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { AGENT, tokenOf, WORKFLOW } from "../../emulator/github/people.ts";
import type { Pull } from "../../emulator/github/state.ts";
import { json } from "../../test/support/answers.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { connectClient, connectEmulated } from "../../test/support/github-client.ts";
import { NOW } from "../../test/support/land-facts.ts";
import { notSent } from "../runtime/delivery.ts";
import { accepted, type LandAct } from "./acts.ts";
import { performMerging } from "./perform-merging.ts";
import { PullWrites } from "./pull-writes.ts";

type Act = Parameters<typeof performMerging>[0];

/** A docs pull request on an emulated GitHub, and acts on it. */
function scene(login = WORKFLOW) {
  const github = new GitHub(() => NOW);
  const repository = github.create("acme/docs");
  const { number } = repository.openPull({ author: AGENT, commits: [{ author: AGENT }] });
  const pull = () => repository.issues.get(number) as Pull;
  const client = connectEmulated(github, tokenOf(login));
  const dependencies = dependenciesOf();
  const place = {
    url: "https://github.com/acme/docs/pull/1",
    repository: "acme/docs",
    number,
    isNamed: true,
  };
  const perform = (act: { type: LandAct["type"] }, head = pull().head) => {
    const given = { id: "run", place, head, base: "main", method: "squash", message: null };
    const whole = { ...given, pullId: `PR_${pull().id}`, ...act } as Act;
    return performMerging(whole, client.connect, new PullWrites(client.connect, dependencies.log));
  };
  return { github, repository, place, number, pull, client, perform, lines: dependencies.lines };
}

const MERGE = { type: "merge" } as const;
const ENQUEUE = { type: "enqueue" } as const;
const UPDATE = { type: "update" } as const;
const MERGED = accepted({ type: "merged" });

/** @param problem a part of what GitHub says */
function refused(by: "state" | "right", problem: string) {
  const error = { kind: "github-refused", problem: expect.stringContaining(problem), advice: null };
  return { type: "refused", by, error };
}

test("a merge whose answer was lost has been made", async () => {
  const { client, perform, pull } = scene();
  client.loseNext("PUT");
  expect(await perform(MERGE)).toEqual(MERGED);
  expect(pull().mergedAt).not.toBeNull();
});

test.each([
  [500, notSent("unreached")],
  [502, notSent("unreached")],
  [429, { type: "limited" }],
])("a merge that failed with %i is left to the next run", async (status, expected) => {
  const { github, perform, lines } = scene();
  github.addFault({ method: "PUT", status });
  expect(await perform(MERGE)).toEqual(expected);
  expect(lines.at(-1)).toMatch(/GitHub did not merge it: .*\. The next run tries again\.$/);
  expect(await perform(MERGE)).toEqual(MERGED);
});

test("a merge whose answer was lost, and whose state cannot be read, is left to the next run", async () => {
  const { github, client, perform, lines } = scene();
  client.loseNext("PUT");
  github.addFault({ method: "GET", status: 500, times: 2 });
  expect(await perform(MERGE)).toMatchObject({ type: "uncertain" });
  expect(lines.at(-1)).toContain(
    "Whether GitHub merged it could not be read: GitHub returned 500.",
  );
});

test("only the head that was judged is merged, put into the queue, or brought up to date", async () => {
  const { repository, perform } = scene("maintainer");
  const other = repository.tip();
  expect(await perform(MERGE, other)).toEqual(notSent("changed"));
  expect(await perform(UPDATE, other)).toEqual(notSent("changed"));
  repository.mergeRule = { queue: true };
  expect(await perform(ENQUEUE, other)).toEqual(notSent("changed"));
});

test("a refused merge says what GitHub says", async () => {
  const { repository, perform } = scene();
  repository.mergeRule = { methods: ["rebase"] };
  expect(await perform(MERGE)).toEqual(
    refused("state", "GitHub says `Squash merges are not allowed"),
  );
});

test("a refused merge of a workflow file names the reason", async () => {
  const { repository, perform, pull } = scene();
  const files = { ".github/workflows/ci.yml": "on: push\n" };
  repository.push({ author: AGENT, files }, pull().branch);
  expect(await perform(MERGE)).toEqual(refused("right", "without `workflows` permission"));
});

test("a pull request is put into the queue", async () => {
  const { repository, number, pull, perform } = scene();
  const { head } = pull();
  expect(await perform(ENQUEUE)).toEqual(refused("state", "GitHub says"));
  repository.mergeRule = { queue: true };
  expect(await perform(ENQUEUE)).toEqual(accepted({ type: "queued", head }));
  expect(repository.mergeQueue.get(number)).toBe(head);
});

test("an answer of the queue that was lost is left to the next run", async () => {
  const { repository, client, perform } = scene();
  repository.mergeRule = { queue: true };
  client.loseNext("POST");
  expect(await perform(ENQUEUE)).toMatchObject({ type: "uncertain" });
});

test("an answer of the queue without a message is an answer all the same", async () => {
  const { server, connect } = connectClient();
  server.on("POST /graphql", json(200, { data: null, errors: [{ type: "FORBIDDEN" }] }));
  const { place } = scene();
  const identity = { id: "run", place, head: "a".repeat(40), base: "main" };
  const act = { ...ENQUEUE, ...identity, pullId: "PR_1" };
  expect(await performMerging(act, connect, new PullWrites(connect, dependenciesOf().log))).toEqual(
    refused("right", "GitHub says no reason"),
  );
});

test("an update whose answer was lost has been made, unless the head is as before", async () => {
  const { github, repository, client, pull, perform, lines } = scene("maintainer");
  const { head } = pull();
  repository.push({});
  github.addFault({ method: "PUT", status: 502 });
  expect(await perform(UPDATE)).toEqual(notSent("unreached"));
  expect(lines.at(-1)).toContain("GitHub did not update its branch: GitHub returned 502.");
  client.loseNext("PUT");
  expect(await perform(UPDATE)).toEqual(accepted({ type: "updated", head }));
});

test("a branch is brought up to date", async () => {
  const { repository, pull, perform } = scene("maintainer");
  const { head } = pull();
  expect(await perform(UPDATE)).toEqual(
    refused("state", "There are no new commits on the base branch"),
  );
  repository.push({});
  expect(await perform(UPDATE)).toEqual(accepted({ type: "updated", head }));
  expect(pull().head).not.toBe(head);
});
