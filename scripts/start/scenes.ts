/**
 * What `npm start` tells, in the local world: somebody asks for documentation in a comment, upkeep hands a merged change
 * to the agent, land takes the docs pull request to merged, and the gate's status turns green. People do here what the
 * playground's forms do, and the workflows of `examples/` answer.
 */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import { readWorkflow } from "../../playground/actions/workflow.ts";
import { WorkflowRuns } from "../../playground/actions/workflow-runs.ts";
import { type Act, Acts, TEAM } from "../../playground/site/acts.ts";
import { ISSUE_ACTS } from "../../playground/site/issue-acts.ts";
import { DEFAULT_PERSON, MAINTAINER } from "../../playground/site/people.ts";
import { PULL_ACTS } from "../../playground/site/pull-acts.ts";
import { SiteReader } from "../../playground/site/reader.ts";
import { happens, heading, quote, report, seen } from "./console.ts";

const GATE = "examples/gate.yml";
const ACTS: Record<string, Act> = { ...ISSUE_ACTS, ...PULL_ACTS };
const REQUEST = "/docs explain how to rotate a key without downtime";

/** Tells everything, one after the other. @throws if a run fails */
export async function showScenes(world: LocalWorld): Promise<void> {
  const story = new Story(world);
  await story.showJob();
  const docs = await story.showUpkeep();
  await story.showLand(docs);
  await story.showGate();
}

class Story {
  readonly #site: SiteReader;
  readonly #runs: WorkflowRuns;
  readonly #acts: Acts;
  #reported = 0;
  #hasShownDoctor = false;

  constructor(world: LocalWorld) {
    this.#site = new SiteReader(world.github);
    this.#runs = new WorkflowRuns(world, [TEAM, GATE].flatMap(readWorkflow));
    this.#acts = new Acts(world, this.#runs);
  }

  async showJob(): Promise<void> {
    heading("1. A job: writer comments on issue #1 “Explain how to rotate a key”");
    happens(REQUEST);
    await this.#do("/issues/:number/comments", 1, { body: REQUEST }, "comment");
    happens("The answer on the issue:");
    await this.#quoteAnswer(1);
  }

  /** @returns number of the docs pull request */
  async showUpkeep(): Promise<number> {
    heading("2. Upkeep: a pull request is merged");
    const title = "Retry webhooks three times";
    const { message } = await this.#do("/changes", 0, { title, how: "merge" });
    happens(`${title}: ${message} An hour later:`);
    await this.#letAnHourPass();
    happens("The agent works. Another hour later:");
    await this.#letAnHourPass();
    await this.#quoteDashboard();
    return this.#lastPull();
  }

  async showLand(docs: number): Promise<void> {
    heading(`3. Land: docs pull request #${docs} is reviewed and merged`);
    await this.#quoteAnswer(docs);
    const body = "Say what happens after the third time.";
    happens(`writer asks for changes: “${body}” An hour later:`);
    await this.#do("/pull/:number/reviews", docs, { event: "REQUEST_CHANGES", body });
    await this.#letAnHourPass();
    happens("The agent has pushed a commit; writer approves it, and maintainer merges it. Then:");
    await this.#do("/pull/:number/reviews", docs, { event: "APPROVE" });
    await this.#do("/pull/:number/end", docs, { how: "merge" });
    await this.#letAnHourPass();
    await this.#quoteDashboard();
  }

  async showGate(): Promise<void> {
    heading("4. Gate: a pull request with code is opened");
    const title = "Add the flag --output";
    await this.#do("/changes", 0, { title, how: "open" }, "gate");
    const number = this.#lastPull();
    await this.#quoteStatus(number);
    await this.#quoteAnswer(number);
    happens("maintainer approves it, so the gate asks the agent to prepare the documentation:");
    await this.#do("/pull/:number/reviews", number, { event: "APPROVE" }, "gate", MAINTAINER);
    await this.#quoteStatus(number);
  }

  #letAnHourPass() {
    return this.#do("/team", 0, { how: "hour" }, "hourly");
  }

  /** Lets somebody do something, and waits for the runs that it starts. @param job whose run is shown */
  async #do(
    path: string,
    number: number,
    fields: Record<string, string>,
    job = "",
    login = DEFAULT_PERSON,
  ) {
    const act = ACTS[path];
    if (act === undefined) throw new Error(`There is no form ${path}.`);
    const field = (name: string) => fields[name] ?? "";
    const done = await act(this.#acts, { number, login, field, all: () => [] });
    await this.#runs.settle();
    const runs = this.#runs.list().filter(({ id }) => id > this.#reported);
    this.#reported = runs[0]?.id ?? this.#reported;
    const failed = runs.find(({ conclusion }) => conclusion === "failure");
    if (failed !== undefined) {
      throw new Error(`A run of ${failed.workflow.name} failed: ${failed.errors.join(" ")}`);
    }
    for (const run of runs.toReversed()) {
      if (run.workflow.job !== job) continue;
      // It also runs once a day, which may be now.
      report(run, !this.#hasShownDoctor);
      this.#hasShownDoctor ||= run.steps.some(({ name }) => name === "doctor");
    }
    return done;
  }

  /** The number of the newest pull request. */
  #lastPull(): number {
    return this.#acts.world.github.home.pulls.at(-1)?.number ?? 0;
  }

  /** The last comment on an issue or a pull request. */
  async #quoteAnswer(number: number): Promise<void> {
    const thread = await this.#site.thread(number);
    quote(seen(thread?.posts.at(-1)?.body ?? ""));
  }

  async #quoteDashboard(): Promise<void> {
    const [dashboard] = await this.#site.issues();
    happens(`The dashboard, issue #${dashboard?.number} “${dashboard?.title}”:`);
    // The first line says what the issue is for.
    quote(seen(dashboard?.body ?? "").slice(1));
  }

  async #quoteStatus(number: number): Promise<void> {
    const thread = await this.#site.thread(number);
    const status = thread?.facts?.checks.find(({ name }) => name === "docs gate");
    happens(`The status of #${number}: ${status?.name} – ${status?.result}, ${status?.title}`);
  }
}
