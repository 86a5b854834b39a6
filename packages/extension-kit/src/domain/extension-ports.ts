import type { OrganizationAccess } from '@gatehouse/domain/organizations';
import type { Clock } from '@gatehouse/domain/time';

/** The ports of an extension's use cases: its own store, and the ports that all extensions share. */
export interface ExtensionPorts<Store> {
  readonly store: Store;
  readonly organizations: OrganizationAccess;
  readonly clock: Clock;
}
