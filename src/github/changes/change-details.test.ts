import { expect, test } from "vitest";
import { GitHub } from "../../../emulator/github/github.ts";
import { json, refusal } from "../../../test/support/answers.ts";
import { clientOf, connectClient, connectEmulated } from "../../../test/support/github-client.ts";
import { change } from "../../../test/support/ledger-examples.ts";
import { readDetails } from "./change-details.ts";
import { HistoryReader } from "./history-reader.ts";

async function setUp() {
  const { server, connect } = connectClient();
  return { server, history: new HistoryReader(await connect(), "acme/code") };
}

test("details that GitHub refuses to show, or does not answer, are unread", async () => {
  const { server, history } = await setUp();
  server.on("GET /repos/acme/code/:what/:which", refusal(403, "No"));
  expect(await readDetails(change(1), history)).toMatchObject({
    type: "unread",
    cause: "refused",
  });
  server.on("GET /repos/acme/code/:what/:which", json(200, "<html>"));
  expect(await readDetails(change(1), history)).toMatchObject({
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
  await expect(readDetails(change(1), history)).rejects.toBe(mistake);
});

test("what another repository has by a change's number is unread", async () => {
  const github = new GitHub();
  const [code, other] = [github.create("acme/code"), github.create("acme/other")];
  const { number } = code.land({ title: "Add retries", body: "Secret" });
  other.land({ title: "Another one" });
  const { connect } = connectEmulated(github);
  const read = async (name: string) => {
    const history = new HistoryReader(await connect(), name);
    return await readDetails({ ...change(1), key: `${code.id}#${number}`, number }, history);
  };
  expect(await read("acme/code")).toMatchObject({
    type: "known",
    value: { change: { title: "Add retries" }, body: "Secret" },
  });
  expect(await read("acme/other")).toMatchObject({ type: "unread", isPassing: true });
});
