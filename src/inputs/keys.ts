import type { ApiKeys } from "../github/markers.ts";

/** The keys that markers are read with; the first signs. */
export function keysOf(data: { "api-key": string; "previous-api-key": string }): ApiKeys {
  const previous = data["previous-api-key"];
  return previous === "" ? [data["api-key"]] : [data["api-key"], previous];
}
