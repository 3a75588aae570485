import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../../test/support/arbitrary.ts";
import {
  CHANGE,
  checkOf,
  endedState,
  entryOf,
  judgedPull,
  landInputs,
  pullOf,
  timeBefore,
  waitingFor,
} from "../../test/support/land-facts.ts";
import { runs } from "../../test/support/sample.ts";
import type { CodeState } from "./code-state.ts";
import { commentText } from "./comment.ts";
import type { PullDecision } from "./decide.ts";
import type { Preview, PullEntry } from "./ledger.ts";

interface Scene {
  entry?: Partial<PullEntry>;
  pull?: Parameters<typeof pullOf>[0];
  decision?: PullDecision;
  code?: CodeState;
}

const RULES = landInputs({ "ignore-checks": "cla" });
const FAILED_CHECK: PullDecision = {
  type: "follow-up",
  problems: [{ type: "check", id: "check 1", check: checkOf({ state: "red" }) }],
};

function textOf({ entry, pull = {}, ...judged }: Scene): string {
  const about = judgedPull({ ...judged, entry: entryOf(entry), pull: pullOf(pull) });
  return commentText(about, RULES);
}

const PREVIEW: Preview = {
  head: "head",
  statusId: "s",
  url: "https://p.example",
  state: "built",
};
const red = checkOf({ state: "red", name: "links" });

test("the comment shows what a reviewer needs to know", () => {
  const sent = { at: timeBefore(0), about: { check: 1 }, head: "", isUncertain: true };
  const text = textOf({
    entry: { changes: [CHANGE], preview: PREVIEW, followUps: [sent] },
    pull: {
      checks: [
        checkOf({}),
        red,
        checkOf({ state: "pending" }),
        checkOf({ state: "held", name: "deploy" }),
        checkOf({ state: "dropped", name: "old" }),
        checkOf({ state: "red", name: "cla" }),
      ],
      checksRead: "some",
    },
  });
  expect(text.split("\n").slice(0, -2)).toEqual([
    "### 👀 Ready for review",
    "",
    "**Next:** A person reviews and merges it.",
    "",
    "- **Documents** 1 merged change:",
    "  - [`Add retries`](https://github.com/acme/api/pull/12) `acme/api#12` by `ada`",
    "- **Preview:** ✅ [built](https://p.example/)",
    "- **Checks:** ❌ 1 failed (`links`), ✋ 1 waiting for a person (`deploy`), ⏳ 1 not finished (`build`), ✅ 1 green, ➖ 1 cancelled or out of date (`old`), ➖ 1 ignored (`cla`), and more than are shown",
    "- **Follow-up:** 1 failed check, 2026-11-22 12:00 UTC (the agent may not have received it)",
  ]);
});

const old: Preview = { ...PREVIEW, head: "x", state: "failed" };
const refused: Preview = { head: "head", state: "refused", words: "No plan." };
const ASKED = "https://github.com/acme/api/issues/1#issuecomment-2";
const SECRET = { ...CHANGE, title: "Secret plan", repository: "acme/hidden" };
const merged: Scene = { decision: { type: "ended" }, pull: { state: endedState("merged") } };

test.each<[string, Scene, string]>([
  [
    "a person",
    { decision: waitingFor({ code: "blocked" }) },
    "🙋 This docs pull request needs a person\n\n**Next:** A rule of its base",
  ],
  [
    "a follow-up",
    { decision: FAILED_CHECK },
    "a follow-up about 1 failed check was sent to the agent",
  ],
  [
    "an agent at work",
    { decision: waitingFor({ code: "agent-at-work" }) },
    "### 🤖 The agent is at work",
  ],
  ["merged", { decision: { type: "merge" } }, "### 🎉 Merged"],
  ["found merged", merged, "### 🎉 Merged\n\nNothing more"],
  ["closed", { decision: { type: "ended" }, pull: { state: endedState("closed") } }, "### Closed"],
  ["a draft", { entry: { changes: [CHANGE] }, code: "open" }, "- **Documents** 1 change:\n"],
  ["a request", { entry: { askedAt: ASKED } }, "- **Asked for** in [this comment](h"],
  [
    "a request in a repository that is not named",
    { entry: { askedAt: "https://github.com/acme/hidden/issues/1" } },
    "- **Asked for** in a comment\n",
  ],
  [
    "changes of which one is not named",
    { entry: { changes: [CHANGE, SECRET] } },
    "**Documents** 2 merged changes:\n  - [`Add retries`](https://github.com/acme/api/pull/12) `acme/api#12` by `ada`\n  - 1 in repositories that not everyone here can see\n",
  ],
  [
    "a change that is not named",
    { entry: { changes: [SECRET] } },
    "**Documents** 1 merged change in repositories that not everyone here can see\n",
  ],
  ["an old preview", { entry: { preview: old } }, "❌ [failed](https://p.example/), of an earl"],
  [
    "a preview that the service has forgotten",
    { entry: { preview: { head: "head", state: "forgotten" } } },
    "none. The service has forgotten its build.",
  ],
  ["no preview", { entry: { preview: refused } }, "none. `No plan.`"],
])("the comment on one with %s", (_, scene, expected) => {
  expect(textOf(scene)).toContain(expected);
});

test("any name, title or log is shown as code on its line", () => {
  const text = hostileText();
  fc.assert(
    fc.property(text, text, text, (name, title, url) => {
      const changes = [{ ...CHANGE, title, author: name, url }];
      const preview: Preview = { head: "head", state: "refused", words: title };
      const checks = [checkOf({ name, state: "red" })];
      const shown = textOf({ entry: { changes, preview }, pull: { checks } });
      const lines = shown.split("\n");
      // As many lines as with any other names, and nothing but the action's own words outside of code.
      expect(lines).toHaveLength(10);
      const bare = lines.map((line) => line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "CODE"));
      const links = bare.filter((line) => line.includes("](") && !line.startsWith("<sub>"));
      for (const line of links) expect(line).toMatch(/^ {2}- \[CODE\]\(https?:[^\s()<>]*\) CODE/);
      for (const line of bare.filter((text) => !links.includes(text) && !text.startsWith("<sub>")))
        expect(line).not.toMatch(/[@<]|https?:|#\d|::/);
    }),
    { numRuns: runs(300) },
  );
});
