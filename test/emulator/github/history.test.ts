import { describe, expect, test } from "vitest";
import { gitHub } from "./ask.ts";

describe("a merge", () => {
  test("is refused for conflicts, drafts, another head, closed pull requests, and accounts that may not push", () => {
    const { repository, refusal, get } = gitHub({ "same.ts": "base\n" });
    const pull = repository.openPull({ commits: [{ files: { "same.ts": "theirs\n" } }] });
    repository.push({ files: { "same.ts": "ours\n" } });
    const merge = (number: number, body = {}, as = "writer") =>
      refusal(`PUT /pulls/${number}/merge`, { body, as });
    expect(merge(pull.number)).toBe("405 Pull Request is not mergeable");
    expect(get(`GET /pulls/${pull.number}`)).toMatchObject({
      mergeable: false,
      mergeable_state: "dirty",
      merged: false,
      // As on GitHub, the trial merge has a SHA.
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

  test("is refused until the branch's rule is fulfilled: approvals, checks, an up-to-date head, the method", () => {
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
