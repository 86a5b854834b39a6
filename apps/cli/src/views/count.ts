/** Formats a number with its noun: `1 token`, `1,200 tokens`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
