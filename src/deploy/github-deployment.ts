import * as z from "zod/mini";
import { readAnswer } from "../github/api/answer.ts";
import type { Connect } from "../github/api/connect.ts";
import { PAGE } from "../github/api/pages.ts";
import {
  hasStatus,
  type Refusal,
  refusalOf,
  type TokenPermissions,
} from "../github/api/refusal.ts";
import { owned } from "../github/api/rest.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { field } from "../service/json.ts";
import { cut, inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import { LatestWrite, type WriteEnd } from "./latest-write.ts";
import type { DeploymentState } from "./result.ts";

/** What a deployment is made on: a commit, or the head of a pull request that is still to be read. */
export type DeployedCommit = { type: "commit"; sha: string } | { type: "head"; pull: number };

function permissionsFor({ commit }: DeploymentPlan): TokenPermissions {
  return commit.type === "head"
    ? ["deployments: write", "pull-requests: read"]
    : ["deployments: write"];
}

const DEPLOYMENTS = "/repos/{owner}/{repo}/deployments";

/** GitHub's maximum length of a description, in characters. */
const MAX_DESCRIPTION = 140;

/** The field of a deployment's payload that names the step which made it. */
const OWN = "docs-agent-run";

/** What a deployment on GitHub is made of. Plain data, so that the post step can use it too. */
export interface DeploymentPlan {
  /** `owner/name` */
  repository: string;
  commit: DeployedCommit;
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

const pull = z.object({ head: z.object({ sha: z.string() }) });
const created = z.object({ id: z.int() });
const list = z.array(z.object({ id: z.int(), payload: z.unknown() }));

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
    const { plan, known, clock, cancellation } = options;
    const { stop } = cancellation;
    this.#options = options;
    this.#known = known;
    this.#status = new LatestWrite({
      write: (status) => refusalOf(() => this.#write(status), permissionsFor(plan)),
      stop,
      onRefused: (refusal) => this.#warn(refusal),
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

  #warn(refusal: Refusal): void {
    this.#options.log.warning(
      `The deployment could not be reported to GitHub: ${reasonOf(refusal)}. The build is not affected.`,
    );
  }

  async #write(status: StatusUpdate): Promise<void> {
    const { plan, connect } = this.#options;
    this.#sha ??= await this.#readCommit();
    const sha = this.#sha;
    const id = this.#known.id ?? (await this.#find(sha)) ?? (await this.#create(sha));
    if (this.#known.id !== id) this.#learn({ id, mayExist: false });
    const github = await connect();
    await github.request(`POST ${DEPLOYMENTS}/{deployment_id}/statuses`, {
      ...owned(plan),
      deployment_id: id,
      state: status.state,
      description: cut(status.description, MAX_DESCRIPTION),
      ...(status.url === null ? {} : { environment_url: status.url }),
      ...(plan.runUrl === null ? {} : { log_url: plan.runUrl }),
    });
  }

  async #readCommit(): Promise<string> {
    const { plan, connect } = this.#options;
    if (plan.commit.type === "commit") return plan.commit.sha;
    const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}";
    const place = { ...owned(plan), pull_number: plan.commit.pull };
    const { data } = await (await connect()).request(route, place);
    return readAnswer(pull, data).head.sha;
  }

  /** The deployment of this step that an earlier attempt, or a request without an answer, has made; null for none. */
  async #find(sha: string): Promise<number | null> {
    if (!this.#known.mayExist) return null;
    const { plan, connect } = this.#options;
    const { environment } = plan;
    const query = { ...owned(plan), sha, environment, per_page: PAGE };
    const { data } = await (await connect()).request(`GET ${DEPLOYMENTS}`, query);
    const own = readAnswer(list, data).find(({ payload }) => field(payload, OWN) === plan.step);
    return own?.id ?? null;
  }

  async #create(sha: string): Promise<number> {
    const { plan, connect } = this.#options;
    const github = await connect();
    // GitHub may make it without an answer.
    this.#learn({ id: null, mayExist: true });
    // By default, GitHub merges the default branch into the ref, and requires every check to be green.
    const { data } = await github.request(`POST ${DEPLOYMENTS}`, {
      ...owned(plan),
      ref: sha,
      auto_merge: false,
      required_contexts: [],
      environment: plan.environment,
      transient_environment: plan.isTransient,
      description: "Documentation",
      payload: { [OWN]: plan.step },
    });
    return readAnswer(created, data).id;
  }

  #learn(known: KnownDeployment): void {
    this.#known = known;
    this.#options.save(known);
  }
}

function reasonOf(refusal: Refusal): string {
  if (!hasStatus(refusal, 409, 422)) return refusal.reason;
  const words = clause(inlineCode(refusal.message)) || "no reason";
  return `GitHub says ${words} (${refusal.status})`;
}
