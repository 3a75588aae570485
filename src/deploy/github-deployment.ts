import type { Connect } from "../github/api/connect.ts";
import { reasonOf, type Sent, type Unaccepted } from "../github/api/explain.ts";
import { mapSent, unsentAfter } from "../github/api/sent.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ABSENT, type Fact, known, mapFact } from "../runtime/fact.ts";
import { field } from "../service/json.ts";
import { cut, inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import { LatestWrite, type WriteEnd } from "./latest-write.ts";
import type { DeploymentState } from "./result.ts";

/** What a deployment is made on: a commit, or the head of a pull request that is still to be read. */

/** GitHub's maximum length of a description, in characters. */
const MAX_DESCRIPTION = 140;

/** The field of a deployment's payload that names the step which made it. */
const OWN = "docs-agent-run";

/** What a deployment on GitHub is made of. Plain data, so that the post step can use it too. */
export interface DeploymentPlan {
  /** `owner/name` */
  repository: string;
  commit: { type: "commit"; sha: string } | { type: "head"; pull: number };
  environment: string;
  isTransient: boolean;
  /** Names the step, in every attempt of its run. */
  step: string;
  runUrl: string | null;
}

/** What is known of the deployment, for the post step. */
export interface KnownDeployment {
  /** Null if it has none yet. */
  readonly id: number | null;
  /** Whether there may be one whose ID is not known: of an earlier attempt, or because GitHub did not answer. */
  readonly mayExist: boolean;
}

/** A status of a deployment. */
export interface StatusUpdate {
  state: DeploymentState;
  /** One line; cut to GitHub's limit. */
  description: string;
  /** What the deployment links to; null if that is not known. */
  url: string | null;
}

interface GitHubDeploymentOptions extends Pick<Dependencies, "log" | "clock" | "cancellation"> {
  plan: DeploymentPlan;
  connect: Connect;
  known: KnownDeployment;
  /** Called whenever something new is known, and before a deployment is created. */
  save(known: KnownDeployment): void;
}

/** After this many milliseconds, what failed in passing is tried again. */
const PAUSE = 1_000;

/** The deployment of a run on GitHub. If GitHub refuses it, this logs a warning, and the build counts all the same. */
export class GitHubDeployment {
  readonly #options: GitHubDeploymentOptions;
  #known: KnownDeployment;
  readonly #status: LatestWrite<StatusUpdate>;
  /** The deployed commit; null until it is read. */
  #sha: string | null = null;

  constructor(options: GitHubDeploymentOptions) {
    const { known, log, clock, cancellation } = options;
    const { stop } = cancellation;
    this.#options = options;
    this.#known = known;
    this.#status = new LatestWrite({
      write: (status) => this.#write(status),
      stop,
      onRefused: (sent) =>
        log.warning(
          `The deployment could not be reported to GitHub: ${problemOf(sent)}. The build is not affected.`,
        ),
      pause: () => clock.sleep(PAUSE, stop),
    });
  }

  /** Null if there is none yet. */
  get id(): number | null {
    return this.#known.id;
  }

  /** Writes a status, unless there is a newer one by then. */
  update(status: StatusUpdate): void {
    this.#status.set(status);
  }

  /** Writes the last status, and tries once more what failed in passing. @throws a mistake of the action */
  async finish(status: StatusUpdate): Promise<WriteEnd> {
    return await this.#status.finish(status);
  }

  async #write(status: StatusUpdate): Promise<Sent<unknown>> {
    const { plan, connect } = this.#options;
    const { deployments } = await connect();
    const commit = this.#sha === null ? await this.#readCommit() : known(this.#sha);
    if (commit.type !== "known") return unsentAfter(commit);
    this.#sha = commit.value;
    const own = this.#known.id === null ? await this.#find(commit.value) : known(this.#known.id);
    if (own.type === "unread") return unsentAfter(own);
    const made = own.type === "known" ? own : await this.#create(commit.value);
    if (made.type !== "known" && made.type !== "accepted") return made;
    const id = made.value;
    if (this.#known.id !== id) this.#learn({ id, mayExist: false });
    return await deployments.setStatus({
      repository: plan.repository,
      id,
      state: status.state,
      description: cut(status.description, MAX_DESCRIPTION),
      environment_url: status.url,
      log_url: plan.runUrl,
    });
  }

  async #readCommit(): Promise<Fact<string>> {
    const { plan, connect } = this.#options;
    if (plan.commit.type === "commit") return known(plan.commit.sha);
    const { pulls } = await connect();
    const pull = await pulls.head({ repository: plan.repository, number: plan.commit.pull });
    return mapFact(pull, ({ head }) => head.sha);
  }

  /** The deployment of this step that an earlier attempt, or a request without an answer, has made. */
  async #find(sha: string): Promise<Fact<number>> {
    if (!this.#known.mayExist) return ABSENT;
    const { plan, connect } = this.#options;
    const { repository, environment } = plan;
    const { deployments } = await connect();
    const list = await deployments.list({ repository, sha, environment });
    if (list.type !== "known") return list;
    const own = list.value.find(({ payload }) => field(payload, OWN) === plan.step);
    return own === undefined ? ABSENT : known(own.id);
  }

  async #create(sha: string): Promise<Sent<number>> {
    const { plan, connect } = this.#options;
    const { deployments } = await connect();
    // GitHub may make it without an answer.
    this.#learn({ id: null, mayExist: true });
    const sent = await deployments.create({
      repository: plan.repository,
      ref: sha,
      environment: plan.environment,
      transient_environment: plan.isTransient,
      payload: { [OWN]: plan.step },
    });
    return mapSent(sent, ({ id }) => id);
  }

  #learn(known: KnownDeployment): void {
    this.#known = known;
    this.#options.save(known);
  }
}

function problemOf(sent: Unaccepted): string {
  if (sent.type !== "refused" || sent.message === "") return reasonOf(sent);
  const { status, message } = sent;
  if (status !== 409 && status !== 422) return reasonOf(sent);
  return `GitHub says ${clause(inlineCode(message))} (${status})`;
}
