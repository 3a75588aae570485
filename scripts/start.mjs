// `npm start`. Plain JavaScript, so that an older Node can say what is missing: it cannot read start.ts.

const MIN_NODE = 24;

if (Number(process.versions.node.split(".")[0]) < MIN_NODE) {
  console.log(
    `npm start failed: this is Node ${process.versions.node}, but Node ${MIN_NODE} is needed.`,
  );
  console.log(
    "On Linux and Windows, 'npm ci' installs it for this folder. On macOS, install it first.",
  );
  process.exitCode = 1;
} else {
  await import("./start.ts");
}
