import { json } from "../../support/answers.ts";
import {
  issueComment,
  issueOpened,
  pullRequest,
  push,
  schedule,
  type Trigger,
} from "../../support/events.ts";
import type { ActionName } from "../../support/world/actions.ts";
import { BUILD, CREATE_DEPLOYMENT, DEPLOYMENT_STATUS, UPDATE } from "../../support/world/builds.ts";
import { CREATE, completed, MESSAGE, POLL, record } from "../../support/world/jobs.ts";
import { ASK, ASK_V2 } from "../../support/world/questions.ts";
import { CREATE_V1, LIST_V1, POLL_V1 } from "../../support/world/sessions.ts";
import type { World, WorldRun } from "../../support/world/world.ts";
import { addEarlierComment } from "../left-comment.ts";

/** What a request is for its run. */
export type Role =
  /** Asks for work: sent again only if it was certainly not accepted. */
  | "start"
  /** Asks the assistant, under the same rule. */
  | "question"
  | "poll"
  /** Anything else without which the run has no result. */
  | "needed"
  /** Anything else: its failure costs a warning. */
  | "aside";

/** How often a fault strikes. */
export type Times = "once" | "for good";

/** A run of an action. Default: of the root action. */
interface RowRun extends WorldRun {
  action?: ActionName;
}

/** A request that an action makes, and a run in which it is made. */
export interface Row {
  name: string;
  role: Role;
  /** In the short form. */
  route: string;
  run: RowRun;
  /** Largest answer that is read, in bytes. Default: that of the host. */
  limit?: number;
  /** What there is before the run, besides a comment for a sweep. */
  arrange?: (world: World) => Promise<void>;
  /** Default: once and for good. */
  times?: readonly Times[];
}

/** Whether a second request, if the first was accepted, is a second job or a second answer. */
export function isStart({ role }: Row): boolean {
  return role === "start" || role === "question";
}

const REPO = "/repos/octo/docs";
const LIST_COMMENTS = `GET ${REPO}/issues/7/comments`;
const COMMENT = `POST ${REPO}/issues/7/comments`;
const EDIT = `PATCH ${REPO}/issues/comments/:id`;
const REACT = `POST ${REPO}/issues/7/reactions`;
/** The pull request of the job, #9, where people are invited. */
const LIST_INVITATIONS = `GET ${REPO}/issues/9/comments`;
const INVITE = `POST ${REPO}/issues/9/comments`;

/** A request by phrase, on an issue or a review. */
function asked(trigger: Trigger, inputs: Record<string, string> = {}): RowRun {
  const event = structuredClone(trigger.event) as Record<string, { body?: string } | undefined>;
  const said = event.review ?? event.comment ?? event.issue ?? {};
  said.body = "/docs Describe the events.";
  const own = { "trigger-phrase": "/docs", "include-context": "false", ...inputs };
  return { ...trigger, event, inputs: own };
}

/** Comments go to issue #7, and nothing there is reacted to: the fewest calls to GitHub. */
const quiet = (inputs: Record<string, string> = {}): RowRun => ({
  ...schedule,
  inputs: { "issue-number": "7", ...inputs },
});

const review = pullRequest(7, "pull_request_review", {
  action: "submitted",
  review: { id: 12, node_id: "PRR_12", user: { login: "octocat", type: "User" } },
});
const inviting = asked(issueOpened(7), { "continue-job": "false" });
const withoutComment = { comment: "false", "continue-job": "false" };
const takenUp = { "job-id": "job_1", prompt: "" };
const withContext = {
  ...pullRequest(7),
  inputs: { comment: "false", "include-context": "true" },
};

const v1 = { "api-version": "v1" };
const v2 = { "api-version": "v2" };

const sweep: RowRun = { ...schedule, action: "collect" };
const invitingSweep: RowRun = { ...sweep, inputs: { "trigger-phrase": "/docs" } };

const deploy: RowRun = { ...push, action: "deploy" };
const withoutDeployment: RowRun = { ...deploy, inputs: { environment: "none" } };
const commentingDeploy: RowRun = {
  ...pullRequest(7),
  action: "deploy",
  inputs: { environment: "none", branch: "feature", comment: "true" },
};

/** A list of jobs and a stream may be larger. */
const large = { limit: 8 * 1024 * 1024 };
const onlyForGood = { times: ["for good"] as const };
const conversation = { arrange: addEarlierComment };
/** A comment of an earlier attempt, whose job ends after another poll. */
const earlier = {
  arrange: async (world: World) => {
    await addEarlierComment(world);
    world.on(POLL, json(200, record("active")), json(200, completed));
  },
};

const row = (
  role: Role,
  name: string,
  route: string,
  run: RowRun,
  more: Pick<Row, "limit" | "arrange" | "times"> = {},
): Row => ({
  name,
  role,
  route,
  run,
  ...more,
});

/** The requests of the actions. */
export const ROWS: readonly Row[] = [
  row("start", "create", CREATE, quiet()),
  row("start", "message", MESSAGE, quiet({ "job-id": "job_1" })),
  row("start", "message by phrase", MESSAGE, asked(issueComment(7, 555)), conversation),
  row("poll", "poll", POLL, quiet()),
  row("poll", "poll of a job taken up", POLL, quiet(takenUp)),
  row("poll", "poll for five minutes", POLL, { ...schedule, inputs: takenUp }, onlyForGood),
  row("needed", "permission", `GET ${REPO}/collaborators/:user/permission`, asked(issueOpened(7))),
  row(
    "needed",
    "comments of an earlier attempt",
    LIST_COMMENTS,
    { ...quiet(), attempt: 2 },
    earlier,
  ),
  row("aside", "create comment", COMMENT, quiet()),
  row("aside", "edit comment", EDIT, quiet()),
  row("aside", "reaction", REACT, asked(issueOpened(7), withoutComment)),
  row("aside", "reaction to a review", "POST /graphql", asked(review, withoutComment)),
  row("aside", "changed files", `GET ${REPO}/pulls/7/files`, withContext),
  row("aside", "comments of the pull request", LIST_INVITATIONS, inviting),
  row("aside", "invitation", INVITE, inviting),

  row("start", "v1 create", CREATE_V1, quiet(v1), large),
  row("poll", "v1 poll", POLL_V1, quiet(v1)),
  row("needed", "list of jobs", LIST_V1, { ...schedule, action: "jobs" }, large),

  row("question", "assistant v1", ASK, { ...quiet(v1), action: "assistant" }, large),
  row("question", "assistant v2", ASK_V2, { ...quiet(v2), action: "assistant" }, large),

  row("needed", "collect: list", `GET ${REPO}/issues/comments`, sweep),
  row("aside", "collect: poll", POLL, sweep),
  row("aside", "collect: comments of the pull request", LIST_INVITATIONS, invitingSweep),
  row("aside", "collect: invitation", INVITE, invitingSweep),
  row("aside", "collect: reaction", REACT, sweep),
  row("aside", "collect: read again", `GET ${REPO}/issues/comments/:id`, sweep),
  row("aside", "collect: edit", EDIT, sweep),

  // A second build replaces the first, so the request is sent again.
  row("needed", "deploy: start", UPDATE, withoutDeployment),
  row("poll", "deploy: poll", BUILD, withoutDeployment),
  row("aside", "deploy: deployment", CREATE_DEPLOYMENT, deploy),
  row("aside", "deploy: status of the deployment", DEPLOYMENT_STATUS, deploy),
  row("aside", "deploy: comment", COMMENT, commentingDeploy),
];
