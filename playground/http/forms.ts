/** The forms of the pages, and what each does. */

import type { Context, Hono } from "hono";
import type { Acts } from "../site/acts.ts";
import { DEFAULT_PERSON } from "../site/people.ts";
import { Refused } from "../site/refused.ts";
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

/** Characters of a form; a comment of GitHub's greatest length fits, however it is encoded. */
const MAX_FORM = 1024 * 1024;
const NUMBER = ":number{\\d{1,9}}";

export function addForms(app: Hono, { world, acts, site }: Site): void {
  const form = (path: string, act: (fields: URLSearchParams, number: number) => Promise<Done>) => {
    app.post(`/${world.github.repository}${path}`, async (context) => {
      const text = await context.req.text();
      if (text.length > MAX_FORM) throw new Refused(413, "This is too long.");
      const done = await act(new URLSearchParams(text), Number(context.req.param("number")));
      acts.count += 1;
      if (wantsJson(context)) return context.json(done);
      // Without scripts, a browser goes back to the page of the form.
      return context.redirect(context.req.header("referer") ?? "/", 303);
    });
  };
  form("/changes", async (fields) => {
    await acts.mergeChange(fields.get("title") ?? "", fields.has("ignored"));
    const title = suggestedTitle((await site.pulls()).length);
    return { message: "The change is merged.", values: { title } };
  });
  form("/upkeep", async (fields) => {
    await acts.runUpkeep(fields.has("broken"));
    return { message: "Upkeep runs." };
  });
  form(`/issues/${NUMBER}/comments`, async (fields, number) => {
    const text = (fields.get("body") ?? "").replaceAll("\r\n", "\n");
    await acts.comment(number, fields.get("login") ?? DEFAULT_PERSON, text);
    return { message: "Your comment is on the issue." };
  });
  form(`/issues/${NUMBER}/tick`, async (fields, number) => {
    const isTicked = fields.get("ticked") === "true";
    await acts.tick(number, Number(fields.get("task")), isTicked, fields.get("seen") ?? "");
    return { message: isTicked ? "The box is ticked." : "The box is no longer ticked." };
  });
  form(`/pull/${NUMBER}/merge`, async (_, number) => {
    await acts.mergePull(number);
    return { message: "The pull request is merged." };
  });
}

/** Whether the browser's script asks, and not the browser itself. */
export function wantsJson({ req }: Context): boolean {
  return req.header("accept")?.includes("application/json") === true;
}
