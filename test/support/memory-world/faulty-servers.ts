import { answer, MemoryServers } from "../../../emulator/local-world/memory-servers.ts";
import { ExchangeError, type HttpAnswer, type Outgoing } from "../../../src/net/http.ts";

/** How long a request takes, in milliseconds. */
const TAKES = 150;

/** What goes wrong with a request. */
export type Fault =
  /** An error of the server: before anything was done, or after. */
  | { kind: "error" | "error after"; status: 500 | 502 | 503 }
  | { kind: "refused"; status: 401 | 403 | 404 | 422 | 429 }
  /** The connection is never made. */
  | { kind: "no connection" }
  /** A read is answered from a copy of the database that is behind, in milliseconds. */
  | { kind: "behind"; by: number }
  /** The connection is lost: before anything was done, or after, or what was asked for is done later. */
  | { kind: "lost" | "lost after" | "done late" };

/** Servers in memory behind one HTTP client, with what goes wrong on the way. */
export class FaultyServers extends MemoryServers {
  #late: (() => void)[] = [];
  /** Ids of jobs that a poll was told to be unknown, as if the service had lost them. */
  readonly denied = new Set<string>();

  /** Does what was asked for earlier and has not been done yet. */
  catchUp(): void {
    const late = this.#late;
    this.#late = [];
    for (const perform of late) perform();
  }

  /** @throws ExchangeError as the fault says */
  exchange(outgoing: Outgoing, fault?: Fault): HttpAnswer {
    this.now += TAKES;
    if (fault?.kind === "no connection") {
      throw new ExchangeError("connect", "network", "could not connect");
    }
    if (fault?.kind === "refused" && fault.status === 404) this.#deny(outgoing);
    if (fault?.kind === "error" || fault?.kind === "refused")
      return answer({ status: fault.status, body: {} });
    if (fault?.kind === "done late") this.#late.push(() => this.perform(outgoing));
    if (fault?.kind === "behind") return this.perform(outgoing, fault.by);
    const isDone = fault?.kind !== "lost" && fault?.kind !== "done late";
    const done = isDone ? this.perform(outgoing) : answer({ status: 500, body: {} });
    if (fault?.kind === "error after") return answer({ status: fault.status, body: {} });
    if (fault !== undefined) throw new ExchangeError("sent", "network", "the connection was lost");
    return done;
  }

  #deny({ method, url }: Outgoing): void {
    const [, id] = /\/job\/([^/]+)$/.exec(url.pathname) ?? [];
    if (method === "GET" && id !== undefined) this.denied.add(id);
  }
}
