import { expect, test } from "vitest";
import { GitHub } from "../../emulator/github/github.ts";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { connectEmulated } from "../../test/support/github-client.ts";
import { landInputs, NOW } from "../../test/support/land-facts.ts";
import { contextOf } from "../../test/support/run-context.ts";
import type { LandAct } from "./acts.ts";
import { Performer } from "./perform.ts";
import { setUpRun } from "./run.ts";

test("a merge whose answer was lost is a merge if the pull request is merged", async () => {
  const github = new GitHub(() => NOW);
  const { number, head } = github.create("acme/docs").openPull();
  const { connect, loseNext } = connectEmulated(github);
  const dependencies = dependenciesOf();
  const run = setUpRun(landInputs(), contextOf("schedule"), dependencies);
  run.store.namedAt = NOW;
  const performer = new Performer({ ...run, connect });
  const url = `https://github.com/acme/docs/pull/${number}`;
  const merge: LandAct = {
    type: "merge",
    id: `run ${url}`,
    place: { url, repository: "acme/docs", number, isNamed: true },
    readAt: NOW,
    sha: head,
    circumstances: "",
    method: "squash",
  };
  loseNext("PUT");
  expect(await performer.perform(merge, [])).toEqual({ type: "merged" });
  expect(dependencies.lines.filter((line) => line.startsWith("warning"))).toEqual([]);
});
