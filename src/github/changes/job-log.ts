/** Reads why a job of a workflow failed. */

import type { Octokit } from "@octokit/core";
import * as z from "zod/mini";
import { readAnswer } from "../api/answer.ts";
import { owned } from "../api/rest.ts";

/** How much of a log is read, in lines and characters: its end says why the job failed. */
const LINES = 100;
const LENGTH = 4_000;
/** GitHub puts the time before each line. */
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z /gm;
const COLOUR = /\u001b\[[\d;]*m/g;

/**
 * The end of a job's log.
 *
 * @param job ID of the job, which is that of its check run
 * @throws the errors of the client, or `UnusableAnswer`
 */
export async function readJobLog(
  github: Pick<Octokit, "request">,
  repository: string,
  job: string,
): Promise<string> {
  const route = "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs";
  const { data } = await github.request(route, { ...owned({ repository }), job_id: Number(job) });
  const log = readAnswer(z.string(), data).replace(/^\uFEFF/, "");
  const lines = log.replaceAll(TIME, "").replaceAll(COLOUR, "").trimEnd().split(/\r?\n/);
  return lines.slice(-LINES).join("\n").slice(-LENGTH);
}
