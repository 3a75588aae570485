import { type CapturedAnswer, capture } from "../../support/captured-answer.ts";
import type { Answer, Exchange } from "../../support/faulty-server.ts";
import { type Host, type HostOptions, nameOf } from "../../support/world/servers.ts";

/** What happens to the request at which a run is stopped. */
export type Moment =
  /** It is handled, and its answer is sent shortly after the signal. */
  | "answered after"
  /** It is handled, but never answered. */
  | "never answered"
  /** The signal is sent right after its answer. */
  | "just answered";

/** Time from the signal to a late answer, in milliseconds. The run still has time to read it. */
const LATE = 200;

/** Records every request of a run, and signals when the run has to be stopped at one of them. */
export class RequestWatcher {
  /** All requests so far, in the short form and with `#n`, where n counts the requests to this route. */
  readonly steps: string[] = [];
  readonly #at: string;
  readonly #moment: Moment;
  readonly #reached = Promise.withResolvers<true>();

  /** @param at the step to stop at, or an empty string */
  constructor(at = "", moment: Moment = "just answered") {
    this.#at = at;
    this.#moment = moment;
  }

  /** Resolves when the run has to be stopped. */
  get reached(): Promise<true> {
    return this.#reached.promise;
  }

  /** The options of both servers. */
  get servers(): HostOptions {
    return {
      github: { around: this.#around("github") },
      service: { around: this.#around("service") },
    };
  }

  readonly #around =
    (host: Host) =>
    async (exchange: Exchange, answer: Answer): Promise<void> => {
      const kind = nameOf(host, exchange.request);
      const step = `${kind} #${this.steps.filter((earlier) => earlier.startsWith(`${kind} #`)).length + 1}`;
      this.steps.push(step);
      if (step !== this.#at) return await answer(exchange);

      const captured = await capture(answer, exchange);
      if (this.#moment === "just answered") {
        exchange.response.once("finish", () => this.#reached.resolve(true));
        send(captured, exchange);
        return;
      }
      this.#reached.resolve(true);
      if (this.#moment === "never answered") return;
      setTimeout(() => send(captured, exchange), LATE);
    };
}

function send({ status, headers, body }: CapturedAnswer, { response }: Exchange): void {
  response.writeHead(status, { ...headers, "content-length": body.length });
  response.end(body);
}
