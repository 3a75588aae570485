import * as z from "zod/mini";
import { connector } from "../../github/connect.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { LedgerRef } from "../git/ledger-ref.ts";
import { type LedgerPort, perform } from "../protocol/port.ts";
import { recordKilled } from "../protocol/send-batches.ts";
import { gitPort } from "./ledger-port.ts";
import type { SavedLedgerRun } from "./ledger-run.ts";

const sent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("accepted"), jobId: z.string(), isFollowUp: z.boolean() }),
  z.object({ type: z.literal("rejected"), why: z.string() }),
  z.object({ type: z.literal("withdrawn") }),
  z.object({ type: z.literal("uncertain"), why: z.string() }),
]);

const savedRun: z.ZodMiniType<SavedLedgerRun> = z.object({
  settings: z.object({
    identity: z.object({ action: z.string(), project: z.string() }),
    rules: z.object({ maxAttempts: z.number(), deadline: z.number(), tells: z.boolean() }),
    ...{ runName: z.string(), ref: z.string() },
  }),
  ...{ repository: z.string(), githubApiUrl: z.string() },
  memory: z.object({ batches: z.array(z.object({ id: z.string(), sent })) }),
});

/**
 * The post step of a run that was killed, or that could not write down what became of its requests: writes
 * down what is still known.
 *
 * @param saved what the main step has left
 */
export async function recordKilledRun(
  saved: unknown,
  githubToken: string,
  dependencies: Dependencies,
): Promise<void> {
  const { log } = dependencies;
  const { data } = savedRun.safeParse(saved);
  if (data === undefined) {
    log.warning("The state of the main step cannot be read. What it sent may need a decision.");
    return;
  }
  const { settings, repository, githubApiUrl, memory } = data;
  const connect = connector({ githubToken, githubApiUrl: new URL(githubApiUrl) }, dependencies);
  const ref = new LedgerRef(repository, settings.ref, connect);
  // Nothing but git is needed to write down what is known.
  const port = gitPort(ref, dependencies) as LedgerPort;
  const recorded = await perform(recordKilled(settings, memory), port);
  const jobs = memory.batches.flatMap((it) => (it.sent.type === "accepted" ? [it.sent.jobId] : []));
  const known = jobs.length === 0 ? "" : ` Jobs that were started: ${jobs.join(", ")}.`;
  if ("sha" in recorded) log.info(`What the run has sent is recorded.${known}`);
  else {
    const why = "problem" in recorded ? recorded.problem : `${recorded.failed}.`;
    log.warning(`What the run has sent could not be recorded: ${why}${known}`);
  }
}
