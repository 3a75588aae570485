import { expect, test } from "vitest";
import { handed, line, reported } from "../../test/support/batch-reports.ts";
import {
  change,
  EMPTY,
  LINK,
  revision,
  uncertainBatch,
} from "../../test/support/ledger-examples.ts";

test("what came out comes first, then what was handed over, then what needs a person", () => {
  const done = { changes: [change(1)], more: 0 };
  const { summary, heading, last } = reported({
    revision: revision({ ...EMPTY, batches: [uncertainBatch("c", [change(8)])] }),
    reviewed: [
      { result: "merged", prLink: `${LINK}1`, ...done },
      { result: "closed", prLink: `${LINK}2`, ...done },
    ],
    // The heading names what was merged at once only once.
    finished: [
      line("done", `${LINK}1`, [1]),
      line("done", LINK, [2, 3]),
      line("done", null, [4]),
      line("failed", null, [5]),
    ],
    handed: [handed([change(6), change(7)])],
  });
  const link = `[docs pull request #7](${LINK})`;
  const after =
    "nothing to change for 1 change, 1 job failed, 2 changes handed over, 1 decision needed";
  expect(heading).toBe(
    `### Docs upkeep: [docs pull request #71](${LINK}1) merged, [docs pull request #72](${LINK}2) closed without merging, ${link} for 2 changes, ${after}`,
  );
  expect(last).toBe(
    `info: Docs upkeep: docs pull request ${LINK}1 merged, docs pull request ${LINK}2 closed without merging, docs pull request ${LINK} for 2 changes, ${after}.`,
  );
  const parts = [
    "**Docs pull requests**",
    `#71](${LINK}1) (merged) ←`,
    `#72](${LINK}2) (closed without merging) ←`,
    "**Finished**",
    "#71](",
    `#71](${LINK}1) ← `,
    `#7](${LINK}) ← 2 changes`,
    "- Nothing to change ← `Change 4`",
    "- Failed ← `Change 5`",
    "**Handed over**",
    "- 2 changes",
    "**Needs a decision**",
    "`Change 8`",
    "may have received the request: `the connection was lost`.",
    "Look at the jobs",
    "<details>",
    "- `#1`: ID `",
    "- `#5`: job `job-1`",
    "- `#6 and #7`: job `job-2`",
    "- `#8`: ID `",
    "[Dashboard](",
  ];
  let at = 0;
  for (const part of parts) {
    at = summary.indexOf(part, at);
    expect(at, part).toBeGreaterThan(-1);
  }
});
