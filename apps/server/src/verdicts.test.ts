import { describe, expect, it } from 'vitest';
import { apiToken, populate, revoke, signInToken, type TokenParts } from '../testing/population.ts';
import { sendRaw } from '../testing/raw-http.ts';
import { serveWorld } from '../testing/serve-world.ts';

const METHODS = ['GET', 'HEAD'];
const SPELLINGS = ['Authorization: Bearer', 'authorization: bearer', 'AUTHORIZATION:BEARER'];
const TARGETS = (path: string) => [path, `${path}?x=1`, `http://evil.example${path}`];
const TRANSPORTS = ['HTTP/1.1', 'HTTP/1.0'];

/** Every way of asking for the same thing. */
function waysToAsk(path: string, token: string): readonly string[] {
  return METHODS.flatMap((method) =>
    TRANSPORTS.flatMap((version) =>
      TARGETS(path).flatMap((target) =>
        SPELLINGS.flatMap((spelling) =>
          ['', 'If-None-Match: *\r\n', 'X-HTTP-Method-Override: POST\r\n'].map(
            (more) =>
              `${method} ${target} ${version}\r\nHost: x\r\nConnection: close\r\n${more}${spelling} ${token}\r\n\r\n`,
          ),
        ),
      ),
    ),
  );
}

describe('a verdict', () => {
  it('is the same by every transport, in every format and spelling, on every route that asks the same', async () => {
    await using served = await serveWorld();
    const { world } = served;
    const { admin, member, ...organizations } = await populate(world);

    const tokens: (readonly [name: string, token: string])[] = [
      ['of a member', await signInToken(world, member)],
    ];
    for (const format of ['paseto', 'jwt'] as const) {
      const issue = async (parts: TokenParts = {}) =>
        (await apiToken(world, admin, { ...parts, format })).secret;
      const gone = await apiToken(world, admin, { format });
      await revoke(world, admin, gone.record.id);
      const good = await issue();
      tokens.push(
        ['of an admin', good],
        ['for organizations only', await issue({ scopes: ['orgs:read'] })],
        ['for nothing but the user', await issue({ scopes: ['me:read'] })],
        ['that ended', await issue({ expiry: { in: 1000 } })],
        ['that was revoked', gone.secret],
        ['that was tampered with', `${good.slice(0, -3)}abc`],
        ['that is none', 'garbage'],
      );
    }
    world.clock.advance(1000);

    const verdicts: Record<string, Record<string, string>> = {};
    const paths = {
      shared: `/api/v1/orgs/${organizations.shared.id}`,
      closed: `/api/v1/orgs/${organizations.closed.id}`,
      foreign: `/api/v1/orgs/${organizations.foreign.id}`,
      absent: '/api/v1/orgs/987654321',
      me: '/api/v1/me.json',
    };
    for (const [name, token] of tokens) {
      for (const [place, path] of Object.entries(paths)) {
        const replies = await Promise.all(
          waysToAsk(path, token).map(async (request) => (await sendRaw(served.url, request))[0]?.status),
        );
        // 304 is the verdict of 200, for who has the answer already.
        const seen = new Set(replies.map((status) => (status === 304 ? 200 : status)));
        const known = verdicts[name]?.[place];
        verdicts[name] = { ...verdicts[name], [place]: [...seen].join() };
        if (known !== undefined) expect([name, place, verdicts[name][place]]).toEqual([name, place, known]);
      }
    }
    const all = (status: string) => ({
      shared: status,
      closed: status,
      foreign: status,
      absent: status,
      me: status,
    });
    expect(verdicts).toEqual({
      'of an admin': { shared: '200', closed: '200', foreign: '404', absent: '404', me: '200' },
      'of a member': { shared: '200', closed: '403', foreign: '404', absent: '404', me: '200' },
      'for organizations only': { shared: '200', closed: '200', foreign: '404', absent: '404', me: '403' },
      'for nothing but the user': { shared: '403', closed: '403', foreign: '403', absent: '403', me: '200' },
      'that ended': all('401'),
      'that was revoked': all('401'),
      'that was tampered with': all('401'),
      'that is none': all('401'),
    });
  }, 60_000);
});
