/** The forms of the pages: reads them, does what they ask for, and answers the script or the browser. */

import type { Context, Hono } from "hono";
import { HttpError } from "../../emulator/http/http-error.ts";
import { canBeRun } from "../actions/workflow.ts";
import type { Act, Acts } from "../site/acts.ts";
import { ISSUE_ACTS, runWorkflow } from "../site/issue-acts.ts";
import { DEFAULT_PERSON } from "../site/people.ts";
import { PULL_ACTS } from "../site/pull-acts.ts";
import type { Sources } from "../views/pages.ts";

export interface Site extends Sources {
  acts: Acts;
}

/** Maximum length of a form. GitHub's longest comment fits in every encoding. */
const MAX_FORM = 1024 * 1024;

export function addForms(app: Hono, { world, acts, runs }: Site): void {
  const addForm = (path: string, act: Act) =>
    app.post(`/:owner/:name${path.replace(":number", ":number{\\d{1,9}}")}`, async (context) => {
      const { owner, name } = context.req.param();
      if (!world.github.isHome(`${owner}/${name}`)) return context.notFound();
      const text = await context.req.text();
      if (text.length > MAX_FORM) throw new HttpError(413, "This is too long.");
      const fields = new URLSearchParams(text);
      const field = (name: string) => (fields.get(name) ?? "").replaceAll("\r\n", "\n");
      const { message, to } = await act(acts, {
        number: Number(context.req.param("number") ?? 0),
        login: field("login") || DEFAULT_PERSON,
        field,
        all: (name) => fields.getAll(name),
      });
      acts.count += 1;
      const location = to === undefined ? undefined : `/${world.github.repository}${to}`;
      if (wantsJson(context)) return context.json({ message, location });
      return context.redirect(location ?? formPage(context), 303);
    });
  for (const [path, act] of Object.entries({ ...ISSUE_ACTS, ...PULL_ACTS })) addForm(path, act);
  for (const [action, workflow] of runs.workflows) {
    if (!canBeRun(workflow)) continue;
    addForm(`/${action}`, (_, form) => runWorkflow(acts, action, form));
  }
}

/** The page that a form was on, for a browser without scripts. */
export function formPage({ req }: Context): string {
  const { origin } = new URL(req.url);
  const page = req.header("referer") ?? "";
  return page.startsWith(`${origin}/`) ? page.slice(origin.length) : "/";
}

/** Whether the page's script sent the request, not the browser itself. */
export function wantsJson({ req }: Context): boolean {
  return req.header("accept")?.includes("application/json") === true;
}
