import type { Repository } from "../../../emulator/github/repository.ts";
import { type Issue, isPull } from "../../../emulator/github/state.ts";

/** The issues of a repository that are no pull requests. */
export function issuesOf({ issues }: Repository): Issue[] {
  return [...issues.values()].filter((issue) => !isPull(issue));
}

/**
 * The open dashboards among issues. An issue that was emptied before its run wrote anything else is
 * nobody's. Where two were opened at once, and people took the label off one of them, that one is theirs.
 */
export function openDashboards(issues: readonly Issue[]): Issue[] {
  return issues.filter(
    ({ state, body, labels }) => state === "open" && body !== "" && labels.length > 0,
  );
}
