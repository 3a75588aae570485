import { quote } from "../text/sentence.ts";
import type { ReadInput } from "./checks.ts";
import { readPromptFile } from "./workspace.ts";

/** The unchanged prompt; null if there is none, or if there are problems. */
interface PromptInput {
  text: string | null;
  problems: string[];
}

/**
 * Reads the instruction from `prompt` or `prompt-file`; empty if neither is set.
 *
 * @param workspace the folder that must contain `prompt-file`
 */
export function readInstruction(
  read: ReadInput,
  workspace: string,
): { text: string; problems: string[] } {
  const prompt = read("prompt");
  const file = read("prompt-file").trim();
  if (file === "") return { text: prompt, problems: [] };
  const wrong = (what: string) => ({ text: "", problems: [`prompt-file: ${quote(file)} ${what}`] });
  if (prompt.trim() !== "") {
    return wrong("is not allowed together with prompt: set only one of them.");
  }
  const content = readPromptFile(workspace, file);
  return "text" in content ? { text: content.text, problems: [] } : wrong(content.problem);
}

/**
 * Reads the instruction, and appends the request. If there is a job to continue, both may be missing.
 *
 * @param request the request by phrase; empty for none
 * @param jobId as in `job-id`
 */
export function readPrompt(
  read: ReadInput,
  workspace: string,
  request: string,
  jobId: string,
): PromptInput {
  const { text, problems } = readInstruction(read, workspace);
  if (problems.length > 0) return { text: null, problems };
  const whole = withRequest(text, request);
  if (whole.trim() !== "") return { text: whole, problems: [] };
  if (text === "" && jobId !== "") return { text: null, problems: [] };
  const problem = `prompt: ${quote(text)} is not allowed: it must contain an instruction, unless prompt-file or job-id is set.`;
  return { text: null, problems: [problem] };
}

/** Appends a request by phrase to the prompt in the workflow, if there is one. */
export function withRequest(prompt: string, request: string): string {
  if (request === "") return prompt;
  return prompt.trim() === "" ? request : `${prompt.trimEnd()}\n\n${request}`;
}
