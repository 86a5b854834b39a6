import { givenEnrolled, PASSWORD } from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';
import type { PageScene as Scene } from './serve-pages.ts';

/** Enrols a user, and returns functions that sign in. @param user default: the admin of the scene */
export async function withSecondFactor(scene: Scene, user: User = scene.people.admin) {
  const factor = await givenEnrolled(scene.world, user);
  const atCode = async (path = '/sign-in') => {
    const visitor = scene.visitor();
    return { visitor, page: await visitor.signIn({ email: user.email, password: PASSWORD }, path) };
  };
  return {
    ...factor,
    /** Gives the password, and stops at the page of the code. */
    atCode,
    /** Signs in with password and code. */
    async signedIn() {
      scene.world.clock.advance(60_000);
      const { visitor, page } = await atCode();
      const done = await page.submit('Continue', { Code: factor.code() });
      if (done.path === '/sign-in/code') throw new Error(`not signed in: ${done.text}`);
      scene.world.clock.advance(60_000);
      return visitor;
    },
    password: PASSWORD,
  };
}
