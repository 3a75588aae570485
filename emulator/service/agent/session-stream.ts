/** What version 1 streams while a job works: lines of text, or the same as server-sent events. */

import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "../service.ts";
import { type Job, lastTurn } from "./job.ts";
import { STEP_NAMES } from "./session.ts";

/** The stream of a job's first turn. It ends with the turn, unless steered otherwise. */
export function sessionStream(service: Service, job: Job): ReadableStream<Uint8Array> {
  const asEvent = service.state.quirks.eventStream;
  const encoder = new TextEncoder();
  async function* chunks() {
    for await (const line of lines(service, job)) {
      const data = JSON.stringify({ type: "text", text: line });
      yield encoder.encode(asEvent ? `data: ${data}\n\n` : `${line}\n`);
    }
  }
  return ReadableStream.from(chunks());
}

async function* lines(service: Service, job: Job): AsyncGenerator<string> {
  const { jobs, signal } = service;
  const { stream, durationMs } = lastTurn(job).steering;
  yield `Working on branch ${job.branch}`;
  if (typeof stream === "number") {
    yield* filler(stream);
  } else {
    const pause = (durationMs ?? 1000) / STEP_NAMES.length;
    for (const [index, step] of STEP_NAMES.entries()) {
      yield `Step ${index + 1}: ${step}`;
      await delay(pause, undefined, { signal });
      if (stream === "break" && index === 1) throw new Error("The stream was steered to break");
    }
    // Keeps the connection busy, as an agent that goes on talking does.
    for (let count = 1; stream === "endless"; count += 1) {
      yield `Still here (${count})`;
      await delay(pause, undefined, { signal });
    }
  }
  await jobs.waitForOutcome(job, signal);
  yield `Done: ${jobs.record(job).status}`;
}

const LINE = "The agent thinks aloud about every page it reads, and it reads a great many of them.";

/** Many lines in a chunk: one at a time, megabytes would take minutes. */
const BLOCK = Array<string>(500).fill(LINE).join("\n");

/** About so many bytes of text, in lines. */
function* filler(bytes: number): Generator<string> {
  for (let sent = 0; sent < bytes; sent += BLOCK.length + 1) yield BLOCK;
}
