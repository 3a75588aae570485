import type { ApiKeys } from "../github/markers.ts";
import type { ReadInput } from "./checks.ts";
import { keysOf } from "./keys.ts";

/** The inputs that a post step needs. */
export interface PostStepInputs {
  apiKey: string;
  /** Those that markers are read with; the first signs. */
  keys: ApiKeys;
  githubToken: string;
}

/** Reads the inputs that a post step needs; its main step has checked them. */
export function readRecoverInputs(read: ReadInput): PostStepInputs {
  const apiKey = read("api-key");
  const keys = keysOf(apiKey, read("previous-api-key").trim());
  return { apiKey, keys, githubToken: read("github-token").trim() };
}
