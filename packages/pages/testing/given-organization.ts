import { anEvent, anOrganization, unwrap } from '@gatehouse/domain/testing';
import type { PageScene } from './serve-pages.ts';

/** Stores an organization of the scene's account with this name. */
export async function givenNamed(
  { world, people }: Pick<PageScene, 'world' | 'people'>,
  name: string,
  description: string | null = null,
) {
  const { id: _, ...parts } = anOrganization({ accountId: people.account.id, name, description });
  return unwrap(await world.organizations.insert(parts, () => anEvent()));
}
