import { expect, test } from 'vitest';
import { firstAnswers } from './answers.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Two processes that answer, and a time that is over, when the test says so. */
function askTwo() {
  const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const { promise: late, resolve: beLate } = Promise.withResolvers<void>();
  let answers: readonly (string | undefined)[] | undefined;
  void firstAnswers([one.promise, other.promise], late).then((given) => {
    answers = given;
  });
  return { one, other, beLate, answers: () => settled().then(() => answers) };
}

test('if all of them are late, the first response is waited for', async () => {
  const { other, beLate, answers } = askTwo();
  beLate();
  expect(await answers()).toBeUndefined();
  other.resolve('trusted');
  expect(await answers()).toEqual([undefined, 'trusted']);
});

test('after the first response the others are waited for until the time limit', async () => {
  const { one, beLate, answers } = askTwo();
  one.resolve('trusted');
  expect(await answers()).toBeUndefined();
  beLate();
  expect(await answers()).toEqual(['trusted', undefined]);
});

test('nothing is waited for if all have responded, or there are no processes', async () => {
  const { one, other, answers } = askTwo();
  one.resolve('trusted');
  other.resolve('not trusted');
  expect(await answers()).toEqual(['trusted', 'not trusted']);
  expect(await firstAnswers([], new Promise(() => undefined))).toEqual([]);
});
