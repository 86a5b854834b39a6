import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AuthorizationRequest,
  IdentityProviders,
  ProviderFailureReason,
  ProviderId,
  Query,
} from '../../src/identity-providers/index.ts';
import type { Result } from '../../src/result.ts';
import type { Instant } from '../../src/time/index.ts';

/** A person who has an account at the provider. */
export interface PersonAtProvider {
  readonly subject: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
}

/** One provider, which gives roles by the claim `groups`, and a person who is there with a browser. */
export interface ProviderScene extends AsyncDisposable {
  readonly providers: IdentityProviders;
  readonly id: ProviderId;
  readonly redirectUri: string;
  /** Follows the address as a browser, signs the person in, and returns the query with which the browser comes back. */
  signIn(address: string, person: PersonAtProvider): Promise<Query>;
  /** The same, but the person does not want to. */
  refuse(address: string): Promise<Query>;
  /** Returns a log-out token of the provider that names this person. */
  logOutToken(subject: string): Promise<string>;
  /** Makes the provider unreachable for good. */
  takeAway(): Promise<void>;
}

const ADA: PersonAtProvider = {
  subject: 'f3a1-Ada',
  email: 'ada@acme.example',
  isEmailVerified: true,
  name: 'Ada Lovelace',
  groups: ['gatehouse-admins', 'everyone'],
};

const REFUSED = (reason: ProviderFailureReason) => ({
  ok: false,
  error: { code: 'provider_sign_in_refused', reason, detail: expect.any(String) },
});

function unwrap<T>(result: Result<T, unknown>): T {
  return result.ok ? result.value : expect.fail(JSON.stringify(result.error));
}

/** The contract of every IdentityProviders. */
export function identityProvidersContract(name: string, open: () => Promise<ProviderScene>): void {
  describe(`${name} as IdentityProviders`, () => {
    let scene: ProviderScene;
    beforeAll(async () => {
      scene = await open();
    });
    afterAll(() => scene[Symbol.asyncDispose]());

    let attempts = 0;
    /** A request whose secrets are those of no other. */
    function newRequest(parts: Partial<AuthorizationRequest> = {}): AuthorizationRequest {
      attempts += 1;
      const secret = (what: string) => `${what}-${attempts}-`.padEnd(43, 'x');
      return {
        state: secret('state'),
        nonce: secret('nonce'),
        codeVerifier: secret('verifier'),
        redirectUri: scene.redirectUri,
        mustAuthenticate: false,
        begunAt: Date.now() as Instant,
        ...parts,
      };
    }

    async function comeBack(request: AuthorizationRequest, person = ADA): Promise<Query> {
      return [...(await scene.signIn(unwrap(await scene.providers.begin(scene.id, request)), person))];
    }

    const redeem = (query: Query, request: AuthorizationRequest) =>
      scene.providers.redeem(scene.id, query, request);

    it('proves who a person is', async () => {
      const request = newRequest();
      const [provider] = scene.providers.all;
      expect(unwrap(await redeem(await comeBack(request), request))).toEqual({
        issuer: provider?.issuer,
        subject: ADA.subject,
        email: ADA.email,
        isEmailVerified: true,
        name: ADA.name,
        roleValues: ADA.groups,
        authenticatedAt: expect.toBeOneOf([null, expect.any(Number)]),
        providerSession: expect.toBeOneOf([null, expect.any(String)]),
      });
    });

    it('says whether the provider verified the email', async () => {
      const request = newRequest();
      const query = await comeBack(request, { ...ADA, subject: 'Unverified', isEmailVerified: false });
      expect(await redeem(query, request)).toMatchObject({ value: { isEmailVerified: false } });
    });

    it('says when a person authenticated who must', async () => {
      const request = newRequest({ mustAuthenticate: true });
      const person = unwrap(await redeem(await comeBack(request), request));
      expect(person.authenticatedAt).toEqual(expect.any(Number));
    });

    it('redeems a code once', async () => {
      const request = newRequest();
      const query = await comeBack(request);
      expect(await redeem(query, request)).toMatchObject({ ok: true });
      expect(await redeem(query, request)).toEqual(REFUSED('code_not_accepted'));
    });

    it.each<[string, Partial<AuthorizationRequest>, ProviderFailureReason]>([
      ['the state', { state: 'another'.padEnd(43, 'x') }, 'answer_malformed'],
      ['the nonce', { nonce: 'another'.padEnd(43, 'x') }, 'nonce_mismatch'],
      ['the code verifier', { codeVerifier: 'another'.padEnd(43, 'x') }, 'code_not_accepted'],
      ['the redirect URI', { redirectUri: 'https://other.example/back' }, 'code_not_accepted'],
    ])('refuses an answer if %s is of another attempt', async (_, other, reason) => {
      const request = newRequest();
      expect(await redeem(await comeBack(request), { ...request, ...other })).toEqual(REFUSED(reason));
    });

    it('refuses an answer of another issuer', async () => {
      const request = newRequest();
      const query = new Map(await comeBack(request)).set('iss', 'https://other.example');
      expect(await redeem(query, request)).toEqual(REFUSED('issuer_mismatch'));
    });

    it('refuses an answer without a code', async () => {
      const request = newRequest();
      const query = new Map(await comeBack(request));
      query.delete('code');
      expect(await redeem(query, request)).toEqual(REFUSED('answer_malformed'));
    });

    it('says that the person or the provider denied the sign-in', async () => {
      const request = newRequest();
      const query = await scene.refuse(unwrap(await scene.providers.begin(scene.id, request)));
      expect(await redeem(query, request)).toEqual(REFUSED('provider_denied'));
    });

    it('reads whom a log-out token names', async () => {
      const request = newRequest();
      await redeem(await comeBack(request), request);
      const token = await scene.logOutToken(ADA.subject);
      expect(unwrap(await scene.providers.readLogOut(scene.id, token))).toEqual({
        issuer: scene.providers.all[0]?.issuer,
        subject: ADA.subject,
        providerSession: expect.toBeOneOf([null, expect.any(String)]),
        issuedAt: expect.any(Number),
      });
    });

    it.each(['', 'no token', 'a.b.c'])('refuses %j as a log-out token', async (token) => {
      expect(await scene.providers.readLogOut(scene.id, token)).toMatchObject({
        ok: false,
        error: { reason: expect.toBeOneOf(['answer_malformed', 'signature_invalid']) },
      });
    });

    it('finds no problem of a provider that works', async () => {
      const findings = await scene.providers.test(scene.id, scene.redirectUri);
      expect(findings).not.toEqual([]);
      expect(findings.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
    });

    it('refuses a provider that the settings do not have, as a fault', async () => {
      const unknown = 'unknown' as ProviderId;
      await expect(async () => scene.providers.begin(unknown, newRequest())).rejects.toThrow(/unknown/);
    });

    it('lists a provider that is unreachable, and says so of each exchange', async () => {
      await using away = await open();
      await away.takeAway();
      expect(away.providers.all.map(({ id }) => id)).toEqual([away.id]);
      const request = newRequest({ redirectUri: away.redirectUri });
      const query = [['state', request.state] as const, ['code', 'any'] as const];
      expect(await away.providers.begin(away.id, request)).toEqual(REFUSED('provider_unreachable'));
      expect(await away.providers.redeem(away.id, query, request)).toEqual(REFUSED('provider_unreachable'));
      expect(await away.providers.test(away.id, away.redirectUri)).toContainEqual(
        expect.objectContaining({ verdict: 'problem' }),
      );
    });
  });
}
