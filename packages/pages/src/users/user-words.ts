import type { Instant } from '@gatehouse/domain/time';
import type { Role, User } from '@gatehouse/domain/users';
import { state } from '../elements/inline.ts';
import { time } from '../elements/time.ts';
import { type Html, html, type Shown } from '../html.ts';

export const ROLE_WORDS: Readonly<Record<Role, string>> = { admin: 'Admin', member: 'Member' };

export function userState({ disabledAt }: Pick<User, 'disabledAt'>): Html {
  return disabledAt === null ? state('good', 'Active') : state('neutral', 'Disabled');
}

/** Says when a user last signed in. */
export function lastSignIn(at: Instant | null, now: Instant): Shown {
  return at === null ? html`<small>Never</small>` : time(at, now);
}
