import type { Extension } from '@gatehouse/extension-kit';
import type { HandledRoute } from '@gatehouse/extension-kit/http';
import { type ExtensionUseCasePorts, loadExtension } from '@gatehouse/installation';

/** An extension as a server needs it, with its layers loaded. */
export interface LoadedExtension {
  createRoutes(ports: ExtensionUseCasePorts): readonly HandledRoute[];
}

/** Loads the layers of an extension that a server needs. */
export async function loadServedExtension<UseCases>(
  extension: Extension<unknown, UseCases>,
): Promise<LoadedExtension> {
  const [{ createUseCases }, http] = await Promise.all([loadExtension(extension), extension.http?.()]);
  return { createRoutes: (ports) => http?.serve(createUseCases(ports)) ?? [] };
}
