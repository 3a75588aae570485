import { expect, test } from "vitest";
import { contextOf } from "../../../test/support/run-context.ts";
import { Markers } from "../../github/markers.ts";
import { readLedgerEvent } from "./event.ts";

const person = { login: "maintainer", type: "User" };
const ISSUE = { number: 7, body: "text" };

/** Why an event about an issue starts nothing; null: it may. */
function whySkipped(payload: object): string | null {
  const event = readLedgerEvent(contextOf("issues", payload));
  return event.type === "skipped" ? event.why : null;
}

test.each(["schedule", "push", "workflow_dispatch", "pull_request"])(
  "%s may start something",
  (name) => {
    const event = readLedgerEvent(contextOf(name, { action: "closed", issue: { number: 7 } }));
    expect(event).toEqual({ type: "run", issue: null });
  },
);

test.each(["edited", "reopened"])("an issue that a person has %s may start something", (action) => {
  const event = readLedgerEvent(contextOf("issues", { action, sender: person, issue: ISSUE }));
  expect(event).toEqual({ type: "run", issue: 7 });
});

test.each(["opened", "closed", "labeled"])("an issue that was %s starts nothing", (action) => {
  expect(whySkipped({ action, sender: person, issue: ISSUE })).toContain(action);
});

test("an edit by a bot starts nothing", () => {
  const sender = { login: "github-actions[bot]", type: "Bot" };
  expect(whySkipped({ action: "edited", sender, issue: ISSUE })).toContain("bot");
});

test("an edit that changes the marker is the action's own, whoever's token it used", () => {
  const place = { repository: "acme/docs", issue: 1 };
  const purpose = { name: "test", owner: "project" as const, schema: undefined as never };
  const markers = new Markers<{ at: number }>(purpose, ["key"], "project");
  const [old, now] = [1, 2].map((at) => `text\n\n${markers.write(place, { at }, 0)}`);
  const edited = (from: string | undefined, body: string | undefined) =>
    whySkipped({
      ...{ action: "edited", sender: person, issue: { number: 1, body } },
      changes: { body: { from } },
    });
  expect(edited(old, now)).toContain("the action itself");
  expect(edited(now, now?.replace("text", "- [x] text"))).toBeNull();
  expect(edited(now, "emptied")).toBeNull();
});
