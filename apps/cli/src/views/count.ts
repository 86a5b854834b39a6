/** Formats a number with its noun: `1 token`, `1,200 tokens`. */
export function counted(count: number, noun: string, several = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : several}`;
}
