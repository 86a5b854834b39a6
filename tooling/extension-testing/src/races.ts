import type { Repositories } from '@gatehouse/domain';
import type { Extension } from '@gatehouse/extension-kit';
import type { AuditEvent } from '@gatehouse/extension-kit/domain';
import { sql } from '@gatehouse/extension-kit/postgres';
import { createExtensionDatabase, type Database } from '@gatehouse/postgres';
import { GATE_HOLDS, openStage, type Side, withoutLocks } from '@gatehouse/postgres/testing';
import { describe, expect, test } from 'vitest';
import { openTestInstallation } from './test-installation.ts';

/** The stores for one of two concurrent changes. Each change records `event()`, which delays it. */
export interface RacingSide<Store> {
  readonly store: Store;
  readonly repositories: Repositories;
  event(): AuditEvent;
}

/** Two changes at once, and what must be true after them in whatever order they are made. */
export interface Race<Store, Scene, One, Other> {
  readonly name: string;
  arrange(stores: Omit<RacingSide<Store>, 'event'>): Promise<Scene>;
  one(side: RacingSide<Store>, scene: Scene): Promise<One>;
  other(side: RacingSide<Store>, scene: Scene): Promise<Other>;
  /** Returns the problem in words, or undefined. */
  wrong(
    outcomes: readonly [One, Other],
    scene: Scene,
    store: Store,
  ): Promise<string | undefined> | string | undefined;
  /** The protection that keeps them apart, which the test removes: the locks of rows, or that which this statement removes. */
  readonly keptBy: 'locks' | { readonly takenAwayBy: string };
}

/** Runs a race in every order, and once more without the protection; the test must then detect a problem. */
export function raceOf<Store, Scene, One, Other>(
  extension: Extension<Store>,
  race: Race<Store, Scene, One, Other>,
): void {
  describe(`${race.name} at once`, () => {
    test('come out right in every order', async () => {
      expect(await wrongs(extension, race, true)).toEqual([]);
    });

    test('are detected without what keeps them apart', async () => {
      expect(await wrongs(extension, race, false)).not.toEqual([]);
    });
  });
}

async function wrongs<Store, Scene, One, Other>(
  extension: Extension<Store>,
  race: Race<Store, Scene, One, Other>,
  isKept: boolean,
) {
  const stage = await openStage(async () => {
    const { repositories: store, ...opened } = await openTestInstallation(extension);
    return { ...opened, store };
  });
  const { name } = extension;
  const { migrations, createStore } = await extension.postgres();
  const storeOn = (database: Database) =>
    createStore(createExtensionDatabase(database, { name, migrations }));
  const isUnlocked = !isKept && race.keptBy === 'locks';
  const stores = new Map<Database, Store>();
  function sideOf({ database, store: repositories, event }: Side): RacingSide<Store> {
    const store = stores.get(database) ?? storeOn(isUnlocked ? withoutLocks(database) : database);
    stores.set(database, store);
    return { store, repositories, event };
  }
  try {
    if (!isKept && race.keptBy !== 'locks') {
      await sql.raw(race.keptBy.takenAwayBy).execute(stage.database.queries);
    }
    const store = storeOn(stage.database);
    const found: string[] = [];
    for (const hold of GATE_HOLDS) {
      for (const begins of ['one', 'other'] as const) {
        const scene = await race.arrange({ store, repositories: stage.store });
        const outcomes = await stage.race(
          (side) => race.one(sideOf(side), scene),
          (side) => race.other(sideOf(side), scene),
          hold,
          begins,
        );
        const wrong = await race.wrong(outcomes, scene, store);
        if (wrong !== undefined) found.push(wrong);
      }
    }
    return found;
  } finally {
    await stage.close();
  }
}
