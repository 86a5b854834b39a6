import { expect, test } from 'vitest';
import { createProviderScene, inPerson, unwrap, type World } from '../../testing/index.ts';
import { inviteUser } from '../links/index.ts';
import { ok } from '../result.ts';
import type { SignInGate } from '../sign-in/index.ts';

/** Lets each sign-in enter, and counts those that have not left. */
function countPlaces(world: World) {
  const places = { taken: 0, entered: 0 };
  const gate: SignInGate = {
    async enter() {
      places.taken += 1;
      places.entered += 1;
      return ok({
        [Symbol.dispose]() {
          places.taken -= 1;
        },
      });
    },
  };
  Object.assign(world, { signInGate: gate });
  return places;
}

test('no sign-in with a password waits for a provider: its sign-ins have a place only while they are counted', async () => {
  const { world, signIn } = await createProviderScene();
  const places = countPlaces(world);
  const during: number[] = [];
  const { begin, redeem } = world.identityProviders;
  Object.assign(world.identityProviders, {
    begin(...input: Parameters<typeof begin>) {
      during.push(places.taken);
      return begin(...input);
    },
    redeem(...input: Parameters<typeof redeem>) {
      during.push(places.taken);
      return redeem(...input);
    },
  });
  unwrap(await signIn());
  expect([during, places]).toEqual([[0, 0], { taken: 0, entered: 1 }]);
});

test('the password of a new user is hashed in a place of the queue, as every password is', async () => {
  const { world, ada, signIn } = await createProviderScene();
  const input = { email: 'noor@acme.example', name: null, role: 'member' } as const;
  const { code } = unwrap(await inviteUser(world)(inPerson(ada), input));
  const places = countPlaces(world);
  const during: number[] = [];
  const { hash } = world.passwords;
  Object.assign(world.passwords, {
    hash(password: string) {
      during.push(places.taken);
      return hash(password);
    },
  });
  const purpose = { kind: 'invitation', code } as const;
  unwrap(await signIn({ subject: 'noor' }, { purpose }));
  expect([during, places.taken]).toEqual([[1], 0]);
});
