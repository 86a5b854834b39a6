import { beforeEach, describe, expect, test } from 'vitest';
import {
  anEvent,
  aRevocation,
  createFakeTokenSigner,
  createWorldWithAdmins,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../../testing/index.ts';
import { err } from '../../result.ts';
import type { KeyRing } from '../../signing-keys/key-ring.ts';
import type { KeyId } from '../../signing-keys/signing-key.ts';
import { addMilliseconds } from '../../time/instant.ts';
import type { User } from '../../users/user.ts';
import type { TokenDetails } from '../administration/token-status.ts';
import { issueToken } from '../issuing/issue-token.ts';
import type { MintedToken } from '../issuing/mint-token.ts';
import { RECORD_REFUSALS, REFUSALS, type RefusalReason } from '../refusal-reasons.ts';
import type { TokenFormat, TokenId } from '../token.ts';
import { NEVER_USED } from '../usage/token-usage.ts';
import { authenticateToken } from './authenticate-token.ts';
import type { InspectionStep, TokenInspection } from './inspect-token.ts';
import { INSPECTION_STEPS, identifyToken, inspectToken } from './inspect-token.ts';
import type { TraceTokenPorts } from './trace-token.ts';

const LIFETIME = 60_000;

describe.each(['paseto', 'jwt'] as const)('the inspection of a %s token', (format: TokenFormat) => {
  let world: World;
  let admin: User;
  let outsider: User;
  let token: MintedToken;

  beforeEach(async () => {
    ({ world, ada: admin, eve: outsider } = await createWorldWithAdmins());
    const input = { name: 'ERP', format, scopes: ['*' as const], expiry: { in: LIFETIME } };
    token = unwrap(await issueToken(world)(inPerson(admin), input));
  });

  async function inspect(text: string, parts: Partial<TraceTokenPorts> = {}): Promise<TokenInspection> {
    return unwrap(await inspectToken({ ...world, ...parts })(OPERATOR, { text }));
  }

  /** Expects that this step failed for this reason, all steps before it passed, and none after it ran. */
  function expectStop(inspection: TokenInspection, step: InspectionStep, reason: RefusalReason) {
    expect(inspection).toMatchObject({ accepted: false, reason, stoppedAt: step });
    const at = INSPECTION_STEPS.indexOf(step);
    expect(inspection.steps).toEqual(
      INSPECTION_STEPS.map((each, index) => ({
        step: each,
        outcome: index < at ? 'passed' : index === at ? 'failed' : 'not_reached',
      })),
    );
  }

  const ringOf = (change: (key: NonNullable<Awaited<ReturnType<KeyRing['find']>>>) => object): KeyRing => ({
    find: async (id) => {
      const key = await world.keys.find(id);
      return key && { ...key, ...change(key) };
    },
  });

  test('of an accepted token returns its owner and claims, and passes every step', async () => {
    expect(await inspect(token.secret)).toMatchObject({
      accepted: true,
      reason: null,
      stoppedAt: null,
      steps: INSPECTION_STEPS.map((step) => ({ step, outcome: 'passed' })),
      format,
      keyId: token.record.keyId,
      claims: {
        ...world.issuer,
        tokenId: token.record.id,
        subject: admin.id,
        kind: 'api',
        issuedAt: START,
        expiresAt: addMilliseconds(START, LIFETIME),
      },
      report: { ...token.record, user: admin, state: 'active' },
    });
  });

  test.each(['', 'x', 'v4.local.AAAA', 'a.b.c', `fake-paseto.${'x'.repeat(3000)}`])(
    'fails at the spelling of %j',
    async (text) => {
      const inspection = await inspect(text);
      expectStop(inspection, 'spelling', 'malformed');
      expect(inspection).toMatchObject({ format: null, keyId: null, claims: null, report: null });
    },
  );

  test('fails at a key that is not in the ring', async () => {
    const signer = createFakeTokenSigner(format);
    const key = await signer.generateKey();
    const { claims } = await inspect(token.secret);
    const inspection = await inspect(await signer.sign(claims ?? expect.fail(), key));
    expectStop(inspection, 'key_known', 'unknown_key');
    expect(inspection).toMatchObject({ format, keyId: key.id, claims: null, report: null });
  });

  test('fails at an invalid signature, and does not return the claims', async () => {
    const inspection = await inspect(`${token.secret}A`);
    expectStop(inspection, 'signature', 'bad_signature');
    expect(inspection).toMatchObject({ format, keyId: token.record.keyId, claims: null, report: null });
  });

  /** Tokens whose record is changed when it is read. */
  const reading = (change: (details: TokenDetails) => TokenDetails | undefined) => {
    const find = async (id: TokenId) => change((await world.tokens.find(id)) ?? expect.fail());
    return { tokens: { ...world.tokens, find } };
  };

  test('fails without a record, and still returns the claims', async () => {
    const inspection = await inspect(
      token.secret,
      reading(() => undefined),
    );
    expectStop(inspection, 'record', 'unknown_token');
    expect(inspection).toMatchObject({ claims: { tokenId: token.record.id }, report: null });
  });

  test('fails at a record that names another key', async () => {
    const renamed = { id: 'another' as KeyId };
    const signers = world.signers.map((signer) => ({
      ...signer,
      verify: (text: string, key: Parameters<typeof signer.verify>[1]) =>
        signer.verify(text, { ...key, id: token.record.keyId }),
    }));
    const inspection = await inspect(token.secret, { keys: ringOf(() => renamed), signers });
    expectStop(inspection, 'record_key', 'key_mismatch');
    expect(inspection).toMatchObject({ report: { id: token.record.id } });
  });

  test('fails at claims of another issuer than in the settings', async () => {
    const issuer = { ...world.issuer, issuer: 'elsewhere' };
    const inspection = await inspect(token.secret, { issuer });
    expectStop(inspection, 'claims', 'claims_mismatch');
    expect(inspection).toMatchObject({ claims: { issuer: 'gatehouse' }, report: { state: 'active' } });
  });

  test('fails at a retired key before a revocation', async () => {
    await world.tokens.revoke(token.record.id, aRevocation(), anEvent());
    const ports = reading((details) => ({ ...details, keyState: 'retired' }));
    expectStop(await inspect(token.secret, ports), 'key_in_use', 'key_retired');
  });

  test('fails at a revocation before the expiry', async () => {
    await world.tokens.revoke(token.record.id, aRevocation({ reason: 'leaked' }), anEvent());
    world.clock.advance(LIFETIME);
    const inspection = await inspect(token.secret);
    expectStop(inspection, 'not_revoked', 'revoked');
    expect(inspection.report).toMatchObject({ state: 'revoked' });
  });

  test('fails from the expiry on, before the account', async () => {
    await world.accounts.suspend(admin.accountId, START, anEvent());
    world.clock.advance(LIFETIME - 1);
    expectStop(await inspect(token.secret), 'account_active', 'account_suspended');
    world.clock.advance(1);
    expectStop(await inspect(token.secret), 'not_expired', 'expired');
  });

  test('fails at a disabled user before the account', async () => {
    await world.accounts.suspend(admin.accountId, START, anEvent());
    const ports = reading((details) => ({ ...details, user: { ...admin, disabledAt: START } }));
    expectStop(await inspect(token.secret, ports), 'user_active', 'user_disabled');
  });

  test('decides as a server does, and does not count as a use', async () => {
    for (const text of [token.secret, `${token.secret}A`, 'x']) {
      const { accepted, reason } = await inspect(text);
      const caller = await authenticateToken({
        ...world,
        usage: { used() {}, refused() {}, usedOutside() {} },
      })(text, 'test');
      expect(caller.kind === 'refused' ? caller.reason : null).toBe(reason);
      expect(caller.kind === 'user').toBe(accepted);
    }
    await world.tokens.revoke(token.record.id, aRevocation(), anEvent());
    await inspect(token.secret);
    const { usage } = (await world.tokens.find(token.record.id)) ?? expect.fail();
    expect(usage).toEqual(NEVER_USED);
  });

  test('is allowed to an admin for the own account only, and not to a member', async () => {
    const member = { ...admin, role: 'member' } as const;
    const by = (user: User, text = token.secret) => inspectToken(world)(inPerson(user), { text });
    const notFound = err({ code: 'token_not_found' });
    expect(await by(admin)).toMatchObject({ ok: true, value: { accepted: true } });
    expect(await by(outsider)).toEqual(notFound);
    await world.tokens.revoke(token.record.id, aRevocation(), anEvent());
    expect(await by(outsider)).toEqual(notFound);
    expect(await by(member)).toEqual(err({ code: 'not_allowed' }));
    expect(await by(outsider, 'x')).toMatchObject({ ok: true, value: { reason: 'malformed', report: null } });
  });

  describe('for its revocation', () => {
    const identify = (user: User, text: string, parts: Partial<TraceTokenPorts> = {}) =>
      identifyToken({ ...world, ...parts })(inPerson(user), text);

    test('needs only a valid signature, whatever state the token is in', async () => {
      world.clock.advance(LIFETIME);
      await world.accounts.suspend(admin.accountId, START, anEvent());
      const found = { ok: true, value: { id: token.record.id, state: 'expired' } };
      expect(await identify(admin, token.secret)).toMatchObject(found);
      const issuer = { issuer: 'renamed', audience: 'since' };
      expect(await identify(admin, token.secret, { issuer })).toMatchObject(found);
      await world.tokens.revoke(token.record.id, aRevocation(), anEvent());
      expect(await identify(admin, token.secret)).toMatchObject({ ok: true, value: { state: 'revoked' } });
    });

    test('does not recognize a token without a valid signature or a record', async () => {
      const notRecognized = (step: InspectionStep) => err({ code: 'token_not_recognized', step });
      expect(await identify(admin, 'x')).toEqual(notRecognized('spelling'));
      expect(await identify(admin, `${token.secret}A`)).toEqual(notRecognized('signature'));
      const ports = reading(() => undefined);
      expect(await identify(admin, token.secret, ports)).toEqual(notRecognized('record'));
    });

    test('does not find another account’s token, and is denied to members', async () => {
      expect(await identify(outsider, token.secret)).toEqual(err({ code: 'token_not_found' }));
      const member = { ...admin, role: 'member' } as const;
      expect(await identify(member, token.secret)).toEqual(err({ code: 'not_allowed' }));
    });
  });
});

test('the steps on the record are in the order of its refusal reasons', () => {
  const steps = RECORD_REFUSALS.map((reason) => REFUSALS[reason].step);
  expect(INSPECTION_STEPS.slice(-steps.length - 1)).toEqual([...steps, 'network']);
});
