/** Reactions to issues, pull requests and their comments, which GitHub's emulator lacks. */

import type { App, Call } from "../http.ts";
import { BODY } from "../record.ts";
import type { GitHubFront } from "./index.ts";

export interface Reaction {
  id: number;
  /** Path of what was reacted to, for example `/repos/acme/docs/issues/1`. */
  subject: string;
  login: string;
  content: string;
}

const CONTENTS = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"];

const SUBJECTS = [
  "/repos/:owner/:repo/issues/:number",
  "/repos/:owner/:repo/issues/comments/:id",
  "/repos/:owner/:repo/pulls/comments/:id",
];

export function reactions(app: App, front: GitHubFront): void {
  for (const path of SUBJECTS) {
    app.get(`${path}/reactions`, async (call) => {
      const subject = subjectOf(call);
      return (await refusal(call, subject, front)) ?? call.json(on(front, subject).map(asJson));
    });

    app.post(`${path}/reactions`, async (call) => {
      const subject = subjectOf(call);
      const refused = await refusal(call, subject, front);
      if (refused !== undefined) return refused;
      const login = front.loginOf(call);
      if (login === undefined) return call.json({ message: "Requires authentication" }, 401);
      const content = contentOf(call);
      if (content === undefined) return call.json({ message: "Validation Failed" }, 422);
      const same = on(front, subject).find((one) => one.login === login && one.content === content);
      if (same !== undefined) return call.json(asJson(same), 200);
      const reaction = { id: front.state.reactions.length + 1, subject, login, content };
      front.state.reactions.push(reaction);
      return call.json(asJson(reaction), 201);
    });
  }
}

function on({ state }: GitHubFront, subject: string): Reaction[] {
  return state.reactions.filter((reaction) => reaction.subject === subject);
}

function subjectOf(call: Call): string {
  return call.req.path.replace(/\/reactions$/, "");
}

/** What GitHub says of the subject itself, when that is not "here it is". */
async function refusal(
  call: Call,
  subject: string,
  front: GitHubFront,
): Promise<Response | undefined> {
  const found = await front.forward(call, { method: "GET", path: subject, body: null });
  return found.ok ? undefined : found;
}

function contentOf(call: Call): string | undefined {
  try {
    const { content } = JSON.parse(String(call.get(BODY))) as { content?: string };
    return content !== undefined && CONTENTS.includes(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function asJson({ id, login, content }: Reaction) {
  return { id, content, user: { login, type: login.endsWith("[bot]") ? "Bot" : "User" } };
}
