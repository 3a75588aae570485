/**
 * Something that happens in a repository, by a person. Its payload is one of GitHub's published examples, with other
 * people, texts and repositories.
 */

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const DEFINITIONS: { name: string; examples: Payload[] }[] = require("@octokit/webhooks-examples");

/** A payload of GitHub's, of which the parts that workflows read are set. */
// biome-ignore lint/suspicious/noExplicitAny: the payloads of all events together have no type.
export type Payload = Record<string, any>;

/** Whom a run is of: of a pull request, its author. */
export const PEOPLE = [
  "a stranger",
  "a pull request from a fork",
  "a bot",
  "Dependabot",
  "the agent",
  "the project's own people",
  "GitHub itself",
] as const;
export type Person = (typeof PEOPLE)[number];

export interface Happening {
  event: string;
  action: string;
  /** As in the table. */
  title: string;
  by: Person;
  payload: Payload;
  /** What somebody wrote, if the event is about that. */
  text: string | null;
  hasSecrets: boolean;
  /** Files of the push or pull request. */
  files: string[];
  /** `github.ref` */
  ref: string;
}

export const REPOSITORY = "acme/app";
export const MAIN = "refs/heads/main";

interface Account {
  login: string;
  type: string;
  association: string;
}

export const ACCOUNTS: Record<Person, Account> = {
  "a stranger": { login: "stranger", type: "User", association: "NONE" },
  "a pull request from a fork": {
    login: "contributor",
    type: "User",
    association: "FIRST_TIME_CONTRIBUTOR",
  },
  "a bot": { login: "helper[bot]", type: "Bot", association: "NONE" },
  Dependabot: { login: "dependabot[bot]", type: "Bot", association: "CONTRIBUTOR" },
  "the agent": { login: "mintlify[bot]", type: "Bot", association: "CONTRIBUTOR" },
  "the project's own people": { login: "maintainer", type: "User", association: "MEMBER" },
  "GitHub itself": { login: "github", type: "Organization", association: "NONE" },
};
export const MAINTAINER = "the project's own people";
/** The files that each of them usually changes. */
const FILES: Partial<Record<Person, string[]>> = {
  Dependabot: ["package.json", "docs/package.json"],
  "a bot": ["package.json", "docs/package.json"],
  "the agent": ["docs/webhooks.mdx", "docs.json"],
};
export const CHANGED = [
  "src/webhooks.ts",
  "api/webhooks.yaml",
  "docs/webhooks.mdx",
  "docs/tasks.yml",
];
export const filesOf = (by: Person) => FILES[by] ?? CHANGED;

export const accountOf = (by: Person) => ({ login: ACCOUNTS[by].login, type: ACCOUNTS[by].type });
export const associationOf = (by: Person) => ACCOUNTS[by].association;

/** A published example of an event. @throws if there is none */
export function example(event: string, action: string): Payload {
  const { examples = [] } = DEFINITIONS.find(({ name }) => name === event) ?? {};
  const found = examples.find((one) => (one.action ?? "") === action) ?? examples[0];
  if (found === undefined) throw new Error(`GitHub publishes no example of ${event}`);
  const payload = structuredClone(found);
  payload.repository = { ...payload.repository, full_name: REPOSITORY, name: "app", fork: false };
  return payload;
}

interface About {
  event: string;
  action: string;
  title: string;
  by: Person;
}

export function happening(
  about: About,
  payload: Payload,
  more: Partial<Happening> = {},
): Happening {
  return { ...about, payload, text: null, hasSecrets: true, files: [], ref: MAIN, ...more };
}

/** Its pull request, as in the payloads of several events. */
export function pullOf(author: Person, merged: boolean): Payload {
  const repository = author === "a pull request from a fork" ? "contributor/app" : REPOSITORY;
  return {
    number: 7,
    merged,
    body: "",
    user: accountOf(author),
    author_association: associationOf(author),
    head: {
      ref: "topic",
      sha: "1".repeat(40),
      repo: { full_name: repository, fork: repository !== REPOSITORY },
    },
    base: { ref: "main", repo: { full_name: REPOSITORY } },
  };
}

/** Whether a run has secrets: not for a pull request from a fork, and not if Dependabot started it. */
export const hasSecrets = (author: Person, sender: Person) =>
  author !== "a pull request from a fork" && sender !== "Dependabot";
