import type { Connect } from "../github/api/connect.ts";
import type { Patience } from "../github/api/patience.ts";
import type { Place } from "../github/conversation/markers.ts";
import type { StartedBuild } from "../job/build.ts";
import type { BuildState } from "../job/build-poll.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import type { Build } from "../service/builds.ts";
import { safeLink } from "../text/link.ts";
import { capitalized } from "../text/sentence.ts";
import {
  type DeploymentPlan,
  GitHubDeployment,
  type KnownDeployment,
  type StatusUpdate,
} from "./github-deployment.ts";
import { PreviewComment } from "./preview-comment.ts";
import { type DeployReport, deployMessage, renderDeploy } from "./report-text.ts";
import {
  buildAtWork,
  type DeploymentState,
  type DeployOutcome,
  type DeployPolicy,
  type DeployResult,
  deployResult,
} from "./result.ts";

/** What the main step saves for its post step. */
export interface SavedDeploy {
  /** What a report needs, without the key and the token. */
  readonly settings: {
    policy: DeployPolicy;
    projectId: string;
    /** Null for no deployment on GitHub. */
    plan: DeploymentPlan | null;
    /** The pull request of the comment; null for none. */
    place: Place | null;
    runUrl: string | null;
    /** Beginning of the run, in milliseconds since 1970. */
    startedAt: number;
  };
  readonly deployment: KnownDeployment;
  /** Null if no build was accepted. */
  readonly statusId: string | null;
  /** What the deployment links to; null if that is not known. */
  readonly url: string | null;
  /**
   * What a run that has ended reports to GitHub: the last status of the deployment, and the last text of the
   * comment; null if it has not ended.
   */
  readonly end: {
    readonly status: StatusUpdate;
    readonly text: string;
  } | null;
}

/** The maximum length of the output `logs`, in characters. */
const MAX_LOGS = 100_000;

/** Reports a build: outputs, saved state, the deployment on GitHub, comment, summary, annotations. */
export class DeployReporter {
  readonly #options: ConstructorParameters<typeof DeployReporter>[1];
  readonly #github: GitHubDeployment | null;
  readonly #comment: PreviewComment | null;
  #saved: SavedDeploy;
  #state: DeploymentState = "queued";
  #build: Build | null = null;

  constructor(
    saved: SavedDeploy,
    options: {
      connect: Connect;
      patience: Patience;
      dependencies: Dependencies;
    },
  ) {
    const { connect, dependencies } = options;
    const { plan, place, projectId, startedAt } = saved.settings;
    this.#saved = saved;
    this.#options = options;
    const save = (deployment: KnownDeployment) => this.#save({ deployment });
    const { deployment: known } = saved;
    const parts = { connect, ...dependencies };
    this.#github = plan && new GitHubDeployment({ ...parts, plan, known, save });
    this.#comment = place && new PreviewComment({ ...parts, place, projectId, startedAt });
  }

  /** Nothing was sent yet. */
  async begin(): Promise<void> {
    this.#save({});
    await this.#github?.readHead();
    this.#update("queued");
    this.#writeWorking();
  }

  /** The service has accepted the build. */
  started({ statusId, previewUrl }: StartedBuild): void {
    const { patience, dependencies } = this.#options;
    const { log, outputs } = dependencies;
    // The log comes first, so that the ID is not lost if nothing else can be written.
    log.info(`Started build ${statusId}.`);
    patience.withoutEnd();
    const preview = safeLink(previewUrl);
    if (previewUrl !== null && preview === null) log.warning(UNSAFE_PREVIEW);
    this.#save({ statusId, url: this.#saved.url ?? preview });
    outputs.setOutput("statusId", statusId);
    outputs.setOutput("status", "queued");
    if (this.#saved.url !== null) outputs.setOutput("url", this.#saved.url);
    this.#github?.checkHead(this.#workingStatus());
    this.#writeWorking();
  }

  /** The build continues. */
  polled({ build }: BuildState): void {
    if (build === null) return;
    this.#build = build;
    const { status } = build;
    if ((status !== "queued" && status !== "in_progress") || status === this.#state) return;
    this.#options.dependencies.outputs.setOutput("status", status);
    this.#update(status);
  }

  /** Reports the outcome of the run. @returns whether the step fails */
  async finish(outcome: DeployOutcome): Promise<boolean> {
    const { policy } = this.#saved.settings;
    if (outcome.type !== "not-started" && outcome.build !== null) this.#build = outcome.build;
    return await this.finishWith(deployResult(outcome, policy));
  }

  /** Reports the result of the run. @returns whether the step fails */
  async finishWith(result: DeployResult): Promise<boolean> {
    const { patience } = this.#options;
    patience.forAMinute();
    this.#state = result.state ?? this.#state;
    const report = this.#endReport(result);
    const end = { status: this.#statusOf(result.headline), text: renderDeploy(report, false) };
    this.#save({ end });
    this.#setOutputs(result);
    this.#annotate(result);
    this.#options.dependencies.outputs.writeSummary(renderDeploy(report, true));
    await this.finishEnd(end);
    return result.severity === "error";
  }

  /** Tells GitHub how the run has ended. What fails in passing is left to the post step. */
  async finishEnd({ status, text }: NonNullable<SavedDeploy["end"]>): Promise<void> {
    const { outputs } = this.#options.dependencies;
    const ends = await Promise.allSettled([
      this.#github?.finish(status) ?? null,
      this.#comment?.finish(text) ?? null,
    ]);
    outputs.setOutput("deploymentId", this.#github?.id ? String(this.#github.id) : null);
    outputs.setOutput("commentUrl", this.#comment?.url ?? null);
    const isLeft = ends.some((end) => end.status === "fulfilled" && end.value === "later");
    // Nothing is left for the post step after a mistake, either.
    if (!isLeft) outputs.saveState(null);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  #endReport(result: DeployResult): DeployReport {
    const { clock } = this.#options.dependencies;
    const isAtWork = result.severity === "ok" && result.state === null;
    const severity = isAtWork ? "working" : result.severity;
    const took = isAtWork ? null : clock.timeOfDay() - this.#saved.settings.startedAt;
    return this.#report(result, severity, took);
  }

  #setOutputs(result: DeployResult): void {
    const { outputs } = this.#options.dependencies;
    const { status = null, logs = [], commit = null } = this.#build ?? {};
    if (status === "success" || status === "failure") outputs.setOutput("status", status);
    if (logs.length > 0) outputs.setOutput("logs", logs.join("\n").slice(-MAX_LOGS).toWellFormed());
    if (commit !== null) outputs.setOutput("commit", commit);
    if (result.kind === null) return;
    outputs.setOutput("errorKind", result.kind);
    outputs.setOutput("errorMessage", deployMessage(result));
  }

  #annotate(result: DeployResult): void {
    const { log } = this.#options.dependencies;
    const { headline, severity, kind, quote } = result;
    const { url } = this.#saved;
    const end = kind === "build-failed" && quote !== null ? `\n${quote}` : "";
    if (severity !== "ok") log[severity](`${deployMessage(result)}${end}`, headline);
    else if (url === null) log.info(`${capitalized(headline)}.`);
    else log.notice(`Documentation: ${url}`, headline);
  }

  #update(state: DeploymentState): void {
    this.#state = state;
    this.#github?.update(this.#workingStatus());
  }

  #workingStatus(): StatusUpdate {
    return this.#statusOf(buildAtWork(this.#saved.settings.policy).headline);
  }

  #statusOf(headline: string): StatusUpdate {
    return { state: this.#state, description: capitalized(headline), url: this.#saved.url };
  }

  #writeWorking(): void {
    const result = buildAtWork(this.#saved.settings.policy);
    this.#comment?.update(renderDeploy(this.#report(result, "working", null), false));
  }

  #report(
    result: DeployReport["result"],
    severity: DeployReport["severity"],
    took: number | null,
  ): DeployReport {
    const { settings, url } = this.#saved;
    const { runUrl, policy } = settings;
    return {
      target: policy.target,
      severity,
      result,
      commit: this.#build?.commit ?? null,
      url,
      runUrl,
      took,
    };
  }

  #save(change: Partial<SavedDeploy>): void {
    this.#saved = { ...this.#saved, ...change };
    this.#options.dependencies.outputs.saveState(this.#saved);
  }
}

const UNSAFE_PREVIEW = [
  "The preview's URL is not shown, because it is not an `https:` URL of at most 2,000 characters.",
  "You'll find the preview on Mintlify's dashboard.",
].join(" ");
