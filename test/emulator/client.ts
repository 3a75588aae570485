import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { AgentJob as JobRecord } from "../../emulator/service/agent/job.ts";

/** An answer of the emulated service, with its whole body. */
export interface Reply<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Client {
  create(prompt: unknown): Promise<Reply<AgentJob>>;
  message(id: string, prompt: unknown): Promise<Reply<AgentJob>>;
  poll(id: string): Promise<Reply<AgentJob>>;
  /** Polls until the job's status is another than the one given. */
  pollUntilNot(status: string, id: string): Promise<AgentJob>;
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: { body?: unknown; key?: string | undefined; headers?: Record<string, string> },
  ): Promise<Reply<Body>>;
}

type AgentJob = JobRecord & { error?: string };

/** Calls the service of a world with its admin key. */
export function clientOf({ service }: LocalWorld): Client {
  const call: Client["call"] = async <Body>(
    method: string,
    path: string,
    options: { body?: unknown; key?: string | undefined; headers?: Record<string, string> } = {},
  ) => {
    const { body, headers } = options;
    const key = "key" in options ? options.key : service.adminKey;
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const { status } = response;
    return { status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as Body };
  };
  const jobs = `/v2/agent/${service.projectId}/job`;
  const poll = (id: string) => call<AgentJob>("GET", `${jobs}/${id}`);
  return {
    call,
    create: (prompt) => call("POST", jobs, { body: { prompt } }),
    message: (id, prompt) => call("POST", `${jobs}/${id}/message`, { body: { prompt } }),
    poll,
    pollUntilNot: async (status, id) =>
      (
        await until(
          () => poll(id),
          ({ body }) => body.status !== status,
        )
      ).body,
  };
}

/** Asks again and again, a few milliseconds apart, until the answer is the one waited for. */
export async function until<T>(ask: () => Promise<T>, isIt: (answer: T) => boolean): Promise<T> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (isIt(answer)) return answer;
    if (Date.now() > giveUpAt) throw new Error(`Still ${JSON.stringify(answer)} after a minute`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
