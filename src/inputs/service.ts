import type { ApiKeys } from "../github/markers.ts";
import type { PollPace } from "../job/poll.ts";
import { type KeyKind, keyKindOf, prefixOf } from "../service/errors.ts";
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

/** The default URL of the service. */
const DEFAULT_SERVICE = "https://api.mintlify.com";

/** The URL and the key of the service. */
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

/** The same, for the actions that need a project. */
export const PROJECT = {
  ...SERVICE,
  "project-id": input("the project ID from the dashboard (not . or ..)", (text) =>
    text.trim() !== "" && isSegment(text.trim()) ? text.trim() : undefined,
  ),
};

/** Reads and checks the inputs of a shape with `api-key` and `base-url`. A key of the wrong kind is a problem, too. */
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

/** Finds a key of the wrong kind before it is sent. */
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

export function paceOf({ pollInterval, pollMaxInterval }: ValuesOf<typeof WAIT>): PollPace {
  return { initial: pollInterval, max: pollMaxInterval };
}

/** The keys for reading markers. The first one signs. */
export function keysOf(apiKey: string, previousApiKey: string): ApiKeys {
  return previousApiKey === "" ? [apiKey] : [apiKey, previousApiKey];
}
