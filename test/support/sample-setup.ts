import { beforeEach, type RunnerTask } from "vitest";
import { chanceOf, commandToRepeat, isSample } from "./sample.ts";

/**
 * Files of which a sample holds the first test, and one in four of the others. What is done in the
 * playground builds on what was done before.
 */
const SAMPLED = /^test\/(e2e\/(?!playground)|trust\/hostile\/)/;

beforeEach(({ onTestFailed, skip, task }) => {
  const isSampled = isSample && SAMPLED.test(task.file.name.replaceAll("\\", "/"));
  const isChosen = task === firstOf(task.file) || chanceOf(`sample ${task.name}`) < 1 / 4;
  skip(isSampled && !isChosen, "not in the sample");

  // Says with each failure how to run that test again, alone.
  onTestFailed(() => {
    const project = task.file.projectName ?? "";
    console.error(`To run it again: ${commandToRepeat(project, task.name)}`);
  });
});

/** The first test of a file or of a part of it. */
function firstOf(task: RunnerTask): RunnerTask {
  const [first] = task.type === "suite" ? task.tasks : [];
  return first === undefined ? task : firstOf(first);
}
