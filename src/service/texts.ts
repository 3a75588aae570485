import * as z from "zod/mini";
import { cut } from "../text/markdown.ts";

/** Longest texts of the service that are passed on, in characters: they end up in logs and comments. */
export const MAX_TEXT = 4_000;
const MAX_WORD = 200;
/** Of a message: more than that explains nothing. */
export const MAX_MESSAGE = 500;

/** A text of a record; whatever is missing or of another type is not told. */
export const text = z.catch(z.nullable(atMost(MAX_TEXT)), null);

/** A status. */
export const word = atMost(MAX_WORD);

function atMost(length: number) {
  return z.pipe(
    z.string(),
    z.transform((it: string) => cut(it, length)),
  );
}
