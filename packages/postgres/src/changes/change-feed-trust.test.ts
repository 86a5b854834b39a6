import { expect, test } from 'vitest';
import { trustProblem } from './change-feed-trust.ts';

const GOOD = {
  pid: 5,
  announcedPid: 5,
  listening: true,
  inRecovery: false,
  nonceHeard: true,
  wrongServer: undefined,
};

test('a heartbeat of a connection that receives notifications is trusted', () => {
  expect(trustProblem(GOOD)).toBeUndefined();
});

test.each([
  [{ pid: 6 }, 'pooler'],
  [{ announcedPid: undefined }, 'pooler'],
  [{ inRecovery: true }, 'standby'],
  [{ listening: false }, 'does not listen'],
  [{ nonceHeard: false }, 'does not arrive'],
  [{ wrongServer: 'leads to a primary that was replaced' }, 'the listening connection leads to a primary'],
])('one where %j is not, and says why', (flaw, reason) => {
  expect(trustProblem({ ...GOOD, ...flaw })).toContain(reason);
});
