import { afterAll, afterEach } from "vitest";
import { observer } from "../../emulator/github/github.ts";
import { problemWith } from "./github-answers.ts";

/** What was wrong with answers that a test has seen. */
let wrong: string[] = [];

observer.onAnswer = (seen) => {
  const problem = problemWith(seen);
  if (problem !== "") wrong.push(problem);
};

function failIfWrong(): void {
  const found = [...new Set(wrong)];
  wrong = [];
  if (found.length > 0) throw new Error(found.slice(0, 5).join("\n"));
}

afterEach(failIfWrong);
// What was seen outside of a test.
afterAll(failIfWrong);
