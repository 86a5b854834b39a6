import { expect, expectTypeOf, test } from 'vitest';
import { createContainer } from './container.ts';

const greeting = () =>
  createContainer()
    .provide({ greeting: () => 'hello' })
    .provide({ length: ({ greeting }) => greeting.length });

test('a service is created once, on first use', () => {
  let made = 0;
  const { services } = greeting().provide({
    double: ({ length }) => {
      made += 1;
      return 2 * length;
    },
  });
  expect(made).toBe(0);
  expect([services.double, services.double]).toEqual([10, 10]);
  expect(made).toBe(1);
});

test('two containers share nothing', () => {
  const [one, two] = [greeting(), greeting().override('greeting', () => 'hi')];
  expect([one.services.length, two.services.length]).toEqual([5, 2]);
});

test('an override replaces the original, also for services that depend on it', () => {
  const { services } = greeting().override('greeting', (_, original) => `${original()}, world`);
  expect([services.greeting, services.length]).toEqual(['hello, world', 12]);
});

test('an override of an override can create the previous one', () => {
  const twice = greeting()
    .override('greeting', (_, original) => `${original()}, you`)
    .override('greeting', (_, original) => `${original()}!`);
  expect(twice.services.greeting).toBe('hello, you!');
});

test('an override can depend on any other service', () => {
  const { services } = greeting()
    .override('greeting', ({ length }) => `${length}`)
    .override('length', () => 3);
  expect(services.greeting).toBe('3');
});

test('a service that was created cannot be overridden', () => {
  const container = greeting();
  expect(container.services.length).toBe(5);
  expect(() => container.override('greeting', () => 'hi')).toThrow('greeting cannot be overridden');
});

test('the types refuse a missing service, a duplicate, and an override of a missing service or with another type', () => {
  const container = greeting();
  // Nothing provides it.
  // @ts-expect-error
  container.provide({ wrong: ({ missing }) => missing });
  // There is one already.
  // @ts-expect-error
  expect(() => container.provide({ length: () => 3 })).toThrow('length is already provided');
  // Nothing provides it.
  // @ts-expect-error
  expect(() => container.override('missing', () => 3)).toThrow('nothing provides it');
  // It is a string.
  // @ts-expect-error
  container.override('greeting', () => 3);
  expectTypeOf(container.services).toMatchObjectType<{
    readonly greeting: string;
    readonly length: number;
  }>();
});
