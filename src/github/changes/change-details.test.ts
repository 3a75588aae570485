import { expect, test } from "vitest";
import { json, refusal } from "../../../test/support/answers.ts";
import { clientOf, connectClient } from "../../../test/support/github-client.ts";
import { change } from "../../../test/support/ledger-examples.ts";
import { detailsOfKnown, readDetails } from "./change-details.ts";
import { HistoryReader } from "./history-reader.ts";

async function setUp() {
  const { server, connect } = connectClient();
  return { server, history: new HistoryReader(await connect(), "acme/code") };
}

test("details that GitHub refuses to show, or does not answer, are unread", async () => {
  const { server, history } = await setUp();
  server.on("GET /repos/acme/code/:what/:which", refusal(403, "No"));
  const known = detailsOfKnown(change(1));
  expect(await readDetails(known, change(1), history)).toMatchObject({
    type: "unread",
    cause: "refused",
  });
  server.on("GET /repos/acme/code/:what/:which", json(200, "<html>"));
  expect(await readDetails(undefined, change(1), history)).toMatchObject({
    type: "unread",
    cause: "unusable",
  });
});

test("a mistake of the action is no refusal of the details", async () => {
  const mistake = new TypeError("x is not a function");
  const github = await clientOf(() => {
    throw mistake;
  });
  const history = new HistoryReader(github, "acme/code");
  await expect(readDetails(undefined, change(1), history)).rejects.toBe(mistake);
});
