import type { Delivery, DeliveryId, Lane } from '@gatehouse/domain/reactions';
import { anEvent } from '@gatehouse/domain/testing';
import { expect, test, vi } from 'vitest';
import { reactionsOf } from './extension-reactions.ts';

const USE_CASES = { list: () => [] };
const delivery = {
  id: 1 as DeliveryId,
  lane: 'account 1' as Lane,
  position: 42,
  tries: 0,
  event: anEvent({ action: 'token.revoked', accountId: 1 as never }),
} as Delivery;

function open(handle: () => Promise<void>) {
  const extension = { name: 'shifts', reactions: [{ name: 'post', on: ['token.revoked'] as const, handle }] };
  const [reaction] = reactionsOf(extension, USE_CASES, ['token.revoked']);
  return reaction ?? expect.fail();
}

test('a reaction has the name of its extension, and gets the event, its use cases and a caller', async () => {
  const handle = vi.fn(async () => undefined);
  const reaction = open(handle);
  expect([reaction.name, reaction.on]).toEqual(['shifts/post', ['token.revoked']]);
  expect(await reaction.handle(delivery)).toEqual({ kind: 'done' });
  expect(handle).toHaveBeenCalledExactlyOnceWith(
    { ...delivery.event, position: 42 },
    {
      useCases: USE_CASES,
      caller: { kind: 'operator', name: 'shifts/post', origin: 'gatehouse' },
      signal: expect.any(AbortSignal),
    },
  );
});

test('what it throws fails the try, so that it is tried again', async () => {
  const reaction = open(() => Promise.reject(new Error('the chat is away')));
  await expect(reaction.handle(delivery)).rejects.toThrow('the chat is away');
});

test('the events of an account wait in one lane', async () => {
  const reaction = open(async () => undefined);
  const other = { ...delivery, event: { ...delivery.event, accountId: null } };
  const lanes = (await reaction.address([delivery, other, delivery])).map(({ lane }) => lane);
  expect(lanes).toEqual(['account 1', 'installation', 'account 1']);
});

test('what a reaction causes does not reach it again', async () => {
  const reaction = open(async () => undefined);
  const by = (name: string) => ({
    ...delivery,
    event: { ...delivery.event, actor: { kind: 'operator', name } as const },
  });
  const addressed = await reaction.address([by('shifts/post'), by('shifts/other'), by('root')]);
  expect(addressed.map(({ event }) => event.actor)).toMatchObject([
    { name: 'shifts/other' },
    { name: 'root' },
  ]);
});

test('one that waits for an action that does not exist keeps the server from starting', () => {
  const extension = {
    name: 'shifts',
    reactions: [{ name: 'post', on: ['token.revokd'] as const, handle: async () => undefined }],
  };
  expect(() => reactionsOf(extension, USE_CASES, ['token.revoked'])).toThrow(
    'the reaction shifts/post waits for token.revokd, which no resource of this installation has',
  );
});
