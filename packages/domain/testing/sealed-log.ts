import {
  type AuditSeal,
  type AuditSeals,
  exportAuditEvents,
  type StoredEvent,
  verifyAuditLog,
} from '../src/audit/index.ts';
import { anEvent, unwrap } from './fixtures.ts';
import { OPERATOR, type World } from './world.ts';

/** Writes this number of events. */
export async function givenEvents(world: Pick<World, 'accounts' | 'clock'>, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await world.accounts.insert({ name: 'Another', createdAt: world.clock.now() }, () =>
      anEvent({ at: world.clock.now(), details: { index } }),
    );
  }
}

/** All lines of an export after a position. */
export async function exportedLines(
  ports: Parameters<typeof exportAuditEvents>[0],
  after = 0,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const seal of unwrap(await exportAuditEvents(ports)(OPERATOR, { after })))
    lines.push(...seal.lines);
  return lines;
}

/** Verifies the log, and compares it with these lines. */
export async function verified(ports: Parameters<typeof verifyAuditLog>[0], lines?: readonly string[]) {
  return unwrap(await verifyAuditLog(ports)(OPERATOR, { exported: lines && linesOf(lines) }));
}

export async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** A world whose log another client changed: `change` returns the event that is read in place of each, or undefined. */
export function tampered<Ports extends { readonly auditSeals: AuditSeals }>(
  world: Ports,
  change: (event: StoredEvent) => StoredEvent | undefined,
): Ports {
  const { auditSeals } = world;
  return {
    ...world,
    auditSeals: {
      ...auditSeals,
      readEvents: async (ids) => (await auditSeals.readEvents(ids)).flatMap((event) => change(event) ?? []),
    },
  };
}

/** A world whose seals another client changed: `change` returns the seal that is listed in place of each, or undefined. */
export function withSeals<Ports extends { readonly auditSeals: AuditSeals }>(
  world: Ports,
  change: (seal: AuditSeal) => AuditSeal | undefined,
): Ports {
  const { auditSeals } = world;
  const list: AuditSeals['list'] = async (page) =>
    (await auditSeals.list(page)).flatMap((seal) => change(seal) ?? []);
  return { ...world, auditSeals: { ...auditSeals, list } };
}

/** The anchor of an export: its last seal. */
export const anchorOf = (lines: readonly string[]) => JSON.parse(lines.at(-1) ?? '').seal;

/** The positions of the events in an export. */
export const positionsIn = (lines: readonly string[]): readonly number[] =>
  lines.flatMap((line) => JSON.parse(line).position ?? []);

/** Collects all values of an async iterable. */
export async function collected<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
