import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import type { World } from '@gatehouse/domain/testing';
import type { Extension } from '@gatehouse/extension-kit';
import type { Route } from '@gatehouse/extension-kit/http';
import type { ExampleScene, Examples } from '@gatehouse/extension-kit/testing';
import { EXTENSIONS } from '@gatehouse/extensions';
import { shiftNotes } from '@gatehouse/shift-notes';
import type { ExtensionRoutes } from '../src/extension-routes.ts';

/** The extensions of tests: those of the installation, and the example. */
export const REGISTERED: readonly Extension[] = [...EXTENSIONS, shiftNotes];

/** The scopes, rules and actions of Gatehouse and of the extensions of tests. */
export const REGISTERED_CATALOG = createCatalog([...BUILT_IN, ...REGISTERED]);

/** The source of an extension's examples. */
export interface RegisteredExamples {
  readonly routes: readonly Route[];
  examples(scene: Omit<ExampleScene<unknown>, 'store' | 'text'>): Promise<Examples>;
}

const never = () => new Promise<never>(() => undefined);

/** The extensions of tests with their stores in memory, beside those of the world. */
export function registeredIn(world: World, extensions: readonly Extension[]) {
  return Promise.all(
    extensions.map(async (extension) => {
      const [http, testing, domain] = await Promise.all([
        extension.http?.(),
        extension.testing(),
        extension.domain(),
      ]);
      const store = testing.createInMemoryStore(world);
      const useCases = domain.createUseCases({ ...world, store });
      const served: ExtensionRoutes = {
        routes: http?.serve(useCases) ?? [],
        deadline: never,
        onBehalfOf: (_, work) => work(),
      };
      const examples: RegisteredExamples = {
        routes: http?.routes ?? [],
        examples: (scene) => testing.examples({ ...scene, store, text: 'Press 4 leaks' }),
      };
      return { served, examples, useCases };
    }),
  );
}
