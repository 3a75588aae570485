import { beforeEach, type RunnerTask } from "vitest";
import { chanceOf, commandToRepeat, isSample } from "./sample.ts";

/**
 * Files of which a sample contains the first test in every third one, and one in 24 of the others. The tests of
 * the playground depend on the ones before them, so they always run.
 */
const SAMPLED = /^test\/(e2e\/(?!playground)|emulator\/start|trust\/hostile\/)/;

beforeEach(({ onTestFailed, skip, task }) => {
  const isSampled = isSample && SAMPLED.test(task.file.name.replaceAll("\\", "/"));
  const share = task === firstOf(task.file) ? 1 / 3 : 1 / 24;
  const isChosen = chanceOf(`sample ${task.file.name} ${task.name}`) < share;
  skip(isSampled && !isChosen, "not in the sample");

  // Each failure is printed with the command that runs the test again.
  onTestFailed(() => {
    const project = task.file.projectName ?? "";
    console.error(`To run it again: ${commandToRepeat(project, task.name)}`);
  });
});

/** The first test of a file or a suite. */
function firstOf(task: RunnerTask): RunnerTask {
  const [first] = task.type === "suite" ? task.tasks : [];
  return first === undefined ? task : firstOf(first);
}
