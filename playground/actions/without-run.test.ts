import { expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { isWithoutRun } from "./without-run.ts";

test("a pull request that conflicts, or whose head says [skip ci], starts no run", () => {
  const home = new GitHub().create("acme/docs", { "same.md": "base\n" });
  const isHeld = ({ number, head }: { number: number; head: string }, name = "pull_request") => {
    const payload = { pull_request: { number, title: "x", head: { sha: head } } };
    return isWithoutRun(home, { name, actor: "writer", payload });
  };
  const plain = home.openPull();
  const skipping = home.openPull({ title: "Fix a typo [skip ci]" });
  const conflicting = home.openPull({ commits: [{ files: { "same.md": "theirs\n" } }] });
  home.push({ files: { "same.md": "ours\n" } });
  expect([plain, skipping, conflicting].map((pull) => isHeld(pull))).toEqual([false, true, true]);
  expect(isHeld(conflicting, "issue_comment")).toBe(false);
});
