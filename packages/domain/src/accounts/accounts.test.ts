import { beforeEach, describe, expect, test } from 'vitest';
import { allPages, createWorld, givenAccount, OPERATOR, START, type World } from '../../testing/index.ts';
import { err, ok } from '../result.ts';
import type { Account, AccountId } from './account.ts';
import { listAccounts, resumeAccount, suspendAccount } from './manage-accounts.ts';
import { showAccount } from './show-account.ts';

describe('accounts', () => {
  let world: World;
  let acme: Account;

  beforeEach(async () => {
    world = await createWorld();
    acme = await givenAccount(world, 'Acme');
  });

  const newestEvent = async () => (await world.audit.list({ limit: 1 }))[0]?.event;
  const suspend = (reason: string | null = null, id = acme.id) =>
    suspendAccount(world)(OPERATOR, { id, reason });

  test('unknown ones are not found', async () => {
    const unknown = 999 as AccountId;
    const refusal = err({ code: 'account_not_found' });
    expect(await showAccount(world)(OPERATOR, { id: unknown, limit: 1 })).toEqual(refusal);
    expect(await suspend(null, unknown)).toEqual(refusal);
    expect(await resumeAccount(world)(OPERATOR, unknown)).toEqual(refusal);
  });

  test('are listed in pages', async () => {
    const bolt = await givenAccount(world, 'Bolt');
    const listed = await listAccounts(world)(OPERATOR);
    expect(listed.ok && (await allPages(listed.value))).toEqual([[acme, bolt]]);
  });

  test('are suspended with a reason, once, and resumed', async () => {
    expect(await suspend('invoice overdue')).toMatchObject(
      ok({ account: { suspendedAt: START }, already: false }),
    );
    expect(await newestEvent()).toMatchObject({
      action: 'account.suspended',
      subject: { type: 'account', id: String(acme.id) },
      accountId: acme.id,
      details: { name: 'Acme', reason: 'invoice overdue' },
    });
    world.clock.advance(1000);
    expect(await suspend()).toMatchObject(ok({ account: { suspendedAt: START }, already: true }));
    const resume = () => resumeAccount(world)(OPERATOR, acme.id);
    expect(await resume()).toEqual(ok({ account: acme, already: false }));
    expect(await newestEvent()).toMatchObject({ action: 'account.resumed', details: { name: 'Acme' } });
    expect(await resume()).toEqual(ok({ account: acme, already: true }));
  });

  test('are not suspended with an invalid reason', async () => {
    expect(await suspend('x'.repeat(501))).toMatchObject({ error: { problems: [{ field: 'reason' }] } });
    expect(await world.accounts.findById(acme.id)).toEqual(acme);
  });
});
