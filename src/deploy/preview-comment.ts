import type { Connect } from "../github/api/connect.ts";
import { refusalOf } from "../github/api/refusal.ts";
import {
  COMMENT_PERMISSION,
  type Comment,
  IssueComments,
} from "../github/conversation/comments.ts";
import type { Place } from "../github/conversation/markers.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { shortHash } from "../text/short-hash.ts";

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
  #writes: Promise<void> = Promise.resolve();
  #wanted = "";
  #written = "";
  #isRefused = false;
  #mistake: { readonly error: unknown } | null = null;
  /** Address of the comment; null if there is none yet. */
  url: string | null = null;

  constructor(options: PreviewCommentOptions) {
    this.#options = options;
    this.#mark = `docs-agent-deploy:${shortHash(options.projectId)}`;
  }

  /** Writes a text, unless there is a newer one by then. The next one tries again what failed in passing. */
  update(text: string): void {
    this.#wanted = text;
    this.#writes = this.#writes.then(() => this.#perform(text, false));
  }

  /** Writes the last text. @returns false if it may be written later @throws a mistake of the action */
  async finish(text: string): Promise<boolean> {
    this.#wanted = text;
    await this.#writes;
    await this.#perform(text, true);
    if (this.#mistake !== null) throw this.#mistake.error;
    return this.#isRefused || this.#written === text;
  }

  async #perform(text: string, isLast: boolean): Promise<void> {
    if (this.#isRefused || this.#wanted !== text) return;
    const { log, cancellation } = this.#options;
    try {
      const refusal = await refusalOf(() => this.#write(text), COMMENT_PERMISSION);
      if (refusal === null) return;
      this.#isRefused = !refusal.isPassing && !cancellation.stop.aborted;
      if (!isLast && !this.#isRefused) return;
      log.warning(
        `The comment could not be written: ${refusal.reason}. The build is not affected.`,
      );
    } catch (error) {
      this.#mistake ??= { error };
      this.#isRefused = true;
    }
  }

  async #write(text: string): Promise<void> {
    const { connect, place, startedAt } = this.#options;
    const comments = new IssueComments(connect, place);
    // A comment whose creation was not answered is found here.
    const own = await comments.own(`<!-- ${this.#mark} -->`);
    const newer = own.find((comment) => this.#isOfLaterRun(comment));
    const body = `<!-- started:${startedAt} -->\n${text}`;
    this.url = newer?.url ?? (await comments.keep(this.#mark, body, { comments: own }));
    this.#written = text;
  }

  #isOfLaterRun({ body }: Comment): boolean {
    const [, started = "0"] = STARTED.exec(body) ?? [];
    return Number(started) > this.#options.startedAt;
  }
}
