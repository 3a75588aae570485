import type { RunContext } from "../github/trigger/run-context.ts";
import { quote } from "../text/sentence.ts";
import {
  type InputCheck,
  InputProblem,
  type ParseInput,
  type ReadInput,
  verbatim,
} from "./checks.ts";
import { readTextFile } from "./workspace.ts";

/** Maximum size of a prompt file, in bytes. */
const MAX_PROMPT = 8 * 1024 * 1024;

/** The name of the input, for messages about others. */
export const PROMPT_FILE = "prompt-file";

/**
 * The instruction, unchanged: from the workflow, or from a file.
 *
 * @param check for an action that cannot do without a prompt
 */
export function promptInputs(
  input: ParseInput,
  read: ReadInput,
  { workspace }: RunContext,
  check: InputCheck<string> = verbatim,
) {
  return {
    prompt: input("prompt", check),
    /** The file's text; null if there is no file. */
    promptFile: input(PROMPT_FILE, (text) => {
      const file = text.trim();
      if (file === "") return null;
      if (read("prompt").trim() !== "") {
        throw new InputProblem(
          `${quote(file)} is not allowed together with prompt: set only one of them.`,
        );
      }
      const content = readTextFile(workspace, file, MAX_PROMPT).text;
      if (content.trim() === "") {
        throw new InputProblem(`${quote(file)} is empty: it must contain an instruction.`);
      }
      return content;
    }),
  };
}

/** Whether the workflow names an instruction. */
export function hasPrompt(read: ReadInput): boolean {
  return read("prompt").trim() !== "" || read(PROMPT_FILE).trim() !== "";
}

/**
 * Appends a request by phrase to the prompt in the workflow, if there is one.
 *
 * @param request null for none; empty for the phrase by itself
 */
export function withRequest(prompt: string, request: string | null): string {
  if (request === null || request === "") return prompt;
  return prompt.trim() === "" ? request : `${prompt.trimEnd()}\n\n${request}`;
}
