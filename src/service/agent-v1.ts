import type { Dependencies } from "../runtime/dependencies.ts";
import { ActionError } from "../runtime/errors.ts";
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
import { unreadable } from "./errors.ts";
import { SessionReader } from "./session.ts";
import type { StreamReply, Transport } from "./transport.ts";

/** Maximum size of a stream, in bytes. */
const MAX_STREAM = 8 * 1024 * 1024;

interface AgentV1Options {
  transport: Transport;
  projectId: string;
  choices: V1Choices;
  /** Aborted at the end of the run, to stop open streams. */
  over: AbortSignal;
  /** Gets the agent's streamed text, and one line if the stream is interrupted. */
  log: Pick<Dependencies["log"], "info">;
}

/** Version 1 of the agent interface, deprecated: `/v1/agent/{projectId}/job`. */
export class AgentV1 extends SessionReader implements Agent {
  readonly version = "v1";
  readonly #options: AgentV1Options;
  /** The branch of the session that was created here. Its record may lack it. */
  #branch: string | null = null;

  constructor(options: AgentV1Options) {
    super(options.transport, options.projectId);
    this.#options = options;
  }

  /** Returns as soon as the session's ID is known. Its stream is logged until the run ends. */
  async create(prompt: string, options: CallOptions = {}): Promise<Reply> {
    const { transport, projectId, choices, over } = this.#options;
    const { branch, asDraft, model, messages } = choices;
    const request = {
      branch,
      messages: [...messages, { role: "user", content: prompt }],
      // JSON leaves out undefined values, and the service chooses.
      asDraft: asDraft ?? undefined,
      model: model ?? undefined,
    };
    const signal = AbortSignal.any([over, ...(options.signal ? [options.signal] : [])]);
    const limits = { ...options, signal, maxBytes: MAX_STREAM };
    const stream = await transport.stream(["v1", "agent", projectId, "job"], request, limits);
    const { "x-session-id": id, "x-branch-name": named } = stream.headers;
    if (!isId(id)) throw unreadable("does not contain the job's ID (X-Session-Id)");
    void this.#show(stream);
    this.#branch = cut(named?.trim() || branch, MAX_MESSAGE);
    return {
      job: { ...unknownJob(id), status: "active", ref: this.#branch },
      retryAfter: undefined,
    };
  }

  async message(): Promise<never> {
    throw new ActionError(
      "invalid-input",
      "Version 1 of the agent API cannot send messages to existing jobs.",
      "Set `api-version` to `v2`.",
    );
  }

  override async get(id: string, options?: CallOptions): Promise<Reply> {
    const { job, retryAfter } = await super.get(id, options);
    return { job: { ...job, ref: job.ref ?? this.#branch }, retryAfter };
  }

  /** Logs the stream of a session as it arrives. The job does not depend on it. Never throws. */
  async #show({ headers, text }: StreamReply): Promise<void> {
    const { transport, over, log } = this.#options;
    const redactor = transport.secrets.redactor();
    const isEventStream = /^\s*text\/event-stream\s*(;|$)/i.test(headers["content-type"] ?? "");
    const show = (text: string) => {
      const lines = text.split(/\r\n|[\r\n]/);
      const shown = isEventStream ? lines.map(dataOf) : lines;
      // The mark distinguishes the agent's text from the action's.
      const marked = shown.filter((line) => line.trim() !== "").map((line) => `> ${line}`);
      if (marked.length > 0 && !over.aborted) log.info(marked.join("\n"));
    };
    let why = "";
    try {
      for await (const piece of text) {
        if (over.aborted) return;
        show(redactor.feed(piece));
      }
    } catch (error) {
      why = sentence(`The agent's stream was interrupted: ${(error as Error).message}`);
    }
    show(redactor.end());
    if (why !== "" && !over.aborted) log.info(`${why} The job continues.`);
  }
}

/** The data of a line of server-sent events; empty for other fields, comments and the closing mark. */
function dataOf(line: string): string {
  const [, data = ""] = /^data: ?(.*)$/s.exec(line) ?? [];
  return data === "[DONE]" ? "" : data;
}
