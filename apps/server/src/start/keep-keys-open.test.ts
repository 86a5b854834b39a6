import type { Change } from '@gatehouse/domain/changes';
import { activateKey, createKey, openActiveKey, rewrapKeys } from '@gatehouse/domain/signing-keys';
import { createFakeKeyEncryption, createWorld, OPERATOR, unwrap } from '@gatehouse/domain/testing';
import pino from 'pino';
import { expect, test } from 'vitest';
import type { Log } from '../logging/line-kind.ts';
import { keepKeysOpen } from './keep-keys-open.ts';

/** A process with its own master key, whose operator works in another one. */
async function openProcess() {
  const world = await createWorld();
  const ports = { ...world, encryption: createFakeKeyEncryption() };
  const lines: { readonly kind?: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) }) as Log;
  let listener: (change: Change) => void = () => {};
  const feed = {
    subscribe(added: typeof listener) {
      listener = added;
      return () => {};
    },
  };
  await keepKeysOpen({ feed, ports, log });
  const other = (masterWord?: string) => ({ ...world, encryption: createFakeKeyEncryption(masterWord) });
  return {
    create: async (masterWord?: string) => unwrap(await createKey(other(masterWord))(OPERATOR, 'paseto')),
    activate: async (id: Parameters<ReturnType<typeof activateKey>>[1]) =>
      unwrap(await activateKey({ ...world, maxStalenessMs: 0 })(OPERATOR, id)),
    rewrap: async () => {
      const masterKeys = {
        current: createFakeKeyEncryption(),
        next: createFakeKeyEncryption('next'),
        complete: async () => undefined,
      };
      unwrap(await rewrapKeys({ ...world, masterKeys: { replace: (work) => work(masterKeys) } })(OPERATOR));
    },
    tell: (change: Change) => listener(change),
    sign: () => openActiveKey(ports, 'paseto'),
    reports: () => lines.filter(({ kind }) => kind === 'master_key_replaced').length,
  };
}

/** Lets the checks of the last change end. All ports are in memory. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a key that is created while the process runs signs after the master key was replaced', async () => {
  const process = await openProcess();
  const key = await process.create();
  process.tell({ kind: 'key', id: key.id });
  await settled();
  await process.rewrap();
  await process.activate(key.id);
  expect(await process.sign()).toMatchObject({ ok: true, value: { id: key.id } });
});

test('a replaced master key is reported once', async () => {
  const process = await openProcess();
  const key = await process.create();
  expect(process.reports()).toBe(0);
  await process.rewrap();
  for (const kind of ['everything', 'everything'] as const) {
    process.tell({ kind });
    await settled();
  }
  process.tell({ kind: 'key', id: key.id });
  await settled();
  expect(process.reports()).toBe(1);
});

test('other changes cause no check', async () => {
  const process = await openProcess();
  await process.rewrap();
  process.tell({ kind: 'organizations' });
  await settled();
  expect(process.reports()).toBe(0);
});
