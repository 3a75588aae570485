import fc from "fast-check";
import { expect, test } from "vitest";
import { jobMarkers } from "../../src/github/markers.ts";
import { json } from "../support/answers.ts";
import { anyText } from "../support/arbitrary.ts";
import { byPhrase, comment, newIssue } from "../support/asks.ts";
import {
  API_KEY,
  CREATE,
  LOOK,
  MARKER,
  MESSAGE,
  record,
  type Scene,
  setScene,
} from "../support/scene.ts";

const LIST = "GET /repos/octo/docs/issues/7/comments";
const MINUTE = 60_000;
const EVIL = "POST /v2/agent/docs/job/job_evil/message";

/** An answer to a request by phrase, and the marker in it. */
async function answered(scene: Scene): Promise<{ body: string; marker: string }> {
  await scene.run({ ...byPhrase(newIssue("/docs explain retries")), runId: "1000" });
  scene.service.on(MESSAGE, json(200, record("active")));
  const body = (await scene.github.comments(7))[0]?.body ?? "";
  const [marker = ""] = body.match(MARKER) ?? [];
  return { body, marker };
}

/** Asks for more, and tells what the service was asked for since. */
async function askedByNext(scene: Scene, number = 7): Promise<string[]> {
  const before = scene.asked().length;
  const result = await scene.run(byPhrase(comment("/docs also mention limits", { number })));
  expect(result.exitCode).toBe(0);
  return scene.asked().slice(before);
}

const NEW = [CREATE, LOOK];
const ON = [MESSAGE, LOOK];

test("the action's own marker names the job", async () => {
  await using scene = await setScene();
  await answered(scene);
  expect(await askedByNext(scene)).toEqual(ON);
});

/** The payload of a marker, changed and under the old signature. */
function rewritten(marker: string, change: Record<string, unknown>): string {
  return marker.replace(/docs-agent:([\w-]+)/, (_, payload: string) => {
    const fields = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), ...change };
    return `docs-agent:${Buffer.from(JSON.stringify(fields)).toString("base64url")}`;
  });
}

const place = { repository: "octo/docs", issue: 7 };
const evil = () => ({
  ...{ job: "job_evil", api: "v2", ended: false, run: "1", attempt: 1, step: "x/y" },
  at: Date.now(),
});

test.each<[string, (marker: string) => string]>([
  ["names another job under the old signature", (marker) => rewritten(marker, { job: "job_evil" })],
  ["is signed with another key", () => jobMarkers("mint_0ther", "docs").write(place, evil())],
  ["is of another project", () => jobMarkers(API_KEY, "other").write(place, evil())],
  ["is of another issue", () => jobMarkers(API_KEY, "docs").write({ ...place, issue: 8 }, evil())],
  [
    "is of another repository",
    () => jobMarkers(API_KEY, "docs").write({ ...place, repository: "octo/code" }, evil()),
  ],
  [
    "is of a version that cannot go on",
    () => jobMarkers(API_KEY, "docs").write(place, { ...evil(), api: "v1" }),
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
  await using scene = await setScene();
  const { marker } = await answered(scene);
  const [own] = await scene.github.comments(7);
  await scene.github.editComment(own?.id ?? 0, "The agent's comment, edited away.");
  await scene.github.addComment(7, `Look here.\n\n${change(marker)}`, "outsider");
  scene.service.on(EVIL, json(200, record("active")));
  expect(await askedByNext(scene)).toEqual(NEW);
});

test("the same marker, if it were signed for here, would point at the job", async () => {
  await using scene = await setScene();
  const marker = jobMarkers(API_KEY, "docs").write(place, { ...evil(), job: "job_1" });
  await scene.github.addComment(7, `Look here.\n\n${marker}`, "outsider");
  scene.service.on(MESSAGE, json(200, record("active")));
  expect(await askedByNext(scene)).toEqual(ON);
});

test("a forged marker after a good one does not hide it", async () => {
  await using scene = await setScene();
  const { marker } = await answered(scene);
  await scene.github.addComment(7, rewritten(marker, { job: "job_evil" }), "outsider");
  await scene.github.addComment(7, "<!-- docs-agent:x.y -->", "outsider");
  expect(await askedByNext(scene)).toEqual(ON);
});

test("a marker copied to another issue does not count there", async () => {
  await using scene = await setScene();
  const { body } = await answered(scene);
  await scene.github.addComment(8, body, "outsider");
  expect(await askedByNext(scene, 8)).toEqual(NEW);
});

test("an old marker, copied into a new comment, does not bring its job back", async () => {
  await using scene = await setScene();
  const comment = (id: number, body: string, at = Date.now()) => ({
    ...{ id, body, html_url: "", created_at: new Date(at).toISOString() },
  });
  const marker = (job: string, at: number) =>
    jobMarkers(API_KEY, "docs").write(place, { ...evil(), job, at });
  const [hour, half] = [60, 30].map((minutes) => Date.now() - minutes * MINUTE) as [number, number];
  const old = marker("job_evil", hour);
  const list = [
    comment(1, old, hour),
    comment(2, marker("job_1", half), half),
    comment(3, `I found this.\n\n${old}`),
  ];
  scene.github.answer("list-comments", json(200, list));
  scene.service.on(MESSAGE, json(200, record("active")));
  expect(await askedByNext(scene)).toEqual(ON);
});

test("in a conversation of hundreds the newest page is enough", async () => {
  await using scene = await setScene();
  for (let n = 0; n < 250; n += 1) await scene.github.addComment(7, `comment ${n}`);
  await answered(scene);
  for (let n = 0; n < 40; n += 1) await scene.github.addComment(7, `later ${n}`);
  const before = scene.github.server.requestsTo(LIST).length;
  expect(await askedByNext(scene)).toEqual(ON);
  const pages = scene.github.server
    .requestsTo(LIST)
    .slice(before)
    .map(({ path }) => new URL(path, "http://x").searchParams.get("page"));
  expect(pages).toEqual(["1", "3"]);
});

test("whatever a crowd writes, no job but the action's own is ever named", async () => {
  await using scene = await setScene();
  const { body, marker } = await answered(scene);
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
  for (const text of crowd) await scene.github.addComment(11, text, "outsider");
  await scene.github.addComment(11, body, "outsider");
  expect(await askedByNext(scene, 11)).toEqual(NEW);
});
