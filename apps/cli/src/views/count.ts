interface Counting {
  /** Default: the noun with an s. */
  readonly several?: string;
  /** A number above this one is formatted as `more than 1,000 tokens`. Default: no limit. */
  readonly max?: number;
}

/** Formats a number with its noun: `1 token`, `1,200 tokens`. */
export function counted(count: number, noun: string, { several = `${noun}s`, max }: Counting = {}): string {
  if (max !== undefined && count > max) return `more than ${counted(max, noun, { several })}`;
  return `${count.toLocaleString('en')} ${count === 1 ? noun : several}`;
}
