// Runs a command of this project with the Node that the project needs, whatever Node npm runs on. Plain
// JavaScript, which an older Node can read.
//
//   node scripts/with-node.mjs vitest run     a command and its arguments
//   node scripts/with-node.mjs 'tsc && x'     a line for the shell
//   node scripts/with-node.mjs --path         prints folders to put first in PATH
//
// Several optional packages declare the command `node`: then npm 10 leaves out `node_modules/.bin/node`, so
// Node is looked for in the package of this machine.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MIN_NODE = 24;

const isWindows = process.platform === "win32";
const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
const isRecent = Number(process.versions.node.split(".")[0]) >= MIN_NODE;
const node = isRecent ? process.execPath : packagedNode();
const [command = "", ...args] = process.argv.slice(2);

if (!existsSync(node)) {
  console.log(
    `This is Node ${process.versions.node}, but Node ${MIN_NODE} is needed. On Linux and Windows, 'npm ci' installs it for this folder. On macOS, install it first.`,
  );
  process.exitCode = 1;
} else if (command === "--path") {
  console.log(folders().join(delimiter));
} else {
  run();
}

function packagedNode() {
  const name = `node-${isWindows ? "win" : process.platform}-${process.arch}`;
  return join(modules, name, "bin", isWindows ? "node.exe" : "node");
}

function folders() {
  return [dirname(node), join(modules, ".bin")];
}

function run() {
  const name =
    Object.keys(process.env).find((variable) => variable.toUpperCase() === "PATH") ?? "PATH";
  const path = [...folders(), process.env[name]].join(delimiter);
  const child = spawn(command, args, {
    stdio: "inherit",
    // Only a shell of Windows finds the commands of node_modules/.bin.
    shell: isWindows || args.length === 0,
    env: { ...process.env, [name]: path },
  });
  // The terminal sends Ctrl+C to both: this process waits for the command's end.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", ({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
