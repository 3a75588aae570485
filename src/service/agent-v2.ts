import * as z from "zod/mini";
import {
  type Agent,
  type CallOptions,
  isId,
  type Job,
  type JobReader,
  type Reply,
  text,
  unknownJob,
  word,
} from "./agent.ts";
import { anotherJob, ServiceError } from "./errors.ts";
import type { JsonReply, Transport } from "./transport.ts";

/** Only `id` and `status` are needed; whatever else is missing or of another type is not told. */
const record = z.looseObject({
  id: z.string().check(z.refine(isId)),
  status: word.check(z.minLength(1)),
  source: z.catch(z.object({ repository: text, ref: text }), { repository: null, ref: null }),
  model: text,
  prLink: text,
  createdAt: text,
  archivedAt: text,
});

/** The answer to a follow-up message is documented without a status as well as with one. */
const answerToMessage = z.extend(record, { status: z.catch(word, "") });

/** Version 2 of the agent interface: `/v2/agent/{projectId}/job`. */
export class AgentV2 implements Agent {
  readonly version = "v2";
  readonly #transport: Transport;
  readonly #job: readonly string[];

  constructor(transport: Transport, projectId: string) {
    this.#transport = transport;
    this.#job = ["v2", "agent", projectId, "job"];
  }

  async create(prompt: string, options?: CallOptions): Promise<Reply> {
    const reply = await this.#transport.json("POST", this.#job, { prompt }, options);
    return read(reply, record, "the job that was created");
  }

  async message(id: string, prompt: string, options?: CallOptions): Promise<Reply> {
    const path = [...this.#job, id, "message"];
    const reply = await this.#transport.json("POST", path, { prompt }, options);
    const { job, retryAfter } = read(reply, answerToMessage, "the job that the message went to");
    // It was accepted: the job it was sent to counts, and nothing that is said of another one.
    return { job: job.id === id ? job : unknownJob(id), retryAfter };
  }

  async get(id: string, options?: CallOptions): Promise<Reply> {
    const reply = await this.#transport.json("GET", [...this.#job, id], undefined, options);
    const { job, retryAfter } = read(reply, record, "the job");
    if (job.id !== id) throw anotherJob(retryAfter);
    return { job, retryAfter };
  }
}

function read(
  { value, retryAfter }: JsonReply,
  schema: typeof record | typeof answerToMessage,
  what: string,
): Reply {
  const parsed = z.safeParse(schema, value);
  if (!parsed.success) {
    const failure = { type: "unreadable" } as const;
    const missing = parsed.error.issues.map((issue) => issue.path.join(".") || "an object");
    throw new ServiceError(
      failure,
      `The service's response does not describe ${what}: it lacks ${missing.join(" and ")}`,
      retryAfter,
    );
  }
  const { id, status, source, model, prLink, createdAt, archivedAt } = parsed.data;
  const job: Job = {
    ...{ id, status, model, prLink, createdAt, archivedAt },
    repository: source.repository,
    ref: source.ref,
    ...{ message: null, todos: null, failure: null },
    record: value as Record<string, unknown>,
  };
  return { job, retryAfter };
}

/** Reads jobs of one version of the agent interface, for those who only poll. */
export async function createJobReader(
  api: Agent["version"],
  transport: Transport,
  projectId: string,
): Promise<JobReader> {
  if (api === "v2") return new AgentV2(transport, projectId);
  const { SessionReader } = await import("./session.ts");
  return new SessionReader(transport, projectId);
}
