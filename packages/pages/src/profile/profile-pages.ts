import { PASSWORD, PROFILE, SESSIONS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { passwordPage } from './password.ts';
import { profilePage } from './profile.ts';
import { sessionsPage } from './sessions.ts';

/** The pages of the user who is signed in, by their paths. */
export const profilePages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [PROFILE]: signedIn(profilePage(ports)),
  [SESSIONS]: signedIn(sessionsPage(ports)),
  [PASSWORD]: signedIn(passwordPage(ports)),
});
