/** What version 1 streams while a job works: lines of text, or the same as server-sent events. */

import { setTimeout as delay } from "node:timers/promises";
import type { Service } from "./http.ts";
import { lastLife } from "./job-life.ts";
import { STEP_NAMES } from "./session.ts";
import type { Job } from "./state.ts";

/** The stream of a job's first life. It ends with the life, unless steered otherwise. */
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
  const { lives, signal } = service;
  const life = lastLife(job);
  const { stream, durationMs } = life.steering;
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
    // `beat` keeps the connection busy, as an agent that goes on talking does.
    for (let beat = 1; stream === "endless"; beat += 1) {
      yield `Still here (${beat})`;
      await delay(pause, undefined, { signal });
    }
  }
  await lives.waitForEnd(job, signal);
  yield `Done: ${lives.record(job).status}`;
}

const LINE = "The agent thinks aloud about every page it reads, and it reads a great many of them.";

/** Lines a chunk: one at a time, megabytes would take minutes. */
const BLOCK = Array<string>(500).fill(LINE).join("\n");

/** About so many bytes of text, in lines. */
function* filler(bytes: number): Generator<string> {
  for (let sent = 0; sent < bytes; sent += BLOCK.length + 1) yield BLOCK;
}
