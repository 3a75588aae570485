/** Acts on docs pull requests. GitHub's refusals are warnings, and do not stop the other pull requests. */

import { startBuild } from "../job/build.ts";
import { deliver, SERVICE_LIMIT } from "../job/send.ts";
import type { Done } from "../ledger/program.ts";
import { type Delivery, notSent, type PlainError } from "../runtime/delivery.ts";
import type { ErrorKind } from "../runtime/errors.ts";
import {
  isFromBetween,
  isOutOfCredits,
  isPassing,
  isStatus,
  orServiceError,
  ServiceError,
} from "../service/errors.ts";
import { sentence } from "../text/sentence.ts";
import { shortHash } from "../text/short-hash.ts";
import { type ActOf, accepted, type LandAct, type LandTerms, type LandValue } from "./acts.ts";
import { commentText } from "./comment.ts";
import type { LandRun } from "./land-run.ts";
import { decisionAfter, entryAfterAll } from "./outcome.ts";
import { performMerging } from "./perform-merging.ts";
import { PullWrites } from "./pull-writes.ts";

/** How long the request for a build may be repeated, in milliseconds: nobody waits for the build. */
const BUILD_LIMIT = 30_000;
const IF_UNCERTAIN = "Look at the pull request for what the agent does.";

/** Performs the acts of a run's plan. */
export class Performer {
  readonly #run: LandRun;
  readonly #writes: PullWrites;

  constructor(run: LandRun) {
    this.#run = run;
    this.#writes = new PullWrites(run.connect, run.dependencies.log);
  }

  /** @param done what the run has done before */
  async perform(act: LandAct, done: readonly Done<LandTerms>[]): Promise<Delivery<LandValue>> {
    switch (act.type) {
      case "set-up":
        return accepted(await this.#writes.setUp(act));
      case "preview":
        return await this.#startPreview(act);
      case "follow-up":
        return await this.#followUp(act);
      case "merge":
      case "enqueue":
      case "update":
        return await performMerging(act, this.#run.connect, this.#writes);
      case "close":
        return await this.#close(act);
      case "explain":
        return await this.#explain(act, done);
      case "remind":
        return await this.#remind(act);
      case "comment":
        return await this.#keepComment(act, done);
      case "release":
        return accepted({ type: "unchanged" });
      case "build":
        return await this.#startBuild(act, done);
    }
  }

  async #startPreview({ place, branch, head }: ActOf<"preview">): Promise<Delivery<LandValue>> {
    const { builds, dependencies } = this.#run;
    const signal = dependencies.cancellation.stop;
    const started = await orServiceError(builds.startPreview(branch, { signal }));
    if (!(started instanceof ServiceError)) {
      const { statusId, previewUrl: url } = started;
      const preview = { head, state: "building", statusId, url } as const;
      return accepted({ type: "preview", preview });
    }
    const delivery = deliveryOfPreview(started);
    const advice =
      delivery.type === "refused"
        ? "Check that previews are in your plan, or set `preview: false`."
        : "The next run tries again.";
    this.#writes.warn(place, `No preview could be built: ${sentence(started.message)} ${advice}`);
    return delivery;
  }

  async #followUp({ place, jobId, prompt }: ActOf<"follow-up">): Promise<Delivery<LandValue>> {
    const { agent, dependencies } = this.#run;
    const delivery = await deliver(agent, jobId, prompt, IF_UNCERTAIN, dependencies);
    if (delivery.type === "accepted") return accepted({ type: "sent" });
    if (delivery.type === "limited") dependencies.log.warning(SERVICE_LIMIT);
    const isSaid = delivery.type === "refused" && delivery.by !== "content";
    if ("error" in delivery && delivery.error !== null && !isSaid) {
      const { problem, advice } = delivery.error;
      this.#writes.warn(place, sentence(advice === null ? problem : `${problem} ${advice}`));
    }
    return delivery;
  }

  async #close({ place }: ActOf<"close">): Promise<Delivery<LandValue>> {
    const delivery = await this.#writes.close(place);
    return delivery.type === "accepted" ? accepted({ type: "closed" }) : delivery;
  }

  async #explain(
    { id, place, isClosed, text }: ActOf<"explain">,
    done: readonly Done<LandTerms>[],
  ): Promise<Delivery<LandValue>> {
    const isByRun = done.some(({ act, delivery }) => {
      return act.id === id && act.type === "close" && delivery.type === "accepted";
    });
    if (!isClosed && !isByRun) return notSent("held-back");
    const delivery = await this.#writes.comment(place, "close", text);
    return delivery.type === "accepted" ? accepted({ type: "explained" }) : delivery;
  }

  async #keepComment(
    { id, place, subject }: ActOf<"comment">,
    done: readonly Done<LandTerms>[],
  ): Promise<Delivery<LandValue>> {
    const before = done.filter(({ act }) => act.id === id);
    const entry = entryAfterAll(subject.entry, before);
    const decision = decisionAfter(subject.decision, before, entry, this.#run.store.now);
    const text = commentText({ ...subject, entry, decision }, this.#run.inputs);
    const digest = shortHash(text);
    if (subject.entry.comment?.digest === digest) return accepted({ type: "unchanged" });
    const delivery = await this.#writes.comment(place, "status", text);
    return delivery.type === "accepted" ? accepted({ type: "commented", digest }) : delivery;
  }

  async #remind({ place, text }: ActOf<"remind">): Promise<Delivery<LandValue>> {
    const delivery = await this.#writes.comment(place, "reminder", text);
    return delivery.type === "accepted" ? accepted({ type: "reminded" }) : delivery;
  }

  async #startBuild(
    { isDue }: ActOf<"build">,
    done: readonly Done<LandTerms>[],
  ): Promise<Delivery<LandValue>> {
    const isMerged = done.some(
      ({ act, delivery }) => act.type === "merge" && delivery.type === "accepted",
    );
    if (!isDue && !isMerged) return accepted({ type: "unchanged" });
    const { builds, dependencies } = this.#run;
    const { clock, log } = dependencies;
    const deadline = clock.now() + BUILD_LIMIT;
    const sent = await startBuild(builds, { type: "deployment" }, deadline, dependencies);
    if (sent.type === "accepted") {
      log.info(`Started build ${sent.reply.statusId} of the documentation, because of a merge.`);
      return accepted({ type: "started" });
    }
    const { kind, problem, advice, message } = sent.explained;
    const text = "The documentation was merged, but the service has not confirmed a build of it:";
    // What may pass needs nobody.
    const passes = isPassing(sent.error);
    log.warning(`${text} ${passes ? problem : message} The next run tries again.`);
    const error = { kind, problem, advice };
    if (sent.type === "uncertain") return { type: "uncertain", reason: problem, error };
    return passes ? notSent("unreached", error) : { type: "refused", by: "right", error };
  }
}

/** The plan has no previews, or the branch is gone: it is requested again for new commits. */
function deliveryOfPreview({ failure, message }: ServiceError): Delivery<LandValue> {
  const error = (kind: ErrorKind): PlainError => ({
    kind,
    problem: sentence(message),
    advice: null,
  });
  if (isOutOfCredits(failure)) {
    return { type: "refused", by: "credits", error: error("out-of-credits") };
  }
  if (isStatus(failure, 429)) return { type: "limited" };
  if (isFromBetween(failure)) {
    return { type: "refused", by: "content", error: error("bad-request") };
  }
  if (isStatus(failure, 403)) return { type: "refused", by: "right", error: error("forbidden") };
  if (isStatus(failure, 404)) return { type: "refused", by: "state", error: error("not-found") };
  if (isStatus(failure, 400, 422)) {
    return { type: "refused", by: "content", error: error("bad-request") };
  }
  return { type: "uncertain", reason: message, error: null };
}

/** Whether an act is still begun after what the run has done before. */
export function shouldRun({ type, id }: LandAct, done: readonly Done<LandTerms>[]): boolean {
  // The comment on a docs pull request still says what has come of it.
  const isKeyRefused = done.some(({ act, delivery }) => {
    return delivery.type === "refused" && delivery.by === "key" && act.id !== id;
  });
  const isLimited = done.some(({ act, delivery }) => act.type === type && acceptsNoMore(delivery));
  return !isKeyRefused && !isLimited;
}

/** Whether the service accepts no more of such requests for now. */
function acceptsNoMore(delivery: Delivery<LandValue>): boolean {
  return delivery.type === "limited" || (delivery.type === "refused" && delivery.by === "credits");
}
