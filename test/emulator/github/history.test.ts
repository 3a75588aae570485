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
  status: string;
  total_commits: number;
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

describe("pull requests", () => {
  test("tell a file that was moved with its former name, and are closed by who may write", () => {
    const { repository, get, refusal } = gitHub({ "old.md": "Text\n" });
    const commits = [{ files: { "old.md": null, "new.md": "Text\n" } }];
    const path = `/pulls/${repository.openPull({ commits }).number}`;
    const file = { filename: "new.md", status: "renamed", previous_filename: "old.md" };
    expect(get(`GET ${path}/files`)).toMatchObject([file]);
    const body = { state: "closed" };
    expect(refusal(`PATCH ${path}`, { body, as: "reader" })).toMatch(/^403/);
    expect(get(`PATCH ${path}`, { body, as: "maintainer" })).toMatchObject({
      ...{ state: "closed", merged: false, merged_at: null },
    });
  });

  test("follow their branch, keep what they held when it is gone, and end with it", () => {
    const { repository, get } = gitHub();
    const { number } = repository.openPull({ branch: "growing", commits: two("grow") });
    const path = `GET /pulls/${number}`;
    const sha = repository.push({ message: "grow three" }, "growing");
    repository.push({ message: "Meanwhile" });
    expect(get(path)).toMatchObject({ head: { sha }, commits: 3, mergeable: true });
    repository.setRef("refs/heads/growing", null);
    expect(get(path)).toMatchObject({ state: "closed", merged: false, commits: 3 });
    expect(get(`${path}/files?per_page=1&page=2`)).toMatchObject([
      { filename: "grow/2.ts", status: "added", additions: 2 },
    ]);
    expect(get(`${path}/commits?per_page=2&page=2`)).toMatchObject([{ sha }]);
  });

  test("are found by their commits: those on the base, their own, and while they are open", () => {
    const { repository, get, refusal } = gitHub();
    const start = repository.tip();
    const of = (sha: string) =>
      get<{ number: number }[]>(`GET /commits/${sha}/pulls`).map(({ number }) => number);
    const pull = repository.openPull({ commits: two("find") });
    expect(of(pull.head)).toEqual([pull.number]);
    repository.push();
    const sha = repository.merge(pull, "rebase");
    for (const one of [sha, ...pull.landed, ...pull.commits])
      expect(of(one)).toEqual([pull.number]);
    expect(of(start)).toEqual([]);
    expect(refusal(`GET /commits/${"0".repeat(40)}/pulls`)).toMatch(/^422 No commit found for SHA/);
  });

  test("are opened for a branch with commits, once", () => {
    const { repository, get, refusal } = gitHub();
    repository.forcePush(repository.tip(), "work");
    const body = { title: "Work", head: "acme:work", base: "main", draft: true };
    const open = (as = "writer") => refusal("POST /pulls", { body, as });
    expect(open("reader")).toMatch(/^403/);
    expect(open()).toMatch(/^422/);
    repository.push({}, "work");
    expect(get("POST /pulls", { body, as: "writer" })).toMatchObject({
      ...{ draft: true, user: { login: "writer" }, head: { label: "acme:work" } },
    });
    expect(open()).toMatch(/^422/);
    expect(refusal("POST /pulls", { body: { ...body, head: "nothing" } })).toMatch(/^422/);
  });
});

describe("a comparison", () => {
  test("comes in pages, oldest first, each with the whole number, and the files with the first", () => {
    const { repository, ask } = gitHub();
    const start = repository.tip();
    repository.push([1, 2, 3, 4, 5].map((n) => ({ message: `Push ${n}` })));
    const path = `GET /compare/${start}...main`;
    const pages = [1, 2, 3, 4].map((n) => ask<Comparison>(`${path}?per_page=2&page=${n}`));
    expect(pages.map(({ body }) => subjects(body.commits))).toEqual([
      ...[["Push 1", "Push 2"], ["Push 3", "Push 4"], ["Push 5"], []],
    ]);
    expect(pages.map(({ body }) => [body.total_commits, body.files.length])).toEqual([
      ...[
        [5, 5],
        [5, 0],
        [5, 0],
        [5, 0],
      ],
    ]);
    expect(pages[1]?.headers.link).toContain('page=3>; rel="next"');
  });

  test("is identical, ahead, behind or diverged", () => {
    const { repository, get } = gitHub();
    const start = repository.tip();
    const later = repository.push({ message: "Later" });
    const compare = (base: string, head: string) => get(`GET /compare/${base}...${head}`);
    expect(compare(later, later)).toMatchObject({ status: "identical", total_commits: 0 });
    expect(compare(start, "main")).toMatchObject({ status: "ahead", ahead_by: 1 });
    expect(compare(later, start)).toMatchObject({ status: "behind", behind_by: 1 });
    const other = repository.forcePush(start, "release/1.x", [{ message: "Other" }]);
    expect(compare(later, "release%2F1.x")).toMatchObject({
      ...{ status: "diverged", ahead_by: 1, behind_by: 1, commits: [{ sha: other }] },
      merge_base_commit: { sha: start },
    });
  });
});

describe("commits", () => {
  test("are found by branch, tag and the beginning of their SHA, until GitHub has forgotten them", () => {
    const { repository, get, refusal } = gitHub();
    const start = repository.tip();
    const old = repository.push({ message: "Old" });
    repository.setRef("refs/tags/v1.0", old);
    for (const ref of ["v1.0", "main", "heads/main", old.slice(0, 10)]) {
      expect(get(`GET /commits/${ref}`)).toMatchObject({ sha: old });
    }
    repository.forcePush(start);
    expect(get(`GET /compare/${old}...main`)).toMatchObject({ status: "behind" });
    repository.gone.add(old);
    expect(refusal(`GET /compare/${old}...main`)).toMatch(/^404/);
    expect(refusal(`GET /commits/${old}`)).toMatch(/^422/);
    expect(refusal(`GET /commits?sha=${old}`)).toMatch(/^404/);
    expect(refusal(`GET /git/commits/${old}`)).toMatch(/^404/);
  });
});
