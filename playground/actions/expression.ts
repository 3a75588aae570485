/** Expressions of workflows, evaluated by GitHub's own library. */

import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

/** The contexts that expressions can use: `github`, `secrets`, `vars`, `inputs`. */
export type Contexts = Record<string, unknown>;

/** A text with each `${{ … }}` in it replaced by its value. */
export function expand(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{([\s\S]*?)\}\}/g, (_, expression: string) =>
    evaluate(expression, contexts).coerceString(),
  );
}

/**
 * Whether a condition holds; `${{ }}` around it may be left out.
 *
 * @param results of functions such as `cancelled`, by their names
 */
export function isTrue(
  condition: string,
  contexts: Contexts,
  results: Readonly<Record<string, boolean>> = {},
): boolean {
  const [, inner] = /^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(condition) ?? [];
  const value = evaluate(inner ?? condition, contexts, results);
  if (value instanceof data.BooleanData) return value.value;
  if (value instanceof data.NumberData) return value.value !== 0;
  if (value instanceof data.Null) return false;
  return value.coerceString() !== "";
}

function evaluate(
  expression: string,
  contexts: Contexts,
  results: Readonly<Record<string, boolean>> = {},
): data.ExpressionData {
  const functions = Object.entries(results).map(([name, result]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(result),
  }));
  const { tokens } = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
  const known = new Map(functions.map((one) => [one.name, one]));
  return new Evaluator(tree, asDictionary(contexts), known).evaluate();
}

function asDictionary(values: object): data.Dictionary {
  const pairs = Object.entries(values).map(([key, value]) => ({ key, value: asData(value) }));
  return new data.Dictionary(...pairs);
}

function asData(value: unknown): data.ExpressionData {
  if (Array.isArray(value)) return new data.Array(...value.map(asData));
  if (typeof value === "string") return new data.StringData(value);
  if (typeof value === "number") return new data.NumberData(value);
  if (typeof value === "boolean") return new data.BooleanData(value);
  return value === null || value === undefined ? new data.Null() : asDictionary(value);
}
