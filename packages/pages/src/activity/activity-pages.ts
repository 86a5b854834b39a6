import { ACTIVITY, ACTIVITY_EXPORT } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { activityPage } from './activity.ts';
import { exportEndpoint } from './export.ts';

/** The pages of the area `Activity`, by their paths. */
export const activityPages = (ports: PagePorts, signedIn: SignedIn): PageTable => ({
  [ACTIVITY]: signedIn(activityPage(ports)),
  [ACTIVITY_EXPORT]: exportEndpoint(ports),
});
