/** Beliefs about issues, comments and people. */

import type { Belief } from "./beliefs.ts";
import { inWords } from "./github-api.ts";
import type { Scene } from "./scene.ts";

const BODY =
  "<!-- docs-agent trial -->\nA comment of the trial.\n\n- with `code`, *stars* & <b>tags</b>";

interface Comment {
  id: number;
  body: string;
}

async function comment(scene: Scene): Promise<Comment> {
  return await scene.github.need<Comment>(`POST /issues/${scene.issue.number}/comments`, {
    body: BODY,
  });
}

export const CONVERSATION_BELIEFS: readonly Belief[] = [
  {
    habit: "A bot has no role in the repository",
    believed: ["404", "none"],
    ask: async ({ github }) => {
      const route = "GET /collaborators/github-actions[bot]/permission";
      const { status, body } = await github.call<{ permission?: string }>(route);
      return status === 200 ? String(body.permission) : String(status);
    },
  },
  {
    habit: "A comment's text is kept as it was sent",
    believed: ["as it was sent"],
    ask: async (scene) => {
      const { id } = await comment(scene);
      const { body } = await scene.github.need<Comment>(`GET /issues/comments/${id}`);
      return body === BODY ? "as it was sent" : JSON.stringify(body);
    },
  },
  {
    habit: "A list of comments right after one was written has it, or lags",
    believed: ["with it", "without it"],
    ask: async (scene) => {
      const { id } = await comment(scene);
      const route = `GET /issues/${scene.issue.number}/comments?per_page=100`;
      const comments = await scene.github.need<Comment[]>(route);
      return comments.some((listed) => listed.id === id) ? "with it" : "without it";
    },
  },
  {
    habit: "A reaction that exists is answered with it",
    believed: ["201, then 200"],
    ask: async (scene) => {
      const { id } = await comment(scene);
      const route = `POST /issues/comments/${id}/reactions`;
      const first = await scene.github.call(route, { content: "eyes" });
      const second = await scene.github.call(route, { content: "eyes" });
      return `${first.status}, then ${second.status}`;
    },
  },
  {
    habit: "A comment that was deleted is not edited",
    believed: ["204, then 404 Not Found"],
    ask: async (scene) => {
      const { id } = await comment(scene);
      const deleted = await scene.github.call(`DELETE /issues/comments/${id}`);
      const edited = await scene.github.call(`PATCH /issues/comments/${id}`, { body: "Late." });
      return `${deleted.status}, then ${inWords(edited.status, edited.body)}`;
    },
  },
  {
    habit: "A label that does not exist is made with the issue",
    believed: ["201 with the label"],
    ask: async (scene) => {
      const fields = { title: `Label of ${scene.name}`, body: "", labels: [scene.name] };
      const { status, body } = await scene.github.call<LabelledIssue>("POST /issues", fields);
      if (status >= 300) return inWords(status, body);
      scene.later(() => scene.close(body.number));
      const has = body.labels.some(({ name }) => name === scene.name);
      return `${status} ${has ? "with" : "without"} the label`;
    },
  },
  {
    habit: "Issues with a label are listed, or the list lags",
    believed: ["1", "0"],
    ask: async (scene) => {
      const route = `GET /issues?state=all&labels=${scene.name}`;
      return String((await scene.github.need<unknown[]>(route)).length);
    },
  },
  {
    habit: "The version of the API that was asked for is answered",
    believed: ["2022-11-28"],
    ask: async ({ github }) => {
      const { headers } = await github.call("GET ");
      return headers.get("x-github-api-version-selected") ?? "no version";
    },
  },
];

interface LabelledIssue {
  number: number;
  labels: { name: string }[];
}
