import { expect, test } from "vitest";
import { json } from "../../../test/support/answers.ts";
import { dependenciesOf } from "../../../test/support/dependencies.ts";
import { connectClient } from "../../../test/support/github-client.ts";
import { contextOf } from "../../../test/support/run-context.ts";
import type { Connect } from "../api/connect.ts";
import { sayDecision, type TriggerDecision } from "./trigger-answer.ts";

const REACT = "POST /repos/octo/docs/issues/comments/5/reactions";
const COMMENT = contextOf("issue_comment", {
  action: "created",
  issue: { number: 7 },
  comment: { id: 5, html_url: "https://github.com/octo/docs/issues/7#issuecomment-5" },
});

/** Says a decision. @returns the log's lines and the summary, the outputs, and the reactions */
async function said(decide: (connect: Connect) => TriggerDecision) {
  const github = connectClient();
  github.server.on(REACT, json(201, { id: 1 }));
  const dependencies = dependenciesOf();
  await sayDecision(decide(github.connect), "/docs", COMMENT, dependencies);
  const reactions = github.server.requestsTo(REACT).map(({ body }) => String(body));
  return { lines: dependencies.lines, outputs: dependencies.outputs.values, reactions };
}

test("an event without a request leaves one line in the log", async () => {
  const reason = "the text contains no request with /docs";
  expect(await said(() => ({ type: "nothing", reason }))).toEqual({
    lines: [`info: Nothing to do: ${reason}.`],
    outputs: { status: "skipped" },
    reactions: [],
  });
});

test("a phrase that does not count is explained in the summary, and by a reaction if one is wanted", async () => {
  const ignored = { type: "ignored", reason: "it does not count" } as const;
  const silent = await said(() => ({ ...ignored, reacts: null }));
  const shown = await said((reacts) => ({ ...ignored, reacts }));
  expect(silent.lines).toEqual(shown.lines);
  expect(silent.lines.map((line) => line.split(":")[0])).toEqual(["summary", "info"]);
  expect(silent.lines[0]).toContain("start a line of a new comment with /docs");
  expect(silent.lines[0]).toContain("[What triggered this run](https://github.com/");
  expect([silent.reactions, shown.reactions]).toEqual([[], ['{"content":"confused"}']]);
});

test("a refusal says how somebody can be allowed, and reacts only if that is wanted", async () => {
  const denial = {
    reason: "the account is a bot",
    advice: "Make the request as a person.",
    unread: null,
  };
  const silent = await said(() => ({ type: "refused", denial, reacts: null }));
  const shown = await said((reacts) => ({ type: "refused", denial, reacts }));
  expect(silent.lines).toEqual(shown.lines);
  const text = "The account is a bot. Make the request as a person.";
  expect(silent.lines.at(-1)).toBe(`info: Not allowed: ${text}`);
  expect([silent.reactions, shown.reactions]).toEqual([[], ['{"content":"-1"}']]);
});
