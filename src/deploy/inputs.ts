import type { RunContext } from "../github/trigger/run-context.ts";
import {
  flag,
  type InputCheck,
  InputProblem,
  isGitRef,
  optional,
  parseInputs,
  type ReadInput,
  trimmed,
  trimmedText,
} from "../inputs/checks.ts";
import {
  type GitHubAccess,
  githubAccess,
  type ProjectInputs,
  pollPace,
  project,
  timeLimit,
} from "../inputs/shared.ts";
import type { BuildTarget } from "../job/build.ts";
import type { PollPace } from "../job/poll.ts";
import { safeLink } from "../text/link.ts";

/** The inputs of deploy. Durations are in milliseconds. */
export interface DeployInputs extends ProjectInputs, GitHubAccess {
  target: BuildTarget;
  /** The environment of the deployment on GitHub; null for no deployment there. */
  environment: string | null;
  /** What the deployment on GitHub links to; null for the preview's address, if there is one. */
  url: string | null;
  comment: boolean;
  wait: boolean;
  timeout: number;
  pace: PollPace;
}

const BRANCH = optional(trimmedText("the name of a Git branch", isGitRef));

/** What GitHub accepts as the name of an environment. */
const ENVIRONMENT = /^[^'"`,;\\\p{Cc}]{1,255}$/u;

const LINK: InputCheck<string | null> = optional(
  trimmed(
    "an https: URL of at most 2,000 characters, without user name and password",
    (text) => safeLink(text) ?? undefined,
  ),
);

/** @throws ActionError `invalid-input` with every invalid input */
export function parseDeployInputs(read: ReadInput, context: RunContext): DeployInputs {
  const isPreview = read("branch").trim() !== "";
  const { branch, environment, ...inputs } = parseInputs(read, (input) => ({
    ...project(input),
    branch: input("branch", BRANCH),
    environment: input(
      "environment",
      trimmedText(
        "none, or a name of at most 255 characters without quotes, commas, semicolons and backslashes",
        (text) => text === "" || ENVIRONMENT.test(text),
      ),
    ),
    url: input("url", LINK),
    comment: input("comment", isPreview ? flag("false") : commentWithoutPreview),
    wait: input("wait", flag("true")),
    timeout: timeLimit(input, "15"),
    pace: pollPace(input),
    ...githubAccess(input, context),
  }));
  const usual = branch === null ? "docs" : "docs-preview";
  return {
    ...inputs,
    target: branch === null ? { type: "deployment" } : { type: "preview", branch },
    environment: environment === "none" ? null : environment || usual,
  };
}

function commentWithoutPreview(text: string): boolean {
  if (!flag("false")(text)) return false;
  throw new InputProblem(
    "true is allowed only together with `branch`: the comment shows the preview of a branch.",
  );
}
