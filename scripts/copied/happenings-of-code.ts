/** What happens to code: pull requests, pushes, releases, and the runs of workflows for them. */

import {
  ACCOUNTS,
  accountOf,
  example,
  filesOf,
  type Happening,
  happening,
  hasSecrets,
  MAIN,
  MAINTAINER,
  type Payload,
  type Person,
  pullOf,
  REPOSITORY,
} from "./happening.ts";

const AUTHORS = [
  "a pull request from a fork",
  "a bot",
  "Dependabot",
  "the agent",
  MAINTAINER,
] as const;

export function pulls(): Happening[] {
  const own = ["opened", "edited", "reopened", "synchronize", "ready_for_review"];
  const kinds: [action: string, title: string, isOwn: boolean][] = [
    ...own.map((action): [string, string, boolean] => [
      action,
      `pull request ${action.replaceAll("_", " ")}`,
      true,
    ]),
    ["labeled", "pull request labeled", false],
    ["unlabeled", "pull request unlabeled", false],
    ["closed", "pull request closed", true],
    ["closed", "pull request merged", false],
    // With `@dependabot merge`, for example.
    ["closed", "pull request merged by its author", true],
  ];
  return kinds.flatMap(([action, title, isOwn]) =>
    AUTHORS.map((by) => {
      const sender = isOwn ? by : MAINTAINER;
      const payload = example("pull_request", action);
      payload.number = 7;
      payload.pull_request = pullOf(by, title.includes("merged"));
      payload.sender = accountOf(sender);
      return happening({ event: "pull_request", action, title, by }, payload, {
        hasSecrets: hasSecrets(by, sender),
        files: filesOf(by),
        ref: "refs/pull/7/merge",
      });
    }),
  );
}

/** Pushes to the default branch: by a person, and what merges of pull requests push. */
export function pushes(): Happening[] {
  const authors = ["a bot", "Dependabot", "the agent", MAINTAINER] as const;
  return authors.flatMap((by) => {
    // Renovate, of the bots that open pull requests.
    const username = by === "a bot" ? "renovate[bot]" : ACCOUNTS[by].login;
    const squashed = { message: "Update (#7)", author: { username } };
    const merge = {
      message: `Merge pull request #7 from acme/${username.replace("[bot]", "")}/topic`,
      author: { username: ACCOUNTS[MAINTAINER].login },
    };
    const senders: [string, Payload, Person][] =
      by === MAINTAINER
        ? [["push", squashed, by]]
        : [
            ["its pull request squashed", squashed, MAINTAINER],
            ["its pull request merged with a merge commit", merge, MAINTAINER],
            ["its pull request squashed, by itself", squashed, by],
          ];
    return senders.map(([title, head_commit, sender]) =>
      happening(
        { event: "push", action: "", title, by },
        {
          ...example("push", ""),
          ref: MAIN,
          head_commit,
          commits: [head_commit],
          sender: accountOf(sender),
        },
        { files: filesOf(by), hasSecrets: sender !== "Dependabot" },
      ),
    );
  });
}

export function releases(): Happening[] {
  const kinds: [action: string, isPrerelease: boolean][] = [
    ["published", false],
    ["released", false],
    ["published", true],
    ["prereleased", true],
  ];
  return kinds.map(([action, prerelease]) => {
    const payload = example("release", action);
    Object.assign(payload.release, { prerelease, tag_name: "v1.2.0" });
    payload.sender = accountOf(MAINTAINER);
    const title = prerelease ? "prerelease" : "release";
    return happening({ event: "release", action, title, by: MAINTAINER }, payload, {
      ref: "refs/tags/v1.2.0",
    });
  });
}

/** Ends of runs of another workflow. @param names of the workflows whose ends start something */
export function ends(names: string[]): Happening[] {
  const kinds: [Person, head: string, actor: Person, event: string, conclusion: string][] = [
    ["a stranger", REPOSITORY, "a stranger", "issue_comment", "skipped"],
    // Its comment held the phrase.
    ["a stranger", REPOSITORY, "a stranger", "issue_comment", "success"],
    ["a bot", REPOSITORY, "a bot", "issue_comment", "skipped"],
    [
      "a pull request from a fork",
      "contributor/app",
      "a pull request from a fork",
      "pull_request",
      "success",
    ],
    [
      "a pull request from a fork",
      "contributor/app",
      "a stranger",
      "pull_request_review",
      "skipped",
    ],
    ["Dependabot", REPOSITORY, "Dependabot", "pull_request", "failure"],
    [MAINTAINER, REPOSITORY, MAINTAINER, "issue_comment", "success"],
    [MAINTAINER, REPOSITORY, MAINTAINER, "pull_request", "success"],
  ];
  return names.flatMap((name) =>
    kinds.map(([by, full_name, actor, event, conclusion]) => {
      const payload = example("workflow_run", "completed");
      Object.assign(payload.workflow_run, {
        name,
        event,
        conclusion,
        head_repository: { full_name, fork: full_name !== REPOSITORY },
        actor: accountOf(actor),
        triggering_actor: accountOf(actor),
      });
      payload.sender = accountOf(actor);
      const started = event.replaceAll("_", " ").replace("issue ", "");
      const title = `${conclusion === "skipped" ? "skipped" : "ended"} run of *${name}* for a ${started}`;
      return happening({ event: "workflow_run", action: "completed", title, by }, payload);
    }),
  );
}
