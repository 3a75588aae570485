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

/** The corpus as answers. Each fits into a comment when it is escaped. */
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

/** Parts of types that the action ignores, with hostile texts. */
const IGNORED = ALL_HOSTILE.map((text, nth) => {
  const value = nth % 2 === 0 ? [text, { [text]: text }] : { toolName: text, text };
  return part("g29bca8f".charAt(nth % 8), value);
});

const NEWER = { "content-type": "text/event-stream", "x-vercel-ai-ui-message-stream": "v1" };

function events(...values: unknown[]): string {
  return [...values.map((value) => JSON.stringify(value)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
}

interface Form {
  version: string;
  route: string;
  answer: (answerText: string) => Answer;
}

/** An answer with hostile sources, in each format of the service. */
const FORMS: Record<string, Form> = {
  "the older stream": {
    version: "v1",
    route: ASK,
    answer: (answerText) => {
      const sources = SOURCES.map((source) => part("h", source));
      const stream = [...sources, ...IGNORED, part("0", answerText), end()].join("");
      return text(200, stream, DATA_HEADERS);
    },
  },
  "the older stream, a character at a time": {
    version: "v1",
    route: ASK,
    answer: (answerText) => {
      const characters = [...answerText].map((character) => part("0", character));
      return streamed([characters.join(""), end()], DATA_HEADERS);
    },
  },
  "the newer stream": {
    version: "v2",
    route: ASK_V2,
    answer: (answerText) =>
      text(
        200,
        events(
          { type: "start", messageId: CANARY },
          ...ALL_HOSTILE.map((type) => ({ type, [type]: type, data: type, delta: type })),
          ...SOURCES.map(({ url, title }) => ({ type: "source-url", sourceId: title, url, title })),
          { type: "text-start", id: CANARY },
          { type: "text-delta", id: CANARY, delta: answerText },
          { type: "finish", messageMetadata: { threadId: "thr_1" } },
        ),
        NEWER,
      ),
  },
  "one message": {
    version: "v1",
    route: ASK,
    answer: (content) => json(200, { role: "assistant", content, threadId: "thr_1" }),
  },
};

const CELLS = Object.keys(FORMS).flatMap((form) => ANSWERS.map((_, nth) => [form, nth] as const));

test.each(sampleOf(CELLS, 3, "answers"))(
  "a hostile answer in %s (%i) is shown without any effect",
  async (form, nth) => {
    await using scenario = await startAssistantScenario();
    const { version, route, answer } = FORMS[form] as Form;
    const whole = ANSWERS[nth] ?? "";
    scenario.service.on(route, answer(whole));
    const result = await run(scenario, { inputs: { "api-version": version } });
    expect(problemsOf(result, scenario)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, errors: [], outputs: { threadId: "thr_1" } });
    const isInPieces = form.includes("character");
    if (!isInPieces) expect(result.outputs.answer === whole.toWellFormed()).toBe(true);
    for (const body of scenario.github.bodies) expect(body.length).toBeLessThanOrEqual(65_536);
    const sources: { url: string }[] = JSON.parse(result.outputs.sources ?? "[]");
    for (const { url } of sources)
      expect(url).toMatch(/^(https:\/\/|http:\/\/(127\.|\[::1\]))[\x21-\x7E]+$/);
  },
);

const ERRORS = chunks(900, " ").filter((_, nth) => nth % 2 === 0);

test.each(numberedSampleOf(ERRORS, 1, "errors"))(
  "a hostile error in the middle of an answer (%i) causes one error",
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
    ["codes", ALL_HOSTILE.map((line) => `0:${line}\n3:${line}\nh:{"url":"${line}"}\n`).join("")],
    ["one line", LONG_LINE],
  ]),
)("a stream of hostile %s that is not an answer fails the step", async (name, body) => {
  await using scenario = await startAssistantScenario();
  scenario.service.on(ASK, text(200, body, DATA_HEADERS));
  const result = await run(scenario);
  expect(problemsOf(result, scenario)).toEqual([]);
  expect(result.exitCode).toBe(1);
  // The codes contain sources, some with safe links.
  if (name !== "codes") expect(result.stdout).not.toContain(CANARY);
});

test("comments with forged markers are not sent as part of the conversation", async () => {
  await using scenario = await startAssistantScenario();
  for (const body of ALL_HOSTILE) await scenario.github.addComment(7, body, "github-actions[bot]");
  const result = await run(scenario);
  expect(problemsOf(result, scenario)).toEqual([]);
  expect(scenario.asked().messages).toHaveLength(1);
  expect(scenario.asked().threadId ?? null).toBeNull();
});
