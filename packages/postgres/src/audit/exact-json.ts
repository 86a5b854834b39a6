/** So many digits, and no fewer, may be more than a number of JavaScript has. */
const LONG = /[\d.]{16}/;

/**
 * Parses the text of a `jsonb`. A number that JavaScript cannot represent exactly becomes its text, so that it is not taken for the
 * number nearest to it.
 */
export function parseExactly(text: string): unknown {
  if (!LONG.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && !isExact(value, context.source)
      ? `number ${context.source}`
      : value,
  );
}

/** Whether the number has the value that the text says, which never has an exponent. */
function isExact(value: number, text: string): boolean {
  return plain(value) === trimmed(text);
}

/** The shortest text that is read as this number, without an exponent. */
function plain(value: number): string {
  const [, sign = '', digits = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const point = digits.length + Number(exponent);
  const all = (digits + fraction).padEnd(point, '0');
  const before = point > 0 ? all.slice(0, point) : '0';
  const after = point > 0 ? all.slice(point) : '0'.repeat(-point) + all;
  return trimmed(`${sign}${before}${after && `.${after}`}`);
}

/** Without zeros that say nothing. */
function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
