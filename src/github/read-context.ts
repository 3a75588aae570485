import type { Inputs } from "../inputs/inputs.ts";
import type { Log } from "../log.ts";
import { changedFiles } from "./comments.ts";
import type { Connect } from "./connect.ts";
import { renderContext, sectionsOf } from "./context.ts";
import { type Given, isOnPullRequest, triggeringSubject } from "./given.ts";
import { explainRefusal } from "./refusal.ts";
import type { Request } from "./trigger.ts";

export interface Reading {
  inputs: Pick<Inputs, "includeContext">;
  given: Given;
  connect: Connect;
  log: Log;
  request: Request | null;
}

/** What triggered the run, quoted, to stand after the prompt; empty when it is not wanted. */
export async function readContext(reading: Reading): Promise<string> {
  const { inputs, given, request } = reading;
  const isWanted =
    inputs.includeContext === "true" || (inputs.includeContext === "auto" && request !== null);
  if (!isWanted) return "";
  const files = isOnPullRequest(given) ? await readChangedFiles(reading) : [];
  return renderContext(sectionsOf(given, files));
}

async function readChangedFiles({ given, connect, log }: Reading): Promise<string[]> {
  const { repository } = given;
  const issue = triggeringSubject(given)?.number;
  if (issue === undefined) return [];
  try {
    return await changedFiles(await connect(), { repository, issue });
  } catch (error) {
    const { why } = explainRefusal(error, "pull-requests: read");
    log.warning(`The changed files could not be read: ${why}. The prompt goes without them.`);
    return [];
  }
}
