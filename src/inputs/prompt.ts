import { quote } from "../text/sentence.ts";
import type { ReadInput } from "./checks.ts";
import { readPromptFile } from "./workspace.ts";

/** A prompt as it was given, byte for byte; null when there is none, or when something is wrong. */
interface PromptInput {
  text: string | null;
  problems: string[];
}

/**
 * The instruction from `prompt` or `prompt-file`; empty when neither is given.
 *
 * @param workspace the folder that `prompt-file` must lie in
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
 * The instruction, and what was asked for by phrase after it. With a job to go on with there need be none.
 *
 * @param request empty when nothing was asked for by phrase
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

/** A request made by phrase comes after what the workflow says, or alone. */
export function withRequest(prompt: string, request: string): string {
  if (request === "") return prompt;
  return prompt.trim() === "" ? request : `${prompt.trimEnd()}\n\n${request}`;
}
