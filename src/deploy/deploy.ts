import { connector } from "../github/api/connect.ts";
import { Patience } from "../github/api/patience.ts";
import type { Place } from "../github/conversation/markers.ts";
import {
  isOnPullRequest,
  type RunContext,
  triggeringSubject,
} from "../github/trigger/run-context.ts";
import type { ReadInput } from "../inputs/checks.ts";
import { startBuild } from "../job/build.ts";
import { waitForBuild } from "../job/build-poll.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { asActionError } from "../runtime/errors.ts";
import { buildsOf } from "../service/builds.ts";
import { Transport } from "../service/transport.ts";
import { shortHash } from "../text/short-hash.ts";
import type { DeploymentPlan } from "./github-deployment.ts";
import { type DeployInputs, parseDeployInputs } from "./inputs.ts";
import { DeployReporter, type SavedDeploy } from "./reporter.ts";
import { type DeployOutcome, killedResult } from "./result.ts";

/** Builds the documentation or a preview, waits for it, and reports it. @returns whether the step fails */
export async function deploy(
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<boolean> {
  const { clock, log } = dependencies;
  const begun = clock.now();
  const inputs = parseDeployInputs(read, context);
  const { target, wait, timeout, projectId, url } = inputs;
  const settings = {
    policy: { target, wait, timeout },
    projectId,
    plan: planOf(inputs, context),
    place: placeOf(inputs, context),
    runUrl: context.runUrl,
    startedAt: clock.timeOfDay(),
  };
  if (inputs.comment && settings.place === null) log.info(NO_PULL_REQUEST);
  const deployment = { made: null, mayExist: context.attempt > 1 };
  const saved: SavedDeploy = { settings, deployment, statusId: null, url, end: null };
  const patience = new Patience(dependencies);
  const connect = connector(inputs, dependencies, patience);
  const transport = new Transport(inputs, dependencies);
  const reporter = new DeployReporter(saved, { connect, patience, dependencies });
  const build = () => runBuild(inputs, transport, reporter, begun + timeout, dependencies);
  const outcome = await build().catch((thrown: unknown): DeployOutcome => {
    if (thrown instanceof Error) log.debug(thrown.stack ?? thrown.message);
    return { type: "error", build: null, error: asActionError(thrown) };
  });
  return await reporter.finish(outcome);
}

const NO_PULL_REQUEST = "The event is not one of a pull request, so there is no comment.";

async function runBuild(
  { target, wait, pace, projectId }: DeployInputs,
  transport: Transport,
  reporter: DeployReporter,
  deadline: number,
  dependencies: Dependencies,
): Promise<DeployOutcome> {
  const builds = buildsOf(transport, projectId);
  await reporter.begin();
  const sent = await startBuild(builds, target, deadline, dependencies);
  if (sent.type !== "accepted") {
    const { failure } = sent.error;
    const isRefused = failure.type === "status" && failure.status >= 400 && failure.status < 500;
    return { type: "not-started", isRefused, error: sent.explained };
  }
  const { statusId } = sent.reply;
  reporter.started(sent.reply);
  const isStopped = dependencies.cancellation.stop.aborted;
  if (!wait && !isStopped) return { type: "running", build: null };
  const onPending: DeployReporter["polled"] = (state) => reporter.polled(state);
  return await waitForBuild(statusId, builds, dependencies, { pace, deadline, onPending });
}

/** The deployment on GitHub; null for none. */
function planOf(
  { environment, target, projectId }: DeployInputs,
  context: RunContext,
): DeploymentPlan | null {
  const { repository, runId, step, runUrl } = context;
  const ref = refOf(context);
  if (environment === null || ref === null || repository === null) return null;
  const built = shortHash(JSON.stringify([projectId, target]));
  return {
    repository,
    ref,
    environment,
    isTransient: target.type === "preview",
    step: [runId, step, built].filter((part) => part !== null).join("/"),
    runUrl,
  };
}

/** GitHub shows a deployment on a pull request only if it is on its head. */
function refOf(context: RunContext): DeploymentPlan["ref"] | null {
  const { payload, sha, branch } = context;
  const { event = "", head_sha = null, pull_requests = [] } = payload.workflow_run ?? {};
  const isAfterPull = event.startsWith("pull_request") && head_sha !== null;
  const [ofRun] = pull_requests;
  // GitHub names no pull request for the run of a fork's.
  if (isAfterPull && ofRun?.number === undefined) return { type: "commit", sha: head_sha };
  const number = isOnPullRequest(context) ? triggeringSubject(context)?.number : undefined;
  const pull = isAfterPull ? ofRun?.number : number;
  if (pull !== undefined) {
    const head = isAfterPull ? head_sha : payload.pull_request?.head?.sha;
    return { type: "pull", number: pull, sha: head ?? null };
  }
  if (branch !== null) return { type: "branch", name: branch, sha };
  return sha === null ? null : { type: "commit", sha };
}

/** The pull request of the comment; null for none. */
function placeOf({ comment }: DeployInputs, context: RunContext): Place | null {
  const { repository } = context;
  const issue = triggeringSubject(context)?.number;
  if (!comment || !isOnPullRequest(context) || issue === undefined) return null;
  return repository === null ? null : { repository, issue };
}

/**
 * The post step of a killed main step: reports the run on GitHub.
 *
 * @param state the main step's state
 * @public
 */
export async function recordKilledDeploy(
  state: unknown,
  read: ReadInput,
  context: RunContext,
  dependencies: Dependencies,
): Promise<void> {
  const saved = state as SavedDeploy;
  const patience = new Patience(dependencies);
  const connect = connector(parseDeployInputs(read, context), dependencies, patience);
  const reporter = new DeployReporter(saved, { connect, patience, dependencies });
  if (saved.end !== null) await reporter.finishEnd(saved.end);
  else await reporter.finishWith(killedResult(saved.statusId !== null));
}
