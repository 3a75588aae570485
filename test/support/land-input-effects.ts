import { KEYS, LEDGER, type ParsedAction } from "./input-effects.ts";

/** What inputs of land decide, but for those that decide the field of their own name. */
export const LAND_EFFECTS: ParsedAction["effects"] = {
  ...LEDGER,
  ...KEYS,
  reviewers: { value: "team:docs", fields: { reviewers: ["team:docs"] } },
  assignees: { value: "ada", fields: { assignees: ["ada"] } },
  "hold-labels": { value: "wait", fields: { holdLabels: ["wait"] } },
  labels: { value: "docs", fields: { labels: ["docs"] } },
  checks: { value: "ignore", fields: { checks: "ignore" } },
  "ignore-checks": { value: "cla", fields: { ignoreChecks: ["cla"] } },
  "allowed-committers": {
    value: "pre-commit-ci[bot]",
    fields: { allowedCommitters: ["pre-commit-ci[bot]"] },
  },
  reviews: { value: "ignore", fields: { reviews: "ignore" } },
  conflicts: { value: "ignore", fields: { conflicts: "ignore" } },
  "allowed-bots": { value: "Helper[bot]", fields: { allowedBots: ["helper[bot]"] } },
  merge: { value: "approved", fields: { merge: "approved" } },
  "allowed-paths": { value: "docs/**", fields: { allowedPaths: ["docs/a.md"] } },
  "required-checks": { value: "build", fields: { requiredChecks: ["build"] } },
  "merge-method": { value: "rebase", fields: { mergeMethod: "rebase" } },
  "merge-delay-hours": { value: "2", fields: { mergeDelay: 7_200_000 } },
  "remind-after-days": { value: "1", fields: { remindAfter: 86_400_000 } },
  "close-after-days": { value: "1", fields: { closeAfter: 86_400_000 } },
  ledgers: {
    value: "refs/heads/docs-ledger",
    fields: { ledgers: ["refs/heads/docs-ledger"] },
  },
};
