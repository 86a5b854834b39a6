import { UnavailableFault } from '@gatehouse/domain';
import { expect, test } from 'vitest';
import { AS_ADA, givenAda } from '../../testing/ada.ts';
import { DataFolderExposed } from './command-error.ts';
import { failureOf } from './failure.ts';
import { refusal } from './refusals.ts';

const FOREIGN = 'evil\r\nok  a line of its own';

test.each([
  ['a fault of the database', new UnavailableFault(FOREIGN)],
  ['a path', new DataFolderExposed(FOREIGN)],
  ['the system', Object.assign(new Error(FOREIGN), { syscall: 'write' })],
])('an error with text from %s is one line', (_source, error) => {
  expect(failureOf(error).lines).toEqual([expect.stringContaining(FOREIGN)]);
});

test('a defect’s stack has its lines, and its message is one line', () => {
  const [message, ...frames] = failureOf(new TypeError(FOREIGN)).lines ?? [];
  expect(message).toBe(`error: TypeError: ${FOREIGN}`);
  expect(frames.length).toBeGreaterThan(1);
  for (const frame of frames) expect(frame).toMatch(/^ {4}at /);
  expect(failureOf('no error').lines).toEqual(['error: no error']);
});

test('several problems are one line each', () => {
  const problems = [
    { field: 'name', message: 'must be short' },
    { field: 'expires_at', message: 'must be in the future' },
  ];
  expect(failureOf(refusal({ code: 'invalid_input', problems })).lines).toEqual([
    'error: the name must be short',
    'the expires at must be in the future',
  ]);
});

test('line breaks in an error’s text do not start new lines', async () => {
  const { run, gatehouse } = await givenAda();
  Object.assign(gatehouse, { listTokens: () => Promise.reject(new TypeError(FOREIGN)) });
  const { stderr } = await run(['token', 'list', ...AS_ADA]);
  expect(stderr).toContain('error: TypeError: evil\ufffd\ufffdok  a line of its own\n    at ');
});
