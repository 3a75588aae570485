/** Asks each question once. @param keyOf tells the questions apart */
export function onceEach<G extends readonly unknown[], T>(
  read: (...given: G) => Promise<T>,
  keyOf: (...given: G) => string,
): (...given: G) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (...given) => {
    const key = keyOf(...given);
    const answer = asked.get(key) ?? read(...given);
    asked.set(key, answer);
    return answer;
  };
}
