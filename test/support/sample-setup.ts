import { beforeEach } from "vitest";
import { chanceOf, isExhaustive, seed } from "./sample.ts";

/** Files whose tests take longest: a sample holds one in two of them. */
const HALVED = /^test\/(e2e\/(upkeep|queue)|trust\/hostile\/)/;

beforeEach(({ onTestFailed, skip, task }) => {
  const isHalved = !isExhaustive && HALVED.test(task.file.name.replaceAll("\\", "/"));
  skip(isHalved && chanceOf(`half ${task.name}`) < 0.5, "not in the sample");

  // Says with each failure how to run that test again, alone.
  onTestFailed(() => {
    const mode = isExhaustive ? "--mode exhaustive " : "";
    const project = task.file.projectName;
    const name = task.name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    console.error(
      `To run it again: TRUST_SEED=${seed} npx vitest run ${mode}--project ${project} -t ${JSON.stringify(name)}`,
    );
  });
});
