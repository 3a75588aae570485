import { expect, test } from "vitest";
import { DRAFTS, setUpGate } from "../support/gate-setup.ts";

const CODE = [{ files: { "src/retry.ts": "export const retries = 3;\n" } }];

test.each([
  ["merged", { mergedCount: "1", closedCount: "0" }],
  ["closed", { mergedCount: "0", closedCount: "1" }],
])(
  "the docs pull request of a draft stays open until the code is %s, and then ends the same way",
  async (end, outputs) => {
    await using scene = await setUpGate({ steering: { durationMs: 0, checks: "green" } });
    const { history } = scene;
    const inputs = { merge: "checks", "allowed-paths": "docs/**", "required-checks": "docs-check" };
    const number = await history.openPull({ title: "Add retries", commits: CODE });
    await scene.review(number);
    await scene.gate(number, DRAFTS);
    await history.advance(60_000);
    await scene.upkeep();
    const waiting = await scene.land({ inputs });
    expect(waiting.outputs).toMatchObject({ openCount: "1", mergedCount: "0", closedCount: "0" });
    expect(waiting.summary).toContain("merged after the code pull request");
    await history.advance(5 * 60_000);
    if (end === "closed") await history.close(number);
    else await history.merge(number);
    expect((await scene.land({ inputs })).outputs).toMatchObject({ openCount: "0", ...outputs });
  },
);
