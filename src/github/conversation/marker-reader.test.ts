import { expect, test } from "vitest";
import { json, redirect, refusal } from "../../../test/support/answers.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { COMMENT, MEMORY, marker, markers } from "../../../test/support/signed-marker.ts";
import { ABSENT, known } from "../../runtime/fact.ts";
import { MarkerReader } from "./marker-reader.ts";

/** The repository that was `octo/docs` when the marker was written. */
const RENAMED = { repository: "acme/handbook", repositoryId: 4711, issue: 7 };
const OLD = "GET /repos/octo/docs";

function setUp() {
  const { server, connect, asked } = connectClient();
  const reader = new MarkerReader(markers, connect);
  const read = (place: object = {}) =>
    reader.read({ id: COMMENT, body: marker }, { ...RENAMED, ...place });
  return { server, asked, read };
}

test("a marker with an old name counts where GitHub says that it leads here, and is asked for once", async () => {
  const { server, asked, read } = setUp();
  server.on(OLD, redirect(301, "/repositories/4711"));
  server.on("GET /repositories/4711", json(200, { id: 4711 }));
  expect(await read()).toEqual(known(MEMORY));
  expect(await read()).toEqual(known(MEMORY));
  expect(asked()).toEqual([OLD, "GET /repositories/4711"]);
});

test.each([
  ["is another repository's now", json(200, { id: 4712 })],
  ["leads nowhere", refusal(404, "Not Found")],
])("a marker with a name that %s does not count", async (_, answer) => {
  const { server, read } = setUp();
  server.on(OLD, answer);
  expect(await read()).toEqual(ABSENT);
});

test("a name that GitHub cannot look up now is no answer", async () => {
  const { server, read } = setUp();
  server.on(OLD, refusal(503, "Unavailable"));
  expect(await read()).toMatchObject({ type: "unread", reason: "GitHub returned 503" });
});

test("nothing is asked about a marker with this name, and where the ID is not known", async () => {
  const { asked, read } = setUp();
  expect(await read({ repository: "octo/docs" })).toEqual(known(MEMORY));
  expect(await read({ repositoryId: null })).toEqual(ABSENT);
  expect(asked()).toEqual([]);
});
