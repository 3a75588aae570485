/**
 * Reads what a step wrote to GITHUB_OUTPUT, GITHUB_STATE or GITHUB_ENV, by the runner's rules:
 * `name=value` on one line, or `name<<DELIMITER`, lines, `DELIMITER`. The last value of a name wins.
 *
 * @throws when the runner would refuse the file, which fails the step there as well.
 */
export function parseCommandFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line === "") continue;
    const equals = line.indexOf("=");
    const heredoc = line.indexOf("<<");
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      values[line.slice(0, equals)] = line.slice(equals + 1);
      continue;
    }
    if (heredoc < 0) throw new Error(`Invalid format '${line}'`);
    const name = line.slice(0, heredoc);
    const delimiter = line.slice(heredoc + 2);
    if (name === "" || delimiter === "") {
      throw new Error(`Invalid format '${line}'. Name and delimiter must not be empty`);
    }
    const end = lines.indexOf(delimiter, index + 1);
    if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
    values[name] = lines.slice(index + 1, end).join("\n");
    index = end;
  }
  return values;
}
