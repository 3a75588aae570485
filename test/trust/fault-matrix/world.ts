import { runAction as runProcess } from "../../../emulator/runner/runner.ts";
import { type ActionScenario, startActionScenario } from "../../support/action-scenario.ts";
import { json, text } from "../../support/answers.ts";
import { ASK, ASK_V2, dataStream } from "../../support/assistant-scenario.ts";
import { BUILD, build, PREVIEW, PREVIEW_URL, UPDATE } from "../../support/deploy-scenario.ts";
import { type Answer, type FaultyServer, startFaultyServer } from "../../support/faulty-server.ts";
import { runAction } from "../../support/run-action.ts";
import {
  API_KEY,
  CREATE,
  completed,
  MESSAGE,
  POLL,
  PROMPT,
  record,
  TOKEN,
} from "../../support/scenario.ts";
import {
  BRANCH,
  CREATE_V1,
  HALTED_WELL,
  LIST_V1,
  POLL_V1,
  session,
} from "../../support/scenario-v1.ts";
import { addLeftComment } from "../left-comment.ts";
import type { Cell } from "./cells.ts";
import { Disturbance } from "./disturbance.ts";
import { hostOf } from "./rows.ts";

/** What every run of an action is asked for. */
const INPUTS: Record<string, Record<string, string>> = {
  root: { "project-id": "docs", prompt: PROMPT },
  jobs: { "project-id": "docs" },
  collect: { "project-id": "docs" },
  deploy: { "project-id": "docs" },
  assistant: { domain: "acme", question: "How do I rotate a key?" },
};

/** The answers of the service to all that the rows ask of it. */
const ANSWERS: Record<string, Answer> = {
  [CREATE]: json(201, record("active")),
  [MESSAGE]: json(200, record("active")),
  [POLL]: json(200, completed),
  [CREATE_V1]: text(200, "Reading the repository\n".repeat(3), {
    "content-type": "text/plain",
    "x-session-id": "session_1",
    "x-branch-name": BRANCH,
  }),
  [POLL_V1]: json(200, HALTED_WELL),
  [LIST_V1]: json(200, { allSessions: [session()] }),
  [ASK]: dataStream(),
  [ASK_V2]: uiMessageStream(),
  [UPDATE]: json(202, { statusId: "build_1" }),
  [PREVIEW]: json(202, { statusId: "build_1", previewUrl: PREVIEW_URL }),
  [BUILD]: json(200, build("success")),
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

/** The servers of a cell, and its action. */
export interface World extends ActionScenario {
  /** A host that nothing may ever arrive at. */
  other: FaultyServer;
  disturbance: Disturbance;
}

/** @param before how many requests the row's host gets before the row's */
export async function setUpWorld(cell: Cell, before: number): Promise<World> {
  const { row, fault } = cell;
  await using stack = new AsyncDisposableStack();
  const other = stack.use(await startFaultyServer());
  const disturbance = stack.use(new Disturbance(cell, before, other));
  const usual = { oneRequestPerConnection: true, around: disturbance.around };
  const disturbed = { ...usual, ...disturbance.connections };
  const scenario = stack.use(
    await startActionScenario(
      ({ head: sha }) => ({
        token: TOKEN,
        sha,
        ...row.run,
        inputs: { "api-key": API_KEY, ...INPUTS[row.run.action ?? "root"], ...row.run.inputs },
      }),
      // How long a host is away is measured in real time.
      fault.way.type === "refuse" ? runProcess : runAction,
      { service: usual, github: usual, [hostOf(row)]: disturbed },
    ),
  );
  const { service, github } = scenario;
  for (const [route, answer] of Object.entries(ANSWERS)) service.on(route, answer);
  const files = json(200, [{ filename: "docs/webhooks.md" }]);
  github.server.on("GET /repos/octo/docs/pulls/:n/files", files);
  if (row.run.action === "collect") await addLeftComment(github);
  await row.arrange?.(scenario);
  const own = disturbance.optionsAt(hostOf(row) === "service" ? service : github.server);
  const resources = stack.move();
  return {
    ...scenario,
    other,
    disturbance,
    run: (over = {}) =>
      scenario.run({ ...own, ...over, inputs: { ...own.inputs, ...over.inputs } }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
