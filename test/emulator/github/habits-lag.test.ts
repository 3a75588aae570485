import { describe, expect, test } from "vitest";
import type { ReadKind } from "../../../emulator/github/lag.ts";
import { gitHub } from "./ask.ts";

/** A pull request with a comment, a review and a check, all of them new; and how each kind of read shows them. */
function scene() {
  const world = gitHub();
  const { github, repository, get, ask, pass } = world;
  const { number } = repository.openPull({ commits: [{ files: ["docs/old.md"] }] });
  pass(10_000);
  const sha = repository.push({ files: ["docs/new.md"] }, `work/${number}`);
  get(`PATCH /issues/${number}`, { body: { title: "New" } });
  get(`POST /issues/${number}/comments`, { body: { body: "New" } });
  get(`POST /pulls/${number}/reviews`, { body: { event: "COMMENT", body: "New" } });
  repository.report({ name: "new", head_sha: sha });
  const text = (path: string) => JSON.stringify(ask(`GET ${path}`).body);
  const shows: Partial<Record<ReadKind, () => boolean>> = {
    refs: () => text(`/git/ref/heads/work/${number}`).includes(sha),
    issues: () => text(`/pulls/${number}`).includes(sha),
    comments: () => text(`/issues/${number}/comments`).includes("New"),
    reviews: () => text(`/pulls/${number}/reviews`).includes("New"),
    checks: () => text(`/commits/work%2F${number}/check-runs`).includes("new"),
    files: () => text(`/pulls/${number}/files`).includes("docs/new.md"),
    objects: () => ask(`GET /git/commits/${sha}`).status === 200,
    graphql: () => {
      const query = `{ repository(owner: "acme", name: "docs") { pullRequest(number: ${number}) { headRefOid } } }`;
      return JSON.stringify(ask("POST /graphql", { body: { query } }).body).includes(sha);
    },
  };
  return { ...world, number, sha, shows, github };
}

const KINDS = Object.keys(scene().shows) as ReadKind[];

test.each(KINDS)("each kind of read lags by itself: %s", (kind) => {
  const { github, shows, pass } = scene();
  pass(1_000);
  github.lag = { [kind]: 4_000 };
  const seen = () => KINDS.filter((other) => shows[other]?.());
  expect(seen()).toEqual(KINDS.filter((other) => other !== kind));
  pass(4_000);
  expect(seen()).toEqual(KINDS);
});

describe("a late copy", () => {
  test("says 404 for a commit that exists", () => {
    const { github, repository, refusal, sha, pass } = scene();
    pass(1_000);
    github.lag = { objects: 4_000 };
    expect(refusal(`GET /compare/${repository.tip()}...${sha}`)).toBe("404 Not Found");
    expect(refusal(`GET /git/commits/${sha}`)).toBe("404 Not Found");
    expect(refusal(`GET /contents/README.md?ref=${sha}`)).toMatch(/^404/);
  });

  test("has the files of the old head while the pull request has the new one", () => {
    const { github, get, number, sha, pass } = scene();
    pass(1_000);
    github.lag = { files: 4_000 };
    expect(get(`GET /pulls/${number}`)).toMatchObject({ head: { sha } });
    expect(get(`GET /pulls/${number}/files`)).toMatchObject([{ filename: "docs/old.md" }]);
  });
});
