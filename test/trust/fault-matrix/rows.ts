import { json } from "../../support/answers.ts";
import { issueComment, issueOpened, pullRequest, schedule } from "../../support/events.ts";
import { CREATE, completed, MESSAGE, POLL, record } from "../../support/scenario.ts";
import { addEarlierComment } from "./cell-setup.ts";
import type { Row } from "./row.ts";

const REPO = "/repos/octo/docs";

/** Comments go to issue #7, and nothing there is reacted to: the fewest calls to GitHub. */
const quiet = { ...schedule, inputs: { "issue-number": "7" } };

/** A request by phrase, on an issue or a review. */
function asked(trigger: { eventName?: string; event?: unknown }, inputs: Record<string, string>) {
  const event = structuredClone(trigger.event) as Record<string, { body?: string } | undefined>;
  const said = event.review ?? event.comment ?? event.issue ?? {};
  said.body = "/docs Describe the events.";
  const more = { "trigger-phrase": "/docs", "include-context": "false", ...inputs };
  return { ...trigger, event, inputs: more };
}

const review = pullRequest(7, "pull_request_review", {
  action: "submitted",
  review: { id: 12, node_id: "PRR_12", user: { login: "octocat", type: "User" } },
});
const withoutComment = { comment: "false", "continue-job": "false" };

/** The requests of the root action under version 2, and its calls to GitHub. */
export const ROWS: readonly Row[] = [
  {
    name: "create",
    host: "service",
    purpose: "create",
    route: CREATE,
    before: 0,
    run: quiet,
    genuine: () => json(201, record("active")),
  },
  {
    name: "message",
    host: "service",
    purpose: "message",
    route: MESSAGE,
    before: 0,
    genuine: () => json(200, record("active")),
    run: { ...quiet, inputs: { ...quiet.inputs, "job-id": "job_1" } },
  },
  {
    name: "message by phrase",
    host: "service",
    purpose: "continue",
    route: MESSAGE,
    before: 0,
    genuine: () => json(200, record("active")),
    arrange: addEarlierComment,
    run: asked(issueComment(7, 555), {}),
  },
  {
    name: "poll",
    host: "service",
    purpose: "poll",
    route: POLL,
    before: 1,
    run: quiet,
    genuine: () => json(200, completed),
  },
  {
    name: "poll of a job taken up",
    host: "service",
    purpose: "poll-taken-up",
    route: POLL,
    before: 0,
    genuine: () => json(200, completed),
    run: { ...quiet, inputs: { ...quiet.inputs, "job-id": "job_1", prompt: "" } },
  },
  {
    name: "poll for five minutes",
    host: "service",
    purpose: "poll-patiently",
    route: POLL,
    before: 0,
    genuine: () => json(200, completed),
    run: { ...schedule, inputs: { "job-id": "job_1", prompt: "" } },
    times: ["for good"],
  },
  {
    name: "permission",
    host: "github",
    purpose: "permission",
    before: 0,
    route: `GET ${REPO}/collaborators/:user/permission`,
    run: asked(issueOpened(7), {}),
  },
  {
    name: "comments of an earlier attempt",
    host: "github",
    purpose: "find-comment",
    route: `GET ${REPO}/issues/7/comments`,
    before: 0,
    isList: true,
    arrange: async (setup) => {
      await addEarlierComment(setup);
      setup.service.on(POLL, json(200, record("active")), json(200, completed));
    },
    run: { ...quiet, attempt: 2 },
  },
  {
    name: "create comment",
    host: "github",
    purpose: "create-comment",
    before: 0,
    route: `POST ${REPO}/issues/7/comments`,
    run: quiet,
  },
  {
    name: "edit comment",
    host: "github",
    purpose: "edit-comment",
    before: 1,
    route: `PATCH ${REPO}/issues/comments/:id`,
    run: quiet,
  },
  {
    name: "reaction",
    host: "github",
    purpose: "reaction",
    before: 1,
    route: `POST ${REPO}/issues/7/reactions`,
    run: asked(issueOpened(7), withoutComment),
  },
  {
    name: "reaction to a review",
    host: "github",
    purpose: "reaction",
    before: 1,
    route: "POST /graphql",
    run: asked(review, withoutComment),
    genuine: () => json(200, { data: { addReaction: { clientMutationId: null } } }),
  },
  {
    name: "changed files",
    host: "github",
    purpose: "changed-files",
    before: 0,
    route: `GET ${REPO}/pulls/7/files`,
    isList: true,
    genuine: () => json(200, [{ filename: "docs/webhooks.md" }]),
    run: { ...pullRequest(7), inputs: { comment: "false", "include-context": "true" } },
  },
  {
    name: "comments of the pull request",
    host: "github",
    purpose: "find-invitation",
    route: `GET ${REPO}/issues/9/comments`,
    before: 3,
    isList: true,
    run: asked(issueOpened(7), { "continue-job": "false" }),
  },
  {
    name: "invitation",
    host: "github",
    purpose: "invitation",
    before: 3,
    route: `POST ${REPO}/issues/9/comments`,
    run: asked(issueOpened(7), { "continue-job": "false" }),
  },
];
