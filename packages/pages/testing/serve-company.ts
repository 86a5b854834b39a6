import { anEvent, givenPerson, givenToken } from '@gatehouse/domain/testing';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import { DAY } from './serve-list.ts';
import { type PageScene, servePages } from './serve-pages.ts';

/** More tokens than a page of the list shows. */
const TOKENS = 60;

const OWNERS = ['Ada Lovelace', 'Grace Hopper', 'Katherine Johnson', 'Annie Easley'];

const SYSTEMS = [
  'Warehouse stock',
  'Payroll department',
  'Customer portal',
  'Intranet directory',
  'Door badges',
];

const SCOPES = [['orgs:read'], ['me:read', 'orgs:read'], ['*'], ['orgs:read']] as const;

/** Long addresses of IPv6, with which pages are the largest. */
const addressOf = (index: number, program: number) =>
  `2001:db8:${4200 + index}:${8000 + program}:9c5e:77ff:fe21:1017`;

const of = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;

/**
 * The pages of an account with more tokens and events than a page lists, as a company has them: of several owners, most of
 * them used from an address and with an end, some refused.
 */
export const serveCompany = () => servePages({ given: givenCompany });

async function givenCompany({ world, people }: PageScene) {
  const accountId = people.account.id;
  const now = world.clock.now();
  const days = (count: number): Instant => addMilliseconds(now, Math.round(count * DAY));
  const owners = await Promise.all(
    OWNERS.map((name) =>
      givenPerson(world, { accountId, email: `${name.toLowerCase().replace(' ', '.')}@acme.example`, name }),
    ),
  );
  for (let index = 0; index < TOKENS; index += 1) {
    const owner = of(owners, index);
    const name = `${of(SYSTEMS, index)} export ${index + 100}`;
    const expiresAt = index % 7 === 0 ? null : days(index * 6.3 + 0.6);
    const parts = { name, scopes: of(SCOPES, index), createdAt: days(-200), expiresAt };
    const { id } = await givenToken(world, owner, parts);
    if (index % 5 < 4) world.usage.used(id, days(-1.7 * index), addressOf(index, 1));
    if (index % 4 === 0)
      world.usage.refused(id, days(-1.4 * index), 'insufficient_scope', addressOf(index, 2));
    await world.accounts.insert({ name: 'Another', createdAt: now }, () =>
      anEvent({
        action: index % 3 === 0 ? 'token.revoked' : 'token.created',
        subject: { type: 'token', id },
        actor: { kind: 'user', id: owner.id },
        details: { name },
        origin: addressOf(index, 3),
        at: days(index - TOKENS),
        accountId,
      }),
    );
  }
  await world.usage.flush();
  return {};
}
