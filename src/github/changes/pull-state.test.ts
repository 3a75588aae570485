import { expect, test } from "vitest";
import { json } from "../../../test/support/answers.ts";
import { refusal } from "../../../test/support/github.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { commit, PULL } from "../../../test/support/history-answers.ts";
import { type PullState, readPullRequest } from "./history.ts";

const LINK = "https://github.com/acme/code/pull/7";
const MERGED = { ...PULL, merged_at: "2026-05-01T11:00:00Z" };
const LAST = { lastCommitAt: "2026-05-01T11:00:00Z" };

test.each<[string, object | null, string | null, PullState]>([
  ["open", { ...PULL, state: "open" }, "h", { state: "open", lastCommitAt: "" }],
  ["merged", MERGED, "h", { state: "merged", ...LAST }],
  ["closed", PULL, "h", { state: "closed", ...LAST }],
  ["closed, and has lost its branch", PULL, null, { state: "closed", lastCommitAt: "" }],
  ["not shown to the token", null, null, { state: "unread", lastCommitAt: "" }],
])("the state of a pull request that is %s", async (_, pull, head, expected) => {
  const { server, connect } = connectClient();
  server.on("GET /repos/acme/code/pulls/7", pull === null ? refusal(404, "No") : json(200, pull));
  server.on(
    "GET /repos/acme/code/commits/h",
    head === null ? refusal(403, "No") : json(200, commit(head)),
  );
  expect(await readPullRequest(LINK, "https://github.com", connect)).toEqual(expected);
});

test("a pull request of another server is not asked for", async () => {
  const { connect, asked } = connectClient();
  const state = await readPullRequest(LINK, "https://github.acme.example", connect);
  expect(state).toEqual({ state: "unread", lastCommitAt: "" });
  expect(asked()).toEqual([]);
});
