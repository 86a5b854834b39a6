import { expect, test } from 'vitest';
import { defineExtension, type Extension } from './extension.ts';
import type { Guard } from './guard.ts';
import { defineRefusals } from './refusals.ts';

const REFUSALS = defineRefusals({
  no_gauge: { status: 409, title: 'There is no gauge.', exit: 'conflict' },
});
const GAUGES: Extension = {
  name: 'gauges',
  rules: [],
  domain: () => expect.fail(),
  postgres: () => expect.fail(),
  testing: () => expect.fail(),
};
const reaction = (name: string) => ({ name, on: ['token.revoked'] as const, handle: async () => undefined });
const GUARD: Guard = { on: 'token.create', refusals: [REFUSALS.no_gauge], check: () => undefined };

test.each(['', 'Post', 'post_it', 'post/it', '1st', 'a'.repeat(64)])('the reaction %j is refused', (name) => {
  expect(() => defineExtension({ ...GAUGES, reactions: [reaction(name)] })).toThrow(
    `gauges: the reaction ${JSON.stringify(name)} needs a name in lower case with dashes`,
  );
});

test('two reactions of one name are refused, because they would share their position', () => {
  const reactions = [reaction('post'), reaction('mail'), reaction('post')];
  expect(() => defineExtension({ ...GAUGES, reactions })).toThrow('gauges: two reactions have the name post');
  expect(defineExtension({ ...GAUGES, reactions: reactions.slice(0, 2) })).toHaveProperty('reactions');
});

test('a guard with a refusal that the extension does not describe is refused, at once', () => {
  expect(() => defineExtension({ ...GAUGES, guards: [GUARD] })).toThrow(
    'gauges: the guard of token.create needs no_gauge, which `refusals` must describe',
  );
  expect(defineExtension({ ...GAUGES, refusals: REFUSALS, guards: [GUARD] })).toHaveProperty('guards');
});
