/** The fields of GitHub's answers about refs and git objects that the action uses. */

import * as z from "zod/mini";

/** An object that was made. */
export const object = z.object({ sha: z.string() });
export const ref = z.object({ object });
export const refs = z.array(
  z.object({ ref: z.string(), object: z.extend(object, { type: z.optional(z.string()) }) }),
);
export const commitOfTree = z.object({ tree: object });
export const relation = z.object({ status: z.string() });
