import { describe, expect, test } from "vitest";
import { gitHub } from "./ask.ts";

describe("refs", () => {
  test("that begin with a text are listed all at once, at any depth, whatever page is asked for", () => {
    const { repository, ask } = gitHub();
    const names = Array.from({ length: 40 }, (_, nth) => `refs/docs-agent/a${nth}/x/y`).sort();
    for (const ref of names) repository.setRef(ref, repository.tip());
    repository.setRef("refs/docs-agent/b", repository.tip());
    const listed = ask<{ ref: string }[]>("GET /git/matching-refs/docs-agent/a?per_page=1&page=2");
    expect(listed.body.map(({ ref }) => ref)).toEqual(names);
    expect(listed.headers.link).toBeUndefined();
  });

  test("are found by their whole name only", () => {
    const { repository, refusal } = gitHub();
    repository.setRef("refs/docs-agent/upkeep", repository.tip());
    expect(refusal("GET /git/ref/docs-agent/upk")).toBe("404 Not Found");
    expect(refusal("GET /git/ref/docs-agent/UPKEEP")).toBe("404 Not Found");
  });

  test("cannot be beside one that is a folder of theirs", () => {
    const { repository, get, refusal } = gitHub();
    const sha = repository.tip();
    const create = (ref: string) => refusal("POST /git/refs", { body: { ref, sha } });
    get("POST /git/refs", { body: { ref: "refs/docs-agent/x/y", sha } });
    expect(create("refs/docs-agent/x")).toBe("422 Reference update failed");
    expect(create("refs/docs-agent/x/y/z")).toBe("422 Reference update failed");
    get("POST /git/refs", { body: { ref: "refs/docs-agent/x/yy", sha } });
  });

  test("that a rule protects are refused with the rule's words", () => {
    const { repository, refusal } = gitHub();
    repository.protectedRefs = "^refs/docs-agent/";
    const body = { ref: "refs/docs-agent/x", sha: repository.tip() };
    expect(refusal("POST /git/refs", { body })).toMatch(/^422 Repository rule violations found/);
  });
});

test("an empty repository answers reads of refs and commits with 409", () => {
  const { repository, refusal } = gitHub();
  repository.setRef("refs/heads/main", null);
  for (const path of ["git/ref/heads/main", "git/matching-refs/heads", "commits", "commits/main"]) {
    expect(refusal(`GET /${path}`)).toBe("409 Git Repository is empty.");
  }
});

test("a commit that GitHub dropped is gone from every answer", () => {
  const { repository, refusal } = gitHub();
  const sha = repository.push();
  repository.gone.add(sha);
  expect(refusal(`GET /git/commits/${sha}`)).toBe("404 Not Found");
  expect(refusal(`GET /commits/${sha}`)).toMatch(/^422 No commit found/);
  expect(refusal(`GET /compare/${sha}...main`)).toBe("404 Not Found");
});
