/** The assistant: one message in, one answer out, as a stream of version 1 or 2, or as JSON. */

import { setTimeout as delay } from "node:timers/promises";
import { HttpError } from "../../http/http-error.ts";
import { countQuestion } from "../limits.ts";
import { type App, readBody, type Service } from "../service.ts";
import { type Answer, answer } from "./answer.ts";
import { DATA_STREAM_HEADERS, dataStream } from "./data-stream.ts";
import { messageJson } from "./message-json.ts";
import { questionOf } from "./question.ts";
import { UI_MESSAGE_STREAM_HEADERS, uiMessageStream } from "./ui-message-stream.ts";

/** Words that arrive before an answer is steered to go wrong. */
const FIRST_WORDS = 3;

export function assistant(app: App, { state, now, signal }: Service): void {
  for (const version of [1, 2] as const) {
    const shape = questionOf(version);
    app.post(`/discovery/v${version}/assistant/:domain/message`, async (call) => {
      const domain = call.req.param("domain");
      if (!state.domains.includes(domain)) throw new HttpError(404, "Domain not found");
      const question = readBody(call, shape);
      countQuestion(state, now());

      const reply = answer(state, domain, question);
      switch (reply.steering.form ?? (version === 1 ? "data" : "ui")) {
        case "json":
          return reply.steering.fails
            ? call.json({ error: "The answer could not be finished." }, 500)
            : call.json(messageJson(reply));
        case "data":
          return call.body(stream(reply, dataStream(reply), signal), 200, DATA_STREAM_HEADERS);
        case "ui":
          return call.body(
            stream(reply, uiMessageStream(reply), signal),
            200,
            UI_MESSAGE_STREAM_HEADERS,
          );
      }
    });
  }
}

/** Sends the parts one after the other, as the steering has it. */
function stream(
  { steering }: Answer,
  { head, text, tail }: { head: string[]; text: string[]; tail: string[] },
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const { fails, stream: kind, pauseMs, split } = steering;
  const goesWrong = fails || kind !== "whole";
  const parts = [...head, ...(goesWrong ? text.slice(0, FIRST_WORDS) : text)];

  async function* chunks() {
    for (const part of parts) {
      yield* cut(Buffer.from(part), split);
      if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
    }
    if (kind === "break") {
      // What was sent has to be on its way before the connection goes.
      await delay(Math.max(pauseMs, 10), undefined, { signal });
      throw new Error("The stream was steered to break");
    }
    while (kind === "endless") {
      yield* cut(Buffer.from(text[0] ?? ""), split);
      await delay(Math.max(pauseMs, 1), undefined, { signal });
    }
    for (const part of tail) yield* cut(Buffer.from(part), split);
  }
  return ReadableStream.from(chunks());
}

function* cut(bytes: Uint8Array, size: number | null): Generator<Uint8Array> {
  if (size === null) yield bytes;
  else for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
