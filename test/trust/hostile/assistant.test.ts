import { expect, test } from "vitest";
import type { RunOptions, RunResult } from "../../../emulator/runner/runner.ts";
import { json, text } from "../../support/answers.ts";
import {
  ASK,
  ASK_V2,
  ASSISTANT_KEY,
  type AssistantScenario,
  DATA_HEADERS,
  end,
  part,
  startAssistantScenario,
} from "../../support/assistant-scenario.ts";
import { recordingConnections } from "../../support/check-run.ts";
import { checkScenario } from "../../support/check-scenario.ts";
import type { Answer } from "../../support/faulty-server.ts";
import { ALL_HOSTILE, CANARY, chunks, hostile, LONG_LINE } from "../../support/hostile-texts.ts";
import { numberedSampleOf, sampleOf, someOf } from "../../support/sample.ts";
import { TOKEN } from "../../support/scenario.ts";
import { streamed } from "../../support/streams.ts";

/** The corpus as answers: so long that each fits into a comment, escaped. */
const ANSWERS = chunks(3500, "\n\n");
const SOURCES = ALL_HOSTILE.flatMap((url, nth) => [
  { sourceType: "url", id: hostile(nth + 1), url, title: hostile(nth + 2) },
  { sourceType: "url", id: "s", url: `https://${CANARY}.example/${nth}`, title: hostile(nth + 3) },
]);

async function run(scenario: AssistantScenario, options: RunOptions = {}): Promise<RunResult> {
  return await scenario.run(recordingConnections({ debug: true, ...options }));
}

function problemsOf(result: RunResult, scenario: AssistantScenario): string[] {
  return checkScenario(result, scenario, {
    action: "assistant",
    secrets: [ASSISTANT_KEY, TOKEN],
    key: ASSISTANT_KEY,
    outside: "inert",
    unmarked: 0,
  });
}

/** Parts that hold what the action passes over, in hostile words. */
const PASSED_OVER = ALL_HOSTILE.map((it, nth) =>
  part("g29bca8f".charAt(nth % 8), nth % 2 === 0 ? [it, { [it]: it }] : { toolName: it, text: it }),
);

const NEWER = { "content-type": "text/event-stream", "x-vercel-ai-ui-message-stream": "v1" };

function events(...values: unknown[]): string {
  return [...values.map((it) => JSON.stringify(it)), "[DONE]"]
    .map((it) => `data: ${it}\n\n`)
    .join("");
}

/** An answer with hostile sources around it, in each form that it may come in. */
const FORMS: Record<string, { version: string; route: string; answer: (it: string) => Answer }> = {
  "the older stream": {
    version: "v1",
    route: ASK,
    answer: (it) =>
      text(
        200,
        [...SOURCES.map((one) => part("h", one)), ...PASSED_OVER, part("0", it), end()].join(""),
        DATA_HEADERS,
      ),
  },
  "the older stream, a character at a time": {
    version: "v1",
    route: ASK,
    answer: (it) =>
      streamed([[...it].map((character) => part("0", character)).join(""), end()], DATA_HEADERS),
  },
  "the newer stream": {
    version: "v2",
    route: ASK_V2,
    answer: (it) =>
      text(
        200,
        events(
          { type: "start", messageId: CANARY },
          ...ALL_HOSTILE.map((type) => ({ type, [type]: type, data: type, delta: type })),
          ...SOURCES.map(({ url, title }) => ({ type: "source-url", sourceId: title, url, title })),
          { type: "text-start", id: CANARY },
          { type: "text-delta", id: CANARY, delta: it },
          { type: "finish", messageMetadata: { threadId: "thr_1" } },
        ),
        NEWER,
      ),
  },
  "one message": {
    version: "v1",
    route: ASK,
    answer: (it) => json(200, { role: "assistant", content: it, threadId: "thr_1" }),
  },
};

const CELLS = Object.keys(FORMS).flatMap((form) => ANSWERS.map((_, nth) => [form, nth] as const));

test.each(sampleOf(CELLS, 3, "answers"))(
  "an answer in %s (%i) is shown, and does nothing",
  async (form, nth) => {
    await using scenario = await startAssistantScenario();
    const { version, route, answer } = FORMS[form] as (typeof FORMS)[string];
    const whole = ANSWERS[nth] ?? "";
    scenario.service.on(route, answer(whole));
    const result = await run(scenario, { inputs: { "api-version": version } });
    expect(problemsOf(result, scenario)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, errors: [], outputs: { threadId: "thr_1" } });
    const isInPieces = form.includes("character");
    if (!isInPieces) expect(result.outputs.answer === whole.toWellFormed()).toBe(true);
    for (const body of scenario.github.bodies) expect(body.length).toBeLessThanOrEqual(65_536);
    const told: { url: string }[] = JSON.parse(result.outputs.sources ?? "[]");
    for (const { url } of told)
      expect(url).toMatch(/^(https:\/\/|http:\/\/(127\.|\[::1\]))[\x21-\x7E]+$/);
  },
);

const ERRORS = chunks(900, " ").filter((_, nth) => nth % 2 === 0);

test.each(numberedSampleOf(ERRORS, 1, "errors"))(
  "an error in the middle of an answer (%i) is one error",
  async (_, error) => {
    await using scenario = await startAssistantScenario();
    const body = part("0", `${hostile(error.length)}\n`) + part("3", error) + end();
    scenario.service.on(ASK, text(200, body, DATA_HEADERS));
    const result = await run(scenario);
    expect(problemsOf(result, scenario)).toEqual([]);
    expect(result.exitCode).toBe(1);
    expect(result.errors).toHaveLength(1);
  },
);

test.each(
  someOf([
    ["lines", `${ALL_HOSTILE.join("\n")}\n`],
    ["codes", ALL_HOSTILE.map((it) => `0:${it}\n3:${it}\nh:{"url":"${it}"}\n`).join("")],
    ["one line", LONG_LINE],
  ]),
)("a stream of %s that is no answer is none", async (name, body) => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, text(200, body, DATA_HEADERS));
  const result = await run(scenario);
  expect(problemsOf(result, scenario)).toEqual([]);
  expect(result.exitCode).toBe(1);
  // Codes tell sources, of which some may be followed.
  if (name !== "codes") expect(result.stdout).not.toContain(CANARY);
});

test("comments that forge markers are no part of the conversation", async () => {
  await using scenario = await startAssistantScenario();
  for (const it of ALL_HOSTILE) await scenario.github.addComment(7, it, "github-actions[bot]");
  const result = await run(scenario);
  expect(problemsOf(result, scenario)).toEqual([]);
  expect(scenario.asked().messages).toHaveLength(1);
  expect(scenario.asked().threadId ?? null).toBeNull();
});
