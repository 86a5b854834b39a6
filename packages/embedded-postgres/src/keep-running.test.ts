import { describe, expect, it } from 'vitest';
import { keepRunning } from './keep-running.ts';
import type { Membership } from './membership.ts';

/** A membership in a server that the test ends with `die`. */
function member(url = 'postgres://one') {
  const { promise: lost, resolve: die } = Promise.withResolvers<void>();
  let left = 0;
  const membership: Membership = {
    url,
    lost,
    async leave() {
      left += 1;
    },
  };
  return { membership, die, left: () => left };
}

/** Keeps `first` running. The attempts to join it again end with these outcomes, in this order. */
function keep(first: Membership, ...outcomes: (Membership | Error)[]) {
  const incidents: string[] = [];
  const pauses: number[] = [];
  const { promise: settled, resolve } = Promise.withResolvers<void>();
  const close = keepRunning(first, {
    async rejoin() {
      const outcome = outcomes.shift();
      if (outcomes.length === 0) setImmediate(resolve);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    onIncident: (message) => incidents.push(message),
    async pause(milliseconds) {
      pauses.push(milliseconds);
    },
  });
  return { close, incidents, pauses, settled };
}

describe('a server that dies', () => {
  it('is started again, and is left at the end', async () => {
    const [first, second] = [member(), member()];
    const { close, incidents, settled } = keep(first.membership, second.membership);
    first.die();
    await settled;
    expect(incidents).toEqual([
      'The embedded PostgreSQL is gone; restarting it.',
      'The embedded PostgreSQL is back.',
    ]);
    await close();
    expect([first.left(), second.left()]).toEqual([0, 1]);
  });

  it('is started again each time', async () => {
    const [first, second, third] = [member(), member(), member()];
    const { close, incidents, settled } = keep(first.membership, second.membership, third.membership);
    first.die();
    second.die();
    await settled;
    expect(incidents).toHaveLength(4);
    await close();
    expect(third.left()).toBe(1);
  });

  it('is tried again, with growing pauses, until it starts, and each failure is reported', async () => {
    const first = member();
    const failures = [new Error('the disk is full'), new Error('the disk is still full')];
    const { incidents, pauses, settled } = keep(first.membership, ...failures, member().membership);
    first.die();
    await settled;
    expect(incidents.slice(1, -1)).toEqual(['the disk is full', 'the disk is still full']);
    const [one = 0, other = 0] = pauses;
    expect(other).toBeGreaterThanOrEqual(one);
  });

  it('makes the program restart if it is back at another address', async () => {
    const first = member();
    const { incidents, settled } = keep(first.membership, member('postgres://another').membership);
    first.die();
    await settled;
    expect(incidents.at(-1)).toBe(
      'The embedded PostgreSQL is back at another address: restart this program.',
    );
  });
});

it('does not start a server again that was left, and leaves it once', async () => {
  const first = member();
  const { close, incidents } = keep(first.membership);
  await Promise.all([close(), close()]);
  first.die();
  await first.membership.lost;
  expect(incidents).toEqual([]);
  expect(first.left()).toBe(1);
});

it('gives up a restart that fails after the server was left', async () => {
  const first = member();
  const incidents: string[] = [];
  const { promise: failed, reject: fail } = Promise.withResolvers<undefined>();
  const close = keepRunning(first.membership, {
    rejoin: () => failed,
    onIncident: (message) => incidents.push(message),
  });
  first.die();
  await first.membership.lost;
  const closing = close();
  fail(new Error('the data folder was removed'));
  await closing;
  expect(incidents).toEqual(['The embedded PostgreSQL is gone; restarting it.']);
});
