import { describe, expect, test } from "vitest";
import { gitHub } from "./ask.ts";

describe("a comparison", () => {
  test("without pages has the last 250 commits, and with pages begins with the oldest", () => {
    const { repository, get } = gitHub();
    const start = repository.tip();
    const shas = Array.from({ length: 252 }, () => repository.push());
    const compared = (query: string) =>
      get<{ commits: { sha: string }[] }>(`GET /compare/${start}...main${query}`).commits.map(
        ({ sha }) => sha,
      );
    expect(compared("")).toEqual(shas.slice(2));
    expect(compared("?per_page=100")).toEqual(shas.slice(0, 100));
  });

  test("has files on its first page only", () => {
    const { repository, get } = gitHub();
    const start = repository.tip();
    repository.push([{}, {}]);
    const page = (number: number) =>
      get<object>(`GET /compare/${start}...main?per_page=1&page=${number}`);
    expect(page(1)).toHaveProperty("files");
    expect(page(2)).not.toHaveProperty("files");
  });

  test("takes names with slashes, which are encoded, and nothing has a slash at its end", () => {
    const { repository, ask } = gitHub();
    repository.forcePush(repository.commit(repository.tip()), "work/a");
    expect(ask("GET /compare/main...work%2Fa").status).toBe(200);
    expect(ask("GET /issues/").status).toBe(404);
  });
});

test("a commit has 300 files on a page", () => {
  const { repository, ask } = gitHub();
  const files = Array.from({ length: 301 }, (_, nth) => `many/${nth}.md`);
  const sha = repository.push({ files });
  const page = (number: number) =>
    ask<{ files: unknown[] }>(`GET /commits/${sha}?page=${number}`).body.files.length;
  expect([page(1), page(2)]).toEqual([300, 1]);
});

test("a branch that was renamed is redirected to until its name is used again", () => {
  const { repository, ask } = gitHub();
  repository.renameBranch("main", "trunk");
  expect(ask("GET /branches/main")).toMatchObject({
    status: 301,
    headers: { location: "https://api.github.com/repos/acme/docs/branches/trunk" },
  });
  repository.forcePush(repository.tip("trunk"), "main");
  expect(ask("GET /branches/main").status).toBe(200);
});

describe("pull requests", () => {
  test("that were just merged can be missing from lists", () => {
    const { github, repository, get, pass } = gitHub();
    github.site.pullListBehind = 5_000;
    const { number } = repository.land();
    expect(get("GET /pulls?state=closed")).toEqual([]);
    expect(get(`GET /pulls/${number}`)).toMatchObject({ merged: true });
    pass(5_000);
    expect(get("GET /pulls?state=closed")).toMatchObject([{ number }]);
  });

  test("can be of unknown mergeability until they are asked for, and again after each move of the base", () => {
    const { github, repository, get } = gitHub();
    github.site.isMergeabilityLate = true;
    const { number } = repository.openPull();
    const mergeable = () => get<{ mergeable: boolean | null }>(`GET /pulls/${number}`).mergeable;
    expect([mergeable(), mergeable()]).toEqual([null, true]);
    repository.push();
    expect([mergeable(), mergeable()]).toEqual([null, true]);
  });

  test("are closed with their base, and with their branch, without which they cannot be opened again", () => {
    const { repository, get, refusal } = gitHub();
    repository.forcePush(repository.tip(), "stable");
    repository.openPull({ base: "stable" });
    const { branch } = repository.openPull();
    repository.setRef("refs/heads/stable", null);
    repository.setRef(`refs/heads/${branch}`, null);
    expect(get("GET /pulls")).toEqual([]);
    expect(refusal("PATCH /pulls/2", { body: { state: "open" } })).toBe("422 Validation Failed");
  });

  test("are squashed under the title of the only commit, or their own, with their number", () => {
    const { repository, get } = gitHub();
    const title = (commits: { message: string }[]) => {
      const { mergeSha } = repository.land({ title: "The pull request", commits }, "squash");
      const { commit } = get<{ commit: { message: string } }>(`GET /commits/${mergeSha}`);
      return commit.message.split("\n")[0];
    };
    const [one, two] = [{ message: "One" }, { message: "Two" }];
    expect(title([one])).toBe("One (#1)");
    expect(title([one, two])).toBe("The pull request (#2)");
  });

  test("of a base with a merge queue are not merged by a request", () => {
    const { repository, refusal } = gitHub();
    repository.mergeRule = { queue: true };
    const { number } = repository.openPull();
    expect(refusal(`PUT /pulls/${number}/merge`)).toMatch(/^405 .*merge queue/);
  });

  test("can be mergeable although the server's hooks have the last word", () => {
    const { repository, get } = gitHub();
    repository.mergeRule = { hasHooks: true };
    repository.openPull();
    expect(get("GET /pulls/1")).toMatchObject({ mergeable: true, mergeable_state: "has_hooks" });
  });
});

test("reviews are listed from the oldest, and an approval stays when its author asks for changes or the head moves", () => {
  const { repository, get } = gitHub();
  const { number, branch, head } = repository.openPull();
  for (const event of ["APPROVE", "REQUEST_CHANGES"]) {
    get(`POST /pulls/${number}/reviews`, { body: { event, body: "x" }, as: "maintainer" });
  }
  repository.push({}, branch);
  expect(get(`GET /pulls/${number}/reviews`)).toMatchObject([
    { state: "APPROVED", commit_id: head },
    { state: "CHANGES_REQUESTED", commit_id: head },
  ]);
});

test("a review that is not submitted has no time, and answers no request for one", () => {
  const { repository, get, ask } = gitHub();
  const pull = repository.openPull();
  repository.change(pull, { reviewers: ["octocat"] });
  const place = `/pulls/${pull.number}/reviews`;
  const { id } = get<{ id: number }>(`POST ${place}`, { body: {} });
  expect(get<object[]>(`GET ${place}`)[0]).not.toHaveProperty("submitted_at");
  expect(pull.reviewers).toEqual(["octocat"]);
  ask(`POST ${place}/${id}/events`, { body: { event: "APPROVE" } });
  expect(get<object[]>(`GET ${place}`)).toMatchObject([
    { state: "APPROVED", submitted_at: expect.any(String) },
  ]);
  expect(pull.reviewers).toEqual([]);
});
