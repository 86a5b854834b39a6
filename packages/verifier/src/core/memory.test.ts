import { expect, test } from 'vitest';
import { createMemory } from './memory.ts';

test('a change forgets every answer that depends on the record, and no other', () => {
  const memory = createMemory<string>(10);
  memory.keep('a', 'first', ['token:1', 'user:1']);
  memory.keep('b', 'second', ['token:2', 'user:1']);
  memory.keep('c', 'third', ['token:3', 'user:2']);
  memory.drop('user:1');
  expect(['a', 'b', 'c'].map(memory.get)).toEqual([undefined, undefined, 'third']);
});

test('an answer that is kept after a change is forgotten by the next change', () => {
  const memory = createMemory<string>(10);
  memory.keep('a', 'old', ['user:1']);
  memory.keep('b', 'old', ['user:1']);
  memory.drop('user:1');
  memory.keep('a', 'new', ['user:1']);
  // The old answer leaves memory, and must not take the new answer's source with it.
  expect(memory.get('b')).toBeUndefined();
  expect(memory.get('a')).toBe('new');
  memory.drop('user:1');
  expect(memory.get('a')).toBeUndefined();
});

test('an answer that replaces another depends on its own records only', () => {
  const memory = createMemory<string>(10);
  memory.keep('a', 'of user 1', ['user:1']);
  memory.keep('a', 'of user 2', ['user:2']);
  memory.drop('user:1');
  expect(memory.get('a')).toBe('of user 2');
  memory.drop('user:2');
  expect(memory.get('a')).toBeUndefined();
});

test('if memory is full, an answer that was not read makes room', () => {
  const memory = createMemory<string>(3);
  for (const key of ['a', 'b', 'c']) memory.keep(key, key, [key]);
  memory.get('a');
  memory.keep('d', 'd', ['d']);
  expect(['a', 'b', 'c', 'd'].map(memory.get)).toEqual(['a', undefined, 'c', 'd']);
});

test('the limit holds though every answer was read', () => {
  const memory = createMemory<string>(100);
  for (let serial = 0; serial < 1000; serial += 1) {
    memory.keep(`${serial}`, 'answer', ['user:1']);
    memory.get(`${serial}`);
  }
  expect(memory.size).toBe(100);
});
