import fc from "fast-check";
import { expect, test } from "vitest";
import { type JobMarker, jobMarkers } from "../../src/github/job-marker.ts";
import { json } from "../support/answers.ts";
import { anyText } from "../support/arbitrary.ts";
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

const LIST = "GET /repos/octo/docs/issues/7/comments";
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
  ...{ job, api, request: "accepted", ended: false },
  ...{ run: "1", attempt: 1, step: "x/y", asks: "z" },
});
const markers = jobMarkers([API_KEY], "docs");

test.each<[string, (marker: string, id: number) => string]>([
  ["names another job under the old signature", (marker) => rewritten(marker, { job: "job_evil" })],
  [
    "is signed with another key",
    (_, id) => jobMarkers(["mint_0ther"], "docs").write(place, evil(), id),
  ],
  ["is of another project", (_, id) => jobMarkers([API_KEY], "other").write(place, evil(), id)],
  ["is of another issue", (_, id) => markers.write({ ...place, issue: 8 }, evil(), id)],
  ["is of another comment", (_, id) => markers.write(place, evil(), id - 1)],
  ["is of a comment that had no id yet", () => markers.writeDraft(place, evil(), "draft")],
  [
    "is of another repository",
    (_, id) => markers.write({ ...place, repository: "octo/code" }, evil(), id),
  ],
  [
    "is of a version that cannot go on",
    (_, id) => markers.write(place, evil("job_evil", "v1"), id),
  ],
  ["is nothing of the kind", () => "<!-- docs-agent:job_evil.x -->"],
  [
    "is not JSON",
    (marker) => marker.replace(/:[\w-]+\./, `:${Buffer.from("{").toString("base64url")}.`),
  ],
  ["is cut", (marker) => marker.slice(0, -20)],
  ["lacks its signature", (marker) => marker.replace(/\.[\w-]+/, "")],
  ["does not stand at the end", (marker) => `${marker}\n\nSent from my phone`],
  ["is quoted, with more below", (marker) => `> ${marker}\n\nWhat is this?`],
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

test("an old marker, copied into a new comment, does not bring its job back", async () => {
  await using scenario = await startScenario();
  const body = (job: string) => (id: number) => markers.write(place, evil(job), id);
  const old = await scenario.github.addComment(7, body("job_evil"), "github-actions[bot]");
  await scenario.github.addComment(7, body("job_1"), "github-actions[bot]");
  await scenario.github.addComment(7, `I found this.\n\n${old.body}`, "outsider");
  scenario.service.on(MESSAGE, json(200, record("active")));
  expect(await askedByNext(scenario)).toEqual(ON);
});

test("a newer marker edited into an older comment does not count, and that comment is left alone", async () => {
  await using scenario = await startScenario();
  const older = await scenario.github.addComment(7, "Thanks!", "outsider");
  const { body } = await answered(scenario);
  await scenario.github.editComment(older.id, body);
  scenario.service.on(MESSAGE, json(200, record("active")));
  expect(await askedByNext(scenario)).toEqual(ON);
  expect((await scenario.github.comments(7))[0]?.body).toBe(body);
});

test("a marker that is copied within the same second is as if it were not there, when a run is attempted again", async () => {
  await using scenario = await startScenario();
  scenario.service.on(POLL, json(200, record("active")));
  await scenario.run({ inputs: { "timeout-minutes": "0.005" } });
  const [own] = await scenario.github.comments(7);
  await scenario.github.addComment(7, own?.body ?? "", "outsider");
  scenario.service.on(POLL, json(200, record("completed")));
  await scenario.run({ attempt: 2 });
  const [edited, copy] = await scenario.github.comments(7);
  expect(edited?.body).toContain("completed");
  expect(copy?.body).toBe(own?.body);
});

test("in a conversation of hundreds the newest page is enough", async () => {
  await using scenario = await startScenario();
  for (let n = 0; n < 250; n += 1) await scenario.github.addComment(7, `comment ${n}`);
  await answered(scenario);
  for (let n = 0; n < 40; n += 1) await scenario.github.addComment(7, `later ${n}`);
  const before = scenario.github.server.requestsTo(LIST).length;
  expect(await askedByNext(scenario)).toEqual(ON);
  const pages = scenario.github.server
    .requestsTo(LIST)
    .slice(before)
    .map(({ path }) => new URL(path, "http://x").searchParams.get("page"));
  expect(pages).toEqual(["1", "3"]);
});

test("whatever a crowd writes, no job but the action's own is ever named", async () => {
  await using scenario = await startScenario();
  const { body, marker } = await answered(scenario);
  const signature = fc.stringMatching(/^[A-Za-z0-9_-]{43}$/);
  const forged = fc.oneof(
    anyText(),
    fc
      .tuple(fc.nat({ max: marker.length - 1 }), fc.constantFrom("", "A", "-", ".", " ", "\n"))
      .map(([at, text]) => `${marker.slice(0, at)}${text}${marker.slice(at + 1)}x`),
    fc
      .tuple(fc.jsonValue(), signature)
      .map(
        ([value, sign]) =>
          `<!-- docs-agent:${Buffer.from(JSON.stringify(value)).toString("base64url")}.${sign} -->`,
      ),
    signature.map((sign) =>
      rewritten(marker, { job: "job_evil", issue: 11 }).replace(/\.[\w-]+/, `.${sign}`),
    ),
  );
  const crowd = fc.sample(forged, 150).filter((text) => text.trim() !== "");
  for (const text of crowd) await scenario.github.addComment(11, text, "outsider");
  await scenario.github.addComment(11, body, "outsider");
  expect(await askedByNext(scenario, 11)).toEqual(NEW);
});
