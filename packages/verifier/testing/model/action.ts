import type { World } from './world.ts';

/** Something that can happen at any time. */
export interface Action {
  /** How often it is drawn, in comparison with the others. */
  readonly weight: number;
  /** The least and the most of the number that is drawn for it. The least is 0 unless it is given. */
  readonly least?: number;
  readonly most: number;
  readonly act: (world: World, value: number) => void;
}
