import type { Page } from 'playwright-core';
import type { PageOptions, World } from '../../index.ts';
import type { HANDS, Hand } from './hands.ts';

/** A way in which every main journey is made. */
export interface Variant extends Required<Pick<PageOptions, 'javaScript' | 'width'>> {
  readonly by: keyof typeof HANDS;
}

/** What a journey is made on: a world, or another installation with the same people. */
export type Site = Pick<World, 'url' | 'acme' | 'globex'>;

/** What a main journey is given. */
export interface Scene {
  /** Its own, without cookies. */
  readonly page: Page;
  readonly hand: Hand;
  readonly variant: Variant;
  readonly world: Site;
  /** A name that no other journey and variant gives. */
  readonly unique: string;
}

export type Journeys = Readonly<Record<string, (scene: Scene) => Promise<void>>>;
