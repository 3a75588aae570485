import { beforeEach } from "vitest";
import { isExhaustive, seed } from "./sample.ts";

/** Says with each failure how to run that test again, alone. */
beforeEach(({ onTestFailed, task }) => {
  onTestFailed(() => {
    const mode = isExhaustive ? "--mode exhaustive " : "";
    const project = task.file.projectName;
    const name = task.name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    console.error(
      `To run it again: TRUST_SEED=${seed} npx vitest run ${mode}--project ${project} -t ${JSON.stringify(name)}`,
    );
  });
});
