import { describe, expect, test } from "vitest";
import { mergeQueued } from "../../../emulator/github/merge-queue.ts";
import { AGENT, WORKFLOW } from "../../../emulator/github/people.ts";
import { gitHub } from "./ask.ts";

const CI = { ".github/workflows/ci.yml": "on: push\n" };

/** A pull request, and its `mergeStateStatus` as an account reads it. */
function scene(files: Record<string, string> = { "docs/a.md": "a\n" }) {
  const world = gitHub();
  const { number } = world.repository.openPull({ author: AGENT, commits: [{ files }] });
  const query = `{ repository(owner: "acme", name: "docs") {
    pullRequest(number: ${number}) { mergeStateStatus } } }`;
  const state = (as: string) => {
    type Answer = { data: { repository: { pullRequest: { mergeStateStatus: string } } } };
    const { data } = world.get<Answer>("POST /graphql", { body: { query }, as });
    return data.repository.pullRequest.mergeStateStatus;
  };
  const merge = (as: string) => world.ask(`PUT /pulls/${number}/merge`, { body: {}, as });
  return { ...world, number, state, merge };
}

describe("the state of a merge", () => {
  test("is CLEAN for an account that can bypass the rule, and its merge goes around the rule", () => {
    const { repository, state, merge } = scene();
    repository.mergeRule = { approvals: 1, bypass: [WORKFLOW] };
    expect([state("maintainer"), state(WORKFLOW)]).toEqual(["BLOCKED", "CLEAN"]);
    expect([merge("maintainer").status, merge(WORKFLOW).status]).toEqual([405, 200]);
  });

  test("is BLOCKED for the workflow's token if the pull request changes workflow files", () => {
    const { state } = scene(CI);
    expect([state("maintainer"), state(WORKFLOW)]).toEqual(["CLEAN", "BLOCKED"]);
  });
});

test("a merge that changes workflow files is refused for the workflow's token, and for apps without the permission", () => {
  const { github, merge } = scene(CI);
  const message =
    "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission";
  for (const app of [WORKFLOW, AGENT]) {
    expect(merge(app)).toMatchObject({ status: 403, body: { message } });
  }
  // The workflow's token can never have it.
  github.restrict(WORKFLOW, { workflows: "write" });
  expect(merge(WORKFLOW).status).toBe(403);
  github.restrict(AGENT, { workflows: "write" });
  expect(merge(AGENT).status).toBe(200);
});

interface PullState {
  headRefOid: string;
  isInMergeQueue: boolean;
  commits: {
    nodes: { commit: { messageHeadline: string; committer: { email: string } | null } }[];
  };
}

/** A pull request whose base moves on, with its head, its last commit, and whether it is in the queue. */
function behindScene() {
  const world = scene();
  const { repository, number, get } = world;
  const { id, head } = repository.pulls[0] ?? { id: 0, head: "" };
  const query = `{ repository(owner: "acme", name: "docs") { pullRequest(number: ${number}) {
    headRefOid isInMergeQueue
    commits(last: 1) { nodes { commit { messageHeadline committer { email } } } } } } }`;
  const read = () => {
    type Answer = { data: { repository: { pullRequest: PullState } } };
    return get<Answer>("POST /graphql", { body: { query } }).data.repository.pullRequest;
  };
  const enqueue = (expected: string) => {
    const input = `{ pullRequestId: "PR_${id}", expectedHeadOid: "${expected}" }`;
    const mutation = `mutation { enqueuePullRequest(input: ${input}) { clientMutationId } }`;
    return get<{ errors?: { message: string }[] }>("POST /graphql", { body: { query: mutation } });
  };
  repository.push({});
  return { ...world, head, read, enqueue };
}

test("an update of a branch merges its base into it, at the expected head", () => {
  const { repository, number, head, read, ask, refusal } = behindScene();
  repository.mergeRule = { upToDate: true };
  const path = `PUT /pulls/${number}/update-branch`;
  const wrong = repository.tip();
  expect(refusal(path, { body: { expected_head_sha: wrong } })).toMatch(/^422 expected head sha/);
  expect(ask(path, { body: { expected_head_sha: head } }).status).toBe(202);
  const { headRefOid, commits } = read();
  expect(headRefOid).not.toBe(head);
  expect(commits.nodes[0]?.commit).toEqual({
    messageHeadline: expect.stringMatching(/^Merge branch 'main' into /),
    committer: { email: "noreply@github.com" },
  });
  expect(refusal(path)).toBe("422 There are no new commits on the base branch.");
});

test("a pull request joins the merge queue at the expected head, and a push takes it out", () => {
  const { repository, number, head, read, enqueue } = behindScene();
  expect(enqueue(head).errors).toHaveLength(1);
  repository.mergeRule = { queue: true };
  expect(enqueue(repository.tip()).errors?.[0]?.message).toContain("head oid");
  expect(enqueue(head).errors).toBeUndefined();
  expect(read()).toMatchObject({ isInMergeQueue: true });
  const again = { type: "UNPROCESSABLE", message: "Pull request is already in the queue" };
  expect(enqueue(head).errors).toMatchObject([again]);
  const pull = repository.pulls[0];
  repository.push({}, pull?.branch);
  expect(read()).toMatchObject({ isInMergeQueue: false });
  enqueue(repository.pulls[0]?.head ?? "");
  mergeQueued(repository);
  expect(repository.issues.get(number)).toMatchObject({ state: "closed" });
});
