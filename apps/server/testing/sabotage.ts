import { cacheLimits, createReadCaches } from '@gatehouse/cache';
import { Caches, ChangeFeed } from '../src/container.ts';
import { parseSettings } from '../src/settings/settings.ts';
import type { ReplaceableParts } from './serve-node.ts';

/** A feed that says that it hears everything, and tells nobody what. */
export function tellNothing({ container }: ReplaceableParts): void {
  const feed = container.resolve(ChangeFeed);
  container.provide(ChangeFeed, () => ({ ...feed, subscribe: () => () => undefined }));
}

/** What is remembered is used however long nothing has been heard. */
export function trustForever({ container }: ReplaceableParts): void {
  const settings = parseSettings({});
  if (!settings.ok) throw new Error('wrong settings');
  const limits = cacheLimits(settings.value);
  container.provide(Caches, (resolve) =>
    createReadCaches({ feed: resolve(ChangeFeed), lease: () => true, limits }),
  );
}

/** Both: what was read once stays for good. */
export function rememberForever(parts: ReplaceableParts): void {
  tellNothing(parts);
  trustForever(parts);
}
