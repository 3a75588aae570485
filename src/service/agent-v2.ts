import * as z from "zod/mini";
import {
  type Agent,
  atMost,
  type CallOptions,
  checked,
  isId,
  type Job,
  type JobReader,
  type Reply,
  text,
  unknownJob,
} from "./agent.ts";
import { unreadable } from "./errors.ts";
import type { Transport } from "./transport.ts";

const MAX_STATUS = 200;

/** Only `id` and `status` are required. Other fields that are missing or have another type become null. */
const record = z.object({
  id: z.string().check(z.refine(isId)),
  status: atMost(MAX_STATUS).check(z.minLength(1)),
  source: z.catch(z.object({ repository: text, ref: text }), { repository: null, ref: null }),
  model: text,
  prLink: text,
  createdAt: text,
  archivedAt: text,
});

/** The response to a message is documented both with and without a status. */
const answerToMessage = z.extend(record, { status: z.catch(atMost(MAX_STATUS), "") });

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
    // The message was accepted, so a record of another job is ignored.
    return { job: job.id === id ? job : unknownJob(id), retryAfter };
  }

  async get(id: string, options?: CallOptions): Promise<Reply> {
    const reply = await this.#transport.json("GET", [...this.#job, id], undefined, options);
    const { job, retryAfter } = read(reply, record, "the job");
    if (job.id !== id) {
      throw unreadable("describes a different job from the one requested", retryAfter);
    }
    return { job, retryAfter };
  }
}

function read(
  { value, retryAfter }: Awaited<ReturnType<Transport["json"]>>,
  schema: typeof record | typeof answerToMessage,
  what: string,
): Reply {
  const { source, ...fields } = checked(schema, value, what, retryAfter);
  const whole = value as Job["record"];
  return { job: { ...unknownJob(fields.id), ...fields, ...source, record: whole }, retryAfter };
}

/** A reader for the jobs of one version of the agent interface. @param api `v1` or `v2`, as a marker names it */
export async function createJobReader(
  api: string,
  transport: Transport,
  projectId: string,
): Promise<JobReader> {
  if (api !== "v1") return new AgentV2(transport, projectId);
  const { SessionReader } = await import("./session.ts");
  return new SessionReader(transport, projectId);
}
