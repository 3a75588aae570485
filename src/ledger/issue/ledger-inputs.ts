import type { ApiKeys } from "../../github/markers.ts";

/** The inputs of every action that keeps a ledger on an issue, checked. */
export interface LedgerInputs {
  apiKey: string;
  /** Those that markers are read with; the first is the API key. */
  keys: ApiKeys;
  projectId: string;
  baseUrl: URL;
  githubToken: string;
  githubApiUrl: URL;
  maxAttempts: number;
  /** Number of the issue; null: it is found by its label and marker, or opened. */
  dashboard: number | null;
  dryRun: boolean;
}

/** What the inputs give the post step. */
export type RecoverInputs = Pick<LedgerInputs, "keys" | "githubToken">;
