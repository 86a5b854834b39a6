import { beforeEach, describe, expect, test } from 'vitest';
import {
  allPages,
  createWorldWithAdmins,
  exportedLines,
  inPerson,
  linesOf,
  OPERATOR,
  tampered,
  unwrap,
  verified,
  type World,
} from '../../testing/index.ts';
import type { Principal } from '../access/index.ts';
import { revokeToken } from '../tokens/administration/revoke-token.ts';
import { showToken, showTokenUse } from '../tokens/administration/show-token.ts';
import { updateToken } from '../tokens/administration/update-token.ts';
import { issueToken } from '../tokens/issuing/issue-token.ts';
import { rotateToken } from '../tokens/rotation/rotate-token.ts';
import type { Token } from '../tokens/token.ts';
import { actAs } from '../users/act-as.ts';
import type { User } from '../users/user.ts';
import { listAccountAuditEvents } from './list-account-audit-events.ts';
import { listAuditEvents } from './list-audit-events.ts';
import { reapplyAuditEvents } from './reapply/reapply-audit-events.ts';

describe('what an operator does for a user', () => {
  let world: World;
  let ada: User;
  let token: Token;

  beforeEach(async () => {
    ({ world, ada } = await createWorldWithAdmins());
    const asAda: Principal = unwrap(await actAs(world)(ada.email, OPERATOR));
    token = unwrap(
      await issueToken(world)(asAda, { name: 'ERP', format: 'paseto', scopes: ['*'], expiry: 'never' }),
    ).record;
    unwrap(await updateToken(world)(asAda, { id: token.id, name: 'ERP 2' }));
    unwrap(await rotateToken(world)(asAda, { id: token.id, graceMs: 0 }));
    unwrap(await revokeToken(world)(asAda, { id: token.id, reason: 'leaked' }));
  });

  const actor = () => ({ kind: 'operator', name: OPERATOR.name, for: ada.id });
  const all = async (by: string) =>
    (await allPages(unwrap(await listAuditEvents(world)(OPERATOR, { actor: by, limit: 100 })))).flat();
  const ACTIONS = ['token.revoked', 'token.created', 'token.rotated', 'token.updated', 'token.created'];

  test('names the operator, the machine and the user in each event, and in the revocation', async () => {
    const entries = await world.audit.list({ subject: { type: 'token', id: token.id }, limit: 9 });
    expect(entries).toHaveLength(4);
    for (const { event, actorEmail } of entries) {
      expect(event).toMatchObject({ actor: actor(), origin: OPERATOR.origin });
      expect(actorEmail).toBe(ada.email);
    }
    expect((await world.tokens.findRecord(token.id))?.revocation?.by).toEqual(actor());
  });

  test('is listed as done by the operator and as done for the user', async () => {
    const bySelf = inPerson(ada);
    unwrap(await issueToken(world)(bySelf, { name: 'Own', format: 'jwt', scopes: ['*'], expiry: 'never' }));
    const actions = async (by: string) => (await all(by)).map(({ event }) => event.action);
    expect(await actions(ada.email)).toEqual(['token.created', ...ACTIONS]);
    expect((await actions(OPERATOR.name)).slice(0, 5)).toEqual(ACTIONS);
  });

  test('is told to the account without the name and the machine, but for whom it was', async () => {
    const asked = { subject: { type: 'token', id: token.id }, limit: 9 } as const;
    const told = await allPages(unwrap(await listAccountAuditEvents(world)(inPerson(ada), asked)));
    const { history } = unwrap(await showToken(world)(inPerson(ada), token.id));
    for (const entries of [told.flat(), history]) {
      expect(entries).toHaveLength(4);
      for (const { event } of entries) {
        expect(event).toMatchObject({ actor: { kind: 'operator', for: ada.id }, origin: null });
      }
      expect(JSON.stringify(entries)).not.toContain(`"${OPERATOR.name}"`);
    }
    const { revokedBy } = unwrap(await showTokenUse(world)(inPerson(ada), token.id));
    expect(revokedBy).toEqual({ kind: 'operator', for: ada.email });
  });

  test('is sealed with the names: an event that is told as the user’s own is found', async () => {
    const lines = await exportedLines(world);
    expect(lines.join('\n')).toContain(
      `"actor":{"for":${ada.id},"kind":"operator","name":"${OPERATOR.name}"}`,
    );
    expect(await verified(world, lines)).toMatchObject({ found: 0 });
    const forged = tampered(world, (stored) =>
      stored.event.actor.kind === 'operator' && stored.event.actor.for !== undefined
        ? { ...stored, event: { ...stored.event, actor: { kind: 'user', id: ada.id } } }
        : stored,
    );
    const { findings } = await verified(forged, lines);
    expect(findings.map(({ kind }) => kind)).toContain('event_changed');
  });

  test('is made again after a restore, by the operator who restores', async () => {
    await exportedLines(world);
    const restored = { ...world, ...world.backUp() };
    const asAda = unwrap(await actAs(world)(ada.email, OPERATOR));
    const [successor] = await world.tokens.list({
      name: 'ERP 2',
      state: 'active',
      now: world.clock.now(),
      limit: 1,
    });
    const id = successor?.id ?? expect.fail('there is no successor');
    unwrap(await revokeToken(world)(asAda, { id, reason: 'leaked' }));
    const exported = linesOf(await exportedLines(world));
    const found = unwrap(await reapplyAuditEvents(restored)(OPERATOR, { exported }));
    const outcomes = [];
    for await (const { outcome } of found.reapply()) outcomes.push(outcome);
    expect(outcomes).toEqual(['done']);
    expect((await restored.tokens.findRecord(id))?.revocation?.by).toEqual({
      kind: 'operator',
      name: OPERATOR.name,
    });
  });
});
