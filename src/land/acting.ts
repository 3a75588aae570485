import { deliver } from "../job/start.ts";
import type { freshness } from "../ledger/protocol/send-batches.ts";
import { type Head, Unavailable } from "../ledger/protocol/store.ts";
import { type ActionError, cancelledRun } from "../runtime/errors.ts";
import { sentence } from "../text/sentence.ts";
import { PullActs } from "./act.ts";
import { closedText } from "./decide.ts";
import type { Decision, Facts } from "./facts.ts";
import type { LandRun } from "./land-run.ts";
import type { Entry, LandEdit, LandLedger } from "./ledger.ts";
import { wait } from "./merging.ts";
import { followUpPrompt } from "./message.ts";
import { takeResults } from "./record.ts";
import { type LandOutcome, needsPreview, type Standing } from "./standing.ts";

/** Previews that the service builds for an organization in a minute. */
const MOST_PREVIEWS = 5;
const IF_UNCERTAIN = "Look at the pull request for what the agent does.";

/** What a run does once its intents are in the ledger: one docs pull request after the other. */
export class Acting {
  readonly #run: LandRun;
  readonly #isFresh: ReturnType<typeof freshness>;
  #isLimited = false;
  #previews = 0;
  #error: ActionError | null = null;

  /** @param isFresh counts from before it was read what was decided on */
  constructor(run: LandRun, isFresh: ReturnType<typeof freshness>) {
    this.#run = run;
    this.#isFresh = isFresh;
  }

  async act(
    head: Head<LandLedger>,
    standings: Standing[],
    busy: readonly Standing[],
  ): Promise<LandOutcome> {
    const { inputs, store, remember, dependencies } = this.#run;
    const results = busy.map(({ result }) => result);
    for (const standing of busy) {
      if (!this.#mayGoOn()) break;
      await this.#perform(standing, () => remember(results));
      remember(results);
    }
    for (const { entry, facts, decision, result } of standings) {
      if (facts === null || decision?.step.type !== "ended" || entry.comment === null) continue;
      if (this.#mayGoOn())
        await new PullActs(entry, result, this.#run).show({
          entry,
          facts,
          decision,
          rules: inputs,
        });
    }
    const stopped = dependencies.cancellation.stop.aborted ? cancelledRun() : null;
    const error = this.#error ?? stopped;
    const { ledger, sha, now } = head;
    if (busy.length === 0) return { ledger, sha, now, standings, error };
    const change = (edit: LandEdit) => takeResults(edit, store.options.runName, results);
    try {
      const after = await store.record(head, change);
      remember(null);
      return { ledger: after.ledger, sha: after.sha, now, standings, error };
    } catch (thrown) {
      if (!(thrown instanceof Unavailable)) throw thrown;
      const what = `What was done could not be recorded: ${thrown.why}. The post step tries again.`;
      dependencies.log.warning(what);
      return { ledger, sha, now, standings, error };
    }
  }

  #mayGoOn(): boolean {
    const { stop } = this.#run.dependencies.cancellation;
    return this.#isFresh() && this.#error === null && !stop.aborted;
  }

  async #perform(standing: Standing, remember: () => void): Promise<void> {
    const { inputs: rules } = this.#run;
    const { entry, decision, facts } = standing;
    if (decision === null || facts === null) return;
    const { step } = decision;
    const acts = new PullActs(entry, standing.result, this.#run);
    if (!entry.isSetUp) await acts.setUp(facts.pull.author);
    if (needsPreview(entry, facts, rules) && this.#previews < MOST_PREVIEWS) {
      const goesOn = await acts.startPreview(facts.pull.branch, facts.pull.head);
      this.#previews = goesOn ? this.#previews + 1 : MOST_PREVIEWS;
    }
    if (step.type === "follow-up") await this.#followUp(standing, remember);
    if (step.type === "close") await acts.close(step.why);
    if (step.type === "merge") {
      standing.needs = await acts.merge(facts.pull.head);
      standing.result.entry.needs = standing.needs;
      if (standing.needs !== "" && standing.needs !== entry.needs)
        this.#warn(entry, standing.needs);
    }
    if (decision.isReminder) await acts.remind();
    if (rules.comment) await acts.show(this.#shown(standing, facts, decision));
  }

  /** As it is after what was done. */
  #shown({ entry, result, needs }: Standing, facts: Facts, decision: Decision) {
    const { step } = decision;
    const isDone =
      step.type === "merge" || step.type === "close" ? result.ended !== undefined : true;
    const isSent = step.type !== "follow-up" || result.sent?.type === "accepted";
    const why = needs === "" ? "The next run tries again." : needs;
    const now =
      isDone && isSent ? step : needs === "" ? wait(why) : { type: "person" as const, why };
    return {
      ...{ facts, rules: this.#run.inputs, decision: { ...decision, step: now } },
      entry: { ...entry, ...result.entry },
    };
  }

  async #followUp(standing: Standing, remember: () => void): Promise<void> {
    const { agent, dependencies } = this.#run;
    const { entry, facts, decision, result } = standing;
    if (facts === null || decision?.step.type !== "follow-up" || this.#isLimited) return;
    // Should the run be killed now, nobody knows whether the service has received it.
    result.sent = { type: "uncertain", why: "" };
    remember();
    const prompt = followUpPrompt(facts.pull, decision.step.news);
    const delivered = await deliver(agent, entry.jobId, prompt, IF_UNCERTAIN, dependencies);
    result.sent = delivered.refusal === null ? delivered.sent : { type: "refused" };
    this.#isLimited = delivered.reason === "limited";
    if (this.#isLimited) {
      dependencies.log.warning(
        "The service's hourly limit is reached. Follow-ups wait for a later run.",
      );
    }
    if (delivered.refusal !== null) {
      standing.needs = closedText(decision.step.news);
      result.entry.needs = standing.needs;
      this.#warn(entry, standing.needs);
    }
    if (delivered.isKeyRefused) this.#error = delivered.error;
    else if (delivered.error !== null) this.#warn(entry, sentence(delivered.error.message));
  }

  #warn({ url }: Entry, text: string): void {
    this.#run.dependencies.log.warning(`${url}: ${text}`);
  }
}
