import { type Effect, GITHUB } from "./input-effects.ts";

/** What each input of doctor decides. A wrong value of most of them is a finding. */
export const DOCTOR_EFFECTS: Record<string, Effect> = {
  ...GITHUB,
  "api-key": { value: "mint_new", fields: { "apiKey.value": "mint_new" } },
  "project-id": { value: "other", fields: { "projectId.value": "other" } },
  "base-url": {
    value: "https://service.test",
    fields: { "baseUrl.value": "https://service.test/" },
  },
  "assistant-api-key": {
    value: "mint_dsc_new",
    fields: { "assistantApiKey.type": "valid", "assistantApiKey.value": "mint_dsc_new" },
  },
  domain: { value: "acme", fields: { "domain.type": "valid", "domain.value": "acme" } },
  actions: { value: "land\nroot", fields: { actions: ["root", "land"] } },
  repository: { value: "acme/docs", fields: { repository: "acme/docs" } },
  "ledger-ref": {
    value: "refs/heads/docs-ledger",
    fields: { ledgerRef: "refs/heads/docs-ledger" },
  },
  trial: { value: "false", fields: { trial: false } },
  "github-token": { value: "ghs_new", fields: { "githubToken.value": "ghs_new" } },
};
