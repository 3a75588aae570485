/** Inputs of upkeep, and what it reads of a source, for tests. */

import { detailsOfKnown, type MergedChange } from "../../src/github/changes/change-details.ts";
import type { Pull } from "../../src/github/changes/history-records.ts";
import type { LandedChange } from "../../src/github/changes/landed-changes.ts";
import { parseUpkeepInputs, type UpkeepInputs } from "../../src/upkeep/inputs.ts";
import type { SourceFacts } from "../../src/upkeep/sources.ts";
import { contextOf } from "./run-context.ts";

/** The inputs of upkeep on `acme/code`, with these values in place of the defaults. */
export function upkeepInputs(values: Record<string, string> = {}): UpkeepInputs {
  const all: Record<string, string> = {
    "api-key": "mint_x",
    "project-id": "docs",
    "github-token": "ghs_x",
    repositories: "acme/code",
    "ignore-labels": "skip-docs",
    "ignore-authors": "dependabot[bot]",
    ...values,
  };
  return parseUpkeepInputs((name) => all[name] ?? "", contextOf("schedule"));
}

/** What was read of the branch `main` of `acme/code`. */
export function sourceFacts(over: Partial<SourceFacts> = {}): SourceFacts {
  const last = over.landed?.at(-1)?.details.change;
  return {
    repository: {
      id: 1,
      fullName: "acme/code",
      defaultBranch: "main",
      visibility: "public",
      isArchived: false,
      isFork: false,
      hasIssues: true,
    },
    branch: "main",
    head: "head",
    isDefault: true,
    formerBranch: null,
    isRewritten: false,
    isAside: false,
    // After the last change.
    cursor:
      last === undefined
        ? { sha: "a", date: "2026-11-01T00:00:00Z" }
        : { sha: `after-${last.key}`, date: last.landedAt },
    target: null,
    landed: [],
    endedKeys: new Set(),
    otherAgents: { links: [], branches: [] },
    ...over,
  };
}

/** A change that landed, by its pull request. */
export function landed(change: MergedChange, over: Partial<LandedChange> = {}): LandedChange {
  return {
    details: detailsOfKnown(change),
    pull: pullOf(change),
    former: null,
    ...over,
  };
}

function pullOf(change: MergedChange): Pull {
  return {
    number: change.number ?? 0,
    title: change.title,
    body: "",
    url: change.url,
    author: { login: change.author, name: "", isBot: false },
    labels: [],
    branch: "work",
    isFork: false,
    head: change.sha,
    base: "main",
    mergedAt: change.landedAt,
    mergeSha: change.sha,
    isOpen: false,
    repositoryId: 1,
  };
}
