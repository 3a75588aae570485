import { json } from "../../support/answers.ts";
import { schedule } from "../../support/events.ts";
import { completed, POLL } from "../../support/scenario.ts";
import { addLeftComment } from "../left-comment.ts";
import type { CellSetup, Row } from "./row.ts";

const REPO = "/repos/octo/docs";

/** A sweep that invites, and one that does not. */
const inviting = { ...schedule, action: "collect", inputs: { "trigger-phrase": "/docs" } };
const quiet = { ...schedule, action: "collect" };

const sweep = { arrange: ({ github }: CellSetup) => addLeftComment(github) };
const toGitHub = { ...sweep, host: "github" } as const;

/** The requests of a sweep over one comment, in their order. */
export const ROWS_COLLECT: readonly Row[] = [
  {
    ...toGitHub,
    name: "collect: list",
    purpose: "collect-list",
    before: 0,
    isList: true,
    route: `GET ${REPO}/issues/comments`,
    run: quiet,
  },
  {
    ...sweep,
    name: "collect: poll",
    purpose: "collect-poll",
    before: 0,
    route: POLL,
    host: "service",
    run: quiet,
    genuine: () => json(200, completed),
  },
  {
    ...toGitHub,
    name: "collect: comments of the pull request",
    before: 1,
    isList: true,
    purpose: "collect-find-invitation",
    route: `GET ${REPO}/issues/9/comments`,
    run: inviting,
  },
  {
    ...toGitHub,
    name: "collect: invitation",
    purpose: "collect-invitation",
    before: 2,
    route: `POST ${REPO}/issues/9/comments`,
    run: inviting,
  },
  {
    ...toGitHub,
    name: "collect: reaction",
    purpose: "collect-reaction",
    before: 1,
    route: `POST ${REPO}/issues/7/reactions`,
    run: quiet,
  },
  {
    ...toGitHub,
    name: "collect: read again",
    purpose: "collect-read",
    before: 2,
    route: `GET ${REPO}/issues/comments/:id`,
    run: quiet,
  },
  {
    ...toGitHub,
    name: "collect: edit",
    purpose: "collect-edit",
    before: 3,
    route: `PATCH ${REPO}/issues/comments/:id`,
    run: quiet,
  },
];
