import type { Connect } from "../../github/connect.ts";
import type { GitRef } from "../../github/git-ref.ts";
import type { LabelledIssue } from "../../github/labelled-issue.ts";
import { readCommitTime, readPullRequest } from "../../github/pull-request.ts";
import { explainRefusal } from "../../github/refusal.ts";
import { STALE_LIMIT } from "../../job/poll.ts";
import { SinglePolls } from "../../job/wait.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { ActionError } from "../../runtime/errors.ts";
import type { Job, JobReader } from "../../service/agent.ts";
import { safeLink } from "../../text/link.ts";
import { type DashboardWords, renderDashboard } from "../dashboard/render.ts";
import type { Polled } from "../model/batch-events.ts";
import type { Batch } from "../model/ledger.ts";
import type { LedgerEdit } from "../model/ledger-edit.ts";
import { type LedgerPort, perform, type RunMemory, type Steps } from "../protocol/port.ts";

/** How long it is tried to write what must not be lost, in milliseconds. */
const PATIENCE = 5 * 60_000;
/** Delay before the second attempt, in milliseconds; each further one takes twice as long, up to the other. */
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;
/** How often it is tried again after a signal. */
const ATTEMPTS_AFTER_SIGNAL = 3;

/** What an action with a ledger adds to it: what there is to hand over, and how that is described. */
export type LedgerAction = Pick<LedgerPort, "choose" | "send"> &
  Partial<Pick<LedgerPort, "wait" | "tell">> & { dashboard(edit: LedgerEdit): DashboardWords };

export interface PortParts {
  ref: GitRef;
  issue: LabelledIssue;
  connect: Connect;
  reader: JobReader;
  action: LedgerAction;
  /** Address of GitHub for people. */
  serverUrl: string;
  dependencies: Dependencies;
  /** Saves what the post step needs; null: nothing is left to do for it. */
  remember(memory: RunMemory | null): void;
}

/** Does what a run of a ledger asks for: GitHub for ref and dashboard, the service for polls and requests. */
export function ledgerPort(parts: PortParts): LedgerPort {
  const { ref, issue, action, dependencies, connect, serverUrl } = parts;
  const { clock } = dependencies;
  const polls = new SinglePolls(dependencies);
  return {
    ...gitPort(ref, dependencies),
    readClock: async () => ({ monotonic: clock.now(), wall: clock.timeOfDay() }),
    poll: async (batch) => {
      const job = batch.jobId === null ? null : await polls.poll(parts.reader, batch.jobId);
      return polledBatch(job, batch, clock.timeOfDay());
    },
    readPullRequest: async (link) => {
      const { state, head } = await readPullRequest(link, serverUrl, connect);
      const isOver = state === "merged" || state === "closed";
      const lastCommitAt = isOver ? await readCommitTime(link, head, serverUrl, connect) : "";
      return { state, lastCommitAt };
    },
    choose: (edit, sha) => orUnavailable(() => action.choose(edit, sha)),
    send: (batch) => action.send(batch),
    wait: async (batch) => (await action.wait?.(batch)) ?? null,
    tell: async (untold) => (await action.tell?.(untold)) ?? [],
    remember: async (memory) => parts.remember(memory),
    readDashboard: (number) => issue.read(number),
    findDashboard: () => issue.find(),
    openDashboard: (body) => issue.open(body),
    writeDashboard: (number, body) => issue.write(number, body),
    render: async (edit, ticked) => renderDashboard(edit, ticked, action.dashboard(edit)),
  };
}

/** What GitHub refuses while an action finds out what there is ends the run. */
async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (typeof (error as { status?: unknown }).status !== "number") throw error;
    const { why } = explainRefusal(error, "contents: read");
    const what = `What there is to hand over could not be read: ${why}.`;
    throw new ActionError("github-unavailable", what, "Nothing was sent.", { cause: error });
  }
}

/** Runs steps that need nothing but git. */
export function performOnGit<T>(
  steps: Steps<T>,
  ref: GitRef,
  dependencies: Dependencies,
): Promise<T> {
  return perform(steps, gitPort(ref, dependencies) as LedgerPort);
}

/** What a ledger needs of git, and the patience with it. */
function gitPort(ref: GitRef, { clock, log, cancellation }: Dependencies) {
  let deadline = 0;
  return {
    readRef: ref.readRef.bind(ref),
    readFile: ref.readFile.bind(ref),
    commit: ref.commit.bind(ref),
    move: ref.move.bind(ref),
    contains: ref.contains.bind(ref),
    pause: async (attempt: number) => {
      const { stop } = cancellation;
      if (attempt === 1) deadline = clock.now() + PATIENCE;
      if (stop.aborted) return attempt <= ATTEMPTS_AFTER_SIGNAL;
      const backoff = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempt - 1));
      const delay = Math.max(backoff, ref.retryAfter ?? 0);
      if (clock.now() + delay > deadline) return false;
      if (attempt > 1) log.info(`The ledger is written again in ${Math.ceil(delay / 1000)} s.`);
      await clock.sleep(delay, stop);
      return true;
    },
  };
}

/**
 * What a poll says of a batch's job; null: nothing that could be read, or an end that may be the one from
 * before the follow-up.
 */
function polledBatch(
  job: Job | "unknown" | null,
  { isFollowUp, acceptedAt }: Pick<Batch, "isFollowUp" | "acceptedAt">,
  now: number,
): Polled | null {
  if (job === null) return null;
  if (job === "unknown") return { type: "unknown", status: "unknown", prLink: null, branch: null };
  const polled = polledOf(job);
  const age = now - Date.parse(acceptedAt ?? "");
  return polled.type !== "running" && isFollowUp && Math.abs(age) < STALE_LIMIT ? null : polled;
}

/** A job's record, as far as the ledger needs it. An archived job is done. */
export function polledOf({ status, prLink, ref }: Job): Polled {
  const told = { status, prLink: safeLink(prLink ?? ""), branch: ref };
  if (status === "completed" || status === "archived") return { type: "done", ...told };
  return { type: status === "failed" ? "failed" : "running", ...told };
}
