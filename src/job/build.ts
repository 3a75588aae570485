import type { Dependencies } from "../runtime/dependencies.ts";
import type { CallOptions } from "../service/agent.ts";
import type { Builds } from "../service/builds.ts";
import { CHECK_PROJECT, type Operation, WAIT_LONGER } from "./failures.ts";
import { type SendResult, send } from "./send.ts";

/** What is built: the project's deployment, or the preview of a branch. */
export type BuildTarget = { type: "deployment" } | { type: "preview"; branch: string };

/** A build that was started. */
export interface StartedBuild {
  statusId: string;
  /** Address of a preview, from the service, not checked yet; null for a deployment. */
  previewUrl: string | null;
}

const OF_BUILD = { starts: "nothing", keyType: "admin", keyOwner: "`project-id`" } as const;

/** A second build of the same branch replaces the first, so that these requests are repeated after a lost answer. */
const START = {
  ...OF_BUILD,
  isRepeatable: true,
  lost: "A build may have been started all the same. Run again: a second build replaces the first.",
} as const;

const START_DEPLOYMENT: Operation = {
  ...START,
  check: CHECK_PROJECT,
  forbidden: [
    "On the API keys page of Mintlify's dashboard, check that the key has the scope `write`,",
    "and that its IP allow-list is empty or contains the runner's address.",
    "Check on the billing page that your plan includes builds by API.",
  ].join(" "),
  limited: `The service allows 10 deployments in 10 seconds for an organization. ${WAIT_LONGER}`,
};

const START_PREVIEW: Operation = {
  ...START,
  check: `Check that the documentation's repository has the branch of \`branch\`. ${CHECK_PROJECT}`,
  forbidden: [
    "Check that your plan includes previews,",
    "that the key has the scope `write` on the API keys page of Mintlify's dashboard,",
    "and that its IP allow-list is empty or contains the runner's address.",
  ].join(" "),
  limited: `The service allows 5 previews a minute for an organization. ${WAIT_LONGER}`,
};

/** A request that reads a build. */
export const POLL_BUILD: Operation = {
  ...OF_BUILD,
  isRepeatable: true,
  check: CHECK_PROJECT,
  limited: WAIT_LONGER,
  lost: "The build may still be running. Check Mintlify's dashboard, or run again to build again.",
};

/**
 * Starts a build, again after lost answers and limits, until it is accepted or refused.
 *
 * @param deadline nothing is repeated after this time, in milliseconds on the run's clock
 */
export function startBuild(
  builds: Builds,
  target: BuildTarget,
  deadline: number,
  dependencies: Dependencies,
): Promise<SendResult<StartedBuild>> {
  if (target.type === "preview") {
    const start = (options: CallOptions) => builds.startPreview(target.branch, options);
    return send<StartedBuild>({ send: start, operation: START_PREVIEW, deadline }, dependencies);
  }
  const start = async (options: CallOptions): Promise<StartedBuild> => {
    const { statusId } = await builds.startDeployment(options);
    return { statusId, previewUrl: null };
  };
  return send({ send: start, operation: START_DEPLOYMENT, deadline }, dependencies);
}
