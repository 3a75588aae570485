import { describe, expect, test } from "vitest";
import type { MergeMethod } from "../../../emulator/github/merge.ts";
import { gitHub } from "./ask.ts";

interface Commit {
  sha: string;
  commit: { message: string; author: Person; committer: Person };
  author: { login: string } | null;
}

interface Person {
  name: string;
  date: string;
}

interface Comparison {
  commits: Commit[];
  files: { filename: string }[];
}

const two = (name: string) => [
  { message: `${name} one`, files: { [`${name}/1.ts`]: "1\n" } },
  { message: `${name} two`, files: { [`${name}/2.ts`]: "1\n2\n" } },
];
const subjects = (commits: readonly Commit[]) =>
  commits.map(({ commit }) => commit.message.split("\n")[0]);

describe("a merge", () => {
  const merged = (method: MergeMethod) => {
    const it = gitHub();
    const { repository, get, pass } = it;
    const start = repository.tip();
    const authoredAt = new Date("2026-01-02T03:04:05Z");
    const commits = two("a").map((one) => ({ ...one, authoredAt }));
    const pull = repository.openPull({ title: "Add it", branch: "add", commits });
    pass(5_000);
    repository.push({ message: "Meanwhile" });
    const as = "maintainer";
    const path = `/pulls/${pull.number}`;
    const { sha } = get<{ sha: string }>(`PUT ${path}/merge`, {
      body: { merge_method: method },
      as,
    });
    expect(repository.tip()).toBe(sha);
    expect(get(`GET ${path}`)).toMatchObject({
      ...{ state: "closed", merged: true, merged_by: { login: as }, merge_commit_sha: sha },
      ...{ commits: 2, changed_files: 2, additions: 3, base: { sha: start } },
    });
    const compared = get<Comparison>(`GET /compare/${start}...main`);
    expect(compared.files.map(({ filename }) => filename)).toContain("a/2.ts");
    return { ...it, pull, landed: compared.commits.filter(({ sha: one }) => one !== pull.head) };
  };

  test("by a merge commit has both sides as parents, by whoever merges and GitHub", () => {
    const { landed, repository, pull } = merged("merge");
    const last = landed.at(-1);
    expect(last?.commit).toMatchObject({
      ...{ author: { name: "maintainer" }, committer: { name: "GitHub" } },
      message: `Merge pull request #${pull.number} from acme/add\n\nAdd it`,
    });
    expect(repository.find(last?.sha ?? "")?.parents[1]).toBe(pull.head);
  });

  test("by squashing is one commit of the author's, named after the pull request", () => {
    const { landed, pull } = merged("squash");
    expect(subjects(landed)).toEqual(["Meanwhile", `Add it (#${pull.number})`]);
    expect(landed.at(-1)).toMatchObject({
      commit: { committer: { name: "GitHub" }, message: expect.stringContaining("\n\n* a two") },
      author: { login: "writer" },
    });
  });

  test("by rebasing is each commit anew, with its author and date, by whoever merges", () => {
    const { landed } = merged("rebase");
    expect(subjects(landed)).toEqual(["Meanwhile", "a one", "a two"]);
    expect(landed.at(-1)?.commit).toMatchObject({
      author: { name: "writer", date: "2026-01-02T03:04:05Z" },
      committer: { name: "maintainer", date: "2026-03-01T12:00:05Z" },
    });
  });

  test("is refused for conflicts, drafts, another head, what is closed, and whoever may not push", () => {
    const { repository, refusal, get } = gitHub({ "same.ts": "base\n" });
    const pull = repository.openPull({ commits: [{ files: { "same.ts": "theirs\n" } }] });
    repository.push({ files: { "same.ts": "ours\n" } });
    const merge = (number: number, body = {}, as = "writer") =>
      refusal(`PUT /pulls/${number}/merge`, { body, as });
    expect(merge(pull.number)).toBe("405 Pull Request is not mergeable");
    expect(get(`GET /pulls/${pull.number}`)).toMatchObject({
      ...{ mergeable: false, mergeable_state: "dirty", merged: false },
      // As on GitHub: the trial merge has a name too.
      merge_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    const draft = repository.openPull({ isDraft: true });
    expect(merge(draft.number)).toBe("405 Pull Request is still a draft");
    const open = repository.openPull();
    expect(merge(open.number, { sha: repository.tip() })).toMatch(/^409 Head branch was modified/);
    expect(merge(open.number, {}, "reader")).toMatch(/^403/);
    repository.close(open);
    expect(merge(open.number)).toMatch(/^405/);
  });

  test("waits for what a rule of the branch wants: approvals, checks, an up-to-date head", () => {
    const { repository, refusal, get, ask } = gitHub();
    const { number, head } = repository.openPull();
    const state = () => get<{ mergeable_state: string }>(`GET /pulls/${number}`).mergeable_state;
    const merge = () => refusal(`PUT /pulls/${number}/merge`);
    const bot = "github-actions[bot]";
    const run = { name: "lint", head_sha: head, conclusion: "failure" };
    get("POST /check-runs", { body: run, as: bot });
    expect(state()).toBe("unstable");
    repository.mergeRule = { approvals: 1, checks: ["lint"], upToDate: true };
    repository.push();
    expect([state(), merge()]).toEqual(["behind", expect.stringMatching(/not up to date/)]);
    repository.mergeRule = { approvals: 1, checks: ["lint"] };
    const review = (event: string, as: string) =>
      get(`POST /pulls/${number}/reviews`, { body: { event }, as });
    review("APPROVE", "reader");
    expect([state(), merge()]).toEqual(["blocked", expect.stringMatching(/^405 At least 1/)]);
    review("APPROVE", "maintainer");
    review("COMMENT", "maintainer");
    expect(merge()).toMatch(/^405 Required status check "lint" is expected/);
    get("POST /check-runs", { body: { ...run, conclusion: "success" }, as: bot });
    expect(state()).toBe("clean");
    review("REQUEST_CHANGES", "octocat");
    expect(state()).toBe("blocked");
    review("APPROVE", "octocat");
    repository.mergeRule = { methods: ["squash"] };
    expect(merge()).toBe("405 Merge commits are not allowed on this repository.");
    expect(ask(`PUT /pulls/${number}/merge`, { body: { merge_method: "squash" } }).status).toBe(
      200,
    );
  });
});
