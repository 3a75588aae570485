import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { commentsOf } from "../../test/support/example-states.ts";
import type { SavedClaim } from "../ledger/run/saved-claim.ts";
import type { Http, Outgoing } from "../net/http.ts";
import { recoverQueue } from "./recover.ts";
import type { TaskChange } from "./task-change.ts";

const INPUTS: Record<string, string> = { "api-key": "mint_key", "github-token": "ghs_token" };

/** What a run left that was killed while its second request was on its way. */
function savedRun(): SavedClaim<TaskChange> {
  const [comment] = commentsOf({
    tasks: [
      { id: "a", state: "running" },
      { id: "b", state: "intended", jobId: null },
    ],
  });
  if (comment?.record?.kind !== "claim") throw new Error("a run leaves a claim");
  const memory = { claim: comment.record, commentId: comment.id, since: null, sending: 1 };
  const place = { repository: "acme/docs", issue: 7 };
  const github = { projectId: "docs", githubApiUrl: "https://github.test/api" };
  return { ledger: "queue tasks.json", memory, place, ...github };
}

/** Lets the post step meet a GitHub that answers each edit with this status. */
async function recover(saved: unknown, editStatus: number) {
  const edits: string[] = [];
  const exchange = async ({ method, body }: Outgoing) => {
    if (method === "PATCH") edits.push(String(body));
    const status = method === "PATCH" ? editStatus : 200;
    const headers = {
      "content-type": "application/json",
      date: new Date().toUTCString(),
    };
    return { status, headers, text: method === "PATCH" ? "{}" : "[]" };
  };
  const http = { checkProxy() {}, exchange } as unknown as Http;
  const dependencies = dependenciesOf({ http });
  const fails = await recoverQueue(saved, (name) => INPUTS[name] ?? "", dependencies);
  return { fails, edits, lines: dependencies.lines };
}

test("what is known of each task is written down, and the log says so once", async () => {
  const { fails, edits, lines } = await recover(savedRun(), 200);
  expect(fails).toBe(false);
  expect(edits).toEqual([expect.stringMatching(/`a`.*by the agent[\s\S]*`b`.*needs a decision/)]);
  expect(lines).toEqual(["info: The known state of this run was recorded on the dashboard."]);
});

test("an edit that GitHub refuses is a warning, and nothing is said to be written", async () => {
  const { fails, lines } = await recover(savedRun(), 403);
  expect(fails).toBe(false);
  expect(lines).toEqual([
    expect.stringMatching(
      /^warning: The state of this run could not be recorded on the dashboard: .*403/,
    ),
  ]);
});

test.each([
  ["no object", "claim"],
  ["one of another kind", { phase: "started", jobId: "job_1" }],
  ["one without an address", { ...savedRun(), githubApiUrl: "nowhere" }],
  ["one whose claim lacks its batches", changed({ batches: undefined })],
  ["one whose batch has an unknown state", changed({ batches: [{ state: "lost" }] })],
])("a state that is %s is a warning, and nothing is done", async (_, saved) => {
  const { fails, edits, lines } = await recover(saved, 200);
  expect(fails).toBe(false);
  expect(edits).toEqual([]);
  expect(lines).toEqual([
    "warning: The state saved by the main step cannot be read, so nothing was recorded.",
  ]);
});

/** What a run left, with something else in its claim. */
function changed(over: object): unknown {
  const saved = savedRun();
  return { ...saved, memory: { ...saved.memory, claim: { ...saved.memory.claim, ...over } } };
}
