import type { Connect } from "../github/api/connect.ts";
import { reasonOf, type Sent } from "../github/api/explain.ts";
import { mapSent, unsentAfter } from "../github/api/sent.ts";
import { type Comment, IssueComments } from "../github/conversation/comments.ts";
import type { Place } from "../github/conversation/markers.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { shortHash } from "../text/short-hash.ts";
import { LatestWrite } from "./latest-write.ts";

const STARTED = /^<!-- docs-agent-deploy:\S+ -->\n<!-- started:(\d+) -->\n/;

/** The one comment about previews on a pull request, which all runs keep up to date. */
export class PreviewComment {
  readonly #options: ConstructorParameters<typeof PreviewComment>[0];
  readonly #mark: string;
  readonly #text: LatestWrite<string>;
  #url: string | null = null;

  constructor(
    options: Pick<Dependencies, "log" | "cancellation"> & {
      connect: Connect;
      /** The pull request. */
      place: Place;
      /** Each project has a comment of its own. */
      projectId: string;
      /** When the run began, in milliseconds since 1970: the comment shows the newest one. */
      startedAt: number;
    },
  ) {
    this.#options = options;
    this.#mark = `docs-agent-deploy:${shortHash(options.projectId)}`;
    const { log, cancellation } = options;
    this.#text = new LatestWrite({
      write: (text) => this.#write(text),
      stop: cancellation.stop,
      onRefused: (sent) =>
        log.warning(
          `The comment could not be written: ${reasonOf(sent)}. The build is not affected.`,
        ),
      pause: null,
    });
  }

  /** Address of the comment; null if there is none yet. */
  get url(): string | null {
    return this.#url;
  }

  /** Writes a text, unless there is a newer one by then. */
  update(text: string): void {
    this.#text.set(text);
  }

  /** Writes the last text. @throws a mistake of the action */
  async finish(text: string): Promise<"written" | "refused" | "later"> {
    return await this.#text.finish(text);
  }

  async #write(text: string): Promise<Sent<unknown>> {
    const { connect, place, startedAt } = this.#options;
    const comments = new IssueComments(connect, place);
    // A comment whose creation was not answered is found here.
    const read = await comments.own(`<!-- ${this.#mark} -->`);
    if (read.type !== "known") return unsentAfter(read);
    const own = read.value;
    const newer = own.find((comment) => this.#isOfLaterRun(comment));
    const body = `<!-- started:${startedAt} -->\n${text}`;
    const sent: Sent<string | null> =
      newer === undefined
        ? await comments.keep(this.#mark, body, own)
        : { type: "accepted", value: newer.url };
    return mapSent(sent, (url) => {
      this.#url = url;
    });
  }

  #isOfLaterRun({ body }: Comment): boolean {
    const [, started = "0"] = STARTED.exec(body) ?? [];
    return Number(started) > this.#options.startedAt;
  }
}
