import { ADMIN_KEY } from "../../../emulator/service/state.ts";
import { json, text } from "../../support/answers.ts";
import { type Answer, type FaultyServer, startFaultyServer } from "../../support/faulty-server.ts";
import { BUILD, build, PREVIEW, PREVIEW_URL, UPDATE } from "../../support/world/builds.ts";
import { CONVERSATION } from "../../support/world/conversation.ts";
import { CREATE, completed, MESSAGE, POLL, record } from "../../support/world/jobs.ts";
import { ASK, ASK_V2, dataStream } from "../../support/world/questions.ts";
import { hostOf } from "../../support/world/servers.ts";
import {
  BRANCH,
  CREATE_V1,
  HALTED_WELL,
  LIST_V1,
  POLL_V1,
  session,
} from "../../support/world/sessions.ts";
import {
  type Run,
  startWorld,
  type World,
  type WorldOptions,
  type WorldRun,
} from "../../support/world/world.ts";
import { addLeftComment } from "../left-comment.ts";
import type { Cell } from "./cells.ts";
import { Disturbance } from "./disturbance.ts";

/** What is special about the runs of an action. */
const RUNS: NonNullable<WorldOptions["runs"]> = {
  // Each action has the key whose leaks are noticed.
  assistant: { inputs: { "api-key": ADMIN_KEY } },
  collect: { inputs: { "trigger-phrase": "" } },
};

/** The answers of the service to all that the rows ask of it. */
const ANSWERS: WorldOptions["answers"] = {
  [CREATE]: [json(201, record("active"))],
  [MESSAGE]: [json(200, record("active"))],
  [POLL]: [json(200, completed)],
  [CREATE_V1]: [
    text(200, "Reading the repository\n".repeat(3), {
      "content-type": "text/plain",
      "x-session-id": "session_1",
      "x-branch-name": BRANCH,
    }),
  ],
  [POLL_V1]: [json(200, HALTED_WELL)],
  [LIST_V1]: [json(200, { allSessions: [session()] })],
  [ASK]: [dataStream()],
  [ASK_V2]: [uiMessageStream()],
  [UPDATE]: [json(202, { statusId: "build_1" })],
  [PREVIEW]: [json(202, { statusId: "build_1", previewUrl: PREVIEW_URL })],
  [BUILD]: [json(200, build("success"))],
  "GET /repos/octo/docs/pulls/:n/files": [
    json(200, [{ filename: "docs/webhooks.md", additions: 1, deletions: 0 }]),
  ],
};

/** An answer in the form of the newer interface. */
function uiMessageStream(): Answer {
  const parts = [
    { type: "start" },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Create a second one." },
    { type: "text-end", id: "1" },
    { type: "finish", messageMetadata: { threadId: "thr_1" } },
  ];
  const events = [...parts.map((part) => JSON.stringify(part)), "[DONE]"];
  return text(200, events.map((data) => `data: ${data}\n\n`).join(""), {
    "content-type": "text/event-stream",
    "x-vercel-ai-ui-message-stream": "v1",
  });
}

/** The world of a cell. */
export interface CellWorld extends AsyncDisposable {
  world: World;
  /** A host that nothing may ever arrive at. */
  other: FaultyServer;
  disturbance: Disturbance;
  /** Runs the cell's action. */
  run(over: WorldRun): Promise<Run>;
}

/** @param before how many requests the row's host gets before the row's */
export async function setUpWorld(cell: Cell, before: number): Promise<CellWorld> {
  const { row, fault } = cell;
  const { action = "root", ...rowRun } = row.run;
  await using stack = new AsyncDisposableStack();
  const other = stack.use(await startFaultyServer());
  const disturbance = stack.use(new Disturbance(cell, before, other));
  const world = stack.use(
    await startWorld({
      ...CONVERSATION,
      answers: { ...CONVERSATION.answers, ...ANSWERS },
      runs: RUNS,
      servers: disturbance.servers,
      // How long a host is away is measured in real time.
      hasProcesses: fault.way.type === "refuse",
    }),
  );
  if (action === "collect") await addLeftComment(world);
  await row.arrange?.(world);
  const own = disturbance.optionsAt(world.servers[hostOf(row.route)]);
  const resources = stack.move();
  return {
    world,
    other,
    disturbance,
    run: (over) => {
      const inputs = { ...rowRun.inputs, ...own.inputs, ...over.inputs };
      return world.run(action, { ...rowRun, ...own, ...over, inputs });
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
