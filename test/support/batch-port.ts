/** What a program for batches runs with in tests: nothing to read, and an action that hands over what waits. */

import {
  type BatchAction,
  type BatchPort,
  type BatchTerms,
  sentOf,
} from "../../src/batches/batch-program.ts";
import type { Issue } from "../../src/github/conversation/labelled-issue.ts";
import { NOW, RULES } from "./ledger-examples.ts";

export type Facts = BatchTerms<null, null>["facts"];

export const RUN = "1-1-a";
export const MOMENT = { now: NOW, name: `${RUN}.1` };
export const FACTS: Facts = {
  dashboard: { issue: null, mayOpen: true, warning: null },
  batches: { polls: new Map(), reviews: new Map(), reopened: null },
  own: null,
};
export const ISSUE: Issue = {
  number: 7,
  body: "",
  isLabelled: true,
  isClosed: false,
  closedBy: "",
  closedAt: "",
};
export const PORT: BatchPort = {
  settings: { isDryRun: false, edit: { type: "none" } },
  store: { now: NOW, options: { runName: RUN } },
  dashboard: { read: async () => ({ type: "dashboard", dashboard: FACTS.dashboard }) },
  poll: async () => null,
  readPullState: async () => "unread",
  readPullEnd: async () => ({ state: "unread", lastCommitAt: "", hasLaterCommits: null }),
  readDocumented: async () => null,
};

/** An action that hands over each waiting group by itself. */
export const ACTION: BatchAction<null, null> = {
  rules: RULES,
  read: async () => null,
  choose: (revision) => ({
    revision,
    handOvers: revision.ledger.waiting.map(({ changes, attempts }) => ({
      changes,
      attempt: attempts + 1,
      followUp: null,
      jobId: null,
      prompt: "Document it.",
    })),
    reason: "idle",
    notes: null,
  }),
  deliver: () => Promise.reject(new Error("nothing is delivered")),
  sent: sentOf,
  goesOn: (_, deliveries) => deliveries.length < 1,
};
