import type { OrganizationAccess } from '@gatehouse/domain/organizations';
import type { Clock } from '@gatehouse/domain/time';

/** What the use cases of an extension get: the extension's own store, and what Gatehouse has for all. */
export interface ExtensionPorts<Store> {
  readonly store: Store;
  readonly organizations: OrganizationAccess;
  readonly clock: Clock;
}
