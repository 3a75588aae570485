import { type App, BODY } from "../http/app.ts";
import { MAX_BODY } from "./limits.ts";

/** Refuses longer bodies of issues, pull requests and comments, as GitHub does. */
export function bodyLimit(app: App): void {
  app.use((call, next) => {
    const isText = /^\/repos\/[^/]+\/[^/]+\/(issues|pulls)(\/|$)/.test(call.req.path);
    if (!isText || lengthOf(call.get(BODY) ?? "") <= MAX_BODY) return next();
    const message = `body is too long (maximum is ${MAX_BODY} characters)`;
    const errors = [{ resource: "Issue", code: "custom", field: "body", message }];
    return Promise.resolve(call.json({ message: "Validation Failed", errors }, 422));
  });
}

/** Characters of the field `body`; 0 where there is none. */
function lengthOf(request: string): number {
  if (request.length <= MAX_BODY) return 0;
  try {
    return String((JSON.parse(request) as { body?: unknown }).body ?? "").length;
  } catch {
    return 0;
  }
}
