import type { ApiKeys } from "../github/markers.ts";
import type { PollPace } from "../job/schedule.ts";
import { type KeyKind, keyKindOf, prefixOf } from "../service/keys.ts";
import {
  type Checked,
  checkInputs,
  hidden,
  httpUrl,
  input,
  isSegment,
  positive,
  type ReadInput,
  type Shape,
  secureUrl,
  type ValuesOf,
  withoutPassword,
} from "./checks.ts";

const MINUTE = 60_000;
const SECOND = 1000;

/** Address of the service when none is given. */
const DEFAULT_SERVICE = "https://api.mintlify.com";

/** The inputs that say where the service is, and who asks it. */
export const SERVICE = {
  "api-key": input(
    "only the key: letters, digits and punctuation, without line breaks or spaces. Save the secret again",
    (text) => (/^[\x21-\x7E]+$/.test(text) ? text : undefined),
    { show: hidden },
  ),
  "base-url": input(
    "an https: URL (http: only for localhost), without user name, password, ? or #",
    secureUrl,
    { show: withoutPassword, fallback: DEFAULT_SERVICE },
  ),
};

/** The key before the last rotation, for the actions that sign markers. */
export const PREVIOUS_KEY = {
  "previous-api-key": input(
    "only the key: letters, digits and punctuation, without line breaks or spaces. Save the secret again, or remove the input",
    (text) => (/^[\x21-\x7E]*$/.test(text) ? text : undefined),
    { show: hidden },
  ),
};

/** The same, for the actions that work on a project. */
export const PROJECT = {
  ...SERVICE,
  "project-id": input("the project ID from the dashboard (not . or ..)", (text) =>
    text.trim() !== "" && isSegment(text.trim()) ? text.trim() : undefined,
  ),
};

/** Reads the inputs of a shape that has those of the service: a key that is of no use here is a problem, too. */
export function checkServiceInputs<S extends Shape>(
  shape: S,
  read: ReadInput,
  keyKind: KeyKind = "admin",
): Checked<ValuesOf<S>> {
  const { values, problems } = checkInputs(shape, read);
  const key = read("api-key");
  if (key.trim() !== "") {
    return { values, problems: [...mixedUp(keyKind, key, read("base-url")), ...problems] };
  }
  const others = problems.filter((problem) => !problem.startsWith("api-key:"));
  return { values, problems: [noKey(keyKind), ...others] };
}

function noKey(keyKind: KeyKind): string {
  return `api-key: an empty value is not allowed: it must be an ${keyKind} API key. If it comes from a secret, check the secret's name. GitHub passes no secrets to workflows triggered from a fork, and only Dependabot secrets to workflows triggered by Dependabot.`;
}

/** A key of the wrong kind, recognized before it is sent anywhere. */
function mixedUp(needed: KeyKind, key: string, service: string): string[] {
  const url = httpUrl(service.trim() === "" ? DEFAULT_SERVICE : service);
  if (url?.host !== new URL(DEFAULT_SERVICE).host) return [];
  const kind = keyKindOf(key);
  if (kind === null || kind === needed) return [];
  return [
    `api-key: an ${kind} key is not allowed here: it must be an ${needed} API key, which begins with ${prefixOf(needed)}. You create both kinds of keys on the API keys page of the dashboard.`,
  ];
}

/** The inputs of the actions that can wait for a job. */
export const WAIT = {
  "timeout-minutes": positive("minutes", MINUTE, "30"),
  "poll-interval-seconds": positive("seconds", SECOND, "3"),
  "poll-max-interval-seconds": positive("seconds", SECOND, "15"),
};

/** The pace of the polls. */
export function paceOf({ pollInterval, pollMaxInterval }: ValuesOf<typeof WAIT>): PollPace {
  return { initial: pollInterval, max: pollMaxInterval };
}

/** The keys that markers are read with; the first signs. */
export function keysOf(apiKey: string, previousApiKey: string): ApiKeys {
  return previousApiKey === "" ? [apiKey] : [apiKey, previousApiKey];
}
