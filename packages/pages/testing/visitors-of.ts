import { GOOD } from '@gatehouse/domain/testing';
import { createVisitor } from './visitor.ts';

/** Returns functions that make visitors of a server. */
export function visitorsOf(url: string) {
  const visitor = () => createVisitor(url);
  return {
    visitor,
    /** Makes a visitor who has signed in, by default as the admin. */
    async signedIn(credentials = GOOD) {
      const visiting = visitor();
      const page = await visiting.signIn(credentials, '/sign-in?next=%2Fsettings%2Fpassword');
      if (page.path !== '/settings/password') throw new Error(`not signed in: ${page.text}`);
      return visiting;
    },
  };
}
