import type { ApiKeys } from "../github/markers.ts";
import type { RunContext } from "../github/run-context.ts";
import { positive, type ReadInput, type ValuesOf, valuesOf } from "./checks.ts";
import { GITHUB_ACCESS, PHRASE, withApiUrl } from "./github.ts";
import { checkServiceInputs, keysOf, PREVIOUS_KEY, PROJECT } from "./service.ts";

const DAY = 24 * 60 * 60_000;
const MAX_DAYS = 366;

const COLLECT = {
  ...PROJECT,
  ...PREVIOUS_KEY,
  days: positive("days", DAY, "7", MAX_DAYS),
  ...PHRASE,
  ...GITHUB_ACCESS,
};

/** The inputs of collect. */
export interface CollectInputs extends ValuesOf<typeof COLLECT> {
  /** The keys for reading markers. The first one signs. */
  keys: ApiKeys;
  /** How far back comments are read, in milliseconds. */
  days: number;
}

/**
 * Reads and checks every input of collect.
 *
 * @param context contains the default of `github-api-url`
 * @throws ActionError `invalid-input` with every invalid input
 */
export function parseCollectInputs(
  read: ReadInput,
  { apiUrl }: Pick<RunContext, "apiUrl">,
): CollectInputs {
  const values = valuesOf(checkServiceInputs(COLLECT, withApiUrl(read, apiUrl)));
  return { ...values, keys: keysOf(values.apiKey, values.previousApiKey) };
}
