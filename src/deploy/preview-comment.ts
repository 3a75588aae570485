import type { Connect } from "../github/api/connect.ts";
import { madeBy, refusalOf, valueIn } from "../github/api/refusal.ts";
import {
  COMMENT_PERMISSION,
  type Comment,
  IssueComments,
} from "../github/conversation/comments.ts";
import type { Place } from "../github/conversation/markers.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { shortHash } from "../text/short-hash.ts";
import { LatestWrite, type WriteEnd } from "./latest-write.ts";

interface PreviewCommentOptions extends Pick<Dependencies, "log" | "cancellation"> {
  connect: Connect;
  /** The pull request. */
  place: Place;
  /** Each project has a comment of its own. */
  projectId: string;
  /** When the run began, in milliseconds since 1970: the comment shows the newest one. */
  startedAt: number;
}

const STARTED = /^<!-- docs-agent-deploy:\S+ -->\n<!-- started:(\d+) -->\n/;

/** The one comment about previews on a pull request, which all runs keep up to date. */
export class PreviewComment {
  readonly #options: PreviewCommentOptions;
  readonly #mark: string;
  readonly #text: LatestWrite<string>;
  #url: string | null = null;

  constructor(options: PreviewCommentOptions) {
    this.#options = options;
    this.#mark = `docs-agent-deploy:${shortHash(options.projectId)}`;
    const { log, cancellation } = options;
    this.#text = new LatestWrite({
      write: (text) => refusalOf(() => this.#write(text), COMMENT_PERMISSION),
      stop: cancellation.stop,
      onRefused: ({ reason }) =>
        log.warning(`The comment could not be written: ${reason}. The build is not affected.`),
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
  async finish(text: string): Promise<WriteEnd> {
    return await this.#text.finish(text);
  }

  async #write(text: string): Promise<void> {
    const { connect, place, startedAt } = this.#options;
    const comments = new IssueComments(connect, place);
    // A comment whose creation was not answered is found here.
    const own = valueIn(await comments.own(`<!-- ${this.#mark} -->`)) ?? [];
    const newer = own.find((comment) => this.#isOfLaterRun(comment));
    const body = `<!-- started:${startedAt} -->\n${text}`;
    this.#url = newer?.url ?? madeBy(await comments.keep(this.#mark, body, own));
  }

  #isOfLaterRun({ body }: Comment): boolean {
    const [, started = "0"] = STARTED.exec(body) ?? [];
    return Number(started) > this.#options.startedAt;
  }
}
