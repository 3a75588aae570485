import { expect, test } from "vitest";
import { json } from "../support/answers.ts";
import type { Answer } from "../support/faulty-server.ts";
import { refusal } from "../support/github.ts";
import { byPhrase, comment, newIssue } from "../support/phrase-events.ts";
import {
  API_KEY,
  CREATE,
  MESSAGE,
  POLL,
  record,
  type Scenario,
  startScenario,
} from "../support/scenario.ts";

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
async function startConversation(key = API_KEY): Promise<Scenario> {
  const scenario = await startScenario();
  const request = byPhrase(newIssue("/docs explain retries"), { "api-key": key });
  await scenario.run({ ...request, runId: "1000" });
  scenario.service.on(MESSAGE, json(200, record("active")));
  return scenario;
}

/** Runs the action on a further request, and returns its POST requests to the service. */
async function sendNext(scenario: Scenario, inputs: Record<string, string> = {}) {
  const before = scenario.asked().length;
  const result = await scenario.run(byPhrase(comment("/docs also mention limits"), inputs));
  expect(result.exitCode).toBe(0);
  const sent = scenario.asked().slice(before);
  return { sent: sent.filter((request) => request.startsWith("POST")), result };
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
    await using scenario = await startConversation();
    scenario.github.server.on(PULL, answer);
    const { sent, result } = await sendNext(scenario);
    expect(sent).toEqual(expected);
    const body = (await scenario.github.comments(7)).at(-1)?.body ?? "";
    expect(body).toContain(note);
    expect(result.summary).toContain(note);
  },
);

test("a job that the service no longer knows gets no message, and a new job is started", async () => {
  await using scenario = await startConversation();
  scenario.service.on(POLL, json(404, { error: "Job not found" }), json(200, record("completed")));
  const { sent } = await sendNext(scenario);
  expect(sent).toEqual([CREATE]);
  expect((await scenario.github.comments(7)).at(-1)?.body).toContain(
    "no longer known to the service",
  );
});
