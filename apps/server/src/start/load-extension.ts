import { checkRefusals } from '@gatehouse/domain/resources';
import type { Extension } from '@gatehouse/extension-kit';
import { type HandledRoute, PROBLEMS } from '@gatehouse/extension-kit/http';
import { type ExtensionUseCasePorts, loadExtension } from '@gatehouse/installation';

/** An extension as a server needs it, with its layers loaded. */
export interface LoadedExtension {
  createRoutes(ports: ExtensionUseCasePorts): readonly HandledRoute[];
}

/**
 * Loads the layers of extensions that a server needs.
 *
 * @throws TypeError if two describe the same refusal, or one of Gatehouse
 */
export async function loadServedExtensions(
  extensions: readonly Extension[],
): Promise<readonly LoadedExtension[]> {
  checkRefusals(extensions, Object.keys(PROBLEMS));
  return Promise.all(extensions.map(loadServedExtension));
}

async function loadServedExtension<UseCases>(
  extension: Extension<unknown, UseCases>,
): Promise<LoadedExtension> {
  const [{ createUseCases }, http] = await Promise.all([loadExtension(extension), extension.http?.()]);
  return { createRoutes: (ports) => http?.serve(createUseCases(ports)) ?? [] };
}
