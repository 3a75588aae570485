import type { RunOptions } from "../../../emulator/runner/runner.ts";
import { json, text } from "../../support/answers.ts";
import { ASK, dataStream } from "../../support/assistant-scenario.ts";
import { issueComment, issueOpened, schedule } from "../../support/events.ts";
import { type FaultyServer, startFaultyServer } from "../../support/faulty-server.ts";
import { startGitHub, type TestGitHub } from "../../support/github.ts";
import { runAction } from "../../support/run-action.ts";
import {
  API_KEY,
  CREATE,
  completed,
  MESSAGE,
  POLL,
  PR_LINK,
  record,
  TOKEN,
} from "../../support/scenario.ts";
import { BRANCH, CREATE_V1, HALTED_WELL, POLL_V1, session } from "../../support/scenario-v1.ts";
import { addLeftComment } from "../left-comment.ts";
import type { RequestWatcher } from "./request-watcher.ts";

/** A run that is stopped at each of its requests. */
export interface CancellableRun {
  name: string;
  action?: string;
  /** The ID of its job, or an empty string. */
  jobId: string;
  /** The request that creates a job, or an empty string. */
  creates: string;
  trigger: Pick<RunOptions, "eventName" | "event">;
  inputs: Record<string, string>;
  /** Prepares GitHub before the run. */
  prepare?: (github: TestGitHub) => Promise<void>;
  /** Whether the outputs show that the run was complete before it was stopped. */
  doneWhen?: (outputs: Record<string, string>) => boolean;
  /** The problems of what the run left behind. Default: those of its one comment. */
  checkRest?: (setup: RunSetup) => Promise<string[]>;
}

/** Both watched servers of a run, and its options. */
export interface RunSetup extends AsyncDisposable {
  service: FaultyServer;
  github: TestGitHub;
  options: RunOptions;
}

/** The number of the job's pull request. */
const PULL = Number(PR_LINK.split("/").at(-1));
const PHRASE = "/docs Describe the events.";

function requestByPhrase(): Pick<RunOptions, "eventName" | "event"> {
  const trigger = issueComment(7, 555);
  const event = structuredClone(trigger.event) as { comment: { body: string } };
  event.comment.body = PHRASE;
  return { ...trigger, event };
}

const INPUTS = { "project-id": "docs", prompt: "Document the webhooks." };

export const CANCELLABLE_RUNS: readonly CancellableRun[] = [
  {
    name: "a new job",
    jobId: "job_1",
    creates: CREATE,
    trigger: issueOpened(7),
    inputs: INPUTS,
  },
  {
    name: "a follow-up",
    jobId: "job_1",
    creates: "",
    trigger: issueOpened(7),
    inputs: { ...INPUTS, "job-id": "job_1" },
  },
  {
    name: "a request by phrase",
    jobId: "job_1",
    creates: CREATE,
    trigger: requestByPhrase(),
    inputs: { ...INPUTS, "trigger-phrase": "/docs" },
  },
  {
    name: "a new job of version 1",
    jobId: "session_1",
    creates: CREATE_V1,
    trigger: issueOpened(7),
    inputs: { ...INPUTS, "api-version": "v1" },
  },
  {
    name: "a question",
    action: "assistant",
    jobId: "",
    creates: "",
    trigger: requestByPhrase(),
    inputs: { domain: "acme", "trigger-phrase": "/docs" },
  },
  {
    name: "a sweep",
    action: "collect",
    jobId: "",
    creates: "",
    trigger: schedule,
    inputs: { "project-id": "docs", "trigger-phrase": "/docs" },
    prepare: addLeftComment,
    doneWhen: ({ finishedCount }) => finishedCount === "1",
    checkRest: checkNextSweep,
  },
];

/** Checks that the next sweep finishes the comment, and writes nothing twice. */
async function checkNextSweep({ github, options }: RunSetup): Promise<string[]> {
  const { exitCode, stdout } = await runAction(options);
  const [comment, ...others] = await github.comments(7);
  const invitations = await github.comments(PULL);
  return [
    ...(exitCode === 0 ? [] : [`the next sweep fails:\n${stdout}`]),
    ...(comment?.body.startsWith("### ✅") ? [] : ["the next sweep does not finish the comment"]),
    ...(others.length === 0 ? [] : ["there is another comment"]),
    ...(invitations.length === 1 ? [] : [`there are ${invitations.length} invitations`]),
  ];
}

/** Starts both servers. All requests succeed. */
export async function setUpRun(run: CancellableRun, watcher: RequestWatcher): Promise<RunSetup> {
  const { around } = watcher;
  const service = await startFaultyServer({ around });
  const github = await startGitHub("octo/docs", { around });
  const active = json(200, record("active"));
  service.on(CREATE, json(201, record("active"))).on(MESSAGE, active);
  if (run.prepare === undefined) service.on(POLL, active, json(200, completed));
  else service.on(POLL, json(200, completed));
  await run.prepare?.(github);
  const headers = {
    "content-type": "text/plain",
    "x-session-id": "session_1",
    "x-branch-name": BRANCH,
  };
  service.on(CREATE_V1, text(200, "Reading\n", headers));
  service.on(POLL_V1, json(200, session()), json(200, HALTED_WELL));
  service.on(ASK, dataStream());
  const delays = { "poll-interval-seconds": "0.05", "poll-max-interval-seconds": "0.05" };
  const options: RunOptions = {
    ...run.trigger,
    ...(run.action === undefined ? {} : { action: run.action }),
    apiUrl: github.url,
    token: TOKEN,
    inputs: {
      "api-key": API_KEY,
      "base-url": service.url,
      ...(run.action === undefined ? delays : {}),
      ...run.inputs,
    },
  };
  return {
    service,
    github,
    options,
    async [Symbol.asyncDispose]() {
      await Promise.all([service.close(), github.close()]);
    },
  };
}
