import { expect, test } from "vitest";
import { ALL_HOSTILE, CANARY } from "../../support/hostile-texts.ts";
import { setUpLand } from "../../support/land-setup.ts";
import { sampleOf } from "../../support/sample.ts";

/** As many texts at once as a check or a comment may hold. */
const GROUPS = Array.from({ length: Math.ceil(ALL_HOSTILE.length / 12) }, (_, nth) =>
  ALL_HOSTILE.slice(nth * 12, nth * 12 + 12),
);

test.each(sampleOf(GROUPS, 2, "land").map((texts, nth) => [nth, texts] as const))(
  "checks, annotations, reviews and comments of hostile texts (%i) are quoted to the agent, and harmless elsewhere",
  async (_, texts) => {
    await using it = await setUpLand();
    const number = await it.document();
    const whole = texts.join("\n");
    const path = await it.pageOf(number);
    for (const name of texts.slice(0, 6)) {
      const annotations = [{ path: name, start_line: 1, message: whole }];
      await it.history.report(number, { name, title: whole, summary: whole, annotations });
    }
    const comments = [{ path, line: 1, body: whole }];
    await it.history.review(number, "REQUEST_CHANGES", { body: whole, comments });
    const told = await it.run({ debug: true });
    expect(told.exitCode).toBe(0);
    expect(told.outputs.followUpCount).toBe("1");
    const expected = [
      "openCount",
      "mergedCount",
      "closedCount",
      "followUpCount",
      "needsPersonCount",
    ];
    expected.push("pullRequests", "report", "digest", "ledgerSha");
    expect(Object.keys(told.outputs).sort()).toEqual(expected.sort());
    for (const text of [told.visible.join("\n"), told.summary, JSON.stringify(told.outputs)]) {
      expect(text).not.toContain(CANARY);
    }
    expect(told.masks.join("\n")).not.toContain(CANARY);
    expect(told.environment).toEqual({});
    const prompt = (await it.prompts()).at(-1) ?? "";
    const lines = prompt.split(/\r\n|[\n\r\u2028\u2029\u0085]/);
    expect(lines.filter((line) => line.includes(CANARY) && !line.startsWith("> "))).toEqual([]);
    expect(Buffer.byteLength(prompt)).toBeLessThan(34 * 1024);
    // Only names of checks are shown to people, as code.
    const body = await it.comment(number);
    expect(body).not.toMatch(/<(script|img|a|details|!--)[^>]*h0stile/i);
    expect(body.match(/<!-- docs-agent-land:/g)).toHaveLength(1);
  },
);
