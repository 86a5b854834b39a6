import { type KeyReport, reportKey } from '../signing-keys/key-report.ts';
import { keyRingHealth } from '../signing-keys/key-ring-health.ts';
import { NO_LIVE_TOKENS } from '../signing-keys/live-tokens.ts';
import type { KeyId } from '../signing-keys/signing-key.ts';
import type { SigningKeyRepository } from '../signing-keys/signing-key-repository.ts';
import type { Clock } from '../time/clock.ts';
import { later } from '../time/instant.ts';
import { TOKEN_FORMATS } from '../tokens/token-format.ts';
import { type CheckOutcome, type Finding, outcomeOf } from './health-report.ts';
import type { FindMasterKey } from './probes.ts';

/** Whoever stages a key means to activate it as soon as all servers know it, which takes seconds. */
const STAGED_FOR_LONG_MS = 86_400_000;

export interface KeyPorts {
  readonly signingKeys: Pick<SigningKeyRepository, 'list' | 'countLiveTokens'>;
  readonly clock: Clock;
}

export async function checkKeys({ signingKeys, clock }: KeyPorts): Promise<CheckOutcome> {
  const now = clock.now();
  const [keys, live] = [await signingKeys.list(), await signingKeys.countLiveTokens(now)];
  return outcomeOf(keyFindings(keys.map((key) => reportKey(key, live.get(key.id) ?? NO_LIVE_TOKENS, now))));
}

function keyFindings(reports: readonly KeyReport[]): readonly Finding[] {
  return keyRingHealth(reports, TOKEN_FORMATS).flatMap(({ format, active, staged, retirable }) => {
    const findings: Finding[] = active ? [] : [{ code: 'no_active_key', format }];
    for (const { id: keyId, createdAt: since } of staged) {
      const at = reports[0]?.at;
      if (at !== undefined && since <= later(at, -STAGED_FOR_LONG_MS)) {
        findings.push({ code: 'key_left_staged', keyId, format, since });
      }
    }
    for (const { id: keyId } of retirable) findings.push({ code: 'key_retirable', keyId, format });
    return findings;
  });
}

export interface MasterKeyPorts {
  readonly signingKeys: Pick<SigningKeyRepository, 'list'>;
  readonly findMasterKey: FindMasterKey;
}

/** Whether the master key, where there is one, opens all keys that are not retired. */
export async function checkMasterKeyAtHand({
  signingKeys,
  findMasterKey,
}: MasterKeyPorts): Promise<CheckOutcome> {
  const keys = (await signingKeys.list()).filter(({ state }) => state !== 'retired');
  // With the first key comes the first master key, too, where none is configured.
  if (keys.length === 0) return { status: 'skipped', because: 'no_keys' };
  const found = await findMasterKey();
  if (!found) return { status: 'skipped', because: 'no_master_key' };
  if (!found.ok) return outcomeOf([{ code: 'master_key_unusable', reason: found.error.message }]);
  const rejected: KeyId[] = [];
  for (const { id, sealedSecret } of keys) {
    if (!(await found.value.open(sealedSecret, id)).ok) rejected.push(id);
  }
  return outcomeOf(rejected.length > 0 ? [{ code: 'master_key_rejected', keyIds: rejected }] : []);
}
