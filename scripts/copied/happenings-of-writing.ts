/** What people write: comments, issues, reviews. */

import {
  accountOf,
  associationOf,
  CHANGED,
  example,
  type Happening,
  happening,
  hasSecrets,
  MAINTAINER,
  type Person,
  pullOf,
} from "./happening.ts";

const COMMENTERS = ["a stranger", "a bot", "Dependabot", "the agent", MAINTAINER] as const;

/** What somebody can write, as in the table. */
const TEXTS: [title: string, text: string][] = [
  ["", "Thanks! See the path of docs."],
  [" `/docs …`", "/docs Explain webhooks."],
  [" `/ask …`", "/ask How do I rotate a key?"],
  [" `docs: none, …`", "docs: none, only the tests change"],
];

export function comments(): Happening[] {
  return TEXTS.flatMap(([title, text]) =>
    ["an issue", "a pull request"].flatMap((place) =>
      COMMENTERS.map((by) => {
        const payload = example("issue_comment", "created");
        Object.assign(payload.issue, { number: 7, user: accountOf(MAINTAINER), labels: [] });
        delete payload.issue.pull_request;
        if (place !== "an issue") payload.issue.pull_request = { url: "https://example.com" };
        payload.comment = {
          body: text,
          user: accountOf(by),
          author_association: associationOf(by),
        };
        payload.sender = accountOf(by);
        const about = { event: "issue_comment", action: "created", by };
        return happening({ ...about, title: `comment${title} on ${place}` }, payload, { text });
      }),
    ),
  );
}

interface IssueEvent {
  action: string;
  title: string;
  author: Person;
  sender: Person;
  labels: string[];
  text: string;
}

function issue({ action, title, author, sender, labels, text }: IssueEvent): Happening {
  const payload = example("issues", action);
  Object.assign(payload.issue, {
    number: 7,
    body: text,
    user: accountOf(author),
    author_association: associationOf(author),
    labels: labels.map((name) => ({ name })),
  });
  payload.label = action === "labeled" ? { name: labels[0] } : undefined;
  payload.sender = accountOf(sender);
  return happening({ event: "issues", action, title, by: sender }, payload, {
    // A label asks for something by itself.
    text: action === "opened" ? text : null,
  });
}

export function issues(): Happening[] {
  const writers = ["a stranger", "a bot", MAINTAINER] as const;
  const opened = TEXTS.flatMap(([title, text]) =>
    writers.map((by) =>
      issue({
        action: "opened",
        title: `new issue${title}`,
        author: by,
        sender: by,
        labels: [],
        text,
      }),
    ),
  );
  const stranger = { author: "a stranger", labels: ["question"], text: "How?" } as const;
  const dashboard = {
    author: "a bot",
    labels: ["docs-upkeep", "docs-queue"],
    text: "- [x] again",
  } as const;
  const rest: [string, Omit<IssueEvent, "action" | "title">][] = [
    [
      "labeled: label `question`, by a form",
      { ...stranger, labels: [...stranger.labels], sender: "a stranger" },
    ],
    ["labeled: label `question`", { ...stranger, labels: [...stranger.labels], sender: "a bot" }],
    [
      "labeled: label `question`",
      { ...stranger, labels: [...stranger.labels], sender: MAINTAINER },
    ],
    ["edited: own issue edited", { ...stranger, labels: [], sender: "a stranger" }],
    ["edited: dashboard edited", { ...dashboard, labels: [...dashboard.labels], sender: "a bot" }],
    [
      "edited: dashboard edited",
      { ...dashboard, labels: [...dashboard.labels], sender: MAINTAINER },
    ],
  ];
  const others = rest.map(([name, about]) => {
    const [action = "", title = ""] = name.split(": ");
    return issue({ action, title, ...about });
  });
  return [...opened, ...others];
}

/** Reviews of a pull request of the project's own people, and of one from a fork. */
export function reviews(): Happening[] {
  const authors = [MAINTAINER, "a pull request from a fork"] as const;
  const states: [state: string, title: string][] = [
    ["commented", "review that comments"],
    ["approved", "review that approves"],
  ];
  return authors.flatMap((author) =>
    (["a stranger", "a bot", MAINTAINER] as const).flatMap((by) => {
      const place = author === MAINTAINER ? "" : ", on a pull request from a fork";
      const more = { hasSecrets: hasSecrets(author, by), files: CHANGED, ref: "refs/pull/7/merge" };
      const written = { user: accountOf(by), author_association: associationOf(by) };
      const base = { pull_request: pullOf(author, false), sender: accountOf(by) };
      const submitted = states.flatMap(([state, title]) =>
        TEXTS.slice(0, state === "commented" ? 2 : 1).map(([name, text]) =>
          happening(
            {
              event: "pull_request_review",
              action: "submitted",
              title: `${title}${name}${place}`,
              by,
            },
            {
              ...example("pull_request_review", "submitted"),
              ...base,
              review: { ...written, body: text, state },
            },
            // An approval says something by itself.
            { ...more, text: state === "commented" ? text : null },
          ),
        ),
      );
      const remarks = TEXTS.slice(0, 2).map(([name, text]) =>
        happening(
          {
            event: "pull_request_review_comment",
            action: "created",
            title: `comment${name} on a line${place}`,
            by,
          },
          {
            ...example("pull_request_review_comment", "created"),
            ...base,
            comment: { ...written, body: text },
          },
          { ...more, text },
        ),
      );
      return [...submitted, ...remarks];
    }),
  );
}
