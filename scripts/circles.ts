// Fails if files import each other in a circle, tests aside.
import { circlesOf } from "./code/circles.ts";
import { projectFiles, readSources } from "./code/source-file.ts";

const files = projectFiles().filter((file) => !/^test\/|\.test\.ts$/.test(file));
for (const circle of circlesOf(readSources(files))) {
  console.error(`These files import each other in a circle: ${circle.join(", ")}`);
  process.exitCode = 1;
}
