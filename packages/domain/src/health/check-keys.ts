import type { Ports } from '../ports.ts';
import { KEY_DUE_MS, type KeyId, type SigningKey } from '../signing-keys/signing-key.ts';
import { NO_LIVE_TOKENS, retirableAt } from '../signing-keys/signing-key-repository.ts';
import { addMilliseconds, formatInstant } from '../time/instant.ts';
import { TOKEN_FORMATS } from '../tokens/token.ts';
import { defineCheck, type Outcome, outcomeOf } from './check.ts';

/**
 * A key that is staged does not sign yet. It should be staged only for seconds, until all servers know it. If it is
 * still staged after this time (one day), its activation was probably forgotten.
 */
const STAGED_FOR_LONG_MS = 86_400_000;

export const signingKeysCheck = defineCheck({
  id: 'signing_keys',
  passed: 'Each format has an active signing key.',
  name: 'the signing keys',
  async run({ signingKeys, clock }: Ports<'signingKeys' | 'clock'>) {
    const now = clock.now();
    const keys = await signingKeys.list();
    // Tokens are counted only if there is a verify-only key, because counting takes long if there are many tokens.
    const isCounted = keys.some(({ state }) => state === 'verify-only');
    const live = isCounted ? await signingKeys.countLiveTokens(now) : undefined;
    const whenRetirable = (key: SigningKey) => retirableAt(key, live?.get(key.id) ?? NO_LIVE_TOKENS, now);
    const longAgo = addMilliseconds(now, -STAGED_FOR_LONG_MS);
    const dueFrom = addMilliseconds(now, -KEY_DUE_MS);
    const findings = TOKEN_FORMATS.flatMap((format) => {
      const ofFormat = keys.filter((key) => key.format === format);
      const active = ofFormat.find(({ state }) => state === 'active');
      const since = active?.activatedAt ?? now;
      const staged = ofFormat.filter(({ state, createdAt }) => state === 'staged' && createdAt <= longAgo);
      const retirable = ofFormat.filter((key) => (whenRetirable(key) ?? Number.POSITIVE_INFINITY) <= now);
      return [
        ...(active ? [] : [{ code: 'no_active_key', format } as const]),
        ...(active && since <= dueFrom
          ? [{ code: 'key_due' as const, keyId: active.id, format, since }]
          : []),
        ...staged.map((key) => ({
          code: 'key_left_staged' as const,
          keyId: key.id,
          format,
          since: key.createdAt,
        })),
        ...retirable.map((key) => ({ code: 'key_retirable' as const, keyId: key.id, format })),
      ];
    });
    return outcomeOf(findings);
  },
  findings: {
    no_active_key: ({ format }) => ({
      message: `No ${format} key is active, so no ${format} token can be issued.`,
      remedy: `\`gatehouse key list\` lists the keys, and \`gatehouse key activate ID\` activates one. If there is no ${format} key, start a server or run \`gatehouse key create --format ${format}\`: each of the two creates the first key.`,
    }),
    key_due: ({ keyId, format, since }) => ({
      message: `The ${format} key ${keyId} has signed tokens since ${formatInstant(since)}, for more than a year.`,
      remedy: `Run \`gatehouse key create --format ${format}\`, and activate the new key with \`gatehouse key activate ID\`.`,
    }),
    key_left_staged: ({ keyId, format, since }) => ({
      message: `The ${format} key ${keyId} was created at ${formatInstant(since)}, but was never activated.`,
      remedy: `Run \`gatehouse key activate ${keyId}\`.`,
    }),
    key_retirable: ({ keyId, format }) => ({
      message: `The ${format} key ${keyId} no longer signs tokens, and no live token needs this key.`,
      remedy: `Run \`gatehouse key retire ${keyId}\`.`,
    }),
  },
});

type MasterKeyFinding =
  | { readonly code: 'master_key_unusable'; readonly reason: string }
  | { readonly code: 'master_key_rejected'; readonly keyIds: readonly KeyId[] };

/** Checks that the master key, if one is configured, decrypts all keys that are not retired. */
export const masterKeyCheck = defineCheck({
  id: 'master_key',
  passed: 'The master key decrypts all signing keys in use.',
  name: 'the master key',
  async run(ports: Ports<'signingKeys' | 'findMasterKey'>): Promise<Outcome<MasterKeyFinding>> {
    const keys = (await ports.signingKeys.list()).filter(({ state }) => state !== 'retired');
    // If there is no signing key yet, there need not be a master key: it is created together with the first signing
    // key.
    if (keys.length === 0) return { status: 'skipped', because: 'no_keys' };
    const found = await ports.findMasterKey();
    if (!found) return { status: 'skipped', because: 'no_master_key' };
    if (!found.ok) return outcomeOf([{ code: 'master_key_unusable', reason: found.error.message }]);
    const rejected: KeyId[] = [];
    for (const { id, sealedSecret } of keys) {
      if (!(await found.value.open(sealedSecret, id)).ok) rejected.push(id);
    }
    return outcomeOf(rejected.length > 0 ? [{ code: 'master_key_rejected', keyIds: rejected }] : []);
  },
  findings: {
    master_key_unusable: ({ reason }) => ({
      message: `The master key cannot be used: ${reason}.`,
      remedy: 'Configure the master key of the signing keys. Without it, no token can be issued.',
    }),
    master_key_rejected: ({ keyIds }) => ({
      message: `The master key of this machine does not decrypt ${keyIds.length === 1 ? 'the signing key' : 'the signing keys'} ${keyIds.join(', ')}.`,
      remedy:
        'Set GATEHOUSE_MASTER_KEY or GATEHOUSE_MASTER_KEY_FILE to the master key with which the signing keys were encrypted.',
    }),
  },
});
