import { expect, test } from "vitest";
import { NOW, pullOf } from "../../test/support/land-facts.ts";
import { ActionError } from "../runtime/errors.ts";
import type { ActResult, DoneAct, LandAct } from "./acts.ts";
import { goesOn, isReadTooLongAgo } from "./perform.ts";

const PLACE = { url: pullOf({}).url, repository: "acme/docs", number: 7 };
const send = (id: string): LandAct => {
  return { type: "follow-up", id, place: PLACE, readAt: NOW, jobId: "job_1", prompt: "" };
};
const preview = (id: string): LandAct => {
  return { type: "preview", id, place: PLACE, branch: "b", head: "head" };
};
const merge = (id: string): LandAct => {
  return { type: "merge", id, place: PLACE, readAt: NOW, sha: "head", method: "squash" };
};
const remind = (id: string): LandAct => ({ type: "remind", id, place: PLACE, text: "" });

const KEY_REFUSED: ActResult = {
  type: "refused",
  by: "key",
  error: new ActionError("unauthorized", "The key was refused."),
};
const LIMITED: ActResult = { type: "limited" };

test.each<[string, DoneAct[], LandAct, boolean]>([
  ["anything at first", [], send("1"), true],
  [
    "nothing else after a refused key",
    [{ act: send("1"), result: KEY_REFUSED }],
    merge("2"),
    false,
  ],
  [
    "the rest of that one after a refused key",
    [{ act: send("1"), result: KEY_REFUSED }],
    remind("1"),
    true,
  ],
  ["no follow-up beyond the limit", [{ act: send("1"), result: LIMITED }], send("2"), false],
  [
    "a preview beyond the limit of follow-ups",
    [{ act: send("1"), result: LIMITED }],
    preview("2"),
    true,
  ],
  ["no preview beyond its limit", [{ act: preview("1"), result: LIMITED }], preview("2"), false],
  [
    "a merge beyond the limit of follow-ups",
    [{ act: send("1"), result: LIMITED }],
    merge("2"),
    true,
  ],
  ["a follow-up after a busy job", [{ act: send("1"), result: { type: "busy" } }], send("2"), true],
  [
    "a follow-up after a refused one",
    [{ act: send("1"), result: { type: "refused", by: "job" } }],
    send("2"),
    true,
  ],
])("a run begins %s", (_, done, act, expected) => {
  expect(goesOn(act, done)).toBe(expected);
});

test.each<[string, LandAct, number, boolean]>([
  ["no merge that was read for 5 minutes ago", merge("1"), 5, true],
  ["a merge that was read for 4 minutes ago", merge("1"), 4, false],
  ["no follow-up that was read for 5 minutes ago", send("1"), 5, true],
  ["a reminder at any time", remind("1"), 5, false],
])("by the time of its reading, a run begins %s", (_, act, minutes, expected) => {
  expect(isReadTooLongAgo(act, NOW + minutes * 60_000)).toBe(expected);
});
