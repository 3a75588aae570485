import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

type Data = ReturnType<Evaluator["evaluate"]>;

function asData(value: unknown): Data {
  if (Array.isArray(value)) return new data.Array(...value.map(asData));
  if (typeof value === "string") return new data.StringData(value);
  if (typeof value === "number") return new data.NumberData(value);
  if (typeof value === "boolean") return new data.BooleanData(value);
  if (value === null || value === undefined) return new data.Null();
  const pairs = Object.entries(value).map(([key, it]) => ({ key, value: asData(it) }));
  return new data.Dictionary(...pairs);
}

/**
 * A text with expressions, as GitHub reads it.
 *
 * @param contexts what the expressions can refer to, such as `github` and `inputs`
 */
export function evaluated(text: string, contexts: Record<string, unknown>): string {
  return text.replace(/\$\{\{([\s\S]*?)\}\}/g, (_, expression: string) => {
    const { tokens } = new Lexer(expression).lex();
    const tree = new Parser(tokens, Object.keys(contexts), []).parse();
    return new Evaluator(tree, asData(contexts) as data.Dictionary).evaluate().coerceString();
  });
}
