import { SCOPES, type Scope } from '@gatehouse/domain/access';
import type { Route } from '@gatehouse/extension-kit/http';
import { describe, expect, it } from 'vitest';
import { exampleTargets, isTokenRead } from '../testing/examples.ts';
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

/** An admin by what the token may, a member who may everything, or a caller whose token is not accepted. */
type Holder = Scope | 'member' | 'refused';

function expectedStatus({ rule }: Route, outcome: string, holder: Holder): number {
  if (holder === 'refused') return 401;
  if (holder !== 'member' && holder !== '*' && rule && rule.scope !== holder) return 403;
  if (outcome === 'not_found') return 404;
  return outcome === 'not_allowed' && holder === 'member' ? 403 : 200;
}

describe('a verdict', () => {
  it('is the same by every transport, in every format and spelling, on every route that asks the same', async () => {
    await using served = await serveWorld();
    const { world } = served;
    const { admin, member, ...organizations } = await populate(world);

    const tokens: { name: string; token: string; holder: Holder }[] = [
      { name: 'of a member', token: await signInToken(world, member), holder: 'member' },
    ];
    for (const format of ['paseto', 'jwt'] as const) {
      const issue = async (parts: TokenParts = {}) =>
        (await apiToken(world, admin, { ...parts, format })).secret;
      const gone = await apiToken(world, admin, { format });
      await revoke(world, admin, gone.record.id);
      const good = await issue();
      const narrow = SCOPES.filter((scope) => scope !== '*');
      tokens.push({ name: 'of an admin', token: good, holder: '*' });
      for (const scope of narrow) {
        tokens.push({ name: `for ${scope} only`, token: await issue({ scopes: [scope] }), holder: scope });
      }
      for (const [name, token] of [
        ['that ended', await issue({ expiry: { in: 1000 } })],
        ['that was revoked', gone.secret],
        ['that was tampered with', `${good.slice(0, -3)}abc`],
        ['that is none', 'garbage'],
      ] as const) {
        tokens.push({ name, token, holder: 'refused' });
      }
    }
    world.clock.advance(1000);

    const facts = {
      shared: organizations.shared.id,
      closed: organizations.closed.id,
      foreign: organizations.foreign.id,
      email: admin.email,
    };
    const targets = [
      ...exampleTargets(facts, isTokenRead, ['success', 'not_allowed', 'not_found']),
      ...exampleTargets({ ...facts, foreign: 987_654_321 }, isTokenRead, ['not_found']),
    ];
    const statusesOf = async (target: string, token: string) => {
      const replies = await Promise.all(
        waysToAsk(target, token).map(async (request) => (await sendRaw(served.url, request))[0]?.status),
      );
      // 304 is the verdict of 200, for a caller who has the answer already.
      return [...new Set(replies.map((status) => (status === 304 ? 200 : status)))];
    };
    for (const { name, token, holder } of tokens) {
      for (const { route, outcome, target } of targets) {
        const statuses = await statusesOf(target, token);
        const place = [name, route.operationId, outcome, target];
        expect([...place, ...statuses]).toEqual([...place, expectedStatus(route, outcome, holder)]);
      }
    }
  });
});
