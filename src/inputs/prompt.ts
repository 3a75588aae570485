import { quote, type ReadInput } from "./checks.ts";
import { readPromptFile } from "./workspace-file.ts";

/** A prompt as it was given, byte for byte; null when there is none, or when something is wrong. */
export interface PromptInput {
  text: string | null;
  problems: string[];
}

/**
 * The instruction from `prompt` or `prompt-file`, and what was asked for by phrase after it. With a
 * `job-id` there need be none.
 *
 * @param workspace the folder that `prompt-file` must lie in
 * @param request empty when nothing was asked for by phrase
 */
export function readPrompt(read: ReadInput, workspace: string, request: string): PromptInput {
  const prompt = read("prompt");
  const file = read("prompt-file").trim();
  if (file !== "") {
    if (prompt !== "") {
      return wrong(
        `prompt-file: ${quote(file)} is not allowed together with prompt: set only one of them.`,
      );
    }
    const content = readPromptFile(workspace, file);
    if ("text" in content) return { text: withRequest(content.text, request), problems: [] };
    return wrong(`prompt-file: ${quote(file)} ${content.problem}`);
  }
  const whole = withRequest(prompt, request);
  if (whole.trim() !== "") return { text: whole, problems: [] };
  if (prompt === "" && read("job-id").trim() !== "") return { text: null, problems: [] };
  return wrong(
    `prompt: ${quote(prompt)} is not allowed: it must contain an instruction, unless prompt-file or job-id is set.`,
  );
}

function wrong(problem: string): PromptInput {
  return { text: null, problems: [problem] };
}

/** A request made by phrase comes after what the workflow says, or alone. */
export function withRequest(prompt: string, request: string): string {
  if (request === "") return prompt;
  return prompt.trim() === "" ? request : `${prompt.trimEnd()}\n\n${request}`;
}
