/** The forms of the pages, and what each does. */

import type { Context, Hono } from "hono";
import { HttpError } from "../../emulator/http/http-error.ts";
import { canBeRun } from "../actions/workflow.ts";
import type { Acts } from "../site/acts.ts";
import { DEFAULT_PERSON } from "../site/people.ts";
import { suggestedTitle } from "../views/lists.ts";
import type { Sources } from "../views/pages.ts";

export interface Site extends Sources {
  acts: Acts;
}

/** What a form has done. */
interface Done {
  /** For whoever hears the page. */
  message: string;
  /** The page to go on with; undefined: the form's own. */
  location?: string;
}

/** A field of a form; empty: it is not there. */
type Field = (name: string) => string;

/** The values of all fields of a name. */
type Fields = (name: string) => string[];

type Act = (field: Field, number: number, all: Fields) => Promise<Done>;
type AddForm = (path: string, act: Act) => void;

/** Characters of a form; a comment of GitHub's greatest length fits, however it is encoded. */
const MAX_FORM = 1024 * 1024;
const NUMBER = ":number{\\d{1,9}}";

export function addForms(app: Hono, { world, acts, runs, site }: Site): void {
  const to = `/${world.github.repository}`;
  const form: AddForm = (path, act) => {
    app.post(`${to}${path}`, async (context) => {
      const text = await context.req.text();
      if (text.length > MAX_FORM) throw new HttpError(413, "This is too long.");
      const fields = new URLSearchParams(text);
      const field = (name: string) => (fields.get(name) ?? "").replaceAll("\r\n", "\n");
      const all = (name: string) => fields.getAll(name);
      const done = await act(field, Number(context.req.param("number")), all);
      acts.count += 1;
      if (wantsJson(context)) return context.json(done);
      return context.redirect(done.location ?? formPage(context), 303);
    });
  };
  form("/changes", async (field) => {
    const [isIgnored, hasDocs] = [field("ignored") !== "", field("docs") !== ""];
    const isMerge = field("how") !== "open";
    const title = field("title").trim() || suggestedTitle((await site.pulls()).length);
    const number = await acts.change({ title, isIgnored, hasDocs }, isMerge);
    const message = `Pull request #${number} is ${isMerge ? "merged" : "open"}.`;
    return isMerge ? { message } : { message, location: `${to}/pull/${number}` };
  });
  form("/issues", async (field) => {
    const title = field("title").trim();
    const isQuestion = field("question") !== "";
    const number = await acts.openIssue(personOf(field), title, field("body"), isQuestion);
    return { message: "The issue is open.", location: `${to}/issues/${number}` };
  });
  form("/tasks", async (field) => {
    await acts.setTasks(field("text"), field("seen"));
    return { message: "The tasks are committed.", location: to };
  });
  for (const { action } of runs.workflows.filter(canBeRun)) {
    form(`/${action}`, async (field) => {
      await acts.run(action, Number(field("minutes")) || 1, field("broken") !== "");
      return { message: `The workflow of ${action} runs.` };
    });
  }
  form(`/issues/${NUMBER}/comments`, async (field, number) => {
    await acts.comment(number, personOf(field), field("body"), field("waits") !== "");
    return { message: "Your comment is on the issue." };
  });
  form(`/issues/${NUMBER}/tick`, async (field, number, all) => {
    await acts.tick(number, all("task").map(Number), field("seen"));
    return { message: "The boxes are saved." };
  });
  addPullForms(form, acts);
}

function personOf(field: Field): string {
  return field("login") || DEFAULT_PERSON;
}

function addPullForms(form: AddForm, acts: Acts): void {
  const placeOf = (field: Field) => ({ path: field("path"), line: Number(field("line")) || 1 });
  form(`/pull/${NUMBER}/gate`, async (field, number) => {
    const how = field("how");
    const isLabel = how === "set" || how === "remove";
    if (isLabel) await acts.label(number, field("label").trim(), how === "set");
    else await acts.tellPull(number, DEFAULT_PERSON, "synchronize");
    return { message: "The workflow of gate runs." };
  });
  form(`/pull/${NUMBER}/end`, async (field, number) => {
    const isMerge = field("how") === "merge";
    await acts.endPull(number, isMerge);
    return { message: `The pull request is ${isMerge ? "merged" : "closed"}.` };
  });
  form(`/pull/${NUMBER}/reviews`, async (field, number) => {
    const event = field("event") || "COMMENT";
    await acts.review(number, personOf(field), event, field("body"), placeOf(field));
    return { message: "Your review is on the pull request." };
  });
  form(`/pull/${NUMBER}/checks`, async (field, number) => {
    const conclusion = field("conclusion") || "success";
    await acts.check(number, field("name"), conclusion, field("body"), placeOf(field));
    return { message: "The check has reported." };
  });
  form(`/pull/${NUMBER}/commits`, async (field, number) => {
    await acts.pushTo(number, personOf(field), field("path"), field("to") === "base");
    return { message: "The commit is pushed." };
  });
}

/** The page that a form was on, for a browser without scripts. */
export function formPage({ req }: Context): string {
  const { origin } = new URL(req.url);
  const page = req.header("referer") ?? "";
  return page.startsWith(`${origin}/`) ? page.slice(origin.length) : "/";
}

/** Whether the browser's script asks, and not the browser itself. */
export function wantsJson({ req }: Context): boolean {
  return req.header("accept")?.includes("application/json") === true;
}
