import { expect, test } from "vitest";
import { ADMIN_KEY } from "../../emulator/service/state.ts";
import { json, refusal } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { byPhrase, comment, newIssue } from "../support/phrase-events.ts";
import { CREATE, MESSAGE, POLL, PR_LINK, record, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld, type World } from "../support/world/world.ts";

const PULL = "GET /repos/octo/docs/pulls/9";

const pull = (state: string, merged_at: string | null) => {
  const head = { ref: "docs/x", sha: "a".repeat(40), repo: null };
  const base = { ref: "main", repo: { id: 1 } };
  return json(200, {
    number: 9,
    title: "Explain retries",
    html_url: "https://github.com/octo/docs/pull/9",
    user: { login: "mintlify[bot]", type: "Bot" },
    state,
    merged_at,
    updated_at: "2026-11-22T12:00:00Z",
    labels: [],
    changed_files: 1,
    head,
    base,
  });
};

/** A conversation with one job, whose pull request is #9. */
async function startConversation(key = ADMIN_KEY): Promise<World> {
  const world = await startWorld(WITH_JOB);
  const request = byPhrase(newIssue("/docs explain retries"), { "api-key": key });
  await world.run("root", { ...request, runId: "1000" });
  world.on(MESSAGE, json(200, record("active")));
  return world;
}

/** Runs the action on a further request, and returns its POST requests to the service. */
async function sendNext(world: World, inputs: Record<string, string> = {}) {
  const result = await world.run("root", byPhrase(comment("/docs also mention limits"), inputs));
  expect(result.exitCode).toBe(0);
  return { sent: result.toService.filter((request) => request.startsWith("POST")), result };
}

test.each<[string, string[], Answer, string]>([
  [
    "merged",
    [CREATE],
    pull("closed", "2026-11-22T12:00:00Z"),
    "has a merged pull request, so a new job was started",
  ],
  ["closed", [CREATE], pull("closed", null), "has a closed pull request, so a new job was started"],
  ["open", [MESSAGE], pull("open", null), ""],
  ["hidden from the token", [MESSAGE], refusal(404, "Not Found"), ""],
])(
  "a further request to a job whose pull request is %s sends %j",
  async (_, expected, answer, note) => {
    await using world = await startConversation();
    world.on(PULL, answer);
    const { sent, result } = await sendNext(world);
    expect(sent).toEqual(expected);
    const body = world.comments(7).at(-1)?.body ?? "";
    expect(body).toContain(note);
    expect(result.summary).toContain(note);
  },
);

test("a job that the service no longer knows gets no message, and a new job is started", async () => {
  await using world = await startConversation();
  world.on(
    POLL,
    json(404, { error: "Job not found" }),
    json(200, record("completed", { prLink: PR_LINK })),
  );
  const { sent } = await sendNext(world);
  expect(sent).toEqual([CREATE]);
  expect(world.comments(7).at(-1)?.body).toContain("no longer known to the service");
});
