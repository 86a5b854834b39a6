import { exportAuditEvents, sealAuditEvents, verifyAuditLog } from '@gatehouse/domain/audit';
import { createSealCryptography } from '@gatehouse/key-encryption';
import pg from 'pg';
import { openPopulated } from '../stage/population.ts';
import { OPERATOR, openInstallation, unwrap } from '../stage/store.ts';

export type SealedLog = Awaited<ReturnType<typeof openSealedLog>>;

/** A populated database with the use cases of its audit log, and a client with all rights on its tables. */
export async function openSealedLog() {
  await using ending = new AsyncDisposableStack();
  const populated = ending.use(await openPopulated());
  const store = ending.use(openInstallation(populated.settings));
  const client = ending.adopt(new pg.Client({ connectionString: populated.url }), (each) => each.end());
  await client.connect();
  const ports = { ...store.ports, sealCryptography: createSealCryptography() };
  const [exporting, verifying] = [exportAuditEvents(ports), verifyAuditLog(ports)];
  const kept = ending.move();
  return {
    ...populated,
    client,
    ports,
    seal: sealAuditEvents(ports),
    /** The lines after a position. */
    async export(after = 0): Promise<readonly string[]> {
      const lines: string[] = [];
      for await (const seal of unwrap(await exporting(OPERATOR, { after }))) lines.push(...seal.lines);
      return lines;
    },
    verify: async (lines?: readonly string[]) =>
      unwrap(await verifying(OPERATOR, { exported: lines && each(lines) })),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** Writes `count` events at once. */
export const insertEvents = (count: number, origin = 'bulk') => `
  insert into audit_events (at, actor, origin, action, subject_type, subject_id, account_id, details)
  select now(), '{"kind":"operator","name":"tester"}', '${origin}', 'token.revoked', 'token', gen_random_uuid()::text, 1,
    jsonb_build_object('name', 'Press ' || serial, 'reason', null)
  from generate_series(1, ${count}) serial`;

/** The parts of the events that are in the lines, in the order of the lines. */
export function eventsIn(
  lines: readonly string[],
): readonly { readonly position: number; readonly id: number }[] {
  return lines.map((line) => JSON.parse(line)).filter(({ position }) => position !== undefined);
}
