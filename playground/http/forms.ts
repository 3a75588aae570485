/** The forms of the pages by their paths, and what each does. */

import type { Acts } from "../site/acts.ts";
import { DEFAULT_PERSON } from "../site/people.ts";
import type { SiteReader } from "../site/reader.ts";
import { suggestedTitle } from "../views/repository.ts";

/** What a form has done. */
export interface Done {
  /** For whoever hears the page. */
  message: string;
  /** New values of the form's fields. */
  values?: Record<string, string>;
}

type Form = (fields: URLSearchParams) => Promise<Done>;

/** The form that a path belongs to; undefined: there is none. */
export function formAt(
  path: string,
  { repository, acts, site }: { repository: string; acts: Acts; site: SiteReader },
): Form | undefined {
  if (!path.startsWith(`/${repository}/`)) return undefined;
  const rest = path.slice(repository.length + 1);
  const [, kind = "", id = "", verb = ""] = /^\/(issues|pull)\/(\d{1,9})\/(\w+)$/.exec(rest) ?? [];
  const number = Number(id);
  const forms: Record<string, Form> = {
    "/changes": async (fields) => {
      await acts.mergeChange(fields.get("title") ?? "", fields.has("ignored"));
      const title = suggestedTitle((await site.pulls()).length);
      return { message: "The change is merged.", values: { title } };
    },
    "/upkeep": async (fields) => {
      await acts.runUpkeep(fields.has("broken"));
      return { message: "Upkeep runs." };
    },
    [`/issues/${number}/comments`]: async (fields) => {
      const text = (fields.get("body") ?? "").replaceAll("\r\n", "\n");
      await acts.comment(number, fields.get("login") ?? DEFAULT_PERSON, text);
      return { message: "Your comment is on the issue." };
    },
    [`/issues/${number}/tick`]: async (fields) => {
      const isTicked = fields.get("ticked") === "true";
      await acts.tick(number, Number(fields.get("task")), isTicked, fields.get("seen") ?? "");
      return { message: isTicked ? "The box is ticked." : "The box is no longer ticked." };
    },
    [`/pull/${number}/merge`]: async () => {
      await acts.mergePull(number);
      return { message: "The pull request is merged." };
    },
  };
  const found = verb === "" ? rest : `/${kind}/${number}/${verb}`;
  return Object.hasOwn(forms, found) ? forms[found] : undefined;
}
