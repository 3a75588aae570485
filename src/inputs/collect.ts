import * as z from "zod/mini";
import type { ApiKeys } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import { input, invalid, type ReadInput, readAll } from "./checks.ts";
import { gitHubAccessChecks } from "./github-access.ts";
import { keysOf } from "./keys.ts";
import { phraseCheck } from "./phrase.ts";
import { previousKeyCheck, problemsOf, projectChecks } from "./service.ts";

const DAY = 24 * 60 * 60_000;
const MAX_DAYS = 366;

const schema = z.object({
  ...projectChecks,
  ...previousKeyCheck,
  days: input(
    `a positive number of days up to ${MAX_DAYS}, such as 7 or 0.5`,
    (text) => {
      const value = /^\+?(\d+(\.\d*)?|\.\d+)$/.test(text.trim()) ? Number(text) : 0;
      return value > 0 && value <= MAX_DAYS ? value * DAY : undefined;
    },
    { fallback: "7" },
  ),
  ...phraseCheck,
  ...gitHubAccessChecks,
});

/** The inputs of collect, checked. */
export interface CollectInputs {
  apiKey: string;
  /** Those that markers are read with; the first signs. */
  keys: ApiKeys;
  projectId: string;
  baseUrl: URL;
  /** How far back comments are read, in milliseconds. */
  age: number;
  /** For the invitations; empty: nobody is invited. */
  triggerPhrase: string;
  githubToken: string;
  githubApiUrl: URL;
}

/**
 * Reads and checks every input of collect.
 *
 * @param context tells GitHub's own API address, for when the input is empty
 * @throws ActionError `invalid-input`, naming every input that is wrong
 */
export function parseCollectInputs(
  read: ReadInput,
  { apiUrl }: Pick<RunContext, "apiUrl">,
): CollectInputs {
  const raw = readAll(schema.shape, read);
  raw["github-api-url"] ||= apiUrl;
  const { data, error } = schema.safeParse(raw);
  const problems = problemsOf(raw, error);
  if (data === undefined || problems.length > 0) throw invalid(problems);
  return {
    apiKey: data["api-key"],
    keys: keysOf(data),
    projectId: data["project-id"],
    baseUrl: data["base-url"],
    age: data.days,
    triggerPhrase: data["trigger-phrase"],
    githubToken: data["github-token"],
    githubApiUrl: data["github-api-url"],
  };
}
