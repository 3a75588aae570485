import type { ApiKeys } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import { input, type ReadInput, type ValuesOf, valuesOf } from "./checks.ts";
import { GITHUB_ACCESS, PHRASE, withApiUrl } from "./github.ts";
import { checkServiceInputs, keysOf, PREVIOUS_KEY, PROJECT } from "./service.ts";

const DAY = 24 * 60 * 60_000;
const MAX_DAYS = 366;

const COLLECT = {
  ...PROJECT,
  ...PREVIOUS_KEY,
  days: input(
    `a positive number of days up to ${MAX_DAYS}, such as 7 or 0.5`,
    (text) => {
      const value = /^\+?(\d+(\.\d*)?|\.\d+)$/.test(text.trim()) ? Number(text) : 0;
      return value > 0 && value <= MAX_DAYS ? value * DAY : undefined;
    },
    { fallback: "7" },
  ),
  ...PHRASE,
  ...GITHUB_ACCESS,
};

/** The inputs of collect, checked. */
export interface CollectInputs extends ValuesOf<typeof COLLECT> {
  /** Those that markers are read with; the first signs. */
  keys: ApiKeys;
  /** How far back comments are read, in milliseconds. */
  days: number;
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
  const values = valuesOf(checkServiceInputs(COLLECT, withApiUrl(read, apiUrl)));
  return { ...values, keys: keysOf(values.apiKey, values.previousApiKey) };
}
