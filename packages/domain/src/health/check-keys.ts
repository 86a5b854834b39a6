import { type KeyReport, reportKey } from '../signing-keys/key-report.ts';
import { keyRingHealth } from '../signing-keys/key-ring-health.ts';
import { NO_LIVE_TOKENS } from '../signing-keys/live-tokens.ts';
import type { KeyId } from '../signing-keys/signing-key.ts';
import type { SigningKeyRepository } from '../signing-keys/signing-key-repository.ts';
import type { Clock } from '../time/clock.ts';
import { addMilliseconds, formatInstant, type Instant } from '../time/instant.ts';
import { TOKEN_FORMATS, type TokenFormat } from '../tokens/token-format.ts';
import { defineCheck, type Outcome, outcomeOf } from './check.ts';
import type { FindMasterKey } from './probes.ts';

/** Staging is meant to last seconds, until all servers know the key; one day means that it was forgotten. */
const STAGED_FOR_LONG_MS = 86_400_000;

type KeyFinding =
  | { readonly code: 'no_active_key'; readonly format: TokenFormat }
  | {
      readonly code: 'key_left_staged';
      readonly keyId: KeyId;
      readonly format: TokenFormat;
      readonly since: Instant;
    }
  | { readonly code: 'key_retirable'; readonly keyId: KeyId; readonly format: TokenFormat };

type MasterKeyFinding =
  | { readonly code: 'master_key_unusable'; readonly reason: string }
  | { readonly code: 'master_key_rejected'; readonly keyIds: readonly KeyId[] };

export interface KeyPorts {
  readonly signingKeys: Pick<SigningKeyRepository, 'list' | 'countLiveTokens'>;
  readonly clock: Clock;
}

async function checkKeys({ signingKeys, clock }: KeyPorts): Promise<Outcome<KeyFinding>> {
  const now = clock.now();
  const [keys, live] = [await signingKeys.list(), await signingKeys.countLiveTokens(now)];
  return outcomeOf(keyFindings(keys.map((key) => reportKey(key, live.get(key.id) ?? NO_LIVE_TOKENS, now))));
}

function keyFindings(reports: readonly KeyReport[]): readonly KeyFinding[] {
  return keyRingHealth(reports, TOKEN_FORMATS).flatMap(({ format, active, staged, retirable }) => {
    const findings: KeyFinding[] = active ? [] : [{ code: 'no_active_key', format }];
    for (const { id: keyId, createdAt: since } of staged) {
      const at = reports[0]?.at;
      if (at !== undefined && since <= addMilliseconds(at, -STAGED_FOR_LONG_MS)) {
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

/** Checks that the master key, if one is configured, decrypts all keys that are not retired. */
async function checkMasterKeyAtHand({
  signingKeys,
  findMasterKey,
}: MasterKeyPorts): Promise<Outcome<MasterKeyFinding>> {
  const keys = (await signingKeys.list()).filter(({ state }) => state !== 'retired');
  // Creating the first signing key also creates a master key if none is configured.
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

export const signingKeysCheck = defineCheck({
  id: 'signing_keys',
  passed: 'Each format has an active signing key.',
  name: 'the signing keys',
  needsSchema: true,
  run: checkKeys,
  findings: {
    no_active_key: ({ format }) => ({
      message: `No ${format} key is active: no ${format} token can be made.`,
      remedy: `Activate one (\`gatehouse key list\`, \`gatehouse key activate ID\`); if there is none, a server that starts makes the first, or \`gatehouse key create --format ${format}\`.`,
    }),
    key_left_staged: ({ keyId, format, since }) => ({
      message: `The ${format} key ${keyId} was made at ${formatInstant(since)}, and never activated.`,
      remedy: `Activate it: \`gatehouse key activate ${keyId}\`.`,
    }),
    key_retirable: ({ keyId, format }) => ({
      message: `The ${format} key ${keyId} only verifies, and no live token needs it any more.`,
      remedy: `Retire it: \`gatehouse key retire ${keyId}\`.`,
    }),
  },
});

export const masterKeyCheck = defineCheck({
  id: 'master_key',
  passed: 'The master key opens all signing keys in use.',
  name: 'the master key',
  needsSchema: true,
  run: checkMasterKeyAtHand,
  findings: {
    master_key_unusable: ({ reason }) => ({
      message: `The master key cannot be used: ${reason}.`,
      remedy: 'Give the one under which the signing keys are encrypted; without it no token can be made.',
    }),
    master_key_rejected: ({ keyIds }) => ({
      message: `The master key here does not open ${keyIds.length === 1 ? 'the signing key' : 'the signing keys'} ${keyIds.join(', ')}.`,
      remedy:
        'Check GATEHOUSE_MASTER_KEY or GATEHOUSE_MASTER_KEY_FILE: it must be the one under which they are encrypted.',
    }),
  },
});
