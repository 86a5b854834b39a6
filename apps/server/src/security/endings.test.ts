import type { Result } from '@gatehouse/domain';
import { unwrap } from '@gatehouse/domain/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, ME } from '../../testing/client.ts';
import { type Customer, type ServedCustomers, STALENESS, serveCustomers } from '../../testing/customers.ts';
import { OPERATOR } from '../../testing/postgres-server.ts';
import type { RunningServer } from '../container.ts';

let served: ServedCustomers;

beforeAll(async () => {
  served = await serveCustomers();
});
afterAll(() => served[Symbol.asyncDispose]());

type Commands = RunningServer['useCases'];

const userIs = (id: number) => `user_id = ${id}`;

interface Failure {
  readonly of: 'admin' | 'member';
  readonly byCommand?: (commands: Commands, customer: Customer) => Promise<Result<unknown, { code: string }>>;
  readonly bySql: (customer: Customer) => string;
  /** The statuses of /me.json and of the organization afterwards. */
  readonly leaves: readonly [me: number, organization: number];
}

const ENDINGS: Readonly<Record<string, Failure>> = {
  'a user who is disabled': {
    of: 'admin',
    byCommand: ({ disableUser }, { admin }) =>
      disableUser(OPERATOR, { email: admin.email, reason: null, transferTo: null }),
    bySql: ({ admin }) => `update users set disabled_at = now() where id = ${admin.id}`,
    leaves: [401, 401],
  },
  'a user who is deleted': {
    of: 'admin',
    bySql: ({ admin }) =>
      `delete from tokens where ${userIs(admin.id)}; delete from memberships where ${userIs(admin.id)};
       delete from users where id = ${admin.id}`,
    leaves: [401, 401],
  },
  'an account that is suspended': {
    of: 'admin',
    byCommand: ({ suspendAccount }, { accountId: id }) => suspendAccount(OPERATOR, { id, reason: null }),
    bySql: ({ accountId }) => `update accounts set suspended_at = now() where id = ${accountId}`,
    leaves: [401, 401],
  },
  'a role that is changed': {
    of: 'admin',
    byCommand: ({ setRole }, { admin }) => setRole(OPERATOR, { email: admin.email, role: 'member' }),
    bySql: ({ admin }) => `update users set role = 'member' where id = ${admin.id}`,
    leaves: [200, 403],
  },
  'a membership that is removed': {
    of: 'member',
    byCommand: ({ removeMember }, { organizationId, member: { email } }) =>
      removeMember(OPERATOR, { organizationId, user: { email } }),
    bySql: ({ member }) => `delete from memberships where ${userIs(member.id)}`,
    leaves: [200, 403],
  },
  'an organization that is deleted': {
    of: 'member',
    bySql: ({ organizationId: id }) =>
      `delete from memberships where organization_id = ${id}; delete from organizations where id = ${id}`,
    leaves: [200, 404],
  },
};

describe.each(Object.entries(ENDINGS))('%s', (_, { of, byCommand, bySql, leaves }) => {
  const ways = [
    ...(byCommand
      ? [
          [
            'the domain',
            async (customer: Customer) =>
              void unwrap(await byCommand(served.server.container.services.useCases, customer)),
          ] as const,
        ]
      : []),
    ['plain SQL', async (customer: Customer) => void (await served.sql(bySql(customer)))] as const,
  ];

  test.each(ways)(
    'is so for the next request on every node within the staleness bound, by %s',
    async (_, end) => {
      const customer = await served.givenCustomer();
      const paths = [ME, `/api/v1/orgs/${customer.organizationId}`];
      const statuses = () =>
        Promise.all(
          [served.server, served.other, served.forgetful].flatMap(({ url }) =>
            customer.tokens[of].flatMap((token) =>
              paths.map(async (path) => (await call(url, path, { token })).status),
            ),
          ),
        );
      const asked = (await statuses()).length;
      expect(new Set(await statuses())).toEqual(new Set([200]));
      await end(customer);
      const expected = Array.from({ length: asked / 2 }, () => leaves).flat();
      await expect.poll(statuses, STALENESS).toEqual(expected);
    },
  );
});
