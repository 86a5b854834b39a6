import { err } from '../result.ts';
import type { SignIn } from './sign-in.ts';

/**
 * Lets so many sign-ins be under way, and refuses any more at once: before they wait for the database, and before
 * they are counted as attempts. Without it a crowd that hashing has no room for would first have to be counted,
 * one after the other, while others wait for the same connections.
 */
export function boundSignIns(signIn: SignIn, most: number): SignIn {
  let underWay = 0;
  return async (input) => {
    if (underWay >= most) return err({ code: 'hashing_busy' });
    underWay += 1;
    try {
      return await signIn(input);
    } finally {
      underWay -= 1;
    }
  };
}
