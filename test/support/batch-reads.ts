/** What plans of batches go by in tests: answers in place of GitHub and the service, and what was asked. */

import type { BatchReads } from "../../src/batches/batch-reads.ts";
import type { DashboardFacts } from "../../src/batches/dashboard-issue.ts";
import type { PlanSettings } from "../../src/batches/settings.ts";
import type { Issue } from "../../src/github/conversation/labelled-issue.ts";
import { known } from "../../src/runtime/fact.ts";
import { NOW, RULES, unread } from "./ledger-examples.ts";

export const RUN = "1-1-a";
export const MOMENT = { now: NOW, name: `${RUN}.1` };
export const SETTINGS: PlanSettings = {
  rules: RULES,
  runName: RUN,
  place: { ref: "refs/docs-agent/upkeep/x", named: null },
  answered: { answers: [], run: null },
  edit: { type: "none" },
};
export const ISSUE: Issue = {
  number: 7,
  body: "",
  isLabelled: true,
  isClosed: false,
  closedBy: null,
  closedAt: null,
  isClosedByBot: false,
};
export const NO_DASHBOARD: DashboardFacts = { issue: null, mayOpen: true, unread: null };

/** Reads that know nothing but what a test gives. `asked`: each question, such as `poll b`. */
export function readsOf(answers: Partial<BatchReads> = {}): BatchReads & { asked: string[] } {
  const asked: string[] = [];
  const ask = <T extends unknown[], R>(name: string, answer: (...about: T) => R, about: T): R => {
    asked.push([name, ...about.flatMap(nameOf)].join(" "));
    return answer(...about);
  };
  const reads: BatchReads = {
    checkCancelled: () => {},
    commit: () => null,
    dashboard: async () => ({ type: "absent" }),
    poll: async () => unread("unanswered"),
    pullState: async () => unread("unanswered"),
    pullEnd: async () => unread("unanswered"),
    closedBy: async () => known(null),
    documented: async () => ({ type: "absent" }),
    ...answers,
  };
  return {
    ...reads,
    asked,
    dashboard: (...about) => ask("dashboard", reads.dashboard, about),
    poll: (...about) => ask("poll", reads.poll, about),
    pullState: (...about) => ask("pull", reads.pullState, about),
    closedBy: (...about) => ask("closed by", reads.closedBy, about),
    pullEnd: (...about) => ask("end", reads.pullEnd, about),
    documented: (...about) => ask("documented", reads.documented, about),
  };
}

function nameOf(about: unknown): string[] {
  if (typeof about === "string") return [about];
  return typeof about === "object" && about !== null && "id" in about ? [String(about.id)] : [];
}
