import { anEvent, createWorld } from '@gatehouse/domain/testing';
import type { Extension, HappenedEvent } from '@gatehouse/extension-kit';

/** An event that tests make up: what they leave out is filled in. */
export type MadeUpEvent = Pick<HappenedEvent, 'action'> & Partial<HappenedEvent>;

/**
 * Lets something happen: calls each reaction of the extension that waits for this action, with its use cases on a store
 * in memory. Rejects if one of them does.
 */
export async function happen<Store, UseCases>(
  extension: Extension<Store, UseCases>,
  { position = 1, ...event }: MadeUpEvent,
): Promise<void> {
  const [domain, { createInMemoryStore }, world] = await Promise.all([
    extension.domain(),
    extension.testing(),
    createWorld(),
  ]);
  const useCases = domain.createUseCases({ ...world, store: createInMemoryStore(world) });
  for (const { name, on, handle } of extension.reactions ?? []) {
    if (!on.includes(event.action)) continue;
    await handle(
      { ...anEvent(event), position },
      {
        useCases,
        caller: { kind: 'operator', name: `${extension.name}/${name}`, origin: 'test' },
        signal: new AbortController().signal,
      },
    );
  }
}
