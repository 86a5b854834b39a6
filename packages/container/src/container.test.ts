import { expect, test } from 'vitest';
import { createContainer, token } from './index.ts';

const Greeting = token<string>('Greeting');
const Length = token<number>('Length');

test('a thing is made from what it depends on, when it is first resolved, and once', () => {
  let made = 0;
  const container = createContainer()
    .provide(Length, (resolve) => {
      made += 1;
      return resolve(Greeting).length;
    })
    .provide(Greeting, () => 'hello');
  expect(made).toBe(0);
  expect(container.resolve(Length)).toBe(5);
  expect(container.resolve(Length)).toBe(5);
  expect(made).toBe(1);
});

test('two containers share nothing', () => {
  const one = createContainer().provide(Greeting, () => 'one');
  const two = createContainer().provide(Greeting, () => 'two');
  expect([one.resolve(Greeting), two.resolve(Greeting)]).toEqual(['one', 'two']);
});

test('resolving what nobody provided says its name', () => {
  expect(() => createContainer().resolve(token('Missing'))).toThrow('Missing');
});
