import { authorized, type Principal, READ_ME } from '@gatehouse/domain/access';
import { createPorts, createWorldWithAdmins, inPerson, OPERATOR } from '@gatehouse/domain/testing';
import { expect, expectTypeOf, test } from 'vitest';
import { createUseCases, make, makeLazy, type PortsOf, useCasesIn, without } from './use-cases.ts';

test('a use case that a folder exports is available by its name, and others are not', async () => {
  const useCases = createUseCases(createPorts());
  expect(await useCases.createAccount(OPERATOR, { name: 'Acme' })).toMatchObject({ ok: true });
  expect(useCases).toHaveProperty('actAs');
  for (const name of ['exportAuditEvents', 'getOrganization', 'parseAccountId', 'eventBy']) {
    expect(useCases).not.toHaveProperty(name);
  }
});

const greet = authorized(
  READ_ME,
  ({ greeting }: { readonly greeting: string }) =>
    async (caller: Principal, name: string) =>
      `${greeting}, ${name}, says ${caller.role}`,
);
const count = authorized(
  READ_ME,
  ({ step }: { readonly step: number }) =>
    async () =>
      step + 1,
);
const SET = { greet, count };

const { ada } = await createWorldWithAdmins();
const caller = inPerson(ada);

test('a set is made on the ports of all its use cases', async () => {
  expectTypeOf<PortsOf<typeof SET>>().toEqualTypeOf<
    { readonly greeting: string } & { readonly step: number }
  >();
  const made = make(SET, { greeting: 'Hello', step: 1 });
  expect(await made.greet(caller, 'Ada')).toBe('Hello, Ada, says admin');
  expect(await made.count(caller)).toBe(2);
  // One use case takes it.
  // @ts-expect-error
  make(SET, { greeting: 'Hello' });
});

test('lazy ports are created when a use case is called, and not before', async () => {
  let created = 0;
  const made = makeLazy(SET, async () => {
    created += 1;
    return { greeting: 'Hello', step: created };
  });
  expect(created).toBe(0);
  expect(await made.count(caller)).toBe(2);
  expect(await made.greet(caller, 'Ada')).toBe('Hello, Ada, says admin');
});

test('of the exports of a folder, use cases are found, and others can be taken out', () => {
  const folder = { greet, count, LIMIT: 7, parse: (text: string) => text };
  const found = useCasesIn(folder);
  expect(found).toEqual(SET);
  expectTypeOf<keyof typeof found>().toEqualTypeOf<'greet' | 'count'>();
  expect(without(found, { greet })).toEqual({ count });
});
