import type { Log } from "../runtime/log.ts";
import { LineCutter } from "../text/lines.ts";
import { cut } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import {
  type Agent,
  type CallOptions,
  checkId,
  isId,
  type Job,
  MAX_MESSAGE,
  unknownJob,
} from "./agent.ts";
import { unreadable } from "./errors.ts";
import { jobOfSession, readSession } from "./session.ts";
import type { StreamReply, Transport } from "./transport.ts";

/** Maximum size of a stream, in bytes. */
const MAX_STREAM = 8 * 1024 * 1024;

/** A message of version 1. */
export interface V1Message {
  role: "system" | "user" | "assistant";
  content: string;
}

/** Options that only version 1 has. For null, the service chooses. */
export interface V1Choices {
  /** The branch to work on. The interface requires one. */
  branch: string;
  asDraft: boolean | null;
  model: string | null;
  /** Sent before the prompt. */
  messages: readonly V1Message[];
}

export interface V1Starts {
  choices: V1Choices;
  /** Aborted at the end of the run, to stop open streams. */
  over: AbortSignal;
  /** Gets the agent's streamed text, and one line if the stream is interrupted. */
  log: Pick<Log, "info">;
}

/** Version 1 of the agent interface, deprecated: `/v1/agent/{projectId}/job`. */
export class AgentV1 implements Agent {
  readonly version = "v1";
  readonly #transport: Transport;
  readonly #job: readonly string[];
  readonly #starts: V1Starts | undefined;
  /** The branch of the session that was created here. Its record may lack it. */
  #branch: string | null = null;

  /** @param starts undefined if the agent only reads jobs */
  constructor(transport: Transport, projectId: string, starts?: V1Starts) {
    this.#transport = transport;
    this.#job = ["v1", "agent", projectId, "job"];
    this.#starts = starts;
  }

  /** Returns as soon as the session's ID is known. Its stream is logged until the run ends. */
  async create(prompt: string, options: CallOptions = {}): Promise<Job> {
    const starts = this.#starts;
    if (starts === undefined) throw new Error("this agent only reads jobs");
    const { branch, asDraft, model, messages } = starts.choices;
    const request = {
      branch,
      messages: [...messages, { role: "user", content: prompt }],
      // JSON leaves out undefined values, and the service chooses.
      asDraft: asDraft ?? undefined,
      model: model ?? undefined,
    };
    const signal = AbortSignal.any([starts.over, ...(options.signal ? [options.signal] : [])]);
    const limits = { ...options, signal, maxBytes: MAX_STREAM };
    const stream = await this.#transport.stream(this.#job, request, limits);
    const { "x-session-id": id, "x-branch-name": named } = stream.headers;
    if (!isId(id)) throw unreadable("does not contain the job's ID (X-Session-Id)");
    void this.#show(stream, starts);
    this.#branch = cut(named?.trim() || branch, MAX_MESSAGE);
    return { ...unknownJob(id), status: "active", ref: this.#branch };
  }

  async message(): Promise<never> {
    throw new Error("version 1 sends no messages: its inputs and conversations allow none");
  }

  async get(id: string, options?: CallOptions): Promise<Job> {
    const reply = await this.#transport.json([...this.#job, id], null, options);
    const { value, retryAfter } = reply;
    const session = readSession(value, id);
    if (session === null) {
      throw unreadable("does not describe the job: it lacks haulted and haultReason", retryAfter);
    }
    const job = jobOfSession(session);
    return checkId(id, { ...job, ref: job.ref ?? this.#branch, retryAfter });
  }

  /** Logs the stream of a session as it arrives. The job does not depend on it. Never throws. */
  async #show({ headers, text }: StreamReply, { over, log }: V1Starts): Promise<void> {
    const redactor = this.#transport.secrets.redactor();
    const isEventStream = /^\s*text\/event-stream\s*(;|$)/i.test(headers["content-type"] ?? "");
    const cutter = new LineCutter();
    const show = (lines: readonly string[]) => {
      const shown = isEventStream ? lines.map(dataOf) : lines;
      // The mark distinguishes the agent's text from the action's.
      const marked = shown.filter((line) => line.trim() !== "").map((line) => `> ${line}`);
      if (marked.length > 0 && !over.aborted) log.info(marked.join("\n"));
    };
    let why = "";
    try {
      for await (const piece of text) {
        if (over.aborted) return;
        show(cutter.push(redactor.feed(piece)));
      }
    } catch (error) {
      why = sentence(`The agent's stream was interrupted: ${(error as Error).message}`);
    }
    show([...cutter.push(redactor.end()), ...cutter.end()]);
    if (why !== "" && !over.aborted) log.info(`${why} The job continues.`);
  }
}

/** The data of a line of server-sent events; empty for other fields, comments and the closing mark. */
function dataOf(line: string): string {
  const [, data = ""] = /^data: ?(.*)$/s.exec(line) ?? [];
  return data === "[DONE]" ? "" : data;
}
