import { START } from '@gatehouse/domain/testing';
import { addMilliseconds, type Instant } from '@gatehouse/domain/time';
import { expect, test } from 'vitest';
import { PendingAddresses } from './pending-addresses.ts';

const at = (seconds: number): Instant => addMilliseconds(START, 1000 * seconds);
const aRoom = (left = 100) => ({ left });
const seen = (addresses: PendingAddresses) =>
  addresses.toStored().map(({ address, times }) => [address, times]);

test('all addresses of an IPv6 network are one, and IPv4 is one however it is written', () => {
  const addresses = new PendingAddresses();
  const room = aRoom();
  for (let host = 1; host <= 1000; host += 1) addresses.add(`2001:db8::${host}`, at(host), undefined, room);
  for (const text of ['10.0.0.1', '::ffff:10.0.0.1', '10.0.0.1']) addresses.add(text, at(0), undefined, room);
  expect(seen(addresses)).toEqual([
    ['2001:db8::/64', 1000],
    ['10.0.0.1', 3],
  ]);
  expect(room.left).toBe(98);
});

test('a flood of addresses holds five', () => {
  const addresses = new PendingAddresses();
  const room = aRoom();
  for (let index = 0; index < 100_000; index += 1) {
    addresses.add(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, at(index), undefined, room);
  }
  expect(addresses.toStored().map(({ last }) => last)).toEqual(
    [99_999, 99_998, 99_997, 99_996, 99_995].map(at),
  );
  expect(room.left).toBe(95);
});

test('without room, a token keeps as many addresses as it has', () => {
  const [first, second] = [new PendingAddresses(), new PendingAddresses()];
  const room = aRoom(1);
  first.add('10.0.0.1', at(1), undefined, room);
  first.add('10.0.0.2', at(2), undefined, room);
  second.add('10.0.0.3', at(3), undefined, room);
  expect([seen(first), seen(second)]).toEqual([[['10.0.0.2', 1]], []]);
  second.addEarlier(first, room);
  expect(seen(second)).toEqual([]);
});

test('failed attempts to store lose no address that is among the last five', () => {
  const recorded = [1, 2, 1, 3, 4, 4, 5, 6, 2, 7].map(
    (host, index) => [`10.0.0.${host}`, at(index)] as const,
  );
  const pending = (part: typeof recorded) => {
    const addresses = new PendingAddresses();
    for (const [address, moment] of part) addresses.add(address, moment, undefined, aRoom());
    return addresses;
  };
  const last = (addresses: PendingAddresses) => addresses.toStored().map(({ address }) => address);
  for (let length = 1; length < recorded.length; length += 1) {
    const since = pending(recorded.slice(length));
    since.addEarlier(pending(recorded.slice(0, length)), aRoom());
    expect(last(since), `after ${length}`).toEqual(last(pending(recorded)));
  }
});
