import { sized } from '@gatehouse/fault-figures';
import pg from 'pg';
import { describe, test } from 'vitest';
import { execute } from '../stage/postgres.ts';
import { repeat } from '../stage/repeat.ts';
import { latenessOf } from './stage/judge.ts';
import { openScene, type Scene } from './stage/scene.ts';
import { expectHarm, expectInTime, runTrials } from './stage/trials.ts';
import { IGNORES_ALL } from './stage/wrong-verifiers.ts';

const SIZE = sized({ short: { rounds: 1 }, full: { rounds: 30 } });
const TIMEOUT_MS = 60_000 + SIZE.rounds * 30_000;
/** More than a notification lists, so that servers hear only that anything may have changed. */
const COPIES = 101;

const EVERYTHING = `select pg_notify('gatehouse_changes', '{"v":1,"kind":"token","ids":"*"}')`;

/** Revokes a token together with many others, in one statement. */
async function revokeMany(url: string, id: string): Promise<void> {
  await execute(
    url,
    `insert into tokens select (jsonb_populate_record(tokens, jsonb_build_object('id', gen_random_uuid(), 'name', 'copy of ' || id || n))).*
     from tokens, generate_series(1, ${COPIES}) as n where id = '${id}'`,
  );
  const revoked = `set revoked_at = now(), revoked_by = '{"kind": "operator", "name": "tester"}'`;
  await execute(url, `update tokens ${revoked} where id = '${id}' or name like 'copy of ${id}%'`);
}

/** Revokes tokens, while servers hear again and again that anything may have changed. */
async function revokeInFlood(scene: Scene, rounds: number) {
  const url = scene.settings.DATABASE_URL ?? '';
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await runTrials(scene, rounds, async ({ id, secret }) => {
      const flood = repeat(1, () => client.query(EVERYTHING));
      const lateness = await latenessOf(scene.service, secret, () => revokeMany(url, id));
      await flood.stop();
      return lateness;
    });
  } finally {
    await client.end();
  }
}

describe.concurrent('notifications without end that anything may have changed', () => {
  test('make no verifier accept a token too long', { timeout: TIMEOUT_MS }, async () => {
    await using scene = await openScene();
    expectInTime('V8', 'notifications of everything without end', await revokeInFlood(scene, SIZE.rounds));
  });

  test('harm a verifier that ignores them, which is detected', { timeout: TIMEOUT_MS }, async () => {
    await expectHarm(async () => {
      await using scene = await openScene({ verifier: IGNORES_ALL });
      return await revokeInFlood(scene, 1);
    });
  });
});
