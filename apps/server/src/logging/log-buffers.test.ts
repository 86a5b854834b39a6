import { expect, test } from 'vitest';
import { createLogBuffers } from './log-buffers.ts';

test('buffers are empty once all of their lines are taken', () => {
  const buffers = createLogBuffers(1000);
  const states = [buffers.isEmpty()];
  buffers.add('refusals', 'one\n');
  states.push(buffers.isEmpty());
  expect(buffers.take(100)).toBe('one\n');
  expect([...states, buffers.isEmpty()]).toEqual([true, false, true]);
});
