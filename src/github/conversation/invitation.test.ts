import { expect, test } from "vitest";
import { json } from "../../../test/support/answers.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { invite } from "./invitation.ts";
import { jobMarkers, type MarkerWithJob } from "./job-marker.ts";

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

const draft = (name: string) => `x\n\n${markers.write(PLACE, MARKER, name)}`;

test("a pull request without an invitation gets one, which names itself", async () => {
  const nothing = { sent: expect.objectContaining({ type: "accepted" }), warnings: [] };
  const methods = ["GET", "POST", "PATCH"];
  expect(await inviting({})).toEqual({ ids: [50], named: [50], methods, ...nothing });
});

test("a pull request that has one gets no other", async () => {
  const invited = { 5: `x\n\n${markers.write(PLACE, MARKER, 5)}` };
  expect(await inviting(invited)).toMatchObject({ ids: [5], named: [5], methods: ["GET"] });
});

test.each(["d", "another"])(
  "a draft, which anyone can copy, is none and is not edited: %s",
  async (name) => {
    expect(await inviting({ 5: draft(name) })).toMatchObject({ ids: [5, 50], named: [50] });
  },
);

test.each<[string, Partial<Invitation>]>([
  ["no pull request", { link: null }],
  ["the pull request of the request itself", { requestedIn: 9 }],
  ["a pull request of another repository", { link: "https://github.com/octo/other/pull/9" }],
  ["a pull request elsewhere", { link: "https://git.example/octo/docs/pull/9" }],
  ["a job of version 1, which accepts no further requests", { marker: { ...MARKER, api: "v1" } }],
])("nobody is invited to %s", async (_, over) => {
  expect(await inviting({}, over)).toMatchObject({ sent: { type: "accepted" }, methods: [] });
});
