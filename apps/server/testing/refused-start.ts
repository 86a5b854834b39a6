import { expect } from 'vitest';
import type { SpawnedServer } from './spawn-server.ts';

/** Expects a failed start with this exit status and a single line with the reason. */
export async function expectRefusal(server: SpawnedServer, status: number, line: RegExp) {
  expect(await server.ended).toBe(status);
  expect(server.errors()).toMatch(line);
  expect(server.errors().trimEnd().split('\n')).toHaveLength(1);
}
