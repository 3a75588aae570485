/** Reads why a job of a workflow failed. */

import { type Fact, mapFact } from "../../runtime/fact.ts";
import type { GitHub } from "../api/client.ts";

/** How much of a log is read, in lines and characters: its end says why the job failed. */
const LINES = 100;
const LENGTH = 4_000;
/** GitHub puts the time before each line. */
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z /gm;
const COLOUR = /\u001b\[[\d;]*m/g;

/** The end of a job's log. @param job ID of the job, which is that of its check run */
export async function jobLog(
  github: GitHub,
  repository: string,
  job: string,
): Promise<Fact<string>> {
  const fact = await github.actions.log({ repository, id: Number(job) });
  return mapFact(fact, (text) => {
    const log = text.replace(/^\uFEFF/, "");
    const lines = log.replaceAll(TIME, "").replaceAll(COLOUR, "").trimEnd().split(/\r?\n/);
    return lines.slice(-LINES).join("\n").slice(-LENGTH);
  });
}
