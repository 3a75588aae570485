/**
 * What can happen in a repository that has the workflows which users copy: every event that one of them names, by each
 * person who can cause it.
 */

import { accountOf, example, type Happening, happening, MAINTAINER } from "./happening.ts";
import { ends, pulls, pushes, releases } from "./happenings-of-code.ts";
import { comments, issues, reviews } from "./happenings-of-writing.ts";

/** @param runs names of the workflows whose ends start something */
export function happenings(runs: string[]): Happening[] {
  const ownPeople = { sender: accountOf(MAINTAINER) };
  const dispatch = { ...example("workflow_dispatch", ""), inputs: {}, ...ownPeople };
  const schedule = { repository: example("push", "").repository, schedule: "17 * * * *" };
  const github = "GitHub itself";
  return [
    ...comments(),
    ...issues(),
    ...pulls(),
    ...reviews(),
    ...pushes(),
    ...releases(),
    ...ends(runs),
    happening({ event: "schedule", action: "", title: "schedule", by: github }, schedule),
    happening(
      { event: "merge_group", action: "checks_requested", title: "merge queue", by: github },
      example("merge_group", "checks_requested"),
      { ref: "refs/heads/gh-readonly-queue/main/pr-7-1" },
    ),
    happening(
      { event: "workflow_dispatch", action: "", title: "*Run workflow*", by: MAINTAINER },
      dispatch,
    ),
  ];
}

/** The same in a fork of the repository. */
export function inFork(one: Happening): Happening {
  const payload = structuredClone(one.payload);
  payload.repository.fork = true;
  return { ...one, payload };
}
