import { expect, test } from "vitest";
import { GitHub } from "../../../emulator/github/github.ts";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import { json } from "../../../test/support/answers.ts";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { connectClient, connectEmulated } from "../../../test/support/github-client.ts";
import { invite } from "./invitation.ts";
import { type JobMarker, jobMarkers, type MarkerWithJob } from "./job-marker.ts";

const PLACE = { repository: "octo/docs", issue: 9 };
const LINK = "https://github.com/octo/docs/pull/9";
const HERE = { serverUrl: "https://github.com", repository: "octo/docs", repositoryId: 4711 };
const REPO = "/repos/octo/docs/issues";
const markers = jobMarkers(["mint_k3y"], "docs");

const MARKER: MarkerWithJob = {
  job: "job_1",
  api: "v2",
  request: "accepted",
  ended: "unknown",
  run: "1001",
  attempt: 1,
  step: "write-docs/docs",
  asks: "a",
};
type Invitation = Parameters<typeof invite>[0];

/** Comments on the pull request, as one run after the other changes them. */
async function inviting(bodies: Record<number, string>, over: Partial<Invitation> = {}) {
  const client = connectClient();
  const { server, connect } = client;
  const there = new Map(Object.entries(bodies).map(([id, body]) => [Number(id), body]));
  const list = () => [...there].map(([id, body]) => ({ id, body }));
  server.on(`GET ${REPO}/9/comments`, (exchange) => json(200, list())(exchange));
  server.on(`POST ${REPO}/9/comments`, (exchange) => {
    there.set(50, JSON.parse(exchange.request.body.toString()).body);
    return json(201, { id: 50 })(exchange);
  });
  server.on(`PATCH ${REPO}/comments/:id`, (exchange) => {
    const id = Number(exchange.request.path.split("/").at(-1));
    there.set(id, JSON.parse(exchange.request.body.toString()).body);
    return json(200, { id })(exchange);
  });
  const warnings: string[] = [];
  const quiet = { debug() {}, info() {}, notice() {}, error() {} };
  const log = { ...quiet, warning: (text: string) => void warnings.push(text) };
  const usual = { requestedIn: 7, phrase: "/docs", link: LINK, draft: "d", marker: MARKER };
  const invitation = { ...usual, ...over };
  const sent = await invite(invitation, HERE, { connect, log, markers });
  const named = [...there].filter(([id, body]) => markers.read(body, PLACE, id) !== null);
  const methods = server.requests.map(({ method }) => method);
  return { ids: [...there.keys()], named: named.map(([id]) => id), sent, warnings, methods };
}

test("a pull request without an invitation gets one, which names itself", async () => {
  const nothing = { sent: expect.objectContaining({ type: "accepted" }), warnings: [] };
  const methods = ["GET", "POST", "PATCH"];
  expect(await inviting({})).toEqual({ ids: [50], named: [50], methods, ...nothing });
});

test("a pull request that has one gets no other", async () => {
  const invited = { 5: `x\n\n${markers.write(PLACE, MARKER, 5)}` };
  expect(await inviting(invited)).toMatchObject({ ids: [5], named: [5], methods: ["GET"] });
});

/** A pull request of the emulated GitHub with a comment that ends in a draft's marker. @returns its comments in the end */
async function invitingAfter(author: string, marker: JobMarker, isEdited = false) {
  let now = Date.parse("2026-05-01T10:00:00Z");
  const github = new GitHub(() => now);
  const repository = github.create("octo/docs");
  for (let nth = 0; nth < 9; nth += 1) repository.openIssue({ title: "Docs" });
  const { issue: number } = PLACE;
  const body = `x\n\n${markers.write(PLACE, marker, "another")}`;
  const written = repository.comment({ number }, body, author);
  const { id } = written;
  now += 60_000;
  if (isEdited) repository.setComment(written, body);
  const { connect } = connectEmulated(github);
  const invitation = { requestedIn: 7, phrase: "/docs", link: LINK, draft: "d", marker: MARKER };
  const place = { ...HERE, repositoryId: repository.id };
  const { log } = dependenciesOf();
  expect(await invite(invitation, place, { connect, log, markers })).toMatchObject({
    type: "accepted",
  });
  return repository.commentsOn(number).map((comment) => ({
    isFirst: comment.id === id,
    isSame: comment.body === body,
    isNamed:
      markers.read(comment.body, { ...PLACE, repositoryId: repository.id }, comment.id) !== null,
  }));
}

test("an invitation of the token's own account that a lost run could not name is finished", async () => {
  expect(await invitingAfter(WORKFLOW, MARKER)).toEqual([
    { isFirst: true, isSame: false, isNamed: true },
  ]);
});

test.each<[string, string, JobMarker, boolean]>([
  ["of another account, which anyone can write", "mallory", MARKER, false],
  ["that was edited", WORKFLOW, MARKER, true],
  ["of another job", WORKFLOW, { ...MARKER, job: "job_2" }, false],
  ["of a status comment", WORKFLOW, { ...MARKER, ended: null }, false],
])("a draft %s is no invitation, and is not edited", async (_, author, marker, isEdited) => {
  expect(await invitingAfter(author, marker, isEdited)).toEqual([
    { isFirst: true, isSame: true, isNamed: false },
    { isFirst: false, isSame: false, isNamed: true },
  ]);
});

test.each<[string, Partial<Invitation>]>([
  ["no pull request", { link: null }],
  ["the pull request of the request itself", { requestedIn: 9 }],
  ["a pull request of another repository", { link: "https://github.com/octo/other/pull/9" }],
  ["a pull request elsewhere", { link: "https://git.example/octo/docs/pull/9" }],
  ["a job of version 1, which accepts no further requests", { marker: { ...MARKER, api: "v1" } }],
])("nobody is invited to %s", async (_, over) => {
  expect(await inviting({}, over)).toMatchObject({ sent: { type: "accepted" }, methods: [] });
});
