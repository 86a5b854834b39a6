import { USERS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { disableUserPage } from './disable-user.ts';
import { enableUserPage } from './enable-user.ts';
import { userPage } from './user.ts';
import { userListPage } from './user-list.ts';
import { userRolePage } from './user-role.ts';

/** The pages of the area `Users`, by their paths. */
export const usersPages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [USERS]: signedIn(userListPage(ports)),
  [`${USERS}/:id`]: signedIn(userPage(ports)),
  [`${USERS}/:id/role`]: signedIn(userRolePage(ports)),
  [`${USERS}/:id/disable`]: signedIn(disableUserPage(ports)),
  [`${USERS}/:id/enable`]: signedIn(enableUserPage(ports)),
});
