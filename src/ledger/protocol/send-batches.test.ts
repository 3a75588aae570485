import { expect, test } from "vitest";
import { batch, claim, comment, NOON } from "../../../test/support/example-records.ts";
import { CHECKPOINT_LIMITS } from "../model/checkpoint.ts";
import type { OwnClaim } from "../model/decide-claim.ts";
import type { Failed } from "../model/issue-answers.ts";
import type { Change } from "../model/record.ts";
import type { SendResult } from "./effects.ts";
import { OpenLedger } from "./open-ledger.ts";
import { sendBatches } from "./send-batches.ts";

const LOST: Failed = { failed: "lost", why: "no answer" };

/** Sends a claim of as many batches as there are letters: accepted, rejected, uncertain (`?`) or limited. */
function send(outcomes: string, { failingEdits = 0 } = {}) {
  const own: OwnClaim<Change> = {
    claim: claim(
      1,
      [...outcomes].map((_, at) => batch([`task ${at}`])),
    ),
    commentId: 1,
  };
  const ledger = new OpenLedger<Change>(CHECKPOINT_LIMITS);
  const effects: string[] = [];
  let failing = failingEdits;
  const steps = sendBatches(ledger, own);
  let step = steps.next();
  while (!step.done) {
    const effect = step.value;
    let answer: unknown = { ok: true };
    if (effect.type === "send") {
      const at = effect.claim.batches.indexOf(effect.batch);
      effects.push(outcomes[at] ?? "");
      answer = sentAs(outcomes[at] ?? "", at);
    } else if (effect.type === "edit") {
      effects.push(`edit ${effect.claim.batches.map(({ state }) => state[0]).join("")}`);
      answer = failing-- > 0 ? LOST : { ok: true };
    } else if (effect.type === "read-thread") {
      answer = { comments: [comment(own.claim)], now: NOON };
    }
    step = steps.next(answer);
  }
  return { effects, states: own.claim.batches.map(({ state }) => state) };
}

function sentAs(outcome: string, at: number): SendResult {
  if (outcome === "a") return { type: "accepted", jobId: `job ${at}` };
  if (outcome === "r") return { type: "rejected", why: "too long" };
  return outcome === "?"
    ? { type: "uncertain", why: "no answer" }
    : { type: "refused", why: "too many requests" };
}

test("a single batch is written down as soon as it is sent", () => {
  expect(send("a").effects).toEqual(["a", "edit r"]);
});

test("accepted requests are written down after every third and after the last", () => {
  expect(send("aaa").effects).toEqual(["a", "a", "a", "edit rrr"]);
  expect(send("aaaaa").effects).toEqual(["a", "a", "a", "edit rrrii", "a", "a", "edit rrrrr"]);
});

test("anything else is written down before the next request", () => {
  expect(send("a?ra").effects).toEqual(["a", "?", "edit ruii", "r", "edit rufi", "a", "edit rufr"]);
});

test("after a refusal nothing more is sent, and what was not is withdrawn", () => {
  expect(send("aala")).toEqual({
    effects: ["a", "a", "l", "edit rrww"],
    states: ["running", "running", "withdrawn", "withdrawn"],
  });
});

test("what cannot be written down ends the sending: others may soon take the rest as uncertain", () => {
  const { effects, states } = send("aaaa", { failingEdits: 3 });
  expect(effects.slice(0, 6)).toEqual(["a", "a", "a", ...Array(3).fill("edit rrri")]);
  expect(effects.slice(6)).toEqual(["edit rrrw"]);
  expect(states.at(-1)).toBe("withdrawn");
});

test("an edit that is lost is made again before anything else", () => {
  expect(send("aaaa", { failingEdits: 1 }).effects).toEqual([
    ...["a", "a", "a", "edit rrri", "edit rrri", "a", "edit rrrr"],
  ]);
});
