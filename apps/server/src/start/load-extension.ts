import { checkRefusals } from '@gatehouse/domain/resources';
import type { Extension } from '@gatehouse/extension-kit';
import { type HandledRoute, PROBLEMS, type Route } from '@gatehouse/extension-kit/http';
import { type ExtensionUseCasePorts, loadExtension } from '@gatehouse/installation';
import { openRoutesOf } from '@gatehouse/installation/open-routes';
import type { Log } from '../logging/line-kind.ts';

/** An extension as a server needs it, with its layers loaded. */
export type LoadedExtension = Awaited<ReturnType<typeof loadServedExtension>>;

/**
 * Loads the layers of extensions that a server needs.
 *
 * @throws TypeError if an extension describes a refusal that another extension or Gatehouse has
 */
export async function loadServedExtensions(
  extensions: readonly Extension[],
): Promise<readonly LoadedExtension[]> {
  checkRefusals(extensions, Object.keys(PROBLEMS));
  return Promise.all(extensions.map(loadServedExtension));
}

async function loadServedExtension<UseCases>(extension: Extension<unknown, UseCases>) {
  const [createUseCases, http] = await Promise.all([loadExtension(extension), extension.http?.()]);
  const routes = http?.routes ?? [];
  return {
    /** Routes without a rule that do not declare themselves public. */
    openRoutes: openRoutesOf(extension.name, routes),
    /** @throws TypeError as `checkServed` */
    createRoutes(ports: ExtensionUseCasePorts): readonly HandledRoute[] {
      const served = http?.serve(createUseCases(ports)) ?? [];
      checkServed(extension.name, routes, served);
      return served;
    },
  };
}

/**
 * Warns of routes that are open to everyone without saying so. A package that was built before the kit had `public` may have
 * some.
 */
export function warnOfOpenRoutes(extensions: readonly LoadedExtension[], log: Pick<Log, 'warn'>): void {
  for (const { extension, route } of extensions.flatMap(({ openRoutes }) => openRoutes)) {
    log.warn(
      { extension, route },
      'the route is open to everyone: it has no rule, and does not say that it is public',
    );
  }
}

/**
 * Checks that an extension serves only routes that it lists, each with the listed access. The OpenAPI document, the warning
 * of open routes and `doctor` read the list, and would otherwise be wrong.
 *
 * @throws TypeError if it serves another route, or one with another rule
 */
export function checkServed(extension: string, listed: readonly Route[], served: readonly HandledRoute[]) {
  for (const { route } of served) {
    const { method, path } = route;
    const same = listed.find((each) => each.method === method && each.path === path);
    const named = `the extension ${extension} serves ${method} ${path}`;
    if (!same) throw new TypeError(`${named}, which its \`routes\` do not list: add it to them`);
    if (same.rule !== route.rule || same.public !== route.public)
      throw new TypeError(
        `${named} with another \`rule\` or \`public\` than its \`routes\` say: serve the listed one`,
      );
  }
}
