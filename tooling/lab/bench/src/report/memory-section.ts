import type { Memory } from '../parts/memory.ts';
import { place } from './machine.ts';
import { figure, megabytes } from './markdown.ts';

export function memorySection(memory: Memory): string {
  const { tokens, settings, idleBytes, filledBytes, heapBytes, collectedBytes, knownMicroseconds } = memory;
  const set = Object.entries(settings).map(([name, value]) => `\`${name}=${value}\``);
  return `## A million tokens in use

This part measures the memory of a server that caches a million tokens. ${figure(tokens)} tokens were each used once on one server. The server ran with ${set.join(' and ')}, so it caches all of them.

- The server takes ${megabytes(idleBytes)} MB when idle, and **${megabytes(filledBytes)} MB** after all tokens were used, including garbage: ${figure((filledBytes - idleBytes) / tokens / 1000)} KB for each token.
- After a garbage collection, ${megabytes(heapBytes)} MB of heap remain, and ${megabytes(collectedBytes)} MB are resident.
- When the tokens are used again, chosen uniformly, a request takes ${figure(knownMicroseconds)} µs of CPU.

${place()}`;
}
