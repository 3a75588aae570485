import { type CapturedAnswer, capture } from "../../support/captured-answer.ts";
import type { Answer, Exchange } from "../../support/faulty-server.ts";

/** What becomes of the request at which a run is stopped. */
export type Moment =
  /** Its work is done, and its answer comes a moment after the signal. */
  | "answered after"
  /** Its work is done, and no answer ever comes. */
  | "never answered"
  /** The signal comes as soon as it has been answered. */
  | "just answered";

/** How long after the signal a late answer comes, in milliseconds: well within what a run has left. */
const LATE = 200;

/** Watches every request of a run, and stops the run at one of them. */
export class RequestWatcher {
  /** `METHOD /path`, and which of its kind it was: every request that arrived. */
  readonly steps: string[] = [];
  readonly #at: string;
  readonly #moment: Moment;
  readonly #reached = Promise.withResolvers<true>();

  /** @param at the step to stop at; empty for none */
  constructor(at = "", moment: Moment = "just answered") {
    this.#at = at;
    this.#moment = moment;
  }

  /** Resolves when the run is to be stopped. */
  get reached(): Promise<true> {
    return this.#reached.promise;
  }

  /** For the option of a server. */
  readonly around = async (exchange: Exchange, answer: Answer): Promise<void> => {
    const { method, path } = exchange.request;
    const kind = `${method} ${path.split("?")[0]}`;
    const step = `${kind} #${this.steps.filter((it) => it.startsWith(`${kind} #`)).length + 1}`;
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
