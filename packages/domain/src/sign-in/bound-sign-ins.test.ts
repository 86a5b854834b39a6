import { expect, test, vi } from 'vitest';
import { type Admission, boundSignIns, err, ok, type SignIn } from '../index.ts';

const INPUT = { email: 'ada@acme.example', password: 'a heavy press, twice', address: '192.0.2.1' };
const BUSY = err({ code: 'hashing_busy' } as const);

test('nothing is done for a sign-in that is not admitted', async () => {
  const signIn = vi.fn<SignIn>();
  const refuse: Admission = async () => BUSY;
  expect(await boundSignIns(signIn, refuse)(INPUT)).toEqual(BUSY);
  expect(signIn).not.toHaveBeenCalled();
});

test.each([ok('token'), err({ code: 'credentials_not_accepted' } as const)])(
  'a sign-in that is admitted ends as it does: %j',
  async (outcome) => {
    const signIn = vi.fn<SignIn>(async () => outcome);
    const admit: Admission = async (work) => ok(await work());
    expect(await boundSignIns(signIn, admit)(INPUT)).toEqual(outcome);
    expect(signIn).toHaveBeenCalledExactlyOnceWith(INPUT);
  },
);
