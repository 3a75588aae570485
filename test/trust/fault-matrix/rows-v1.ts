import { json, text } from "../../support/answers.ts";
import { schedule } from "../../support/events.ts";
import {
  BRANCH,
  CREATE_V1,
  created,
  HALTED_WELL,
  LIST_V1,
  POLL_V1,
  session,
} from "../../support/scenario-v1.ts";
import type { Row } from "./row.ts";

const LIST_LIMIT = 8 * 1024 * 1024;
const headers = { "content-type": "text/plain" };
const named = { ...headers, "x-session-id": "session_1", "x-branch-name": BRANCH };
const run = { ...schedule, inputs: { "api-version": "v1", "issue-number": "7" } };
const LIST = { allSessions: [session()] };

/** The requests of the root action under version 1, and of the list of jobs. */
export const ROWS_V1: readonly Row[] = [
  {
    name: "v1 create",
    host: "service",
    purpose: "create-v1",
    route: CREATE_V1,
    before: 0,
    limit: LIST_LIMIT,
    jobId: "session_1",
    run,
    genuine: () => text(200, "Reading the repository\n".repeat(3), named),
    arrange: ({ service }) => {
      service.on(POLL_V1, json(200, HALTED_WELL));
    },
  },
  {
    name: "v1 poll",
    host: "service",
    purpose: "poll",
    route: POLL_V1,
    before: 1,
    jobId: "session_1",
    run,
    genuine: () => json(200, HALTED_WELL),
    arrange: ({ service }) => {
      service.on(CREATE_V1, created());
    },
  },
  {
    name: "list of jobs",
    host: "service",
    purpose: "list-jobs",
    route: LIST_V1,
    before: 0,
    limit: LIST_LIMIT,
    run: { ...schedule, action: "jobs" },
    genuine: () => json(200, LIST),
  },
];
