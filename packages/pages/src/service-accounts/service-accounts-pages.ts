import { NEW_SERVICE_ACCOUNT, SERVICE_ACCOUNTS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { editServiceAccountPage } from './edit-service-account.ts';
import { newServiceAccountPage } from './new-service-account.ts';
import { serviceAccountPage } from './service-account.ts';
import { serviceAccountListPage } from './service-account-list.ts';

/** The pages of the area `Service accounts`, by their paths. The pages of users change the role, disable and enable. */
export const serviceAccountsPages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [SERVICE_ACCOUNTS]: signedIn(serviceAccountListPage(ports)),
  [NEW_SERVICE_ACCOUNT]: signedIn(newServiceAccountPage(ports)),
  [`${SERVICE_ACCOUNTS}/:id`]: signedIn(serviceAccountPage(ports)),
  [`${SERVICE_ACCOUNTS}/:id/edit`]: signedIn(editServiceAccountPage(ports)),
});
