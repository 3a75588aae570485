/** The assistant: one message in, one answer out, as a stream of version 1 or 2, or as JSON. */

import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../../http/app.ts";
import { HttpError } from "../../http/http-error.ts";
import { readBody, type Service } from "../service.ts";
import { DOMAIN } from "../state.ts";
import { answer, QUESTION } from "./answer.ts";
import { FORMS } from "./forms.ts";
import { type AssistantSteering, steerAssistant } from "./steering.ts";

export function assistant(app: App, { state, signal }: Service): void {
  app.post("/discovery/:version{v[12]}/assistant/:domain/message", (call) => {
    const { version, domain } = call.req.param();
    if (domain !== DOMAIN) throw new HttpError(404, "Domain not found");
    const question = readBody(call, QUESTION);
    // Version 2 messages have no content: the parts are all there is.
    const asked =
      question.messages
        .at(-1)
        ?.parts.map(({ text }) => text)
        .join("") ?? "";
    const steering = steerAssistant(asked, state.assistant);
    const form = FORMS[steering.form ?? (version === "v1" ? "data" : "ui")];
    const { headers, parts } = form(answer(state, question, asked, steering.thread));
    return call.body(ReadableStream.from(chunks(parts, steering, signal)), 200, headers);
  });
}

/** The parts one after the other, as the steering has it. */
async function* chunks(
  parts: string[],
  { pauseMs, split }: AssistantSteering,
  signal: AbortSignal,
) {
  for (const part of parts) {
    const bytes = Buffer.from(part);
    for (let at = 0; at < bytes.length; at += split) yield bytes.subarray(at, at + split);
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
  }
}
