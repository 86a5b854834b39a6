import { defineResource, type Resource } from '@gatehouse/domain/resources';

/** A resource that its own package brings. What stands here is loaded by every process: names and words, and no layer. */
export interface Extension extends Resource {}

/**
 * Describes an extension, keeping its exact type.
 *
 * @throws TypeError as `defineResource`
 */
export function defineExtension<const E extends Extension>(extension: E): E {
  return defineResource(extension);
}
