import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TEAM } from "../../scripts/release.ts";
import { scratchRepository } from "./scratch-repository.ts";

/** The commits that the project's actions are used at. */
const usedIn = (team: string) =>
  [...team.matchAll(/uses: [\w-]+\/docs-agent-action\S*@(\S+) # (\S+)$/gm)].map(([, sha, tag]) => [
    sha,
    tag,
  ]);

test("a release is two commits, of which the second pins the team workflow to the first", () => {
  using repository = scratchRepository();
  const { git } = repository;
  const { status, stdout } = repository.release("v1.2.3");
  expect(status).toBe(0);
  expect(stdout).toContain("git push --atomic origin HEAD:main v1.2.3");
  expect(git("log", "--format=%s").split("\n")).toEqual([
    "Pin the team workflow to v1.2.3",
    "Release v1.2.3",
    "Begin",
  ]);
  expect(git("diff", "--name-only", "HEAD^", "HEAD")).toBe(TEAM);
  expect(git("diff", "--name-only", "HEAD^^", "HEAD^").split("\n")).toEqual([
    "dist/index.js",
    "dist/more.js",
  ]);
  expect(git("status", "--porcelain")).toBe("");

  // What somebody gets who calls the workflow by the tag, or by its commit.
  const bundles = git("rev-parse", "HEAD^");
  const used = usedIn(git("show", `v1.2.3:${TEAM}`));
  expect(used).toEqual([1, 2, 3, 4, 5].map(() => [bundles, "v1.2.3"]));
  expect(git("show", `${bundles}:dist/index.js`)).toBe("new");
});

test("a release of what is merged already has an empty first commit, so that it is always two", () => {
  using repository = scratchRepository();
  const { git } = repository;
  git("add", "--all");
  git("commit", "--quiet", "--message", "Merged");
  expect(repository.release("v1.2.3").status).toBe(0);
  expect(git("rev-list", "--count", "HEAD")).toBe("4");
  expect(git("show", `v1.2.3:${TEAM}`)).toContain(git("rev-parse", "HEAD^"));
});

test("the next release pins the next commit", () => {
  using repository = scratchRepository();
  const { at, git } = repository;
  repository.release("v1.2.3");
  writeFileSync(at("package.json"), '{ "version": "1.2.4", "type": "module" }');
  writeFileSync(at("CHANGELOG.md"), "## [1.2.4] - 2026-02-01\n\nIt works better.\n");
  expect(repository.release("v1.2.4").status).toBe(0);
  const used = usedIn(git("show", `v1.2.4:${TEAM}`));
  expect(new Set(used.map(String))).toEqual(new Set([`${git("rev-parse", "HEAD^")},v1.2.4`]));
  expect(git("show", `v1.2.3:${TEAM}`)).not.toContain(git("rev-parse", "HEAD^"));
});

test.each([
  ["another version", "v1.2.4", null, "package.json has version 1.2.3"],
  ["no version", "1.2", null, "is not a version's tag"],
  ["a file that does not belong to it", "v1.2.3", "notes.txt", "notes.txt"],
  ["a changed workflow", "v1.2.3", TEAM, "Commit or stash what does not belong to the release"],
])("with %s, nothing is committed", (_, tag, change, message) => {
  using repository = scratchRepository();
  const { at, git } = repository;
  if (typeof change === "string") writeFileSync(at(change), "name: Team\n");
  const { status, stderr } = repository.release(tag);
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect([git("rev-list", "--count", "HEAD"), git("tag")]).toEqual(["1", ""]);
});

test("a tag is made once", () => {
  using repository = scratchRepository();
  repository.git("tag", "v1.2.3");
  expect(repository.release("v1.2.3").stderr).toContain("A tag is never moved");
});
