import { expect, test } from "vitest";
import { ALL_HOSTILE, CANARY, everyNth } from "../../support/hostile-texts.ts";
import { sampleOf } from "../../support/sample.ts";
import { documentChange, LAND, pageOf } from "../../support/world/docs-pulls.ts";
import { startWorld } from "../../support/world/world.ts";

/** The corpus in groups of texts that fit into a check or a comment. */
const GROUPS = everyNth(12).map((nth) => ALL_HOSTILE.slice(nth, nth + 12));

test.each(sampleOf(GROUPS, 2, "land").map((texts, nth) => [nth, texts] as const))(
  "checks, annotations, reviews and comments of hostile texts (%i) are quoted in the follow-up, and appear nowhere else",
  async (_, texts) => {
    await using world = await startWorld(LAND);
    const number = await documentChange(world);
    const whole = texts.join("\n");
    const path = await pageOf(world, number);
    for (const name of texts.slice(0, 6)) {
      const annotations = [{ path: name, start_line: 1, message: whole }];
      await world.github.report(number, { name, title: whole, summary: whole, annotations });
    }
    const comments = [{ path, line: 1, body: whole }];
    await world.github.review(number, "REQUEST_CHANGES", { body: whole, comments });
    const run = await world.run("land", { debug: true });
    expect(run.exitCode).toBe(0);
    expect(run.outputs.followUpCount).toBe("1");
    const expected = [
      "openCount",
      "mergedCount",
      "closedCount",
      "followUpCount",
      "needsPersonCount",
      "pullRequests",
      "report",
      "digest",
      "ledgerSha",
    ];
    expect(Object.keys(run.outputs).sort()).toEqual(expected.sort());
    for (const text of [run.visible.join("\n"), run.summary, JSON.stringify(run.outputs)]) {
      expect(text).not.toContain(CANARY);
    }
    expect(run.masks.join("\n")).not.toContain(CANARY);
    expect(run.environment).toEqual({});
    const prompt = (await world.prompts()).at(-1) ?? "";
    const lines = prompt.split(/\r\n|[\n\r\u2028\u2029\u0085]/);
    expect(lines.filter((line) => line.includes(CANARY) && !line.startsWith("> "))).toEqual([]);
    expect(Buffer.byteLength(prompt)).toBeLessThan(34 * 1024);
    // The comment contains only the names of the checks, as code.
    const body = world.comment(number);
    expect(body).not.toMatch(/<(script|img|a|details|!--)[^>]*h0stile/i);
    expect(body.match(/<!-- docs-agent-land:/g)).toHaveLength(1);
  },
);
