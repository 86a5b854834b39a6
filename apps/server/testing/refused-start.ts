import { expect } from 'vitest';
import type { SpawnedServer } from './spawn-server.ts';

/** Expects the one line that says why, and a status. */
export async function expectRefusal(server: SpawnedServer, status: number, line: RegExp) {
  expect(await server.ended).toBe(status);
  expect(server.errors()).toMatch(line);
  expect(server.errors().trimEnd().split('\n')).toHaveLength(1);
}
