/** Acts on a docs pull request. GitHub's refusals are warnings, and do not stop the other pull requests. */

import { isFinal } from "../github/api/refusal.ts";
import { startBuild } from "../job/build.ts";
import { deliver, SERVICE_LIMIT } from "../job/send.ts";
import { MINUTE } from "../runtime/clock.ts";
import type { ActionError } from "../runtime/errors.ts";
import { isPassing, isStatus, ServiceError } from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";
import { shortHash } from "../text/short-hash.ts";
import type {
  ActResult,
  Close,
  DoneAct,
  KeepComment,
  LandAct,
  LandResult,
  PullPlace,
  Remind,
  SendFollowUp,
  StartBuild,
  StartPreview,
} from "./acts.ts";
import { commentText } from "./comment.ts";
import { performMerging } from "./perform-merging.ts";
import { entryAfterAll, stepAfter } from "./results.ts";
import type { LandRun } from "./run.ts";
import { PullWrites } from "./writes.ts";

/**
 * How long after reading a run may act on what it has read, in milliseconds. The engine's limit counts from the
 * decision, but reading may take minutes before that.
 */
const MOST_AGE = 5 * MINUTE;
/** How long the request for a build may be repeated, in milliseconds: nobody waits for the build. */
const BUILD_LIMIT = 30_000;
const IF_UNCERTAIN = "Look at the pull request for what the agent does.";

/** Performs the acts of a run's plan. */
export class Performer {
  readonly #run: LandRun;
  readonly #writes: PullWrites;

  constructor(run: LandRun) {
    this.#run = run;
    this.#writes = new PullWrites(run);
  }

  /** @param done what the run has done before */
  async perform(act: LandAct, done: readonly DoneAct[]): Promise<ActResult> {
    if (isReadTooLongAgo(act, this.#run.store.now)) return { type: "outdated" };
    switch (act.type) {
      case "set-up":
        return await this.#writes.setUp(act);
      case "preview":
        return await this.#startPreview(act);
      case "follow-up":
        return await this.#followUp(act);
      case "merge":
      case "enqueue":
      case "update":
        return await performMerging(act, this.#run);
      case "close":
        return await this.#close(act);
      case "remind":
        return await this.#remind(act);
      case "comment":
        return await this.#keepComment(act, done);
      case "release":
        return { type: "unchanged" };
      case "build":
        return await this.#startBuild(act, done);
    }
  }

  async #startPreview({ place, branch, head }: StartPreview): Promise<LandResult> {
    try {
      const { builds, dependencies } = this.#run;
      const signal = dependencies.cancellation.stop;
      const { statusId, previewUrl: url } = await builds.startPreview(branch, { signal });
      return { type: "preview", preview: { head, state: "building", statusId, url } };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const reason = sentence(error.message);
      // The plan has no previews, or the branch is gone. It is requested again for new commits.
      const isFinal = isStatus(error.failure, 400, 403, 404, 422);
      const advice = isFinal
        ? "Check that previews are in your plan, or set `preview: false`."
        : "The next run tries again.";
      this.#warn(place, `No preview could be built: ${reason} ${advice}`);
      if (isFinal) return { type: "preview", preview: { head, state: "refused", reason } };
      return { type: isStatus(error.failure, 429) ? "limited" : "not-done" };
    }
  }

  async #followUp({ place, jobId, prompt }: SendFollowUp): Promise<ActResult> {
    const { agent, dependencies } = this.#run;
    const delivery = await deliver(agent, jobId, prompt, IF_UNCERTAIN, dependencies);
    switch (delivery.type) {
      case "accepted":
        return { type: "accepted" };
      case "limited":
        dependencies.log.warning(SERVICE_LIMIT);
        return { type: "limited" };
      case "busy":
        return { type: "busy" };
      case "refused":
        if (delivery.by === "key") return keyRefused(delivery.error);
        if (delivery.by === "content") this.#warn(place, sentence(delivery.error.message));
        return { type: "refused", by: delivery.by };
      case "not-started":
        this.#warn(place, sentence(delivery.error.message));
        return { type: "withdrawn" };
      case "uncertain":
        this.#warn(place, sentence(delivery.error.message));
        return { type: "uncertain", reason: delivery.reason };
    }
  }

  async #close({ place, text, circumstances }: Close): Promise<LandResult> {
    const refusal = await this.#writes.close(place);
    if (refusal === null) {
      await this.#writes.comment(place, "close", text);
      return { type: "closed" };
    }
    const reason = `It could not be closed: ${refusal.reason}.`;
    if (isFinal(refusal)) return { type: "unclosable", reason, circumstances };
    this.#writes.info(place, `${reason} The next run tries again.`);
    return { type: "not-done" };
  }

  async #keepComment(
    { id, place, subject }: KeepComment,
    done: readonly DoneAct[],
  ): Promise<LandResult> {
    const { entry, facts, step } = subject;
    const before = done.filter(({ act }) => act.id === id);
    const { inputs } = this.#run;
    const text = commentText(entryAfterAll(entry, before), facts, stepAfter(step, before), inputs);
    const digest = shortHash(text);
    if (entry.comment?.digest === digest) return { type: "unchanged" };
    const attempt = await this.#writes.comment(place, "status", text);
    if (attempt === "locked") return { type: "locked" };
    return attempt === "done" ? { type: "commented", digest } : { type: "not-done" };
  }

  async #remind({ place, text }: Remind): Promise<LandResult> {
    const attempt = await this.#writes.comment(place, "reminder", text);
    if (attempt === "locked") return { type: "locked" };
    return { type: attempt === "done" ? "reminded" : "not-done" };
  }

  async #startBuild({ isDue }: StartBuild, done: readonly DoneAct[]): Promise<LandResult> {
    if (!isDue && !done.some(({ result }) => result.type === "merged")) {
      return { type: "unchanged" };
    }
    const { builds, dependencies } = this.#run;
    const { clock, log } = dependencies;
    const deadline = clock.now() + BUILD_LIMIT;
    const sent = await startBuild(builds, { type: "deployment" }, deadline, dependencies);
    if (sent.type === "accepted") {
      log.info(`Started build ${sent.reply.statusId} of the documentation, because of a merge.`);
      return { type: "started" };
    }
    const { problem, message } = sent.explained;
    const text = "The documentation was merged, but the service has not confirmed a build of it:";
    // What may pass needs nobody.
    log.warning(`${text} ${isPassing(sent.error) ? problem : message} The next run tries again.`);
    return { type: "not-done" };
  }

  #warn(place: PullPlace, text: string): void {
    this.#writes.warn(place, text);
  }
}

function keyRefused({ kind, problem, advice }: ActionError): LandResult {
  return { type: "refused", by: "key", error: { kind, problem, advice } };
}

/** Whether somebody may have spoken against an act since its reading, if that took long. @param now GitHub's time */
export function isReadTooLongAgo(act: LandAct, now: number): boolean {
  return "readAt" in act && now - act.readAt >= MOST_AGE;
}

/** Whether an act is still begun after what the run has done before. */
export function goesOn({ type, id }: LandAct, done: readonly DoneAct[]): boolean {
  // The comment on a docs pull request still says what has come of it.
  const isKeyRefused = done.some(({ act, result }) => {
    return result.type === "refused" && result.by === "key" && act.id !== id;
  });
  const isLimited = done.some(({ act, result }) => result.type === "limited" && act.type === type);
  return !isKeyRefused && !isLimited;
}
