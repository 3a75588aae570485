import type { ApiKeys } from "../github/markers.ts";

/** The keys that markers are read with; the first signs. */
export function keysOf(apiKey: string, previousApiKey: string): ApiKeys {
  return previousApiKey === "" ? [apiKey] : [apiKey, previousApiKey];
}
