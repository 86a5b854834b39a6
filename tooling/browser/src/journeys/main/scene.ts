import type { Page } from 'playwright-core';
import type { PageOptions, World } from '../../index.ts';
import type { HANDS, Hand } from './hands.ts';

/** A variant in which every main journey is made. */
export interface Variant extends Required<Pick<PageOptions, 'javaScript' | 'width'>> {
  readonly by: keyof typeof HANDS;
}

/** The installation for a journey: a world, or another one with the same people. */
export type Site = Pick<World, 'url' | 'acme' | 'globex'>;

/** The input of a main journey. */
export interface Scene {
  /** A page of its own, without cookies. */
  readonly page: Page;
  readonly hand: Hand;
  readonly variant: Variant;
  readonly world: Site;
  /** A name that no other journey or variant uses. */
  readonly unique: string;
}

export type Journeys = Readonly<Record<string, (scene: Scene) => Promise<void>>>;
