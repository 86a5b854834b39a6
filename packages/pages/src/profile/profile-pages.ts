import {
  NOTIFICATIONS,
  PASSWORD,
  PROFILE,
  RECOVERY_CODES,
  REMOVE_SECOND_FACTOR,
  SECOND_FACTOR,
  SESSIONS,
} from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { notificationsPage } from './notifications.ts';
import { passwordPage } from './password.ts';
import { profilePage } from './profile.ts';
import { recoveryCodesPage } from './second-factor/recovery-codes.ts';
import { removeSecondFactorPage } from './second-factor/remove.ts';
import { secondFactorPage } from './second-factor/second-factor.ts';
import { sessionsPage } from './sessions.ts';

/** The pages of the user who is signed in, by their paths. */
export const profilePages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [PROFILE]: signedIn(profilePage(ports)),
  [SESSIONS]: signedIn(sessionsPage(ports)),
  [PASSWORD]: signedIn(passwordPage(ports)),
  [SECOND_FACTOR]: signedIn(secondFactorPage(ports)),
  [RECOVERY_CODES]: signedIn(recoveryCodesPage(ports)),
  [NOTIFICATIONS]: signedIn(notificationsPage(ports)),
  [REMOVE_SECOND_FACTOR]: signedIn(removeSecondFactorPage(ports)),
});
