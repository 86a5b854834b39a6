import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Account, AccountId } from '../../src/accounts/index.ts';
import type { Actor, AuditEntry, AuditEvent, AuditFilter } from '../../src/audit/index.ts';
import type { Repositories } from '../../src/index.ts';
import { addMilliseconds, type Instant } from '../../src/time/index.ts';
import type { UserId } from '../../src/users/index.ts';
import { anEvent, aTokenId, givenAccount, givenUser, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { openRepositories } from './open-repositories.ts';

export function auditLogContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of AuditLog`, () => {
    const store = openRepositories(open);

    test('an event is read as it was written', async () => {
      const account = await givenAccount(store());
      const event = anEvent({
        at: START,
        actor: { kind: 'user', id: (2 ** 40) as UserId },
        origin: '2001:db8::1',
        action: 'account.suspended',
        subject: { type: 'account', id: String(account.id) },
        accountId: account.id,
        details: { name: 'Näme', scopes: ['me:read'], expires_at: null, count: 3, sure: true },
      });
      await store().accounts.suspend(account.id, START, event);
      expect(await store().audit.list({ limit: 1 })).toEqual([
        { id: expect.any(Number), event, actorEmail: null },
      ]);
    });

    test('the newest entries come first, up to the limit', async () => {
      const ids: AccountId[] = [];
      for (const name of ['one', 'two', 'three']) {
        const insert = { name, createdAt: START };
        const created = await store().accounts.insert(insert, (account) =>
          anEvent({ subject: { type: 'account', id: String(account.id) } }),
        );
        ids.unshift(created.id);
      }
      const listed = await store().audit.list({ limit: 3 });
      expect(listed.map(({ event }) => Number(event.subject.id))).toEqual(ids);
      expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toSorted((a, b) => b - a));
      expect(await store().audit.list({ limit: 2 })).toEqual(listed.slice(0, 2));
    });

    test('an actor who is a user, and the user for whom an operator acted, is named by the email', async () => {
      const account = await givenAccount(store());
      const user = await givenUser(store(), account.id);
      await givenEvents(store(), account, [
        { actor: { kind: 'user', id: user.id } },
        { actor: { kind: 'operator', name: user.email } },
        { actor: { kind: 'operator', name: 'root', for: user.id } },
        { actor: { kind: 'operator', name: 'root', for: (2 ** 40) as UserId } },
      ]);
      const listed = await store().audit.list({ accountId: account.id, limit: 9 });
      expect(listed.map(({ actorEmail }) => actorEmail)).toEqual([null, user.email, null, user.email]);
    });

    describe('filters', () => {
      const USER = { kind: 'user', id: 77 as UserId } as const;
      const ROOT = { kind: 'operator', name: 'root' } as const;
      const ROOT_FOR_USER = { kind: 'operator', name: 'root', for: USER.id } as const;
      const TOKEN = { type: 'token', id: aTokenId() } as const;
      const minute = (minutes: number) => addMilliseconds(START, minutes * 60_000);
      let account: Account;
      let all: readonly AuditEntry[];
      beforeAll(async () => {
        account = await givenAccount(store());
        const actors = [
          USER,
          ROOT,
          { kind: 'operator', name: '77' },
          ROOT_FOR_USER,
          { kind: 'operator', name: 'eve', for: 78 as UserId },
        ] as const;
        const actions = ['token.created', 'token.revoked'] as const;
        const subjects = [TOKEN, { type: 'key', id: TOKEN.id }, { type: 'token', id: aTokenId() }] as const;
        const parts = actors.flatMap((actor) =>
          actions.flatMap((action) => subjects.map((subject) => ({ actor, action, subject }))),
        );
        // The times are not in the order of writing, because only the order of the log counts.
        await givenEvents(
          store(),
          account,
          parts.map((part, index) => ({ ...part, at: minute((index * 7) % parts.length) })),
        );
        all = await store().audit.list({ accountId: account.id, limit: 100 });
      });

      type Filter = Omit<AuditFilter, 'accountId'>;
      /** The values of each part of a filter. */
      const VALUES: readonly (readonly Filter[])[] = [
        [{ actor: USER }, { actor: ROOT }, { actor: ROOT_FOR_USER }],
        [
          { actions: ['token.revoked'] },
          { actions: ['user.created', 'token.created', 'token.revoked'] },
          { actions: [] },
        ],
        [{ subject: TOKEN }],
        [{ since: minute(5) }, { since: Date.parse('0000-01-01T00:00:00Z') as Instant }],
        [{ until: minute(5) }],
      ];
      /** The values of a filter that names users and tokens. */
      const NAMED: typeof VALUES = [
        [{ users: [USER.id] }, { users: [] }, { users: [78 as UserId, 79 as UserId] }],
        [{ tokens: [TOKEN.id] }, { tokens: [aTokenId(), TOKEN.id] }],
        [{ actor: ROOT }, { subject: TOKEN }],
        [{ actions: ['token.revoked'] }],
        [{ since: minute(5), until: minute(20) }],
      ];
      const everyCombination = [VALUES, NAMED].flatMap((parts) =>
        parts.reduce<readonly Filter[]>(
          (filters, values) =>
            filters.flatMap((filter) => [filter, ...values.map((value) => ({ ...filter, ...value }))]),
          [{}],
        ),
      );

      test('every filter, and every combination of them, selects exactly the matching events', async () => {
        expect(all).toHaveLength(30);
        for (const filter of everyCombination) {
          const expected = all.filter(({ event }) => takes(filter, event));
          const listed = await store().audit.list({ ...filter, accountId: account.id, limit: 100 });
          expect(listed, JSON.stringify(filter)).toEqual(expected);
        }
      });

      test('pages follow each other without a gap and without a repetition', async () => {
        for (const filter of everyCombination) {
          const expected = all.filter(({ event }) => takes(filter, event));
          const paged: AuditEntry[] = [];
          for (let left = true; left && paged.length <= expected.length; ) {
            const page = { accountId: account.id, before: paged.at(-1)?.id, limit: 2 };
            const read = await store().audit.list({ ...filter, ...page });
            paged.push(...read);
            left = read.length > 0;
          }
          expect(paged, JSON.stringify(filter)).toEqual(expected);
        }
      });

      test('events of many users are in order, although one of them did much more than the others', async () => {
        const other = await givenAccount(store());
        const by = (id: number): Partial<AuditEvent> => ({ actor: { kind: 'user', id: id as UserId } });
        const ids = [...Array(40).fill(101), ...Array(40).fill(102), 103];
        await givenEvents(store(), other, ids.map(by));
        const written = await store().audit.list({ accountId: other.id, limit: 100 });
        const users = Array.from({ length: 500 }, (_, index) => (101 + index) as UserId);
        const listed = await store().audit.list({ accountId: other.id, users, limit: 60 });
        expect(listed).toEqual(written.slice(0, 60));
        const next = { accountId: other.id, users, before: listed.at(-1)?.id, limit: 60 };
        expect(await store().audit.list(next)).toEqual(written.slice(60));
      });

      test('events of another account and of no account are not listed for the account', async () => {
        const other = await givenAccount(store());
        await givenEvents(store(), other, [{}, { accountId: null }]);
        expect(await store().audit.list({ accountId: other.id, limit: 9 })).toHaveLength(1);
        expect(await store().audit.list({ accountId: account.id, limit: 100 })).toEqual(all);
      });

      test('events of another account are not listed by any filter', async () => {
        const others = [await givenAccount(store()), await givenAccount(store())] as const;
        const event = { actor: USER, action: 'token.revoked', subject: TOKEN, at: minute(5) } as const;
        for (const other of others) await givenEvents(store(), other, [event]);
        const filters: readonly Filter[] = [
          {},
          { actor: USER },
          { users: [USER.id] },
          { tokens: [TOKEN.id] },
          { subject: TOKEN },
          { actions: ['token.revoked'] },
          { since: minute(5), until: minute(6) },
        ];
        for (const { id: accountId } of others)
          for (const filter of filters) {
            const listed = await store().audit.list({ ...filter, accountId, limit: 9 });
            expect(
              listed.map((entry) => entry.event.accountId),
              JSON.stringify(filter),
            ).toEqual([accountId]);
          }
      });
    });
  });
}

function takes(filter: AuditFilter, event: AuditEvent): boolean {
  const { actor, users, tokens, actions, subject, since, until } = filter;
  const isByAnyOf = (ids: readonly UserId[]) =>
    actorsOf(event.actor).some((each) => each.kind === 'user' && ids.includes(each.id));
  if (users && !isByAnyOf(users)) return false;
  if (tokens && !(event.subject.type === 'token' && tokens.some((id) => id === event.subject.id)))
    return false;
  if (actor && !actorsOf(event.actor).some((each) => isDeepStrictEqual(actor, each))) return false;
  if (actions && !actions.includes(event.action)) return false;
  if (subject && (subject.type !== event.subject.type || subject.id !== event.subject.id)) return false;
  return (since ?? Number.NEGATIVE_INFINITY) <= event.at && event.at < (until ?? Number.POSITIVE_INFINITY);
}

/** All that an event is listed by: an operator who acted for a user, the operator, and the user. */
function actorsOf(actor: Actor): readonly Actor[] {
  if (actor.kind !== 'operator' || actor.for === undefined) return [actor];
  return [actor, { kind: 'operator', name: actor.name }, { kind: 'user', id: actor.for }];
}

/** Writes events of the account in sequence. */
async function givenEvents(
  store: Repositories,
  { id: accountId }: Account,
  events: readonly Partial<AuditEvent>[],
): Promise<void> {
  for (const parts of events) {
    await store.accounts.insert({ name: 'Another', createdAt: START }, () =>
      anEvent({ accountId, ...parts }),
    );
  }
}
