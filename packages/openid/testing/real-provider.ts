import type { RequestListener } from 'node:http';
import type { PersonAtProvider } from '@gatehouse/domain/testing/contracts';
import { exportJWK, generateKeyPair } from 'jose';
import type { Configuration, JWK, Provider } from 'oidc-provider';
import { vi } from 'vitest';
import { serve } from './loopback-server.ts';

export const CLIENT = { id: 'gatehouse', secret: 'a-secret-of-forty-characters/or+even=more' };

/** The header in which the browser of the tests says who signs in. */
export const PERSON_HEADER = 'x-person';
export const REFUSES = 'refuses';

export async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } as JWK;
}

/** Starts oidc-provider, a certified provider, with people of the test. The sign-in has no page: a header says who it is. */
export async function openRealProvider(redirectUri: string, configuration: Configuration = {}) {
  const people = new Map<string, PersonAtProvider>();
  const logOutTokens: string[] = [];
  let provider: Provider;
  let handle: RequestListener = () => undefined;

  const server = await serve(async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    const person = `${request.headers[PERSON_HEADER]}`;
    const result =
      person === REFUSES ? { error: 'access_denied' } : { login: { accountId: person, remember: true } };
    await provider.interactionFinished(request, response, result);
  });
  const { origin } = server;

  async function use(key: JWK) {
    // It warns of Node versions that are newer than it is, and that its storage is in memory, which is what a test needs.
    using _ = vi.spyOn(console, 'warn').mockReturnValue();
    const { Provider } = await import('oidc-provider');
    provider = new Provider(origin, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [redirectUri],
          backchannel_logout_uri: 'https://gatehouse.example/sign-in/log-out/acme',
        },
      ],
      jwks: { keys: [key] },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      // The provider posts nothing to this machine. The test reads what it would post.
      async fetch(_url, request) {
        logOutTokens.push(new URLSearchParams(`${request?.body}`).get('logout_token') ?? '');
        return new Response(null, { status: 204 });
      },
      features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: false } },
      interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      async findAccount(_, accountId) {
        const { email, isEmailVerified, name, groups } = people.get(accountId) ?? {};
        return {
          accountId,
          claims: async () => ({ sub: accountId, email, email_verified: isEmailVerified, name, groups }),
        };
      },
      async loadExistingGrant({ oidc }) {
        const grant = new provider.Grant({ clientId: CLIENT.id, accountId: oidc.account?.accountId ?? '' });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      ...configuration,
    });
    handle = provider.callback();
  }
  await use(await newKey('first'));

  return {
    origin,
    people,
    /** Signs with a new key from now on, and publishes no other. */
    async rotateKey() {
      await use(await newKey('second'));
    },
    /** Returns the log-out token that the provider posts about a person. */
    async logOutToken(subject: string): Promise<string> {
      const client = await provider.Client.find(CLIENT.id);
      // The types leave out this method, which the provider calls when a person signs out.
      const sender = client as unknown as { backchannelLogout(sub: string): Promise<void> };
      await sender.backchannelLogout(subject);
      return logOutTokens.at(-1) ?? '';
    },
    close: server.close,
  };
}
