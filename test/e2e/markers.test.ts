import { expect, test } from "vitest";
import { type JobMarker, jobMarkers } from "../../src/github/conversation/job-marker.ts";
import { json } from "../support/answers.ts";
import { byPhrase, comment, newIssue } from "../support/phrase-events.ts";
import {
  API_KEY,
  CREATE,
  MARKER,
  MESSAGE,
  POLL,
  record,
  type Scenario,
  startScenario,
} from "../support/scenario.ts";

const EVIL = "POST /v2/agent/docs/job/job_evil/message";

/** An answer to a request by phrase, and the marker in it. */
async function answered(scenario: Scenario): Promise<{ body: string; marker: string }> {
  await scenario.run({ ...byPhrase(newIssue("/docs explain retries")), runId: "1000" });
  scenario.service.on(MESSAGE, json(200, record("active")));
  const body = (await scenario.github.comments(7))[0]?.body ?? "";
  const [marker = ""] = body.match(MARKER) ?? [];
  return { body, marker };
}

/** Asks for more, and tells what the service was asked for since. */
async function askedByNext(scenario: Scenario, number = 7): Promise<string[]> {
  const before = scenario.asked().length;
  const result = await scenario.run(byPhrase(comment("/docs also mention limits", { number })));
  expect(result.exitCode).toBe(0);
  return scenario.asked().slice(before);
}

const NEW = [CREATE, POLL];
/** The job is polled first: a pull request that is merged or closed ends the conversation. */
const ON = [POLL, MESSAGE, POLL];

test("the action's own marker names the job", async () => {
  await using scenario = await startScenario();
  await answered(scenario);
  expect(await askedByNext(scenario)).toEqual(ON);
});

/** The payload of a marker, changed and under the old signature. */
function rewritten(marker: string, change: Record<string, unknown>): string {
  return marker.replace(/docs-agent:([\w-]+)/, (_, payload: string) => {
    const fields = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), ...change };
    return `docs-agent:${Buffer.from(JSON.stringify(fields)).toString("base64url")}`;
  });
}

const place = { repository: "octo/docs", issue: 7 };
const evil = (job = "job_evil", api = "v2"): JobMarker => ({
  job,
  api,
  request: "accepted",
  ended: false,
  run: "1",
  attempt: 1,
  step: "x/y",
  asks: "z",
});
const markers = jobMarkers([API_KEY], "docs");

test.each<[string, (marker: string, id: number) => string]>([
  ["names another job under the old signature", (marker) => rewritten(marker, { job: "job_evil" })],
  [
    "is signed with another key",
    (_, id) => jobMarkers(["mint_0ther"], "docs").write(place, evil(), id),
  ],
  ["is of another project", (_, id) => jobMarkers([API_KEY], "other").write(place, evil(), id)],
  ["is of another comment", (_, id) => markers.write(place, evil(), id - 1)],
  [
    "is of a version that cannot go on",
    (_, id) => markers.write(place, evil("job_evil", "v1"), id),
  ],
  ["does not stand at the end", (marker) => `${marker}\n\nSent from my phone`],
])("a marker that %s points at no job", async (_, change) => {
  await using scenario = await startScenario();
  const { marker } = await answered(scenario);
  const [own] = await scenario.github.comments(7);
  await scenario.github.editComment(own?.id ?? 0, "The agent's comment, edited away.");
  await scenario.github.addComment(7, (id) => `Look here.\n\n${change(marker, id)}`, "outsider");
  scenario.service.on(EVIL, json(200, record("active")));
  expect(await askedByNext(scenario)).toEqual(NEW);
});

test("the same marker, if it were signed for here, would point at the job", async () => {
  await using scenario = await startScenario();
  const body = (id: number) => `Look here.\n\n${markers.write(place, evil("job_1"), id)}`;
  await scenario.github.addComment(7, body, "outsider");
  scenario.service.on(MESSAGE, json(200, record("active")));
  expect(await askedByNext(scenario)).toEqual(ON);
});

test("a forged marker after a good one does not hide it", async () => {
  await using scenario = await startScenario();
  const { marker } = await answered(scenario);
  await scenario.github.addComment(7, rewritten(marker, { job: "job_evil" }), "outsider");
  await scenario.github.addComment(7, "<!-- docs-agent:x.y -->", "outsider");
  expect(await askedByNext(scenario)).toEqual(ON);
});

test("a marker copied to another issue does not count there", async () => {
  await using scenario = await startScenario();
  const { body } = await answered(scenario);
  await scenario.github.addComment(8, body, "outsider");
  expect(await askedByNext(scenario, 8)).toEqual(NEW);
});
