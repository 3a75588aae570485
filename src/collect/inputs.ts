import type { ApiKeys } from "../github/conversation/markers.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import { durationIn, parseInputs, type ReadInput } from "../inputs/checks.ts";
import {
  type GitHubAccess,
  githubAccess,
  markerKeys,
  type ProjectInputs,
  project,
  triggerPhrase,
} from "../inputs/shared.ts";

/** @throws ActionError `invalid-input` with every invalid input */
export function parseCollectInputs(
  read: ReadInput,
  context: RunContext,
): ProjectInputs &
  GitHubAccess & {
    keys: ApiKeys;
    /** How far back comments are read, in milliseconds. */
    days: number;
    /** Empty if nobody is invited to make further requests. */
    triggerPhrase: string | null;
  } {
  return parseInputs(read, (input) => ({
    ...project(input),
    keys: markerKeys(input, read),
    days: input("days", durationIn("days", "7", 366)),
    triggerPhrase: triggerPhrase(input),
    ...githubAccess(input, context, true),
  }));
}
