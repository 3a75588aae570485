/** Mistakes in a set-up that doctor finds. A visitor chooses some for a run of doctor; then they are corrected. */

import { HttpError } from "../../emulator/http/http-error.ts";
import type { LocalWorld } from "../../emulator/local-world/index.ts";

interface Mistake {
  /** For the visitor. */
  label: string;
  make(world: LocalWorld): unknown;
  correct(world: LocalWorld): unknown;
}

/** The workflow file of the repository, whose schedule doctor looks for. */
export const WORKFLOW_FILE = ".github/workflows/docs.yml";
/** By the name that a form sends. */
export const MISTAKES: Record<string, Mistake> = {
  key: {
    label: "The key has expired",
    make: ({ service }) => service.setScopes(null),
    correct: ({ service }) => service.setScopes(["read", "write"]),
  },
  permission: {
    label: "The job may not write issues",
    make: ({ github }) => github.restrict({ issues: "read" }),
    correct: ({ github }) => github.restrict({}),
  },
  rule: {
    label: "A rule protects refs below refs/docs-agent/",
    make: ({ github: { home } }) => {
      home.protectedRefs = "^refs/docs-agent/";
    },
    correct: ({ github: { home } }) => {
      home.protectedRefs = "";
    },
  },
  issues: {
    label: "Issues are disabled",
    make: ({ github: { home } }) => {
      home.hasIssues = false;
    },
    correct: ({ github: { home } }) => {
      home.hasIssues = true;
    },
  },
  schedule: {
    label: "GitHub disabled the schedule after 60 days without activity",
    make: ({ github: { home } }) => home.workflowStates.set(WORKFLOW_FILE, "disabled_inactivity"),
    correct: ({ github: { home } }) => home.workflowStates.delete(WORKFLOW_FILE),
  },
  queue: {
    label: "The branch has a merge queue, and no workflow runs for it",
    make: ({ github: { home } }) => {
      home.mergeRule = { queue: true, checks: ["build"] };
    },
    correct: ({ github: { home } }) => {
      home.mergeRule = {};
    },
  },
};

/** The chosen mistakes. @throws HttpError 422 if a name is unknown */
export function mistakesOf(names: readonly string[]): Mistake[] {
  return names.map((name) => {
    const mistake = Object.hasOwn(MISTAKES, name) ? MISTAKES[name] : undefined;
    if (mistake !== undefined) return mistake;
    throw new HttpError(
      422,
      `There is no mistake '${name}'. Choose of: ${Object.keys(MISTAKES).join(", ")}`,
    );
  });
}
