import { expect, test } from "vitest";
import { ADMIN_KEY, PROJECT_ID } from "../../emulator/service/state.ts";
import { type JobMarker, jobMarkers } from "../../src/github/conversation/job-marker.ts";
import { json } from "../support/answers.ts";
import { byPhrase, comment, newIssue } from "../support/phrase-events.ts";
import { addComment, editComment } from "../support/world/comments.ts";
import { MARKER } from "../support/world/conversation.ts";
import { CREATE, MESSAGE, POLL, record, WITH_JOB } from "../support/world/jobs.ts";
import { startWorld, type World } from "../support/world/world.ts";

const EVIL = "POST service /v2/agent/acme-docs/job/job_evil/message";

/** Runs a request by phrase, and returns the body and the marker of the status comment. */
async function runFirstRequest(world: World): Promise<{ body: string; marker: string }> {
  await world.run("root", { ...byPhrase(newIssue("/docs explain retries")), runId: "1000" });
  world.on(MESSAGE, json(200, record("active")));
  const body = world.comment(7);
  const [marker = ""] = body.match(MARKER) ?? [];
  return { body, marker };
}

/** Runs a further request, and returns its requests to the service. */
async function requestsOfNext(world: World, number = 7): Promise<string[]> {
  const result = await world.run(
    "root",
    byPhrase(comment("/docs also mention limits", { number })),
  );
  expect(result.exitCode).toBe(0);
  return result.toService;
}

const NEW_JOB = [CREATE, POLL];
/** The job is polled first, because a merged or closed pull request ends the conversation. */
const FOLLOW_UP = [POLL, MESSAGE, POLL];

/** A marker with changed fields and its old signature. */
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
  ended: null,
  run: "1",
  attempt: 1,
  step: "x/y",
  asks: "z",
});
const markers = jobMarkers([ADMIN_KEY], PROJECT_ID);

test.each<[string, (marker: string, id: number) => string]>([
  ["names another job under the old signature", (marker) => rewritten(marker, { job: "job_evil" })],
  [
    "is signed with another key",
    (_, id) => jobMarkers(["mint_0ther"], PROJECT_ID).write(place, evil(), id),
  ],
  [
    "is signed for another project",
    (_, id) => jobMarkers([ADMIN_KEY], "other").write(place, evil(), id),
  ],
  ["is signed for another comment", (_, id) => markers.write(place, evil(), id - 1)],
  [
    "names a version without follow-ups",
    (_, id) => markers.write(place, evil("job_evil", "v1"), id),
  ],
  ["is not at the end", (marker) => `${marker}\n\nSent from my phone`],
])("a marker that %s is ignored", async (_, change) => {
  await using world = await startWorld(WITH_JOB);
  const { marker } = await runFirstRequest(world);
  const [own] = world.comments(7);
  editComment(world, own?.id ?? 0, "The agent's comment, edited away.");
  addComment(world, 7, (id) => `Look here.\n\n${change(marker, id)}`, "outsider");
  world.on(EVIL, json(200, record("active")));
  expect(await requestsOfNext(world)).toEqual(NEW_JOB);
});

test("a marker that is signed for the comment names the job, whoever posted the comment", async () => {
  await using world = await startWorld(WITH_JOB);
  const body = (id: number) => `Look here.\n\n${markers.write(place, evil("job_1"), id)}`;
  addComment(world, 7, body, "outsider");
  world.on(MESSAGE, json(200, record("active")));
  expect(await requestsOfNext(world)).toEqual(FOLLOW_UP);
});

test("a forged marker after a valid one is ignored", async () => {
  await using world = await startWorld(WITH_JOB);
  const { marker } = await runFirstRequest(world);
  addComment(world, 7, rewritten(marker, { job: "job_evil" }), "outsider");
  addComment(world, 7, "<!-- docs-agent:x.y -->", "outsider");
  expect(await requestsOfNext(world)).toEqual(FOLLOW_UP);
});

/** A marker of the first job as it was written under another name of the repository. @param id the repository's */
const underOldName = (id: number | null) => (comment: number) =>
  markers.write({ repository: "octo/old", repositoryId: id, issue: 7 }, evil("job_1"), comment);

test.each([
  ["by its ID, after a rename", 4711, 4711, FOLLOW_UP],
  ["by an old name that leads to it", null, 4711, FOLLOW_UP],
  ["by a name that is another one's now", null, 9, NEW_JOB],
  ["by the ID of another one", 9, 9, NEW_JOB],
])("a marker that names the repository %s", async (_, id, idOfName, requests) => {
  await using world = await startWorld(WITH_JOB);
  world.on(MESSAGE, json(200, record("active")));
  world.on("GET /repos/octo/old", json(200, { id: idOfName }));
  addComment(world, 7, underOldName(id));
  expect(await requestsOfNext(world)).toEqual(requests);
});

test("the marker of a comment names the repository by its ID", async () => {
  await using world = await startWorld(WITH_JOB);
  const { marker } = await runFirstRequest(world);
  const [, payload = ""] = /docs-agent:([\w-]+)/.exec(marker) ?? [];
  expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
    repository: "octo/docs",
    repositoryId: 4711,
  });
});

test("a marker that is copied to another issue is ignored there", async () => {
  await using world = await startWorld(WITH_JOB);
  const { body } = await runFirstRequest(world);
  addComment(world, 8, body, "outsider");
  expect(await requestsOfNext(world, 8)).toEqual(NEW_JOB);
});
