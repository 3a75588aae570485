import * as z from "zod/mini";
import type { Dependencies } from "../runtime/dependencies.ts";
import {
  type Agent,
  atMost,
  bareJob,
  checked,
  checkId,
  isId,
  type Job,
  orNull,
  text,
} from "./agent.ts";
import type { V1Starts } from "./agent-v1.ts";
import { isRecord } from "./json.ts";
import { type JsonReply, type JsonTransport, type ServiceAccess, Transport } from "./transport.ts";

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
const answerToMessage = z.extend(record, {
  status: orNull(atMost(MAX_STATUS).check(z.minLength(1))),
});

/** Version 2 of the agent interface: `/v2/agent/{projectId}/job`. */
export function agentV2(transport: JsonTransport, projectId: string): Agent {
  const jobs = ["v2", "agent", projectId, "job"];
  return {
    async send(id, prompt, options) {
      const path = id === null ? jobs : [...jobs, id, "message"];
      const reply = await transport.json(path, { prompt }, options);
      if (id === null) return read(reply, record, "the job that was created");
      const job = read(reply, answerToMessage, "the job that the message went to");
      // The message was accepted, so a record of another job is ignored.
      return job.id === id ? job : bareJob(id, null);
    },

    async get(id, options) {
      const reply = await transport.json([...jobs, id], null, options);
      return checkId(id, { job: read(reply, record, "the job"), retryAfter: reply.retryAfter });
    },
  };
}

/** @param subject what the value is, for messages */
function read<Status extends string | null>(
  { value, retryAfter }: JsonReply,
  schema: z.ZodMiniType<Omit<z.infer<typeof record>, "status"> & { status: Status }>,
  subject: string,
): Job & { status: Status } {
  const { source, id, status, ...fields } = checked(schema, value, subject, retryAfter);
  const whole = isRecord(value) ? value : null;
  return { ...bareJob(id, status), ...source, ...fields, record: whole };
}

/**
 * The agent in a version of the interface. Version 1 is loaded only if it is used.
 *
 * @param starts what version 1 needs to start jobs
 */
export async function createAgent(
  version: string,
  access: ServiceAccess & { projectId: string },
  dependencies: Dependencies,
  starts?: V1Starts,
): Promise<Agent> {
  const transport = new Transport(access, dependencies);
  if (version !== "v1") return agentV2(transport, access.projectId);
  const { agentV1 } = await import("./agent-v1.ts");
  return agentV1(transport, access.projectId, starts);
}
