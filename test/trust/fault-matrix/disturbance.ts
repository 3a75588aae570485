import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { capture } from "../../support/captured-answer.ts";
import { makeCertificate } from "../../support/certificate.ts";
import type {
  Answer,
  Exchange,
  FaultyServer,
  FaultyServerOptions,
} from "../../support/faulty-server.ts";
import { routePattern } from "../../support/routes.ts";
import { type Host, type HostOptions, hostOf, nameOf } from "../../support/world/servers.ts";
import type { WorldRun } from "../../support/world/world.ts";
import type { Cell } from "./cells.ts";
import { isNotReceived, REFUSALS } from "./faults.ts";
import { isStart, ROWS } from "./rows.ts";

/** TLS as a runner trusts it, and a host of the same name that it does not. */
const trusted = makeCertificate("localhost");
const impostor = makeCertificate("localhost");
const folder = mkdtempSync(path.join(os.tmpdir(), "docs-agent-trust-"));
const authorities = path.join(folder, "authorities.pem");
writeFileSync(authorities, trusted.cert);
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** How long a host that refuses connections once does so, in milliseconds, unless the log mentions it. */
const AWAY = 700;

/** Largest answer that is read of each host, in bytes, unless a row says otherwise. */
const LIMITS = { service: 1024 * 1024, github: 32 * 1024 * 1024 };

/** Requests that ask for work. */
const STARTS = ROWS.filter(isStart).map(({ route }) => route);

/** Lets a cell's fault strike, and counts the requests for work that are accepted all the same. */
export class Disturbance implements Disposable {
  /** Requests for work that the service accepted, or may have accepted. */
  accepted = 0;
  readonly #cell: Cell;
  readonly #before: number;
  readonly #other: FaultyServer;
  #host: FaultyServer | null = null;
  #hasAnswered = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param before how many requests the host gets before the cell's
   * @param other a host that nobody may be led to
   */
  constructor(cell: Cell, before: number, other: FaultyServer) {
    this.#cell = cell;
    this.#before = before;
    this.#other = other;
  }

  /** The options of both servers, with what goes wrong at the request's host. */
  get servers(): HostOptions {
    const usual = (host: Host) => ({ oneRequestPerConnection: true, around: this.#around(host) });
    const disturbed = hostOf(this.#cell.row.route);
    return {
      github: usual("github"),
      service: usual("service"),
      [disturbed]: { ...usual(disturbed), ...this.#connections },
    };
  }

  /** What goes wrong with the connections of the request's host, each of which is for one request. */
  get #connections(): FaultyServerOptions {
    const { times, fault } = this.#cell;
    const { way } = fault;
    if (way.type === "refuse") return { refuseAfter: this.#before, onRefusing: this.#begin };
    if (way.type !== "connection") return {};
    const certificates = way.isTls ? { tls: trusted, impostor } : {};
    const isDue = (nth: number) => (times === "once" ? nth === this.#before : nth >= this.#before);
    return {
      ...certificates,
      connectionFault: (nth) => (isDue(nth) && !this.#isOver ? way.fault : null),
    };
  }

  /** What the run needs to reach a host that speaks TLS, and to be watched. */
  optionsAt(host: FaultyServer): WorldRun {
    this.#host = host;
    const { fault, row } = this.#cell;
    // What is read again in silence leaves no line in the log.
    if (this.#before === 0 && hostOf(row.route) === "github") this.#begin();
    const onLine = (line: string) => {
      if (line.includes("ECONNREFUSED")) this.#end();
    };
    if (fault.way.type !== "connection" || !fault.way.isTls) return { onLine };
    const url = `https://localhost:${host.port}`;
    const env = { NODE_EXTRA_CA_CERTS: authorities };
    return hostOf(row.route) === "github"
      ? { onLine, env, apiUrl: url }
      : { onLine, env, inputs: { "base-url": url } };
  }

  /** Answers a request of a host: genuinely, or with the fault. */
  readonly #around =
    (host: Host) =>
    async (exchange: Exchange, genuine: Answer): Promise<void> => {
      const { row, fault, times } = this.#cell;
      const name = nameOf(host, exchange.request);
      const isDue = !this.#isOver && !(times === "once" && this.#hasAnswered);
      const isStruck = isDue && fault.way.type === "answer" && routePattern(row.route).test(name);
      const isRefused = isStruck && (isNotReceived(fault) || REFUSALS[fault.kind] !== undefined);
      if (STARTS.includes(name) && !isRefused) this.accepted += 1;
      if (!isStruck || fault.way.type !== "answer") return await genuine(exchange);
      this.#hasAnswered = true;
      await fault.way.send(exchange, {
        work: () => capture(genuine, exchange),
        other: this.#other.url,
        limit: row.limit ?? LIMITS[hostOf(row.route)],
      });
    };

  /** Ends the fault. */
  async heal(): Promise<void> {
    this.#isOver = true;
    if (this.#cell.fault.way.type === "refuse") await this.#host?.listenAgain();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  readonly #begin = (): void => {
    this.#timer = setTimeout(() => this.#end(), AWAY);
  };

  /** A host that refuses connections once is back after a while; for good, it does not come back. */
  #end(): void {
    clearTimeout(this.#timer);
    const { fault, times } = this.#cell;
    if (fault.way.type === "refuse" && times === "once") void this.#host?.listenAgain();
  }
}
