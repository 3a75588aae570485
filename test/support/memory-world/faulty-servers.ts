import {
  answer,
  type MemoryRequest,
  MemoryServers,
  SERVICE,
} from "../../../emulator/local-world/memory-servers.ts";
import { ExchangeError, type HttpAnswer } from "../../../src/net/http.ts";

/** What GitHub says, for some statuses. */
const WORDS: Readonly<Record<number, string>> = {
  403: "Resource not accessible by integration",
  422: "Validation Failed",
};

/** How long a request takes, in milliseconds. */
const TAKES = 150;

/** What goes wrong with a request. */
export type Fault =
  /** An error of the server: before anything was done, or after. */
  | { kind: "error" | "error after"; status: 500 | 502 | 503 }
  | { kind: "refused"; status: 307 | 400 | 401 | 403 | 404 | 409 | 422 | 429 }
  /** The connection is never made. */
  | { kind: "no connection" }
  /** A read is answered from a copy of the database that is behind, in milliseconds. */
  | { kind: "behind"; by: number }
  /** The connection is lost: before anything was done, or after, or what was asked for is done later. */
  | { kind: "lost" | "lost after" | "done late" };

/** Every fault. */
export const FAULTS: readonly Fault[] = [
  ...([500, 502, 503] as const).flatMap((status): Fault[] => [
    { kind: "error", status },
    { kind: "error after", status },
  ]),
  ...([400, 401, 403, 404, 409, 422, 429] as const).map(
    (status): Fault => ({ kind: "refused", status }),
  ),
  ...(["no connection", "lost", "lost after", "done late"] as const).map(
    (kind): Fault => ({ kind }),
  ),
  ...[200, 1_000, 4_000, 120_000].map((by): Fault => ({ kind: "behind", by })),
];

/** Servers in memory behind one HTTP client, with what goes wrong on the way. */
export class FaultyServers extends MemoryServers {
  /** What the service answers every request but polls with; null: as it should. */
  refusal: number | null = null;
  /** Prompts that the service took, or may have taken as far as the sender can know. */
  readonly received: string[] = [];
  /** How often a poll of each job was answered with 404, as if the service had lost it. */
  readonly denied = new Map<string, number>();
  /** Requests that changed what no run may touch: refs other than ledgers, and other people's issues. */
  readonly trespasses: string[] = [];
  /** Whether requests that were made earlier are done now. */
  isCatchingUp = false;
  #late: (() => void)[] = [];

  /** Does what was asked for earlier and has not been done yet. */
  catchUp(): void {
    const late = this.#late;
    this.#late = [];
    this.isCatchingUp = true;
    for (const perform of late) perform();
    this.isCatchingUp = false;
  }

  /** @throws ExchangeError as the fault says */
  exchange(request: MemoryRequest, fault?: Fault): HttpAnswer {
    this.now += TAKES;
    if (fault?.kind === "no connection") {
      throw new ExchangeError("connect", "network", "could not connect");
    }
    const { method, url, body = "" } = request;
    const isStart = url.origin === SERVICE && method === "POST";
    const isPrompt = isStart && url.pathname.includes("/agent/");
    const refusal = isStart && fault === undefined ? this.refusal : null;
    const status = fault?.kind === "refused" ? fault.status : refusal;
    if (status === 404) this.#deny(request);
    const receive = () => {
      if (isPrompt) this.received.push((JSON.parse(body) as { prompt: string }).prompt);
    };
    if (status === null ? fault !== undefined : status >= 500) receive();
    if (status !== null) return this.#refuse(status, url);
    if (fault?.kind === "error") return this.#refuse(fault.status, url);
    if (fault?.kind === "done late") this.#late.push(() => this.#watched(request));
    if (fault?.kind === "behind") return this.perform(request, fault.by);
    const isDone = fault?.kind !== "lost" && fault?.kind !== "done late";
    const done = isDone ? this.#watched(request) : answer({ status: 500, body: {} });
    if (fault?.kind === "error after") return this.#refuse(fault.status, url);
    if (fault !== undefined) throw new ExchangeError("sent", "network", "the connection was lost");
    if (done.status < 400 || done.status >= 500) receive();
    return done;
  }

  /** Each of them in its own form. */
  #refuse(status: number, { origin }: URL): HttpAnswer {
    const words = WORDS[status] ?? "";
    const body = origin === SERVICE ? { error: words } : { message: words };
    const { headers, ...rest } = answer({ status, body });
    return { ...rest, headers: { ...headers, date: new Date(this.now).toUTCString() } };
  }

  #deny({ method, url }: MemoryRequest): void {
    const [, id] = /\/job\/([^/]+)$/.exec(url.pathname) ?? [];
    if (method === "GET" && id !== undefined) {
      this.denied.set(id, (this.denied.get(id) ?? 0) + 1);
    }
  }

  #watched(request: MemoryRequest): HttpAnswer {
    if (request.method === "GET") return this.perform(request);
    this.agent.openDuePulls();
    const before = this.#untouchable();
    const done = this.perform(request);
    if (this.#untouchable() !== before) {
      this.trespasses.push(`${request.method} ${request.url.pathname}`);
    }
    return done;
  }

  #untouchable(): string {
    return JSON.stringify(
      this.github.repositories.map(({ refs, issues }) => [
        [...refs].filter(([ref]) => !ref.startsWith("refs/docs-agent/")),
        [...issues.values()]
          .filter(({ author }) => !author.endsWith("[bot]"))
          .map(({ title, body, state, labels }) => [title, body, state, labels]),
      ]),
    );
  }
}
