import { afterAll, afterEach } from "vitest";
import { observer } from "../../emulator/github/github.ts";
import { problemWith } from "./github-answers.ts";

/** Problems of the answers since the last check. */
let problems: string[] = [];

observer.onAnswer = (seen) => {
  const problem = problemWith(seen);
  if (problem !== "") problems.push(problem);
};

function failOnProblems(): void {
  const distinct = [...new Set(problems)];
  problems = [];
  if (distinct.length > 0) throw new Error(distinct.slice(0, 5).join("\n"));
}

afterEach(failOnProblems);
// Answers outside of a test.
afterAll(failOnProblems);
