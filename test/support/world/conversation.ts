/** A repository with issues, in which people ask for documentation, and the requests to GitHub about it. */

import { tokenOf, WORKFLOW } from "../../../emulator/github/people.ts";
import { ADMIN_KEY } from "../../../emulator/service/state.ts";
import { json } from "../answers.ts";
import type { WorldOptions } from "./world.ts";

/** The `github.token` of every run. */
export const TOKEN = tokenOf(WORKFLOW);
/** The texts that a step masks. */
export const SECRETS = [ADMIN_KEY, TOKEN];

/** A pattern for hidden markers. */
export const MARKER = /<!-- docs-agent:[\w-]+\.[\w-]+ -->/g;

const REPOSITORY = "octo/docs";
const REPO = `/repos/${REPOSITORY}`;
export const LIST_COMMENTS = `GET ${REPO}/issues/:n/comments`;
export const LIST_ALL_COMMENTS = `GET ${REPO}/issues/comments`;
export const CREATE_COMMENT = `POST ${REPO}/issues/:n/comments`;
export const GET_COMMENT = `GET ${REPO}/issues/comments/:id`;
export const EDIT_COMMENT = `PATCH ${REPO}/issues/comments/:id`;
export const PERMISSION = `GET ${REPO}/collaborators/:user/permission`;
export const REACT_TO_ISSUE = `POST ${REPO}/issues/:n/reactions`;
export const REACT_TO_COMMENT = `POST ${REPO}/issues/comments/:id/reactions`;
export const REACT_TO_REVIEW_COMMENT = `POST ${REPO}/pulls/comments/:id/reactions`;
/** A review gets its reactions with it. */
export const GRAPHQL = "POST /graphql";

const issues = Array.from({ length: 12 }, (_, nth) => ({
  title: `Issue ${nth + 1}`,
  body: "Please explain.",
}));
const reacted = json(201, { id: 1, content: "eyes" });
/** Whose the token is, which is asked for where a run may have left a comment without its name. */
const viewer = { login: WORKFLOW };

/** What is said in the events does not exist on the emulated GitHub: it is reacted to all the same. */
export const CONVERSATION: WorldOptions = {
  repository: REPOSITORY,
  issues,
  // Attempts are of the same run, and links in the events are to this server.
  every: { runId: "1001", serverUrl: "https://github.com" },
  answers: {
    [REACT_TO_ISSUE]: [reacted],
    [REACT_TO_COMMENT]: [reacted],
    [REACT_TO_REVIEW_COMMENT]: [reacted],
    [GRAPHQL]: [json(200, { data: { addReaction: { clientMutationId: null }, viewer } })],
  },
};
