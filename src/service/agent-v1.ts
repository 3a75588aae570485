import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
import { LineCutter } from "../text/lines.ts";
import { cut } from "../text/markdown.ts";
import { sentence } from "../text/sentence.ts";
import {
  type Agent,
  type CallOptions,
  isId,
  MAX_MESSAGE,
  type Reply,
  unknownJob,
  type V1Choices,
} from "./agent.ts";
import { ServiceError } from "./errors.ts";
import { SessionReader } from "./session.ts";
import type { StreamReply, Transport } from "./transport.ts";

/** The most of a stream that is read, in bytes. */
const MAX_STREAM = 8 * 1024 * 1024;

interface AgentV1Options {
  transport: Transport;
  projectId: string;
  choices: V1Choices;
  /** Aborted at the end of the run: stops the streams that are still read. */
  over: AbortSignal;
  /** Shows what the agent streams, and what becomes of the stream. */
  log: Pick<Dependencies["log"], "info">;
}

/** Version 1 of the agent interface, deprecated: `/v1/agent/{projectId}/job`. */
export class AgentV1 implements Agent {
  readonly version = "v1";
  readonly #options: AgentV1Options;
  readonly #reader: SessionReader;
  /** Branches of the sessions that were created here: a record may not tell its own. */
  readonly #branches = new Map<string, string>();

  constructor(options: AgentV1Options) {
    this.#options = options;
    this.#reader = new SessionReader(options.transport, options.projectId);
  }

  /** Returns as soon as the session's id is known; its stream goes on being shown until the run is over. */
  async create(prompt: string, options: CallOptions = {}): Promise<Reply> {
    const { transport, projectId, choices, over } = this.#options;
    const { branch, asDraft, model, messages } = choices;
    const request = {
      branch,
      messages: [...messages, { role: "user", content: prompt }],
      ...(asDraft === null ? {} : { asDraft }),
      ...(model === null ? {} : { model }),
    };
    const signal = AbortSignal.any([over, ...(options.signal ? [options.signal] : [])]);
    const path = ["v1", "agent", projectId, "job"];
    const limits = { ...options, signal, maxBytes: MAX_STREAM };
    const opened = await transport.stream(path, request, limits);
    const { "x-session-id": id, "x-branch-name": named } = opened.headers;
    if (!isId(id)) {
      throw new ServiceError(
        { type: "unreadable" },
        "The service's response does not contain the job's ID (X-Session-Id)",
      );
    }
    void this.#show(opened);
    const ref = cut(named?.trim() || branch, MAX_MESSAGE);
    this.#branches.set(id, ref);
    return { job: { ...unknownJob(id), status: "active", ref }, retryAfter: undefined };
  }

  async message(): Promise<never> {
    throw new ActionError(
      "invalid-input",
      "Version 1 of the agent API cannot send messages to existing jobs.",
      "Set `api-version` to `v2`.",
    );
  }

  async get(id: string, options?: CallOptions): Promise<Reply> {
    const { job, retryAfter } = await this.#reader.get(id, options);
    return { job: { ...job, ref: job.ref ?? this.#branches.get(id) ?? null }, retryAfter };
  }

  /** Shows the stream of a session as it comes. The job goes on without it. Never throws. */
  async #show({ headers, text }: StreamReply): Promise<void> {
    const { transport, over, log } = this.#options;
    const redactor = transport.secrets.redactor();
    const isEventStream = /^\s*text\/event-stream\s*(;|$)/i.test(headers["content-type"] ?? "");
    const cutter = new LineCutter();
    const show = (lines: readonly string[]) => {
      const shown = (isEventStream ? lines.map(dataOf) : lines).filter(
        (line) => line.trim() !== "",
      );
      // The mark tells the agent's words from the action's own.
      if (shown.length > 0 && !over.aborted) log.info(shown.map((line) => `> ${line}`).join("\n"));
    };
    const end = () => show([...cutter.push(redactor.end()), ...cutter.end()]);
    try {
      for await (const piece of text) {
        if (over.aborted) return;
        show(cutter.push(redactor.feed(piece)));
      }
      end();
    } catch (error) {
      end();
      const why = error instanceof Error ? error.message : String(error);
      const said = sentence(`The agent's stream was interrupted: ${why}`);
      if (!over.aborted) log.info(`${said} The job continues.`);
    }
  }
}

/** The data of a line of server-sent events; comments, names, ids and the closing mark are none. */
function dataOf(line: string): string {
  const [, data = ""] = /^data: ?(.*)$/s.exec(line) ?? [];
  return data === "[DONE]" ? "" : data;
}
