/** What a person does on GitHub with issues, files and workflows. */

import { HttpError } from "../../emulator/http/http-error.ts";
import { MAINTAINER } from "./people.ts";
import { type FileContent, PullActs, WAITING, WITHOUT_WAITING } from "./pull-acts.ts";
import { TASKS_FILE } from "./queue-tasks.ts";
import type { CommentRecord, IssueRecord } from "./records.ts";
import { bodyHash, withTasks } from "./tasks.ts";

/** The label with which an issue is a question to the assistant. */
const QUESTION = "question";

const MINUTE = 60_000;

export class Acts extends PullActs {
  /** Writes a comment. @param waits whether the run that answers it waits for the job @throws HttpError */
  async comment(number: number, login: string, body: string, waits: boolean): Promise<void> {
    if (body.trim() === "")
      throw new HttpError(422, "Write something first, such as: /docs explain…");
    const issue = await this.#issue(number);
    const path = `/issues/${number}/comments`;
    const comment = await this.send<CommentRecord>(login, "POST", path, { body });
    const told = { action: "created", issue, comment };
    await this.tell("issue_comment", login, told, waits ? WITHOUT_WAITING : WAITING);
  }

  /** Opens an issue, which may be a question to the assistant; returns its number. @throws HttpError */
  async openIssue(
    login: string,
    title: string,
    body: string,
    isQuestion: boolean,
  ): Promise<number> {
    if (title === "") throw new HttpError(422, "Give the issue a title.");
    const opened = await this.send<IssueRecord>(login, "POST", "/issues", { title, body });
    const { number } = opened;
    await this.tell("issues", login, { action: "opened", issue: opened });
    if (isQuestion) {
      await this.send(MAINTAINER, "POST", `/issues/${number}/labels`, { labels: [QUESTION] });
      const issue = await this.#issue(number);
      await this.tell("issues", MAINTAINER, {
        action: "labeled",
        issue,
        label: { name: QUESTION },
      });
    }
    return number;
  }

  /** Commits the queue's list of tasks. @param seen the {@link bodyHash} of what was there @throws HttpError */
  async setTasks(text: string, seen: string): Promise<void> {
    const path = `/contents/${TASKS_FILE}`;
    const old = await this.world.github.api<FileContent | undefined>(path, { allow: [404] });
    if (bodyHash(Buffer.from(old?.content ?? "", "base64").toString("utf8")) !== seen)
      throw new HttpError(409, "The file has changed meanwhile. Load the page again to see it.");
    const content = Buffer.from(text).toString("base64");
    const message = `Edit ${TASKS_FILE}`;
    await this.send(MAINTAINER, "PUT", path, { message, content, ...(old && { sha: old.sha }) });
    const head_commit = { message, modified: [TASKS_FILE] };
    await this.tell("push", MAINTAINER, { ref: "refs/heads/main", head_commit });
  }

  /**
   * Runs a workflow, as its *Run workflow* button on GitHub or its schedule does, some time after the last run.
   *
   * @param action that the workflow uses
   * @param minutes that pass on GitHub: one is less than a schedule's hour, and more than the time for which a
   *   job's record may be an old one
   * @param isBroken whether the service breaks off when it receives a request
   */
  async run(action: string, minutes: number, isBroken: boolean): Promise<void> {
    const { service, github } = this.world;
    github.emulated.site.advance(minutes * MINUTE);
    if (isBroken) {
      // A batch goes out as a new job, or as a message to the last one.
      await service.addFault({ route: "v2-create", status: 500 });
      await service.addFault({ route: "v2-message", status: 500 });
    }
    const { file: workflow, events } = this.runs.workflowOf(action) ?? {};
    const name = events && "workflow_dispatch" in events ? "workflow_dispatch" : "schedule";
    const end = this.dispatch(name, MAINTAINER, { inputs: null, workflow });
    if (isBroken) void end.finally(() => service.clearFaults().catch(() => {}));
  }

  /**
   * Ticks boxes in an issue's text, and unticks the others.
   *
   * @param ticked the places of the boxes among all
   * @param seen the {@link bodyHash} of the text that the person saw
   * @throws HttpError
   */
  async tick(number: number, ticked: readonly number[], seen: string): Promise<void> {
    const issue = await this.inTurn(() => this.#setTasks(number, ticked, seen));
    const changes = { body: { from: issue.from } };
    await this.tell("issues", MAINTAINER, { action: "edited", issue: issue.now, changes });
  }

  async #setTasks(number: number, ticked: readonly number[], seen: string) {
    const from = (await this.#issue(number)).body ?? "";
    const body = withTasks(from, ticked);
    if (bodyHash(from) !== seen) {
      throw new HttpError(
        409,
        "The text has changed meanwhile. Look again, and tick the box then.",
      );
    }
    const path = `/issues/${number}`;
    return { from, now: await this.send<IssueRecord>(MAINTAINER, "PATCH", path, { body }) };
  }

  #issue(number: number): Promise<IssueRecord> {
    return this.world.github.api(`/issues/${number}`);
  }
}
