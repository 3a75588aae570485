import type { Clock } from "../runtime/clock.ts";
import { ActionError } from "../runtime/errors.ts";
import { cut } from "../text/markdown.ts";
import { type Agent, type CallOptions, isId, type Job, type Reply, unknownJob } from "./agent.ts";
import { isPassing, ServiceError } from "./errors.ts";
import { readSessionFrom, sessionIn } from "./named-session.ts";
import type { Session } from "./session.ts";
import { createdAt, readAllPages, readPageOf } from "./session-list.ts";
import { SessionReader } from "./session-reader.ts";
import { followStream } from "./session-stream.ts";
import { MAX_MESSAGE } from "./texts.ts";
import type { StreamReply, Transport } from "./transport.ts";
import type { V1Choices } from "./v1-choices.ts";

/** How long a session that did not tell its id is given to end its stream, in milliseconds. */
const STREAM_LIMIT = 60_000;
/** How long the list is then asked for it, and the delays in between, in milliseconds. */
const LIST_LIMIT = 30_000;
const LIST_DELAY = 1_000;
const LIST_DELAY_MAX = 8_000;
/** How far the clocks may be apart by which a session's age is judged, in milliseconds. */
const CLOCK_SKEW = 30_000;

export interface AgentV1Options {
  transport: Transport;
  projectId: string;
  choices: V1Choices;
  clock: Clock;
  /** Aborted at the end of the run: stops the streams that are still read. */
  over: AbortSignal;
  /** Shows what the agent streams, and what becomes of the stream. */
  show: (text: string) => void;
}

/** Version 1 of the agent interface, deprecated: `/v1/agent/{projectId}/job`. */
export class AgentV1 implements Agent {
  readonly version = "v1";
  readonly #options: AgentV1Options;
  readonly #job: readonly string[];
  readonly #reader: SessionReader;
  /** Branches of the sessions that were created here: a record may not tell its own. */
  readonly #branches = new Map<string, string>();

  constructor(options: AgentV1Options) {
    this.#options = options;
    this.#job = ["v1", "agent", options.projectId, "job"];
    this.#reader = new SessionReader(options.transport, options.projectId);
  }

  /** Returns as soon as the session's id is known; its stream goes on being shown until the run is over. */
  async create(prompt: string, options: CallOptions = {}): Promise<Reply> {
    const { transport, choices, clock, over } = this.#options;
    const { branch, asDraft, model, messages } = choices;
    const request = {
      branch,
      messages: [...messages, { role: "user", content: prompt }],
      ...(asDraft === null ? {} : { asDraft }),
      ...(model === null ? {} : { model }),
    };
    const since = clock.timeOfDay();
    const signal = AbortSignal.any([over, ...(options.signal ? [options.signal] : [])]);
    const opened = await transport.stream(this.#job, request, { ...options, signal });
    const answeredAt = clock.timeOfDay();
    refuseWebPage(opened);

    const named = cut(opened.headers["x-branch-name"]?.trim() || branch, MAX_MESSAGE);
    const { "x-session-id": id, date } = opened.headers;
    if (isId(id)) {
      void this.#follow(opened);
      return { job: this.#begun(id, named), retryAfter: undefined };
    }

    const half = (options.limit ?? Number.POSITIVE_INFINITY) / 2;
    const told = await this.#atMost(Math.min(STREAM_LIMIT, half), this.#sessionIn(opened), signal);
    // By the service's own clock, where it tells the time.
    const began = (Date.parse(date ?? "") || answeredAt) - (answeredAt - since) - CLOCK_SKEW;
    const { sessionId, branch: worksOn } =
      told ?? (await this.#find(named, began, Math.min(LIST_LIMIT, half), signal));
    return { job: this.#begun(sessionId, worksOn ?? named), retryAfter: undefined };
  }

  async message(): Promise<never> {
    throw new ActionError(
      "invalid-input",
      "Version 1 of the agent API cannot send messages to existing jobs.",
      "Set `api-version` to `v2`.",
    );
  }

  async get(id: string, options?: CallOptions): Promise<Reply> {
    const { job, retryAfter } = await this.#reader.get(id, options);
    return { job: { ...job, ref: job.ref ?? this.#branches.get(id) ?? null }, retryAfter };
  }

  #begun(id: string, ref: string): Job {
    this.#branches.set(id, ref);
    return { ...unknownJob(id), status: "active", ref };
  }

  #follow({ headers, text }: StreamReply, onFirst?: (line: string) => void): Promise<void> {
    const { over, show } = this.#options;
    const isEventStream = typeOf(headers) === "text/event-stream";
    return followStream({ text, isEventStream, over, show, onFirst });
  }

  /**
   * The session that the answer itself names: in JSON, or in JSON on the first line of its stream. What
   * comes later in a stream are the agent's words, which name nothing.
   *
   * @returns undefined, once the answer is over, when it names none
   */
  #sessionIn(opened: StreamReply): Promise<Session | undefined> {
    if (typeOf(opened.headers) === "application/json") {
      return readSessionFrom(opened.text);
    }
    const { promise, resolve } = Promise.withResolvers<Session | undefined>();
    const onFirst = (line: string) => {
      const session = sessionIn(line);
      if (session !== undefined) resolve(session);
    };
    void this.#follow(opened, onFirst).then(() => resolve(undefined));
    return promise;
  }

  /** Waits for a promise, and no longer than so many milliseconds: undefined then. */
  async #atMost<T>(
    limit: number,
    awaited: Promise<T>,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const done = new AbortController();
    const asleep = this.#options.clock
      .sleep(limit, AbortSignal.any([signal, done.signal]))
      .then(() => undefined);
    const first = await Promise.race([awaited, asleep]);
    done.abort();
    return first;
  }

  /**
   * The session that works on a branch and is not older than the request. One that is not sure to be the
   * right one is not taken: nobody should be told of somebody else's job.
   *
   * @param began milliseconds since 1970
   * @param limit milliseconds to go on asking for it
   */
  async #find(branch: string, began: number, limit: number, signal: AbortSignal): Promise<Session> {
    const { clock } = this.#options;
    const end = clock.now() + limit;
    for (let delay = LIST_DELAY; ; delay = Math.min(2 * delay, LIST_DELAY_MAX)) {
      const isIt = (it: Session) =>
        it.branch === branch && (createdAt(it) === 0 || createdAt(it) >= began);
      const seen = await this.#searchList(isIt, { limit: Math.max(1, end - clock.now()), signal });
      if ("session" in seen) return seen.session;
      if (seen.isFinal || clock.now() + delay >= end) {
        throw new ServiceError(
          { type: "unreadable" },
          `The service's response does not contain the job's ID (X-Session-Id), and ${seen.why}`,
        );
      }
      await clock.sleep(delay, signal);
    }
  }

  async #searchList(
    isIt: (session: Session) => boolean,
    options: CallOptions,
  ): Promise<{ session: Session } | { why: string; isFinal: boolean }> {
    const { transport, projectId } = this.#options;
    try {
      const { sessions } = await readAllPages((skip, take) =>
        readPageOf(transport, projectId, { skip, take }, options),
      );
      const [session, another] = sessions.filter(isIt);
      if (session === undefined) {
        return { why: "the project's list of jobs has no new job on the branch", isFinal: false };
      }
      if (another === undefined) return { session };
      return {
        why: "the project's list of jobs has several new jobs on the branch",
        isFinal: true,
      };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // The request to start a job is what was stopped, and it was received.
      if (options.signal?.aborted) {
        throw new ServiceError({ type: "stopped", sent: true }, error.message);
      }
      return { why: error.message, isFinal: !isPassing(error) };
    }
  }
}

/** A web page is no answer of the agent. */
function refuseWebPage({ headers }: StreamReply): void {
  if (isId(headers["x-session-id"]) || typeOf(headers) !== "text/html") return;
  throw new ServiceError(
    { type: "unreadable" },
    "The service returned a web page instead of a job's stream",
  );
}

function typeOf(headers: Record<string, string>): string {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
