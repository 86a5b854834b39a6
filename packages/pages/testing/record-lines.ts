/** A log that keeps its lines as JSON for tests to read. */
export function recordLines() {
  const lines: string[] = [];
  const write = (level: string) => (facts: object, msg: string) =>
    void lines.push(JSON.stringify({ level, msg, ...facts }, (_, value) => withText(value)));
  return {
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    lines,
    entries: (): readonly Readonly<Record<string, unknown>>[] => lines.map((line) => JSON.parse(line)),
  };
}

const withText = (value: unknown) => (value instanceof Error ? String(value.stack) : value);
