/** The forms of the pages, and what each does. */

import type { Context, Hono } from "hono";
import { HttpError } from "../../emulator/http/http-error.ts";
import type { Acts } from "../site/acts.ts";
import { DEFAULT_PERSON } from "../site/people.ts";
import type { Sources } from "../views/pages.ts";
import { suggestedTitle } from "../views/repository.ts";

export interface Site extends Sources {
  acts: Acts;
}

/** What a form has done. */
interface Done {
  /** For whoever hears the page. */
  message: string;
  /** New values of the form's fields. */
  values?: Record<string, string>;
}

/** A field of a form; empty: it is not there. */
type Field = (name: string) => string;

type AddForm = (path: string, act: (field: Field, number: number) => Promise<Done>) => void;

/** Characters of a form; a comment of GitHub's greatest length fits, however it is encoded. */
const MAX_FORM = 1024 * 1024;
const NUMBER = ":number{\\d{1,9}}";

export function addForms(app: Hono, { world, acts, site }: Site): void {
  const form: AddForm = (path, act) => {
    app.post(`/${world.github.repository}${path}`, async (context) => {
      const text = await context.req.text();
      if (text.length > MAX_FORM) throw new HttpError(413, "This is too long.");
      const fields = new URLSearchParams(text);
      const field = (name: string) => (fields.get(name) ?? "").replaceAll("\r\n", "\n");
      const done = await act(field, Number(context.req.param("number")));
      acts.count += 1;
      if (wantsJson(context)) return context.json(done);
      // Without scripts, a browser goes back to the page of the form.
      return context.redirect(context.req.header("referer") ?? "/", 303);
    });
  };
  form("/changes", async (field) => {
    const [isIgnored, hasDocs] = [field("ignored") !== "", field("docs") !== ""];
    const isMerge = field("how") !== "open";
    const change = { title: field("title").trim(), isIgnored, hasDocs };
    const number = await acts.change(change, isMerge);
    const title = suggestedTitle((await site.pulls()).length);
    const message = `Pull request #${number} is ${isMerge ? "merged" : "open"}.`;
    return { message, values: { title } };
  });
  for (const action of ["upkeep", "land"]) {
    form(`/${action}`, async (field) => {
      await acts.run(action, Number(field("minutes")) || 1, field("broken") !== "");
      return { message: `The workflow of ${action} runs.` };
    });
  }
  form(`/issues/${NUMBER}/comments`, async (field, number) => {
    await acts.comment(number, personOf(field), field("body"));
    return { message: "Your comment is on the issue." };
  });
  form(`/issues/${NUMBER}/tick`, async (field, number) => {
    const isTicked = field("ticked") === "true";
    await acts.tick(number, Number(field("task")), isTicked, field("seen"));
    return { message: isTicked ? "The box is ticked." : "The box is no longer ticked." };
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

/** Whether the browser's script asks, and not the browser itself. */
export function wantsJson({ req }: Context): boolean {
  return req.header("accept")?.includes("application/json") === true;
}
