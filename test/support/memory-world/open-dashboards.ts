import type { MemoryIssue } from "../../../emulator/memory/issues.ts";

/**
 * The open dashboards among issues. An issue that was emptied before its run wrote anything else is
 * nobody's. Where two were opened at once, and people took the label off one of them, that one is theirs.
 */
export function openDashboards(issues: readonly MemoryIssue[]): MemoryIssue[] {
  return issues.filter(
    ({ state, body, labels }) => state === "open" && body !== "" && labels.length > 0,
  );
}
