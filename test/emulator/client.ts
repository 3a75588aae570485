import type { World } from "../../emulator/world.ts";

/** An answer of the emulated service, read to its end. */
export interface Told<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Client {
  create(prompt: unknown): Promise<Told<AgentJob>>;
  message(id: string, prompt: unknown): Promise<Told<AgentJob>>;
  look(id: string): Promise<Told<AgentJob>>;
  /** Looks until the job's status is another than the one given. */
  lookUntilNot(status: string, id: string): Promise<AgentJob>;
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    options?: { body?: unknown; key?: string | undefined; headers?: Record<string, string> },
  ): Promise<Told<Body>>;
}

type AgentJob = import("../../emulator/job-life.ts").AgentJob & { error?: string };

/** Calls the service of a world with its admin key. */
export function clientOf({ service }: World): Client {
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
    const { status, headers: told } = response;
    return { status, headers: told, body: (isJson ? JSON.parse(text) : text) as Body };
  };
  const jobs = `/v2/agent/${service.projectId}/job`;
  const look = (id: string) => call<AgentJob>("GET", `${jobs}/${id}`);
  return {
    call,
    create: (prompt) => call("POST", jobs, { body: { prompt } }),
    message: (id, prompt) => call("POST", `${jobs}/${id}/message`, { body: { prompt } }),
    look,
    lookUntilNot: async (status, id) =>
      (
        await until(
          () => look(id),
          ({ body }) => body.status !== status,
        )
      ).body,
  };
}

/** Asks again and again, a few milliseconds apart, until the answer is the one waited for. */
export async function until<T>(ask: () => Promise<T>, isIt: (answer: T) => boolean): Promise<T> {
  const giveUpAt = Date.now() + 5_000;
  for (;;) {
    const answer = await ask();
    if (isIt(answer)) return answer;
    if (Date.now() > giveUpAt) throw new Error(`Still ${JSON.stringify(answer)} after 5 s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
