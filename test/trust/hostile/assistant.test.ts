import { expect, test } from "vitest";
import type { RunOptions, RunResult } from "../../../emulator/runner/runner.ts";
import { ASSISTANT_KEY } from "../../../emulator/service/state.ts";
import { json, text } from "../../support/answers.ts";
import { checkRun, recordingConnections } from "../../support/check-run.ts";
import type { Answer } from "../../support/faulty-server.ts";
import { ALL_HOSTILE, CANARY, chunks, hostile, LONG_LINE } from "../../support/hostile-texts.ts";
import { numberedSampleOf, sampleOf, someOf } from "../../support/sample.ts";
import { streamed } from "../../support/streams.ts";
import { addComment } from "../../support/world/comments.ts";
import { TOKEN } from "../../support/world/conversation.ts";
import {
  ASK,
  ASK_V2,
  DATA_HEADERS,
  end,
  part,
  WITH_ANSWER,
} from "../../support/world/questions.ts";
import { startWorld, type World } from "../../support/world/world.ts";

/** The corpus as answers. Each fits into a comment when it is escaped. */
const ANSWERS = chunks(3500, "\n\n");
const SOURCES = ALL_HOSTILE.flatMap((url, nth) => [
  { sourceType: "url", id: hostile(nth + 1), url, title: hostile(nth + 2) },
  { sourceType: "url", id: "s", url: `https://${CANARY}.example/${nth}`, title: hostile(nth + 3) },
]);

async function run(world: World, options: RunOptions = {}): Promise<RunResult> {
  return await world.run("assistant", recordingConnections({ debug: true, ...options }));
}

function problemsOf(result: RunResult, world: World): string[] {
  return checkRun(result, world, {
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
    await using world = await startWorld(WITH_ANSWER);
    const { version, route, answer } = FORMS[form] as Form;
    const whole = ANSWERS[nth] ?? "";
    world.on(route, answer(whole));
    const result = await run(world, { inputs: { "api-version": version } });
    expect(problemsOf(result, world)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, errors: [], outputs: { threadId: "thr_1" } });
    const isInPieces = form.includes("character");
    if (!isInPieces) expect(result.outputs.answer === whole.toWellFormed()).toBe(true);
    for (const body of world.bodies) expect(body.length).toBeLessThanOrEqual(65_536);
    const sources: { url: string }[] = JSON.parse(result.outputs.sources ?? "[]");
    for (const { url } of sources)
      expect(url).toMatch(/^(https:\/\/|http:\/\/(127\.|\[::1\]))[\x21-\x7E]+$/);
  },
);

const ERRORS = chunks(900, " ").filter((_, nth) => nth % 2 === 0);

test.each(numberedSampleOf(ERRORS, 1, "errors"))(
  "a hostile error in the middle of an answer (%i) causes one error",
  async (_, error) => {
    await using world = await startWorld(WITH_ANSWER);
    const body = part("0", `${hostile(error.length)}\n`) + part("3", error) + end();
    world.on(ASK, text(200, body, DATA_HEADERS));
    const result = await run(world);
    expect(problemsOf(result, world)).toEqual([]);
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
  await using world = await startWorld(WITH_ANSWER);
  world.on(ASK, text(200, body, DATA_HEADERS));
  const result = await run(world);
  expect(problemsOf(result, world)).toEqual([]);
  expect(result.exitCode).toBe(1);
  // The codes contain sources, some with safe links.
  if (name !== "codes") expect(result.stdout).not.toContain(CANARY);
});

test("comments with forged markers are not sent as part of the conversation", async () => {
  await using world = await startWorld(WITH_ANSWER);
  for (const body of ALL_HOSTILE) addComment(world, 7, body, "github-actions[bot]");
  const result = await run(world);
  expect(problemsOf(result, world)).toEqual([]);
  expect(world.sent("service")[0]?.messages).toHaveLength(1);
  expect(world.sent("service")[0]?.threadId ?? null).toBeNull();
});
