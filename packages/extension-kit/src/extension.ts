import type { OrganizationAccess } from '@gatehouse/domain/organizations';
import { defineResource, type Resource } from '@gatehouse/domain/resources';
import type { Clock } from '@gatehouse/domain/time';
import type { PostgresLayer } from './postgres/layer.ts';

/** What the use cases of an extension get: the extension's own store, and what Gatehouse has for all. */
export interface ExtensionPorts<Store> {
  readonly store: Store;
  readonly organizations: OrganizationAccess;
  readonly clock: Clock;
}

/** Makes the use cases. As a method, so that each extension fits in a list of extensions. */
type CreateUseCases<Store, UseCases> = { create(ports: ExtensionPorts<Store>): UseCases }['create'];

/**
 * A resource that its own package brings. Every process loads what stands here, names and words; the layers are loaded by
 * those that need them.
 */
export interface Extension<Store = unknown, UseCases = unknown> extends Resource {
  /** Loads the domain of the extension, and resolves with what makes its use cases. */
  useCases(): Promise<CreateUseCases<Store, UseCases>>;
  /** Loads how the extension is stored. */
  postgres(): Promise<PostgresLayer<Store>>;
}

/**
 * Describes an extension. `Store` and `UseCases` follow from its layers.
 *
 * @throws TypeError as `defineResource`
 */
export function defineExtension<Store, UseCases>(
  extension: Extension<Store, UseCases>,
): Extension<Store, UseCases> {
  return defineResource(extension);
}
