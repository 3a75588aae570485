import type { Connect } from "../github/api/connect.ts";
import { reasonOf, type Sent, type Unaccepted } from "../github/api/explain.ts";
import { mapSent, unsentAfter } from "../github/api/sent.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { ABSENT, type Fact, known, mapFact, whyUnknown } from "../runtime/fact.ts";
import { field } from "../service/json.ts";
import { cut, inlineCode } from "../text/markdown.ts";
import { clause } from "../text/sentence.ts";
import { LatestWrite } from "./latest-write.ts";
import type { DeploymentState } from "./result.ts";

/** GitHub's maximum length of a description, in characters. */
const MAX_DESCRIPTION = 140;

/** The field of a deployment's payload that names the step which made it. */
const OWN = "docs-agent-run";

/** What a deployment on GitHub is made of. Plain data, so that the post step can use it too. */
export interface DeploymentPlan {
  /** `owner/name` */
  repository: string;
  /**
   * The head of a pull request or a branch, as it is right before the build, or a commit. `sha`: the head as the
   * event names it; null if it does not.
   */
  ref:
    | { type: "pull"; number: number; sha: string | null }
    | { type: "branch"; name: string; sha: string | null }
    | { type: "commit"; sha: string };
  environment: string;
  isTransient: boolean;
  /** Names the step, in every attempt of its run. */
  step: string;
  runUrl: string | null;
}

/** What is known of the deployment, for the post step. */
export interface KnownDeployment {
  /** The deployment, and its commit; null if it has none yet. */
  readonly made: MadeDeployment | null;
  /** Whether there may be one whose ID is not known: of an earlier attempt, or because GitHub did not answer. */
  readonly mayExist: boolean;
}

interface MadeDeployment {
  readonly id: number;
  readonly sha: string;
}

/** A status of a deployment. */
export interface StatusUpdate {
  state: DeploymentState;
  /** One line; cut to GitHub's limit. */
  description: string;
  /** What the deployment links to; null if that is not known. */
  url: string | null;
}

/** After this many milliseconds, what failed in passing is tried again. */
const PAUSE = 1_000;

/** The deployment of a run on GitHub. If GitHub refuses it, this logs a warning, and the build counts all the same. */
export class GitHubDeployment {
  readonly #options: ConstructorParameters<typeof GitHubDeployment>[0];
  #known: KnownDeployment;
  /** `isCheck`: only if the head has moved, so that there is another deployment. */
  readonly #status: LatestWrite<{
    status: StatusUpdate;
    isCheck: boolean;
  }>;
  /** The head; null until it is read. */
  #head: string | null = null;
  /** Whether the head was read since the build was accepted. */
  #isSure = true;

  constructor(
    options: Pick<Dependencies, "log" | "clock" | "cancellation"> & {
      plan: DeploymentPlan;
      connect: Connect;
      known: KnownDeployment;
      /** Called whenever something new is known, and before a deployment is created. */
      save(known: KnownDeployment): void;
    },
  ) {
    const { known, log, clock, cancellation } = options;
    const { stop } = cancellation;
    this.#options = options;
    this.#known = known;
    this.#status = new LatestWrite({
      write: (write) => this.#write(write),
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
    return this.#known.made?.id ?? null;
  }

  /**
   * Reads what the service is about to build. If that fails, it is read again with the first status, which says why.
   */
  async readHead(): Promise<void> {
    await Promise.allSettled([this.#currentHead()]);
  }

  /** Writes a status, unless there is a newer one by then. */
  update(status: StatusUpdate): void {
    this.#status.set({ status, isCheck: false });
  }

  /**
   * The build was accepted. If the head is another one by now, the service may have built that, so the deployment is
   * made anew on it.
   */
  checkHead(status: StatusUpdate): void {
    this.#isSure = false;
    this.#status.set({ status, isCheck: true });
  }

  /** Writes the last status, and tries once more what failed in passing. @throws a mistake of the action */
  async finish(status: StatusUpdate): Promise<"written" | "refused" | "later"> {
    return await this.#status.finish({ status, isCheck: false });
  }

  async #write({
    status,
    isCheck,
  }: {
    status: StatusUpdate;
    isCheck: boolean;
  }): Promise<Sent<unknown>> {
    const before = this.#known.made;
    const made = await this.#made();
    if (made.type !== "accepted") return made;
    if (isCheck && made.value.id === before?.id) return made;
    return await this.#setStatus(made.value.id, status.state, status);
  }

  /** The deployment on the head, made anew if the head has moved. */
  async #made(): Promise<Sent<MadeDeployment>> {
    const { made, mayExist } = this.#known;
    if (made !== null && this.#isSure) return { type: "accepted", value: made };
    const head = await this.#currentHead();
    if (head.type !== "known") return unsentAfter(head);
    const found = made === null && mayExist ? await this.#find(head.value) : ABSENT;
    if (found.type === "unread") return unsentAfter(found);
    const own = found.type === "known" ? found.value : made;
    if (own?.sha !== head.value) return await this.#create(head.value, own);
    this.#learn({ made: own, mayExist: false });
    return { type: "accepted", value: own };
  }

  /** The head. It is read again after the build was accepted, until that succeeds. */
  async #currentHead(): Promise<Fact<string>> {
    if (this.#head !== null && this.#isSure) return known(this.#head);
    const head = await this.#readHead();
    if (head.type !== "known") return head;
    this.#head = head.value;
    this.#isSure = true;
    return head;
  }

  async #readHead(): Promise<Fact<string>> {
    const { plan, connect, log } = this.#options;
    const { repository, ref } = plan;
    if (ref.type === "commit") return known(ref.sha);
    const { pulls, branches } = await connect();
    const head =
      ref.type === "pull"
        ? mapFact(await pulls.head({ repository, number: ref.number }), (pull) => pull.head.sha)
        : mapFact(await branches.get({ repository, branch: ref.name }), ({ commit }) => commit.sha);
    const isFinal = head.type === "absent" || (head.type === "unread" && !head.isPassing);
    const former = this.#head ?? ref.sha;
    if (!isFinal || former === null) return head;
    // The same answer to the second question is not told again.
    if (this.#head === null) {
      log.warning(
        `The head could not be read: ${whyUnknown(head)}. The deployment is on the commit of the event.`,
      );
    }
    return known(former);
  }

  /**
   * The deployment of this step that an earlier attempt, or a request without an answer, has made: on the head first.
   */
  async #find(head: string): Promise<Fact<MadeDeployment>> {
    const { plan, connect } = this.#options;
    const { repository, environment } = plan;
    const { deployments } = await connect();
    const isOwn = ({ payload }: { payload?: unknown }) => field(payload, OWN) === plan.step;
    const list = await deployments.list(
      { repository, environment },
      { isEnough: (page) => page.some(isOwn) },
    );
    if (list.type !== "known") return list;
    const own = list.value.items.filter(isOwn);
    const found = own.find(({ sha }) => sha === head) ?? own[0];
    return found === undefined ? ABSENT : known({ id: found.id, sha: found.sha });
  }

  /** @param former what was deployed before the head moved; null for nothing */
  async #create(head: string, former: MadeDeployment | null): Promise<Sent<MadeDeployment>> {
    const { plan, connect } = this.#options;
    if (former !== null) {
      const ended = { description: "Another commit is built", url: null };
      const sent = await this.#setStatus(former.id, "inactive", ended);
      if (sent.type !== "accepted") return sent;
    }
    // GitHub may make it without an answer.
    this.#learn({ made: null, mayExist: true });
    const { deployments } = await connect();
    const sent = await deployments.create({
      repository: plan.repository,
      ref: head,
      environment: plan.environment,
      transient_environment: plan.isTransient,
      payload: { [OWN]: plan.step },
    });
    const made = mapSent(sent, ({ id }) => ({ id, sha: head }));
    if (made.type === "accepted") this.#learn({ made: made.value, mayExist: false });
    return made;
  }

  async #setStatus(
    id: number,
    state: DeploymentState | "inactive",
    { description, url }: Omit<StatusUpdate, "state">,
  ): Promise<Sent<unknown>> {
    const { plan, connect } = this.#options;
    const { deployments } = await connect();
    return await deployments.setStatus({
      repository: plan.repository,
      id,
      state,
      description: cut(description, MAX_DESCRIPTION),
      environment_url: url,
      log_url: plan.runUrl,
    });
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
