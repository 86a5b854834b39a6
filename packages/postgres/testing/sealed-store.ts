import { sealAuditEvents } from '@gatehouse/domain/audit';
import { ensureKeys } from '@gatehouse/domain/signing-keys';
import {
  createFakeKeyEncryption,
  createFakeSealCryptography,
  createFakeTokenSigner,
  createFixedClock,
  OPERATOR,
  START,
} from '@gatehouse/domain/testing';
import { aTestDatabase, connectClient } from './open-test-store.ts';

/** A store with the ports that seal its audit log, and a plain client. */
export async function aSealedStore() {
  const { url, store } = await aTestDatabase();
  const ports = {
    ...store,
    clock: createFixedClock(START),
    signers: [createFakeTokenSigner('paseto'), createFakeTokenSigner('jwt')],
    encryption: createFakeKeyEncryption(),
    sealCryptography: createFakeSealCryptography(),
  };
  await ensureKeys(ports)(OPERATOR);
  const client = await connectClient(url);
  return { url, ports, client, seal: sealAuditEvents(ports) };
}

/** Writes an event with this origin. */
export const INSERT_EVENT = `
  insert into audit_events (at, actor, origin, action, subject_type, subject_id, details)
  values ('2026-01-01Z', '{"kind":"operator","name":"x"}', $1, 'account.created', 'account', '1', '{}') returning id`;

/** Writes an event with this id, which the log itself never does. */
export const INSERT_EVENT_AS = `
  insert into audit_events (id, at, actor, origin, action, subject_type, subject_id, details) overriding system value
  values ($2, '2026-01-01Z', '{"kind":"operator","name":"x"}', $1, 'account.created', 'account', '1', '{}')`;
