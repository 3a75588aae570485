import { json, text } from "../../support/answers.ts";
import { issueComment, issueOpened, schedule, type Trigger } from "../../support/events.ts";
import type { ActionName } from "../../support/world/actions.ts";
import { CONVERSATION } from "../../support/world/conversation.ts";
import { CREATE, completed, MESSAGE, POLL, PR_LINK, record } from "../../support/world/jobs.ts";
import { ASK, dataStream } from "../../support/world/questions.ts";
import { BRANCH, CREATE_V1, HALTED_WELL, POLL_V1, session } from "../../support/world/sessions.ts";
import { startWorld, type World, type WorldRun } from "../../support/world/world.ts";
import { addLeftComment } from "../left-comment.ts";
import type { RequestWatcher } from "./request-watcher.ts";

/** A run that is stopped at each of its requests. */
export interface CancellableRun {
  name: string;
  action: ActionName;
  /** The ID of its job, or an empty string. */
  jobId: string;
  /** The request that creates a job, or an empty string. */
  creates: string;
  trigger: Trigger;
  inputs: Record<string, string>;
  /** Prepares GitHub before the run. */
  prepare?: (world: World) => Promise<void>;
  /** Whether the outputs show that the run was complete before it was stopped. */
  doneWhen?: (outputs: Record<string, string>) => boolean;
  /** The problems of what the run left behind. Default: those of its one comment. */
  checkRest?: (setup: RunSetup) => Promise<string[]>;
}

/** The watched world of a run, and its options. */
export interface RunSetup {
  world: World;
  action: ActionName;
  options: WorldRun;
}

/** The number of the job's pull request. */
const PULL = Number(PR_LINK.split("/").at(-1));
const PHRASE = "/docs Describe the events.";

function requestByPhrase(): Trigger {
  const trigger = issueComment(7, 555);
  const event = structuredClone(trigger.event) as { comment: { body: string } };
  event.comment.body = PHRASE;
  return { ...trigger, event };
}

const DELAYS = { "poll-interval-seconds": "0.05", "poll-max-interval-seconds": "0.05" };

export const CANCELLABLE_RUNS: readonly CancellableRun[] = [
  {
    name: "a new job",
    action: "root",
    jobId: "job_1",
    creates: CREATE,
    trigger: issueOpened(7),
    inputs: DELAYS,
  },
  {
    name: "a follow-up",
    action: "root",
    jobId: "job_1",
    creates: "",
    trigger: issueOpened(7),
    inputs: { ...DELAYS, "job-id": "job_1" },
  },
  {
    name: "a request by phrase",
    action: "root",
    jobId: "job_1",
    creates: CREATE,
    trigger: requestByPhrase(),
    inputs: { ...DELAYS, "trigger-phrase": "/docs" },
  },
  {
    name: "a new job of version 1",
    action: "root",
    jobId: "session_1",
    creates: CREATE_V1,
    trigger: issueOpened(7),
    inputs: { ...DELAYS, "api-version": "v1" },
  },
  {
    name: "a question",
    action: "assistant",
    jobId: "",
    creates: "",
    trigger: requestByPhrase(),
    inputs: { question: "", "trigger-phrase": "/docs" },
  },
  {
    name: "a sweep",
    action: "collect",
    jobId: "",
    creates: "",
    trigger: schedule,
    inputs: {},
    prepare: addLeftComment,
    doneWhen: ({ finishedCount }) => finishedCount === "1",
    checkRest: checkNextSweep,
  },
];

/** Checks that the next sweep finishes the comment, and writes nothing twice. */
async function checkNextSweep({ world, action, options }: RunSetup): Promise<string[]> {
  const { exitCode, stdout } = await world.run(action, options);
  const [comment, ...others] = world.comments(7);
  const invitations = world.comments(PULL);
  return [
    ...(exitCode === 0 ? [] : [`the next sweep fails:\n${stdout}`]),
    ...(comment?.body.startsWith("### ✅") ? [] : ["the next sweep does not finish the comment"]),
    ...(others.length === 0 ? [] : ["there is another comment"]),
    ...(invitations.length === 1 ? [] : [`there are ${invitations.length} invitations`]),
  ];
}

/** Starts the world. All requests succeed. */
export async function setUpRun(run: CancellableRun, watcher: RequestWatcher): Promise<RunSetup> {
  const active = json(200, record("active"));
  const headers = {
    "content-type": "text/plain",
    "x-session-id": "session_1",
    "x-branch-name": BRANCH,
  };
  const world = await startWorld({
    ...CONVERSATION,
    servers: watcher.servers,
    answers: {
      ...CONVERSATION.answers,
      [CREATE]: [json(201, record("active"))],
      [MESSAGE]: [active],
      [POLL]: run.prepare === undefined ? [active, json(200, completed)] : [json(200, completed)],
      [CREATE_V1]: [text(200, "Reading\n", headers)],
      [POLL_V1]: [json(200, session()), json(200, HALTED_WELL)],
      [ASK]: [dataStream()],
    },
  });
  await run.prepare?.(world);
  return { world, action: run.action, options: { ...run.trigger, inputs: run.inputs } };
}
