/** Reactions to issues, pull requests and their comments, which GitHub's own emulator lacks. */

import { type App, BODY, type Call } from "../http/app.ts";
import { pullPath } from "./issues.ts";
import type { GitHubProxy, Reaction } from "./proxy.ts";

const CONTENTS = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"];

const SUBJECTS = [
  "/repos/:owner/:repo/issues/:number",
  "/repos/:owner/:repo/issues/comments/:id",
  "/repos/:owner/:repo/pulls/comments/:id",
];

export function reactions(app: App, proxy: GitHubProxy): void {
  for (const path of SUBJECTS) {
    app.get(`${path}/reactions`, async (call) => {
      const subject = subjectOf(call);
      return (await refusal(call, subject, proxy)) ?? call.json(on(proxy, subject).map(asJson));
    });

    app.post(`${path}/reactions`, async (call) => {
      const subject = subjectOf(call);
      const refused = await refusal(call, subject, proxy);
      if (refused !== undefined) return refused;
      const login = proxy.loginOf(call);
      if (login === undefined) return call.json({ message: "Requires authentication" }, 401);
      const content = contentOf(call);
      if (content === undefined) return call.json({ message: "Validation Failed" }, 422);
      const { reaction, isNew } = add(proxy, { subject, login, content });
      return call.json(asJson(reaction), isNew ? 201 : 200);
    });
  }

  // A review takes reactions by GraphQL alone, and nothing else is asked for by it.
  app.post("/graphql", (call) => {
    const login = proxy.loginOf(call);
    if (login === undefined) return call.json({ message: "Requires authentication" }, 401);
    const { query, variables } = JSON.parse(String(call.get(BODY))) as GraphQlRequest;
    const content = variables?.content?.toLowerCase() ?? "";
    if (!query.includes("addReaction") || !CONTENTS.includes(content)) {
      const errors = [{ message: "The emulated GitHub knows only the mutation addReaction" }];
      return call.json({ data: null, errors });
    }
    add(proxy, { subject: variables?.id ?? "", login, content });
    return call.json({ data: { addReaction: { clientMutationId: null } } });
  });
}

interface GraphQlRequest {
  query: string;
  variables?: { id?: string; content?: string };
}

/** Adds a reaction, unless the account has reacted so before. */
function add(proxy: GitHubProxy, reaction: Omit<Reaction, "id">) {
  const { subject, login, content } = reaction;
  const same = on(proxy, subject).find((one) => one.login === login && one.content === content);
  if (same !== undefined) return { reaction: same, isNew: false };
  const added = { id: proxy.state.reactions.length + 1, ...reaction };
  proxy.state.reactions.push(added);
  return { reaction: added, isNew: true };
}

function on({ state }: GitHubProxy, subject: string): Reaction[] {
  return state.reactions.filter((reaction) => reaction.subject === subject);
}

function subjectOf(call: Call): string {
  return call.req.path.replace(/\/reactions$/, "");
}

/** GitHub's refusal of the subject itself; undefined: it is there. */
async function refusal(
  call: Call,
  subject: string,
  proxy: GitHubProxy,
): Promise<Response | undefined> {
  const found = await proxy.forward(call, { method: "GET", path: subject, body: null });
  if (found.ok) return undefined;
  // A pull request is an issue too, which GitHub's own emulator does not know.
  const isPull = (await proxy.read(call, pullPath(subject))) !== undefined;
  return isPull ? undefined : found;
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
