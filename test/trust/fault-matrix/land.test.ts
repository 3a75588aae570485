import type { Event } from "../ledger/events.ts";
import type { LandEvent, LandSetting } from "../ledger/land-events.ts";
import { LandHistory } from "../ledger/land-history.ts";
import { rowsOf, run, testRows, WELL } from "./ledgers.ts";

const land =
  (before: Event<LandEvent>[], inputs: LandSetting["inputs"], over: Partial<LandSetting> = {}) =>
  (at: number) => {
    const usual = { checks: "follow-up", "close-after-days": "0", ...inputs };
    const fixed = { merge: "checks", maxFollowUps: 2, delayHours: 0, required: false } as const;
    const world = { plans: WELL, rule: {}, isMergeabilityLate: false };
    return {
      history: new LandHistory({ ...fixed, ...world, ...over, inputs: usual, seed: at }),
      before,
    };
  };

// A history begins with two docs pull requests: one in a ledger, and one of a status comment.
const green = { kind: "check", is: "success", at: 0 } as const;
const red = { kind: "check", is: "failure", at: 1 } as const;
const shorter = { kind: "review", is: "REQUEST_CHANGES", by: "writer", at: 0 } as const;
const minutes = { kind: "pass", minutes: 5 } as const;
const month = { kind: "pass", minutes: 60 * 24 * 31 } as const;

const settings = { labels: "docs", reviewers: "maintainer\nnobody", preview: "true" };

testRows(
  rowsOf(
    ["the first run of land", "0 sent, 0 merged", land([], settings)],
    [
      "a run of land that merges and sends",
      "1 sent, 1 merged",
      land([run, minutes, green, red], {}),
    ],
    ["a run of land that reads a build", "0 sent, 0 merged", land([run], settings)],
    ["a run of land that sends again", "1 sent, 0 merged", land([red, run, month, shorter], {})],
    [
      "a run of land that closes",
      "0 sent, 0 merged",
      land([run, month], { "close-after-days": "20" }),
    ],
    [
      "a run of land that reminds",
      "0 sent, 0 merged",
      land([run, month], { "remind-after-days": "2" }),
    ],
    [
      "a run of land that finds one merged",
      "0 sent, 1 merged",
      land([run, { kind: "merge", at: 0 }], {}),
    ],
  ),
);
