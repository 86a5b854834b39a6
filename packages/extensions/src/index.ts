import { BUILT_IN, createCatalog } from '@gatehouse/domain/resources';
import type { Extension } from '@gatehouse/extension-kit';

/** The extensions of this installation. A team adds its own by an import and its name here. */
export const EXTENSIONS: readonly Extension[] = [];

/** The scopes, rules and audit actions of the built-in resources and the extensions. */
export const CATALOG = createCatalog([...BUILT_IN, ...EXTENSIONS]);
